/* Lookups that the system does not answer: what they hold up, and what becomes of them. Here the
   system is this program, which has functions of the resolver's own. */
#define _GNU_SOURCE
#include "resolver.h"

#include <uv.h>

/* ---- the close ---- */
static void a_close_waits_for_none(void) {
  open_lookups();
  watch(belay_lookup(loop, "held", NULL), "lookup");
  watch(belay_host_name(loop, "127.0.0.3"), "name");
  watch(belay_tcp_connect(loop, "held", 80, NULL), "connect");
  for (int i = 0; i < 3; i++) await(&begun);
  watch(belay_lookup(loop, "held", NULL), "fourth");
  watch(belay_lookup(loop, "waits", NULL), "waits");
  await(&begun);
  close_now();
  /* The one that waits may have begun when the first was given up. It is answered at once. */
  for (int i = 0; count_under_way() != AT_ONCE && i < 60000; i++) usleep(1000);
  CHECK_INT(count_under_way(), AT_ONCE);
  CHECK_TRACE("lookup disposed | lookup free | name disposed | name free | connect disposed | connect free | "
              "fourth disposed | fourth free | waits disposed | waits free | closed with 5 left");
  trace_clear();
  let_go(AT_ONCE);
  close_lookups();
  CHECK_TRACE("");
}

static void nor_does_the_one_of_a_loop_of_the_hosts(void) {
  uv_loop_t uv;
  open_lookups();
  belay_loop *own = loop;
  close_loop(own);
  CHECK_INT(uv_loop_init(&uv), 0);
  loop = belay_loop_adopt(&uv, NULL);
  watch(belay_lookup(loop, "held", NULL), "");
  await(&begun);
  /* It keeps the loop alive. */
  CHECK_INT(uv_run(&uv, UV_RUN_NOWAIT), 1);
  close_now();
  CHECK_TRACE("disposed | free | closed with 1 left");
  CHECK_INT(uv_run(&uv, UV_RUN_DEFAULT), 0);
  CHECK_INT(uv_loop_close(&uv), 0);
  CHECK_INT(count_under_way(), 1);
  trace_clear();
  let_go(1);
  close_lookups();
  CHECK_TRACE("");
}

static void nor_does_a_user_that_leaves(void) {
  open_lookups();
  uv_loop_t *uv = belay_loop_uv(loop);
  belay_loop *own = loop, *other = belay_loop_adopt(uv, NULL);
  belay_observer observer = rendering("");
  observer.loop = other;
  belay_signal *signal = belay_lookup(other, "held", NULL);
  CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
  belay_signal_release(signal);
  await(&begun);
  loop = other;
  close_now();
  loop = own;
  run_to_end(loop);
  CHECK_TRACE("disposed | free | closed with 1 left");
  trace_clear();
  let_go(1);
  close_lookups();
  CHECK_TRACE("");
}

/* ---- a disposal ---- */
static void a_disposal_waits_for_none(void) {
  open_lookups();
  belay_disposable *subscription = look_up("held");
  await(&begun);
  end_subscription(subscription);
  CHECK_TRACE("held disposed | held free");
  belay_disposable *name = watched(belay_host_name(loop, "127.0.0.3"), "name");
  await(&begun);
  end_subscription(name);
  belay_disposable *connection = watched(belay_tcp_connect(loop, "held", 80, NULL), "connect");
  await(&begun);
  end_subscription(connection);
  CHECK_TRACE("name disposed | name free | connect disposed | connect free");
  CHECK_INT(count_under_way(), 3);
  trace_clear();
  /* Nothing keeps the loop alive any more. */
  run_to_end(loop);
  let_go(3);
  close_lookups();
  CHECK_TRACE("");
}

static void dispose_there(void *subscription) { end_subscription(subscription); }
static void nor_does_one_on_another_thread(void) {
  open_lookups();
  belay_disposable *subscription = look_up("held");
  await(&begun);
  in_thread(dispose_there, subscription);
  run_to_end(loop);
  CHECK_TRACE("held disposed | held free");
  CHECK_INT(count_under_way(), 1);
  trace_clear();
  let_go(1);
  close_lookups();
}

/* The answer is on its way already. */
static void a_disposal_after_the_answer(void) {
  open_lookups();
  belay_disposable *subscription = look_up("here");
  await_threads();
  CHECK_INT(read_now(&blocks), 1);
  end_subscription(subscription);
  CHECK_INT(read_now(&blocks), 0);
  run_to_end(loop);
  CHECK_TRACE("here disposed | here free");
  watch(belay_lookup(loop, "here", NULL), "");
  await_threads();
  close_now();
  CHECK_TRACE("disposed | free | closed with 1 left");
  close_lookups();
}

/* ---- answers ---- */
static belay_disposable *own;
static void end_own(void *ctx, belay_value value) {
  render_next("", value);
  end_subscription(own);
}
static void close_inside(void *ctx, belay_value value) {
  render_next("", value);
  close_now();
}
static void ended_inside_of_the_answer(void) {
  belay_observer observer = rendering("");
  open_lookups();
  belay_signal *signal = belay_lookup(loop, "here", NULL);
  observer.next = end_own;
  CHECK_INT(belay_signal_subscribe(signal, &observer, &own), 0);
  run_to_end(loop);
  CHECK_TRACE("next [127.0.0.1 0] | disposed | free");
  observer.next = close_inside;
  CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
  belay_signal_release(signal);
  belay_loop *running = belay_loop_retain(loop);
  CHECK_INT(belay_loop_run(running, BELAY_RUN_DEFAULT), 0);
  belay_loop_release(running);
  CHECK_TRACE("next [127.0.0.1 0] | disposed | free | closed with 1 left");
  close_lookups();
}

static void let_one_go(void *ctx) {
  await(&begun);
  let_go(1);
}
static void it_keeps_the_loop_alive(void) {
  open_lookups();
  routine other;
  start_thread(&other, let_one_go, NULL);
  watch(belay_lookup(loop, "held", "80"), "");
  run_to_end(loop);
  CHECK_TRACE("next [127.0.0.1 80] | completed | disposed | free");
  join_thread(&other);
  watch(belay_host_name(loop, "127.0.0.1"), "");
  run_to_end(loop);
  watch_errors(belay_host_name(loop, "127.0.0.2"));
  run_to_end(loop);
  CHECK_TRACE("next here.example | completed | disposed | free | "
              "error EAI_NONAME: 127.0.0.2: unknown node or service | disposed | free");
  close_lookups();
}

static void accept_one(void *ctx, belay_value value) {
  trace("accepted");
  end_subscription(own);
}
static void a_connection_by_name(void) {
  open_lookups();
  belay_listener *listener = belay_tcp_listen(loop, "127.0.0.1", 0, NULL);
  belay_observer observer = rendering("listener");
  belay_signal *connections = belay_listener_connections(listener);
  observer.next = accept_one;
  CHECK_INT(belay_signal_subscribe(connections, &observer, &own), 0);
  belay_signal_release(connections);
  watch(belay_tcp_connect(loop, "here", (uint16_t)belay_listener_port(listener), NULL), "");
  run_until_traced("accepted");
  run_to_end(loop);
  CHECK(strstr(trace_text(), "completed") != NULL);
  CHECK_STRING(begun_names, "here ");
  belay_listener_release(listener);
  trace_clear();
  watch_errors(belay_tcp_connect(loop, "code -2", 80, NULL));
  run_to_end(loop);
  CHECK_TRACE("error EAI_NONAME: code -2:80: unknown node or service | disposed | free");
  close_lookups();
}

static void numbers_of_no_port(void) {
  static const char *const services[] = {"65536", "99999999999", "18446744073709551616",
                                         "+65616", " 65616"};
  open_lookups();
  for (size_t i = 0; i < sizeof services / sizeof *services; i++) {
    watch_errors(belay_lookup(loop, "127.0.0.1", services[i]));
    run_to_end(loop);
    CHECK_TRACE("error EAI_SERVICE: 127.0.0.1: service not available for socket type | disposed | free");
  }
  watch(belay_lookup(loop, "127.0.0.1", "065535"), "");
  run_to_end(loop);
  CHECK_TRACE("next [127.0.0.1 65535] | completed | disposed | free");
  close_lookups();
}

/* Numbers need neither a thread nor the system. */
static void numbers_need_no_thread(void) {
  open_lookups();
  belay_disposable *subscriptions[AT_ONCE];
  begin_lookups(subscriptions, AT_ONCE);
  watch(belay_lookup(loop, "127.0.0.1", "80"), "");
  watch(belay_lookup(loop, "::1", NULL), "");
  /* The answer comes in a turn of its own. */
  CHECK_TRACE("");
  run_until_traced("free | next [::1 0] | completed | disposed | free");
  CHECK_TRACE("next [127.0.0.1 80] | completed | disposed | free | next [::1 0] | completed | disposed | free");
  trace_clear();
  end_all(subscriptions, AT_ONCE);
  trace_clear();
  let_go(AT_ONCE);
  close_lookups();
}

/* The codes of libuv, for each of the system's. */
static int answered_code;
static void keep_code(void *ctx, const belay_error *error) { answered_code = belay_error_code(error); }
static void errors_are_libuvs(void) {
  static const struct {
    int system, code;
  } pairs[] = {{EAI_AGAIN, UV_EAI_AGAIN},       {EAI_BADFLAGS, UV_EAI_BADFLAGS},
               {EAI_FAIL, UV_EAI_FAIL},         {EAI_FAMILY, UV_EAI_FAMILY},
               {EAI_MEMORY, UV_EAI_MEMORY},     {EAI_NODATA, UV_EAI_NODATA},
               {EAI_NONAME, UV_EAI_NONAME},     {EAI_OVERFLOW, UV_EAI_OVERFLOW},
               {EAI_SERVICE, UV_EAI_SERVICE},   {EAI_SOCKTYPE, UV_EAI_SOCKTYPE},
               {EAI_ADDRFAMILY, UV_EAI_ADDRFAMILY}, {EAI_SYSTEM, UV_EIO}};
  open_lookups();
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    char name[40];
    belay_observer observer = BELAY_INIT(belay_observer);
    observer.error = keep_code;
    snprintf(name, sizeof name, "code %d", pairs[i].system);
    belay_signal *signal = belay_lookup(loop, name, NULL);
    answered_code = 0;
    CHECK_INT(belay_signal_subscribe(signal, &observer, NULL), 0);
    belay_signal_release(signal);
    run_to_end(loop);
    CHECK_INT(answered_code, pairs[i].code);
  }
  forget_names();
  watch(belay_lookup(loop, "b\303\274cher.example", NULL), "");
  run_to_end(loop);
  CHECK_TRACE("next [127.0.0.1 0] | completed | disposed | free");
  CHECK_STRING(begun_names, "xn--bcher-kva.example ");
  close_lookups();
}

static const test_case cases[] = {
    CASE(numbers_of_no_port),
    CASE(a_close_waits_for_none),
    CASE(nor_does_the_one_of_a_loop_of_the_hosts),
    CASE(nor_does_a_user_that_leaves),
    CASE(a_disposal_waits_for_none),
    CASE(nor_does_one_on_another_thread),
    CASE(a_disposal_after_the_answer),
    CASE(ended_inside_of_the_answer),
    CASE(it_keeps_the_loop_alive),
    CASE(a_connection_by_name),
    CASE(numbers_need_no_thread),
    CASE(errors_are_libuvs),
};

int main(int argc, char **argv) {
  in_thread(empty_action, NULL); /* With the first one, the thread sanitizer makes one of its own. */
  return RUN_CASES(cases);
}
