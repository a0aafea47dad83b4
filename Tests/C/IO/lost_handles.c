/* A host that ends its loop by closing every handle that it finds, Belay's too, and closes Belay's
   loop after that: what was open ends then, and nothing begins meanwhile. */
#include "cases.h"

#include <signal.h>
#include <unistd.h>
#include <uv.h>

static uv_loop_t uv;
static belay_loop *loop;
static belay_scheduler *scheduler, *pool;

static void begin(void) {
  CHECK_INT(uv_loop_init(&uv), 0);
  CHECK((loop = belay_loop_adopt(&uv, NULL)) != NULL);
  scheduler = belay_loop_get_scheduler(loop);
  pool = belay_scheduler_create_pool(loop);
}

static void close_handle(uv_handle_t *handle, void *ctx) {
  if (!uv_is_closing(handle)) uv_close(handle, NULL);
}

/* How far the host goes before it closes Belay's loop. */
enum { WALKS, RUNS, CLOSES, WAYS };
static void end_host(int way) {
  uv_walk(&uv, close_handle, NULL);
  if (way >= RUNS) CHECK_INT(uv_run(&uv, UV_RUN_DEFAULT), 0);
  if (way >= CLOSES) CHECK_INT(uv_loop_close(&uv), 0);
}

static void end(int way) {
  CHECK_INT(belay_loop_close(loop, ignore_left, NULL, NULL), 0);
  belay_scheduler_release(pool);
  belay_loop_release(loop);
  if (way >= CLOSES) return;
  CHECK_INT(uv_run(&uv, UV_RUN_DEFAULT), 0);
  CHECK_INT(uv_loop_close(&uv), 0);
}

/* ---- what is open ---- */

static int disposed, subscribed;
static void count_disposed(void *ctx) { disposed++; }
static belay_stream *streams[4];
static int stream_count;
static char large[1 << 20];

/* Reads a stream, and fills it, so that it also waits for room. */
static void use_stream(belay_stream *stream);
static void keep_stream(void *ctx, belay_value value) {
  belay_stream *stream = belay_value_get_stream(value);
  if (stream && stream_count < 4) {
    streams[stream_count++] = belay_stream_retain(stream);
    use_stream(stream);
  }
}
static void follow(belay_signal *signal) {
  belay_observer observer = {.size = sizeof observer, .next = keep_stream,
                             .disposed = count_disposed, .loop = loop};
  CHECK(signal != NULL);
  CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
  belay_signal_release(signal);
  subscribed++;
}
static void use_stream(belay_stream *stream) {
  follow(belay_stream_read(stream));
  for (int i = 0; i < 4; i++)
    CHECK(belay_stream_write(stream, belay_bytes(large, sizeof large)) >= 0);
}

static int ends[2];
static void open_pipe(void) {
  CHECK_INT(pipe(ends), 0);
  belay_stream *stream = belay_stream_open(loop, ends[0], NULL);
  CHECK(stream != NULL);
  follow(belay_stream_read(stream));
  belay_stream_release(stream);
}
static void open_tcp(void) {
  belay_listener *listener = belay_tcp_listen(loop, "127.0.0.1", 0, NULL);
  CHECK(listener != NULL);
  follow(belay_listener_connections(listener));
  follow(belay_tcp_connect(loop, "127.0.0.1", belay_listener_port(listener), NULL));
  belay_listener_release(listener);
}
static void open_udp(void) { follow(belay_udp(loop, NULL, NULL)); }
static void open_file(void) { follow(belay_file_lines(loop, "/etc/passwd", BELAY_FILE_FOLLOW)); }
static void open_signal(void) { follow(belay_posix_signal(loop, SIGUSR1)); }
static void open_events(void) { follow(belay_file_events(loop, "/tmp")); }
static void open_poll(void) {
  CHECK_INT(pipe(ends), 0);
  follow(belay_poll(loop, ends[0], BELAY_POLL_READABLE));
}
static void open_timers(void) {
  follow(belay_signal_interval(scheduler, 0.001));
  follow(belay_wall_timer(loop, 1e12));
  follow(belay_ticks(loop, BELAY_TICK_IDLE));
}
static void open_process(void) {
  const char *const arguments[] = {"true", NULL};
  follow(belay_process(loop, &BELAY_INIT(belay_process_options, .args = arguments,
                                         .output = BELAY_STDIO_PIPE)));
}

static void what_is_open_ends_with_belays_loop(void) {
  void (*const opens[])(void) = {open_pipe, open_tcp, open_udp, open_file, open_signal, open_events,
                                 open_poll, open_timers, open_process};
  for (size_t i = 0; i < sizeof opens / sizeof *opens; i++)
    for (int way = WALKS; way < WAYS; way++)
      for (int turns = 0; turns < 7; turns += 3) {
        begin();
        disposed = subscribed = stream_count = 0;
        ends[0] = ends[1] = -1;
        opens[i]();
        for (int turn = 0; turn < turns; turn++) uv_run(&uv, UV_RUN_NOWAIT);
        end_host(way);
        end(way);
        CHECK_INT(disposed, subscribed);
        while (stream_count > 0) belay_stream_release(streams[--stream_count]);
        if (opens[i] == open_poll) close(ends[0]);
        if (ends[1] >= 0) close(ends[1]);
      }
}

/* ---- what would begin ---- */

static void refuse_work(belay_scheduler *it) {
  CHECK_FAILS(belay_scheduler_schedule(it, trace_action, "work", trace_free, NULL),
              BELAY_ECANCELED);
  CHECK_FAILS(belay_scheduler_after(it, 0.001, trace_action, "timer", trace_free, NULL),
              BELAY_ECANCELED);
  CHECK_TRACE("free work | free timer");
}
static void interrupted(belay_signal *signal) {
  watch(signal, "");
  CHECK_TRACE("disposed | free");
}

static void nothing_begins(void) {
  for (int was_used = 0; was_used < 2; was_used++)
    for (int way = WALKS; way < WAYS; way++) {
      begin();
      if (was_used) {
        CHECK_INT(belay_scheduler_schedule(pool, empty_action, NULL, NULL, NULL), 0);
        CHECK_INT(uv_run(&uv, UV_RUN_DEFAULT), 0);
      }
      end_host(way);
      refuse_work(scheduler);
      refuse_work(pool);
      CHECK_FAILS(belay_loop_post(loop, trace_action, "post", trace_free), BELAY_ECANCELED);
      CHECK_TRACE("free post");
      interrupted(belay_file_lines(loop, "/etc/passwd", 0));
      interrupted(belay_file_lines(loop, "/etc/passwd", BELAY_FILE_FOLLOW));
      interrupted(belay_posix_signal(loop, SIGUSR1));
      interrupted(belay_lookup(loop, "localhost", NULL));
      interrupted(belay_udp(loop, NULL, NULL));
      interrupted(belay_wall_timer(loop, 1));
      interrupted(belay_ticks(loop, BELAY_TICK_IDLE));
      interrupted(belay_tcp_connect(loop, "127.0.0.1", 1, NULL));
      CHECK_INT(pipe(ends), 0);
      CHECK(belay_stream_open(loop, ends[0], NULL) == NULL);
      CHECK_INT(belay_error_code(belay_last_error()), BELAY_ECANCELED);
      close(ends[1]);
      end(way);
    }
}

static const test_case cases[] = {
    CASE(what_is_open_ends_with_belays_loop),
    CASE(nothing_begins),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
