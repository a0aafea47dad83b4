/* Makes shapes of C types (C11), for interface.h and slot.h. Do not include it by itself. */
#ifndef BELAY_INTERFACE_TYPED_H
#define BELAY_INTERFACE_TYPED_H

/* A pointer to any type, also to one after whose name no star can stand. */
#define BELAY_TO_(type) ((__typeof__(type) *)0)
/* The class of the type, as the compiler sees it. */
#define BELAY_CLASS_(type) \
  __builtin_classify_type(*_Generic(BELAY_TO_(type), void *: (char *)0, default: BELAY_TO_(type)))
/* The letter of a type; '?' for a type that has none, which the library refuses. As the only
   argument, `void` ends the string. `char *` is a buffer, `const char *` a string. */
#define BELAY_CODE_(type)                                                                     \
  _Generic(BELAY_TO_(type), void *: '\0', _Bool *: 'B', char *: (char)-1 < 0 ? 'c' : 'C',     \
      signed char *: 'c', unsigned char *: 'C', short *: 's', unsigned short *: 'S',          \
      int *: 'i', unsigned *: 'I', long *: 'l', unsigned long *: 'L', long long *: 'q',       \
      unsigned long long *: 'Q', float *: 'f', double *: 'd', long double *: 'D',             \
      const char **: '*',                                                                     \
      default: BELAY_CLASS_(type) == 5 /* a pointer */ ? 'p' : '?')
#define BELAY_RESULT_CODE_(type) _Generic(BELAY_TO_(type), void *: 'v', default: BELAY_CODE_(type))
#define BELAY_ARGUMENT_CODE_(context, index, type) \
  (context) == (index) ? '@' : BELAY_CODE_(type)

/* The letters of one to twelve types. The preprocessor has no loop, so each macro adds one to the
   macro before it. */
#define BELAY_CODES_1_(c, t0) BELAY_ARGUMENT_CODE_(c, 0, t0)
#define BELAY_CODES_2_(c, t0, t1) \
  BELAY_CODES_1_(c, t0), BELAY_ARGUMENT_CODE_(c, 1, t1)
#define BELAY_CODES_3_(c, t0, t1, t2) \
  BELAY_CODES_2_(c, t0, t1), BELAY_ARGUMENT_CODE_(c, 2, t2)
#define BELAY_CODES_4_(c, t0, t1, t2, t3) \
  BELAY_CODES_3_(c, t0, t1, t2), BELAY_ARGUMENT_CODE_(c, 3, t3)
#define BELAY_CODES_5_(c, t0, t1, t2, t3, t4) \
  BELAY_CODES_4_(c, t0, t1, t2, t3), BELAY_ARGUMENT_CODE_(c, 4, t4)
#define BELAY_CODES_6_(c, t0, t1, t2, t3, t4, t5) \
  BELAY_CODES_5_(c, t0, t1, t2, t3, t4), BELAY_ARGUMENT_CODE_(c, 5, t5)
#define BELAY_CODES_7_(c, t0, t1, t2, t3, t4, t5, t6) \
  BELAY_CODES_6_(c, t0, t1, t2, t3, t4, t5), BELAY_ARGUMENT_CODE_(c, 6, t6)
#define BELAY_CODES_8_(c, t0, t1, t2, t3, t4, t5, t6, t7) \
  BELAY_CODES_7_(c, t0, t1, t2, t3, t4, t5, t6), BELAY_ARGUMENT_CODE_(c, 7, t7)
#define BELAY_CODES_9_(c, t0, t1, t2, t3, t4, t5, t6, t7, t8) \
  BELAY_CODES_8_(c, t0, t1, t2, t3, t4, t5, t6, t7), BELAY_ARGUMENT_CODE_(c, 8, t8)
#define BELAY_CODES_10_(c, t0, t1, t2, t3, t4, t5, t6, t7, t8, t9) \
  BELAY_CODES_9_(c, t0, t1, t2, t3, t4, t5, t6, t7, t8), BELAY_ARGUMENT_CODE_(c, 9, t9)
#define BELAY_CODES_11_(c, t0, t1, t2, t3, t4, t5, t6, t7, t8, t9, t10) \
  BELAY_CODES_10_(c, t0, t1, t2, t3, t4, t5, t6, t7, t8, t9), BELAY_ARGUMENT_CODE_(c, 10, t10)
#define BELAY_CODES_12_(c, t0, t1, t2, t3, t4, t5, t6, t7, t8, t9, t10, t11) \
  BELAY_CODES_11_(c, t0, t1, t2, t3, t4, t5, t6, t7, t8, t9, t10), BELAY_ARGUMENT_CODE_(c, 11, t11)
#define BELAY_SELECT_(a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, name, ...) name
#define BELAY_CODES_(c, ...)                                                                  \
  BELAY_SELECT_(__VA_ARGS__, BELAY_CODES_12_, BELAY_CODES_11_, BELAY_CODES_10_,               \
                BELAY_CODES_9_, BELAY_CODES_8_, BELAY_CODES_7_, BELAY_CODES_6_,               \
                BELAY_CODES_5_, BELAY_CODES_4_, BELAY_CODES_3_, BELAY_CODES_2_,               \
                BELAY_CODES_1_, 0)(c, __VA_ARGS__)
#define BELAY_UNPARENTHESISED_(...) __VA_ARGS__
#define BELAY_EXPANDED_(macro, ...) macro(__VA_ARGS__)

/* The shape of a function with these types, as a string. It is static outside of functions. */
#define BELAY_SHAPE(context, result, arguments)                                               \
  (const char[]) {                                                                            \
    BELAY_RESULT_CODE_(result),                                                               \
        BELAY_EXPANDED_(BELAY_CODES_, context, BELAY_UNPARENTHESISED_ arguments), '\0'        \
  }

#define BELAY_TYPED_METHOD(table, member, context, result, arguments)                         \
  {                                                                                           \
    sizeof(belay_method), _Generic(((table *)0)->member, result(*) arguments: #member),       \
        offsetof(table, member), BELAY_SHAPE(context, result, arguments), 0                   \
  }

#endif
