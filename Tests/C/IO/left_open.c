#define _GNU_SOURCE
/* A loop is closed while connections are half open, children run and the pool works, from outside and from inside of
   callbacks: what is named, and that nothing stays. */
#include "streams.h"

#include <semaphore.h>
#include <sys/wait.h>

static const char *sites[16];
static size_t site_count, sites_found;

/* ---- what is opened, each with a label and a site ---- */

static void ignore(void *ctx, belay_value value) {}

static void open_with(belay_signal *signal, const char *label, const char *site,
                      void (*disposed)(void *)) {
  belay_observer observer = BELAY_INIT(belay_observer);
  observer.disposed = disposed;
  observer.label = label;
  observer.site = site;
  observer.next = ignore;
  CHECK(signal != NULL);
  CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
  belay_signal_release(signal);
  if (site_count < 16) sites[site_count++] = site;
}

static void open_as(belay_signal *signal, const char *label, const char *site) {
  open_with(signal, label, site, NULL);
}

static belay_stream_options named(const char *label, const char *site) {
  belay_stream_options options = BELAY_INIT(belay_stream_options);
  options.label = label;
  options.site = site;
  if (site && site_count < 16) sites[site_count++] = site;
  return options;
}

enum { FILLERS = 8 };
static int server, fillers[FILLERS];

/* A server whose queue is full answers nobody, so that a connection stays half open. */
static uint16_t begin_server(void) {
  struct sockaddr_in address = {.sin_family = AF_INET};
  socklen_t size = sizeof address;
  server = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  CHECK(bind(server, (struct sockaddr *)&address, size) == 0 && listen(server, 0) == 0);
  CHECK_INT(getsockname(server, (struct sockaddr *)&address, &size), 0);
  for (int i = 0; i < FILLERS; i++) {
    fillers[i] = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    (void)!connect(fillers[i], (struct sockaddr *)&address, size);
  }
  return ntohs(address.sin_port);
}

static void end_server(void) {
  for (int i = 0; i < FILLERS; i++) close(fillers[i]);
  close(server);
}

static belay_signal *child(const char *script) {
  const char *args[] = {"sh", "-c", script, NULL};
  belay_process_options options = BELAY_INIT(belay_process_options);
  options.args = args;
  options.input = BELAY_STDIO_PIPE;
  options.disposal = BELAY_PROCESS_KILL;
  return belay_process(loop, &options);
}

static void expect_no_children(void) {
  siginfo_t info;
  for (int i = 0; i < 60000; i++) {
    if (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) < 0 && errno == ECHILD) return;
    usleep(1000);
  }
  CHECK(!"a child is left");
}

static sem_t begun, go;
static int works, worked;
static belay_value hold(void *ctx) {
  works++;
  sem_post(&begun);
  while (sem_wait(&go) != 0) continue;
  worked++;
  return belay_int32(1);
}

/* Work that goes on until the close has interrupted its subscription, and so has named it. */
static void let_it_go(void *ctx) { sem_post(&go); }
static void begin_work(void) {
  CHECK_INT(sem_init(&begun, 0, 0), 0);
  CHECK_INT(sem_init(&go, 0, 0), 0);
  open_with(belay_work(loop, hold, NULL, NULL), "worker", BELAY_HERE, let_it_go);
  while (sem_wait(&begun) != 0) continue;
}
static void end_work(void) {
  CHECK_INT(works, 1);
  CHECK_INT(worked, 1);
  sem_destroy(&begun);
  sem_destroy(&go);
}

/* ---- the report ---- */

static char found[2000];
static int reports;

/* As "kind label", in order; each site is that of its subscription. */
static void note(void *ctx, const belay_open_resource *const *left, size_t count) {
  reports++;
  CHECK_INT(works, worked);
  found[0] = 0;
  for (size_t i = 0; i < count; i++) {
    size_t used = strlen(found);
    const char *site = belay_open_resource_site(left[i]);
    snprintf(found + used, sizeof found - used, "(%s %s)", belay_open_resource_kind(left[i]),
             text_or(belay_open_resource_label(left[i]), "-"));
    CHECK_INT(belay_open_resource_is_foreign(left[i]), 0);
    CHECK(belay_open_resource_address(left[i]) != NULL);
    if (!site) continue;
    int is_known = 0;
    for (size_t j = 0; j < site_count; j++) is_known |= strcmp(site, sites[j]) == 0;
    CHECK(is_known);
    sites_found++;
  }
}

static void begin_report(void) {
  reports = 0;
  site_count = sites_found = 0;
  works = worked = 0;
  found[0] = 0;
}

static void close_and_note(void) {
  CHECK_INT(belay_loop_close(loop, note, NULL, NULL), 0);
  CHECK_INT(reports, 1);
  belay_loop_release(loop);
  loop = NULL;
}

/* ---- cases ---- */

WITH_LOOP(a_half_open_connection) {
  uint16_t port = begin_server();
  begin_report();
  open_as(belay_tcp_connect(loop, "127.0.0.1", port, NULL), "to the server", BELAY_HERE);
  open_as(belay_tcp_connect(loop, "localhost", port, NULL), "to a name", BELAY_HERE);
  CHECK_INT(belay_loop_run(loop, BELAY_RUN_NOWAIT), 1);
  close_and_note();
  CHECK_STRING(found, "(subscription to the server)(subscription to a name)");
  end_server();
}

WITH_LOOP(a_child_that_runs) {
  begin_report();
  open_as(child("exec sleep 1000"), "child", BELAY_HERE);
  open_as(child("trap '' TERM; sleep 1000"), "other", BELAY_HERE);
  CHECK(belay_loop_run(loop, BELAY_RUN_NOWAIT) >= 0);
  close_and_note();
  CHECK_STRING(found, "(subscription child)(subscription other)");
  expect_no_children();
}

static belay_stream *input;
static void keep_input(void *ctx, belay_value value) {
  belay_value stream;
  if (input) return;
  CHECK_INT(belay_value_get_item(value, 1, &stream), 0);
  input = belay_stream_retain(belay_value_get_stream(stream));
  CHECK(input != NULL);
}

/* Its streams have its subscription's name, also when that has ended. */
WITH_LOOP(the_streams_of_a_child) {
  const char *args[] = {"sh", "-c", "exec sleep 1000", NULL};
  belay_process_options options = BELAY_INIT(belay_process_options);
  belay_observer observer = BELAY_INIT(belay_observer);
  belay_disposable *subscription = NULL;
  begin_report();
  options.args = args;
  options.input = BELAY_STDIO_PIPE;
  options.disposal = BELAY_PROCESS_KILL;
  observer.label = "parent";
  observer.site = sites[site_count++] = BELAY_HERE;
  observer.next = keep_input;
  belay_signal *signal = belay_process(loop, &options);
  CHECK_INT(belay_signal_subscribe(signal, &observer, &subscription), 0);
  belay_signal_release(signal);
  TURN_UNTIL(input != NULL);
  end_subscription(subscription);
  close_and_note();
  CHECK_STRING(found, "(stream parent)");
  CHECK_INT(sites_found, 1);
  belay_stream_release(input);
  expect_no_children();
}

WITH_LOOP(work_in_the_pool) {
  begin_report();
  begin_work();
  close_and_note();
  CHECK_STRING(found, "(subscription worker)(work worker)");
  end_work();
}

/* The host has them, and nobody is subscribed. */
WITH_LOOP(streams_and_listeners_of_the_host) {
  int peer;
  begin_report();
  belay_stream_options desk = named("desk", BELAY_HERE), door = named("door", BELAY_HERE);
  belay_stream *stream = pair(&peer, &desk);
  belay_listener *listener = belay_tcp_listen(loop, "127.0.0.1", 0, &door);
  belay_stream *closed = pair(&fillers[0], NULL);
  CHECK_INT(belay_stream_close(closed), 0);
  close_and_note();
  CHECK_STRING(found, "(stream desk)(listener door)");
  CHECK_INT(sites_found, 2);
  char byte;
  CHECK_INT(recv(peer, &byte, 1, 0), 0);
  belay_stream_release(stream);
  belay_stream_release(closed);
  belay_listener_release(listener);
  close(peer);
  close(fillers[0]);
}

/* ---- all of it, from inside of a stream's callback ---- */

static belay_stream *closing_stream;
static void close_all(void *ctx, belay_value value) {
  trace("next");
  CHECK_INT(belay_loop_close(loop, note, NULL, NULL), 0);
  /* Not before this has returned. */
  CHECK_INT(reports, 0);
  CHECK_FAILS(belay_stream_write(closing_stream, text("x")), BELAY_ECANCELED);
}

WITH_LOOP(everything_from_inside_of_a_stream) {
  int peer;
  begin_report();
  uint16_t port = begin_server();
  closing_stream = pair(&peer, NULL);
  belay_observer observer = tracing("");
  observer.label = "reader";
  observer.site = BELAY_HERE;
  sites[site_count++] = observer.site;
  observer.next = close_all;
  belay_signal *chunks = belay_stream_read(closing_stream);
  CHECK_INT(belay_signal_subscribe(chunks, &observer, NULL), 0);
  belay_signal_release(chunks);
  open_as(belay_tcp_connect(loop, "127.0.0.1", port, NULL), "connect", BELAY_HERE);
  open_as(child("exec sleep 1000"), "child", BELAY_HERE);
  begin_work();
  open_as(belay_file_lines(loop, "/proc/self/status", BELAY_FILE_FOLLOW), "lines", BELAY_HERE);
  open_as(belay_lookup(loop, "localhost", "80"), "lookup", BELAY_HERE);
  belay_listener *listener = belay_tcp_listen(loop, "127.0.0.1", 0, NULL);
  open_as(belay_listener_connections(listener), "accept", BELAY_HERE);
  int peer_of_listener = connect_plainly(belay_listener_port(listener));
  say(peer, "x");
  CHECK(belay_loop_run(loop, BELAY_RUN_DEFAULT) >= 0);
  CHECK_INT(reports, 1);
  CHECK_TRACE("next | disposed | free");
  const char *expected[] = {"(subscription reader)", "(subscription connect)", "(subscription child)",
                            "(subscription worker)", "(subscription lines)", "(subscription accept)",
                            "(stream reader)", "(listener accept)", "(work worker)"};
  for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
    if (!strstr(found, expected[i]))
      check_failed(__FILE__, __LINE__, "\"%s\" is not among \"%s\"", expected[i], found);
  expect_no_children();
  belay_stream_release(closing_stream);
  belay_listener_release(listener);
  belay_loop_release(loop);
  loop = NULL;
  end_server();
  close(peer);
  close(peer_of_listener);
  end_work();
}

/* ---- from inside of other callbacks ---- */

static void close_in_next(void *ctx, belay_value value) {
  if (reports > 0 || belay_loop_close(loop, note, NULL, NULL) != 0) trace("called after the close");
}
static void close_in_error(void *ctx, const belay_error *error) { close_in_next(NULL, belay_null()); }
static void close_in_end(void *ctx) { close_in_next(NULL, belay_null()); }

/* Closes the loop in the first callback of the signal, while a child runs. */
static void closed_by(belay_signal *signal, const char *expected) {
  begin_report();
  belay_observer observer = BELAY_INIT(belay_observer);
  observer.label = "closing";
  observer.next = close_in_next;
  observer.error = close_in_error;
  observer.completed = close_in_end;
  open_as(child("exec sleep 1000"), "child", BELAY_HERE);
  CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
  belay_signal_release(signal);
  CHECK(belay_loop_run(loop, BELAY_RUN_DEFAULT) >= 0);
  CHECK_INT(reports, 1);
  CHECK_STRING(found, expected);
  CHECK_TRACE("");
  expect_no_children();
  belay_loop_release(loop);
  loop = open_loop();
}

WITH_LOOP(from_inside_of_what_a_source_sends) {
  const char *true_[] = {"true", NULL};
  belay_process_options options = BELAY_INIT(belay_process_options);
  options.args = true_;
  closed_by(belay_lookup(loop, "127.0.0.1", "80"), "(subscription child)(subscription closing)");
  closed_by(belay_file_lines(loop, "/proc/self/status", 0), "(subscription child)(subscription closing)");
  /* What has ended is not named. */
  closed_by(belay_tcp_connect(loop, "127.0.0.1", 1, NULL), "(subscription child)");
  closed_by(belay_signal_chain(belay_process(loop, &options), belay_op_skip(1)),
            "(subscription child)(subscription closing)");
  /* A stream is held by the value. */
  belay_stream_options door = named("door", NULL);
  belay_listener *listener = belay_tcp_listen(loop, "127.0.0.1", 0, &door);
  int peer = connect_plainly(belay_listener_port(listener));
  closed_by(belay_listener_connections(listener),
            "(listener door)(subscription child)(subscription closing)(stream door)");
  belay_listener_release(listener);
  close(peer);
}

static const test_case cases[] = {
    CASE(a_half_open_connection),
    CASE(a_child_that_runs),
    CASE(the_streams_of_a_child),
    CASE(work_in_the_pool),
    CASE(streams_and_listeners_of_the_host),
    CASE(everything_from_inside_of_a_stream),
    CASE(from_inside_of_what_a_source_sends),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
