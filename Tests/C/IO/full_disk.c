#define _GNU_SOURCE
/* Disks that are full, slow or broken: the calls of the system that read and write files are replaced here, and fail
   once each. RLIMIT_FSIZE is tried by whole_files.c. */
#include "fds.h"

#include <errno.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <sys/uio.h>

/* ---- the system's calls, of threads of the pool on files alone ---- */

static pthread_t main_thread;
/* Which call fails, with what, and how often it succeeds before. */
static const char *failing = "";
static int failure, successes;
/* Most bytes of one call; 0: any number. */
static size_t largest;
static int is_often_interrupted;
static unsigned interruptions;

static int fails(const char *call, int fd) {
  struct stat status;
  if (pthread_equal(pthread_self(), main_thread)) return 0;
  if (fd >= 0 && (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode))) return 0;
  /* Every second call. */
  if (is_often_interrupted && fd >= 0 && __atomic_fetch_add(&interruptions, 1, __ATOMIC_RELAXED) % 2 == 0) {
    errno = EINTR;
    return 1;
  }
  if (strcmp(failing, call) != 0 || successes-- > 0) return 0;
  errno = failure;
  return 1;
}

static size_t shortened(size_t size) { return largest > 0 && size > largest ? largest : size; }

ssize_t write(int fd, const void *data, size_t size) {
  return fails("write", fd) ? -1 : syscall(SYS_write, fd, data, fd > 2 ? shortened(size) : size);
}
ssize_t read(int fd, void *data, size_t size) {
  return fails("read", fd) ? -1 : syscall(SYS_read, fd, data, size);
}
ssize_t pread(int fd, void *data, size_t size, off_t offset) {
  return fails("read", fd) ? -1 : syscall(SYS_pread64, fd, data, size, offset);
}
ssize_t pread64(int fd, void *data, size_t size, off_t offset) { return pread(fd, data, size, offset); }
int fsync(int fd) { return fails("fsync", fd) ? -1 : (int)syscall(SYS_fsync, fd); }
int fchmod(int fd, mode_t mode) { return fails("fchmod", fd) ? -1 : (int)syscall(SYS_fchmod, fd, mode); }
int rename(const char *from, const char *to) {
  return fails("rename", -1) ? -1 : (int)syscall(SYS_renameat, AT_FDCWD, from, AT_FDCWD, to);
}
int open(const char *path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  int mode = flags & O_CREAT ? va_arg(arguments, int) : 0;
  va_end(arguments);
  return fails("open", -1) ? -1 : (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}
int open64(const char *path, int flags, ...) {
  va_list arguments;
  va_start(arguments, flags);
  int mode = flags & O_CREAT ? va_arg(arguments, int) : 0;
  va_end(arguments);
  return open(path, flags, mode);
}

/* ---- cases ---- */

enum { SIZE = 200000 };
static char large[SIZE + 1];

static void begin_disk(void) {
  begin();
  for (int i = 0; i < SIZE; i++) large[i] = i % 61 == 60 ? '\n' : (char)('A' + i % 61);
  failing = "";
  successes = 0;
  largest = 0;
  is_often_interrupted = 0;
  main_thread = pthread_self();
}

static void expect_content(const char *content) {
  static char there[SIZE + 2];
  int fd = open(in_folder("file"), O_RDONLY);
  ssize_t count = read(fd, there, sizeof there - 1);
  there[count > 0 ? count : 0] = 0;
  CHECK(strcmp(there, content) == 0);
  close(fd);
  trace_clear();
  watch(belay_directory_list(loop, folder), "");
  run_to_end(loop);
  CHECK_TRACE("next [[file 1]] | completed | disposed | free");
}

/* Writes the large text over the old one while a call fails. */
static void write_while(const char *call, int error, int after, const char *expected) {
  char message[300];
  failing = call;
  failure = error;
  successes = after;
  watch_errors(belay_file_write(loop, in_folder("file"), belay_string(large)));
  run_to_end(loop);
  CHECK(successes < 0);
  failing = "";
  snprintf(message, sizeof message, "error %s: %s: %s | disposed | free", belay_error_name(-error),
           in_folder("file"), expected);
  CHECK_STRING(trace_text(), message);
  expect_content("text");
}

static void each_call_that_fails_leaves_the_old_file(void) {
  static const struct {
    int error;
    const char *text;
  } errors[] = {{ENOSPC, "no space left on device"}, {EIO, "i/o error"}, {EROFS, "read-only file system"}};
  begin_disk();
  write_new("file");
  for (int i = 0; i < 3; i++) {
    write_while("open", errors[i].error, 0, errors[i].text);
    write_while("fchmod", errors[i].error, 0, errors[i].text);
    write_while("write", errors[i].error, 0, errors[i].text);
    write_while("fsync", errors[i].error, 0, errors[i].text);
    write_while("rename", errors[i].error, 0, errors[i].text);
    /* After a part of the text. */
    largest = 1000;
    write_while("write", errors[i].error, 100, errors[i].text);
    largest = 0;
  }
  /* There is room again. */
  watch_errors(belay_file_write(loop, in_folder("file"), belay_string(large)));
  run_to_end(loop);
  CHECK_TRACE("next null | completed | disposed | free");
  expect_content(large);
  finish();
}

static void written_in_small_pieces(void) {
  begin_disk();
  largest = 777;
  watch_errors(belay_file_write(loop, in_folder("file"), belay_string(large)));
  run_to_end(loop);
  CHECK_TRACE("next null | completed | disposed | free");
  expect_content(large);
  finish();
}

static size_t used;
static void compare(void *is_lines, belay_value value) {
  belay_view view = {"", 0};
  CHECK(belay_value_try_string(value, &view) == 0 || belay_value_get_bytes(value, &view) == 0);
  CHECK(used + view.size <= SIZE && memcmp(large + used, view.data, view.size) == 0);
  used += view.size + (*(int *)is_lines ? 1 : 0);
}

/* Reads all of the large file. */
static void read_all(belay_signal *signal, int is_lines) {
  belay_observer observer = tracing("");
  observer.next = compare;
  observer.error = trace_message;
  observer.ctx = &is_lines;
  observer.ctx_free = NULL;
  observer.completed = trace_completed;
  observer.disposed = NULL;
  used = 0;
  CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
  belay_signal_release(signal);
  run_to_end(loop);
  CHECK_TRACE("completed");
  CHECK_INT(used >= SIZE, 1);
}

/* As on a disk of the network. libuv leaves it to its callers to read again. */
static void each_second_call_is_interrupted(void) {
  begin_disk();
  is_often_interrupted = 1;
  interruptions = 0;
  watch_errors(belay_file_write(loop, in_folder("file"), belay_string(large)));
  run_to_end(loop);
  CHECK_TRACE("next null | completed | disposed | free");
  read_all(belay_file_read(loop, in_folder("file")), 0);
  read_all(belay_file_chunks(loop, in_folder("file"), 0), 0);
  read_all(belay_file_lines(loop, in_folder("file"), 0), 1);
  CHECK(interruptions > 12);
  is_often_interrupted = 0;
  expect_content(large);
  finish();
}

static void a_read_that_fails(void) {
  char message[300];
  begin_disk();
  write_new("file");
  snprintf(message, sizeof message, "error EIO: %s: i/o error | disposed | free", in_folder("file"));
  for (int i = 0; i < 4; i++) {
    failing = "read";
    failure = EIO;
    successes = 0;
    watch_errors(i == 0   ? belay_file_read(loop, in_folder("file"))
                 : i == 1 ? belay_file_chunks(loop, in_folder("file"), 0)
                 : i == 2 ? belay_file_lines(loop, in_folder("file"), 0)
                          : belay_file_lines(loop, in_folder("file"), BELAY_FILE_FOLLOW));
    run_to_end(loop);
    failing = "";
    CHECK_TRACE(message);
  }
  finish();
}

static const test_case cases[] = {
    CASE(each_call_that_fails_leaves_the_old_file),
    CASE(written_in_small_pieces),
    CASE(each_second_call_is_interrupted),
    CASE(a_read_that_fails),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
