/* Operators that get values and ends while they connect or deliver, from inside of a callback. */
#include "three.h"

static belay_signal *depth_first(void) {
  belay_source_options options =
      BELAY_INIT(belay_source_options, .reentrancy = BELAY_REENTRANCY_DEPTH_FIRST);
  return belay_subject_create(&options);
}

/* Subscribes with this `next`, and lets go of the signal. The rest is traced. */
static void watch_with(belay_signal *signal, void (*next)(void *, belay_value)) {
  belay_observer observer = rendering("");
  observer.next = next;
  CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
  belay_signal_release(signal);
}

/* ---- race: a racer that makes another one win while it is being subscribed to ---- */
static belay_subscriber *loser;
static belay_disposable *let_a_win(void *ctx, belay_subscriber *subscriber) {
  loser = belay_subscriber_retain(subscriber);
  send_int(a, 1);
  belay_subscriber_next(subscriber, belay_int32(9));
  trace("subscribed");
  return traced_action("teardown");
}
static void a_racer_that_has_lost_meanwhile_is_disposed_of_at_once(void) {
  make_subjects();
  belay_signal *racers[] = {also(a), belay_signal_create(let_a_win, NULL, NULL, NULL), also(c)};
  belay_disposable *subscription = watched(belay_signal_race(racers, 3), "");
  CHECK_TRACE("next 1 | subscribed | action teardown | free teardown");
  CHECK_FAILS(belay_subscriber_next(loser, belay_int32(9)), BELAY_EENDED);
  belay_subscriber_release(loser);
  /* The race goes on, and nobody asks those who come after the winner. */
  CHECK_INT(belay_subject_count(c), 0);
  send_int(a, 2);
  CHECK_TRACE("next 2");
  end_subscription(subscription);
  CHECK_TRACE("disposed | free");
  release_subjects();
}

/* ---- next_batch: an end that is sent while it runs ---- */
static void (*send_inside)(void);
static void trace_and_send(void *ctx, const belay_value *values, size_t count) {
  for (size_t i = 0; i < count; i++) render_next("", values[i]);
  if (int_of(values[0]) == 1) send_inside();
}

static belay_value two_fails(void *ctx, belay_value value) {
  return int_of(value) == 2 ? belay_value_failure(BELAY_ERANGE, "two") : belay_value_retain(value);
}
static int refuse_two(void *ctx, belay_value value) {
  return int_of(value) == 2 ? belay_fail(BELAY_ERANGE, "two") : 0;
}

/* Below each operator that fails for the value 2. */
static void below_what_fails_for_two(void (*send)(void)) {
  belay_op *failing[] = {belay_op_map(two_fails, NULL, NULL),
                         belay_op_attempt(refuse_two, NULL, NULL)};
  belay_observer observer = rendering("");
  observer.next = NULL;
  observer.next_batch = trace_and_send;
  send_inside = send;
  for (int i = 0; i < 2; i++) {
    a = depth_first();
    belay_signal *signal = belay_signal_chain(also(a), failing[i]);
    CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
    belay_signal_release(signal);
    send_int(a, 1);
    CHECK_TRACE("next 1 | error ERANGE | disposed | free");
    release_subject(&a);
  }
}

static void send_two_and_three(void) {
  belay_subject_next(a, belay_int32(2));
  belay_subject_next(a, belay_int32(3));
}
static void no_value_follows_an_end_from_inside_of_a_batch(void) {
  below_what_fails_for_two(send_two_and_three);
}

static void send_two_and_complete(void) {
  belay_subject_next(a, belay_int32(2));
  belay_subject_completed(a);
}
static void send_two_and_fail(void) {
  belay_error *error = gone();
  belay_subject_next(a, belay_int32(2));
  belay_subject_error(a, error);
  belay_error_release(error);
}
static void the_first_end_from_inside_of_a_batch_counts(void) {
  below_what_fails_for_two(send_two_and_complete);
  below_what_fails_for_two(send_two_and_fail);
}

/* ---- frames: bytes that come while a frame is delivered, of a source that does not queue ---- */
static const char *rest; /* sent in the delivery of the first frame */
static int completes;    /* that delivery also completes */
static void trace_and_send_rest(void *ctx, belay_value frame) {
  const char *text = rest;
  char shown[100];
  rest = NULL;
  render(frame, shown, sizeof shown);
  trace("%s(", shown);
  if (text) {
    send_text(a, text);
    if (completes) CHECK_INT(belay_subject_completed(a), 0);
  }
  trace(")");
}
static void frames_from_inside(belay_op *op, const char *first, const char *then,
                               const char *expected) {
  a = depth_first();
  rest = then;
  watch_with(belay_signal_chain(also(a), op), trace_and_send_rest);
  send_text(a, first);
  if (!completes) CHECK_INT(belay_subject_completed(a), 0);
  CHECK_TRACE(expected);
  release_subject(&a);
}
/* Nothing is lost, and the unfinished frame and the completion come last. */
static void all_frames_from_inside(void) {
  static const char by_marks[] = "one( | ) | two( | ) | three( | ) | four( | ) | fi( | ) | "
                                 "completed | disposed | free";
  frames_from_inside(belay_op_lines(9), "one\ntwo\nth", "ree\nfour\nfi", by_marks);
  frames_from_inside(belay_op_frames_delimited("--", 2, 9), "one--two--th", "ree--four--fi",
                     by_marks);
  frames_from_inside(belay_op_frames_fixed(3), "onetwoth", "rfouvefi",
                     "one( | ) | two( | ) | thr( | ) | fou( | ) | vef( | ) | i( | ) | "
                     "completed | disposed | free");
  frames_from_inside(belay_op_frames_prefixed(1, 9, 0), "\3one\3two\5th", "ree\4four",
                     "one( | ) | two( | ) | three( | ) | four( | ) | completed | disposed | free");
}
static void frames_of_what_is_sent_inside_follow_in_order(void) {
  completes = 0;
  all_frames_from_inside();
}
static void a_completion_from_inside_follows_the_unfinished_frame(void) {
  completes = 1;
  all_frames_from_inside();
}

static void frames_of(const char *bytes, const char *expected) {
  watch(belay_signal_chain(belay_signal_just(belay_string(bytes)),
                           belay_op_frames_delimited("--", 2, 3)), "");
  CHECK_TRACE(expected);
}
/* What may be the beginning of a delimiter is part of the frame, when nothing follows. */
static void the_last_frame_has_the_limit_too(void) {
  frames_of("a--abc", "next a | next abc | completed | disposed | free");
  frames_of("a--abc--", "next a | next abc | completed | disposed | free");
  frames_of("a--abcd", "next a | error EMSGSIZE | disposed | free");
  frames_of("abcd", "error EMSGSIZE | disposed | free");
  frames_of("abc-", "error EMSGSIZE | disposed | free");
}

/* ---- audit_when: the delivery of a value brings another one, and the end ---- */
static belay_signal *period_is_b(void *ctx, belay_value value) { return also(b); }
static void send_the_next_and_complete(void *ctx, belay_value value) {
  render_next("", value);
  if (int_of(value) != 1) return;
  send_int(a, 2);
  CHECK_INT(belay_subject_completed(a), 0);
}
static void follows_from_inside(belay_op *op) {
  make_subjects();
  watch_with(belay_signal_chain(also(a), op), send_the_next_and_complete);
  send_int(a, 1);
  CHECK_TRACE("");
  send_int(b, 0);
  CHECK_TRACE("next 1");
  send_int(b, 0);
  CHECK_TRACE("next 2 | completed | disposed | free");
  release_subjects();
}
static void a_completion_from_inside_waits_for_the_value_of_an_audit(void) {
  follows_from_inside(belay_op_audit_when(period_is_b, NULL, NULL));
}

/* ---- observe_on that runs its work at once, on a thread without a loop ---- */
static void send_one_from_a_hundred(void *ctx, belay_value value) {
  render_next("", value);
  if (int_of(value) == 100) send_int(a, 1);
}
static void what_is_observed_at_once_follows_where_inputs_meet(void) {
  belay_scheduler *at_once[] = {belay_scheduler_immediate(), belay_scheduler_trampoline()};
  for (int kind = 0; kind < 2; kind++) {
    make_subjects();
    belay_signal *inputs[] = {
        belay_signal_chain(also(a), belay_op_observe_on(at_once[kind], NULL)), also(b)};
    watch_with(belay_signal_merge(inputs, 2), send_one_from_a_hundred);
    send_int(b, 100);
    CHECK_TRACE("next 100 | next 1");
    send_int(a, 2);
    send_int(b, 3);
    belay_subject_completed(a);
    belay_subject_completed(b);
    CHECK_TRACE("next 2 | next 3 | completed | disposed | free");
    release_subjects();
  }
}

static const test_case cases[] = {
    CASE(a_racer_that_has_lost_meanwhile_is_disposed_of_at_once),
    CASE(no_value_follows_an_end_from_inside_of_a_batch),
    CASE(the_first_end_from_inside_of_a_batch_counts),
    CASE(frames_of_what_is_sent_inside_follow_in_order),
    CASE(a_completion_from_inside_follows_the_unfinished_frame),
    CASE(the_last_frame_has_the_limit_too),
    CASE(a_completion_from_inside_waits_for_the_value_of_an_audit),
    CASE(what_is_observed_at_once_follows_where_inputs_meet),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
