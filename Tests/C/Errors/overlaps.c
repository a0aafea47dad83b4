/* Values that come to a source during another event of it, as the hook for overlaps tells. */
#include "held.h"

static int frees;
static void tell(void *ctx, belay_overlap overlap, const char *source, const char *sender,
                 const char *site) {
  CHECK(overlap == BELAY_OVERLAP_NESTED || overlap == BELAY_OVERLAP_THREADS);
  trace("%s %s %s %s", overlap == BELAY_OVERLAP_NESTED ? "nested" : "threads", source,
        text_or(sender, "-"), text_or(site, "-"));
}
static void freed(void *ctx) { frees++; }
static void listen_to_overlaps(void) { CHECK_INT(belay_on_overlap(tell, &frees, freed), 0); }
static void stop_listening(void) {
  frees = 0;
  CHECK_INT(belay_on_overlap(NULL, NULL, NULL), 0);
  CHECK_INT(frees, 1);
}

static belay_signal *made(const char *label, belay_reentrancy reentrancy, int shared) {
  belay_source_options options = BELAY_INIT(belay_source_options);
  options.label = label;
  options.site = "here";
  options.reentrancy = reentrancy;
  options.shared = shared;
  return belay_subject_create(&options);
}

/* Sends numbers up to three into the subject. */
static void feed_back(void *subject, belay_value value) {
  int number = int_of(value);
  if (number < 3) belay_subject_next(subject, belay_int32(number + 1));
}
static belay_disposable *fed_back(belay_signal *subject, belay_signal *into) {
  belay_observer observer = BELAY_INIT(belay_observer);
  belay_disposable *subscription = NULL;
  observer.next = feed_back;
  observer.ctx = into;
  belay_signal *chain =
      belay_signal_chain(belay_signal_retain(subject), belay_op_skip(0), belay_op_take(100));
  CHECK_INT(belay_signal_subscribe(chain, &observer, &subscription), 0);
  belay_signal_release(chain);
  return subscription;
}
static void drop(belay_disposable *subscription, belay_signal *subject) {
  belay_disposable_dispose(subscription);
  belay_disposable_release(subscription);
  belay_signal_release(subject);
}

static void F6_03_a_subject_that_feeds_itself_is_told_once(void) {
  static const belay_reentrancy kinds[] = {BELAY_REENTRANCY_QUEUE, BELAY_REENTRANCY_DEPTH_FIRST,
                                           BELAY_REENTRANCY_LATEST, BELAY_REENTRANCY_REJECT};
  for (int i = 0; i < 4; i++)
    for (int shared = 0; shared < 2; shared++) {
      belay_signal *subject = made("numbers", kinds[i], shared);
      belay_disposable *subscription = fed_back(subject, subject);
      listen_to_overlaps();
      CHECK_INT(belay_subject_next(subject, belay_int32(0)), 0);
      CHECK_INT(belay_subject_next(subject, belay_int32(0)), 0);
      stop_listening();
      CHECK_TRACE("nested numbers numbers.skip.take here");
      drop(subscription, subject);
    }
}

static void F6_03_a_subscription_with_a_name_of_its_own(void) {
  belay_signal *numbers = made("numbers", 0, 0);
  belay_observer observer =
      BELAY_INIT(belay_observer, .next = feed_back, .ctx = numbers, .label = "counter");
  belay_disposable *subscription = NULL;
  CHECK_INT(belay_signal_subscribe(numbers, &observer, &subscription), 0);
  listen_to_overlaps();
  CHECK_INT(belay_subject_next(numbers, belay_int32(2)), 0);
  CHECK_TRACE("nested numbers counter here");
  stop_listening();
  drop(subscription, numbers);
}

static void F6_03_each_pair_of_names_is_told(void) {
  belay_signal *one = made("one", 0, 0), *other = made("other", 0, 0);
  belay_disposable *first = fed_back(one, other), *second = fed_back(other, one);
  listen_to_overlaps();
  CHECK_INT(belay_subject_next(one, belay_int32(0)), 0);
  CHECK_TRACE("nested one other.skip.take here");
  CHECK_INT(belay_subject_next(other, belay_int32(0)), 0);
  CHECK_TRACE("nested other one.skip.take here");
  /* A new hook hears of everything again. */
  frees = 0;
  listen_to_overlaps();
  CHECK_INT(frees, 1);
  CHECK_INT(belay_subject_next(one, belay_int32(0)), 0);
  CHECK_TRACE("nested one other.skip.take here");
  stop_listening();
  CHECK_INT(belay_subject_next(one, belay_int32(0)), 0);
  CHECK_TRACE("");
  drop(first, one);
  drop(second, other);
}

static void hold_first(void *ctx, belay_value value) {
  if (int_of(value) != 0) return;
  sem_post(&inside);
  wait_for(&go_on);
}
static void send_first(void *subject) {
  CHECK_INT(belay_subject_next(subject, belay_int32(0)), 0);
}
static void F6_03_two_threads_in_one_source(void) {
  routine other;
  belay_signal *subject = made("shared", 0, 1);
  belay_observer observer = BELAY_INIT(belay_observer);
  observer.next = hold_first;
  sem_init(&inside, 0, 0);
  sem_init(&go_on, 0, 0);
  CHECK_INT(belay_signal_subscribe(subject, &observer, NULL), 0);
  listen_to_overlaps();
  start_thread(&other, send_first, subject);
  wait_for(&inside);
  CHECK_INT(belay_subject_next(subject, belay_int32(1)), BELAY_QUEUED);
  CHECK_INT(belay_subject_next(subject, belay_int32(2)), BELAY_QUEUED);
  CHECK_TRACE("threads shared - here");
  sem_post(&go_on);
  join_thread(&other);
  CHECK_INT(belay_subject_next(subject, belay_int32(3)), 0);
  stop_listening();
  CHECK_TRACE("");
  belay_signal_release(subject);
}

static void complete(void *subject, belay_value value) {
  CHECK_INT(belay_subject_completed(subject), BELAY_QUEUED);
}
static void F6_03_no_overlap(void) {
  held it = {0};
  belay_signal *subject = made("ends", 0, 0);
  belay_observer observer = BELAY_INIT(belay_observer);
  observer.next = complete;
  observer.ctx = subject;
  CHECK_INT(belay_signal_subscribe(subject, &observer, NULL), 0);
  listen_to_overlaps();
  /* An end from inside. */
  CHECK_INT(belay_subject_next(subject, belay_int32(0)), 0);
  /* Values on their way to the loop of a source. */
  begin_held(&it);
  CHECK_INT(belay_subject_next(it.subject, belay_null()), BELAY_QUEUED);
  sem_post(&go_on);
  wait_for(&inside);
  sem_post(&go_on);
  end_held(&it);
  stop_listening();
  CHECK_TRACE("inside | leaves | inside | leaves");
  belay_signal_release(subject);
}

static void send_again(void *subject, belay_overlap overlap, const char *source, const char *sender,
                       const char *site) {
  trace("%s", source);
  belay_subject_next(subject, belay_int32(9));
  belay_on_overlap(NULL, NULL, NULL);
}
/* The hook is in use while it replaces itself. */
static void F6_03_a_hook_that_sends_and_goes(void) {
  belay_signal *subject = made("numbers", 0, 0);
  belay_disposable *subscription = fed_back(subject, subject);
  frees = 0;
  CHECK_INT(belay_on_overlap(send_again, subject, NULL), 0);
  CHECK_INT(belay_subject_next(subject, belay_int32(0)), 0);
  CHECK_TRACE("numbers");
  drop(subscription, subject);
}

/* 1024 pairs are told, so that names that a program makes up cost no memory without end. */
static void F6_03_so_many_at_most(void) {
  listen_to_overlaps();
  int told = 0;
  for (int i = 0; i < 1100; i++) {
    char name[16];
    snprintf(name, sizeof name, "number %d", i);
    belay_signal *subject = belay_subject_create(NULL);
    belay_signal_set_name(subject, name);
    belay_disposable *subscription = fed_back(subject, subject);
    CHECK_INT(belay_subject_next(subject, belay_int32(0)), 0);
    told += trace_text()[0] != 0;
    trace_clear();
    drop(subscription, subject);
  }
  stop_listening();
  CHECK_INT(told, 1024);
}

int main(int argc, char **argv) {
  static const test_case cases[] = {
      CASE(F6_03_a_subject_that_feeds_itself_is_told_once),
      CASE(F6_03_a_subscription_with_a_name_of_its_own),
      CASE(F6_03_each_pair_of_names_is_told),
      CASE(F6_03_two_threads_in_one_source),
      CASE(F6_03_no_overlap),
      CASE(F6_03_a_hook_that_sends_and_goes),
      CASE(F6_03_so_many_at_most),
  };
  return RUN_CASES(cases);
}
