#define _GNU_SOURCE
/* Lookups that the system does not answer: what they hold up, and what becomes of them. Here the
   system is this program, which has functions of the resolver's own. */
#include "fds.h"
#include "sanitizer.h"

#include <dlfcn.h>
#include <netdb.h>
#include <netinet/in.h>
#include <semaphore.h>
#include <sys/wait.h>
#include <time.h>
#include <uv.h>

enum { AT_ONCE = 4, THREADS = 64 }; /* of the library */

/* ---- the system ---- */
static sem_t begun, go;
/* Blocks are lists of addresses. */
static int blocks, under_way, most_under_way;
static char begun_names[1 << 12]; /* in the order in which they were asked for */
static pthread_mutex_t names_lock = PTHREAD_MUTEX_INITIALIZER;

static int add(int *number, int change) {
  return __atomic_add_fetch(number, change, __ATOMIC_SEQ_CST);
}
static int read_now(int *number) { return __atomic_load_n(number, __ATOMIC_SEQ_CST); }

/* Waits for what comes soon, at most for a time that is never reached. */
static void await(sem_t *semaphore) {
  struct timespec end;
  clock_gettime(CLOCK_REALTIME, &end);
  end.tv_sec += 60;
  while (sem_timedwait(semaphore, &end) != 0)
    if (errno == ETIMEDOUT) {
      check_failed(__FILE__, __LINE__, "what was waited for has not come; so far: %s", trace_text());
      return;
    }
}

/* A host is held if its name begins with this. */
static int is_held(const char *host) { return strncmp(host, "held", 4) == 0; }

static void ask(const char *host) {
  pthread_mutex_lock(&names_lock);
  size_t used = strlen(begun_names);
  snprintf(begun_names + used, sizeof begun_names - used, "%s ", host);
  if (++under_way > most_under_way) most_under_way = under_way;
  pthread_mutex_unlock(&names_lock);
  sem_post(&begun);
  if (is_held(host)) await(&go);
  pthread_mutex_lock(&names_lock);
  under_way--;
  pthread_mutex_unlock(&names_lock);
}

/* The functions that stand behind those of this program. */
static struct {
  __typeof__(getaddrinfo) *addresses;
  __typeof__(freeaddrinfo) *free;
  __typeof__(getnameinfo) *name;
  __typeof__(pthread_create) *thread;
} systems;
__attribute__((constructor)) static void find_systems(void) {
  *(void **)&systems.addresses = dlsym(RTLD_NEXT, "getaddrinfo");
  *(void **)&systems.free = dlsym(RTLD_NEXT, "freeaddrinfo");
  *(void **)&systems.name = dlsym(RTLD_NEXT, "getnameinfo");
  *(void **)&systems.thread = dlsym(RTLD_NEXT, "pthread_create");
}

/* The number in the name "code …" is the answer; each other name is that of 127.0.0.1. */
int getaddrinfo(const char *host, const char *service, const struct addrinfo *hints,
                struct addrinfo **found) {
  int code;
  if (!(hints->ai_flags & AI_NUMERICHOST)) {
    ask(host);
    if (sscanf(host, "code %d", &code) == 1) {
      errno = EIO;
      return code;
    }
    host = "127.0.0.1";
  }
  code = systems.addresses(host, service, hints, found);
  if (code == 0) add(&blocks, 1);
  return code;
}

void freeaddrinfo(struct addrinfo *list) {
  add(&blocks, -1);
  systems.free(list);
}

int getnameinfo(const struct sockaddr *address, socklen_t size, char *host, socklen_t host_size,
                char *service, socklen_t service_size, int flags) {
  if (!(flags & NI_NAMEREQD))
    return systems.name(address, size, host, host_size, service, service_size, flags);
  CHECK_INT(address->sa_family, AF_INET);
  uint32_t number = ntohl(((const struct sockaddr_in *)address)->sin_addr.s_addr);
  if (number == INADDR_LOOPBACK + 1) return EAI_NONAME;
  ask(number == INADDR_LOOPBACK + 2 ? "held" : "here");
  snprintf(host, host_size, "here.example");
  return 0;
}

#ifndef BENEATH_A_SANITIZER
/* Which has its own. */
static int refuses_threads;
int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
                   void *argument) {
  return refuses_threads ? EAGAIN : systems.thread(thread, attributes, run, argument);
}
#endif

/* ---- a case ---- */
static int threads_before;

static int count_under_way(void) {
  pthread_mutex_lock(&names_lock);
  int count = under_way;
  pthread_mutex_unlock(&names_lock);
  return count;
}
static void forget_names(void) {
  pthread_mutex_lock(&names_lock);
  begun_names[0] = 0;
  most_under_way = 0;
  pthread_mutex_unlock(&names_lock);
}

static void open_lookups(void) {
  begin();
  sem_init(&begun, 0, 0);
  sem_init(&go, 0, 0);
  forget_names();
  threads_before = count_threads();
}

/* Answers so many of those that are held. */
static void let_go(int count) {
  while (count-- > 0) sem_post(&go);
}

/* Each thread ends, and has given back its memory. */
static void close_lookups(void) {
  for (int i = 0; count_threads() > threads_before && i < 60000; i++) usleep(1000);
  CHECK(count_threads() <= threads_before);
  CHECK_INT(read_now(&blocks), 0);
  finish();
}

static belay_disposable *look_up(const char *host) {
  return watched(belay_lookup(loop, host, "80"), host);
}
static void begin_lookups(belay_disposable **subscriptions, int count) {
  for (int i = 0; i < count; i++) {
    subscriptions[i] = look_up("held");
    await(&begun);
  }
}
/* What waits first, so that it does not begin. */
static void end_all(belay_disposable **subscriptions, int count) {
  while (count > 0) end_subscription(subscriptions[--count]);
}

static void note_left(void *ctx, const belay_open_resource *const *left, size_t count) {
  trace("closed with %d left", (int)count);
}
static void close_now(void) {
  CHECK_INT(belay_loop_close(loop, note_left, NULL, NULL), 0);
  belay_loop_release(loop);
  loop = NULL;
}

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
  for (int i = 0; count_threads() > threads_before && i < 60000; i++) usleep(1000);
  CHECK_INT(read_now(&blocks), 1);
  end_subscription(subscription);
  CHECK_INT(read_now(&blocks), 0);
  run_to_end(loop);
  CHECK_TRACE("here disposed | here free");
  watch(belay_lookup(loop, "here", NULL), "");
  for (int i = 0; count_threads() > threads_before && i < 60000; i++) usleep(1000);
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

/* ---- threads ---- */
static belay_value answer(void *ctx) { return belay_int32(42); }
/* The pool has one thread, see main(). */
static void the_pool_is_free(void) {
  open_lookups();
  belay_disposable *subscriptions[AT_ONCE + 2];
  begin_lookups(subscriptions, AT_ONCE);
  for (int i = AT_ONCE; i < AT_ONCE + 2; i++) subscriptions[i] = look_up("held");
  watch(belay_work(loop, answer, NULL, NULL), "work");
  run_until_traced("work free");
  CHECK_TRACE("work next 42 | work completed | work disposed | work free");
  CHECK_INT(count_under_way(), AT_ONCE);
  end_all(subscriptions, AT_ONCE + 2);
  trace_clear();
  run_to_end(loop);
  let_go(AT_ONCE);
  threads_before++; /* the pool's */
  close_lookups();
}

/* More than there may be threads. The later ones wait in their order; one that is disposed of leaves. */
static void all_are_answered_in_their_order(void) {
  enum { COUNT = 12 };
  char names[COUNT][8], expected[200] = "";
  belay_disposable *subscriptions[COUNT];
  open_lookups();
  for (int i = 0; i < COUNT; i++) {
    snprintf(names[i], sizeof names[i], "held%d", i);
    subscriptions[i] = look_up(names[i]);
    if (i < AT_ONCE) await(&begun);
    if (i != 6) sprintf(expected + strlen(expected), "%s ", names[i]);
  }
  end_subscription(subscriptions[6]);
  for (int i = AT_ONCE; i < COUNT - 1; i++) {
    let_go(1);
    await(&begun);
  }
  let_go(AT_ONCE);
  run_to_end(loop);
  CHECK_STRING(begun_names, expected);
  CHECK_INT(most_under_way, AT_ONCE);
  int completed = 0;
  for (const char *at = trace_text(); (at = strstr(at, "completed")); at++) completed++;
  CHECK_INT(completed, COUNT - 1);
  trace_clear();
  for (int i = 0; i < COUNT; i++)
    if (i != 6) belay_disposable_release(subscriptions[i]);
  close_lookups();
}

/* They are as many as there may be at once; each is replaced. */
static void what_was_given_up_blocks_nobody(void) {
  belay_disposable *subscriptions[AT_ONCE], *next[AT_ONCE];
  open_lookups();
  begin_lookups(subscriptions, AT_ONCE);
  for (int i = 0; i < AT_ONCE; i++) next[i] = look_up("here");
  for (int i = 0; i < AT_ONCE; i++) end_subscription(subscriptions[i]);
  trace_clear();
  run_to_end(loop);
  CHECK_INT(count_under_way(), AT_ONCE);
  for (int i = 0; i < AT_ONCE; i++) belay_disposable_release(next[i]);
  trace_clear();
  watch(belay_lookup(loop, "here", NULL), "");
  run_to_end(loop);
  CHECK_TRACE("next [127.0.0.1 0] | completed | disposed | free");
  let_go(AT_ONCE);
  close_lookups();
}

/* Then those that come wait for one of them. */
static void there_is_a_limit_to_threads(void) {
  open_lookups();
  for (int i = 0; i < THREADS; i++) {
    belay_disposable *subscription = look_up("held");
    await(&begun);
    end_subscription(subscription);
  }
  trace_clear();
  CHECK_INT(count_threads(), threads_before + THREADS);
  watch(belay_lookup(loop, "here", NULL), "");
  CHECK_INT(belay_loop_run(loop, BELAY_RUN_NOWAIT), 1);
  CHECK_INT(count_threads(), threads_before + THREADS);
  CHECK_TRACE("");
  let_go(1);
  run_to_end(loop);
  CHECK_TRACE("next [127.0.0.1 0] | completed | disposed | free");
  let_go(THREADS - 1);
  close_lookups();
}

#ifndef BENEATH_A_SANITIZER
static void let_two_wait_for(belay_disposable **first) {
  refuses_threads = 0;
  begin_lookups(first, 1);
  refuses_threads = 1;
  watch(belay_lookup(loop, "one", NULL), "one");
  watch(belay_lookup(loop, "two", NULL), "two");
}
static void without_a_thread_it_fails(void) {
  belay_disposable *first;
  open_lookups();
  refuses_threads = 1;
  watch_errors(belay_lookup(loop, "here", NULL));
  CHECK_TRACE("");
  run_to_end(loop);
  watch_errors(belay_host_name(loop, "127.0.0.1"));
  run_to_end(loop);
  watch_errors(belay_tcp_connect(loop, "here", 80, NULL));
  run_to_end(loop);
  CHECK_TRACE("error EAGAIN: here: resource temporarily unavailable | disposed | free | "
              "error EAGAIN: 127.0.0.1: resource temporarily unavailable | disposed | free | "
              "error EAGAIN: here:80: resource temporarily unavailable | disposed | free");
  trace_clear();
  watch(belay_lookup(loop, "here", NULL), "");
  close_now();
  CHECK_TRACE("disposed | free | closed with 1 left");
  loop = open_loop();
  trace_clear();
  /* While there is one thread, others wait for it. */
  let_two_wait_for(&first);
  let_go(1);
  run_to_end(loop);
  belay_disposable_release(first);
  for (int i = 0; i < 2; i++) await(&begun);
  CHECK_STRING(begun_names, "held one two ");
  CHECK(strstr(trace_text(), "two completed") != NULL);
  trace_clear();
  /* When nobody is left to come to them, they fail. */
  let_two_wait_for(&first);
  end_subscription(first);
  run_to_end(loop);
  CHECK_TRACE("held disposed | held free | one error EAGAIN | one disposed | one free | "
              "two error EAGAIN | two disposed | two free");
  refuses_threads = 0;
  let_go(1);
  close_lookups();
}
#endif

#ifndef BENEATH_THREAD_SANITIZER /* which has no threads after a fork of several */
static void in_the_child(belay_disposable *of_parent, belay_disposable *waits) {
  alarm(60);
  /* What the parent had under way is not there. */
  end_subscription(of_parent);
  end_subscription(waits);
  pthread_mutex_init(&names_lock, NULL);
  under_way = 0;
  forget_names();
  sem_init(&begun, 0, 0);
  loop = open_loop();
  trace_clear();
  belay_disposable *subscriptions[AT_ONCE + 1];
  for (int i = 0; i <= AT_ONCE; i++) subscriptions[i] = look_up("held");
  for (int i = 0; i < AT_ONCE; i++) await(&begun);
  end_all(subscriptions, AT_ONCE + 1);
  trace_clear();
  watch(belay_lookup(loop, "here", NULL), "");
  run_to_end(loop);
  int is_right = strcmp(trace_text(), "next [127.0.0.1 0] | completed | disposed | free") == 0;
  if (!is_right) fprintf(stderr, "the child has %s\n", trace_text());
  _exit(is_right ? 7 : 1);
}

static void a_child_has_its_own(void) {
  belay_disposable *subscriptions[AT_ONCE + 1];
  int status = 0;
  open_lookups();
  begin_lookups(subscriptions, AT_ONCE);
  subscriptions[AT_ONCE] = look_up("waits");
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) in_the_child(subscriptions[0], subscriptions[AT_ONCE]);
  CHECK_INT(waitpid(child, &status, 0), child);
  CHECK(WIFEXITED(status));
  CHECK_INT(WEXITSTATUS(status), 7);
  end_all(subscriptions, AT_ONCE);
  trace_clear();
  run_to_end(loop);
  belay_disposable_release(subscriptions[AT_ONCE]);
  CHECK_TRACE("waits next [127.0.0.1 80] | waits completed | waits disposed | waits free");
  let_go(AT_ONCE);
  close_lookups();
}
#endif

/* Lookups of several loops, which are given up at any time. */
static void look_up_and_close(void *number) {
  unsigned seed = 1 + *(unsigned *)number;
  for (int round = 0; round < 50; round++) {
    belay_loop *here = open_loop();
    belay_disposable *subscriptions[6];
    belay_observer observer = BELAY_INIT(belay_observer);
    for (int i = 0; i < 6; i++) {
      belay_signal *signal = i == 5 ? belay_host_name(here, "127.0.0.1") : belay_lookup(here, "here", NULL);
      CHECK_INT(belay_signal_subscribe(signal, &observer, &subscriptions[i]), 0);
      belay_signal_release(signal);
    }
    for (int i = 0; i < 6; i++) {
      seed = seed * 1103515245 + 12345;
      if (seed >> 16 & 1) belay_disposable_dispose(subscriptions[i]);
      if (seed >> 17 & 1) belay_loop_run(here, BELAY_RUN_NOWAIT);
      belay_disposable_release(subscriptions[i]);
    }
    if (seed >> 18 & 1) CHECK_INT(belay_loop_run(here, BELAY_RUN_DEFAULT), 0);
    CHECK_INT(belay_loop_close(here, ignore_left, NULL, NULL), 0);
    belay_loop_release(here);
  }
}
static void several_loops_at_once(void) {
  enum { LOOPS = 4 };
  routine routines[LOOPS];
  unsigned numbers[LOOPS];
  open_lookups();
  for (unsigned i = 0; i < LOOPS; i++) {
    numbers[i] = i;
    start_thread(&routines[i], look_up_and_close, &numbers[i]);
  }
  for (int i = 0; i < LOOPS; i++) join_thread(&routines[i]);
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
    CASE(the_pool_is_free),
    CASE(all_are_answered_in_their_order),
    CASE(what_was_given_up_blocks_nobody),
    CASE(there_is_a_limit_to_threads),
#ifndef BENEATH_A_SANITIZER
    CASE(without_a_thread_it_fails),
#endif
#ifndef BENEATH_THREAD_SANITIZER
    CASE(a_child_has_its_own),
#endif
    CASE(several_loops_at_once),
};

int main(int argc, char **argv) {
  setenv("UV_THREADPOOL_SIZE", "1", 1);
  in_thread(empty_action, NULL); /* With the first one, the thread sanitizer makes one of its own. */
  return RUN_CASES(cases);
}
