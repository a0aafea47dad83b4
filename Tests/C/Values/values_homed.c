/* Pointers that are destroyed at a loop, whichever thread lets go of them. */
#include "worker.h"

#include <uv.h>

static pthread_t home;
static int destroyed, elsewhere;
static void destroy(void *ctx) {
  destroyed++;
  if (!pthread_equal(home, pthread_self())) elsewhere++;
  trace("destroyed %s", (const char *)ctx);
}

static belay_loop *loop;
static void begin(void) {
  home = pthread_self();
  loop = open_loop();
  destroyed = elsewhere = 0;
}

static belay_value made(const char *name) {
  belay_value value = belay_pointer_at(loop, "widget", (void *)name, destroy);
  CHECK_INT(belay_value_kind(value), BELAY_KIND_POINTER);
  return value;
}

static void release(void *value) { belay_value_release(*(belay_value *)value); }

static void let_go_of_at_home(void) {
  begin();
  belay_value value = made("one");
  belay_value other = belay_value_retain(value);
  belay_value_release(value);
  CHECK_INT(destroyed, 0);
  belay_value_release(other);
  CHECK_TRACE("destroyed one");
  close_loop(loop);
  CHECK_INT(elsewhere, 0);
}

static void let_go_of_elsewhere(void) {
  begin();
  belay_value value = made("one");
  in_thread(release, &value);
  CHECK_INT(destroyed, 0);
  run_to_end(loop);
  CHECK_TRACE("destroyed one");
  close_loop(loop);
  CHECK_INT(elsewhere, 0);
}

static void on_its_way_when_the_loop_closes(void) {
  begin();
  belay_value value = made("one");
  in_thread(release, &value);
  close_loop(loop);
  CHECK_TRACE("destroyed one");
  CHECK_INT(elsewhere, 0);
}

static void let_go_of_after_the_close(void) {
  begin();
  belay_value values[] = {made("one"), made("two")};
  void *pointer = &values;
  close_loop(loop);
  CHECK_TRACE("destroyed one | destroyed two");
  CHECK_INT(elsewhere, 0);
  CHECK_FAILS(belay_value_get_pointer(values[0], &pointer), BELAY_ECLOSED);
  CHECK(pointer == &values);
  belay_value_release(values[0]);
  in_thread(release, &values[1]);
  CHECK_INT(destroyed, 2);
}

/* Others still use the loop. */
static void its_user_leaves(void) {
  begin();
  belay_loop *other = belay_loop_create(NULL);
  belay_value value = made("one");
  void *pointer;
  close_loop(loop);
  CHECK_TRACE("destroyed one");
  CHECK_FAILS(belay_value_get_pointer(value, &pointer), BELAY_ECLOSED);
  CHECK_FAILS(belay_value_get_typed(value, "widget", &pointer), BELAY_ECLOSED);
  belay_value_release(value);
  close_loop(other);
  CHECK_INT(destroyed, 1);
}

static void read_elsewhere(void *value) {
  void *pointer = NULL;
  CHECK_FAILS(belay_value_get_pointer(*(belay_value *)value, &pointer), BELAY_EWRONGTHREAD);
  CHECK_FAILS(belay_value_get_typed(*(belay_value *)value, "widget", &pointer),
              BELAY_EWRONGTHREAD);
  CHECK(pointer == NULL);
}

static void it_is_read_at_home_alone(void) {
  begin();
  void *pointer = NULL;
  belay_value value = made("one"), unnamed = belay_pointer_at(loop, NULL, "two", destroy);
  CHECK_INT(belay_value_get_pointer(value, &pointer), 0);
  CHECK_STRING(pointer, "one");
  CHECK_INT(belay_value_get_typed(value, "widget", &pointer), 0);
  CHECK_FAILS(belay_value_get_typed(value, "gadget", &pointer), BELAY_EKIND);
  CHECK_FAILS(belay_value_get_typed(unnamed, "widget", &pointer), BELAY_EKIND);
  CHECK_INT(belay_value_get_pointer(unnamed, &pointer), 0);
  CHECK_STRING(pointer, "two");
  in_thread(read_elsewhere, &value);
  belay_value_release(value);
  belay_value_release(unnamed);
  CHECK_TRACE("destroyed one | destroyed two");
  close_loop(loop);
}

/* It passes a worker, whose thread lets go of it last. */
static void pass(void *ctx, belay_value value) { trace("next"); }
static void stop_when_destroyed(void *ctx) {
  destroy(ctx);
  belay_loop_stop(loop);
}
static void it_passes_another_thread(void) {
  begin();
  belay_worker *worker = belay_worker_create(&BELAY_INIT(belay_worker_options, .label = "worker"));
  belay_signal *subject = belay_subject_create(NULL);
  belay_disposable *subscription = NULL;
  belay_signal *there = belay_signal_chain(
      belay_signal_retain(subject), belay_op_observe_on(belay_worker_get_scheduler(worker), NULL));
  CHECK_INT(belay_signal_subscribe(
                there, &(belay_observer){.size = sizeof(belay_observer), .next = pass},
                &subscription),
            0);
  belay_signal_release(there);
  CHECK_INT(belay_subject_next(
                subject, belay_pointer_at(loop, "widget", "passed", stop_when_destroyed)),
            0);
  run_until_stopped(loop);
  CHECK_TRACE("next | destroyed passed");
  CHECK_INT(elsewhere, 0);
  end_subscription(subscription);
  belay_signal_release(subject);
  belay_worker_release(worker);
  close_loop(loop);
}

static void release_many(void *values) {
  for (int i = 0; i < 200; i++) belay_value_release(((belay_value *)values)[i]);
}
static void count(void *ctx) {
  destroyed++;
  if (!pthread_equal(home, pthread_self())) elsewhere++;
}

static void let_go_of_elsewhere_while_the_loop_closes(void) {
  for (int round = 0; round < 50; round++) {
    belay_value values[200];
    routine it;
    begin();
    for (int i = 0; i < 200; i++) values[i] = belay_pointer_at(loop, NULL, &values[i], count);
    start_thread(&it, release_many, values);
    for (int i = 0; i < round % 5; i++) CHECK(belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0);
    close_loop(loop);
    CHECK_INT(destroyed, 200);
    CHECK_INT(elsewhere, 0);
    join_thread(&it);
    CHECK_INT(destroyed, 200);
  }
}

static void nonsense(void) {
  begin();
  belay_value value = belay_pointer_at(NULL, "widget", "no loop", destroy);
  CHECK_INT(belay_value_kind(value), BELAY_KIND_FAILURE);
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EINVAL);
  belay_value_release(value);
  CHECK_TRACE("destroyed no loop");
  belay_value_release(belay_pointer_at(loop, NULL, NULL, NULL));
  belay_loop *closed = belay_loop_retain(loop);
  close_loop(loop);
  value = belay_pointer_at(closed, "widget", "closed", destroy);
  CHECK_INT(belay_value_kind(value), BELAY_KIND_FAILURE);
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_ECLOSED);
  belay_value_release(value);
  CHECK_TRACE("destroyed closed");
  belay_loop_release(closed);
}

static const test_case cases[] = {
    CASE(let_go_of_at_home),
    CASE(let_go_of_elsewhere),
    CASE(on_its_way_when_the_loop_closes),
    CASE(let_go_of_after_the_close),
    CASE(its_user_leaves),
    CASE(it_is_read_at_home_alone),
    CASE(it_passes_another_thread),
    CASE(let_go_of_elsewhere_while_the_loop_closes),
    CASE(nonsense),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
