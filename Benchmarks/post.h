/* The post row, the same for every peer: one thread runs a loop, another posts values to it, a
   batch at a time, and waits until the loop has heard them all. Both are on one core. */
#ifndef BENCH_POST_H
#define BENCH_POST_H

#include <semaphore.h>
#include <stdint.h>

#include "bench.h"

enum { POST_BATCH = 1000 };

typedef struct post_line {
  sem_t ready;     /* the loop takes posts from now on */
  sem_t consumed;  /* a batch has been heard */
  uint64_t heard;  /* the sum of the values */
  uint64_t count;  /* how many values … */
  uint64_t target; /* … and how many there are when the batch is through */
} post_line;

/* What a peer does at the loop's end for each value. */
static inline void post_hear(post_line *line, uint64_t value) {
  line->heard += value;
  if (++line->count == line->target) sem_post(&line->consumed);
}

typedef struct post_mechanism {
  /* On the loop's thread: opens a loop, posts line->ready, runs until stop, closes it. */
  void (*serve)(post_line *line);
  /* From the other thread: `count` values, from `first` on; and the request to end. */
  void (*post)(uint64_t first, uint64_t count);
  void (*stop)(void);
} post_mechanism;

uint64_t post_measure(bench_run *run, const post_mechanism *mechanism);

#endif
