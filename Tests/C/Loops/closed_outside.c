/* A loop that is not running is closed inside of a callback, which something outside of its turns calls. */
#include "cases.h"

static belay_loop *loop;
static int frees, closes;
static void note_closed(void *ctx, const belay_open_resource *const *open, size_t count) {
  closes++;
}
static void close_in_next(void *ctx, belay_value value) {
  CHECK(belay_loop_close(loop, note_closed, NULL, NULL) >= 0);
}
static void count_context(void *ctx) { frees++; }

static belay_op *no_op(void) { return belay_op_skip(0); }
static belay_op *with_a_timer(void) {
  return belay_op_timeout(belay_loop_get_scheduler(loop), 1000, NULL);
}
static belay_op *with_a_rest(void) {
  return belay_op_throttle(belay_loop_get_scheduler(loop), 1000, 1, 0);
}

static void each_context_is_freed(void) {
  belay_op *(*const ops[])(void) = {NULL, no_op, with_a_timer, with_a_rest};
  for (int i = 0; i < 16; i++) {
    int is_subject = i & 1, names_loop = i >> 1 & 1;
    frees = closes = 0;
    loop = belay_loop_create(&BELAY_INIT(belay_loop_options, .quiet = 1));
    belay_signal *source =
        is_subject ? belay_subject_create(NULL) : belay_signal_just(belay_int32(1));
    belay_signal *signal = belay_signal_retain(source);
    if (ops[i >> 2]) signal = belay_signal_chain(signal, ops[i >> 2]());
    belay_observer observer = {.size = sizeof observer,
                               .next = close_in_next,
                               .ctx_free = count_context,
                               .loop = names_loop ? loop : NULL};
    CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
    if (is_subject) CHECK(belay_subject_next(source, belay_int32(1)) >= 0);
    belay_signal_release(signal);
    belay_signal_release(source);
    belay_loop_release(loop);
    CHECK_INT(frees, 1);
    CHECK_INT(closes, 1);
    belay_last_error();
  }
}

static const test_case cases[] = {CASE(each_context_is_freed)};

int main(int argc, char **argv) { return RUN_CASES(cases); }
