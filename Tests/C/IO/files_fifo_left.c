/* A FIFO that is followed. Its path vanishes, or names another file, while lines are in it. */
#define _GNU_SOURCE
#include "fds.h"
#include "worker.h"

/* Every line is a number, so that each shows whether those before it have come. The pool has one
   thread. So a case can say what happens before the follower learns that the path has changed. */

static char path[128];
static int writer; /* an end of the FIFO */
static int written; /* lines so far */
static belay_disposable *subscription;

/* ---- lines ---- */

static int heard;
static void (*inside)(void); /* is called by each line from the second one on */

static void expect_line(void *ctx, belay_value value) {
  char line[64];
  render(value, line, sizeof line);
  CHECK_INT(atoi(line), heard);
  heard = atoi(line) + 1;
  if (heard > 1 && inside) inside();
}

/* Of a line, and of what is written at once: all or nothing, as the system promises for so much. */
enum { LENGTH = 32, BLOCK = 4096 };

/* Writes lines into the FIFO. Answers whether there was room. */
static int write_block(void) {
  char text[BLOCK + 1];
  for (int i = 0; i < BLOCK / LENGTH; i++)
    sprintf(text + i * LENGTH, "%-*d\n", LENGTH - 1, written + i);
  if (write(writer, text, BLOCK) != BLOCK) return 0;
  written += BLOCK / LENGTH;
  return 1;
}

/* One line, whose end may be left out. */
static void write_line(int fd, const char *end) {
  char text[LENGTH];
  int size = sprintf(text, "%d%s", written++, end);
  CHECK_INT(write(fd, text, (size_t)size), size);
}

/* ---- what takes the place of the FIFO ---- */

static void nothing_comes(void) { CHECK_INT(unlink(path), 0); }

static void a_file_comes(void) {
  write_new("new");
  CHECK_INT(truncate(in_folder("new"), 0), 0);
  CHECK_INT(rename(in_folder("new"), path), 0);
}

static void write_a_line_to_the_file(void) {
  int file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  CHECK(file >= 0);
  write_line(file, "\n");
  close(file);
}
static void write_a_line_if_there_is_a_file(void) {
  if (access(path, F_OK) == 0) write_a_line_to_the_file();
}

/* ---- the moment ---- */

static sem_t is_held, may_go, is_over;
static uv_work_t works[2];

static void stand_still(uv_work_t *work) {
  sem_post(&is_held);
  wait_for(&may_go);
}
static void end_it(uv_work_t *work) { sem_post(&is_over); }
static void do_nothing(uv_work_t *work, int status) {}

static void begin_work(int number, uv_work_cb run, uv_after_work_cb then) {
  CHECK_INT(uv_queue_work(belay_loop_uv(loop), &works[number], run, then), 0);
}

/* What was asked of the pool before has been answered, and what is asked now waits. */
static void hold_pool(uv_after_work_cb then) {
  begin_work(0, stand_still, then);
  wait_for(&is_held);
}

static void run_turns(int count) {
  for (int i = 0; i < count; i++) CHECK(belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0);
}

/* The pipe is filled in the turn in which the follower learns that the path has changed, before. */
static void leave(void (*what_comes)(void), uv_after_work_cb fill) {
  hold_pool(fill);
  what_comes();
  run_turns(20); /* which ask the pool what the path names */
  begin_work(1, end_it, do_nothing);
  sem_post(&may_go);
  wait_for(&is_over);
  run_turns(1);
}

static void write_lines(void) {
  write_line(writer, "\n");
  while (write_block()) continue;
}
static void fill_the_pipe(uv_work_t *work, int status) {
  write_lines();
  write_a_line_if_there_is_a_file();
}
/* Its end is that of the last read, which had no room for more. */
static void fill_the_pipe_evenly(uv_work_t *work, int status) {
  while (write_block()) continue;
  write_a_line_if_there_is_a_file();
}
static void write_an_unfinished_line(uv_work_t *work, int status) {
  write_line(writer, "");
  write_a_line_if_there_is_a_file();
}

/* ---- a case ---- */

static void make_fifo(void) {
  begin();
  sem_init(&is_held, 0, 0);
  sem_init(&may_go, 0, 0);
  sem_init(&is_over, 0, 0);
  strcpy(path, in_folder("log"));
  CHECK_INT(mkfifo(path, 0600), 0);
  writer = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
  CHECK(writer >= 0);
  fcntl(writer, F_SETPIPE_SZ, 1 << 20); /* or what the system grants */
  heard = written = 0;
  inside = NULL;
  write_line(writer, "\n");
}

/* Follows it, and runs until its first line has come. */
static void follow(void) {
  belay_observer observer = tracing("");
  observer.next = expect_line;
  observer.error = trace_message;
  make_fifo();
  belay_signal *lines = belay_file_lines(loop, path, BELAY_FILE_FOLLOW);
  CHECK_INT(belay_signal_subscribe(lines, &observer, &subscription), 0);
  belay_signal_release(lines);
  while (heard < 1) CHECK(belay_loop_run(loop, BELAY_RUN_ONCE) >= 0);
}

/* Runs until everything has come that was written, or the subscription has ended. */
static void run_until_all_has_come(void) {
  belay_disposable *guard = NULL;
  CHECK_INT(belay_scheduler_after(belay_loop_get_scheduler(loop), 60, give_up, loop, NULL, &guard),
            0);
  while (heard < written && !*trace_text() && !belay_disposable_is_disposed(guard))
    CHECK(belay_loop_run(loop, BELAY_RUN_ONCE) >= 0);
  end_subscription(guard);
  CHECK_INT(heard, written);
}

static void end_case(void) {
  close(writer);
  sem_destroy(&is_held);
  sem_destroy(&may_go);
  sem_destroy(&is_over);
  unlink(path);
  finish();
}

static void end_following(void) {
  CHECK_TRACE("");
  end_subscription(subscription);
  CHECK_TRACE("disposed | free");
  run_to_end(loop);
  end_case();
}

static void its_lines_come_before_those_of_the_new_file(void) {
  uv_after_work_cb fills[] = {fill_the_pipe, fill_the_pipe_evenly};
  for (int i = 0; i < 2; i++) {
    follow();
    leave(a_file_comes, fills[i]);
    run_until_all_has_come();
    write_a_line_to_the_file();
    run_until_all_has_come();
    end_following();
  }
}

static void its_lines_come_when_its_path_has_vanished(void) {
  follow();
  leave(nothing_comes, fill_the_pipe);
  run_until_all_has_come();
  write_a_line_to_the_file();
  run_until_all_has_come();
  end_following();
}

/* The last writer has gone, and the pool is asked to open the path. Then another one comes. */
static void its_lines_come_when_it_was_to_be_opened_anew(void) {
  void (*const what_comes[])(void) = {a_file_comes, nothing_comes};
  for (int i = 0; i < 2; i++) {
    follow();
    hold_pool(do_nothing);
    close(writer);
    run_turns(20);
    writer = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC);
    CHECK(writer >= 0);
    write_lines();
    what_comes[i]();
    write_a_line_if_there_is_a_file();
    sem_post(&may_go);
    run_until_all_has_come();
    write_a_line_to_the_file();
    run_until_all_has_come();
    end_following();
  }
}

/* ---- the end of the subscription ---- */

static int last;
static void dispose_at_the_last(void) {
  if (heard == last || heard == written) belay_disposable_dispose(subscription);
}

static void it_is_disposed_of_at(int line, void (*what_comes)(void)) {
  follow();
  last = line;
  inside = dispose_at_the_last;
  leave(what_comes, fill_the_pipe);
  run_to_end(loop);
  CHECK(heard == last || heard == written);
  CHECK_TRACE("disposed | free");
  belay_disposable_release(subscription);
  end_case();
}

static void disposed_of_in_the_middle(void) {
  static const int lines[] = {2, 1000, 2047, 2048, 5000};
  for (int i = 0; i < 5; i++) {
    it_is_disposed_of_at(lines[i], a_file_comes);
    it_is_disposed_of_at(lines[i], nothing_comes);
  }
}

/* ---- turns inside ---- */

static void run_a_turn_now_and_then(void) {
  if (heard % 101 == 2) run_turns(1);
}

static void turns_inside_of_its_lines(void) {
  void (*const what_comes[])(void) = {a_file_comes, nothing_comes};
  for (int i = 0; i < 2; i++) {
    follow();
    inside = run_a_turn_now_and_then;
    leave(what_comes[i], fill_the_pipe);
    run_until_all_has_come();
    write_a_line_to_the_file();
    run_until_all_has_come();
    end_following();
  }
}

static void write_more_and_run_a_turn(void) {
  if (written < 8) write_a_line_to_the_file();
  run_turns(1);
}

static void turns_inside_of_its_unfinished_line(void) {
  void (*const what_comes[])(void) = {a_file_comes, nothing_comes};
  for (int i = 0; i < 2; i++) {
    follow();
    inside = write_more_and_run_a_turn;
    leave(what_comes[i], write_an_unfinished_line);
    run_until_all_has_come();
    end_following();
  }
}

/* ---- a writer that does not stop ---- */

/* Lines between two pieces of scheduled work, which are read in several turns. */
enum { LAP = 1 << 13, MOST = 1 << 20 };
static int laps, runs, is_told_to_stop;

static void count_run(void *ctx) { runs++; }
static void schedule_work_each_lap(void) {
  if (heard % LAP != 0) return;
  CHECK_INT(runs, laps);
  laps++;
  belay_scheduler *scheduler = belay_loop_get_scheduler(loop);
  CHECK_INT(belay_scheduler_schedule(scheduler, count_run, NULL, NULL, NULL), 0);
}

static void write_until_told_to_stop(void *start) {
  wait_for(start);
  while (written < MOST && !__atomic_load_n(&is_told_to_stop, __ATOMIC_RELAXED))
    if (!write_block()) sched_yield();
}
static void tell_to_stop(void *ctx) { __atomic_store_n(&is_told_to_stop, 1, __ATOMIC_RELAXED); }

static sem_t start;
static void fill_the_pipe_and_go_on(uv_work_t *work, int status) {
  write_lines();
  sem_post(&start);
}

static void others_have_their_turn_while_it_is_written_to(void) {
  routine thread;
  laps = runs = is_told_to_stop = 0;
  sem_init(&start, 0, 0);
  follow();
  inside = schedule_work_each_lap;
  start_thread(&thread, write_until_told_to_stop, &start);
  leave(nothing_comes, fill_the_pipe_and_go_on);
  CHECK_INT(belay_scheduler_after(belay_loop_get_scheduler(loop), 0.02, tell_to_stop, NULL, NULL,
                                  NULL), 0);
  while (!is_told_to_stop) CHECK(belay_loop_run(loop, BELAY_RUN_ONCE) >= 0);
  join_thread(&thread);
  inside = NULL;
  run_turns(2);
  CHECK_INT(runs, laps);
  end_following();
  sem_destroy(&start);
}

/* ---- a subscriber elsewhere ---- */

static sem_t go_on;
static void stop_there(void *ctx, const belay_error *error) {
  trace_message(NULL, error);
  belay_loop_stop(loop);
}
/* Holds its loop at the first line. The other loop is stopped then, and at the last one. */
static void take_lines_slowly(void *ctx, belay_value value) {
  expect_line(NULL, value);
  if (heard == 1) {
    stop_loop(loop);
    wait_for(&go_on);
  } else if (heard == written) {
    stop_loop(loop);
  }
}
static void follow_there(void *lines) {
  belay_observer observer = tracing("");
  observer.next = take_lines_slowly;
  observer.error = stop_there;
  CHECK_INT(belay_signal_subscribe(lines, &observer, &subscription), 0);
}
static void unfollow_there(void *ctx) { end_subscription(subscription); }

static void a_slow_subscriber_elsewhere_gets_all(void) {
  worker other = {0};
  make_fifo();
  sem_init(&go_on, 0, 0);
  start_worker(&other);
  belay_signal *lines = belay_file_lines(loop, path, BELAY_FILE_FOLLOW);
  on_worker(&other, follow_there, lines);
  belay_signal_release(lines);
  run_until_stopped(loop);
  leave(a_file_comes, fill_the_pipe);
  run_turns(20);
  CHECK_TRACE("");
  sem_post(&go_on);
  run_until_stopped(loop);
  on_worker(&other, unfollow_there, NULL);
  CHECK_TRACE("disposed | free");
  CHECK_INT(heard, written);
  stop_worker(&other);
  sem_destroy(&go_on);
  run_to_end(loop);
  end_case();
}

static const test_case cases[] = {
    CASE(its_lines_come_before_those_of_the_new_file),
    CASE(its_lines_come_when_its_path_has_vanished),
    CASE(its_lines_come_when_it_was_to_be_opened_anew),
    CASE(disposed_of_in_the_middle),
    CASE(turns_inside_of_its_lines),
    CASE(turns_inside_of_its_unfinished_line),
    CASE(others_have_their_turn_while_it_is_written_to),
    CASE(a_slow_subscriber_elsewhere_gets_all),
};

int main(int argc, char **argv) {
  setenv("UV_THREADPOOL_SIZE", "1", 1);
  /* What is read goes back to the system when it is freed, and cannot be read any more. */
  mallopt(M_MMAP_THRESHOLD, 1 << 14);
  return RUN_CASES(cases);
}
