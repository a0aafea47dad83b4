/* Ends and disposals inside of each other, on a thread with a small stack: none is refused, so what is too
   deep waits until a callback has returned. All are over when the outermost call returns. */
#include "small_stack.h"

enum { MOST = 1000 };

/* ---- rows of subjects ---- */
static belay_signal **row;
static int count, heard, told, freed;
static int (*end_of)(belay_signal *subject);

static int complete(belay_signal *subject) { return belay_subject_completed(subject); }
static int fail(belay_signal *subject) {
  belay_error *error = belay_error_create(BELAY_ENOENT, NULL, NULL, belay_null(), NULL);
  int code = belay_subject_error(subject, error);
  belay_error_release(error);
  return code;
}
static void make_row(int length, int is_shared) {
  belay_source_options options = {.size = sizeof options, .shared = is_shared};
  count = length;
  row = malloc((size_t)count * sizeof *row);
  for (int i = 0; i < count; i++) row[i] = belay_subject_create(&options);
  heard = told = freed = 0;
}
static void release_row(void) {
  for (int i = 0; i < count; i++)
    if (row[i]) belay_signal_release(row[i]);
  free(row);
}
static int place_of(void *place) { return (int)(intptr_t)place; }
static void listen_at(int place, belay_observer observer) {
  observer.size = sizeof observer;
  observer.ctx = (void *)(intptr_t)place;
  CHECK_INT(belay_signal_subscribe(row[place], &observer, NULL), 0);
}

/* Each is heard once, in the order of the row. An end that waits has been accepted all the same. */
static void end_next(void *place) {
  CHECK_INT(place_of(place), heard);
  int next = ++heard;
  if (next == count) return;
  int code = end_of(row[next]);
  CHECK(code == 0 || code == BELAY_QUEUED);
  told += code == BELAY_QUEUED;
  CHECK_FAILS(belay_subject_next(row[next], belay_null()), BELAY_EENDED);
  CHECK_FAILS(belay_subject_completed(row[next]), BELAY_EENDED);
}
static void end_next_after_error(void *place, const belay_error *error) {
  CHECK_INT(belay_error_code(error), BELAY_ENOENT);
  end_next(place);
}
static void note_free(void *place) { freed++; }
static void never_next(void *place, belay_value value) { CHECK(0 && "no value was accepted"); }
static void end_a_row(void) {
  for (int is_shared = 0; is_shared < 2; is_shared++) {
    for (int fails = 0; fails < 2; fails++) {
      make_row(MANY, is_shared);
      end_of = fails ? fail : complete;
      for (int i = 0; i < count; i++)
        listen_at(i, (belay_observer){.next = never_next, .error = end_next_after_error, .completed = end_next,
                                      .ctx_free = note_free});
      CHECK_INT(end_of(row[0]), is_shared ? BELAY_QUEUED : 0);
      CHECK_INT(heard, count);
      CHECK_INT(freed, count);
      if (!is_shared) CHECK(told > 0 && told < count);
      release_row();
    }
  }
}
static void ends_inside_ends(void) { on_a_small_stack(end_a_row); }

/* ---- bindings, which pass ends on ---- */
static int code_;
static void count_next(void *ctx, belay_value value) { heard++; }
static void count_completed(void *ctx) { told++; }
static void note_error(void *ctx, const belay_error *error) {
  told++;
  code_ = belay_error_code(error);
}
static void bind_row(int length) {
  make_row(length, 0);
  for (int i = 0; i + 1 < count; i++) CHECK_INT(belay_signal_bind(row[i], row[i + 1], NULL), 0);
  code_ = 0;
  listen_at(count - 1, (belay_observer){.next = count_next, .error = note_error, .completed = count_completed});
}
static void end_bindings(void) {
  for (int fails = 0; fails < 2; fails++) {
    bind_row(MANY);
    CHECK_INT((fails ? fail : complete)(row[0]), 0);
    CHECK_INT(told, 1);
    CHECK_INT(code_, fails ? BELAY_ENOENT : 0);
    release_row();
  }
}
static void ends_along_bindings(void) { on_a_small_stack(end_bindings); }

/* The binding that passes no more values ends with an error, which goes down the rest. */
static void refuse_a_value(void) {
  for (int round = 0; round < 2; round++) {
    bind_row(MANY);
    CHECK_INT(belay_subject_next(row[0], belay_string("on")), 0);
    CHECK_INT(heard, 0);
    CHECK_INT(told, 1);
    CHECK_INT(code_, BELAY_EREENTRANT);
    release_row();
  }
}
static void a_refused_value_ends_the_rest_of_the_bindings(void) { on_a_small_stack(refuse_a_value); }

/* ---- what ends where no value is taken any more ---- */
static int deaths, refused;
static void note_death(void *ctx, belay_value value) { deaths++; }
static void end_an_owner(void) {
  belay_owner *owner = belay_owner_create(NULL, NULL, NULL, NULL);
  belay_signal *dying = belay_owner_deallocating(owner);
  belay_observer observer = {.size = sizeof observer, .next = note_death};
  CHECK_INT(belay_signal_subscribe(dying, &observer, NULL), 0);
  belay_signal_release(dying);
  belay_owner_release(owner);
}
static void send_on(void *place, belay_value value) {
  int next = place_of(place) + 1;
  heard++;
  int answer = belay_subject_next(row[next], belay_value_retain(value));
  if (answer == 0) return;
  CHECK_INT(answer, BELAY_EREENTRANT);
  belay_last_error();
  if (refused++ > 0) return;
  /* A death is told at once; an end when the callback has returned, although nobody holds the subject. */
  end_an_owner();
  CHECK_INT(deaths, 1);
  CHECK_INT(belay_subject_completed(row[next]), BELAY_QUEUED);
  belay_signal_release(row[next]);
  row[next] = NULL;
  CHECK_INT(told, 0);
}
static void end_at_the_limit(void) {
  make_row(4 * MOST, 0);
  deaths = refused = 0;
  for (int i = 0; i + 1 < count; i++)
    listen_at(i, (belay_observer){.next = send_on, .completed = count_completed});
  CHECK_INT(belay_subject_next(row[0], belay_string("on")), 0);
  CHECK_INT(refused, 1);
  CHECK_INT(told, 1);
  release_row();
}
static void what_ends_at_the_limit_is_told(void) { on_a_small_stack(end_at_the_limit); }

/* What was not refused has taken more room than sends may take. */
static void send_after_deaths(void) {
  end_at_the_limit();
  make_row(4 * MOST, 0);
  for (int i = 0; i + 1 < count; i++) listen_at(i, (belay_observer){.next = send_on});
  CHECK_INT(belay_subject_next(row[0], belay_string("on")), 0);
  CHECK_INT(refused, 2);
  CHECK(heard >= MOST && heard < MOST + MOST / 20);
  release_row();
}
static void deaths_at_the_limit_allow_no_further_sends(void) { on_a_small_stack(send_after_deaths); }

/* ---- disposals ---- */
static belay_disposable **subscriptions;
static void dispose_next(void *place) {
  CHECK_INT(place_of(place), heard);
  int next = ++heard;
  if (next == count) return;
  belay_disposable_dispose(subscriptions[next]);
  CHECK_INT(belay_disposable_is_disposed(subscriptions[next]), 1);
}
static void dispose_a_row(void) {
  make_row(MANY, 0);
  subscriptions = malloc((size_t)count * sizeof *subscriptions);
  for (int i = 0; i < count; i++) {
    belay_observer observer = {.size = sizeof observer, .disposed = dispose_next, .ctx_free = note_free,
                               .ctx = (void *)(intptr_t)i};
    CHECK_INT(belay_signal_subscribe(row[i], &observer, &subscriptions[i]), 0);
  }
  belay_disposable_dispose(subscriptions[0]);
  CHECK_INT(heard, count);
  CHECK_INT(freed, count);
  for (int i = 0; i < count; i++) belay_disposable_release(subscriptions[i]);
  free(subscriptions);
  release_row();
}
static void disposals_inside_disposals(void) { on_a_small_stack(dispose_a_row); }

/* ---- interruptions: each subject's last handle is in the subscription to the one before ---- */
static void release_next(void *place) {
  freed++;
  int next = place_of(place) + 1;
  if (next == count) return;
  belay_signal *last = row[next];
  row[next] = NULL;
  belay_signal_release(last);
}
static void interrupt_a_row(int is_shared) {
  make_row(MANY, is_shared);
  for (int i = 0; i < count; i++) listen_at(i, (belay_observer){.disposed = release_next});
  release_next((void *)(intptr_t)-1);
  CHECK_INT(freed, count + 1);
  release_row();
}
static void interrupt_rows(void) {
  for (int is_shared = 0; is_shared < 2; is_shared++) interrupt_a_row(is_shared);
}
static void interruptions_inside_interruptions(void) { on_a_flat_stack(interrupt_rows); }

int main(int argc, char **argv) {
  static const test_case cases[] = {
      CASE(ends_inside_ends),
      CASE(ends_along_bindings),
      CASE(a_refused_value_ends_the_rest_of_the_bindings),
      CASE(deaths_at_the_limit_allow_no_further_sends),
      CASE(what_ends_at_the_limit_is_told),
      CASE(disposals_inside_disposals),
      CASE(interruptions_inside_interruptions),
  };
  return RUN_CASES(cases);
}
