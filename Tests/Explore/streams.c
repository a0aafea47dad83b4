/* Streams: what other threads give back, write, close and release. */
#include <sys/socket.h>
#include <unistd.h>

#include "explore.h"

static belay_loop *loop;
static belay_stream *stream;
static int peer;
static belay_disposable *reading;
static explore_listener listener;
static belay_value held;
static int isHeld, isGivenBack, isClosed, hasWritten, answer;

/* Any byte that is held stops the reading. */
static void make(void) {
  int ends[2];
  isHeld = isGivenBack = isClosed = hasWritten = answer = 0;
  held = belay_null();
  reading = NULL;
  listener = (explore_listener){0};
  loop = belay_loop_create(NULL);
  explore_require(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0);
  peer = ends[1];
  belay_stream_options options = {.size = sizeof options, .read_high = 1, .write_high = 1 << 16};
  stream = belay_stream_open(loop, ends[0], &options);
  explore_require(stream != NULL);
}

static void close_loop(void) {
  belay_loop_retain(loop);
  explore_close_in_use(loop);
  isClosed = 1;
}
static void let_go(void) {
  belay_disposable_release(reading);
  belay_stream_release(stream);
  close(peer);
  belay_loop_release(loop);
}

/* ---- reading ---- */

static void come(void *ctx, belay_value value) {
  explore_listener *all = ctx;
  if (++all->nexts > 1) return;
  held = belay_value_retain(value);
  explore_require(write(peer, "b", 1) == 1);
  isHeld = 1;
}
static void count_disposal(void *ctx) { ((explore_listener *)ctx)->disposals++; }
static void count_free(void *ctx) { ((explore_listener *)ctx)->frees++; }

static void make_reading(void) {
  make();
  belay_signal *chunks = belay_stream_read(stream);
  belay_observer observer = {.size = sizeof observer,
                             .ctx = &listener,
                             .next = come,
                             .disposed = count_disposal,
                             .ctx_free = count_free};
  explore_require(belay_signal_subscribe(chunks, &observer, &reading) >= 0);
  belay_signal_release(chunks);
  explore_require(write(peer, "a", 1) == 1);
}
static void read_both(void) {
  explore_turns_until(loop, &isGivenBack);
  explore_settle(loop);
  explore_require(listener.nexts == 2 && "the stream goes on");
  close_loop();
}
static void read_and_close(void) {
  explore_turn(loop);
  close_loop();
}
static void dispose_and_close(void) {
  explore_turn(loop);
  belay_disposable_dispose(reading);
  close_loop();
}
static void give_back(void) {
  explore_await(&isHeld);
  belay_value_release(held);
  isGivenBack = 1;
}
static void give_back_if_held(void) {
  explore_await(&isClosed);
  if (isHeld) belay_value_release(held);
}
static void dispose_elsewhere(void) {
  belay_disposable_dispose(reading);
  give_back_if_held();
}
static void check_reading(void) { explore_require(listener.disposals == 1 && listener.frees == 1); }

/* ---- writing ---- */

static void write_elsewhere(void) {
  answer = belay_stream_write(stream, belay_bytes("xy", 2));
  hasWritten = 1;
}
static void write_and_close(void) {
  write_elsewhere();
  belay_stream_close(stream);
}
static void write_until_there(void) {
  explore_turns_until(loop, &hasWritten);
  explore_settle(loop);
  char got[3];
  explore_require(answer >= 0 && read(peer, got, sizeof got) == 2 && "what was accepted arrives");
  close_loop();
}
/* At the completion the peer has what had been accepted before the wait, also if it was on its way. */
static int isDrained, hasCome;
static void note_what_has_come(void *ctx) {
  char got[3];
  hasCome = (int)recv(peer, got, sizeof got, MSG_DONTWAIT);
  isDrained = 1;
}
static void wait_until_drained(void) {
  isDrained = hasCome = 0;
  int isAccepted = hasWritten;
  belay_signal *drained = belay_stream_drained(stream, 0);
  belay_observer observer = {.size = sizeof observer, .completed = note_what_has_come};
  explore_require(belay_signal_subscribe(drained, &observer, NULL) >= 0);
  belay_signal_release(drained);
  explore_turns_until(loop, &isDrained);
  explore_require((!isAccepted || hasCome == 2) && "a wait has all that was accepted before");
  explore_turns_until(loop, &hasWritten);
  close_loop();
}
static void close_then_loop(void) {
  belay_stream_close(stream);
  close_loop();
}
static void close_stream(void) { belay_stream_close(stream); }
static void shut_down(void) { belay_stream_shutdown(stream); }

static void make_two_handles(void) {
  make();
  belay_stream_retain(stream);
}
static void release_stream(void) { belay_stream_release(stream); }
static void release_and_close(void) {
  release_stream();
  close_loop();
}
static void let_go_released(void) {
  close(peer);
  belay_loop_release(loop);
}

const explore_scenario explore_streams[] = {
    {"stream: read x give back elsewhere",
     {{make_reading, read_both, let_go}, {NULL, give_back, NULL}},
     check_reading,
     0},
    {"stream: read, close x give back elsewhere",
     {{make_reading, read_and_close, let_go}, {NULL, give_back, NULL}},
     check_reading,
     0},
    {"stream: read, dispose, close x give back elsewhere",
     {{make_reading, dispose_and_close, let_go}, {NULL, give_back, NULL}},
     check_reading,
     0},
    {"stream: read, close x dispose elsewhere",
     {{make_reading, read_and_close, let_go}, {NULL, dispose_elsewhere, NULL}},
     check_reading,
     0},
    {"stream: turns x write elsewhere",
     {{make, write_until_there, let_go}, {NULL, write_elsewhere, NULL}},
     NULL,
     0},
    {"stream: wait until drained x write elsewhere",
     {{make, wait_until_drained, let_go}, {NULL, write_elsewhere, NULL}},
     NULL,
     0},
    {"stream: close x write elsewhere",
     {{make, close_then_loop, let_go}, {NULL, write_elsewhere, NULL}},
     NULL,
     0},
    {"stream: loop's close x write and close elsewhere",
     {{make, close_loop, let_go}, {NULL, write_and_close, NULL}},
     NULL,
     0},
    {"stream: close x shut down elsewhere x write elsewhere",
     {{make, close_then_loop, let_go}, {NULL, shut_down, NULL}, {NULL, write_elsewhere, NULL}},
     NULL,
     0},
    {"stream: close elsewhere x loop's close",
     {{make, close_loop, let_go}, {NULL, close_stream, NULL}},
     NULL,
     0},
    {"stream: last release x last release elsewhere",
     {{make_two_handles, release_and_close, let_go_released}, {NULL, release_stream, NULL}},
     NULL,
     0},
    {0},
};
