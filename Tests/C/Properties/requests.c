/* Requests: questions that listeners answer, and what is made of the answers. */
#include "script.h"

static belay_request *request;

/* A sum that begins with 100. */
static void open_request(void) {
  request = belay_request_create(belay_int32(100), sum_of, "sum", trace_free);
  CHECK(request != NULL);
}
static void close_request(void) { belay_request_release(request); }

static int asked(int question) {
  belay_value answer = belay_null();
  CHECK_INT(belay_request_send(request, belay_int32(question), &answer), 0);
  return int_of(answer);
}

/* ---- listeners; the context is a name ---- */

static belay_value doubled(void *name, belay_value question) {
  trace("%s %d", (const char *)name, int_of(question));
  return belay_int32(2 * int_of(question));
}
static belay_value refused(void *name, belay_value question) {
  trace("%s refuses", (const char *)name);
  return belay_value_failure(BELAY_ERANGE, "vetoed");
}
static belay_disposable *listen(belay_map_fn answer, const char *name) {
  belay_disposable *made = NULL;
  CHECK_INT(belay_request_subscribe(request, answer, (void *)name, trace_free, &made), 0);
  CHECK(made != NULL);
  return made;
}
static void listen_on(belay_map_fn answer, const char *name) {
  belay_disposable_release(listen(answer, name));
}

static void answers_are_accumulated_in_order(void) {
  open_request();
  CHECK_INT(asked(1), 100);
  listen_on(doubled, "a");
  listen_on(doubled, "b");
  CHECK_INT(asked(1), 104);
  CHECK_INT(asked(5), 120);
  CHECK_TRACE("a 1 | b 1 | a 5 | b 5");
  close_request();
  CHECK_TRACE("free a | free b | free sum");
}

static void a_listener_that_fails_is_a_veto(void) {
  open_request();
  listen_on(doubled, "a");
  belay_disposable *veto = listen(refused, "b");
  listen_on(doubled, "c");
  belay_value answer = belay_int32(7);
  CHECK_FAILS(belay_request_send(request, belay_int32(1), &answer), BELAY_ERANGE);
  CHECK_INT(belay_value_kind(answer), BELAY_KIND_NULL);
  CHECK_TRACE("a 1 | b refuses");
  CHECK_INT(belay_request_send(request, belay_int32(1), &answer), BELAY_ERANGE);
  CHECK_STRING(belay_error_message(belay_last_error()), "vetoed");
  CHECK_TRACE("a 1 | b refuses");
  belay_disposable_dispose(veto);
  belay_disposable_release(veto);
  CHECK_INT(asked(1), 104);
  CHECK_TRACE("free b | a 1 | c 1");
  close_request();
  trace_clear();
}

static belay_value no_sum(void *ctx, belay_value so_far, belay_value answer) {
  return int_of(so_far) ? belay_value_failure(BELAY_EBUSY, NULL) : belay_value_retain(answer);
}
static void an_accumulator_that_fails(void) {
  request = belay_request_create(belay_int32(0), no_sum, NULL, NULL);
  listen_on(doubled, "a");
  CHECK_INT(asked(3), 6);
  listen_on(doubled, "b");
  listen_on(doubled, "c");
  trace_clear();
  belay_value answer;
  CHECK_FAILS(belay_request_send(request, belay_int32(3), &answer), BELAY_EBUSY);
  CHECK_TRACE("a 3 | b 3");
  close_request();
  trace_clear();
}

static belay_value first_text(void *ctx, belay_value so_far, belay_value answer) {
  int is_first = belay_value_kind(so_far) == BELAY_KIND_NULL;
  return belay_value_retain(is_first ? answer : so_far);
}
static belay_value texted(void *ctx, belay_value question) {
  return belay_string("an answer in a box");
}
static void values_in_boxes(void) {
  request = belay_request_create(belay_null(), first_text, NULL, NULL);
  listen_on(texted, "a");
  listen_on(texted, "b");
  belay_value answer;
  CHECK_INT(belay_request_send(request, belay_string("a question in a box"), &answer), 0);
  belay_view text;
  CHECK_INT(belay_value_get_string(answer, &text), 0);
  CHECK_INT(text.size, strlen("an answer in a box"));
  belay_value_release(answer);
  close_request();
  trace_clear();
}

/* 3 asks 2, 2 asks 1, 1 asks 0. */
static belay_value asking_less(void *name, belay_value question) {
  int n = int_of(question);
  return belay_int32(n ? asked(n - 1) : 1);
}
static void a_listener_sends_the_request_again(void) {
  open_request();
  listen_on(asking_less, "a");
  listen_on(doubled, "b");
  CHECK_INT(asked(0), 101);
  trace_clear();
  CHECK_INT(asked(2), 100 + (100 + (100 + 1 + 0) + 2) + 4);
  CHECK_TRACE("b 0 | b 1 | b 2");
  close_request();
  trace_clear();
}

static int depth;
static belay_value asking_for_ever(void *ctx, belay_value question) {
  belay_value answer;
  int code = belay_request_send(request, belay_int32(++depth), &answer);
  CHECK(code < 0);
  return belay_value_failure(code, NULL);
}
static void requests_inside_each_other_have_a_bound(void) {
  open_request();
  listen_on(asking_for_ever, "a");
  belay_value answer;
  depth = 0;
  CHECK_FAILS(belay_request_send(request, belay_int32(0), &answer), BELAY_EREENTRANT);
  CHECK(depth >= 1000 && depth < 1100);
  close_request();
  trace_clear();
}

/* ---- listeners that come and go during a request ---- */

static belay_disposable *other;
static belay_value replacing(void *name, belay_value question) {
  if (other) belay_disposable_dispose(other);
  belay_disposable_release(other);
  other = NULL;
  listen_on(doubled, "late");
  return belay_int32(1);
}
static void listeners_that_come_and_go_during_a_request(void) {
  open_request();
  listen_on(replacing, "a");
  other = listen(doubled, "b");
  CHECK_INT(asked(4), 101);
  CHECK_TRACE("free b");
  CHECK_INT(asked(4), 109);
  CHECK_TRACE("late 4");
  close_request();
  trace_clear();
}

static belay_value releasing(void *name, belay_value question) {
  belay_request_release(request);
  trace("released");
  return belay_int32(5);
}
static void released_by_a_listener(void) {
  open_request();
  belay_request *own = belay_request_retain(request);
  listen_on(releasing, "a");
  CHECK_INT(asked(1), 105);
  CHECK_TRACE("released");
  belay_request_release(own);
  CHECK_TRACE("free a | free sum");
}

static void an_owner_ends_a_listener(void) {
  open_request();
  belay_owner *owner = belay_owner_create(NULL, NULL, NULL, NULL);
  belay_disposable *listener = listen(doubled, "a");
  CHECK_INT(belay_owner_add(owner, listener), 0);
  belay_disposable_release(listener);
  CHECK_INT(asked(1), 102);
  belay_owner_release(owner);
  CHECK_INT(asked(1), 100);
  CHECK_TRACE("a 1 | free a");
  close_request();
  trace_clear();
}

/* ---- threads ---- */

static void ask_elsewhere(void *unused) {
  belay_value answer = belay_int32(1);
  CHECK_FAILS(belay_request_send(request, belay_string("given away"), &answer),
              BELAY_EWRONGTHREAD);
  CHECK_INT(belay_value_kind(answer), BELAY_KIND_NULL);
}
static void listen_elsewhere(void *unused) {
  belay_disposable *made = (belay_disposable *)&made;
  CHECK_FAILS(belay_request_subscribe(request, doubled, "nowhere", trace_free, &made),
              BELAY_ENOHOME);
  CHECK(made == NULL);
}
static void at_home_only(void) {
  open_request();
  in_thread(ask_elsewhere, NULL);
  in_thread(listen_elsewhere, NULL);
  CHECK_TRACE("free nowhere");
  close_request();
  trace_clear();
}

static void listen_from_afar(void *made) { *(belay_disposable **)made = listen(doubled, "far"); }
static void dispose_from_afar(void *made) {
  belay_disposable_dispose(made);
  belay_disposable_release(made);
}
static void a_listener_of_another_thread_answers_at_home(void) {
  belay_loop *loop = belay_loop_create(NULL);
  open_request();
  belay_disposable *far = NULL;
  in_thread(listen_from_afar, &far);
  CHECK_INT(asked(1), 100);
  belay_loop_run(loop, BELAY_RUN_NOWAIT);
  CHECK_INT(asked(1), 102);
  in_thread(dispose_from_afar, far);
  CHECK_INT(asked(1), 100);
  belay_loop_run(loop, BELAY_RUN_NOWAIT);
  CHECK_TRACE("far 1 | free far");
  CHECK_INT(belay_loop_close(loop, NULL, NULL, NULL), 0);
  belay_loop_run(loop, BELAY_RUN_DEFAULT);
  belay_value answer;
  CHECK_FAILS(belay_request_send(request, belay_int32(1), &answer), BELAY_ECANCELED);
  CHECK_FAILS(belay_request_subscribe(request, doubled, "late", trace_free, NULL),
              BELAY_ECANCELED);
  CHECK_TRACE("free late");
  close_request();
  belay_loop_release(loop);
  trace_clear();
}

/* ---- bad input ---- */

static void bad_requests(void) {
  int freed = 0;
  CHECK(belay_request_create(belay_string("given away"), NULL, &freed, count_free) == NULL);
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EINVAL);
  CHECK_INT(freed, 1);
  belay_disposable *made = NULL;
  CHECK_FAILS(belay_request_subscribe(NULL, doubled, &freed, count_free, &made), BELAY_EINVAL);
  CHECK_INT(freed, 2);
  open_request();
  CHECK_FAILS(belay_request_subscribe(request, NULL, &freed, count_free, &made), BELAY_EINVAL);
  CHECK_INT(freed, 3);
  belay_value answer;
  CHECK_FAILS(belay_request_send(NULL, belay_string("given away"), &answer), BELAY_EINVAL);
  CHECK_INT(belay_value_kind(answer), BELAY_KIND_NULL);
  CHECK_FAILS(belay_request_send(request, belay_string("given away"), NULL), BELAY_EINVAL);
  CHECK(belay_request_retain(NULL) == NULL);
  belay_request_release(NULL);
  close_request();
  trace_clear();
}

int main(int argc, char **argv) {
  const test_case cases[] = {
      CASE(answers_are_accumulated_in_order),
      CASE(a_listener_that_fails_is_a_veto),
      CASE(an_accumulator_that_fails),
      CASE(values_in_boxes),
      CASE(a_listener_sends_the_request_again),
      CASE(requests_inside_each_other_have_a_bound),
      CASE(listeners_that_come_and_go_during_a_request),
      CASE(released_by_a_listener),
      CASE(an_owner_ends_a_listener),
      CASE(at_home_only),
      CASE(a_listener_of_another_thread_answers_at_home),
      CASE(bad_requests),
  };
  return RUN_CASES(cases);
}
