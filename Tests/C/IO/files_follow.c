/* Lines of a file that is followed: it grows, shrinks, is replaced, vanishes and comes back. */
#include "counts.h"

#include <sys/stat.h>
#include <unistd.h>

static char folder[64], path[128], other_path[136];
static belay_loop *loop;

/* Each case is a table of lines that come and of what is done to the file then. So the cases look
   alike. */

/* ---- what is done to the file ---- */

static void begin(void) {
  strcpy(folder, "/tmp/belay-follow-XXXXXX");
  CHECK(mkdtemp(folder) != NULL);
  snprintf(path, sizeof path, "%s/log", folder);
  snprintf(other_path, sizeof other_path, "%s.1", path);
  loop = open_counted();
}

static void finish(void) {
  run_to_end(loop);
  close_counted(loop);
  unlink(path);
  unlink(other_path);
  CHECK_INT(rmdir(folder), 0);
}

static void write_to(const char *name, const char *mode, const char *text) {
  FILE *file = fopen(name, mode);
  CHECK(file != NULL);
  CHECK(fputs(text, file) >= 0);
  CHECK_INT(fclose(file), 0);
}

static void create(const char *text) { write_to(path, "w", text); }
static void append(const char *text) { write_to(path, "a", text); }
static void rotate(void) { CHECK_INT(rename(path, other_path), 0); }

/* Some turns later, so that the follower has probably seen what was done before. No case depends on
   it. */
static void later(belay_action_fn action, const char *text) {
  CHECK_INT(belay_scheduler_after(belay_loop_get_scheduler(loop), 0.02, action, (void *)text, NULL,
                                  NULL),
            0);
}

/* ---- a case is a list of lines to come, and of what is done when each has come ---- */
typedef struct step {
  const char *line; /* NULL: the end */
  void (*then)(void);
} step;

static const step *steps;

static void follow_next(void *ctx, belay_value value) {
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

static void follow(unsigned flags, const step *expected) {
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

/* ---- growing ---- */

static void append_two(void) { append("two\n"); }
static void append_three_and_four(void) { append("three\nfour\n"); }

static void appended_lines(void) {
  begin();
  create("one\n");
  follow(0, (step[]){{"one", append_two},
                     {"two", append_three_and_four},
                     {"three", 0},
                     {"four", 0},
                     {0, 0}});
  finish();
}

static void append_text(void *text) { append(text); }
static void three_later(void) { later(append_text, "three\n"); }

static void appended_when_nothing_was_left_to_read(void) {
  begin();
  create("one\ntwo\n");
  follow(0, (step[]){{"one", 0}, {"two", three_later}, {"three", 0}, {0, 0}});
  finish();
}

static void an_empty_file_that_is_filled(void) {
  begin();
  create("");
  later(append_text, "one\n");
  follow(0, (step[]){{"one", 0}, {0, 0}});
  finish();
}

static void append_last_part(void *text) { append("al\r\nnext\n"); }
static void append_second_part(void *text) {
  append("ti");
  later(append_last_part, NULL);
}
static void complete_the_line(void) { later(append_second_part, NULL); }

static void a_partial_line_is_completed_later(void) {
  begin();
  create("one\npar");
  follow(0, (step[]){{"one", complete_the_line}, {"partial", 0}, {"next", 0}, {0, 0}});
  finish();
}

static void append_line_feed(void *text) { append("\nnext\n"); }
static void end_the_line(void) { later(append_line_feed, NULL); }

static void a_line_whose_end_comes_in_two_parts(void) {
  begin();
  create("one\ntwo\r");
  follow(0, (step[]){{"one", end_the_line}, {"two", 0}, {"next", 0}, {0, 0}});
  finish();
}

/* ---- shrinking ---- */

static void truncate_to_new(void) { create("new\n"); }

static void a_truncated_file_is_read_anew(void) {
  begin();
  create("one\ntwo\n");
  follow(0, (step[]){{"one", 0},
                     {"two", truncate_to_new},
                     {"new", three_later},
                     {"three", 0},
                     {0, 0}});
  finish();
}

static void truncate_to_nothing(void *text) {
  create("");
  later(append_text, text);
}
static void truncate_later(void) { later(truncate_to_nothing, "new\n"); }

static void truncated_with_an_unfinished_line(void) {
  begin();
  create("one\nhalf a li");
  follow(0, (step[]){{"one", truncate_later}, {"half a li", 0}, {"new", 0}, {0, 0}});
  finish();
}

/* ---- replaced ---- */

static void rotate_at_once(void) {
  append("tail\n");
  rotate();
  create("new\n");
}

static void a_rotated_file_is_read_to_its_end_first(void) {
  begin();
  create("one\n");
  follow(0, (step[]){{"one", rotate_at_once},
                     {"tail", 0},
                     {"new", three_later},
                     {"three", 0},
                     {0, 0}});
  finish();
}

static void rotate_now(void *text) { rotate_at_once(); }
static void rotate_later(void) { later(rotate_now, NULL); }

static void rotated_while_it_is_waited_for(void) {
  begin();
  create("one\n");
  follow(0, (step[]){{"one", rotate_later},
                     {"tail", 0},
                     {"new", rotate_later},
                     {"tail", 0},
                     {"new", three_later},
                     {"three", 0},
                     {0, 0}});
  finish();
}

static void create_new(void *text) { create(text); }
static void write_to_rotated(void *text) {
  write_to(other_path, "a", "tail\n");
  later(create_new, "new\n");
}
static void rotate_and_write_on(void) {
  rotate();
  later(write_to_rotated, NULL);
}

static void written_to_after_its_rotation(void) {
  begin();
  create("one\n");
  follow(0, (step[]){{"one", rotate_and_write_on}, {"tail", 0}, {"new", 0}, {0, 0}});
  finish();
}

static void rotated_with_an_unfinished_line(void) {
  begin();
  create("one\nunfinished");
  follow(0, (step[]){{"one", rotate_later}, {"unfinishedtail", 0}, {"new", 0}, {0, 0}});
  finish();
}

static void rotate_unfinished(void *text) {
  rotate();
  create("new\n");
}
static void rotate_unfinished_later(void) { later(rotate_unfinished, NULL); }

static void an_unfinished_line_is_not_glued_to_the_successor(void) {
  begin();
  create("one\nunfinished");
  follow(0, (step[]){{"one", rotate_unfinished_later}, {"unfinished", 0}, {"new", 0}, {0, 0}});
  finish();
}

static void rename_over(void) {
  write_to(other_path, "w", "successor\n");
  CHECK_INT(rename(other_path, path), 0);
}

static void replaced_in_one_step(void) {
  begin();
  create("one\n");
  follow(0, (step[]){{"one", rename_over}, {"successor", three_later}, {"three", 0}, {0, 0}});
  finish();
}

/* ---- gone ---- */

static void remove_then_create(void) {
  CHECK_INT(unlink(path), 0);
  later(create_new, "back\n");
}

static void a_file_that_vanishes_and_comes_back(void) {
  begin();
  create("one\n");
  follow(0, (step[]){{"one", remove_then_create},
                     {"back", remove_then_create},
                     {"back", three_later},
                     {"three", 0},
                     {0, 0}});
  finish();
}

static void put_back(void *text) {
  CHECK_INT(unlink(path), 0);
  create("back\n");
}
static void put_a_pipe_there(void) {
  CHECK_INT(unlink(path), 0);
  CHECK_INT(mkfifo(path, 0600), 0);
  later(put_back, NULL);
}

static void a_pipe_in_its_place_is_waited_out(void) {
  begin();
  create("one\n");
  follow(0, (step[]){{"one", put_a_pipe_there}, {"back", three_later}, {"three", 0}, {0, 0}});
  finish();
}

static void write_and_remove(void *text) {
  append("tail\n");
  remove_then_create();
}
static void write_and_remove_later(void) { later(write_and_remove, NULL); }

static void a_vanished_file_is_read_to_its_end_first(void) {
  begin();
  create("one\n");
  follow(0, (step[]){{"one", write_and_remove_later}, {"tail", 0}, {"back", 0}, {0, 0}});
  finish();
}

static void make_folder(void *text) {
  CHECK_INT(mkdir(folder, 0755), 0);
  create("back\n");
}
static void remove_folder(void) {
  CHECK_INT(unlink(path), 0);
  CHECK_INT(rmdir(folder), 0);
  later(make_folder, NULL);
}

static void a_folder_that_vanishes_and_comes_back(void) {
  begin();
  create("one\n");
  follow(0, (step[]){{"one", remove_folder}, {"back", three_later}, {"three", 0}, {0, 0}});
  finish();
}

/* ---- from the end, relative paths ---- */

static int attempts;
static void append_again(void *ctx) {
  char line[32];
  snprintf(line, sizeof line, "new %d\n", attempts++);
  append(line);
}

static void stop_at_the_first(void *ctx, belay_value value) {
  belay_view line = {"", 0};
  belay_value_get_string(value, &line);
  /* Which of the new lines comes first depends on when the file was opened, but no old line may
     come. */
  if (strncmp(line.data, "new ", 4) != 0) CHECK_STRING(line.data, "new ?");
  stop_loop(loop);
}

static void from_the_end(void) {
  begin();
  create("old\nolder\nhalf");
  attempts = 0;
  belay_observer observer = tracing("");
  belay_disposable *subscription = NULL, *repeated = NULL;
  observer.next = stop_at_the_first;
  belay_signal *lines =
      belay_file_lines(loop, path, BELAY_FILE_FOLLOW | BELAY_FILE_FROM_END);
  append("\n");
  CHECK_INT(belay_signal_subscribe(lines, &observer, &subscription), 0);
  belay_signal_release(lines);
  CHECK_INT(belay_scheduler_every(belay_loop_get_scheduler(loop), 0.02, 0.02, 0, append_again, NULL,
                                  NULL, &repeated),
            0);
  run_until_stopped(loop);
  end_subscription(repeated);
  end_subscription(subscription);
  CHECK_TRACE("disposed | free");
  finish();
}

static void a_path_without_a_folder(void) {
  char before[256];
  CHECK(getcwd(before, sizeof before) != NULL);
  begin();
  CHECK_INT(chdir(folder), 0);
  strcpy(path, "log");
  strcpy(other_path, "log.1");
  create("one\n");
  follow(0, (step[]){{"one", rotate_at_once},
                     {"tail", 0},
                     {"new", three_later},
                     {"three", 0},
                     {0, 0}});
  unlink(path);
  unlink(other_path);
  CHECK_INT(chdir(before), 0);
  finish();
}

/* ---- several, and their end ---- */

static int seen_by[2], both_seen;
static void seen_next(void *ctx, belay_value value) {
  int *seen = ctx;
  char text[64], expected[64];
  render(value, text, sizeof text);
  snprintf(expected, sizeof expected, "line %d", *seen);
  CHECK_STRING(text, expected);
  if (++*seen == 4 && ++both_seen == 2) stop_loop(loop);
}

static void two_subscriptions_at_once(void) {
  begin();
  create("line 0\nline 1\n");
  both_seen = 0;
  belay_disposable *subscriptions[2];
  belay_signal *lines = belay_file_lines(loop, path, BELAY_FILE_FOLLOW);
  for (int i = 0; i < 2; i++) {
    seen_by[i] = 0;
    belay_observer observer = {.size = sizeof observer, .next = seen_next, .ctx = &seen_by[i]};
    CHECK_INT(belay_signal_subscribe(lines, &observer, &subscriptions[i]), 0);
  }
  belay_signal_release(lines);
  later(append_text, "line 2\nline 3\n");
  run_until_stopped(loop);
  CHECK_INT(seen_by[0], 4);
  CHECK_INT(seen_by[1], 4);
  for (int i = 0; i < 2; i++) end_subscription(subscriptions[i]);
  finish();
}

static belay_disposable *itself;
static void dispose_at_the_second(void *ctx, belay_value value) {
  render_next(ctx, value);
  if (strstr(trace_text(), "two")) belay_disposable_dispose(itself);
  else append("two\nthree\n");
}

static void disposed_inside_next(void) {
  begin();
  create("one\n");
  belay_observer observer = tracing("");
  observer.next = dispose_at_the_second;
  belay_signal *lines = belay_file_lines(loop, path, BELAY_FILE_FOLLOW);
  CHECK_INT(belay_signal_subscribe(lines, &observer, &itself), 0);
  belay_signal_release(lines);
  CHECK_INT(belay_loop_alive(loop), 1);
  run_to_end(loop); /* afterwards nothing of it keeps the loop alive */
  CHECK_TRACE("next one | next two | disposed | free");
  belay_disposable_release(itself);
  finish();
}

/* ---- a writer that does not wait ---- */
enum { BURSTS = 200, EACH = 500 };
static int next_line, wrong_lines;

static void write_bursts(void *ctx) {
  for (int burst = 0; burst < BURSTS; burst++) {
    FILE *file = fopen(path, "a");
    for (int i = 0; i < EACH; i++) fprintf(file, "%d\n", burst * EACH + i);
    fclose(file);
  }
}

static void count_line(void *ctx, belay_value value) {
  belay_view line = {"", 0};
  belay_value_get_string(value, &line);
  if (atoi(line.data) != next_line++ && !wrong_lines++) printf("WRONG got %s (size %zu) expected %d\n", line.data, line.size, next_line - 1);
  if (next_line == BURSTS * EACH) stop_loop(loop);
}

static void a_writer_in_another_thread(void) {
  begin();
  create("");
  next_line = wrong_lines = 0;
  routine writer;
  belay_disposable *subscription = NULL;
  belay_observer observer = {.size = sizeof observer, .next = count_line};
  belay_signal *lines = belay_file_lines(loop, path, BELAY_FILE_FOLLOW);
  CHECK_INT(belay_signal_subscribe(lines, &observer, &subscription), 0);
  belay_signal_release(lines);
  start_thread(&writer, write_bursts, NULL);
  run_until_stopped(loop);
  join_thread(&writer);
  CHECK_INT(next_line, BURSTS * EACH);
  CHECK_INT(wrong_lines, 0);
  end_subscription(subscription);
  finish();
}

/* A line is appended and the file is moved away while the reader, which has found the end, looks at the path. */
enum { ROTATIONS = 100 };
static void lines_that_come_just_before_a_rotation(void) {
  begin();
  create("");
  next_line = wrong_lines = 0;
  int line = 0;
  belay_disposable *subscription = NULL;
  belay_observer observer = {.size = sizeof observer, .next = count_line};
  belay_signal *lines = belay_file_lines(loop, path, BELAY_FILE_FOLLOW);
  CHECK_INT(belay_signal_subscribe(lines, &observer, &subscription), 0);
  belay_signal_release(lines);
  append("0\n");
  for (line = 1; next_line < line;) CHECK(belay_loop_run(loop, BELAY_RUN_ONCE) >= 0);
  for (int rotation = 0; rotation < ROTATIONS; rotation++) {
    char text[16];
    for (int part = 0; part < 3; part++) {
      if (part == 2) rotate();
      snprintf(text, sizeof text, "%d\n", line++);
      append(text);
      if (part > 0) continue;
      for (int turns = rotation % 8; turns > 0; turns--) {
        CHECK(belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0);
        usleep(30);
      }
    }
    while (next_line < line && wrong_lines == 0)
      CHECK(belay_loop_run(loop, BELAY_RUN_ONCE) >= 0);
  }
  CHECK_INT(wrong_lines, 0);
  end_subscription(subscription);
  finish();
}

static const test_case cases[] = {
    CASE(lines_that_come_just_before_a_rotation),
    CASE(appended_lines),
    CASE(appended_when_nothing_was_left_to_read),
    CASE(an_empty_file_that_is_filled),
    CASE(a_partial_line_is_completed_later),
    CASE(a_line_whose_end_comes_in_two_parts),
    CASE(a_truncated_file_is_read_anew),
    CASE(truncated_with_an_unfinished_line),
    CASE(a_rotated_file_is_read_to_its_end_first),
    CASE(rotated_while_it_is_waited_for),
    CASE(written_to_after_its_rotation),
    CASE(rotated_with_an_unfinished_line),
    CASE(an_unfinished_line_is_not_glued_to_the_successor),
    CASE(replaced_in_one_step),
    CASE(a_file_that_vanishes_and_comes_back),
    CASE(a_pipe_in_its_place_is_waited_out),
    CASE(a_vanished_file_is_read_to_its_end_first),
    CASE(a_folder_that_vanishes_and_comes_back),
    CASE(from_the_end),
    CASE(a_path_without_a_folder),
    CASE(two_subscriptions_at_once),
    CASE(disposed_inside_next),
    CASE(a_writer_in_another_thread),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
