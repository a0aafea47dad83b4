/* What is asked of the pool comes late, and is older than what the loop has heard meanwhile. One thread, which a case
   holds, is the whole pool. */
#define _GNU_SOURCE
#include "watching.h"
#include "worker.h"

#include <errno.h>
#include <signal.h>

static sem_t is_held, may_go;

static belay_value stand_still(void *ctx) {
  sem_post(&is_held);
  wait_for(&may_go);
  return belay_null();
}

static void hold_pool(void) {
  belay_signal *work = belay_work(loop, stand_still, NULL, NULL);
  CHECK_INT(belay_signal_subscribe(work, &BELAY_INIT(belay_observer), NULL), 0);
  belay_signal_release(work);
  wait_for(&is_held);
}
static void let_pool_go(void) { sem_post(&may_go); }

/* Enough for everything that needs no pool. */
static void turn_often(void) {
  for (int i = 0; i < 20; i++) {
    usleep(1000);
    CHECK(belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0);
  }
}

/* ---- a FIFO that is followed ---- */

static const char *fifo(void) { return in_folder("fifo"); }

static belay_disposable *follow_fifo(void) {
  CHECK_INT(mkfifo(fifo(), 0600), 0);
  return watched(belay_file_lines(loop, fifo(), BELAY_FILE_FOLLOW), "");
}

static int try_to_write(void) { return open(fifo(), O_WRONLY | O_NONBLOCK | O_CLOEXEC); }

static int open_to_write(void) {
  int writer;
  while ((writer = try_to_write()) < 0) CHECK(belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0);
  return writer;
}

static void put(int writer, const char *text) {
  CHECK_INT(write(writer, text, strlen(text)), strlen(text));
}

/* Follows the FIFO, which has got a first line. */
static belay_disposable *follow_written(int *writer) {
  begin();
  belay_disposable *subscription = follow_fifo();
  *writer = open_to_write();
  put(*writer, "one\n");
  run_until_traced("next one");
  return subscription;
}

static void a_fifo_is_read_while_its_path_is_looked_at(void) {
  int writer;
  belay_disposable *subscription = follow_written(&writer);
  hold_pool();
  CHECK_INT(futimens(writer, NULL), 0); /* so the path is looked at */
  turn_often();
  put(writer, "two\n");
  run_until_traced("next two");
  put(writer, "three\n");
  run_until_traced("next three");
  let_pool_go();
  turn_often();
  put(writer, "four\n");
  run_until_traced("next four");
  close(writer);
  end_subscription(subscription);
  CHECK_TRACE("next one | next two | next three | next four | disposed | free");
  run_to_end(loop);
  finish();
}

static void the_next_writer_of_a_fifo_need_not_wait(void) {
  int writer;
  belay_disposable *subscription = follow_written(&writer);
  close(writer);
  hold_pool(); /* which is to open the FIFO anew */
  turn_often();
  for (int i = 0; i < 3; i++) {
    writer = try_to_write();
    CHECK(writer >= 0);
    put(writer, "more\n");
    close(writer);
    turn_often();
  }
  let_pool_go();
  run_until_traced("next one | next more | next more | next more");
  end_subscription(subscription);
  trace_clear();
  run_to_end(loop);
  finish();
}

/* Each opens the FIFO, writes a line and closes it. */
enum { WRITERS = 3000 };
static void write_one_after_the_other(void *ctx) {
  for (int i = 0; i < WRITERS; i++) {
    int writer = open(fifo(), O_WRONLY | O_CLOEXEC);
    CHECK(writer >= 0);
    CHECK_INT(write(writer, "line\n", 5), 5);
    close(writer);
  }
}

static int lines;
static void count_line(void *ctx, belay_value value) { lines++; }

static void no_line_of_many_writers_is_lost(void) {
  begin();
  CHECK_INT(mkfifo(fifo(), 0600), 0);
  belay_signal *signal = belay_file_lines(loop, fifo(), BELAY_FILE_FOLLOW);
  belay_disposable *subscription = NULL;
  lines = 0;
  CHECK_INT(belay_signal_subscribe(signal, &BELAY_INIT(belay_observer, .next = count_line), &subscription), 0);
  belay_signal_release(signal);
  routine writer;
  start_thread(&writer, write_one_after_the_other, NULL);
  while (lines < WRITERS) CHECK(belay_loop_run(loop, BELAY_RUN_ONCE) >= 0);
  join_thread(&writer);
  CHECK_INT(lines, WRITERS);
  end_subscription(subscription);
  run_to_end(loop);
  finish();
}

/* What is left in a FIFO, and a line that is unfinished, come before what takes its place. */
static void a_fifo_is_replaced_while_it_is_opened_anew(void) {
  for (int by_file = 0; by_file < 2; by_file++) {
    int writer;
    belay_disposable *subscription = follow_written(&writer);
    close(writer);
    hold_pool();
    turn_often();
    writer = try_to_write();
    CHECK(writer >= 0);
    put(writer, "two\nunfinished");
    CHECK_INT(unlink(fifo()), 0);
    if (by_file) write_to(fifo(), "three\n", O_CREAT);
    else CHECK_INT(mkfifo(fifo(), 0600), 0);
    close(writer);
    let_pool_go();
    if (!by_file) {
      writer = open_to_write();
      put(writer, "three\n");
    }
    run_until_traced("next three");
    CHECK_TRACE("next one | next two | next unfinished | next three");
    if (!by_file) close(writer);
    end_subscription(subscription);
    trace_clear();
    run_to_end(loop);
    finish();
  }
}

/* ---- a tree that is watched ---- */

static belay_disposable *watch_tree(void) {
  belay_signal *signal = belay_tree_events(loop, folder);
  belay_disposable *subscription = NULL;
  CHECK_INT(belay_signal_subscribe(signal, &BELAY_INIT(belay_observer, .next = trace_file_event), &subscription), 0);
  belay_signal_release(signal);
  turn_often(); /* the folder has been listed */
  return subscription;
}

/* The list of a directory that is new is older than what happens in there meanwhile. */
static void what_has_gone_is_not_told_of_later(void) {
  begin();
  belay_disposable *subscription = watch_tree();
  hold_pool();
  CHECK_INT(mkdir(in_folder("d"), 0700), 0);
  write_new("d/gone");
  write_new("d/stays");
  CHECK_INT(mkdir(in_folder("d/moved"), 0700), 0);
  write_new("d/moved/file");
  run_until_traced("+d");
  /* The system lists it now; the loop comes to the list last. */
  let_pool_go();
  usleep(100000);
  CHECK_INT(unlink(in_folder("d/gone")), 0);
  CHECK_INT(rename(in_folder("d/moved"), in_folder("moved")), 0);
  run_until_traced("+d/stays");
  run_until_traced("+moved/file");
  turn_often();
  const char *gone = strstr(trace_text(), "-d/gone"), *moved = strstr(trace_text(), "-d/moved");
  CHECK(gone != NULL && !strstr(gone, "+d/gone"));
  CHECK(moved != NULL && !strstr(moved, "+d/moved"));
  CHECK(strstr(trace_text(), "+d/gone") && strstr(trace_text(), "+d/gone") < gone); /* the list was older */
  end_subscription(subscription);
  trace_clear();
  run_to_end(loop);
  finish();
}

/* A directory comes, goes and comes again under its name, before anything was listed. */
static void a_directory_that_is_made_again(void) {
  begin();
  belay_disposable *subscription = watch_tree();
  hold_pool();
  for (int i = 0; i < 2; i++) {
    CHECK_INT(mkdir(in_folder("d"), 0700), 0);
    write_new("d/a");
    CHECK_INT(mkdir(in_folder("d/s"), 0700), 0);
    turn_often();
    if (i > 0) break;
    CHECK_INT(unlink(in_folder("d/a")), 0);
    CHECK_INT(rmdir(in_folder("d/s")), 0);
    CHECK_INT(rmdir(in_folder("d")), 0);
    turn_often();
  }
  let_pool_go();
  run_until_traced("+d/s");
  const char *again = strstr(strstr(trace_text(), "-d |"), "+d |");
  CHECK(again && strstr(again, "+d/a") && strstr(again, "+d/s"));
  turn_often();
  write_new("d/s/heard");
  run_until_traced("+d/s/heard");
  end_subscription(subscription);
  trace_clear();
  run_to_end(loop);
  finish();
}

/* Many events, which wait for the list of their directory, come behind it, and quickly. */
static void many_events_wait_for_a_list(void) {
  enum { FILES = 3000 };
  char name[40];
  begin();
  belay_disposable *subscription = watch_tree();
  hold_pool();
  CHECK_INT(mkdir(in_folder("d"), 0700), 0);
  turn_often();
  for (int i = 0; i < FILES; i++) {
    snprintf(name, sizeof name, "d/%d", i);
    close(open(in_folder(name), O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
    if (i % 500 == 0) turn_often();
  }
  turn_often();
  CHECK_TRACE("+d");
  let_pool_go();
  write_new("last");
  run_until_traced("+last");
  write_new("d/last");
  run_until_traced("+d/last");
  end_subscription(subscription);
  trace_clear();
  run_to_end(loop);
  finish();
}

/* Nobody's subscription was made by the handle of a user, who leaves before its directory is listed. */
static void a_list_comes_when_who_has_asked_for_it_has_left(void) {
  begin();
  belay_loop *asking = belay_loop_adopt(belay_loop_uv(loop), NULL);
  hold_pool();
  start(belay_tree_events(asking, folder));
  CHECK_INT(belay_loop_close(asking, expect_nothing_left, NULL, NULL), 0);
  belay_loop_release(asking);
  let_pool_go();
  write_new("file");
  run_until_traced("file");
  stop();
  finish();
}

static const test_case cases[] = {
    CASE(a_fifo_is_read_while_its_path_is_looked_at),
    CASE(the_next_writer_of_a_fifo_need_not_wait),
    CASE(no_line_of_many_writers_is_lost),
    CASE(a_fifo_is_replaced_while_it_is_opened_anew),
    CASE(what_has_gone_is_not_told_of_later),
    CASE(a_directory_that_is_made_again),
    CASE(many_events_wait_for_a_list),
    CASE(a_list_comes_when_who_has_asked_for_it_has_left),
};

int main(int argc, char **argv) {
  setenv("UV_THREADPOOL_SIZE", "1", 1);
  signal(SIGPIPE, SIG_IGN);
  sem_init(&is_held, 0, 0);
  sem_init(&may_go, 0, 0);
  return RUN_CASES(cases);
}
