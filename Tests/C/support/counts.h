/* What a case of I/O has to give back: descriptors of the process, and handles of the loop. */
#ifndef COUNTS_H
#define COUNTS_H

#include "cases.h"

#include <dirent.h>
#include <unistd.h>
#include <uv.h>

/* How many descriptors the process has. */
static inline int descriptors(void) {
  DIR *directory = opendir("/proc/self/fd");
  CHECK(directory != NULL);
  int count = 0;
  while (readdir(directory)) count++;
  closedir(directory);
  return count;
}

/* Waits until no thread of lookups is left: one whose lookup was given up keeps its descriptors until
   the system has answered it. */
static inline void await_lookups(void) {
  for (int i = 0, found = 1; found && i < 60000; i++) {
    DIR *directory = opendir("/proc/self/task");
    struct dirent *entry;
    CHECK(directory != NULL);
    found = 0;
    while ((entry = readdir(directory))) {
      char path[300], name[20] = "";
      snprintf(path, sizeof path, "/proc/self/task/%s/comm", entry->d_name);
      FILE *file = fopen(path, "r");
      if (!file) continue;
      if (fgets(name, sizeof name, file)) found += strcmp(name, "belay lookup\n") == 0;
      fclose(file);
    }
    closedir(directory);
    if (found) usleep(1000);
  }
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
