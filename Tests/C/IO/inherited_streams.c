/* Streams of descriptors that others have, too: what a shell has opened, and a terminal. */
#define _GNU_SOURCE
#include "streams.h"
#include "worker.h"

#include <dlfcn.h>
#include <sys/stat.h>
#include <termios.h>
#include <time.h>

/* Puts a descriptor at 0, as a shell does, and the program's own there again. */
static int own_input;
static void put_at_input(int fd) {
  own_input = fcntl(0, F_DUPFD_CLOEXEC, 3);
  CHECK(own_input >= 0);
  CHECK_INT(dup2(fd, 0), 0);
  close(fd);
}
static void put_back(void) {
  CHECK_INT(dup2(own_input, 0), 0);
  close(own_input);
}

/* ---- the master of a terminal ---- */

static char terminal_name[64];
static int open_terminal(int *master) {
  *master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  CHECK(*master >= 0 && grantpt(*master) == 0 && unlockpt(*master) == 0);
  CHECK_INT(ptsname_r(*master, terminal_name, sizeof terminal_name), 0);
  int terminal = open(terminal_name, O_RDWR | O_NOCTTY | O_CLOEXEC);
  CHECK(terminal >= 0);
  return terminal;
}

WITH_LOOP(the_master_of_a_terminal_stays_the_one_that_it_is) {
  int master, terminal = open_terminal(&master);
  put_at_input(master);
  belay_stream *stream = belay_stream_open(loop, 0, NULL);
  CHECK(stream != NULL);
  belay_disposable *reading = hear(belay_stream_read(stream));
  say(terminal, "said");
  TURN_UNTIL(has_traced("said"));
  end_subscription(reading);
  trace_clear();
  belay_stream_release(stream);
  put_back();
  close(terminal);
}

/* ---- a FIFO ---- */

static char path[64];
static int open_writer(void) {
  int writer = open(path, O_WRONLY | O_CLOEXEC);
  CHECK(writer >= 0);
  return writer;
}

/* `prog < fifo` */
static void put_fifo_at_input(void) {
  snprintf(path, sizeof path, "/tmp/belay-inherited-%d", (int)getpid());
  CHECK_INT(mkfifo(path, 0600), 0);
  int reader = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  CHECK(reader >= 0);
  CHECK_INT(fcntl(reader, F_SETFL, 0), 0);
  put_at_input(reader);
}

static void read_to_the_end(belay_stream *stream, const char *expected) {
  belay_disposable *reading = hear(belay_stream_read(stream));
  TURN_UNTIL(has_traced("free"));
  CHECK_TRACE(expected);
  belay_disposable_release(reading);
  belay_stream_release(stream);
}

WITH_LOOP(a_fifo_whose_writer_has_gone_ends) {
  put_fifo_at_input();
  int writer = open_writer();
  say(writer, "text");
  close(writer);
  belay_stream *stream = belay_stream_open(loop, 0, NULL);
  CHECK(stream != NULL);
  read_to_the_end(stream, "text | completed | disposed | free");
  put_back();
  unlink(path);
}

/* It has left nothing. */
WITH_LOOP(an_empty_fifo_whose_writer_has_gone_ends) {
  put_fifo_at_input();
  close(open_writer());
  belay_stream *stream = belay_stream_open(loop, 0, NULL);
  CHECK(stream != NULL);
  read_to_the_end(stream, "completed | disposed | free");
  put_back();
  unlink(path);
}

WITH_LOOP(a_fifo_whose_writer_goes_later_ends) {
  put_fifo_at_input();
  int writer = open_writer(), flags = fcntl(0, F_GETFL);
  belay_stream *stream = belay_stream_open(loop, 0, NULL);
  CHECK(stream != NULL);
  CHECK_INT(fcntl(0, F_GETFL), flags);
  say(writer, "text");
  close(writer);
  read_to_the_end(stream, "text | completed | disposed | free");
  CHECK_INT(fcntl(0, F_GETFL), flags);
  put_back();
  unlink(path);
}

/* ---- what is no stream ---- */

/* `prog <file`, `prog </dev/null`: the path of stdin reads it, and what is a pipe, too. */
static void expect_lines(const char *expected) {
  belay_disposable *reading = hear(belay_file_lines(loop, "/dev/stdin", 0));
  TURN_UNTIL(has_traced("free"));
  CHECK_TRACE(expected);
  belay_disposable_release(reading);
  trace_clear();
}
WITH_LOOP(a_file_is_read_by_its_path) {
  char line[3] = "";
  snprintf(path, sizeof path, "/tmp/belay-inherited-%d", (int)getpid());
  int file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  CHECK(file >= 0);
  say(file, "a\nb\n");
  CHECK_INT(unlink(path), 0);
  CHECK_INT(lseek(file, 0, SEEK_SET), 0);
  CHECK_INT(read(file, line, 2), 2);
  put_at_input(file);
  CHECK(!belay_stream_open(loop, 0, NULL));
  check_last_error(BELAY_EPERM);
  expect_lines("a | b | completed | disposed | free");
  put_back();
  put_at_input(open("/dev/null", O_RDONLY | O_CLOEXEC));
  CHECK(!belay_stream_open(loop, 0, NULL));
  check_last_error(BELAY_EPERM);
  expect_lines("completed | disposed | free");
  put_back();
  int ends[2];
  CHECK_INT(pipe2(ends, O_CLOEXEC), 0);
  say(ends[1], "c\n");
  close(ends[1]);
  put_at_input(ends[0]);
  expect_lines("c | completed | disposed | free");
  put_back();
}

/* ---- the end of a pipe that is written ---- */

/* Its shutdown closes it, so that who reads it waits for nothing. */
WITH_LOOP(the_shutdown_of_what_is_only_written_interrupts_who_reads_it) {
  enum { SIZE = 1 << 20 };
  static char taken[SIZE];
  for (int waits = 0; waits < 2; waits++) {
    int ends[2];
    CHECK_INT(pipe2(ends, O_CLOEXEC), 0);
    belay_stream *stream = belay_stream_open(loop, ends[1], NULL);
    belay_disposable_release(hear(belay_stream_read(stream)));
    turn(loop);
    if (waits) CHECK_INT(belay_stream_write(stream, chunk_of(SIZE)), BELAY_QUEUED);
    CHECK_TRACE("");
    CHECK_INT(belay_stream_shutdown(stream), 0);
    if (waits) {
      /* Not before all has been written. */
      CHECK_TRACE("");
      size_t count = 0;
      CHECK_INT(fcntl(ends[0], F_SETFL, O_NONBLOCK), 0);
      while (count < SIZE) {
        ssize_t more = read(ends[0], taken, SIZE - count);
        if (more > 0) count += (size_t)more;
        turn(loop);
      }
      turn(loop);
    }
    CHECK_TRACE("disposed | free");
    CHECK_INT(read(ends[0], taken, 1), 0);
    belay_stream_release(stream);
    close(ends[0]);
  }
}

/* ---- a terminal ---- */

static int modes_set, modes_that_wait;
int tcsetattr(int fd, int when, const struct termios *mode) {
  int (*real)(int, int, const struct termios *) = dlsym(RTLD_NEXT, "tcsetattr");
  modes_set++;
  modes_that_wait += when != TCSANOW;
  return real(fd, when, mode);
}

static int same_mode(const struct termios *one, const struct termios *other) {
  return one->c_iflag == other->c_iflag && one->c_oflag == other->c_oflag &&
         one->c_cflag == other->c_cflag && one->c_lflag == other->c_lflag &&
         memcmp(one->c_cc, other->c_cc, sizeof one->c_cc) == 0;
}

/* The shutdown closes what is only written. No mode waits until the terminal has taken what was written, which may be
   never: of a terminal that has been stopped (a pseudo-terminal has nothing to wait for, so the call is looked at). */
WITH_LOOP(a_terminal_that_is_only_written_gets_its_mode_back) {
  struct termios before, raw, after;
  int master, terminal = open_terminal(&master);
  CHECK_INT(tcgetattr(terminal, &before), 0);
  belay_stream *stream = belay_stream_open_path(loop, terminal_name, BELAY_STREAM_WRITE, NULL);
  CHECK(stream != NULL);
  CHECK_INT(belay_stream_set_raw(stream, 1), 0);
  CHECK_INT(tcgetattr(terminal, &raw), 0);
  CHECK(!same_mode(&before, &raw));
  CHECK_INT(belay_stream_shutdown(stream), 0);
  CHECK_INT(tcgetattr(terminal, &after), 0);
  CHECK(same_mode(&before, &after));
  belay_stream_release(stream);
  CHECK_INT(tcgetattr(terminal, &after), 0);
  CHECK(same_mode(&before, &after));
  CHECK_INT(modes_set, 2);
  CHECK_INT(modes_that_wait, 0);
  close(terminal);
  close(master);
}

/* ---- a socket ---- */

static sem_t has_fired;
static int is_fired;
static void fire(void *ctx) {
  is_fired = 1;
  sem_post(&has_fired);
}
/* Lets a loop go on that waits for bytes instead. */
static void rescue(void *peer) {
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += 60;
  int code;
  do code = sem_timedwait(&has_fired, &until);
  while (code != 0 && errno == EINTR);
  CHECK_INT(code, 0);
  if (code != 0) say(*(int *)peer, "x");
}

static size_t sizes;
static void add_size(void *ctx, belay_value value) {
  belay_view bytes = {0};
  CHECK_INT(belay_value_get_bytes(value, &bytes), 0);
  sizes += bytes.size;
}

/* Another process that has the socket may do so: the flag is not the descriptor's. As many bytes
   come as are read at once, so that they are not known to be the last. */
WITH_LOOP(a_socket_that_was_made_blocking_holds_nobody_up) {
  enum { PIECE = 1 << 14 };
  static const char piece[PIECE];
  int ends[2];
  CHECK_INT(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
  int theirs = fcntl(ends[0], F_DUPFD_CLOEXEC, 3);
  put_at_input(ends[0]);
  belay_stream *stream = belay_stream_open(loop, 0, NULL);
  CHECK(stream != NULL);
  belay_observer observer = {.size = sizeof observer, .next = add_size};
  belay_disposable *reading = NULL;
  belay_signal *bytes = belay_stream_read(stream);
  CHECK_INT(belay_signal_subscribe(bytes, &observer, &reading), 0);
  belay_signal_release(bytes);
  CHECK_INT(fcntl(theirs, F_SETFL, fcntl(theirs, F_GETFL) & ~O_NONBLOCK), 0);
  CHECK_INT(write(ends[1], piece, PIECE), PIECE);
  sizes = 0;
  is_fired = 0;
  sem_init(&has_fired, 0, 0);
  routine rescuer;
  start_thread(&rescuer, rescue, &ends[1]);
  while (sizes < PIECE) CHECK(belay_loop_run(loop, BELAY_RUN_ONCE) >= 0);
  CHECK_INT(belay_scheduler_after(belay_loop_get_scheduler(loop), 0, fire, NULL, NULL, NULL), 0);
  TURN_UNTIL(is_fired);
  join_thread(&rescuer);
  sem_destroy(&has_fired);
  CHECK_INT(sizes, PIECE);
  end_subscription(reading);
  belay_stream_release(stream);
  put_back();
  close(theirs);
  close(ends[1]);
}

static const test_case cases[] = {
    CASE(the_master_of_a_terminal_stays_the_one_that_it_is),
    CASE(a_fifo_whose_writer_has_gone_ends),
    CASE(an_empty_fifo_whose_writer_has_gone_ends),
    CASE(a_fifo_whose_writer_goes_later_ends),
    CASE(a_file_is_read_by_its_path),
    CASE(the_shutdown_of_what_is_only_written_interrupts_who_reads_it),
    CASE(a_terminal_that_is_only_written_gets_its_mode_back),
    CASE(a_socket_that_was_made_blocking_holds_nobody_up),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
