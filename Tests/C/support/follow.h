/* A file that is followed: what is done to it, and the lines that come of that. */
#ifndef FOLLOW_H
#define FOLLOW_H

#include "fds.h"

static char path[128], other_path[136];

/* Each case is a table of lines that come and of what is done to the file then. So the cases look
   alike. */

/* ---- what is done to the file ---- */

static inline void begin_log(void) {
  begin();
  snprintf(path, sizeof path, "%s/log", folder);
  snprintf(other_path, sizeof other_path, "%s.1", path);
}

/* The folder has nothing but the file, and the one to which it was moved. */
static inline void finish_log(void) {
  run_to_end(loop);
  unlink(path);
  unlink(other_path);
  CHECK_INT(rmdir(folder), 0);
  finish();
}

static inline void create(const char *text) { write_to(path, text, O_CREAT | O_TRUNC); }
static inline void append(const char *text) { write_to(path, text, O_CREAT | O_APPEND); }
static inline void rotate(void) { CHECK_INT(rename(path, other_path), 0); }

/* Some turns later, so that the follower has probably seen what was done before. No case depends on
   it. */
static inline void later(belay_action_fn action, const char *text) {
  CHECK_INT(belay_scheduler_after(belay_loop_get_scheduler(loop), 0.02, action, (void *)text, NULL,
                                  NULL),
            0);
}

static inline void append_text(void *text) { append(text); }
static inline void three_later(void) { later(append_text, "three\n"); }

/* ---- a case is a list of lines to come, and of what is done when each has come ---- */
typedef struct step {
  const char *line; /* NULL: the end */
  void (*then)(void);
} step;

static const step *steps;

static inline void follow_next(void *ctx, belay_value value) {
  char line[64];
  render(value, line, sizeof line);
  trace("%s", line);
  if (!steps->line || strcmp(line, steps->line) != 0) {
    check_failed(__FILE__, __LINE__, "the next line should be \"%s\": %s",
                 steps->line ? steps->line : "none", trace_text());
    return stop_loop(loop);
  }
  const step *now = steps++;
  if (now->then) now->then();
  if (!steps->line) stop_loop(loop);
}

static inline void follow(unsigned flags, const step *expected) {
  belay_observer observer = tracing("");
  belay_disposable *subscription = NULL;
  observer.next = follow_next;
  steps = expected;
  belay_signal *lines = belay_file_lines(loop, path, BELAY_FILE_FOLLOW | flags);
  CHECK_INT(belay_signal_subscribe(lines, &observer, &subscription), 0);
  belay_signal_release(lines);
  run_until_stopped(loop);
  CHECK(strstr(trace_text(), "disposed") == NULL);
  trace_clear();
  end_subscription(subscription);
  CHECK_TRACE("disposed | free");
}

#endif
