/* Files as a whole and in chunks, and lists of directories. */
#define _GNU_SOURCE
#include "fds.h"

#include <signal.h>
#include <sys/resource.h>

static void trace_sizes(void *ctx, belay_value value) {
  belay_view view = {"", 0};
  CHECK_INT(belay_value_kind(value), BELAY_KIND_BYTES);
  CHECK_INT(belay_value_get_bytes(value, &view), 0);
  trace("%zu", view.size);
}

static void subscribe_with(belay_signal *signal, void (*next)(void *, belay_value)) {
  belay_observer observer = tracing("");
  observer.next = next;
  observer.error = trace_message;
  CHECK(signal != NULL);
  CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
  belay_signal_release(signal);
}

static void trace_bytes(void *ctx, belay_value value) {
  belay_view view = {"", 0};
  CHECK_INT(belay_value_get_bytes(value, &view), 0);
  trace("\"%.*s\"", (int)view.size, view.data);
}

static void read_whole(const char *path) {
  subscribe_with(belay_file_read(loop, path), trace_bytes);
  run_to_end(loop);
}

static void expect_file(const char *name, const char *content) {
  char text[100] = "";
  FILE *file = fopen(in_folder(name), "r");
  CHECK(file != NULL);
  if (!file) return;
  text[fread(text, 1, sizeof text - 1, file)] = 0;
  CHECK_STRING(text, content);
  fclose(file);
}

static void reads_all_bytes(void) {
  begin();
  write_new("file");
  read_whole(in_folder("file"));
  CHECK_TRACE("\"text\" | completed | disposed | free");
  write_to(in_folder("empty"), "", O_CREAT);
  read_whole(in_folder("empty"));
  CHECK_TRACE("\"\" | completed | disposed | free");
  /* It says that it is empty. */
  subscribe_with(belay_file_read(loop, "/proc/self/status"), trace_sizes);
  run_to_end(loop);
  CHECK(strstr(trace_text(), "completed") != NULL);
  CHECK(atoi(trace_text()) > 100);
  trace_clear();
  finish();
}

static void reads_a_large_file(void) {
  begin();
  int fd = open(in_folder("large"), O_CREAT | O_WRONLY, 0600);
  CHECK_INT(ftruncate(fd, 300001), 0);
  close(fd);
  subscribe_with(belay_file_read(loop, in_folder("large")), trace_sizes);
  run_to_end(loop);
  CHECK_TRACE("300001 | completed | disposed | free");
  subscribe_with(belay_file_chunks(loop, in_folder("large"), 0), trace_sizes);
  run_to_end(loop);
  CHECK_TRACE("65536 | 65536 | 65536 | 65536 | 37857 | completed | disposed | free");
  finish();
}

static void chunks_of_a_file_that_grows(void) {
  begin();
  write_new("log");
  belay_observer observer = tracing("");
  belay_disposable *subscription = NULL;
  observer.next = trace_bytes;
  belay_signal *chunks = belay_file_chunks(loop, in_folder("log"), BELAY_FILE_FOLLOW);
  CHECK_INT(belay_signal_subscribe(chunks, &observer, &subscription), 0);
  belay_signal_release(chunks);
  run_until_traced("\"text\"");
  write_to(in_folder("log"), "more", O_APPEND);
  run_until_traced("\"text\" | \"more\"");
  end_subscription(subscription);
  trace_clear();
  run_to_end(loop);
  finish();
}

static void what_cannot_be_read(void) {
  begin();
  char expected[300];
  snprintf(expected, sizeof expected,
           "error ENOENT: %s: no such file or directory | disposed | free", in_folder("none"));
  read_whole(in_folder("none"));
  CHECK_TRACE(expected);
  read_whole(folder);
  CHECK(strstr(trace_text(), "illegal operation on a directory") != NULL);
  trace_clear();
  CHECK_INT(mkfifo(in_folder("pipe"), 0600), 0);
  read_whole(in_folder("pipe"));
  CHECK(strstr(trace_text(), "error EINVAL: ") && strstr(trace_text(), "pipe: is a pipe"));
  trace_clear();
  read_whole("/dev/zero");
  CHECK_TRACE("error EINVAL: /dev/zero: is a device | disposed | free");
  read_whole("/dev/null");
  CHECK_TRACE("\"\" | completed | disposed | free");
  /* In chunks, the loop waits for it. */
  subscribe_with(belay_file_chunks(loop, in_folder("pipe"), 0), trace_sizes);
  for (int i = 0; i < 100; i++) CHECK(belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0);
  int writer = open(in_folder("pipe"), O_RDWR);
  CHECK_INT(write(writer, "12345", 5), 5);
  run_until_traced("5");
  close(writer);
  run_to_end(loop);
  CHECK_TRACE("5 | completed | disposed | free");
  finish();
}

static void no_descriptor_is_left(void) {
  begin();
  struct rlimit limit, small;
  write_new("file");
  CHECK_INT(getrlimit(RLIMIT_NOFILE, &limit), 0);
  small = limit;
  int next = dup(0);
  close(next);
  small.rlim_cur = (rlim_t)next;
  CHECK_INT(setrlimit(RLIMIT_NOFILE, &small), 0);
  read_whole(in_folder("file"));
  CHECK(strncmp(trace_text(), "error EMFILE: ", 14) == 0);
  trace_clear();
  watch_errors(belay_tree_events(loop, folder));
  CHECK(strncmp(trace_text(), "error EMFILE: ", 14) == 0);
  trace_clear();
  watch_errors(belay_file_write(loop, in_folder("file"), belay_string("other")));
  run_to_end(loop);
  CHECK(strncmp(trace_text(), "error EMFILE: ", 14) == 0);
  trace_clear();
  CHECK_INT(setrlimit(RLIMIT_NOFILE, &limit), 0);
  expect_file("file", "text");
  finish();
}

static void write_whole(const char *path, const char *content) {
  watch_errors(belay_file_write(loop, path, belay_string(content)));
  run_to_end(loop);
}

static void writes_at_once(void) {
  begin();
  struct stat status;
  mode_t mask = umask(027);
  write_whole(in_folder("new"), "first");
  umask(mask);
  CHECK_TRACE("next null | completed | disposed | free");
  expect_file("new", "first");
  CHECK_INT(stat(in_folder("new"), &status), 0);
  CHECK_INT(status.st_mode & 07777, 0640);
  CHECK_INT(chmod(in_folder("new"), 0604), 0);
  write_whole(in_folder("new"), "second");
  expect_file("new", "second");
  CHECK_INT(stat(in_folder("new"), &status), 0);
  CHECK_INT(status.st_mode & 07777, 0604);
  /* Who runs it would run it as the writer. */
  CHECK_INT(chmod(in_folder("new"), 06754), 0);
  write_whole(in_folder("new"), "second");
  CHECK_INT(stat(in_folder("new"), &status), 0);
  CHECK_INT(status.st_mode & 07777, 0754);
  /* A link stays one. */
  CHECK_INT(symlink("new", in_folder("link")), 0);
  write_whole(in_folder("link"), "third");
  expect_file("new", "third");
  CHECK_INT(lstat(in_folder("link"), &status), 0);
  CHECK(S_ISLNK(status.st_mode));
  trace_clear();
  watch(belay_directory_list(loop, folder), "");
  run_to_end(loop);
  CHECK_TRACE("next [[link 3] [new 1]] | completed | disposed | free");
  finish();
}

static void what_cannot_be_written(void) {
  begin();
  CHECK_INT(mkfifo(in_folder("pipe"), 0600), 0);
  write_whole(in_folder("pipe"), "text");
  CHECK(strstr(trace_text(), "error EINVAL: ") && strstr(trace_text(), "pipe: is not a file"));
  trace_clear();
  write_whole(in_folder("none/file"), "text");
  CHECK(strncmp(trace_text(), "error ENOENT: ", 14) == 0);
  CHECK(strstr(trace_text(), "none/file: no such file") != NULL);
  trace_clear();
  /* A link that leads nowhere stays. */
  struct stat status;
  CHECK_INT(symlink("nowhere", in_folder("link")), 0);
  write_whole(in_folder("link"), "text");
  CHECK(strncmp(trace_text(), "error ENOENT: ", 14) == 0);
  CHECK_INT(lstat(in_folder("link"), &status), 0);
  CHECK(S_ISLNK(status.st_mode));
  trace_clear();
  CHECK(belay_file_write(loop, in_folder("file"), belay_int32(1)) == NULL);
  check_last_error(BELAY_EKIND);
  CHECK(belay_file_write(loop, NULL, belay_string("text")) == NULL);
  check_last_error(BELAY_EINVAL);
  CHECK(belay_file_write(NULL, "file", belay_string("text")) == NULL);
  check_last_error(BELAY_EINVAL);
  CHECK(belay_file_read(loop, NULL) == NULL);
  check_last_error(BELAY_EINVAL);
  CHECK(belay_file_chunks(loop, "file", 4) == NULL);
  check_last_error(BELAY_EINVAL);
  CHECK(belay_directory_list(loop, NULL) == NULL);
  check_last_error(BELAY_EINVAL);
  finish();
}

static void a_full_disk_leaves_the_old_file(void) {
  begin();
  struct rlimit limit, small;
  char *large = malloc(100001);
  memset(large, 'x', 100000);
  large[100000] = 0;
  write_new("file");
  CHECK(signal(SIGXFSZ, SIG_IGN) != SIG_ERR);
  CHECK_INT(getrlimit(RLIMIT_FSIZE, &limit), 0);
  small = limit;
  small.rlim_cur = 50000;
  CHECK_INT(setrlimit(RLIMIT_FSIZE, &small), 0);
  write_whole(in_folder("file"), large);
  CHECK_INT(setrlimit(RLIMIT_FSIZE, &limit), 0);
  CHECK(signal(SIGXFSZ, SIG_DFL) != SIG_ERR);
  CHECK(strncmp(trace_text(), "error EFBIG: ", 13) == 0);
  CHECK(strstr(trace_text(), "/file: file too large") != NULL);
  trace_clear();
  expect_file("file", "text");
  watch(belay_directory_list(loop, folder), "");
  run_to_end(loop);
  CHECK_TRACE("next [[file 1]] | completed | disposed | free");
  free(large);
  finish();
}

static void lists_of_directories(void) {
  begin();
  watch(belay_directory_list(loop, folder), "");
  run_to_end(loop);
  CHECK_TRACE("next [] | completed | disposed | free");
  write_new("b");
  CHECK_INT(mkdir(in_folder("a"), 0700), 0);
  write_new("c\xff");
  watch(belay_directory_list(loop, folder), "");
  run_to_end(loop);
  CHECK_TRACE("next [[a 2] [b 1] [bytes 1]] | completed | disposed | free");
  watch_errors(belay_directory_list(loop, in_folder("b")));
  run_to_end(loop);
  CHECK(strstr(trace_text(), "/b: not a directory") != NULL);
  trace_clear();
  finish();
}

static void given_up(void) {
  begin();
  write_new("file");
  end_subscription(watched(belay_file_read(loop, in_folder("file")), ""));
  end_subscription(watched(belay_file_chunks(loop, in_folder("file"), 0), ""));
  end_subscription(watched(belay_directory_list(loop, folder), ""));
  CHECK(strstr(trace_text(), "next") == NULL);
  trace_clear();
  run_to_end(loop);
  CHECK_TRACE("");
  watch(belay_file_read(loop, in_folder("file")), "");
  watch(belay_file_chunks(loop, in_folder("file"), 0), "");
  CHECK_INT(belay_loop_close(loop, ignore_left, NULL, NULL), 0);
  CHECK_TRACE("disposed | free | disposed | free");
  belay_loop_release(loop);
  loop = open_loop();
  finish();
}

static const test_case cases[] = {
    CASE(reads_all_bytes),
    CASE(reads_a_large_file),
    CASE(chunks_of_a_file_that_grows),
    CASE(what_cannot_be_read),
    CASE(no_descriptor_is_left),
    CASE(writes_at_once),
    CASE(what_cannot_be_written),
    CASE(a_full_disk_leaves_the_old_file),
    CASE(lists_of_directories),
    CASE(given_up),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
