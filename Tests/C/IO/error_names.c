/* What the errors of I/O name: what the program has passed, and no descriptor of Belay's own. */
#define _GNU_SOURCE
#include "streams.h"

#include <dlfcn.h>
#include <sys/epoll.h>

/* The system refuses to watch a descriptor, as it does when a user has too many watched. */
static int is_refused;
int epoll_ctl(int epoll, int operation, int fd, struct epoll_event *event) {
  __typeof__(epoll_ctl) *control;
  *(void **)&control = dlsym(RTLD_NEXT, "epoll_ctl");
  if (!is_refused || operation != EPOLL_CTL_ADD) return control(epoll, operation, fd, event);
  errno = ENOSPC;
  return -1;
}

static void expect_message(const void *made, const char *expected) {
  CHECK(!made);
  CHECK_STRING(belay_error_message(belay_last_error()), expected);
}

/* `prog <file`, `prog >file`, `prog 2>file` */
WITH_LOOP(a_standard_descriptor_that_is_a_file) {
  for (int fd = 0; fd < 3; fd++) {
    char expected[100];
    snprintf(expected, sizeof expected, "descriptor %d: operation not permitted", fd);
    int own = fcntl(fd, F_DUPFD_CLOEXEC, 3), file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    CHECK(own >= 0 && file >= 0);
    fflush(NULL);
    CHECK_INT(dup2(file, fd), fd);
    belay_stream *stream = belay_stream_open(loop, fd, NULL);
    CHECK_INT(dup2(own, fd), fd);
    expect_message(stream, expected);
    close(own);
    close(file);
  }
}

WITH_LOOP(a_descriptor_that_cannot_be_watched) {
  char expected[100];
  int ends[2];
  CHECK_INT(pipe2(ends, O_CLOEXEC), 0);
  snprintf(expected, sizeof expected, "descriptor %d: no space left on device", ends[0]);
  is_refused = 1;
  belay_stream *stream = belay_stream_open(loop, ends[0], NULL);
  is_refused = 0;
  expect_message(stream, expected);
  close(ends[1]);
}

WITH_LOOP(an_address_that_is_listened_at) {
  char path[64], expected[100];
  snprintf(path, sizeof path, "/tmp/belay-names-%d", (int)getpid());
  snprintf(expected, sizeof expected, "%s: no space left on device", path);
  is_refused = 1;
  expect_message(belay_tcp_listen(loop, "127.0.0.1", 0, NULL),
                 "127.0.0.1:0: no space left on device");
  expect_message(belay_unix_listen(loop, path, NULL), expected);
  is_refused = 0;
  unlink(path);
}

/* Each of these subscribes while the system refuses. */
static void expect_error(belay_signal *signal, const char *name) {
  char expected[200];
  snprintf(expected, sizeof expected, "error ENOSPC: %s: no space left on device | disposed | free",
           name);
  is_refused = 1;
  watch_errors(signal);
  is_refused = 0;
  run_to_end(loop);
  CHECK_TRACE(expected);
  trace_clear();
}

WITH_LOOP(a_folder_that_is_watched) {
  expect_error(belay_file_events(loop, "/tmp"), "/tmp");
  expect_error(belay_tree_events(loop, "/tmp"), "/tmp");
}

WITH_LOOP(an_address_that_is_connected_to) {
  expect_error(belay_tcp_connect(loop, "127.0.0.1", 9, NULL), "127.0.0.1:9");
}

WITH_LOOP(a_timer_of_the_wall_clock) {
  expect_error(belay_wall_timer(loop, 0), "cannot make a timer of the wall clock");
}

/* Its pipes are streams. */
WITH_LOOP(a_program_that_is_run) {
  const char *args[] = {"true", NULL};
  expect_error(belay_process(loop, &BELAY_INIT(belay_process_options, .args = args,
                                               .input = BELAY_STDIO_PIPE)),
               "true");
}

/* So does what is written to them and read from them: here it has closed its input. */
static belay_stream *its_input;
static void take_input(void *ctx, belay_value value) {
  belay_value input;
  if (belay_value_count(value) != 4) return render_next(ctx, value);
  CHECK_INT(belay_value_get_item(value, 1, &input), 0);
  its_input = belay_stream_retain(belay_value_get_stream(input));
}
WITH_LOOP(a_program_that_is_written_to) {
  const char *args[] = {"true", NULL};
  belay_observer observer = rendering("");
  observer.next = take_input;
  belay_signal *process = belay_process(
      loop, &BELAY_INIT(belay_process_options, .args = args, .input = BELAY_STDIO_PIPE));
  CHECK_INT(belay_signal_subscribe(process, &observer, NULL), 0);
  belay_signal_release(process);
  run_to_end(loop);
  CHECK_TRACE("next [0 0] | completed | disposed | free");
  belay_value letter = belay_string("a");
  watch_errors(belay_stream_write_all(its_input, belay_signal_from(&letter, 1)));
  run_to_end(loop);
  CHECK_TRACE("error EPIPE: true: broken pipe | disposed | free");
  belay_stream_release(its_input);
  run_to_end(loop);
}

static const test_case cases[] = {
    CASE(a_standard_descriptor_that_is_a_file),
    CASE(a_descriptor_that_cannot_be_watched),
    CASE(an_address_that_is_listened_at),
    CASE(a_folder_that_is_watched),
    CASE(an_address_that_is_connected_to),
    CASE(a_timer_of_the_wall_clock),
    CASE(a_program_that_is_run),
    CASE(a_program_that_is_written_to),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
