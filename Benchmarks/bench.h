/* What a peer gives the driver: for each row it can play, a function that does the row's work
   `run->n` times, times the part that the row is about, and returns a checksum. */
#ifndef BENCH_H
#define BENCH_H

#include <malloc.h>
#include <stdint.h>
#include <time.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bench_run {
  uint64_t n;       /* how many times; a multiple of the row's batch */
  uint64_t amount;  /* nanoseconds spent, or bytes used, by all n together */
  uint64_t started; /* private to begin and end */
  const char *counted; /* NULL; or the row of which callgrind counts what is timed else */
  int on_processor;    /* whether the thread's time on the processor is meant, without waiting */
} bench_run;

typedef uint64_t (*bench_function)(bench_run *run);

typedef struct bench_entry {
  const char *row; /* NULL ends the list */
  bench_function function;
} bench_entry;

typedef struct bench_peer {
  const char *name;
  const bench_entry *entries;
} bench_peer;

extern const bench_peer bench_belay, bench_raw, bench_libuv, bench_sigcpp, bench_boost, bench_glib;

static inline uint64_t bench_clock_of(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static inline uint64_t bench_clock(void) { return bench_clock_of(CLOCK_MONOTONIC); }
static inline uint64_t bench_clock_for(const bench_run *run) {
  return bench_clock_of(run->on_processor ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC);
}

extern void bench_count_begin(void), bench_count_end(const char *row);

/* Only what lies between begin and end counts; set-up and clean-up stay outside. */
static inline void bench_begin(bench_run *run) {
  if (run->counted)
    bench_count_begin();
  else
    run->started = bench_clock_for(run);
}

static inline void bench_end(bench_run *run) {
  if (run->counted)
    bench_count_end(run->counted);
  else
    run->amount += bench_clock_for(run) - run->started;
}

/* Bytes of malloc's that are in use, chunk headers included, large blocks (mmap) too. */
static inline uint64_t bench_heap_in_use(void) {
  struct mallinfo2 info = mallinfo2();
  return (uint64_t)info.uordblks + (uint64_t)info.hblkhd;
}

/* The context of a callback: what it heard, and how many things have ended. */
typedef struct bench_tally {
  uint64_t heard;
  uint64_t ended;
} bench_tally;

static inline uint64_t bench_checksum(bench_tally tally) {
  return tally.heard + 1000003u * tally.ended;
}

enum { BENCH_CROWD = 1000, BENCH_BAG = 10000, BENCH_HEAP = 10000, BENCH_TIMERS = 100000 };

/* timers: when the timer `i` is due, in milliseconds. */
static inline unsigned bench_delay(uint64_t i) { return 1 + (unsigned)(i * 7919 % 16); }

static inline uint64_t bench_heard_by(const bench_tally *tallies, uint64_t count) {
  uint64_t heard = 0;
  for (uint64_t i = 0; i < count; i++) heard += tallies[i].heard;
  return heard;
}

#ifdef __cplusplus
}
#endif

#endif
