/* What the tests of streams share: peers of plain POSIX, descriptors counted, turns until something. */
#ifndef STREAMS_H
#define STREAMS_H

#include "counts.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* Runs a case with a loop of its own, after which there are as many descriptors and handles as before. */
static belay_loop *loop;
static inline void with_loop(void (*body)(void)) {
  loop = open_counted();
  body();
  close_counted(loop);
}
/* In its place one that does not say what was open. */
static inline void quiet_loop(void) {
  belay_loop_options options = BELAY_INIT(belay_loop_options);
  options.quiet = 1;
  close_loop(loop);
  loop = belay_loop_create(&options);
}
/* Closes it with what is open. */
static inline void close_early(void) {
  CHECK_INT(belay_loop_close(loop, NULL, NULL, NULL), 0);
  belay_loop_release(loop);
  loop = NULL;
}
#define WITH_LOOP(name)               \
  static void name##_in_loop(void);   \
  static void name(void) { with_loop(name##_in_loop); } \
  static void name##_in_loop(void)

/* Turns until the condition holds, at most for a time that is never reached. */
#define TURN_UNTIL(condition)                                                          \
  do {                                                                                 \
    belay_disposable *guard_ = NULL;                                                   \
    int is_over_ = 0;                                                                  \
    CHECK_INT(belay_scheduler_after(belay_loop_get_scheduler(loop), 60, streams_give_up, &is_over_, \
                                    NULL, &guard_), 0);                                \
    while (!(condition) && !is_over_) CHECK(belay_loop_run(loop, BELAY_RUN_ONCE) >= 0); \
    if (is_over_) check_failed(__FILE__, __LINE__, "never: %s; so far: %s", #condition, trace_text()); \
    end_subscription(guard_);                                                          \
  } while (0)

static inline void streams_give_up(void *is_over) { *(int *)is_over = 1; }
static inline int has_traced(const char *text) { return strstr(trace_text(), text) != NULL; }

/* Traces bytes as text. */
static inline void trace_bytes(void *ctx, belay_value value) {
  belay_view view = {0};
  CHECK_INT(belay_value_get_bytes(value, &view), 0);
  trace("%.*s", (int)view.size, view.data);
}

static inline belay_disposable *hear(belay_signal *signal) {
  belay_observer observer = tracing("");
  belay_disposable *subscription = NULL;
  observer.next = trace_bytes;
  observer.error = trace_message;
  CHECK(signal != NULL);
  CHECK_INT(belay_signal_subscribe(signal, &observer, &subscription), 0);
  belay_signal_release(signal);
  return subscription;
}

/* Retains the stream that comes, into a variable. */
static inline void take_stream(void *variable, belay_value value) {
  belay_stream **stream = variable;
  CHECK(*stream == NULL);
  *stream = belay_stream_retain(belay_value_get_stream(value));
}

static inline belay_disposable *take_streams(belay_signal *signal, belay_stream **stream) {
  belay_observer observer = BELAY_INIT(belay_observer);
  belay_disposable *subscription = NULL;
  observer.next = take_stream;
  observer.ctx = stream;
  *stream = NULL;
  CHECK(signal != NULL);
  CHECK_INT(belay_signal_subscribe(signal, &observer, &subscription), 0);
  belay_signal_release(signal);
  return subscription;
}

/* A stream of the loop's, and the other end as a plain descriptor. */
static inline belay_stream *pair(int *peer, const belay_stream_options *options) {
  int ends[2];
  CHECK_INT(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
  *peer = ends[1];
  belay_stream *stream = belay_stream_open(loop, ends[0], options);
  CHECK(stream != NULL);
  return stream;
}

static inline int connect_plainly(int port) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  CHECK_INT(connect(fd, (struct sockaddr *)&address, sizeof address), 0);
  return fd;
}

static inline belay_value text(const char *text) { return belay_bytes(text, strlen(text)); }

static inline belay_value chunk_of(size_t size) {
  char *bytes = malloc(size);
  memset(bytes, 'x', size);
  belay_value value = belay_bytes(bytes, size);
  free(bytes);
  return value;
}

static inline void say(int fd, const char *text) {
  CHECK_INT(write(fd, text, strlen(text)), strlen(text));
}

/* Reads `size` bytes or up to the end. Answers how many. */
static inline size_t take_all(int fd, char *into, size_t size) {
  size_t used = 0;
  while (used < size) {
    ssize_t count = read(fd, into + used, size - used);
    if (count <= 0) break;
    used += (size_t)count;
  }
  return used;
}

#endif
