/* A `next` that fails: it returns nothing, so it says so with belay_fail(). */
#include <setjmp.h>

#include "cases.h"

typedef struct listener {
  const char *name;
  int32_t fails_at;
  belay_disposable *own; /* disposed before it fails */
} listener;

static void hear(void *ctx, belay_value value) {
  listener *self = ctx;
  int32_t number = 0;
  belay_value_get_int32(value, &number);
  trace("%s %d", self->name, number);
  if (number != self->fails_at) return;
  belay_disposable_dispose(self->own);
  belay_fail(BELAY_ERANGE, "too far");
}

/* Fails with a whole error, not only a code. */
static void hear_all(void *ctx, belay_value value) {
  belay_error *error = belay_error_create(BELAY_ENOENT, "shop", "sold out",
                                          belay_value_retain(value), NULL);
  (void)ctx;
  belay_fail_with(error);
  belay_error_release(error);
}

/* Asks for something that does not exist. That records an error, but is no failure of its own. */
static void hear_wrongly(void *ctx, belay_value value) {
  belay_view text;
  (void)ctx;
  trace("asks %d", belay_value_get_string(value, &text) < 0);
}

static void on_error(void *ctx, const belay_error *error) {
  trace("%s error %s %s", ((listener *)ctx)->name, belay_error_name(belay_error_code(error)),
        belay_error_message(error));
}
static void on_completed(void *ctx) { trace("%s completed", ((listener *)ctx)->name); }
static void on_disposed(void *ctx) { trace("%s disposed", ((listener *)ctx)->name); }
static void on_free(void *ctx) { trace("%s free", ((listener *)ctx)->name); }

static belay_observer listening(listener *to) {
  return (belay_observer){.size = sizeof(belay_observer), .next = hear, .error = on_error,
                          .completed = on_completed, .disposed = on_disposed, .ctx = to,
                          .ctx_free = on_free, .site = "here:1"};
}

static void listen(belay_signal *signal, listener *to) {
  belay_observer observer = listening(to);
  CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
}

static void it_ends_with_that_error_and_the_others_go_on(void) {
  listener a = {.name = "a", .fails_at = 2}, b = {.name = "b"};
  belay_signal *subject = belay_subject_create(NULL);
  listen(subject, &a);
  listen(subject, &b);
  CHECK_INT(belay_subject_next(subject, belay_int32(1)), 0);
  CHECK_TRACE("a 1 | b 1");
  CHECK_INT(belay_subject_next(subject, belay_int32(2)), 0);
  CHECK_TRACE("a 2 | a error ERANGE too far | a disposed | a free | b 2");
  CHECK_INT(belay_subject_count(subject), 1);
  CHECK_INT(belay_subject_next(subject, belay_int32(2)), 0);
  CHECK_TRACE("b 2");
  CHECK(!belay_last_error());
  belay_signal_release(subject);
  CHECK_TRACE("b disposed | b free");
}

static void below_operators_it_leaves_the_source(void) {
  listener a = {.name = "a", .fails_at = 3};
  belay_signal *subject = belay_subject_create(NULL);
  belay_signal *chains[] = {
      belay_signal_chain(belay_signal_retain(subject), belay_op_map(same_value, NULL, NULL)),
      belay_signal_chain(belay_signal_retain(subject), belay_op_skip(0), belay_op_take(5))};
  for (size_t i = 0; i < 2; i++) {
    listen(chains[i], &a);
    belay_subject_next(subject, belay_int32(3));
    CHECK_TRACE("a 3 | a error ERANGE too far | a disposed | a free");
    CHECK_INT(belay_subject_count(subject), 0);
    belay_signal_release(chains[i]);
  }
  belay_signal_release(subject);
}

static void what_never_ends_by_itself_is_left(void) {
  listener a = {.name = "a", .fails_at = 7};
  belay_signal *endless = belay_signal_repeat_value(belay_int32(7), BELAY_UNLIMITED);
  listen(endless, &a);
  CHECK_TRACE("a 7 | a error ERANGE too far | a disposed | a free");
  belay_signal_release(endless);
}

static void failures_of_its_calls_are_forgotten(void) {
  belay_signal *subject = belay_subject_create(NULL);
  belay_observer observer = {.size = sizeof observer, .next = hear_wrongly};
  CHECK_INT(belay_signal_subscribe(subject, &observer, NULL), 0);
  belay_subject_next(subject, belay_int32(1));
  belay_subject_next(subject, belay_int32(2));
  CHECK_TRACE("asks 1 | asks 1");
  CHECK_INT(belay_subject_count(subject), 1);
  CHECK(!belay_last_error());
  belay_signal_release(subject);
}

static void one_that_has_disposed_of_itself_fails_no_more(void) {
  listener a = {.name = "a", .fails_at = 1};
  belay_signal *subject = belay_subject_create(NULL);
  belay_observer observer = listening(&a);
  CHECK_INT(belay_signal_subscribe(subject, &observer, &a.own), 0);
  belay_subject_next(subject, belay_int32(1));
  CHECK_TRACE("a 1 | a disposed | a free");
  belay_disposable_release(a.own);
  belay_signal_release(subject);
}

static void tell(void *ctx, const belay_error *error, const char *signal, const char *site) {
  (void)ctx;
  int32_t number = 0;
  belay_value_get_int32(belay_error_payload(error), &number);
  trace("unhandled %s %d of %s at %s", belay_error_domain(error), number, signal, site);
}

static void without_an_error_callback_it_goes_to_the_hook(void) {
  belay_on_unhandled_error(tell, NULL, NULL);
  belay_signal *subject = belay_subject_create(&(belay_source_options){
      .size = sizeof(belay_source_options), .label = "shelf"});
  belay_observer observer = {.size = sizeof observer, .next = hear_all, .site = "here:2"};
  CHECK_INT(belay_signal_subscribe(subject, &observer, NULL), 0);
  belay_subject_next(subject, belay_int32(9));
  CHECK_TRACE("unhandled shop 9 of shelf at here:2");
  CHECK_INT(belay_subject_count(subject), 0);
  belay_on_unhandled_error(NULL, NULL, NULL);
  belay_signal_release(subject);
}

/* A failure in an inner delivery is not a failure of the outer one. */
static void pass_on(void *subject, belay_value value) {
  CHECK_INT(belay_subject_next(subject, belay_value_retain(value)), 0);
  CHECK(!belay_last_error());
  trace("passed on");
}

static void a_failure_inside_another_delivery_stays_there(void) {
  listener a = {.name = "a", .fails_at = 1};
  belay_signal *outer = belay_subject_create(NULL), *inner = belay_subject_create(NULL);
  listen(inner, &a);
  belay_observer observer = {.size = sizeof observer, .next = pass_on, .ctx = inner};
  CHECK_INT(belay_signal_subscribe(outer, &observer, NULL), 0);
  belay_subject_next(outer, belay_int32(1));
  CHECK_TRACE("a 1 | a error ERANGE too far | a disposed | a free | passed on");
  CHECK_INT(belay_subject_count(outer), 1);
  belay_signal_release(outer);
  belay_signal_release(inner);
}

static void wait_first_tells_all_of_the_error(void) {
  belay_loop *loop = belay_loop_create(NULL);
  belay_error *error = belay_error_create(BELAY_ENOENT, "shop", "sold out", belay_int32(4), NULL);
  belay_signal *failing = belay_signal_error(error);
  int32_t number = 0;
  CHECK_INT(belay_signal_wait_first(failing, loop, 1, NULL), BELAY_ENOENT);
  const belay_error *told = belay_last_error();
  CHECK_STRING(belay_error_domain(told), "shop");
  CHECK_INT(belay_value_get_int32(belay_error_payload(told), &number), 0);
  CHECK_INT(number, 4);
  belay_error_release(error);
  belay_signal_release(failing);
  belay_loop_release(loop);
}

/* A host whose errors are longjmp catches them in the callback and then fails. */
static jmp_buf caught;
static void jump(int number) { longjmp(caught, number); }
static void next_that_catches(void *ctx, belay_value value) {
  if (setjmp(caught) == 0) jump(1);
  else belay_fail(BELAY_ERANGE, "the script has failed");
}
static void a_jump_that_is_caught_in_the_callback(void) {
  belay_signal *subject = belay_subject_create(NULL);
  belay_observer observer = tracing("");
  observer.next = next_that_catches;
  CHECK_INT(belay_signal_subscribe(subject, &observer, NULL), 0);
  CHECK_INT(belay_subject_next(subject, belay_int32(1)), 0);
  CHECK_TRACE("error ERANGE | disposed | free");
  CHECK_INT(belay_subject_next(subject, belay_int32(2)), 0);
  belay_signal_release(subject);
}

/* An observer beside a signal fails in the same way: what is below gets the error, not the value. */
static void one_beside_a_signal_ends_what_is_below(void) {
  listener beside = {.name = "beside", .fails_at = 2}, below = {.name = "below"};
  belay_observer observer = listening(&beside);
  belay_signal *subject = belay_subject_create(NULL);
  belay_signal *signal =
      belay_signal_chain(belay_signal_retain(subject), belay_op_do(&observer));
  listen(signal, &below);
  CHECK_INT(belay_subject_next(subject, belay_int32(1)), 0);
  CHECK_TRACE("beside 1 | below 1");
  CHECK_INT(belay_subject_next(subject, belay_int32(2)), 0);
  CHECK_TRACE("beside 2 | below error ERANGE too far | below disposed | beside disposed | "
              "below free");
  CHECK_INT(belay_subject_count(subject), 0);
  CHECK(!belay_last_error());
  belay_signal_release(signal);
  CHECK_TRACE("beside free");
  belay_signal_release(subject);

  observer = (belay_observer){.size = sizeof observer, .next = hear_wrongly};
  signal = belay_signal_chain(belay_signal_just(belay_int32(1)), belay_op_do(&observer));
  listen(signal, &below);
  CHECK_TRACE("asks 1 | below 1 | below completed | below disposed | below free");
  belay_signal_release(signal);
}

static const test_case cases[] = {
    CASE(one_beside_a_signal_ends_what_is_below),
    CASE(a_jump_that_is_caught_in_the_callback),
    CASE(it_ends_with_that_error_and_the_others_go_on),
    CASE(below_operators_it_leaves_the_source),
    CASE(what_never_ends_by_itself_is_left),
    CASE(failures_of_its_calls_are_forgotten),
    CASE(one_that_has_disposed_of_itself_fails_no_more),
    CASE(without_an_error_callback_it_goes_to_the_hook),
    CASE(a_failure_inside_another_delivery_stays_there),
    CASE(wait_first_tells_all_of_the_error),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
