/* Expressions over the current value, `it * 3 + 1`, as code for a small machine with a stack. They
   follow Python's rules. A computation that does not fit in 64 bits and doubles, from a division by
   zero to a number that is too long, is left to Python, which has the same expression as a
   callable. */
#include <math.h>

#include "internal.h"

enum { DEPTH = 16 }; /* expressions.py never makes code that needs more */

/* Numbered as in expressions.py. */
enum {
  PUSH_IT, PUSH, ADD, SUB, MUL, TRUEDIV, FLOORDIV, MOD, AND, OR, XOR, LSHIFT, RSHIFT,
  LT, LE, EQ, NE, GT, GE, NEG, POS, ABS, INVERT,
  /* added to an operation whose right side is the operand of the instruction itself */
  CONSTANT = 64
};

/* Integers up to this one are exact as doubles. */
static const int64_t exact = INT64_C(1) << 53;

static int is_exact(pb_number n) {
  return n.type == PB_FLOAT || (n.i >= -exact && n.i <= exact);
}
static double real(pb_number n) { return n.type == PB_FLOAT ? n.d : (double)n.i; }

static int compare(int op, pb_number a, pb_number b, pb_number *out) {
  int less, equal;
  if (a.type != PB_FLOAT && b.type != PB_FLOAT) {
    less = a.i < b.i, equal = a.i == b.i;
  } else {
    if (!is_exact(a) || !is_exact(b)) return 0;
    double x = real(a), y = real(b);
    if (isnan(x) || isnan(y)) {
      *out = (pb_number){.i = op == NE, .type = PB_BOOL};
      return 1;
    }
    less = x < y, equal = x == y;
  }
  int truth = op == LT   ? less
              : op == LE ? less || equal
              : op == EQ ? equal
              : op == NE ? !equal
              : op == GT ? !less && !equal
                         : !less;
  *out = (pb_number){.i = truth, .type = PB_BOOL};
  return 1;
}

static int floats(int op, double x, double y, pb_number *out) {
  out->type = PB_FLOAT;
  switch (op) {
    case ADD: out->d = x + y; return 1;
    case SUB: out->d = x - y; return 1;
    case MUL: out->d = x * y; return 1;
    case TRUEDIV: out->d = x / y; return y != 0;
    case FLOORDIV:
    case MOD: {
      /* The remainder has the divisor's sign, and the quotient fits to that. */
      if (y == 0) return 0;
      double rest = fmod(x, y), quotient = (x - rest) / y;
      if (rest != 0) {
        if ((y < 0) != (rest < 0)) rest += y, quotient -= 1;
      } else {
        rest = copysign(0, y);
      }
      if (op == MOD) {
        out->d = rest;
      } else if (quotient != 0) {
        out->d = floor(quotient);
        if (quotient - out->d > 0.5) out->d += 1;
      } else {
        out->d = copysign(0, x / y);
      }
      return 1;
    }
    default: return 0;
  }
}

static int integers(int op, int64_t a, int64_t b, pb_number *out) {
  out->type = PB_INT;
  switch (op) {
    case ADD: return !__builtin_add_overflow(a, b, &out->i);
    case SUB: return !__builtin_sub_overflow(a, b, &out->i);
    case MUL: return !__builtin_mul_overflow(a, b, &out->i);
    case FLOORDIV:
      if (b == 0 || (b == -1 && a == INT64_MIN)) return 0;
      out->i = a / b - (a % b != 0 && (a % b < 0) != (b < 0));
      return 1;
    case MOD:
      if (b == 0) return 0;
      out->i = b == -1 ? 0 : a % b;
      if (out->i != 0 && (out->i < 0) != (b < 0)) out->i += b;
      return 1;
    case AND: out->i = a & b; return 1;
    case OR: out->i = a | b; return 1;
    case XOR: out->i = a ^ b; return 1;
    case LSHIFT:
      if (b < 0 || b > 62 || a > (INT64_MAX >> b) || a < (INT64_MIN >> b)) return 0;
      out->i = (int64_t)((uint64_t)a << b);
      return 1;
    case RSHIFT:
      if (b < 0) return 0;
      out->i = a >> (b > 63 ? 63 : b);
      return 1;
    default: return 0;
  }
}

static int binary(int op, pb_number a, pb_number b, pb_number *out) {
  if (op >= LT && op <= GE) return compare(op, a, b, out);
  if (op == TRUEDIV || a.type == PB_FLOAT || b.type == PB_FLOAT) {
    /* The quotient of two integers is rounded only once if both are exact as doubles. */
    if (op == TRUEDIV && (!is_exact(a) || !is_exact(b))) return 0;
    return floats(op, real(a), real(b), out);
  }
  if (!integers(op, a.i, b.i, out)) return 0;
  if (op >= AND && op <= XOR && a.type == PB_BOOL && b.type == PB_BOOL) out->type = PB_BOOL;
  return 1;
}

static int unary(int op, pb_number *n) {
  if (n->type == PB_FLOAT) {
    if (op == INVERT) return 0;
    if (op == NEG) n->d = -n->d;
    if (op == ABS) n->d = fabs(n->d);
    return 1;
  }
  if (op == INVERT && n->type == PB_BOOL) return 0; /* here Python warns */
  if (n->i == INT64_MIN && (op == NEG || op == ABS)) return 0;
  n->type = PB_INT;
  if (op == NEG || (op == ABS && n->i < 0)) n->i = -n->i;
  if (op == INVERT) n->i = ~n->i;
  return 1;
}

/* The usual operations on two integers, in few instructions; 0 for all others. */
static inline int quick(int op, int64_t a, int64_t b, pb_number *out) {
  switch (op) {
    case ADD: return !__builtin_add_overflow(a, b, &out->i);
    case SUB: return !__builtin_sub_overflow(a, b, &out->i);
    case MUL: return !__builtin_mul_overflow(a, b, &out->i);
    case MOD:
      /* A division costs as much as all the rest, so a power of two avoids it. */
      if (b <= 0 || (b & (b - 1)) != 0) return 0;
      out->i = a & (b - 1);
      return 1;
    case LT: *out = (pb_number){.i = a < b, .type = PB_BOOL}; return 1;
    case LE: *out = (pb_number){.i = a <= b, .type = PB_BOOL}; return 1;
    case EQ: *out = (pb_number){.i = a == b, .type = PB_BOOL}; return 1;
    case NE: *out = (pb_number){.i = a != b, .type = PB_BOOL}; return 1;
    case GT: *out = (pb_number){.i = a > b, .type = PB_BOOL}; return 1;
    case GE: *out = (pb_number){.i = a >= b, .type = PB_BOOL}; return 1;
    default: return 0;
  }
}

pb_number pb_evaluate(const pb_instruction *code, size_t size, pb_number number) {
  static const pb_number none = {.type = PB_NONE};
  pb_number stack[DEPTH], top = number, right;
  size_t depth = 0;
  for (const pb_instruction *end = code + size; code < end; code++) {
    int op = code->op;
    if (op >= CONSTANT) {
      op -= CONSTANT;
      right = (pb_number){.i = code->operand.i, .type = (pb_type)code->type};
    } else if (op >= NEG) {
      if (!unary(op, &top)) return none;
      continue;
    } else if (op >= ADD) {
      right = top;
      top = stack[--depth];
    } else {
      stack[depth++] = top;
      top = op == PUSH_IT ? number
                          : (pb_number){.i = code->operand.i, .type = (pb_type)code->type};
      continue;
    }
    pb_number result = {.type = PB_INT};
    if ((top.type | right.type) == PB_INT && quick(op, top.i, right.i, &result)) top = result;
    else if (binary(op, top, right, &result)) top = result;
    else return none;
  }
  return top;
}
