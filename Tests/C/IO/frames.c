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
  REFUSED(belay_op_frames_prefixed(0, 0, 1));
  REFUSED(belay_op_frames_prefixed(3, 0, 1));
  REFUSED(belay_op_frames_prefixed(16, 0, 1));
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
  watch(belay_signal_chain(OF("\xff"), belay_op_frames_prefixed(1, 0, 3)), "");
  CHECK_TRACE("error EMSGSIZE | disposed | free");
  watch(belay_signal_chain(OF("\x02x"), belay_op_frames_prefixed(1, 0, 3)), "");
  CHECK_TRACE("error EPROTO | disposed | free");
  watch(belay_signal_chain(OF("\xff"), belay_op_utf8()), "");
  CHECK_TRACE("error EILSEQ | disposed | free");
  watch(belay_signal_chain(belay_signal_just(belay_int32(1)), belay_op_lines(3)), "");
  CHECK_TRACE("error EKIND | disposed | free");
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

static const test_case cases[] = {
    CASE(arguments_that_make_no_sense),
    CASE(each_failure_has_its_code),
    CASE(strings_stay_strings),
    CASE(a_disposal_drops_the_rest),
    CASE(a_long_frame_in_small_pieces),
    CASE(frames_count_at_their_stream),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
