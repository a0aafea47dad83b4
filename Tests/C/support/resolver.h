/* A resolver of the test program's own, which stands before the system's. It holds hosts whose
   names begin with "held" until the test lets them go. Define _GNU_SOURCE before. */
#ifndef RESOLVER_H
#define RESOLVER_H

#include "fds.h"
#include "sanitizer.h"

#include <dlfcn.h>
#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <semaphore.h>
#include <time.h>

enum { AT_ONCE = 4, THREADS = 64 }; /* of the library */

/* ---- the system ---- */
static sem_t begun, go;
/* Blocks are lists of addresses. */
static int blocks, under_way, most_under_way;
static char begun_names[1 << 12]; /* in the order in which they were asked for */
static pthread_mutex_t names_lock = PTHREAD_MUTEX_INITIALIZER;

static inline int add(int *number, int change) {
  return __atomic_add_fetch(number, change, __ATOMIC_SEQ_CST);
}
static inline int read_now(int *number) { return __atomic_load_n(number, __ATOMIC_SEQ_CST); }

/* Waits for what comes soon, at most for a time that is never reached. */
static inline void await(sem_t *semaphore) {
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
static inline int is_held(const char *host) { return strncmp(host, "held", 4) == 0; }

static inline void ask(const char *host) {
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

static inline int count_under_way(void) {
  pthread_mutex_lock(&names_lock);
  int count = under_way;
  pthread_mutex_unlock(&names_lock);
  return count;
}
static inline void forget_names(void) {
  pthread_mutex_lock(&names_lock);
  begun_names[0] = 0;
  most_under_way = 0;
  pthread_mutex_unlock(&names_lock);
}

static inline void open_lookups(void) {
  begin();
  sem_init(&begun, 0, 0);
  sem_init(&go, 0, 0);
  forget_names();
  threads_before = count_threads();
}

/* Answers so many of those that are held. */
static inline void let_go(int count) {
  while (count-- > 0) sem_post(&go);
}

/* Until none is left of those that look up, at most for a time that is never reached. */
static inline void await_threads(void) {
  for (int i = 0; count_threads() > threads_before && i < 60000; i++) usleep(1000);
}

/* Each thread ends, and has given back its memory. */
static inline void close_lookups(void) {
  await_threads();
  CHECK(count_threads() <= threads_before);
  CHECK_INT(read_now(&blocks), 0);
  finish();
}

static inline belay_disposable *look_up(const char *host) {
  return watched(belay_lookup(loop, host, "80"), host);
}
static inline void begin_lookups(belay_disposable **subscriptions, int count) {
  for (int i = 0; i < count; i++) {
    subscriptions[i] = look_up("held");
    await(&begun);
  }
}
/* What waits first, so that it does not begin. */
static inline void end_all(belay_disposable **subscriptions, int count) {
  while (count > 0) end_subscription(subscriptions[--count]);
}

static inline void note_left(void *ctx, const belay_open_resource *const *left, size_t count) {
  trace("closed with %d left", (int)count);
}
static inline void close_now(void) {
  CHECK_INT(belay_loop_close(loop, note_left, NULL, NULL), 0);
  belay_loop_release(loop);
  loop = NULL;
}

#endif
