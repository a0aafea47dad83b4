/* What a case of I/O has to give back: descriptors of the process, and handles of the loop. */
#ifndef COUNTS_H
#define COUNTS_H

#include "cases.h"

#include <dirent.h>
#include <unistd.h>
#include <uv.h>

/* How many threads the process has. The kernel keeps this number; a listing of the threads may leave
   one out while another ends. */
static inline int count_threads(void) {
  int count = 0;
  char line[100];
  FILE *file = fopen("/proc/self/status", "r");
  CHECK(file != NULL);
  while (fgets(line, sizeof line, file) && sscanf(line, "Threads: %d", &count) != 1) continue;
  fclose(file);
  CHECK(count > 0);
  return count;
}

/* Whether each thread is another one than those of lookups. */
static inline int has_no_lookups(void) {
  int others = 0, threads = count_threads();
  DIR *directory = opendir("/proc/self/task");
  struct dirent *entry;
  CHECK(directory != NULL);
  while ((entry = readdir(directory))) {
    char path[300], name[20] = "";
    if (entry->d_name[0] == '.') continue;
    snprintf(path, sizeof path, "/proc/self/task/%s/comm", entry->d_name);
    FILE *file = fopen(path, "r");
    if (!file) continue;
    others += fgets(name, sizeof name, file) && strcmp(name, "belay lookup\n") != 0;
    fclose(file);
  }
  closedir(directory);
  return others == threads;
}

/* Waits until no thread of lookups is left: one whose lookup was given up keeps its descriptors until
   the system has answered it. */
static inline void await_lookups(void) {
  for (int i = 0; !has_no_lookups() && i < 60000; i++) usleep(1000);
}

static inline void count_handle(uv_handle_t *handle, void *count) {
  *(int *)count += !uv_is_closing(handle);
}

/* How many handles of libuv's a loop has, without those that are closing. */
static inline int handles(belay_loop *loop) {
  int count = 0;
  uv_walk(belay_loop_uv(loop), count_handle, &count);
  return count;
}

static int fds_before, handles_before;

/* A loop for one case. */
static inline belay_loop *open_counted(void) {
  /* libuv keeps what the first loop has made. */
  if (fds_before == 0) close_loop(open_loop());
  fds_before = descriptors();
  belay_loop *loop = open_loop();
  handles_before = handles(loop);
  return loop;
}

/* Closes the loop, if the case has not. There are as many descriptors and handles as before. */
static inline void close_counted(belay_loop *loop) {
  if (loop) {
    CHECK_INT(handles(loop), handles_before);
    close_loop(loop);
  }
  await_lookups();
  CHECK_INT(descriptors(), fds_before);
}

#endif
