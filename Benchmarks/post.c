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

  bench_begin(run);
  for (uint64_t first = 0; first < run->n; first += POST_BATCH) {
    line->target = first + POST_BATCH;
    mechanism->post(first, POST_BATCH);
    while (sem_wait(&line->consumed) != 0) continue;
  }
  bench_end(run);

  mechanism->stop();
  pthread_join(thread, NULL);
  sem_destroy(&line->ready);
  sem_destroy(&line->consumed);
  return bench_checksum((bench_tally){.heard = line->heard});
}
