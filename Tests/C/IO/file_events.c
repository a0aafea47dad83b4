/* What happens to files and directories: events, polls, trees. */
#define _GNU_SOURCE
#include "watching.h"

#include <ftw.h>

static void a_file_comes_and_goes(void) {
  begin();
  start(belay_file_events(loop, in_folder("file")));
  write_new("other");
  write_to(in_folder("file"), "", O_CREAT);
  run_until_traced("+file");
  write_to(in_folder("file"), "text", O_APPEND);
  run_until_traced("~file");
  CHECK_INT(unlink(in_folder("file")), 0);
  run_until_traced("-file");
  trace_clear();
  /* Another file takes its place. */
  CHECK_INT(rename(in_folder("other"), in_folder("file")), 0);
  run_until_traced("+file");
  trace_clear();
  write_to(in_folder("file"), "more", O_APPEND);
  run_until_traced("~file");
  CHECK(strstr(trace_text(), "other") == NULL);
  stop();
  finish();
}

static void entries_of_a_directory(void) {
  begin();
  start(belay_file_events(loop, folder));
  write_new("one");
  run_until_traced("+one");
  CHECK_INT(mkdir(in_folder("two"), 0700), 0);
  run_until_traced("+two");
  CHECK_INT(rename(in_folder("one"), in_folder("three")), 0);
  run_until_traced("+three");
  CHECK(strstr(trace_text(), "-one") != NULL);
  stop();
  finish();
}

static void a_directory_that_is_removed(void) {
  begin();
  char expected[300];
  CHECK_INT(mkdir(in_folder("in"), 0700), 0);
  snprintf(expected, sizeof expected, "error ENOENT: %s: no such file or directory",
           in_folder("in"));
  start(belay_file_events(loop, in_folder("in")));
  CHECK_INT(rmdir(in_folder("in")), 0);
  run_until_traced("free");
  CHECK(strstr(trace_text(), expected) != NULL);
  stop();
  /* The same for the directory of a file. */
  CHECK_INT(mkdir(in_folder("in"), 0700), 0);
  start(belay_file_events(loop, in_folder("in/file")));
  CHECK_INT(rename(in_folder("in"), in_folder("elsewhere")), 0);
  run_until_traced("free");
  CHECK(strstr(trace_text(), expected) != NULL);
  stop();
  /* There was none. */
  start(belay_file_events(loop, in_folder("none/file")));
  CHECK(strstr(trace_text(), "error ENOENT: ") && strstr(trace_text(), "/none: no such file"));
  stop();
  /* These name nothing that could come. */
  start(belay_file_events(loop, ""));
  CHECK(strstr(trace_text(), "error ENOENT: ") != NULL);
  stop();
  start(belay_file_events(loop, in_folder("none/")));
  CHECK(strstr(trace_text(), "error ENOENT: ") != NULL);
  stop();
  write_new("text");
  start(belay_file_events(loop, in_folder("text/")));
  CHECK(strstr(trace_text(), "error ENOTDIR: ") != NULL);
  stop();
  finish();
}

static void a_look_from_time_to_time(void) {
  begin();
  start(belay_file_poll(loop, in_folder("file"), 0.005));
  run_until_traced("-file");
  trace_clear();
  write_new("file");
  run_until_traced("+file");
  write_to(in_folder("file"), "and more", O_APPEND);
  run_until_traced("~file");
  trace_clear();
  CHECK_INT(unlink(in_folder("file")), 0);
  run_until_traced("-file");
  stop();
  finish();
}

static void look_a_while(void) {
  for (int i = 0; i < 10; i++) {
    usleep(5000);
    CHECK(belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0);
  }
}
/* It is missing for one reason, then for another. */
static void it_is_removed_once(void) {
  char below[200];
  begin();
  snprintf(below, sizeof below, "%s/file", in_folder("folder"));
  start(belay_file_poll(loop, below, 0.005));
  run_until_traced("-file");
  write_new("folder");
  look_a_while();
  CHECK_INT(unlink(in_folder("folder")), 0);
  look_a_while();
  CHECK_TRACE("-file");
  stop();
  finish();
}

/* ---- trees ---- */

static void make_tree(void) {
  CHECK_INT(mkdir(in_folder("a"), 0700), 0);
  CHECK_INT(mkdir(in_folder("a/b"), 0700), 0);
  CHECK_INT(mkdir(in_folder("a/b/c"), 0700), 0);
}

static void directories_below(void) {
  begin();
  make_tree();
  start(belay_tree_events(loop, folder));
  write_new("mark");
  run_until_traced("+mark");
  /* The tree is known when all of it has been listed, which events outrun. */
  for (int i = 0; i < 100 && !strstr(trace_text(), "a/b/c/"); i++) {
    write_new("a/b/c/file");
    CHECK(belay_loop_run(loop, BELAY_RUN_ONCE) >= 0);
  }
  CHECK(strstr(trace_text(), "a/b/c/file") != NULL);
  CHECK_INT(unlink(in_folder("a/b/c/file")), 0);
  run_until_traced("-a/b/c/file");
  trace_clear();
  CHECK_INT(rmdir(in_folder("a/b/c")), 0);
  run_until_traced("-a/b/c");
  stop();
  finish();
}

/* All of it exists before the first event is read. */
static void nothing_of_a_new_directory_is_left_out(void) {
  begin();
  start(belay_tree_events(loop, folder));
  make_tree();
  write_new("a/b/c/one");
  write_new("a/two");
  run_until_traced("+a/b/c/one");
  run_until_traced("+a/two");
  CHECK(strstr(trace_text(), "+a |") && strstr(trace_text(), "+a/b |") &&
        strstr(trace_text(), "+a/b/c |"));
  trace_clear();
  write_new("a/b/c/three");
  run_until_traced("+a/b/c/three");
  stop();
  finish();
}

/* Makes directories with a file each from another thread while the tree is watched. */
enum { MANY = 300 };
static void make_many(void *ctx) {
  char name[100];
  for (int i = 0; i < MANY; i++) {
    snprintf(name, sizeof name, "%s/d%d", folder, i);
    CHECK_INT(mkdir(name, 0700), 0);
    snprintf(name, sizeof name, "%s/d%d/f", folder, i);
    close(open(name, O_CREAT | O_WRONLY, 0600));
  }
}

static char seen[MANY];
static int files_seen;
static void note_file(void *ctx, belay_value value) {
  belay_value name;
  belay_view view = {"", 0};
  int number = -1;
  char end[3] = "";
  CHECK_INT(belay_value_get_item(value, 0, &name), 0);
  CHECK_INT(belay_value_get_string(name, &view), 0);
  if (sscanf(view.data, "d%d/%1s", &number, end) == 2 && !seen[number]++ && ++files_seen == MANY)
    stop_loop(loop);
}

static void nothing_is_lost_in_a_race(void) {
  begin();
  routine maker;
  belay_observer observer = tracing("");
  observer.next = note_file;
  memset(seen, 0, sizeof seen);
  files_seen = 0;
  belay_signal *tree = belay_tree_events(loop, folder);
  CHECK_INT(belay_signal_subscribe(tree, &observer, &subscription), 0);
  belay_signal_release(tree);
  start_thread(&maker, make_many, NULL);
  run_until_stopped(loop);
  join_thread(&maker);
  CHECK_INT(files_seen, MANY);
  stop();
  finish();
}

static void what_is_moved_is_watched_at_its_new_place(void) {
  begin();
  make_tree();
  start(belay_tree_events(loop, folder));
  CHECK_INT(rename(in_folder("a"), in_folder("z")), 0);
  run_until_traced("+z/b/c");
  CHECK(strstr(trace_text(), "-a") != NULL);
  /* Its last directory has been listed when this arrives. */
  write_new("z/b/c/file");
  run_until_traced("+z/b/c/file");
  CHECK(strstr(trace_text(), "+a/b/c/file") == NULL);
  stop();
  finish();
}

static void the_root_is_removed(void) {
  begin();
  CHECK_INT(mkdir(in_folder("root"), 0700), 0);
  start(belay_tree_events(loop, in_folder("root")));
  CHECK_INT(rmdir(in_folder("root")), 0);
  run_until_traced("free");
  CHECK(strstr(trace_text(), "error ENOENT: ") && strstr(trace_text(), "/root: no such file"));
  stop();
  start(belay_tree_events(loop, in_folder("root")));
  CHECK(strstr(trace_text(), "error ENOENT: ") != NULL);
  stop();
  write_new("file");
  start(belay_tree_events(loop, in_folder("file")));
  CHECK(strstr(trace_text(), "error ENOTDIR: ") != NULL);
  stop();
  finish();
}

/* A symbolic link takes the name of a directory that was moved, before the events are read. */
static void a_link_in_the_middle_of_a_path(void) {
  char from[100], target[100];
  begin();
  CHECK_INT(mkdir(in_folder("a"), 0700), 0);
  CHECK_INT(mkdir(in_folder("b"), 0700), 0);
  CHECK_INT(mkdir(in_folder("b/x"), 0700), 0);
  start(belay_tree_events(loop, folder));
  for (int i = 0; i < 100 && !strstr(trace_text(), "b/x/"); i++) {
    write_new("b/x/file");
    CHECK(belay_loop_run(loop, BELAY_RUN_ONCE) >= 0);
  }
  CHECK_INT(mkdir(in_folder("a/x"), 0700), 0);
  snprintf(from, sizeof from, "%s", in_folder("a"));
  CHECK_INT(rename(from, in_folder("c")), 0);
  snprintf(target, sizeof target, "%s", in_folder("b"));
  CHECK_INT(symlink(target, from), 0);
  run_until_traced("+c/x");
  trace_clear();
  write_new("b/x/after");
  run_until_traced("+b/x/after");
  CHECK(strstr(trace_text(), "a/x/") == NULL);
  CHECK_INT(unlink(in_folder("a")), 0);
  stop();
  finish();
}

/* The system gives a user few of inotify's descriptors. */
static void many_watch_one_directory_each(void) {
  begin();
  enum { WATCHED = 20 };
  belay_disposable *all[WATCHED];
  int before = descriptors();
  for (int i = 0; i < WATCHED; i++) {
    belay_observer observer = tracing("");
    observer.next = trace_file_event;
    belay_signal *events = belay_file_events(loop, i % 2 ? folder : in_folder("file"));
    CHECK_INT(belay_signal_subscribe(events, &observer, &all[i]), 0);
    belay_signal_release(events);
  }
  CHECK_INT(descriptors() - before, 1);
  /* One that ends takes the watch from nobody. */
  for (int i = 0; i < WATCHED - 1; i++) end_subscription(all[i]);
  trace_clear();
  write_new("file");
  run_until_traced("+file");
  end_subscription(all[WATCHED - 1]);
  trace_clear();
  run_to_end(loop);
  CHECK_INT(descriptors() - before, 0);
  finish();
}

static void ends_in_the_middle(void) {
  begin();
  make_tree();
  start(belay_tree_events(loop, folder));
  end_subscription(subscription);
  watch(belay_tree_events(loop, folder), "");
  watch(belay_file_events(loop, folder), "");
  watch(belay_file_poll(loop, folder, 0.001), "");
  write_new("file");
  trace_clear();
  CHECK_INT(belay_loop_close(loop, ignore_left, NULL, NULL), 0);
  CHECK_TRACE("disposed | free | disposed | free | disposed | free");
  belay_loop_release(loop);
  loop = open_loop();
  finish();
}

static void bad_arguments(void) {
  begin();
  CHECK(belay_file_events(loop, NULL) == NULL);
  check_last_error(BELAY_EINVAL);
  CHECK(belay_file_events(NULL, "x") == NULL);
  check_last_error(BELAY_EINVAL);
  CHECK(belay_file_poll(loop, "x", 0) == NULL);
  check_last_error(BELAY_EINVAL);
  CHECK(belay_file_poll(loop, "x", 0.0 / 0.0) == NULL);
  check_last_error(BELAY_EINVAL);
  CHECK(belay_tree_events(loop, NULL) == NULL);
  check_last_error(BELAY_EINVAL);
  finish();
}

static const test_case cases[] = {
    CASE(a_file_comes_and_goes),
    CASE(entries_of_a_directory),
    CASE(a_directory_that_is_removed),
    CASE(a_look_from_time_to_time),
    CASE(it_is_removed_once),
    CASE(directories_below),
    CASE(nothing_of_a_new_directory_is_left_out),
    CASE(nothing_is_lost_in_a_race),
    CASE(what_is_moved_is_watched_at_its_new_place),
    CASE(the_root_is_removed),
    CASE(a_link_in_the_middle_of_a_path),
    CASE(many_watch_one_directory_each),
    CASE(ends_in_the_middle),
    CASE(bad_arguments),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
