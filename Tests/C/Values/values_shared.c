/* Arrays that are in others many times: what they unfold to is more than there is time for. */
#include "cases.h"

enum { DEEP = 200 };

/* An array of two items, each of which is the same array of two, and so on. */
static belay_value folded(int depth, int leaf) {
  belay_value made = belay_int32(leaf);
  for (int i = 0; i < depth; i++) {
    belay_value twice[] = {made, belay_value_retain(made)};
    made = belay_array_of(twice, 2);
  }
  return made;
}
/* The same, but of two different arrays at each level. */
static belay_value crossed(int depth, int leaf) {
  belay_value left = belay_int32(leaf), right = belay_int32(leaf);
  for (int i = 0; i < depth; i++) {
    belay_value ones[] = {belay_value_retain(left), belay_value_retain(right)};
    belay_value others[] = {right, left};
    left = belay_array_of(ones, 2);
    right = belay_array_of(others, 2);
  }
  belay_value_release(right);
  return left;
}

static void they_are_compared_once(void) {
  belay_value one = folded(DEEP, 1), same = folded(DEEP, 1), other = folded(DEEP, 2);
  belay_value longer = folded(DEEP + 1, 1), cross = crossed(DEEP, 1), crossed_other = crossed(DEEP, 2);
  CHECK_INT(belay_value_equal(one, same), 1);
  CHECK_INT(belay_value_equal(one, cross), 1);
  CHECK_INT(belay_value_equal(cross, one), 1);
  CHECK_INT(belay_value_equal(one, other), 0);
  CHECK_INT(belay_value_equal(one, longer), 0);
  CHECK_INT(belay_value_equal(longer, one), 0);
  CHECK_INT(belay_value_equal(cross, crossed_other), 0);
  belay_value all[] = {one, same, other, longer, cross, crossed_other};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) belay_value_release(all[i]);
}

/* Against a comparison of what they unfold to. */
static belay_value drawn(unsigned *seed, int depth, belay_value *known, int known_count) {
  *seed = *seed * 1103515245 + 12345;
  unsigned draw = *seed >> 16;
  if (depth == 0 || draw % 8 == 0) return belay_int32((int)(draw / 8 % 2));
  if (known_count && draw % 2) return belay_value_retain(known[draw / 2 % (unsigned)known_count]);
  belay_value items[2];
  for (int i = 0; i < 2; i++) items[i] = drawn(seed, depth - 1, known, known_count);
  return belay_array_of(items, 2);
}
static belay_value item_of(belay_value array, size_t index) {
  belay_value item;
  CHECK_INT(belay_value_get_item(array, index, &item), 0);
  return item;
}
static int unfolded_equal(belay_value a, belay_value b) {
  if (belay_value_kind(a) != BELAY_KIND_ARRAY || belay_value_kind(b) != BELAY_KIND_ARRAY)
    return belay_value_equal(a, b);
  size_t count = belay_value_count(a);
  if (count != belay_value_count(b)) return 0;
  for (size_t i = 0; i < count; i++)
    if (!unfolded_equal(item_of(a, i), item_of(b, i))) return 0;
  return 1;
}
static void they_are_equal_as_what_they_unfold_to(void) {
  enum { KNOWN = 6 };
  unsigned seed = 7;
  int equal = 0, rounds = 3000;
  for (int round = 0; round < rounds; round++) {
    belay_value known[2][KNOWN];
    for (int side = 0; side < 2; side++) {
      /* Alike in most rounds. */
      unsigned own = round % 4 == 3 ? seed + (unsigned)side : seed;
      for (int i = 0; i < KNOWN; i++) known[side][i] = drawn(&own, 3, known[side], i);
      if (side) seed = own;
    }
    /* Many pairs, so that the later ones are noted. */
    belay_value sums[2];
    for (int side = 0; side < 2; side++) {
      belay_value items[32];
      for (int i = 0; i < 32; i++) items[i] = belay_value_retain(known[side][i % KNOWN]);
      sums[side] = belay_array_of(items, 32);
    }
    int is = belay_value_equal(sums[0], sums[1]);
    CHECK_INT(is, unfolded_equal(sums[0], sums[1]));
    equal += is;
    for (int side = 0; side < 2; side++) {
      belay_value_release(sums[side]);
      for (int i = 0; i < KNOWN; i++) belay_value_release(known[side][i]);
    }
  }
  CHECK(equal > rounds / 2 && equal < rounds);
}

static void their_description_ends(void) {
  belay_value deep = folded(DEEP, 1);
  char start[16];
  size_t length = belay_value_describe(deep, start, sizeof start);
  CHECK_STRING(start, "[[[[[[[[[[[[[[[");
  CHECK(length > 1000000 && length < 10000000);
  char *whole = malloc(length + 1);
  CHECK_INT(belay_value_describe(deep, whole, length + 1), length);
  CHECK_STRING(whole + length - 3, "…");
  free(whole);
  belay_value_release(deep);
}

static void they_are_told_apart_by_operators(void) {
  for (int which = 0; which < 2; which++) {
    belay_signal *subject = belay_subject_create(NULL);
    belay_op *op = which ? belay_op_distinct(NULL, NULL, NULL)
                         : belay_op_distinct_until_changed(NULL, NULL, NULL);
    int seen = 0;
    belay_observer observer = BELAY_INIT(belay_observer, .next = count_value, .ctx = &seen);
    belay_signal *chain = belay_signal_chain(belay_signal_retain(subject), op);
    CHECK_INT(belay_signal_subscribe(chain, &observer, NULL), 0);
    for (int i = 0; i < 4; i++) CHECK_INT(belay_subject_next(subject, folded(DEEP, i / 2)), 0);
    CHECK_INT(seen, 2);
    belay_signal_release(chain);
    belay_signal_release(subject);
  }
}

static const test_case cases[] = {
    CASE(they_are_compared_once),
    CASE(they_are_equal_as_what_they_unfold_to),
    CASE(their_description_ends),
    CASE(they_are_told_apart_by_operators),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
