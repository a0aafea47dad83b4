/* Lines of a file that stays as it is. See files_follow.c for those that grow. */
#define _GNU_SOURCE
#include "counts.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[64], path[128];
static belay_loop *loop;

static void begin(void) {
  strcpy(folder, "/tmp/belay-files-XXXXXX");
  CHECK(mkdtemp(folder) != NULL);
  snprintf(path, sizeof path, "%s/log", folder);
  loop = open_counted();
}

static void finish(void) {
  close_counted(loop);
  unlink(path);
  CHECK_INT(rmdir(folder), 0);
}

static void write_file(const void *data, size_t size) {
  FILE *file = fopen(path, "wb");
  CHECK(file != NULL);
  CHECK_INT(fwrite(data, 1, size, file), size);
  CHECK_INT(fclose(file), 0);
}

/* Reads the whole file, tracing its lines. */
static void read_all(unsigned flags) {
  watch(belay_file_lines(loop, path, flags), "");
  CHECK_TRACE("");
  run_to_end(loop);
}

/* The same with `next` for the lines. */
static void read_with(void (*next)(void *ctx, belay_value value)) {
  belay_observer observer = tracing("");
  observer.next = next;
  belay_signal *lines = belay_file_lines(loop, path, 0);
  CHECK_INT(belay_signal_subscribe(lines, &observer, NULL), 0);
  belay_signal_release(lines);
  run_to_end(loop);
}

static void read_text(const char *text) {
  write_file(text, strlen(text));
  read_all(0);
}

/* ---- what a line is ---- */

static void plain_lines(void) {
  begin();
  read_text("one\ntwo\nthree\n");
  CHECK_TRACE("next one | next two | next three | completed | disposed | free");
  finish();
}

static void the_last_line_need_not_be_ended(void) {
  begin();
  read_text("one\ntwo");
  CHECK_TRACE("next one | next two | completed | disposed | free");
  read_text("one");
  CHECK_TRACE("next one | completed | disposed | free");
  finish();
}

static void empty_lines_are_lines(void) {
  begin();
  read_text("\n\none\n\n");
  CHECK_TRACE("next  | next  | next one | next  | completed | disposed | free");
  finish();
}

static void carriage_returns(void) {
  begin();
  read_text("one\r\ntwo\r\n\r\na\rb\r\nlone\r\r\n");
  CHECK_TRACE("next one | next two | next  | next a\rb | next lone\r | completed | disposed | "
              "free");
  finish();
}

static void an_empty_file(void) {
  begin();
  read_text("");
  CHECK_TRACE("completed | disposed | free");
  finish();
}

static void from_the_end_of_a_file_that_is_not_followed(void) {
  begin();
  write_file("one\ntwo\n", 8);
  read_all(BELAY_FILE_FROM_END);
  CHECK_TRACE("completed | disposed | free");
  finish();
}

static void trace_kind(void *ctx, belay_value value) {
  belay_view view = {"", 0};
  CHECK_INT(belay_value_get_bytes(value, &view), 0);
  trace("%s", belay_kind_name(belay_value_kind(value)));
  for (size_t i = 0; i < view.size; i++) trace("%02x", (unsigned char)view.data[i]);
}

static void lines_that_are_not_utf8_are_bytes(void) {
  static const char data[] = "\xc3\xa4\nx\xffy\n\0z\n\xc3\n\xed\xa0\x80\n";
  begin();
  write_file(data, sizeof data - 1);
  read_with(trace_kind);
  CHECK_TRACE("string | c3 | a4 | bytes | 78 | ff | 79 | string | 00 | 7a | bytes | c3 | "
              "bytes | ed | a0 | 80 | completed | disposed | free");
  finish();
}

/* ---- long lines ---- */
enum { MIB = 1 << 20 };

static struct {
  size_t pieces, total, longest, wrong;
} long_line;

static void measure(void *ctx, belay_value value) {
  belay_view view = {"", 0};
  CHECK_INT(belay_value_get_string(value, &view), 0);
  if (view.size > 0 && view.data[0] != 'x') return render_next(ctx, value);
  for (size_t i = 0; i < view.size; i++) long_line.wrong += view.data[i] != 'x';
  long_line.pieces++;
  long_line.total += view.size;
  if (view.size > long_line.longest) long_line.longest = view.size;
}

static void read_long(size_t length, const char *end) {
  char *data = malloc(length + 16);
  memset(data, 'x', length);
  strcpy(data + length, end);
  write_file(data, length + strlen(end));
  free(data);
  memset(&long_line, 0, sizeof long_line);
  read_with(measure);
  CHECK_INT(long_line.total, length);
  CHECK_INT(long_line.wrong, 0);
  CHECK(long_line.longest <= MIB);
}

static void longer_than_a_mebibyte_comes_in_pieces(void) {
  begin();
  read_long(2 * MIB + MIB / 2, "\nend\n");
  CHECK_INT(long_line.pieces, 3);
  CHECK_INT(long_line.longest, MIB);
  CHECK_TRACE("next end | completed | disposed | free");
  read_long(MIB + 1, "");
  CHECK_INT(long_line.pieces, 2);
  CHECK_TRACE("completed | disposed | free");
  finish();
}

static void of_a_mebibyte_is_one_piece(void) {
  static const char *const ends[] = {"\nend", "\r\nend", ""};
  begin();
  for (int i = 0; i < 3; i++) {
    read_long(MIB, ends[i]);
    CHECK_INT(long_line.pieces, 1);
    CHECK_TRACE(i < 2 ? "next end | completed | disposed | free" : "completed | disposed | free");
    read_long(2 * MIB, ends[i]);
    CHECK_INT(long_line.pieces, 2);
    CHECK_TRACE(i < 2 ? "next end | completed | disposed | free" : "completed | disposed | free");
  }
  finish();
}

enum { LINES = 100000 };
static int expected_line, disorder;

static void count_line(void *ctx, belay_value value) {
  belay_view view = {"", 0};
  CHECK_INT(belay_value_get_string(value, &view), 0);
  if (atoi(view.data + 5) != expected_line++) disorder++;
}

static void a_hundred_thousand_lines(void) {
  begin();
  FILE *file = fopen(path, "w");
  for (int i = 0; i < LINES; i++) fprintf(file, "line %d\r\n", i);
  fclose(file);
  expected_line = disorder = 0;
  read_with(count_line);
  CHECK_INT(expected_line, LINES);
  CHECK_INT(disorder, 0);
  CHECK_TRACE("completed | disposed | free");
  finish();
}

/* ---- what cannot be read ---- */

static void trace_failure(void *ctx, const belay_error *error) {
  trace("error %s", belay_error_name(belay_error_code(error)));
  CHECK(strstr(belay_error_message(error), ctx) != NULL);
}

static void fail_to_read(const char *name, unsigned flags) {
  belay_observer observer = tracing("");
  observer.error = trace_failure;
  observer.ctx = (void *)name;
  observer.disposed = NULL;
  observer.ctx_free = NULL;
  belay_signal *lines = belay_file_lines(loop, name, flags);
  CHECK_INT(belay_signal_subscribe(lines, &observer, NULL), 0);
  belay_signal_release(lines);
  run_to_end(loop);
}

static void missing_files(void) {
  begin();
  for (unsigned flags = 0; flags < 4; flags++) {
    fail_to_read(path, flags);
    CHECK_TRACE("error ENOENT");
  }
  fail_to_read("/dev/null/below", 0);
  CHECK_TRACE("error ENOTDIR");
  fail_to_read("", 0);
  CHECK_TRACE("error ENOENT");
  finish();
}

static void directories(void) {
  begin();
  fail_to_read(folder, 0);
  CHECK_TRACE("error EISDIR");
  fail_to_read(folder, BELAY_FILE_FOLLOW);
  CHECK_TRACE("error EISDIR");
  finish();
}

static void unreadable_files(void) {
  begin();
  write_file("secret\n", 7);
  CHECK_INT(chmod(path, 0), 0);
  CHECK_INT(chmod(folder, 0755), 0);
  int is_root = geteuid() == 0;
  if (is_root) CHECK_INT(seteuid(65534), 0);
  fail_to_read(path, 0);
  if (is_root) CHECK_INT(seteuid(0), 0);
  CHECK_TRACE("error EACCES");
  /* This file can be opened and not read. */
  fail_to_read("/proc/self/mem", 0);
  CHECK_TRACE("error EIO");
  finish();
}

static int open_to_write(void) {
  int writer;
  /* Until there is a reader. */
  while ((writer = open(path, O_WRONLY | O_NONBLOCK | O_CLOEXEC)) < 0)
    CHECK(belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0);
  return writer;
}

static void a_fifo(void) {
  begin();
  CHECK_INT(mkfifo(path, 0600), 0);
  watch(belay_file_lines(loop, path, 0), "");
  int writer = open_to_write();
  CHECK_INT(write(writer, "one\ntw", 6), 6);
  while (!strstr(trace_text(), "one")) CHECK(belay_loop_run(loop, BELAY_RUN_ONCE) >= 0);
  CHECK_INT(write(writer, "o\nthree", 7), 7);
  close(writer);
  run_to_end(loop);
  CHECK_TRACE("next one | next two | next three | completed | disposed | free");
  finish();
}

static void a_fifo_that_is_followed(void) {
  begin();
  CHECK_INT(mkfifo(path, 0600), 0);
  belay_disposable *subscription = watched(belay_file_lines(loop, path, BELAY_FILE_FOLLOW), "");
  for (int i = 0; i < 3; i++) {
    char line[16], expected[16];
    snprintf(line, sizeof line, "line %d\n", i);
    snprintf(expected, sizeof expected, "next line %d", i);
    int writer = open_to_write();
    CHECK_INT(write(writer, line, strlen(line)), strlen(line));
    close(writer);
    while (!strstr(trace_text(), expected)) CHECK(belay_loop_run(loop, BELAY_RUN_ONCE) >= 0);
    CHECK_TRACE(expected);
  }
  end_subscription(subscription);
  CHECK_TRACE("disposed | free");
  finish();
}

/* The subscription ends after another number of turns each time, and the loop closes. */
static void a_fifo_that_nobody_writes_to(void) {
  begin();
  CHECK_INT(mkfifo(path, 0600), 0);
  for (int turns = 0; turns < 6; turns++) {
    close_loop(loop);
    loop = open_loop();
    belay_disposable *subscription =
        watched(belay_file_lines(loop, path, turns & 1 ? BELAY_FILE_FOLLOW : 0), "");
    for (int i = 0; i < turns; i++) belay_loop_run(loop, BELAY_RUN_NOWAIT);
    end_subscription(subscription);
    trace_clear();
  }
  finish();
}

static void devices(void) {
  begin();
  watch(belay_file_lines(loop, "/dev/null", 0), "null");
  run_to_end(loop);
  CHECK_TRACE("null completed | null disposed | null free");
  int terminal = posix_openpt(O_RDWR | O_NOCTTY);
  if (terminal >= 0) {
    char name[64];
    CHECK_INT(grantpt(terminal), 0);
    CHECK_INT(unlockpt(terminal), 0);
    CHECK_INT(ptsname_r(terminal, name, sizeof name), 0);
    fail_to_read(name, 0);
    CHECK(strstr(trace_text(), "error E") != NULL);
    trace_clear();
    close(terminal);
  }
  finish();
}

static void null_arguments(void) {
  begin();
  CHECK(belay_file_lines(NULL, path, 0) == NULL);
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EINVAL);
  CHECK(belay_file_lines(loop, NULL, 0) == NULL);
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EINVAL);
  CHECK(belay_file_lines(loop, path, 64) == NULL);
  CHECK_INT(belay_error_code(belay_last_error()), BELAY_EINVAL);
  finish();
}

static void the_path_is_copied(void) {
  begin();
  write_file("one\n", 4);
  char *copy = strdup(path);
  belay_signal *lines = belay_file_lines(loop, copy, 0);
  memset(copy, 'x', strlen(copy));
  free(copy);
  watch(lines, "");
  run_to_end(loop);
  CHECK_TRACE("next one | completed | disposed | free");
  finish();
}

/* ---- subscriptions ---- */

static belay_disposable *subscription;

static void dispose_in_next(void *ctx, belay_value value) {
  render_next(ctx, value);
  belay_disposable_dispose(subscription);
}

static void disposed_inside_next(void) {
  begin();
  write_file("one\ntwo\nthree", 13);
  belay_observer observer = tracing("");
  observer.next = dispose_in_next;
  belay_signal *lines = belay_file_lines(loop, path, 0);
  CHECK_INT(belay_signal_subscribe(lines, &observer, &subscription), 0);
  belay_signal_release(lines);
  run_to_end(loop);
  CHECK_TRACE("next one | disposed | free");
  belay_disposable_release(subscription);
  finish();
}

static void disposed_before_it_has_opened(void) {
  begin();
  write_file("one\n", 4);
  for (int i = 0; i < 20; i++) {
    end_subscription(watched(belay_file_lines(loop, path, BELAY_FILE_FOLLOW), ""));
    CHECK_TRACE("disposed | free");
  }
  run_to_end(loop);
  CHECK_TRACE("");
  finish();
}

static void a_chain_takes_what_it_wants(void) {
  begin();
  write_file("one\ntwo\nthree\nfour\n", 19);
  watch(belay_signal_chain(belay_file_lines(loop, path, BELAY_FILE_FOLLOW), belay_op_take(3),
                           belay_op_buffer(2)),
        "");
  run_to_end(loop);
  CHECK_TRACE("next [one two] | next [three] | completed | disposed | free");
  finish();
}

static void one_file_for_each_subscription(void) {
  begin();
  write_file("one\ntwo\n", 8);
  belay_signal *lines = belay_file_lines(loop, path, 0);
  watch(belay_signal_retain(lines), "");
  run_to_end(loop);
  CHECK_TRACE("next one | next two | completed | disposed | free");
  write_file("three\n", 6);
  watch(lines, "");
  run_to_end(loop);
  CHECK_TRACE("next three | completed | disposed | free");
  finish();
}

static pthread_t loop_thread;
static void next_at_home(void *ctx, belay_value value) {
  CHECK(pthread_equal(pthread_self(), loop_thread));
  CHECK(belay_loop_current() == loop);
  render_next(ctx, value);
}

static void subscribe_elsewhere(void *ctx) {
  belay_observer observer = tracing("");
  observer.next = next_at_home;
  observer.loop = loop;
  CHECK_INT(belay_signal_subscribe(ctx, &observer, NULL), 0);
}

static void rule_1_2_home_is_the_loop(void) {
  begin();
  write_file("one\ntwo\n", 8);
  loop_thread = pthread_self();
  belay_signal *lines = belay_file_lines(loop, path, 0);
  in_thread(subscribe_elsewhere, lines);
  belay_signal_release(lines);
  CHECK_TRACE("");
  run_to_end(loop);
  CHECK_TRACE("next one | next two | completed | disposed | free");
  finish();
}

static const test_case cases[] = {
    CASE(plain_lines),
    CASE(the_last_line_need_not_be_ended),
    CASE(empty_lines_are_lines),
    CASE(carriage_returns),
    CASE(an_empty_file),
    CASE(from_the_end_of_a_file_that_is_not_followed),
    CASE(lines_that_are_not_utf8_are_bytes),
    CASE(longer_than_a_mebibyte_comes_in_pieces),
    CASE(of_a_mebibyte_is_one_piece),
    CASE(a_hundred_thousand_lines),
    CASE(missing_files),
    CASE(directories),
    CASE(unreadable_files),
    CASE(a_fifo),
    CASE(a_fifo_that_is_followed),
    CASE(a_fifo_that_nobody_writes_to),
    CASE(devices),
    CASE(null_arguments),
    CASE(the_path_is_copied),
    CASE(disposed_inside_next),
    CASE(disposed_before_it_has_opened),
    CASE(a_chain_takes_what_it_wants),
    CASE(one_file_for_each_subscription),
    CASE(rule_1_2_home_is_the_loop),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
