/* Subjects: who is called, in which order, and what a send from inside a delivery does. */
#include "worker.h"

static belay_signal *subject_with(belay_reentrancy reentrancy, size_t capacity) {
  belay_source_options options = {
      .size = sizeof options, .reentrancy = reentrancy, .capacity = capacity};
  belay_signal *subject = belay_subject_create(&options);
  CHECK(subject != NULL);
  return subject;
}

/* ---- order ---- */
enum { MANY = 500 };
static int order[2 * MANY], called;
static void note_order(void *number) { order[called++] = (int)(intptr_t)number; }
static void note_next(void *number, belay_value value) { note_order(number); }

static void rule_1_1_delivery_in_the_order_of_subscription_however_many(void) {
  belay_signal *subject = belay_subject_create(NULL);
  belay_disposable *subscriptions[MANY];
  called = 0;
  for (intptr_t i = 0; i < MANY; i++) {
    belay_observer observer = {.size = sizeof observer, .next = note_next, .ctx = (void *)i};
    observer.completed = note_order;
    CHECK_INT(belay_signal_subscribe(subject, &observer, &subscriptions[i]), 0);
  }
  CHECK_INT(send_to(subject, 1), 0);
  CHECK_INT(called, MANY);
  for (int i = 0; i < MANY; i++) CHECK_INT(order[i], i);
  /* The same when some have left, and one has come. */
  called = 0;
  for (int i = 0; i < MANY; i += 3) belay_disposable_dispose(subscriptions[i]);
  belay_observer observer = {.size = sizeof observer, .next = note_next, .ctx = (void *)MANY};
  CHECK_INT(belay_signal_subscribe(subject, &observer, NULL), 0);
  CHECK_INT(send_to(subject, 2), 0);
  int at = 0;
  for (int i = 0; i < MANY; i++)
    if (i % 3) CHECK_INT(order[at++], i);
  CHECK_INT(order[at++], MANY);
  CHECK_INT(called, at);
  called = 0;
  CHECK_INT(belay_subject_completed(subject), 0);
  at = 0;
  for (int i = 0; i < MANY; i++)
    if (i % 3) CHECK_INT(order[at++], i);
  CHECK_INT(called, at);
  for (int i = 0; i < MANY; i++) belay_disposable_release(subscriptions[i]);
  belay_signal_release(subject);
}

static void rule_1_1_the_end_and_disposal_reach_each_in_turn(void) {
  belay_signal *subject = belay_subject_create(NULL);
  belay_disposable *a = watched(also(subject), "a"), *b = watched(also(subject), "b");
  CHECK_INT(send_to(subject, 1), 0);
  CHECK_INT(belay_subject_completed(subject), 0);
  CHECK_TRACE(
      "a next 1 | b next 1 | a completed | a disposed | a free | "
      "b completed | b disposed | b free");
  CHECK_INT(send_to(subject, 2), BELAY_EENDED);
  CHECK_INT(belay_subject_completed(subject), BELAY_EENDED);
  CHECK_INT(belay_subject_error(subject, NULL), BELAY_EINVAL);
  CHECK_TRACE("");
  belay_disposable_release(a);
  belay_disposable_release(b);
  belay_signal_release(subject);
}

static void rule_1_1_a_late_subscriber_gets_the_end(void) {
  belay_signal *subject = belay_subject_create(NULL);
  send_to(subject, 1);
  belay_subject_completed(subject);
  belay_disposable *late = watched(also(subject), "late");
  CHECK_TRACE("late completed | late disposed | late free");
  CHECK_INT(belay_disposable_is_disposed(late), 1);
  belay_disposable_release(late);
  belay_signal_release(subject);

  subject = belay_subject_create(NULL);
  fail_subject(subject, BELAY_EBUSY, NULL);
  belay_disposable_release(watched(also(subject), "late"));
  CHECK_TRACE("late error EBUSY | late disposed | late free");
  belay_signal_release(subject);
}

/* ---- who acts inside next: the middle one of three, at the value 1 ---- */
typedef struct actor {
  belay_signal *subject;
  belay_disposable *others[2]; /* the one before it and the one behind it */
  void (*act)(struct actor *);
} actor;

static void act_on_one(void *ctx, belay_value value) {
  actor *it = ctx;
  trace("b next %d", int_of(value));
  if (int_of(value) == 1) it->act(it);
}

static void among_three(belay_signal *subject, void (*act)(actor *)) {
  actor it = {.subject = subject, .act = act};
  it.others[0] = watched(also(subject), "a");
  belay_observer observer = {.size = sizeof observer, .next = act_on_one, .ctx = &it};
  belay_disposable *middle = NULL;
  CHECK_INT(belay_signal_subscribe(subject, &observer, &middle), 0);
  it.others[1] = watched(also(subject), "c");
  send_to(subject, 1);
  send_to(subject, 2);
  end_subscription(middle);
  end_subscription(it.others[0]);
  end_subscription(it.others[1]);
  belay_signal_release(subject);
}

static void dispose_others(actor *it) {
  belay_disposable_dispose(it->others[1]);
  belay_disposable_dispose(it->others[0]);
}
static void rule_1_1_a_sibling_disposed_during_delivery_is_not_called(void) {
  among_three(belay_subject_create(NULL), dispose_others);
  CHECK_TRACE("a next 1 | b next 1 | c disposed | c free | a disposed | a free | b next 2");
}

static void subscribe_another(actor *it) {
  CHECK_INT(belay_subject_count(it->subject), 3);
  belay_disposable_release(watched(also(it->subject), "d"));
  CHECK_INT(belay_subject_count(it->subject), 4);
}
static void rule_1_1_one_subscribed_during_delivery_is_not_called_for_it(void) {
  among_three(belay_subject_create(NULL), subscribe_another);
  CHECK_TRACE(
      "a next 1 | b next 1 | c next 1 | a next 2 | b next 2 | c next 2 | d next 2 | "
      "a disposed | a free | c disposed | c free | d disposed | d free");
}

/* ---- re-entrancy: at 1 send 8 and 9, tell the results ---- */
static void send_two(actor *it) {
  int first = send_to(it->subject, 8);
  int second = send_to(it->subject, 9);
  const belay_error *error = belay_last_error();
  trace("%d %d %s", first, second, error ? belay_error_name(belay_error_code(error)) : "none");
}
#define ENDING "a disposed | a free | c disposed | c free"

static void rule_1_2_reentrancy_queue(void) {
  among_three(subject_with(BELAY_REENTRANCY_QUEUE, 0), send_two);
  CHECK_TRACE(
      "a next 1 | b next 1 | 1 1 none | c next 1 | a next 8 | b next 8 | c next 8 | "
      "a next 9 | b next 9 | c next 9 | a next 2 | b next 2 | c next 2 | " ENDING);
}
static void rule_1_2_reentrancy_depth_first(void) {
  among_three(subject_with(BELAY_REENTRANCY_DEPTH_FIRST, 0), send_two);
  CHECK_TRACE(
      "a next 1 | b next 1 | a next 8 | b next 8 | c next 8 | a next 9 | b next 9 | "
      "c next 9 | 0 0 none | c next 1 | a next 2 | b next 2 | c next 2 | " ENDING);
}
static void rule_1_2_reentrancy_latest(void) {
  among_three(subject_with(BELAY_REENTRANCY_LATEST, 0), send_two);
  CHECK_TRACE(
      "a next 1 | b next 1 | 1 1 none | c next 1 | a next 9 | b next 9 | c next 9 | "
      "a next 2 | b next 2 | c next 2 | " ENDING);
}
static void rule_1_2_reentrancy_reject(void) {
  among_three(subject_with(BELAY_REENTRANCY_REJECT, 0), send_two);
  CHECK_TRACE(
      "a next 1 | b next 1 | -20006 -20006 EREENTRANT | c next 1 | a next 2 | b next 2 | "
      "c next 2 | " ENDING);
}

static void complete_inside(actor *it) {
  trace("%d", belay_subject_completed(it->subject));
  trace("%d", belay_subject_completed(it->subject));
}
#define COMPLETED "a completed | a disposed | a free | c completed | c disposed | c free"

static void rule_1_2_terminal_events_are_queued(void) {
  static const belay_reentrancy policies[] = {BELAY_REENTRANCY_QUEUE, BELAY_REENTRANCY_LATEST,
                                              BELAY_REENTRANCY_REJECT};
  for (int i = 0; i < 3; i++) {
    among_three(subject_with(policies[i], 0), complete_inside);
    CHECK_TRACE("a next 1 | b next 1 | 1 | -20003 | c next 1 | " COMPLETED);
  }
}
static void rule_1_2_terminal_events_depth_first_are_not(void) {
  among_three(subject_with(BELAY_REENTRANCY_DEPTH_FIRST, 0), complete_inside);
  CHECK_TRACE("a next 1 | b next 1 | " COMPLETED " | 0 | -20003");
}

static void send_then_complete_then_send(actor *it) {
  trace("%d", send_to(it->subject, 8));
  trace("%d", belay_subject_completed(it->subject));
  trace("%d", send_to(it->subject, 9));
}
static void rule_1_2_nothing_follows_a_queued_end(void) {
  among_three(subject_with(BELAY_REENTRANCY_QUEUE, 0), send_then_complete_then_send);
  CHECK_TRACE(
      "a next 1 | b next 1 | 1 | 1 | -20003 | c next 1 | a next 8 | b next 8 | c next 8 "
      "| " COMPLETED);
}

/* ---- capacity ---- */
static int freed;
static void fill(actor *it) {
  for (int i = 0; i < 4; i++)
    trace("%d", belay_subject_next(it->subject, belay_pointer_owned(&freed, count_free)));
  trace("%s", belay_error_name(belay_error_code(belay_last_error())));
}
static void fill_at_null(void *ctx, belay_value value) {
  trace("%s", belay_kind_name(belay_value_kind(value)));
  if (belay_value_kind(value) == BELAY_KIND_NULL) fill(ctx);
}

static void rule_1_2_the_reentrancy_queue_has_a_capacity(void) {
  actor it = {.subject = subject_with(BELAY_REENTRANCY_QUEUE, 3)};
  belay_observer observer = {.size = sizeof observer, .next = fill_at_null, .ctx = &it};
  CHECK_INT(belay_signal_subscribe(it.subject, &observer, NULL), 0);
  freed = 0;
  for (int round = 1; round <= 2; round++) { /* in the second round the places are free again */
    CHECK_INT(belay_subject_next(it.subject, belay_null()), 0);
    CHECK_TRACE("null | 1 | 1 | 1 | -11 | EAGAIN | pointer | pointer | pointer");
    CHECK_INT(freed, 4 * round);
  }
  belay_signal_release(it.subject);
}

static void fill_then_complete(actor *it) {
  for (int i = 6; i < 9; i++) trace("%d", send_to(it->subject, i));
  trace("%d", belay_subject_completed(it->subject));
}
static void rule_1_2_an_end_is_never_refused_for_lack_of_room(void) {
  among_three(subject_with(BELAY_REENTRANCY_QUEUE, 1), fill_then_complete);
  CHECK_TRACE(
      "a next 1 | b next 1 | 1 | -11 | -11 | 1 | c next 1 | a next 6 | b next 6 | "
      "c next 6 | " COMPLETED);
}

/* ---- interruption ---- */
static void rule_1_1_the_last_release_interrupts(void) {
  belay_signal *subject = belay_subject_create(NULL);
  belay_disposable *a = watched(also(subject), "a"), *b = watched(also(subject), "b");
  belay_signal *again = belay_signal_retain(subject);
  belay_signal_release(subject);
  CHECK_TRACE("");
  belay_signal_release(again);
  CHECK_TRACE("a disposed | a free | b disposed | b free");
  CHECK_INT(belay_disposable_is_disposed(a), 1);
  belay_disposable_release(a);
  belay_disposable_release(b);
}

static void release_inside(void *ctx, belay_value value) {
  actor *it = ctx;
  trace("first %d", int_of(value));
  if (int_of(value) == 1) {
    trace("%d", send_to(it->subject, 2));
    belay_signal_release(it->subject);
    trace("released");
  }
}
static void rule_1_1_the_last_release_inside_next_waits_for_the_event(void) {
  actor it = {.subject = belay_subject_create(NULL)};
  belay_observer observer = {.size = sizeof observer, .next = release_inside, .ctx = &it};
  CHECK_INT(belay_signal_subscribe(it.subject, &observer, NULL), 0);
  belay_disposable *b = watched(also(it.subject), "b");
  send_to(it.subject, 1);
  CHECK_TRACE("first 1 | 1 | released | b next 1 | first 2 | b next 2 | b disposed | b free");
  belay_disposable_release(b);
}

static void a_chain_keeps_its_subject(void) {
  belay_signal *subject = belay_subject_create(NULL);
  belay_signal *chain = belay_signal_chain(subject, belay_op_take(9));
  belay_disposable_release(watched(also(chain), ""));
  CHECK_TRACE("");
  belay_signal_release(chain);
  CHECK_TRACE("disposed | free");
}

/* ---- counts, memory, kinds ---- */
static void the_count_is_of_the_living(void) {
  belay_signal *subject = belay_subject_create(NULL);
  size_t subscriptions = belay_live_count(BELAY_LIVE_SUBSCRIPTIONS);
  CHECK_INT(belay_subject_count(subject), 0);
  belay_disposable *all[10];
  for (int i = 0; i < 10; i++) all[i] = watched(also(subject), "");
  CHECK_INT(belay_subject_count(subject), 10);
  CHECK_INT(belay_live_count(BELAY_LIVE_SUBSCRIPTIONS), subscriptions + 10);
  for (int i = 0; i < 4; i++) belay_disposable_dispose(all[2 * i]);
  CHECK_INT(belay_subject_count(subject), 6);
  CHECK_INT(belay_live_count(BELAY_LIVE_SUBSCRIPTIONS), subscriptions + 6);
  belay_subject_completed(subject);
  CHECK_INT(belay_subject_count(subject), 0);
  CHECK_INT(belay_live_count(BELAY_LIVE_SUBSCRIPTIONS), subscriptions);
  for (int i = 0; i < 10; i++) belay_disposable_release(all[i]);
  belay_signal_release(subject);
}

static void subscribe_and_dispose(void *subject) {
  belay_observer observer = {.size = sizeof observer};
  belay_disposable *subscription = NULL;
  belay_signal_subscribe(subject, &observer, &subscription);
  end_subscription(subscription);
}
/* Each subscriber disposes the one before it, so that the newest one stays. */
static belay_disposable *previous;
static void subscribe_and_dispose_the_one_before(void *subject) {
  belay_observer observer = {.size = sizeof observer};
  belay_disposable *subscription = NULL;
  belay_signal_subscribe(subject, &observer, &subscription);
  end_subscription(previous);
  previous = subscription;
}

static void rule_1_3_a_silent_subject_does_not_grow(void) {
  belay_signal *subject = belay_subject_create(NULL);
  check_flat(subscribe_and_dispose, subject, 1000000);
  belay_disposable *staying = watched(also(subject), "");
  check_flat(subscribe_and_dispose_the_one_before, subject, 300000);
  CHECK_INT(belay_subject_count(subject), 2);
  end_subscription(previous);
  previous = NULL;
  end_subscription(staying);
  belay_signal_release(subject);
}

/* A subject that ends or is released keeps nothing of its subscriptions, and they keep nothing of
   it. */
typedef struct ending {
  int shared, completes;
} ending;
static void make_and_end(void *ctx) {
  const ending *it = ctx;
  belay_observer observer = {.size = sizeof observer};
  belay_source_options options = {.size = sizeof options, .shared = it->shared};
  belay_signal *subject = belay_subject_create(&options);
  for (int i = 0; i < 3; i++) belay_signal_subscribe(subject, &observer, NULL);
  if (it->completes) belay_subject_completed(subject);
  belay_signal_release(subject);
}
static void rule_1_3_subjects_that_end_leave_nothing(void) {
  for (int i = 0; i < 4; i++) check_flat(make_and_end, &(ending){i / 2, i % 2}, 40000);
}

static void only_subjects_are_sent_to(void) {
  belay_signal *others[] = {belay_signal_never(), NULL};
  const int expected[] = {BELAY_EKIND, BELAY_EINVAL};
  belay_error *error = belay_error_create(-1, NULL, NULL, belay_null(), NULL);
  freed = 0;
  for (int i = 0; i < 2; i++) {
    belay_value value = belay_pointer_owned(&freed, count_free);
    CHECK_FAILS(belay_subject_next(others[i], value), expected[i]);
    CHECK_FAILS(belay_subject_completed(others[i]), expected[i]);
    CHECK_FAILS(belay_subject_error(others[i], error), expected[i]);
    CHECK_INT(belay_subject_count(others[i]), 0);
    CHECK_INT(freed, i + 1);
  }
  belay_error_release(error);
  belay_signal_release(others[0]);
}

/* ---- shared subjects ---- */
enum { SENDERS = 4, SENDS = 2000, LISTENERS = 3 };
typedef struct gathering {
  belay_signal *subject;
  int inside, next_sender;
  int latest[LISTENERS][SENDERS], count[LISTENERS], errors, sent;
} gathering;
typedef struct listener {
  gathering *all;
  int number;
} listener;

static void listen(void *ctx, belay_value value) {
  listener *it = ctx;
  gathering *all = it->all;
  if (__atomic_exchange_n(&all->inside, 1, __ATOMIC_RELAXED)) all->errors++;
  int sender = int_of(value) / SENDS, number = int_of(value) % SENDS + 1;
  if (number <= all->latest[it->number][sender]) all->errors++;
  all->latest[it->number][sender] = number;
  all->count[it->number]++;
  __atomic_store_n(&all->inside, 0, __ATOMIC_RELAXED);
}
static void send_all(void *ctx) {
  gathering *it = ctx;
  int sender = __atomic_fetch_add(&it->next_sender, 1, __ATOMIC_RELAXED);
  for (int i = 0; i < SENDS; i++) {
    int result = send_to(it->subject, sender * SENDS + i);
    if (result >= 0) __atomic_fetch_add(&it->sent, 1, __ATOMIC_RELAXED);
    else CHECK_INT(result, BELAY_EAGAIN);
  }
}

static void rule_1_2_a_shared_subject_delivers_one_at_a_time(void) {
  belay_source_options options = {.size = sizeof options, .shared = 1};
  gathering it = {.subject = belay_subject_create(&options)};
  listener listeners[LISTENERS];
  for (int i = 0; i < LISTENERS; i++) {
    listeners[i] = (listener){&it, i};
    belay_observer observer = {.size = sizeof observer, .next = listen, .ctx = &listeners[i]};
    CHECK_INT(belay_signal_subscribe(it.subject, &observer, NULL), 0);
  }
  routine threads[SENDERS];
  for (int i = 0; i < SENDERS; i++) start_thread(&threads[i], send_all, &it);
  for (int i = 0; i < SENDERS; i++) join_thread(&threads[i]);
  for (int i = 0; i < LISTENERS; i++) CHECK_INT(it.count[i], it.sent);
  CHECK_INT(it.errors, 0);
  belay_signal_release(it.subject);
}

static void send_eight(void *subject) { trace("%d", send_to(subject, 8)); }
static void send_from_a_thread(actor *it) { in_thread(send_eight, it->subject); }
static void rule_1_2_while_another_thread_delivers_a_send_is_left_to_it(void) {
  belay_source_options options = {.size = sizeof options, .shared = 1};
  among_three(belay_subject_create(&options), send_from_a_thread);
  CHECK_TRACE(
      "a next 1 | b next 1 | 1 | c next 1 | a next 8 | b next 8 | c next 8 | "
      "a next 2 | b next 2 | c next 2 | " ENDING);
}

static void count_until_full(void *subject) { while (belay_subject_count(subject) < MANY) continue; }
static void counting_on_another_thread_while_people_come_and_go(void) {
  belay_observer nobody = {.size = sizeof nobody};
  for (int shared = 0; shared < 2; shared++) {
    belay_source_options options = {.size = sizeof options, .shared = shared};
    belay_signal *subject = belay_subject_create(&options);
    belay_disposable *them[MANY];
    routine counting;
    start_thread(&counting, count_until_full, subject);
    for (int round = 1; round <= 100; round++) {
      int size = round < 100 ? round * 7 % 400 : MANY;
      for (int i = 0; i < size; i++) belay_signal_subscribe(subject, &nobody, &them[i]);
      if (size == MANY) join_thread(&counting);
      for (int i = 0; i < size; i++) end_subscription(them[i]);
    }
    CHECK_INT(belay_subject_count(subject), 0);
    belay_signal_release(subject);
  }
}

static void rule_1_2_a_shared_subject_obeys_the_same_policies(void) {
  static const struct {
    belay_reentrancy policy;
    const char *trace;
  } rows[] = {
      {BELAY_REENTRANCY_QUEUE,
       "1 1 none | c next 1 | a next 8 | b next 8 | c next 8 | a next 9 | "
       "b next 9 | c next 9 | "},
      {BELAY_REENTRANCY_DEPTH_FIRST,
       "a next 8 | b next 8 | c next 8 | a next 9 | b next 9 | "
       "c next 9 | 0 0 none | c next 1 | "},
      {BELAY_REENTRANCY_LATEST, "1 1 none | c next 1 | a next 9 | b next 9 | c next 9 | "},
      {BELAY_REENTRANCY_REJECT, "-20006 -20006 EREENTRANT | c next 1 | "},
  };
  for (int i = 0; i < 4; i++) {
    char expected[500];
    belay_source_options options = {
        .size = sizeof options, .shared = 1, .reentrancy = rows[i].policy};
    among_three(belay_subject_create(&options), send_two);
    snprintf(expected, sizeof expected,
             "a next 1 | b next 1 | %sa next 2 | b next 2 | c next 2 | " ENDING, rows[i].trace);
    CHECK_TRACE(expected);
  }
}

static const test_case cases[] = {
    CASE(rule_1_1_delivery_in_the_order_of_subscription_however_many),
    CASE(rule_1_1_the_end_and_disposal_reach_each_in_turn),
    CASE(rule_1_1_a_late_subscriber_gets_the_end),
    CASE(rule_1_1_a_sibling_disposed_during_delivery_is_not_called),
    CASE(rule_1_1_one_subscribed_during_delivery_is_not_called_for_it),
    CASE(rule_1_2_reentrancy_queue),
    CASE(rule_1_2_reentrancy_depth_first),
    CASE(rule_1_2_reentrancy_latest),
    CASE(rule_1_2_reentrancy_reject),
    CASE(rule_1_2_terminal_events_are_queued),
    CASE(rule_1_2_terminal_events_depth_first_are_not),
    CASE(rule_1_2_nothing_follows_a_queued_end),
    CASE(rule_1_2_the_reentrancy_queue_has_a_capacity),
    CASE(rule_1_2_an_end_is_never_refused_for_lack_of_room),
    CASE(rule_1_1_the_last_release_interrupts),
    CASE(rule_1_1_the_last_release_inside_next_waits_for_the_event),
    CASE(a_chain_keeps_its_subject),
    CASE(the_count_is_of_the_living),
    CASE(rule_1_3_a_silent_subject_does_not_grow),
    CASE(rule_1_3_subjects_that_end_leave_nothing),
    CASE(only_subjects_are_sent_to),
    CASE(rule_1_2_a_shared_subject_delivers_one_at_a_time),
    CASE(rule_1_2_while_another_thread_delivers_a_send_is_left_to_it),
    CASE(rule_1_2_a_shared_subject_obeys_the_same_policies),
    CASE(counting_on_another_thread_while_people_come_and_go),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
