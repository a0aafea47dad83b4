/* Descriptors and files of a test of I/O. */
#ifndef FDS_H
#define FDS_H

#include "counts.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* A loop and a directory for one case, which has to leave descriptors and handles as they were. */
static belay_loop *loop;
static char folder[64];

static inline void begin(void) {
  strcpy(folder, "/tmp/belay-io-XXXXXX");
  CHECK(mkdtemp(folder) != NULL);
  loop = open_counted();
}

static inline const char *in_folder(const char *name) {
  static char paths[4][200];
  static int next;
  char *path = paths[next++ % 4];
  snprintf(path, sizeof paths[0], "%s/%s", folder, name);
  return path;
}

static inline void finish(void) {
  char command[100];
  close_counted(loop);
  snprintf(command, sizeof command, "rm -rf %s", folder);
  CHECK_INT(system(command), 0);
}

static inline void write_to(const char *path, const char *text, int flags) {
  int fd = open(path, O_WRONLY | flags, 0644);
  CHECK(fd >= 0);
  CHECK_INT(write(fd, text, strlen(text)), strlen(text));
  close(fd);
}
static inline void write_new(const char *name) {
  write_to(in_folder(name), "text", O_CREAT | O_TRUNC);
}

/* Runs turns until the trace has the text. */
static inline void run_until_traced(const char *text) {
  belay_disposable *guard = NULL;
  CHECK_INT(belay_scheduler_after(belay_loop_get_scheduler(loop), 60, give_up, loop, NULL, &guard),
            0);
  while (!strstr(trace_text(), text) && !strstr(trace_text(), "has not come"))
    if (belay_loop_run(loop, BELAY_RUN_ONCE) < 0 || belay_disposable_is_disposed(guard)) break;
  CHECK(strstr(trace_text(), text) != NULL);
  belay_disposable_dispose(guard);
  belay_disposable_release(guard);
}

#endif
