#include "check.h"

#include <dirent.h>
#include <pthread.h>
#include <stdarg.h>
#include <sys/wait.h>
#include <unistd.h>

static int failures_in_case;
static char text[1 << 16];
static size_t length;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void check_failed(const char *file, int line, const char *format, ...) {
  va_list arguments;
  fprintf(stderr, "%s:%d: ", file, line);
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
  fputc('\n', stderr);
  __atomic_add_fetch(&failures_in_case, 1, __ATOMIC_RELAXED);
}

void trace(const char *format, ...) {
  char entry[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(entry, sizeof entry, format, arguments);
  va_end(arguments);
  pthread_mutex_lock(&lock);
  int n = snprintf(text + length, sizeof text - length, "%s%s", length ? " | " : "", entry);
  if (n > 0 && length + (size_t)n < sizeof text) length += (size_t)n;
  pthread_mutex_unlock(&lock);
}

const char *trace_text(void) { return text; }

void trace_clear(void) {
  pthread_mutex_lock(&lock);
  length = 0;
  text[0] = 0;
  pthread_mutex_unlock(&lock);
}

static const char *gap(const char *prefix) { return *prefix ? " " : ""; }

static void on_next(void *ctx, belay_value value) {
  char described[256];
  belay_value_describe(value, described, sizeof described);
  trace("%s%snext %s", (const char *)ctx, gap(ctx), described);
}
static void on_error(void *ctx, const belay_error *error) {
  trace("%s%serror %s", (const char *)ctx, gap(ctx), belay_error_name(belay_error_code(error)));
}
static void on_completed(void *ctx) { trace("%s%scompleted", (const char *)ctx, gap(ctx)); }
static void on_disposed(void *ctx) { trace("%s%sdisposed", (const char *)ctx, gap(ctx)); }
static void on_free(void *ctx) { trace("%s%sfree", (const char *)ctx, gap(ctx)); }

belay_observer tracing(const char *prefix) {
  belay_observer observer = {.size = sizeof observer};
  observer.next = on_next;
  observer.error = on_error;
  observer.completed = on_completed;
  observer.disposed = on_disposed;
  observer.ctx = (void *)prefix;
  observer.ctx_free = on_free;
  observer.site = BELAY_HERE;
  return observer;
}

void trace_action(void *name) { trace("action %s", (const char *)name); }
void trace_free(void *name) { trace("free %s", (const char *)name); }
belay_disposable *traced_action(const char *name) {
  return belay_disposable_create(trace_action, (void *)name, trace_free);
}

static size_t live(size_t counts[BELAY_LIVE_KINDS]) {
  for (int kind = 0; kind < BELAY_LIVE_KINDS; kind++)
    counts[kind] = belay_live_count((belay_live_kind)kind);
  return belay_live_count(BELAY_LIVE_KINDS);
}

int descriptors(void) {
  DIR *directory = opendir("/proc/self/fd");
  int count = -1;
  if (!directory) return count;
  while (readdir(directory)) count++;
  closedir(directory);
  return count;
}

/* How many more descriptors a case may leave than there were. */
static int spare_descriptors;
void keeps_descriptors(int count) { spare_descriptors += count; }

/* libuv keeps what the first loop has made, and Belay the standard descriptors that were missing: as many as in a
   child, which makes one before anything has. */
static void spare_those_of_a_first_loop(void) {
  int status = 0;
  pid_t child = fork();
  if (child == 0) {
    int before = descriptors();
    belay_loop *loop = belay_loop_create(NULL);
    if (loop) belay_loop_close(loop, NULL, NULL, NULL);
    belay_loop_release(loop);
    _exit(descriptors() - before);
  }
  if (child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status))
    keeps_descriptors(WEXITSTATUS(status));
}

/* How many descriptors more there are than `before`. Another thread may be about to give back what it has, such as
   that of a lookup. */
static int left_descriptors(int before) {
  int left = descriptors() - before;
  for (int i = 0; (left < 0 || left > spare_descriptors) && i < 10000; i++) {
    usleep(1000);
    left = descriptors() - before;
  }
  if (left < 0 || left > spare_descriptors) return left;
  spare_descriptors -= left;
  return 0;
}

int run_cases(const test_case *cases, size_t count, int argc, char **argv) {
  int passed = 0, failed = 0;
  spare_those_of_a_first_loop();
  for (size_t i = 0; i < count; i++) {
    if (argc > 1 && !strstr(cases[i].name, argv[1])) continue;
    size_t before[BELAY_LIVE_KINDS], after[BELAY_LIVE_KINDS];
    failures_in_case = 0;
    trace_clear();
    belay_last_error();
    belay_last_error(); /* the first one's error is given back here */
    live(before);
    int fds = descriptors();
    cases[i].run();
    belay_last_error();
    belay_last_error();
    live(after);
    int left = left_descriptors(fds);
    if (left != 0)
      check_failed(__FILE__, __LINE__, "%s left %d descriptors", cases[i].name, left);
    /* Slots in static tables keep their closures, and classes their hooks. */
    for (int kind = 0; kind < BELAY_LIVE_CLOSURES; kind++)
      if (before[kind] != after[kind])
        check_failed(__FILE__, __LINE__, "%s left %lld %s", cases[i].name,
                     (long long)after[kind] - (long long)before[kind],
                     belay_live_kind_name((belay_live_kind)kind));
    printf("%s %s\n", failures_in_case ? "FAILED" : "ok    ", cases[i].name);
    if (failures_in_case) failed++;
    else passed++;
  }
  printf("%d passed, %d failed\n", passed, failed);
  return failed != 0;
}
