/* Whether the objects that Embedded Swift makes are laid out as Sources/CBelayShim takes for granted, and
   whether they are counted and die as they should. Linked with the library's object as it is before
   its symbols are made local, so that the runtime's functions can be called by their names. */
#include "check.h"

#include <pthread.h>
#include <stdint.h>

extern void *swift_retain(void *object);
extern void *swift_retain_n(void *object, uint32_t n);
extern void swift_release(void *object);
extern void swift_release_n(void *object, uint32_t n);
extern int swift_isUniquelyReferenced_nonNull_native(void *object);
extern void *swift_initStaticObject(void *metadata, void *object);

typedef struct object {
  void **metadata; /* its second word: what destroys the object */
  intptr_t count;
} object;

/* Of the linker: where the program's code is. */
extern char __executable_start, etext;
static int is_code(const void *place) {
  return (const char *)place > &__executable_start && (const char *)place < &etext;
}

/* A handle is the address of an object that has one reference. */
static void an_object_is_its_metadata_and_its_count(void) {
  belay_signal *subject = belay_subject_create(NULL);
  object *it = (object *)subject;
  CHECK_INT(it->count, 1);
  CHECK(it->metadata != NULL && is_code(it->metadata[1]));
  belay_signal_retain(subject);
  CHECK_INT(it->count, 2);
  belay_signal_release(subject);
  CHECK_INT(it->count, 1);
  belay_signal_release(subject);
}

static void a_reference_is_one_more(void) {
  belay_signal *subject = belay_subject_create(NULL);
  object *it = (object *)subject;
  CHECK(swift_retain(it) == it);
  CHECK_INT(it->count, 2);
  CHECK(swift_retain_n(it, 3) == it);
  CHECK_INT(it->count, 5);
  swift_release_n(it, 3);
  swift_release(it);
  CHECK_INT(it->count, 1);
  swift_release(it);
}

static void the_test_whether_a_reference_is_the_only_one_reads_the_count(void) {
  belay_signal *subject = belay_subject_create(NULL);
  CHECK(swift_isUniquelyReferenced_nonNull_native(subject) & 1);
  swift_retain(subject);
  CHECK(!(swift_isUniquelyReferenced_nonNull_native(subject) & 1));
  swift_release(subject);
  swift_release(subject);
}

/* The destroyer has run: nothing of that kind is left, and the subscription to it has ended. */
static void the_last_reference_destroys(void) {
  for (uint32_t way = 0; way < 2; way++) {
    size_t before = belay_live_count(BELAY_LIVE_KINDS);
    belay_signal *subject = belay_subject_create(NULL);
    belay_observer observer = tracing("");
    CHECK_INT(belay_signal_subscribe(subject, &observer, NULL), 0);
    CHECK(belay_live_count(BELAY_LIVE_KINDS) > before);
    intptr_t others = ((object *)subject)->count - 1;
    if (way == 0) belay_signal_release(subject);
    if (way == 1) {
      swift_retain_n(subject, 2);
      CHECK_INT(((object *)subject)->count, others + 3);
      swift_release_n(subject, 2);
      belay_signal_release(subject);
    }
    CHECK_TRACE("disposed | free");
    CHECK_INT(belay_live_count(BELAY_LIVE_KINDS), before);
  }
}

static void what_is_immortal_is_not_counted(void) {
  static object fixed;
  CHECK(swift_initStaticObject(&fixed, &fixed) == &fixed);
  CHECK(fixed.metadata == (void **)&fixed);
  intptr_t count = fixed.count;
  CHECK_INT(count & INTPTR_MAX, INTPTR_MAX);
  swift_retain(&fixed);
  swift_release(&fixed);
  swift_retain_n(&fixed, 2);
  swift_release_n(&fixed, 3);
  CHECK_INT(fixed.count, count);
}

/* The runtime's own function knows no object there, and would write it anew at every call. */
static void what_is_static_is_initialised_once(void) {
  object fixed = {NULL, 0};
  swift_initStaticObject(&fixed, &fixed);
  fixed.count = 5;
  swift_initStaticObject(&fixed, &fixed);
#ifdef BELAY_RUNTIME_REFERENCES
  CHECK_INT(fixed.count & INTPTR_MAX, INTPTR_MAX);
#else
  CHECK_INT(fixed.count, 5);
#endif
}

#ifdef BELAY_PRESERVING
/* Calls `function` with values in the registers that it preserves, and tells what is there then. */
static void call(const void *function, void *object, uint64_t found[7]) {
  register uint64_t *to __asm__("r12") = found;
  register const void *callee __asm__("r14") = function;
  __asm__ volatile(
      "movl $1, %%ecx\n movl $2, %%edx\n movl $3, %%esi\n"
      "movl $4, %%r8d\n movl $5, %%r9d\n movl $6, %%r10d\n"
      "movq %%rsp, %%r13\n subq $128, %%rsp\n andq $-16, %%rsp\n"
      "call *%2\n"
      "movq %%r13, %%rsp\n"
      "movq %%rcx, (%1)\n movq %%rdx, 8(%1)\n movq %%rsi, 16(%1)\n"
      "movq %%r8, 24(%1)\n movq %%r9, 32(%1)\n movq %%r10, 40(%1)\n movq %%rdi, 48(%1)\n"
      : "+D"(object)
      : "r"(to), "r"(callee)
      : "rax", "rcx", "rdx", "rsi", "r8", "r9", "r10", "r11", "r13", "memory", "cc");
}

static void check_preserved(const void *function, void *object) {
  uint64_t found[7];
  call(function, object, found);
  for (uint64_t place = 0; place < 6; place++) CHECK_INT(found[place], place + 1);
  CHECK(found[6] == (uint64_t)object);
}

/* Also where it destroys, with what that calls. */
static void retain_and_release_preserve_registers(void) {
  static object fixed;
  swift_initStaticObject(&fixed, &fixed);
  belay_observer observer = tracing("");
  belay_signal *subject = belay_subject_create(NULL);
  CHECK_INT(belay_signal_subscribe(subject, &observer, NULL), 0);
  intptr_t count = ((object *)subject)->count;
  check_preserved((const void *)swift_retain, subject);
  CHECK_INT(((object *)subject)->count, count + 1);
  check_preserved((const void *)swift_release, subject);
  CHECK_INT(((object *)subject)->count, count);
  check_preserved((const void *)swift_retain, &fixed);
  check_preserved((const void *)swift_release, &fixed);
  check_preserved((const void *)swift_retain, NULL);
  check_preserved((const void *)swift_release, NULL);
  check_preserved((const void *)swift_release, subject);
  CHECK_TRACE("disposed | free");
}

static void *count_up(void *subject) {
  for (int i = 0; i < 100000; i++) {
    swift_retain(subject);
    swift_release(subject);
  }
  return NULL;
}

static void retain_and_release_count_on_two_threads(void) {
  belay_signal *subject = belay_subject_create(NULL);
  swift_retain(subject);
  pthread_t other;
  CHECK_INT(pthread_create(&other, NULL, count_up, subject), 0);
  count_up(subject);
  check_preserved((const void *)swift_retain, subject);
  check_preserved((const void *)swift_release, subject);
  pthread_join(other, NULL);
  CHECK_INT(((object *)subject)->count, 2);
  check_preserved((const void *)swift_release, subject);
  check_preserved((const void *)swift_release, subject);
}
#endif

int main(int argc, char **argv) {
  static const test_case cases[] = {
      CASE(an_object_is_its_metadata_and_its_count),
      CASE(a_reference_is_one_more),
      CASE(the_test_whether_a_reference_is_the_only_one_reads_the_count),
      CASE(the_last_reference_destroys),
      CASE(what_is_immortal_is_not_counted),
      CASE(what_is_static_is_initialised_once),
#ifdef BELAY_PRESERVING
      CASE(retain_and_release_preserve_registers),
      CASE(retain_and_release_count_on_two_threads),
#endif
  };
  return RUN_CASES(cases);
}
