/* Belay through its C API, across the boundary of the shared library. */
#include <belay/belay.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "../bench.h"

/* Reads the private payload: emit measures the way to the callback, as for the other peers, whose
   values need no getter. Row emit1_get is the same with the getter. */
static void hear(void *ctx, belay_value value) { ((bench_tally *)ctx)->heard += value.payload_; }

static void hear_by_getter(void *ctx, belay_value value) {
  int64_t number = 0;
  belay_value_get_int64(value, &number);
  ((bench_tally *)ctx)->heard += (uint64_t)number;
}

static void end(void *ctx) { ((bench_tally *)ctx)->ended++; }
static void nothing(void *ctx) { (void)ctx; }
static void no_error(void *ctx, const belay_error *error) {
  (void)ctx;
  (void)error;
}

static belay_disposable *subscribe(belay_signal *signal, const belay_observer *observer) {
  belay_disposable *disposable = NULL;
  int code = belay_signal_subscribe(signal, observer, &disposable);
  if (code < 0 || !disposable) {
    fprintf(stderr, "bench: belay: subscribing: %s\n", belay_error_name(code));
    exit(2);
  }
  return disposable;
}

/* emit: belay_subject_next of an int64; subscribers with `next` and `ctx` only; per delivery. */
static uint64_t emit_to(bench_run *run, uint64_t subscribers,
                        void (*next)(void *ctx, belay_value value)) {
  bench_tally tallies[BENCH_CROWD] = {0};
  belay_signal *subject = belay_subject_create(NULL);
  for (uint64_t i = 0; i < subscribers; i++)
    belay_disposable_release(subscribe(
        subject,
        &(belay_observer){.size = sizeof(belay_observer), .next = next, .ctx = &tallies[i]}));
  uint64_t emissions = run->n / subscribers;
  bench_begin(run);
  for (uint64_t i = 0; i < emissions; i++) belay_subject_next(subject, belay_int64((int64_t)i));
  bench_end(run);
  belay_signal_release(subject);
  return bench_checksum((bench_tally){.heard = bench_heard_by(tallies, subscribers)});
}

static uint64_t emit1(bench_run *run) { return emit_to(run, 1, hear); }
static uint64_t emit1_get(bench_run *run) { return emit_to(run, 1, hear_by_getter); }
static uint64_t emit10(bench_run *run) { return emit_to(run, 10, hear); }
static uint64_t emit1000(bench_run *run) { return emit_to(run, 1000, hear); }

/* comb2, zip2: two subjects send int64s by turns, and a combiner adds the latest, or the pair; per
   value sent. */
static belay_value add(void *ctx, const belay_value *values, size_t count) {
  (void)ctx;
  (void)count;
  return belay_int64((int64_t)(values[0].payload_ + values[1].payload_));
}

static uint64_t combine(bench_run *run, belay_signal *combined, belay_signal *const *subjects) {
  bench_tally tally = {0};
  belay_disposable_release(subscribe(
      combined, &(belay_observer){.size = sizeof(belay_observer), .next = hear, .ctx = &tally}));
  bench_begin(run);
  for (uint64_t i = 0; i < run->n; i += 2) {
    belay_subject_next(subjects[0], belay_int64((int64_t)i));
    belay_subject_next(subjects[1], belay_int64((int64_t)i + 1));
  }
  bench_end(run);
  belay_signal_release(combined);
  belay_signal_release(subjects[0]);
  belay_signal_release(subjects[1]);
  return bench_checksum(tally);
}

static uint64_t comb2(bench_run *run) {
  belay_signal *subjects[] = {belay_subject_create(NULL), belay_subject_create(NULL)};
  for (int i = 0; i < 2; i++) belay_signal_retain(subjects[i]);
  return combine(run, belay_signal_combine_latest(subjects, 2, add, NULL, NULL), subjects);
}

static uint64_t zip2(bench_run *run) {
  belay_signal *subjects[] = {belay_subject_create(NULL), belay_subject_create(NULL)};
  for (int i = 0; i < 2; i++) belay_signal_retain(subjects[i]);
  return combine(run, belay_signal_zip(subjects, 2, add, NULL, NULL), subjects);
}

/* sub: subscribe (next, ctx, ctx_free) to a silent subject, dispose, release the disposable. */
static uint64_t subscribe_beside(bench_run *run, int others) {
  bench_tally tally = {0}, other = {0};
  belay_observer observer = {
      .size = sizeof observer, .next = hear, .ctx = &tally, .ctx_free = end};
  belay_observer beside = {.size = sizeof beside, .next = hear, .ctx = &other, .ctx_free = end};
  belay_signal *subject = belay_subject_create(NULL);
  for (int i = 0; i < others; i++) belay_disposable_release(subscribe(subject, &beside));
  bench_begin(run);
  for (uint64_t i = 0; i < run->n; i++) {
    belay_disposable *disposable;
    belay_signal_subscribe(subject, &observer, &disposable);
    belay_disposable_dispose(disposable);
    belay_disposable_release(disposable);
  }
  bench_end(run);
  belay_subject_next(subject, belay_int64(1));
  belay_signal_release(subject);
  return bench_checksum((bench_tally){tally.heard + other.heard, tally.ended});
}

static uint64_t sub0(bench_run *run) { return subscribe_beside(run, 0); }
static uint64_t sub1000(bench_run *run) { return subscribe_beside(run, BENCH_CROWD); }

/* bag10k: 10 000 subscriptions in a compound, their handles released. Timed: the compound's
   disposal and release alone. */
static belay_disposable *fill_bag(belay_signal *subject, bench_tally *tally) {
  belay_observer observer = {
      .size = sizeof observer, .next = hear, .ctx = tally, .ctx_free = end};
  belay_disposable *compound = belay_compound_create();
  for (int i = 0; i < BENCH_BAG; i++) {
    belay_disposable *disposable = subscribe(subject, &observer);
    belay_compound_add(compound, disposable, NULL);
    belay_disposable_release(disposable);
  }
  return compound;
}

static uint64_t bag10k(bench_run *run) {
  bench_tally tally = {0};
  belay_signal *subject = belay_subject_create(NULL);
  for (uint64_t done = 0; done < run->n; done += BENCH_BAG) {
    belay_disposable *compound = fill_bag(subject, &tally);
    bench_begin(run);
    belay_disposable_dispose(compound);
    belay_disposable_release(compound);
    bench_end(run);
    belay_subject_next(subject, belay_int64(1));
  }
  belay_signal_release(subject);
  return bench_checksum(tally);
}

/* bag_away: the same bag, whose home is a loop of this thread. Another thread disposes of it, and the
   loop then ends what is in it. Both are timed. */
static void *dispose_away(void *compound) {
  belay_disposable_dispose(compound);
  return NULL;
}

static uint64_t bag_away(bench_run *run) {
  bench_tally tally = {0};
  belay_loop *loop = belay_loop_create(NULL);
  belay_signal *subject = belay_subject_create(NULL);
  for (uint64_t done = 0; done < run->n; done += BENCH_BAG) {
    belay_disposable *compound = fill_bag(subject, &tally);
    bench_begin(run);
    pthread_t thread;
    if (pthread_create(&thread, NULL, dispose_away, compound) != 0) abort();
    pthread_join(thread, NULL);
    while (tally.ended < done + BENCH_BAG) belay_loop_run(loop, BELAY_RUN_NOWAIT);
    belay_disposable_release(compound);
    bench_end(run);
    belay_subject_next(subject, belay_int64(1));
  }
  belay_signal_release(subject);
  belay_loop_close(loop, NULL, NULL, NULL);
  belay_loop_release(loop);
  return bench_checksum(tally);
}

/* own: create an owner, bind actions to it, release it. */
static uint64_t own_with(bench_run *run, int hooks) {
  bench_tally tally = {0};
  bench_begin(run);
  for (uint64_t i = 0; i < run->n; i++) {
    belay_owner *owner = belay_owner_create(NULL, NULL, NULL, NULL);
    for (int k = 0; k < hooks; k++) belay_owner_add_action(owner, end, &tally, NULL);
    belay_owner_release(owner);
  }
  bench_end(run);
  return bench_checksum(tally);
}

static uint64_t own1(bench_run *run) { return own_with(run, 1); }
static uint64_t own10(bench_run *run) { return own_with(run, 10); }

/* heap: live subscriptions on one subject, their handles kept (in storage that is not counted). */
static uint64_t heap_of(bench_run *run, const belay_observer *observer, bench_tally *tally) {
  belay_signal *subject = belay_subject_create(NULL);
  belay_disposable **handles = malloc(run->n * sizeof(belay_disposable *));
  if (!handles) abort();
  uint64_t before = bench_heap_in_use();
  for (uint64_t i = 0; i < run->n; i++) handles[i] = subscribe(subject, observer);
  run->amount += bench_heap_in_use() - before;
  belay_subject_next(subject, belay_int64(1));
  uint64_t checksum = bench_checksum(*tally);
  for (uint64_t i = 0; i < run->n; i++) {
    belay_disposable_dispose(handles[i]);
    belay_disposable_release(handles[i]);
  }
  free(handles);
  belay_signal_release(subject);
  return checksum;
}

static uint64_t heap(bench_run *run) {
  bench_tally tally = {0};
  belay_observer observer = {
      .size = sizeof observer, .next = hear, .ctx = &tally, .ctx_free = end};
  return heap_of(run, &observer, &tally);
}

static uint64_t heap6(bench_run *run) {
  bench_tally tally = {0};
  belay_observer observer = {.size = sizeof observer,
                             .next = hear,
                             .error = no_error,
                             .completed = nothing,
                             .disposed = nothing,
                             .ctx = &tally,
                             .ctx_free = end};
  return heap_of(run, &observer, &tally);
}

/* cold: create a signal, subscribe; it sends a value and completes; everything is freed. */
static belay_disposable *produce(void *ctx, belay_subscriber *subscriber) {
  belay_subscriber_next(subscriber, belay_int64(*(int64_t *)ctx));
  belay_subscriber_completed(subscriber);
  return NULL;
}

static uint64_t cold(bench_run *run) {
  bench_tally tally = {0};
  belay_observer observer = {
      .size = sizeof observer, .next = hear, .completed = end, .disposed = end, .ctx = &tally};
  bench_begin(run);
  for (uint64_t i = 0; i < run->n; i++) {
    int64_t value = (int64_t)i;
    belay_signal *signal = belay_signal_create(produce, &value, NULL, NULL);
    belay_signal_subscribe(signal, &observer, NULL);
    belay_signal_release(signal);
  }
  bench_end(run);
  return bench_checksum(tally);
}

/* debounce: a subject's values, faster than the silence, on a loop that is running. */
typedef struct debounce_run {
  bench_run *run;
  belay_signal *subject;
} debounce_run;

static void send_all(void *ctx) {
  debounce_run *it = ctx;
  bench_begin(it->run);
  for (uint64_t i = 0; i < it->run->n; i++)
    belay_subject_next(it->subject, belay_int64((int64_t)i));
  bench_end(it->run);
  belay_subject_completed(it->subject);
}

static uint64_t debounce(bench_run *run) {
  bench_tally tally = {0};
  belay_observer observer = {
      .size = sizeof observer, .next = hear, .completed = end, .ctx = &tally};
  belay_loop *loop = belay_loop_create(NULL);
  belay_scheduler *scheduler = belay_loop_get_scheduler(loop);
  debounce_run it = {run, belay_subject_create(NULL)};
  belay_signal *debounced = belay_signal_chain(belay_signal_retain(it.subject),
                                               belay_op_debounce(scheduler, 3600));
  belay_disposable_release(subscribe(debounced, &observer));
  belay_scheduler_after(scheduler, 0, send_all, &it, NULL, NULL);
  belay_loop_run(loop, BELAY_RUN_DEFAULT);
  belay_signal_release(debounced);
  belay_signal_release(it.subject);
  belay_loop_close(loop, NULL, NULL, NULL);
  belay_loop_release(loop);
  return bench_checksum(tally);
}

/* timers: 100 000 one-shot timers are armed, and run. */
typedef struct numbered {
  bench_tally *tally;
  uint64_t number;
} numbered;

static void is_due(void *ctx) {
  numbered *it = ctx;
  it->tally->heard += it->number;
}

static uint64_t timers(bench_run *run) {
  run->on_processor = 1;
  bench_tally tally = {0};
  numbered *all = malloc(run->n * sizeof *all);
  if (!all) abort();
  for (uint64_t i = 0; i < run->n; i++) all[i] = (numbered){&tally, i};
  for (uint64_t first = 0; first < run->n; first += BENCH_TIMERS) {
    belay_loop *loop = belay_loop_create(NULL);
    belay_scheduler *scheduler = belay_loop_get_scheduler(loop);
    bench_begin(run);
    for (uint64_t i = first; i < first + BENCH_TIMERS; i++)
      belay_scheduler_after(scheduler, bench_delay(i) / 1e3, is_due, &all[i], NULL, NULL);
    belay_loop_run(loop, BELAY_RUN_DEFAULT);
    bench_end(run);
    belay_loop_close(loop, NULL, NULL, NULL);
    belay_loop_release(loop);
  }
  free(all);
  return bench_checksum(tally);
}

/* arm, arm_fd: a timer is armed and disarmed outside of a turn, without and with the one descriptor of
   the loop. */
static uint64_t arm_on(belay_loop *loop, bench_run *run) {
  bench_tally tally = {0};
  numbered last = {&tally, 1};
  belay_scheduler *scheduler = belay_loop_get_scheduler(loop);
  bench_begin(run);
  for (uint64_t i = 0; i < run->n; i++) {
    belay_disposable *timer = NULL;
    belay_scheduler_after(scheduler, 3600, is_due, &last, NULL, &timer);
    belay_disposable_dispose(timer);
    belay_disposable_release(timer);
  }
  bench_end(run);
  belay_loop_close(loop, NULL, NULL, NULL);
  belay_loop_release(loop);
  return bench_checksum(tally);
}
static uint64_t arm(bench_run *run) { return arm_on(belay_loop_create(NULL), run); }
static uint64_t arm_fd(bench_run *run) {
  belay_loop *loop = belay_loop_create(NULL);
  if (belay_loop_fd(loop) < 0) abort();
  return arm_on(loop, run);
}

extern uint64_t bench_belay_post(bench_run *run), bench_belay_post_action(bench_run *run);

extern uint64_t bench_belay_chain3(bench_run *run), bench_belay_chain10(bench_run *run),
    bench_belay_flatjust(bench_run *run);

extern uint64_t bench_belay_call(bench_run *run), bench_belay_call_passed(bench_run *run),
    bench_belay_call_connected(bench_run *run), bench_belay_call_around(bench_run *run),
    bench_belay_call_sent(bench_run *run);

extern uint64_t bench_belay_cpp_emit1(bench_run *run), bench_belay_cpp_chain3(bench_run *run),
    bench_belay_cpp_sub0(bench_run *run);

static const bench_entry entries[] = {
    {"heap", heap},
    {"heap6", heap6},
    {"emit1", emit1},
    {"emit1_get", emit1_get},
    {"cpp_emit1", bench_belay_cpp_emit1},
    {"cpp_chain3", bench_belay_cpp_chain3},
    {"cpp_sub0", bench_belay_cpp_sub0},
    {"emit10", emit10},
    {"emit1000", emit1000},
    {"chain3", bench_belay_chain3},
    {"chain10", bench_belay_chain10},
    {"flatjust", bench_belay_flatjust},
    {"comb2", comb2},
    {"zip2", zip2},
    {"sub0", sub0},
    {"sub1000", sub1000},
    {"bag10k", bag10k},
    {"bag_away", bag_away},
    {"own1", own1},
    {"own10", own10},
    {"cold", cold},
    {"cold_stack", cold},
    {"debounce", debounce},
    {"timers", timers},
    {"arm", arm},
    {"arm_fd", arm_fd},
#if BENCH_INTERCEPTION
    {"call", bench_belay_call},
    {"call_passed", bench_belay_call_passed},
    {"call_connected", bench_belay_call_connected},
    {"call_around", bench_belay_call_around},
    {"call_sent", bench_belay_call_sent},
#endif
    {"post", bench_belay_post},
    {"post_action", bench_belay_post_action},
    {NULL, NULL}};

const bench_peer bench_belay = {"belay", entries};
