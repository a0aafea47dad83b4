#include "post.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct post_service {
  const post_mechanism *mechanism;
  post_line line;
} post_service;

static void *serve(void *argument) {
  post_service *service = argument;
  service->mechanism->serve(&service->line);
  return NULL;
}

uint64_t post_measure(bench_run *run, const post_mechanism *mechanism) {
  post_service service = {.mechanism = mechanism};
  post_line *line = &service.line;
  sem_init(&line->ready, 0, 0);
  sem_init(&line->consumed, 0, 0);
  pthread_t thread;
  if (pthread_create(&thread, NULL, serve, &service) != 0) {
    fprintf(stderr, "bench: no thread for the post row\n");
    exit(2);
  }
  sem_wait(&line->ready);

  /* A loop may divide a batch that takes long into turns, and callgrind is slow: smaller ones are counted. */
  uint64_t batch = run->counted ? POST_BATCH / 10 : POST_BATCH;
  bench_begin(run);
  for (uint64_t first = 0; first < run->n; first += batch) {
    line->target = first + batch;
    mechanism->post(first, batch);
    while (sem_wait(&line->consumed) != 0) continue;
  }
  bench_end(run);

  mechanism->stop();
  pthread_join(thread, NULL);
  sem_destroy(&line->ready);
  sem_destroy(&line->consumed);
  return bench_checksum((bench_tally){.heard = line->heard});
}
