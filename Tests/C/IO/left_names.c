#define _GNU_SOURCE
/* Each kind of thing that a close finds open has the name of the subscription that keeps it. The pool
   has one thread, see main(). */
#include "every_operator.h"
#include "open_resources.h"
#include "streams.h"
#include "worker.h"

#include <signal.h>
#include <sys/resource.h>

static belay_scheduler *timers, *pool;
static char folder[64], file[80];

/* ---- what a case has beside the loop ---- */

static int ends[2];
static belay_stream *stream;
static belay_listener *listener;
static struct rlimit normal;

static void end_all(void) {
  for (int i = 0; i < 2; i++)
    if (ends[i] >= 0) close(ends[i]);
  belay_stream_release(stream);
  belay_listener_release(listener);
  CHECK_INT(setrlimit(RLIMIT_NOFILE, &normal), 0);
}

/* ---- the pool, which a loop of the host's keeps busy ---- */

static uv_loop_t host;
static uv_work_t held;
static sem_t is_held, may_go;

static void stand_still(uv_work_t *work) {
  sem_post(&is_held);
  wait_for(&may_go);
}
static void hold_pool(void) {
  CHECK_INT(uv_loop_init(&host), 0);
  CHECK_INT(uv_queue_work(&host, &held, stand_still, NULL), 0);
  wait_for(&is_held);
}
static void let_pool_go(void) {
  sem_post(&may_go);
  CHECK_INT(uv_run(&host, UV_RUN_DEFAULT), 0);
  CHECK_INT(uv_loop_close(&host), 0);
}
/* The close waits for what reads a file. It has named that when it ends the subscription. */
static void disposed(void *ctx) { sem_post(&may_go); }

/* ---- what is kept open ---- */

static belay_value no_work(void *ctx) { return belay_null(); }
static belay_signal *a_timer(void) { return belay_signal_timer(timers, 1000); }
static belay_signal *an_interval(void) { return belay_signal_interval(timers, 1000); }
static belay_signal *a_chain(void) { return belay_signal_chain(an_interval(), belay_op_take(1)); }
static belay_signal *a_retry(void) {
  return belay_signal_chain(failing_with(BELAY_EINVAL, "no"),
                            belay_op_retry_backoff(timers, 1000, 2, 1000, 0, 3, 0));
}
static belay_signal *a_late_subscription(void) {
  return belay_signal_chain(numbers(1, 2), belay_op_delay_subscription(timers, 1000));
}
static belay_signal *a_pools_interval(void) { return belay_signal_interval(pool, 1000); }
static belay_signal *a_start(void) { return belay_signal_start(pool, no_work, NULL, NULL); }
static belay_signal *a_subscription_there(void) {
  return belay_signal_chain(numbers(1, 2), belay_op_subscribe_on(pool));
}
static belay_signal *an_observation_there(void) {
  return belay_signal_chain(numbers(1, 2), belay_op_observe_on(pool, NULL));
}
static belay_signal *work(void) { return belay_work(loop, no_work, NULL, NULL); }
static belay_signal *a_read_file(void) { return belay_file_read(loop, file); }
static belay_signal *a_written_file(void) {
  return belay_file_write(loop, file, belay_string("x"));
}
static belay_signal *a_list(void) { return belay_directory_list(loop, folder); }
static belay_signal *a_tree(void) { return belay_tree_events(loop, folder); }
static belay_signal *a_directory(void) { return belay_file_events(loop, folder); }
static belay_signal *a_polled_file(void) { return belay_file_poll(loop, file, 1000); }
static belay_signal *lines(void) { return belay_file_lines(loop, file, BELAY_FILE_FOLLOW); }
static belay_signal *chunks(void) { return belay_file_chunks(loop, file, BELAY_FILE_FOLLOW); }
static belay_signal *a_lookup(void) { return belay_lookup(loop, "localhost", "80"); }
static belay_signal *a_host_name(void) { return belay_host_name(loop, "127.0.0.1"); }
static belay_signal *a_posix_signal(void) { return belay_posix_signal(loop, SIGUSR1); }
static belay_signal *a_wall_timer(void) { return belay_wall_timer(loop, 4e9); }
static belay_signal *ticks(void) { return belay_ticks(loop, BELAY_TICK_PREPARE); }
static belay_signal *a_socket(void) { return belay_udp(loop, NULL, NULL); }
static belay_signal *a_poll(void) {
  CHECK_INT(pipe2(ends, O_CLOEXEC), 0);
  return belay_poll(loop, ends[0], BELAY_POLL_READABLE);
}
static belay_signal *a_child(void) {
  const char *args[] = {"sleep", "1000", NULL};
  return belay_process(loop, &BELAY_INIT(belay_process_options, .args = args,
                                         .disposal = BELAY_PROCESS_KILL));
}
static belay_signal *a_connection(void) {
  belay_stream_options options =
      BELAY_INIT(belay_stream_options, .label = "named", .site = expected_site);
  listener = belay_tcp_listen(loop, "127.0.0.1", 0, &options);
  return belay_tcp_connect(loop, "127.0.0.1", belay_listener_port(listener), NULL);
}
static belay_signal *a_reader(void) {
  stream = pair(&ends[0], NULL);
  return belay_stream_read(stream);
}
static belay_signal *an_echo(void) {
  stream = pair(&ends[0], NULL);
  return belay_stream_write_all(stream, belay_stream_read(stream));
}
static belay_signal *an_acceptor(void) {
  listener = belay_tcp_listen(loop, "127.0.0.1", 0, NULL);
  return belay_listener_connections(listener);
}
static void ignore_error(void *ctx, const belay_error *error, const char *signal,
                         const char *site) {}
/* It waits until there may be room for another descriptor. */
static belay_signal *a_full_acceptor(void) {
  belay_signal *connections = an_acceptor();
  ends[0] = connect_plainly(belay_listener_port(listener));
  CHECK_INT(belay_loop_on_unhandled_error(loop, ignore_error, NULL, NULL), 0);
  struct rlimit none = normal;
  none.rlim_cur = 0;
  CHECK_INT(setrlimit(RLIMIT_NOFILE, &none), 0);
  return connections;
}

/* When it is open: at once; at once, while the pool is busy; when it has armed its timer. */
enum { AT_ONCE, HELD, ARMED };
static const struct {
  const char *name;
  belay_signal *(*make)(void);
  const char *kind;
  int when;
} kinds[] = {
    {"never", belay_signal_never, "subscription", AT_ONCE},
    {"timer", a_timer, "timer", AT_ONCE},
    {"interval", an_interval, "timer", AT_ONCE},
    {"interval of a chain", a_chain, "timer", AT_ONCE},
    {"retry_backoff", a_retry, "timer", AT_ONCE},
    {"delay_subscription", a_late_subscription, "timer", AT_ONCE},
    {"interval of a pool", a_pools_interval, "timer", AT_ONCE},
    {"start", a_start, "work", HELD},
    {"subscribe_on", a_subscription_there, "work", HELD},
    {"observe_on", an_observation_there, "work", HELD},
    {"work", work, "work", HELD},
    {"file_read", a_read_file, "work", HELD},
    {"file_write", a_written_file, "work", HELD},
    {"directory_list", a_list, "work", HELD},
    {"tree_events", a_tree, "work", HELD},
    {"file_events", a_directory, "subscription", AT_ONCE},
    {"file_poll", a_polled_file, "subscription", AT_ONCE},
    {"file_lines that are read", lines, "subscription", HELD},
    {"file_lines that are awaited", lines, "timer", ARMED},
    {"file_chunks that are awaited", chunks, "timer", ARMED},
    {"lookup", a_lookup, "subscription", AT_ONCE},
    {"host_name", a_host_name, "subscription", AT_ONCE},
    {"posix_signal", a_posix_signal, "subscription", AT_ONCE},
    {"wall_timer", a_wall_timer, "subscription", AT_ONCE},
    {"ticks", ticks, "subscription", AT_ONCE},
    {"udp", a_socket, "subscription", AT_ONCE},
    {"poll", a_poll, "subscription", AT_ONCE},
    {"process", a_child, "subscription", AT_ONCE},
    {"tcp_connect", a_connection, "subscription", AT_ONCE},
    {"stream_read", a_reader, "stream", AT_ONCE},
    {"stream_write_all", an_echo, "stream", AT_ONCE},
    {"connections", an_acceptor, "listener", AT_ONCE},
    {"connections without room", a_full_acceptor, "timer", ARMED},
};

/* ---- the cases ---- */

static void open_all(void) {
  CHECK_INT(getrlimit(RLIMIT_NOFILE, &normal), 0);
  ends[0] = ends[1] = -1;
  stream = NULL;
  listener = NULL;
  strcpy(folder, "/tmp/belay-names-XXXXXX");
  CHECK(mkdtemp(folder) != NULL);
  snprintf(file, sizeof file, "%s/file", folder);
  int fd = open(file, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
  CHECK_INT(write(fd, "one\n", 4), 4);
  close(fd);
  loop = open_loop();
  timers = belay_loop_get_scheduler(loop);
  pool = belay_scheduler_create_pool(loop);
  sem_init(&is_held, 0, 0);
  sem_init(&may_go, 0, 0);
}

static void close_all(void) {
  char command[100];
  end_all();
  belay_scheduler_release(pool);
  belay_loop_release(loop);
  sem_destroy(&is_held);
  sem_destroy(&may_go);
  snprintf(command, sizeof command, "rm -r %s", folder);
  CHECK_INT(system(command), 0);
}

static void subscribe_named(belay_signal *signal) {
  belay_observer observer =
      BELAY_INIT(belay_observer, .label = "named", .site = expected_site, .disposed = disposed);
  CHECK(signal != NULL);
  CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
  belay_signal_release(signal);
}

/* Closes the loop. It has named something of this kind, and everything by the subscription's name;
   `what` has opened it. */
static void close_named(const char *kind, const char *what) {
  char text[40];
  CHECK_INT(belay_loop_close(loop, note, NULL, NULL), 0);
  if (kind) snprintf(text, sizeof text, "(%s named)", kind);
  else text[0] = 0;
  int left = 0, named = 0;
  for (const char *at = found; (at = strchr(at, '(')); at++) left++;
  for (const char *at = found; (at = strstr(at, " named)")); at++) named++;
  if (!strstr(found, text) || left != named)
    check_failed(__FILE__, __LINE__, "of %s the close has named \"%s\"", what, found);
}

static void each_source_names_its_subscription(void) {
  expected_site = BELAY_HERE;
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    open_all();
    if (kinds[i].when == HELD) hold_pool();
    subscribe_named(kinds[i].make());
    while (kinds[i].when == ARMED && belay_loop_backend_timeout(loop) <= 0)
      CHECK_INT(belay_loop_run(loop, BELAY_RUN_ONCE), 1);
    close_named(kinds[i].kind, kinds[i].name);
    if (kinds[i].when == HELD) let_pool_go();
    close_all();
  }
}

static void each_operator_names_its_subscription(void) {
  static const int with_timers[] = {18, 32, 35, 36, 37, 38, 39, 40, 41, 58, 59, 69, 77, 78};
  expected_site = BELAY_HERE;
  op_time = 1000;
  belay_op *op;
  for (int kind = 0; open_all(), (op = every_op(kind, timers)); kind++) {
    belay_signal *subject = belay_subject_create(
        &BELAY_INIT(belay_source_options, .label = "named", .site = expected_site));
    char what[40];
    int has_timer = 0;
    for (size_t i = 0; i < sizeof with_timers / sizeof *with_timers; i++)
      has_timer |= with_timers[i] == kind;
    subscribe_named(belay_signal_chain(also(subject), op));
    belay_subject_next(subject, belay_int32(1));
    snprintf(what, sizeof what, "operator %d", kind);
    close_named(has_timer ? "timer" : NULL, what);
    belay_last_error();
    belay_signal_release(subject);
    close_all();
  }
  CHECK_INT(belay_loop_close(loop, note, NULL, NULL), 0);
  close_all();
}

/* The host may name work when the pool has got it. */
static void work_is_named_later(void) {
  belay_disposable *it = NULL;
  expected_site = BELAY_HERE;
  open_all();
  hold_pool();
  CHECK_INT(belay_scheduler_schedule(pool, empty_action, NULL, NULL, &it), 0);
  CHECK_INT(belay_disposable_set_label(it, "named", expected_site), 0);
  belay_disposable_release(it);
  close_named("work", "named work");
  let_pool_go();
  close_all();
}

static void subscribe_there(void *there) {
  belay_observer observer =
      BELAY_INIT(belay_observer, .label = "named", .site = expected_site, .loop = there);
  belay_signal *signals[] = {
      an_interval(), belay_signal_chain(numbers(1, 1), belay_op_delay(timers, 1000))};
  for (int i = 0; i < 2; i++) {
    CHECK_INT(belay_signal_subscribe(signals[i], &observer, NULL), 0);
    belay_signal_release(signals[i]);
  }
  CHECK_INT(belay_loop_post(loop, stop_loop, loop, NULL), 0);
}

static void timers_of_another_loops_subscription(void) {
  worker other = {0};
  expected_site = BELAY_HERE;
  open_all();
  start_worker(&other);
  CHECK_INT(belay_loop_post(other.loop, subscribe_there, other.loop, NULL), 0);
  run_until_stopped(loop);
  close_named("timer", "another loop's subscription");
  stop_worker(&other);
  close_all();
}

static const test_case cases[] = {
    CASE(each_source_names_its_subscription),
    CASE(each_operator_names_its_subscription),
    CASE(work_is_named_later),
    CASE(timers_of_another_loops_subscription),
};

int main(int argc, char **argv) {
  setenv("UV_THREADPOOL_SIZE", "1", 1);
  return RUN_CASES(cases);
}
