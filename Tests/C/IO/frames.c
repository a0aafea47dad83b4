/* Framing: bad arguments, codes, strings and bytes, long frames in small pieces, and the marks of the
   stream that the bytes come from. */
#include "streams.h"

#define REFUSED(op)                 \
  do {                              \
    CHECK(!(op));                   \
    check_last_error(BELAY_EINVAL); \
  } while (0)

static void arguments_that_make_no_sense(void) {
  REFUSED(belay_op_lines(0));
  REFUSED(belay_op_frames_fixed(0));
  REFUSED(belay_op_frames_delimited(NULL, 1, 1));
  REFUSED(belay_op_frames_delimited("x", 0, 1));
  REFUSED(belay_op_frames_delimited("x", 1, 0));
  REFUSED(belay_op_frames_delimited("x", BELAY_UNLIMITED, 1));
  REFUSED(belay_op_frames_prefixed(0, 1, 0));
  REFUSED(belay_op_frames_prefixed(3, 1, 0));
  REFUSED(belay_op_frames_prefixed(16, 1, 0));
  REFUSED(belay_op_frames_prefixed(4, 0, 0));
}

static belay_signal *of(const char *const *texts, size_t count) {
  belay_value values[16];
  for (size_t i = 0; i < count; i++) values[i] = text(texts[i]);
  return belay_signal_from(values, count);
}
#define OF(...)                                   \
  of((const char *const[]){__VA_ARGS__},          \
     sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *))

static void each_failure_has_its_code(void) {
  watch(belay_signal_chain(OF("abcd"), belay_op_lines(3)), "");
  CHECK_TRACE("error EMSGSIZE | disposed | free");
  watch(belay_signal_chain(OF("abcd"), belay_op_frames_delimited(";", 1, 3)), "");
  CHECK_TRACE("error EMSGSIZE | disposed | free");
  watch(belay_signal_chain(OF("\xff"), belay_op_frames_prefixed(1, 3, 0)), "");
  CHECK_TRACE("error EMSGSIZE | disposed | free");
  watch(belay_signal_chain(OF("\x02x"), belay_op_frames_prefixed(1, 3, 0)), "");
  CHECK_TRACE("error EPROTO | disposed | free");
  watch(belay_signal_chain(OF("\xff"), belay_op_utf8()), "");
  CHECK_TRACE("error EILSEQ | disposed | free");
  watch(belay_signal_chain(belay_signal_just(belay_int32(1)), belay_op_lines(3)), "");
  CHECK_TRACE("error EKIND | disposed | free");
}

static void compare_message(void *ctx, const belay_error *error) {
  CHECK_STRING(belay_error_message(error), belay_error_text(belay_error_code(error)));
  ++*(int *)ctx;
}
static void each_failure_has_the_text_of_its_code(void) {
  belay_op *ops[] = {belay_op_lines(3), belay_op_frames_prefixed(1, 9, 0), belay_op_utf8()};
  int count = 0;
  for (int i = 0; i < 3; i++) {
    belay_observer observer = {.size = sizeof observer, .error = compare_message, .ctx = &count};
    belay_signal *signal = belay_signal_chain(OF("\x08" "abc\xff"), ops[i]);
    CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
    belay_signal_release(signal);
  }
  CHECK_INT(count, 3);
}

static void strings_stay_strings(void) {
  watch(belay_signal_chain(belay_signal_just(belay_string("one\ntwo")), belay_op_lines(9)), "");
  CHECK_TRACE("next one | next two | completed | disposed | free");
  watch(belay_signal_chain(OF("one\n", "t\xc3", "\xb6\n"), belay_op_lines(9)), "");
  CHECK_TRACE("next bytes | next bytes | completed | disposed | free");
  watch(belay_signal_chain(OF("t\xc3", "\xb6n"), belay_op_utf8()), "");
  CHECK_TRACE("next t | next \xc3\xb6n | completed | disposed | free");
  /* What cuts a character is bytes. */
  watch(belay_signal_chain(belay_signal_just(belay_string("\xc3\xb6")), belay_op_frames_fixed(1)), "");
  CHECK_TRACE("next bytes | next bytes | completed | disposed | free");
}

/* Disposed of from inside, while a value still has frames. */
static void a_disposal_drops_the_rest(void) {
  belay_signal *subject = belay_subject_create(NULL);
  watch(belay_signal_chain(also(subject), belay_op_lines(99), belay_op_take(2)), "");
  belay_subject_next(subject, text("a\nb\nc\nd"));
  CHECK_TRACE("next bytes | next bytes | completed | disposed | free");
  belay_signal_release(subject);
}

/* A value that was cut to its end leaves nothing behind, and the end of the last frame comes of what did. */
static void only_a_rest_keeps_memory(void) {
  belay_signal *subject = belay_subject_create(NULL);
  size_t before = belay_live_count(BELAY_LIVE_VALUES);
  watch(belay_signal_chain(also(subject), belay_op_lines(99)), "");
  belay_subject_next(subject, text("a\nb\n"));
  CHECK_INT(belay_live_count(BELAY_LIVE_VALUES), before);
  belay_subject_next(subject, text("c"));
  CHECK_INT(belay_live_count(BELAY_LIVE_VALUES), before + 1);
  belay_subject_next(subject, text("d\n"));
  CHECK_INT(belay_live_count(BELAY_LIVE_VALUES), before);
  belay_subject_next(subject, belay_string("e"));
  belay_subject_completed(subject);
  CHECK_TRACE("next bytes | next bytes | next bytes | next e | completed | disposed | free");
  belay_signal_release(subject);
}

static size_t longest;
static void measure(void *ctx, belay_value value) {
  belay_view view = {0};
  CHECK_INT(belay_value_get_bytes(value, &view), 0);
  if (view.size > longest) longest = view.size;
}

/* A megabyte that comes byte by byte takes a time that grows with its length, and not with the square of it. */
static void a_long_frame_in_small_pieces(void) {
  belay_observer observer = BELAY_INIT(belay_observer);
  belay_signal *subject = belay_subject_create(NULL);
  belay_signal *frames[] = {
      belay_signal_chain(also(subject), belay_op_lines(1 << 20)),
      belay_signal_chain(also(subject), belay_op_frames_delimited("\r\n", 2, 1 << 20)),
      belay_signal_chain(also(subject), belay_op_frames_fixed(1 << 20))};
  belay_value piece = text("x");
  observer.next = measure;
  for (int i = 0; i < 3; i++) CHECK_INT(belay_signal_subscribe(frames[i], &observer, NULL), 0);
  for (int i = 0; i < 1 << 20; i++) belay_subject_next(subject, belay_value_retain(piece));
  CHECK_INT(longest, 1 << 20);
  longest = 0;
  belay_subject_completed(subject);
  CHECK_INT(longest, 1 << 20);
  belay_value_release(piece);
  for (int i = 0; i < 3; i++) belay_signal_release(frames[i]);
  belay_signal_release(subject);
}

static belay_value kept[4096];
static size_t kept_count;
static void keep(void *ctx, belay_value value) { kept[kept_count++] = belay_value_retain(value); }

WITH_LOOP(frames_count_at_their_stream) {
  int peer;
  belay_stream *stream = pair(&peer, NULL);
  belay_observer observer = BELAY_INIT(belay_observer);
  belay_disposable *reading = NULL;
  belay_signal *lines = belay_signal_chain(belay_stream_read(stream), belay_op_lines(99));
  kept_count = 0;
  observer.next = keep;
  CHECK_INT(belay_signal_subscribe(lines, &observer, &reading), 0);
  belay_signal_release(lines);
  for (int i = 0; i < 3000; i++) {
    send(peer, "line\n", 5, MSG_DONTWAIT | MSG_NOSIGNAL);
    CHECK(belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0);
  }
  /* 4 bytes each, and 64. */
  CHECK(kept_count >= 65536 / 68 && kept_count <= 65536 / 68 + 16);
  CHECK_INT(belay_stream_held(stream), kept_count * 68);
  while (kept_count > 0) belay_value_release(kept[--kept_count]);
  CHECK_INT(belay_stream_held(stream), 0);
  TURN_UNTIL(kept_count > 0);
  end_subscription(reading);
  while (kept_count > 0) belay_value_release(kept[--kept_count]);
  belay_stream_release(stream);
  close(peer);
}

/* A chunk of more lines than may be held. The program keeps those that come. */
enum { MANY = 3000 };
static int keeps;
static size_t come;
static void keep_at_first(void *ctx, belay_value value) {
  come++;
  if (keeps) keep(ctx, value);
}
static belay_stream *send_many(int *peer, belay_disposable **reading, int ends) {
  static char lines[2 * MANY];
  belay_observer observer = tracing("");
  belay_stream *stream = pair(peer, NULL);
  belay_signal *signal = belay_signal_chain(belay_stream_read(stream), belay_op_lines(99));
  for (int i = 0; i < MANY; i++) memcpy(lines + 2 * i, "x\n", 2);
  kept_count = come = 0;
  keeps = 1;
  observer.next = keep_at_first;
  CHECK_INT(belay_signal_subscribe(signal, &observer, reading), 0);
  belay_signal_release(signal);
  CHECK_INT(write(*peer, lines, sizeof lines), sizeof lines);
  if (ends) shutdown(*peer, SHUT_WR);
  TURN_UNTIL(kept_count > 0);
  /* Not all of these need come in one turn. */
  for (size_t before = 0; before != come;) {
    before = come;
    CHECK(belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0);
  }
  CHECK(kept_count <= 1024);
  return stream;
}
static void give_back_late(void *unused) {
  usleep(50000);
  __atomic_store_n(&keeps, 0, __ATOMIC_RELEASE);
  while (kept_count > 0) belay_value_release(kept[--kept_count]);
}

/* The rest comes when another thread has given back what is held, also after the end of the bytes. */
static void go_on_later(int closes) {
  int peer;
  routine thread;
  belay_disposable *reading;
  belay_stream *stream = send_many(&peer, &reading, !closes);
  if (closes) belay_stream_close(stream);
  size_t first = come;
  for (int i = 0; i < 5; i++) CHECK(belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0);
  CHECK_INT(come, first);
  CHECK_TRACE("");
  start_thread(&thread, give_back_late, NULL);
  CHECK(belay_loop_run(loop, BELAY_RUN_DEFAULT) >= 0);
  join_thread(&thread);
  CHECK_INT(come, MANY);
  CHECK_TRACE(closes ? "disposed | free" : "completed | disposed | free");
  end_subscription(reading);
  CHECK_INT(belay_stream_held(stream), 0);
  belay_stream_release(stream);
  close(peer);
}
WITH_LOOP(lines_that_wait_keep_the_loop_alive) { go_on_later(0); }
WITH_LOOP(they_come_before_an_interruption) { go_on_later(1); }

WITH_LOOP(they_are_lost_with_the_loop) {
  int peer;
  belay_disposable *reading;
  uint64_t lost = belay_lost_count();
  quiet_loop();
  belay_stream *stream = send_many(&peer, &reading, 0);
  size_t first = come;
  belay_stream_close(stream);
  for (int i = 0; i < 5; i++) CHECK(belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0);
  CHECK_TRACE("");
  close_early();
  CHECK_INT(come, first);
  CHECK_INT(belay_lost_count() - lost, 1);
  CHECK_TRACE("disposed | free");
  while (kept_count > 0) belay_value_release(kept[--kept_count]);
  end_subscription(reading);
  belay_stream_release(stream);
  close(peer);
}

/* A disposal drops what waits. What is given back later wakes nobody. */
WITH_LOOP(a_disposal_while_lines_wait) {
  int peer;
  belay_disposable *reading;
  belay_stream *stream = send_many(&peer, &reading, 1);
  end_subscription(reading);
  CHECK_TRACE("disposed | free");
  size_t first = come;
  while (kept_count > 0) belay_value_release(kept[--kept_count]);
  CHECK(belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0);
  CHECK_INT(come, first);
  CHECK_INT(belay_stream_held(stream), 0);
  belay_stream_release(stream);
  close(peer);
}

static void count_items(void *ctx, belay_value value) { come += belay_value_count(value); }

/* What an operator gathers does not stop the lines of a chunk. */
WITH_LOOP(lines_that_are_gathered) {
  static char lines[2 * MANY];
  int peer;
  belay_disposable *reading = NULL;
  belay_observer observer = tracing("");
  belay_stream *stream = pair(&peer, NULL);
  belay_signal *signal = belay_signal_chain(belay_stream_read(stream), belay_op_lines(99), belay_op_buffer(MANY - 1));
  come = 0;
  observer.next = count_items;
  CHECK_INT(belay_signal_subscribe(signal, &observer, &reading), 0);
  belay_signal_release(signal);
  for (int i = 0; i < MANY; i++) memcpy(lines + 2 * i, "x\n", 2);
  CHECK_INT(write(peer, lines, sizeof lines), sizeof lines);
  TURN_UNTIL(come == MANY - 1);
  end_subscription(reading);
  CHECK_TRACE("disposed | free");
  belay_stream_release(stream);
  close(peer);
}

/* The last one, which has no end, waits to be written like the others. */
static void write_an_unfinished_one(belay_loop *loop, belay_op *op, int marks) {
  enum { FRAME = 1000, COUNT = 40, SIZE = FRAME * COUNT + 10 };
  static char frames[SIZE], heard[SIZE];
  size_t expected = marks ? SIZE - COUNT : SIZE, count = 0;
  int peer, ends[2], small = 4096;
  belay_stream *stream = pair(&peer, NULL);
  CHECK_INT(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
  CHECK_INT(setsockopt(ends[0], SOL_SOCKET, SO_SNDBUF, &small, sizeof small), 0);
  belay_stream_options options = BELAY_INIT(belay_stream_options, .write_high = FRAME);
  belay_stream *sink = belay_stream_open(loop, ends[0], &options);
  memset(frames, 'x', sizeof frames);
  if (marks) {
    for (int i = 1; i <= COUNT; i++) frames[FRAME * i - 1] = '\n';
  }
  CHECK_INT(fcntl(ends[1], F_SETFL, O_NONBLOCK), 0);
  belay_disposable *copying =
      watched(belay_stream_write_all(sink, belay_signal_chain(belay_stream_read(stream), op)), "copy");
  CHECK_INT(write(peer, frames, SIZE), SIZE);
  shutdown(peer, SHUT_WR);
  TURN_UNTIL(belay_stream_waiting(sink) >= expected - 10000);
  CHECK(belay_stream_held(stream) >= belay_stream_waiting(sink));
  while (!has_traced("free")) {
    ssize_t part = read(ends[1], heard + count, sizeof heard - count);
    if (part > 0) count += (size_t)part;
    CHECK(belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0);
  }
  CHECK_TRACE("copy completed | copy disposed | copy free");
  while (count < expected && read(ends[1], heard + count, 1) == 1) count++;
  CHECK_INT(count, expected);
  CHECK_INT(belay_stream_held(stream), 0);
  belay_disposable_release(copying);
  belay_stream_release(stream);
  belay_stream_release(sink);
  close(peer);
  close(ends[1]);
}
WITH_LOOP(the_last_frame_waits_to_be_written) {
  write_an_unfinished_one(loop, belay_op_frames_fixed(1000), 0);
  write_an_unfinished_one(loop, belay_op_lines(1000), 1);
  write_an_unfinished_one(loop, belay_op_frames_delimited("\n", 1, 1000), 1);
}

static const test_case cases[] = {
    CASE(arguments_that_make_no_sense),
    CASE(each_failure_has_its_code),
    CASE(each_failure_has_the_text_of_its_code),
    CASE(strings_stay_strings),
    CASE(a_disposal_drops_the_rest),
    CASE(only_a_rest_keeps_memory),
    CASE(a_long_frame_in_small_pieces),
    CASE(frames_count_at_their_stream),
    CASE(lines_that_wait_keep_the_loop_alive),
    CASE(they_come_before_an_interruption),
    CASE(they_are_lost_with_the_loop),
    CASE(a_disposal_while_lines_wait),
    CASE(lines_that_are_gathered),
    CASE(the_last_frame_waits_to_be_written),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
