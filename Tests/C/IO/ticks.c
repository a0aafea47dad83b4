/* Ticks of a loop's turns. */
#include "fds.h"

static void ticks_are_numbered(void) {
  begin();
  watch(belay_signal_chain(belay_ticks(loop, BELAY_TICK_IDLE), belay_op_take(3)), "");
  run_to_end(loop);
  CHECK_TRACE("next 0 | next 1 | next 2 | completed | disposed | free");
  finish();
}

static void the_places_of_a_turn(void) {
  begin();
  belay_disposable *check = watched(belay_ticks(loop, BELAY_TICK_CHECK), "check");
  belay_disposable *prepare = watched(belay_ticks(loop, BELAY_TICK_PREPARE), "prepare");
  belay_disposable *idle = watched(belay_ticks(loop, BELAY_TICK_IDLE), "idle");
  CHECK_INT(belay_loop_run(loop, BELAY_RUN_ONCE), 1);
  CHECK_TRACE("idle next 0 | prepare next 0 | check next 0");
  /* Without an idle tick the loop would wait for ever. */
  CHECK_INT(belay_loop_run(loop, BELAY_RUN_ONCE), 1);
  CHECK_TRACE("idle next 1 | prepare next 1 | check next 1");
  end_subscription(idle);
  end_subscription(prepare);
  end_subscription(check);
  trace_clear();
  run_to_end(loop);
  finish();
}

static int depth, deepest;
static void run_inside(void *ctx, belay_value value) {
  if (++depth > deepest) deepest = depth;
  CHECK(belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0);
  depth--;
  trace("%lld", (long long)value.payload_);
}

static void a_turn_inside_is_not_counted(void) {
  begin();
  belay_observer observer = tracing("");
  belay_disposable *subscription = NULL;
  observer.next = run_inside;
  deepest = 0;
  belay_signal *ticks = belay_ticks(loop, BELAY_TICK_IDLE);
  CHECK_INT(belay_signal_subscribe(ticks, &observer, &subscription), 0);
  belay_signal_release(ticks);
  for (int i = 0; i < 3; i++) CHECK_INT(belay_loop_run(loop, BELAY_RUN_NOWAIT), 1);
  CHECK_INT(deepest, 1);
  CHECK_TRACE("0 | 1 | 2");
  end_subscription(subscription);
  CHECK_TRACE("disposed | free");
  run_to_end(loop);
  finish();
}

static void close_in_next(void *ctx, belay_value value) {
  trace("closes");
  CHECK_INT(belay_loop_close(loop, ignore_left, NULL, NULL), 0);
}

static void close_inside_of_each(void) {
  for (int place = BELAY_TICK_IDLE; place <= BELAY_TICK_CHECK; place++) {
    int before = descriptors();
    loop = open_loop();
    belay_observer observer = tracing("");
    observer.next = close_in_next;
    belay_signal *ticks = belay_ticks(loop, (belay_tick)place);
    CHECK_INT(belay_signal_subscribe(ticks, &observer, NULL), 0);
    watch(belay_ticks(loop, BELAY_TICK_IDLE), "other");
    belay_signal_release(ticks);
    CHECK(belay_loop_run(loop, BELAY_RUN_DEFAULT) >= 0);
    CHECK(strstr(trace_text(), "closes | disposed | free") || strstr(trace_text(), "closes | "));
    CHECK(strstr(trace_text(), "other disposed | other free") != NULL);
    trace_clear();
    belay_loop_release(loop);
    CHECK_INT(descriptors(), before);
  }
}

static void bad_arguments(void) {
  begin();
  CHECK(belay_ticks(loop, (belay_tick)3) == NULL);
  check_last_error(BELAY_EINVAL);
  CHECK(belay_ticks(NULL, BELAY_TICK_IDLE) == NULL);
  check_last_error(BELAY_EINVAL);
  belay_signal *late = belay_ticks(loop, BELAY_TICK_IDLE);
  CHECK_INT(belay_loop_close(loop, ignore_left, NULL, NULL), 0);
  CHECK(belay_ticks(loop, BELAY_TICK_IDLE) == NULL);
  check_last_error(BELAY_ECLOSED);
  belay_loop_release(loop);
  loop = open_loop();
  watch(late, "");
  CHECK_TRACE("disposed | free");
  finish();
}

static const test_case cases[] = {
    CASE(ticks_are_numbered),      CASE(the_places_of_a_turn),
    CASE(a_turn_inside_is_not_counted), CASE(close_inside_of_each),
    CASE(bad_arguments),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
