/* The system loses events of files and directories while nobody reads them. */
#define _GNU_SOURCE
#include "watching.h"

static int lost;
static void note_loss(void *ctx, belay_value value) {
  belay_view name;
  uint32_t kind = read_file_event(value, &name);
  if (kind == BELAY_FILE_LOST) lost++;
  if (lost && kind == BELAY_FILE_CREATED && strcmp(name.data, "last/file") == 0)
    stop_loop(loop);
}

/* Fills the system's queue while nobody reads it. */
static void lose_events_at(const char *name) {
  int limit = 0;
  FILE *file = fopen("/proc/sys/fs/inotify/max_queued_events", "r");
  CHECK(file && fscanf(file, "%d", &limit) == 1);
  fclose(file);
  char path[100], other[100];
  snprintf(path, sizeof path, "%s", in_folder(name));
  /* Another name of a file comes and goes in less than half the time that a file takes. */
  snprintf(other, sizeof other, "%s-other", folder);
  CHECK_INT(close(open(other, O_CREAT | O_WRONLY, 0600)), 0);
  unlink(path);
  for (int i = 0; i <= limit / 2 && limit < 1000000; i++) {
    if (link(other, path) != 0) check_failed(__FILE__, __LINE__, "no link: %s", path);
    unlink(path);
  }
  unlink(other);
}
static void lose_events(void) { lose_events_at("busy"); }

static void more_events_than_the_system_keeps(void) {
  begin();
  belay_observer observer = tracing("");
  observer.next = note_loss;
  lost = 0;
  belay_signal *tree = belay_tree_events(loop, folder);
  CHECK_INT(belay_signal_subscribe(tree, &observer, &subscription), 0);
  belay_signal_release(tree);
  lose_events();
  /* Nothing tells of these but the listing after the loss. */
  CHECK_INT(mkdir(in_folder("last"), 0700), 0);
  write_new("last/file");
  run_until_stopped(loop);
  CHECK_INT(lost, 1);
  stop();
  finish();
}

/* Traces what follows the loss. */
static void trace_after_loss(void *ctx, belay_value value) {
  belay_view name;
  if (read_file_event(value, &name) == BELAY_FILE_LOST) lost++;
  if (lost) trace_file_event(ctx, value);
}

static void lose_events_of(const char *path, const char *expected) {
  belay_observer observer = tracing("");
  observer.next = trace_after_loss;
  observer.error = trace_message;
  lost = 0;
  belay_signal *events = belay_file_events(loop, path);
  CHECK_INT(belay_signal_subscribe(events, &observer, &subscription), 0);
  belay_signal_release(events);
  lose_events();
  write_new("file");
  unlink(in_folder("gone"));
  run_until_traced(expected);
  CHECK_INT(lost, 1);
  CHECK_INT(strncmp(trace_text(), "! | ", 4), 0);
  stop();
}

/* What exists is told after the loss, of the directory and of one file in it. */
static void a_directory_that_loses_events(void) {
  begin();
  lose_events_of(folder, "+file");
  lose_events_of(in_folder("file"), "+file");
  write_new("gone");
  lose_events_of(in_folder("gone"), "-gone");
  finish();
}

/* When a part has been read, the system takes more behind its note of the loss, and loses the rest without
   another one. What it took is older than the list. */
static int exists;
static void note_existence(void *ctx, belay_value value) {
  belay_view name;
  uint32_t kind = read_file_event(value, &name);
  if (kind == BELAY_FILE_LOST) lost++, exists = 0; /* what exists follows */
  if (strcmp(name.data, "flips") == 0) exists = kind != BELAY_FILE_REMOVED;
  if (strcmp(name.data, "end") == 0) stop_loop(loop);
}
static void it_goes_on_losing(belay_signal *signal, int turns, int exists_at_last) {
  belay_observer observer = tracing("");
  observer.next = note_existence;
  lost = 0, exists = !exists_at_last;
  CHECK_INT(belay_signal_subscribe(signal, &observer, &subscription), 0);
  belay_signal_release(signal);
  CHECK(belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0);
  if (exists_at_last) write_new("odd"); /* so that the last one that is taken is of the other kind */
  lose_events_at("flips");
  for (int i = 0; i < turns; i++) CHECK(belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0);
  lose_events_at("flips");
  if (exists_at_last) write_new("flips");
  while (!lost) CHECK(belay_loop_run(loop, BELAY_RUN_ONCE) >= 0);
  write_new("end");
  run_until_stopped(loop);
  CHECK_INT(lost, 1);
  CHECK_INT(exists, exists_at_last);
  for (const char *const *name = (const char *const[]){"flips", "odd", "end", NULL}; *name; name++)
    unlink(in_folder(*name));
  stop();
}
static void what_was_taken_behind_a_loss(void) {
  begin();
  for (int turns = 1; turns < 4; turns++) {
    for (int exists_at_last = 0; exists_at_last < 2; exists_at_last++) {
      it_goes_on_losing(belay_file_events(loop, folder), turns, exists_at_last);
      it_goes_on_losing(belay_tree_events(loop, folder), turns, exists_at_last);
    }
  }
  finish();
}

/* A directory that left the tree meanwhile is not told of under its old name. */
static void what_is_moved_away_while_events_are_lost(void) {
  begin();
  CHECK_INT(mkdir(in_folder("tree"), 0700), 0);
  CHECK_INT(mkdir(in_folder("tree/a"), 0700), 0);
  start(belay_tree_events(loop, in_folder("tree")));
  write_new("tree/mark");
  run_until_traced("+mark");
  for (int i = 0; i < 100 && !strstr(trace_text(), "a/"); i++) {
    write_new("tree/a/file");
    CHECK(belay_loop_run(loop, BELAY_RUN_ONCE) >= 0);
  }
  trace_clear();
  lose_events_at("tree/mark");
  char from[100];
  snprintf(from, sizeof from, "%s", in_folder("tree/a"));
  CHECK_INT(rename(from, in_folder("b")), 0);
  lost = 0;
  while (!lost) {
    CHECK(belay_loop_run(loop, BELAY_RUN_ONCE) >= 0);
    lost = strchr(trace_text(), '!') != NULL;
    trace_clear();
  }
  write_new("b/new");
  write_new("tree/end");
  run_until_traced("+end");
  CHECK(strstr(trace_text(), "a/") == NULL);
  stop();
  finish();
}

static const test_case cases[] = {
    CASE(more_events_than_the_system_keeps),
    CASE(a_directory_that_loses_events),
    CASE(what_was_taken_behind_a_loss),
    CASE(what_is_moved_away_while_events_are_lost),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
