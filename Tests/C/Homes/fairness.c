/* Who is busy leaves room for the others: work that schedules more work, and a thread that sends without
   a pause. */
#include <sched.h>
#include <stdatomic.h>
#include "scheduled.h"
#include "worker.h"


static void far_away(void *ctx) { check_failed(__FILE__, __LINE__, "an hour has passed"); }

/* Turns until `*count` is `enough`, and checks that no turn does more than `most`. */
static void turns_until(const int *count, int enough, int most) {
  belay_disposable *guard = NULL;
  CHECK_INT(belay_scheduler_after(scheduler, 3600, far_away, NULL, NULL, &guard), 0);
  while (*count < enough) {
    int before = *count;
    CHECK_INT(belay_loop_run(loop, BELAY_RUN_NOWAIT), 1);
    if (*count > before + most) CHECK_INT(*count - before, most);
  }
  end_subscription(guard);
}

/* ---- timers ---- */

enum { AGAIN = 20 };
static int rung;

static void ring_again(void *delay) {
  if (++rung < AGAIN)
    CHECK_INT(belay_scheduler_after(scheduler, *(double *)delay, ring_again, delay, NULL, NULL), 0);
}

static void a_timer_that_arms_itself_for_now_leaves_the_turn(void) {
  static double delays[] = {0, -1, 1e-9};
  open_scheduler();
  for (int i = 0; i < 3; i++) {
    rung = 0;
    CHECK_INT(belay_scheduler_after(scheduler, 0, ring_again, &delays[i], NULL, NULL), 0);
    turns_until(&rung, AGAIN, 1);
  }
  close_loop(loop);
}

static int work_done, posts_done;
static void work_again(void *ctx) {
  if (++work_done < AGAIN)
    CHECK_INT(belay_scheduler_schedule(scheduler, work_again, NULL, NULL, NULL), 0);
}
static void post_again(void *ctx) {
  if (++posts_done < AGAIN) CHECK_INT(belay_loop_post(loop, post_again, NULL, NULL), 0);
}

static int recursions;
static void recurse(void *ctx, belay_recursion *recursion) {
  if (++recursions < AGAIN) CHECK_INT(belay_recursion_again(recursion), 0);
}

static void all_of_them_go_on_side_by_side(void) {
  static double now = 0;
  open_scheduler();
  rung = work_done = posts_done = recursions = 0;
  CHECK_INT(belay_scheduler_after(scheduler, 0, ring_again, &now, NULL, NULL), 0);
  CHECK_INT(belay_scheduler_schedule(scheduler, work_again, NULL, NULL, NULL), 0);
  CHECK_INT(belay_loop_post(loop, post_again, NULL, NULL), 0);
  CHECK_INT(belay_scheduler_recursive(scheduler, recurse, NULL, NULL, NULL), 0);
  turns_until(&work_done, AGAIN, 1);
  CHECK_INT(posts_done, AGAIN);
  CHECK_INT(recursions, AGAIN);
  turns_until(&rung, AGAIN, 1);
  run_to_end(loop);
  close_loop(loop);
}

/* ---- observe_on and subscribe_on ---- */

static belay_signal *fed;
static int heard;

static void feed_again(void *ctx, belay_value value) {
  CHECK_INT(int_of(value), heard);
  if (++heard < AGAIN) CHECK(belay_subject_next(fed, belay_int32(heard)) >= 0);
}

static void feed_through(belay_op *op) {
  heard = 0;
  fed = belay_subject_create(NULL);
  belay_signal *signal =
      belay_signal_chain(belay_signal_retain(fed), op);
  belay_observer observer = {.size = sizeof observer, .next = feed_again};
  belay_disposable *subscription = NULL;
  CHECK_INT(belay_signal_subscribe(signal, &observer, &subscription), 0);
  CHECK_INT(belay_subject_next(fed, belay_int32(0)), 0);
  turns_until(&heard, AGAIN, 1);
  end_subscription(subscription);
  belay_signal_release(signal);
  belay_signal_release(fed);
  close_loop(loop);
}

static void observe_on_that_is_fed_from_inside_leaves_the_turn(void) {
  open_scheduler();
  feed_through(belay_op_observe_on(scheduler, NULL));
}

static void a_delay_that_is_fed_from_inside_leaves_the_turn(void) {
  open_scheduler();
  feed_through(belay_op_delay(scheduler, 0));
}

static worker above;

static void send_heard(void *ctx) { CHECK_INT(belay_subject_next(fed, belay_int32(heard)), 0); }

/* Another thread answers before this one has returned. */
static void feed_from_above(void *ctx, belay_value value) {
  CHECK_INT(int_of(value), heard);
  if (++heard < AGAIN) on_worker(&above, send_heard, NULL);
}

static void feed_meanwhile(belay_source_options options, belay_op *op) {
  open_scheduler();
  heard = 0;
  fed = belay_subject_create(&options);
  belay_signal *signal = belay_signal_chain(belay_signal_retain(fed), op);
  belay_observer observer = {.size = sizeof observer, .next = feed_from_above};
  belay_disposable *subscription = NULL;
  CHECK_INT(belay_signal_subscribe(signal, &observer, &subscription), 0);
  meet(&above);
  on_worker(&above, send_heard, NULL);
  turns_until(&heard, AGAIN, 1);
  end_subscription(subscription);
  meet(&above);
  run_to_end(loop);
  belay_signal_release(signal);
  belay_signal_release(fed);
  close_loop(loop);
}

static void subscribe_on_that_is_fed_meanwhile_leaves_the_turn(void) {
  start_worker(&above);
  feed_meanwhile(BELAY_INIT(belay_source_options, .loop = above.loop),
                 belay_op_subscribe_on(belay_loop_get_scheduler(above.loop)));
  stop_worker(&above);
}

/* These schedulers have no turns; the loop has. */
static void observe_on_at_once_that_is_fed_meanwhile_leaves_the_turn(void) {
  belay_scheduler *at_once[] = {belay_scheduler_immediate(), belay_scheduler_trampoline()};
  start_worker(&above);
  for (int i = 0; i < 2; i++)
    feed_meanwhile(BELAY_INIT(belay_source_options, .shared = 1),
                   belay_op_observe_on(at_once[i], NULL));
  stop_worker(&above);
}

/* ---- a shared subject, an owner's events, an object's changes ---- */

enum { ROUNDS = 10, PLENTY = 1000000 };
static belay_signal *crowded;
static belay_owner *busy; /* whose events or fields they are; NULL: the subject's values */
static int has_fields;
static pthread_t visitor;
static int last; /* of the values of the thread that does not pause; negative: of the visitor */
static atomic_int brought, delivered, over, visits;

/* While the visitor delivers, it always finds one more value of the other thread. */
static void next_with_one_more(void *ctx, belay_value value) {
  int number = int_of(value);
  if (number < 0) {
    visits++;
  } else {
    if (number <= last) check_failed(__FILE__, __LINE__, "out of order");
    last = number;
    delivered++;
  }
  if (!pthread_equal(pthread_self(), visitor)) return;
  while (brought <= delivered && !over) sched_yield();
}

static void event_with_one_more(void *ctx, const belay_owner_event *event) {
  next_with_one_more(ctx, event->user_info);
}

static int bring(int number) {
  belay_value value = belay_int32(number);
  if (!busy) return belay_subject_next(crowded, value);
  if (!has_fields) return belay_owner_event_post(busy, "e", value);
  return belay_object_set(busy, number < 0 ? "visits" : "values", value);
}

static void send_without_a_pause(void *relieved) {
  while (brought < PLENTY && !*(atomic_int *)relieved) {
    if (bring(brought + 1) >= 0) brought++;
  }
  over = 1;
}

static void subscribe_and_leave(belay_observer *observer) {
  belay_disposable *subscription = NULL;
  CHECK(belay_signal_subscribe(crowded, observer, &subscription) >= 0);
  end_subscription(subscription);
}

static void send_one(belay_observer *observer) {
  while (bring(-1) < 0) sched_yield();
}

/* The visitor's call returns while the other thread goes on sending. */
static void call_beside(void (*call)(belay_observer *), belay_observer *observer) {
  visitor = pthread_self();
  brought = delivered = over = visits = last = 0;
  atomic_int relieved = 0;
  routine sender;
  start_thread(&sender, send_without_a_pause, &relieved);
  while (delivered == 0) sched_yield();
  call(observer);
  CHECK(!over);
  relieved = 1;
  join_thread(&sender);
  CHECK_INT(delivered, brought);
  CHECK_INT(visits, call == send_one);
}

static void visit(void (*call)(belay_observer *)) {
  for (int round = 0; round < ROUNDS; round++) {
    belay_source_options options = {.size = sizeof options, .shared = 1};
    crowded = belay_subject_create(&options);
    belay_observer observer = {.size = sizeof observer, .next = next_with_one_more};
    belay_disposable *subscription = NULL;
    CHECK_INT(belay_signal_subscribe(crowded, &observer, &subscription), 0);
    call_beside(call, &(belay_observer){.size = sizeof observer});
    end_subscription(subscription);
    belay_signal_release(crowded);
  }
}

static void who_sends_beside_a_thread_that_never_pauses_is_relieved(void) { visit(send_one); }
static void so_is_who_subscribes_there(void) { visit(subscribe_and_leave); }

static void so_is_who_posts_an_event(void) {
  for (int round = 0; round < ROUNDS; round++) {
    belay_owner *watcher = belay_owner_create(NULL, NULL, NULL, NULL);
    busy = belay_owner_create(NULL, NULL, NULL, NULL);
    CHECK_INT(belay_owner_event_watch(watcher, busy, "e", 1, event_with_one_more, NULL, NULL), 0);
    call_beside(send_one, NULL);
    belay_owner_release(watcher);
    belay_owner_release(busy);
  }
  busy = NULL;
}

typedef struct crowd {
  int32_t values, visits;
} crowd;

static void so_is_who_changes_a_field(void) {
  static const belay_field fields[] = {BELAY_FIELD(crowd, values, BELAY_KIND_INT32),
                                       BELAY_FIELD(crowd, visits, BELAY_KIND_INT32)};
  belay_type *type = belay_type_create(fields, 2, 0);
  has_fields = 1;
  for (int round = 0; round < ROUNDS; round++) {
    crowd object = {0, 0};
    busy = belay_owner_create(&object, NULL, NULL, NULL);
    CHECK_INT(belay_object_set_type(busy, type), 0);
    belay_owner *watcher = belay_owner_create(NULL, NULL, NULL, NULL);
    CHECK_INT(belay_owner_event_watch(watcher, busy, ".values", 1, event_with_one_more, NULL, NULL),
              0);
    CHECK_INT(belay_owner_event_watch(watcher, busy, ".visits", 1, event_with_one_more, NULL, NULL),
              0);
    call_beside(send_one, NULL);
    belay_owner_release(watcher);
    belay_owner_release(busy);
  }
  belay_type_release(type);
  has_fields = 0, busy = NULL;
}

static const test_case cases[] = {
    CASE(a_timer_that_arms_itself_for_now_leaves_the_turn),
    CASE(all_of_them_go_on_side_by_side),
    CASE(observe_on_that_is_fed_from_inside_leaves_the_turn),
    CASE(a_delay_that_is_fed_from_inside_leaves_the_turn),
    CASE(subscribe_on_that_is_fed_meanwhile_leaves_the_turn),
    CASE(observe_on_at_once_that_is_fed_meanwhile_leaves_the_turn),
    CASE(who_sends_beside_a_thread_that_never_pauses_is_relieved),
    CASE(so_is_who_subscribes_there),
    CASE(so_is_who_posts_an_event),
    CASE(so_is_who_changes_a_field),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
