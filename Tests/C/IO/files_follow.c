/* Lines of a file that is followed: it grows, and it shrinks. Those of one that is replaced or
   vanishes are in files_replaced.c. */
#include "follow.h"

/* ---- growing ---- */

static void append_two(void) { append("two\n"); }
static void append_three_and_four(void) { append("three\nfour\n"); }

static void appended_lines(void) {
  begin_log();
  create("one\n");
  follow(0, (step[]){{"one", append_two},
                     {"two", append_three_and_four},
                     {"three", 0},
                     {"four", 0},
                     {0, 0}});
  finish_log();
}

static void appended_when_nothing_was_left_to_read(void) {
  begin_log();
  create("one\ntwo\n");
  follow(0, (step[]){{"one", 0}, {"two", three_later}, {"three", 0}, {0, 0}});
  finish_log();
}

static void an_empty_file_that_is_filled(void) {
  begin_log();
  create("");
  later(append_text, "one\n");
  follow(0, (step[]){{"one", 0}, {0, 0}});
  finish_log();
}

static void append_last_part(void *text) { append("al\r\nnext\n"); }
static void append_second_part(void *text) {
  append("ti");
  later(append_last_part, NULL);
}
static void complete_the_line(void) { later(append_second_part, NULL); }

static void a_partial_line_is_completed_later(void) {
  begin_log();
  create("one\npar");
  follow(0, (step[]){{"one", complete_the_line}, {"partial", 0}, {"next", 0}, {0, 0}});
  finish_log();
}

static void append_line_feed(void *text) { append("\nnext\n"); }
static void end_the_line(void) { later(append_line_feed, NULL); }

static void a_line_whose_end_comes_in_two_parts(void) {
  begin_log();
  create("one\ntwo\r");
  follow(0, (step[]){{"one", end_the_line}, {"two", 0}, {"next", 0}, {0, 0}});
  finish_log();
}

/* ---- shrinking ---- */

static void truncate_to_new(void) { create("new\n"); }

static void a_truncated_file_is_read_anew(void) {
  begin_log();
  create("one\ntwo\n");
  follow(0, (step[]){{"one", 0},
                     {"two", truncate_to_new},
                     {"new", three_later},
                     {"three", 0},
                     {0, 0}});
  finish_log();
}

/* As large as it was at the look before the last read. */
static void begin_anew(void) { create("four\nfive\n"); }
static void append_as_much(void) { append("two\nthree\n"); }

static void a_file_that_shrinks_to_an_earlier_size_is_read_anew(void) {
  begin_log();
  create("zero\nones\n");
  follow(0, (step[]){{"zero", 0},
                     {"ones", append_as_much},
                     {"two", 0},
                     {"three", begin_anew},
                     {"four", 0},
                     {"five", 0},
                     {0, 0}});
  finish_log();
}

static void truncate_to_nothing(void *text) {
  create("");
  later(append_text, text);
}
static void truncate_later(void) { later(truncate_to_nothing, "new\n"); }

static void truncated_with_an_unfinished_line(void) {
  begin_log();
  create("one\nhalf a li");
  follow(0, (step[]){{"one", truncate_later}, {"half a li", 0}, {"new", 0}, {0, 0}});
  finish_log();
}

/* ---- from the end ---- */

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
  begin_log();
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
  finish_log();
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
  begin_log();
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
  finish_log();
}

static belay_disposable *itself;
static void dispose_at_the_second(void *ctx, belay_value value) {
  render_next(ctx, value);
  if (strstr(trace_text(), "two")) belay_disposable_dispose(itself);
  else append("two\nthree\n");
}

static void disposed_inside_next(void) {
  begin_log();
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
  finish_log();
}

/* ---- a writer that does not wait ---- */
enum { BATCHES = 200, EACH = 500 };
static int next_line, wrong_lines;

static void write_batches(void *ctx) {
  for (int batch = 0; batch < BATCHES; batch++) {
    FILE *file = fopen(path, "a");
    for (int i = 0; i < EACH; i++) fprintf(file, "%d\n", batch * EACH + i);
    fclose(file);
  }
}

static void count_line(void *ctx, belay_value value) {
  belay_view line = {"", 0};
  belay_value_get_string(value, &line);
  if (atoi(line.data) != next_line++ && !wrong_lines++) printf("WRONG got %s (size %zu) expected %d\n", line.data, line.size, next_line - 1);
  if (next_line == BATCHES * EACH) stop_loop(loop);
}

static void a_writer_in_another_thread(void) {
  begin_log();
  create("");
  next_line = wrong_lines = 0;
  routine writer;
  belay_disposable *subscription = NULL;
  belay_observer observer = {.size = sizeof observer, .next = count_line};
  belay_signal *lines = belay_file_lines(loop, path, BELAY_FILE_FOLLOW);
  CHECK_INT(belay_signal_subscribe(lines, &observer, &subscription), 0);
  belay_signal_release(lines);
  start_thread(&writer, write_batches, NULL);
  run_until_stopped(loop);
  join_thread(&writer);
  CHECK_INT(next_line, BATCHES * EACH);
  CHECK_INT(wrong_lines, 0);
  end_subscription(subscription);
  finish_log();
}

/* A line is appended and the file is moved away while the reader, which has found the end, looks at the path. */
enum { ROTATIONS = 100 };
static void lines_that_come_just_before_a_rotation(void) {
  begin_log();
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
  finish_log();
}

static const test_case cases[] = {
    CASE(lines_that_come_just_before_a_rotation),
    CASE(appended_lines),
    CASE(appended_when_nothing_was_left_to_read),
    CASE(an_empty_file_that_is_filled),
    CASE(a_partial_line_is_completed_later),
    CASE(a_line_whose_end_comes_in_two_parts),
    CASE(a_truncated_file_is_read_anew),
    CASE(a_file_that_shrinks_to_an_earlier_size_is_read_anew),
    CASE(truncated_with_an_unfinished_line),
    CASE(from_the_end),
    CASE(two_subscriptions_at_once),
    CASE(disposed_inside_next),
    CASE(a_writer_in_another_thread),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
