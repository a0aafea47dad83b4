/* Plays random calls of every function, a seed in a process of its own, so that a crash or a hang tells its seed and
 * its last calls.
 *
 *   random_calls [--seeds N] [--first N] [--time SECONDS] [--failures N] [--seconds N] [--calls N] [--only TEXT]
 *                [--verbose] [--here] [SEED]
 *
 * BELAY_SEED=N plays that seed alone; BELAY_SEEDS=N plays so many, whatever --seeds says. --time begins no seed after
 * so many seconds, --failures none after so many that have failed; a seed that takes more than --seconds hangs. --calls
 * stops a seed after so many calls; --only makes no calls at random but those whose names have the text, and so changes
 * what a seed is; --here plays in this process, for a debugger. */
#include "random_calls.h"

#include <dirent.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>

enum { MOST_FUNCTIONS = 1000 };
enum { MOST_TOKENS = 40000, MOST_PINS = 400, MOST_FRAMES = 64, MOST_HOARD = 4000, TOLD = 4096, CALLBACKS = 4000 };

int is_tidy;
char folder[64];
size_t high_water;
_Thread_local int is_player;
static int is_verbose, is_here, most_calls = 250;
static const char *only;

/* ---- what the parent sees of a child ---- */

static struct {
  atomic_long calls;
  atomic_int faults;
  atomic_ulong used[MOST_FUNCTIONS];
  char name[TOLD][60];
  char fault[400];
} *told;

static void tell(int depth, const char *kind, const char *name) {
  long at = atomic_fetch_add(&told->calls, 1);
  snprintf(told->name[at % TOLD], sizeof told->name[0], "%*s%s%s", depth * 2, "", kind, name);
  if (is_verbose) fprintf(stderr, "%5ld %s\n", at, told->name[at % TOLD]);
}

void fault(const char *format, ...) {
  char text[300];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (atomic_fetch_add(&told->faults, 1) == 0)
    snprintf(told->fault, sizeof told->fault, "%s (at call %ld)", text, atomic_load(&told->calls));
  if (is_verbose) fprintf(stderr, "FAULT: %s\n", text);
}

void note(const char *format, ...) {
  va_list arguments;
  if (!is_verbose) return;
  va_start(arguments, format);
  fputs("        ", stderr), vfprintf(stderr, format, arguments), fputc('\n', stderr);
  va_end(arguments);
}

/* ---- chance ---- */

static uint64_t state;
uint64_t draw(uint64_t below) {
  static _Thread_local uint64_t other = 88172645463325252u;
  uint64_t *from = is_player ? &state : &other;
  *from ^= *from << 13;
  *from ^= *from >> 7;
  *from ^= *from << 17;
  return (*from * 2685821657736338717u >> 11) % below;
}

/* ---- contexts ---- */

static token tokens[MOST_TOKENS];
static int token_count;
static const char *current; /* the call that draws */

token *give(void **ctx, belay_free_fn *ctx_free) {
  *ctx = NULL;
  *ctx_free = NULL;
  if (token_count == MOST_TOKENS || rarely()) return NULL;
  token *made = &tokens[token_count++];
  made->call = current;
  made->number = atomic_load(&told->calls) - 1;
  *ctx = made;
  if (rarely()) made->may_stay = 2;
  else *ctx_free = free_token;
  return made;
}

static token *as_token(void *ctx) {
  token *it = ctx;
  return it >= tokens && it < tokens + MOST_TOKENS ? it : NULL;
}

void free_token(void *ctx) {
  token *it = as_token(ctx);
  if (!it) fault("ctx_free of what is no context");
  else if (atomic_fetch_add(&it->freed, 1) != 0) fault("ctx_free twice, of call %ld", it->number);
  else if (atomic_load(&it->running) != 0) fault("ctx_free inside of a callback, of call %ld", it->number);
  else if (is_player && draw(8) == 0) act();
}

/* ---- frames: calls in progress ---- */

static struct {
  pool *pool;
  void *handle;
} pins[MOST_PINS];
static int pin_count, frame_count, call_depth, callback_depth;
static int frames[MOST_FRAMES];
static atomic_int callbacks;
static int calls_left;

int is_drained(void) { return atomic_load(&callbacks) > CALLBACKS; }

void begin_call(const char *name) {
  current = name;
  frames[frame_count++] = pin_count;
  tell(call_depth, "", name);
  call_depth++;
}

static int has(pool *pool, void *handle) {
  for (int i = 0; i < pool->count; i++)
    if (pool->items[i] == handle) return 1;
  return 0;
}

/* Half of the arguments are held by their pools alone, so that a callback can release the last reference. */
void ready(void) {
  for (int i = frames[frame_count - 1]; i < pin_count; i++) {
    if (!flip() || !has(pins[i].pool, pins[i].handle)) continue;
    pins[i].pool->release(pins[i].handle);
    pins[i].handle = NULL;
  }
  belay_last_error();
}

void end_call(void) {
  call_depth--;
  int base = frames[--frame_count];
  while (pin_count > base) {
    pin_count--;
    if (pins[pin_count].handle) pins[pin_count].pool->release(pins[pin_count].handle);
  }
}

void check_code(const char *function, int result) {
  note("answers %d", result);
  if (result >= 0 || is_drawn_code(result)) return;
  if (strcmp(belay_error_name(result), "UNKNOWN") == 0) fault("%s answers %d, which is no code", function, result);
  if (!belay_last_error()) fault("%s answers %s and records nothing", function, belay_error_name(result));
}

/* ---- pools ---- */

static void make_one(pool *pool) {
  if (call_depth > 3 || frame_count > 40) return;
  size_t from = draw(call_count);
  for (size_t i = 0; i < call_count; i++) {
    const call *each = &calls[(from + i) % call_count];
    if (!each->makes || (each->makes != pool && each->makes->parent != pool)) continue;
    each->play();
    return;
  }
}

void *peek(pool *pool) {
  if (pool->count == 0 && draw(4)) make_one(pool);
  return pool->count == 0 ? NULL : pool->items[draw((uint64_t)pool->count)];
}

static void *take_out(pool *pool, void *handle) {
  for (int i = 0; i < pool->count; i++)
    if (pool->items[i] == handle) {
      pool->items[i] = pool->items[--pool->count];
      return handle;
    }
  return NULL;
}

void *pick(pool *pool) {
  void *handle = rarely() ? NULL : peek(pool);
  if (!handle || pin_count == MOST_PINS) return NULL;
  if (pool->retain) pool->retain(handle);
  else take_out(pool, handle);
  pins[pin_count].pool = pool;
  pins[pin_count++].handle = handle;
  return handle;
}

void *take(pool *pool) {
  void *handle = rarely() ? NULL : peek(pool);
  if (!handle) return NULL;
  if (!pool->retain) return take_out(pool, handle);
  /* The last reference may be the one that is given away. */
  return draw(3) == 0 ? take_out(pool, handle) : pool->retain(handle);
}

void put(pool *pool, void *handle) {
  if (pool->count == POOL) {
    int at = (int)draw(POOL);
    void *old = pool->items[at];
    pool->items[at] = handle;
    pool->release(old);
    return;
  }
  pool->items[pool->count++] = handle;
}

static belay_disposable *hoarded[MOST_HOARD];
static int hoard_count;

void hoard(belay_disposable *disposable) {
  if (disposable && hoard_count < MOST_HOARD) hoarded[hoard_count++] = belay_disposable_retain(disposable);
}

void made(pool *pool, const char *function, void *handle, int is_own) {
  if (!handle) {
    if (is_own && !belay_last_error()) fault("%s answers NULL and records nothing", function);
    return;
  }
  note("makes %s %p", pool->name, handle);
  if (pool == &belay_disposable_pool || pool->parent == &belay_disposable_pool) hoard(handle);
  if (pool->parent) put(pool->parent, pool->retain(handle));
  put(pool, handle);
}

void lend_handle(int quiet, pool *pool, void *handle) {
  if (quiet || !handle || !pool->retain || handle == keeper || flip()) return;
  pool->retain(handle);
  if (pool == &belay_disposable_pool || pool->parent == &belay_disposable_pool) hoard(handle);
  put(pool, handle);
}

/* ---- callbacks ---- */

int enter(const char *callback, void *ctx) {
  token *it = as_token(ctx);
  if (it && atomic_load(&it->freed)) fault("%s runs after the ctx_free of call %ld", callback, it->number);
  if (it) atomic_fetch_add(&it->running, 1);
  int count = atomic_fetch_add(&callbacks, 1);
  if (!is_player) return 1;
  callback_depth++;
  if (count < CALLBACKS) tell(call_depth, "> ", callback);
  return is_drained() || callback_depth > 4 || call_depth > 5;
}

void leave(void *ctx) {
  token *it = as_token(ctx);
  if (it) atomic_fetch_sub(&it->running, 1);
  if (is_player) callback_depth--;
}

static const char *const favourites[] = {
    "belay_signal_subscribe", "belay_signal_chain_n", "belay_subject_next", "belay_loop_run", "belay_subscriber_next",
    "belay_disposable_dispose", "belay_scheduler_after", "belay_scheduler_schedule", "belay_subject_next_batch",
    "belay_scheduler_advance", "belay_signal_connect", "belay_subject_completed", "belay_signal_subscribe",
};

void play_one(void) {
  if (calls_left <= 0) return;
  calls_left--;
  const char *name = draw(3) == 0 ? ONE_OF(favourites) : NULL;
  size_t from = draw(call_count);
  for (size_t i = 0; i < call_count; i++) {
    const call *each = &calls[(from + i) % call_count];
    if (name && strcmp(each->name, name) != 0) continue;
    if (!name && only && !strstr(each->name, only)) continue;
    atomic_fetch_add(&told->used[each - calls], 1);
    each->play();
    return;
  }
}

void act(void) {
  if (call_depth > 5 || frame_count > 40 || is_drained() || callback_depth > 4) return;
  for (uint64_t i = draw(3); i > 0; i--) play_one();
}

void leave_with_failure(int quiet) {
  belay_last_error();
  if (is_drained() || (!quiet && draw(10) == 0)) belay_fail(draw_code(), "random");
}
belay_value answer_value(int quiet) {
  if (is_drained()) return belay_value_failure(BELAY_ECANCELED, NULL);
  return quiet ? belay_int32((int32_t)draw(5)) : draw_value();
}
int answer_int(int quiet) {
  static const int answers[] = {0, 0, 1, 1, 1, 2, -1, INT_MAX, INT_MIN, BELAY_EINVAL};
  if (is_drained()) return belay_fail(BELAY_ECANCELED, NULL);
  if (quiet) return (int)draw(2);
  return draw(10) == 0 ? belay_fail(draw_code(), draw_text()) : ONE_OF(answers);
}
int answer_iteration(int quiet, void *ctx, belay_value *out) {
  (void)ctx;
  if (is_drained() || draw(4) == 0) return 0;
  if (!quiet && rarely()) return belay_fail(draw_code(), NULL);
  *out = quiet ? belay_int32(1) : draw_value();
  return 1;
}
belay_signal *answer_signal(int quiet, belay_signal *lent) {
  if (lent && (quiet || draw(3)))
    return belay_signal_chain(belay_signal_retain(lent), belay_op_take(draw(4)));
  if (quiet) return is_drained() || flip() ? belay_signal_empty() : belay_signal_just(belay_int32(1));
  if (draw(10) == 0) return belay_fail(draw_code(), NULL), NULL;
  return flip() ? fresh_signal() : cut(take(&belay_signal_pool));
}

belay_signal *answer_with(int quiet, belay_signal *own) {
  if (quiet || draw(3)) return own;
  belay_signal *answer = answer_signal(0, own);
  belay_signal_release(own);
  return answer;
}

/* ---- a seed ---- */

static int descriptors(void) {
  DIR *directory = opendir("/proc/self/fd");
  int count = 0;
  while (directory && readdir(directory)) count++;
  if (directory) closedir(directory);
  return count;
}

static int is_quiet_now(void) {
  for (int kind = 0; kind < BELAY_LIVE_CLOSURES; kind++)
    if (belay_live_count((belay_live_kind)kind) != 0) return 0;
  for (int i = 0; i < token_count; i++)
    if (!tokens[i].may_stay && !atomic_load(&tokens[i].freed)) return 0;
  return 1;
}

static void report_rest(void) {
  char text[300];
  int length = 0;
  for (int kind = 0; kind < BELAY_LIVE_CLOSURES; kind++) {
    size_t live = belay_live_count((belay_live_kind)kind);
    if (live && length < 200)
      length += snprintf(text + length, sizeof text - (size_t)length, " %zu %s", live,
                         belay_live_kind_name((belay_live_kind)kind));
  }
  if (length) fault("left:%s", text);
  if (length && is_verbose && system("grep -H . /proc/$PPID/task/*/comm >&2") != 0) perror("grep");
  for (int i = 0; i < token_count; i++)
    if (!tokens[i].may_stay && !atomic_load(&tokens[i].freed))
      return fault("no ctx_free of call %ld: %s", tokens[i].number, tokens[i].call);
}

static void end_seed(void) {
  tell(0, "", "-- the end --");
  calls_left = 0;
  atomic_store(&callbacks, CALLBACKS + 1); /* from here on callbacks do nothing */
  belay_on_unhandled_error(NULL, NULL, NULL);
  belay_on_overlap(NULL, NULL, NULL);
  belay_on_slow_callback(0, NULL, NULL, NULL);
  belay_on_unannounced_write(NULL, NULL, NULL);
  end_objects();
  for (int i = 0; i < hoard_count; i++) belay_disposable_dispose(hoarded[i]);
  end_tables();
  for (int round = 0; round < 2; round++)
    for (pool *const *each = pools; *each; each++)
      while (*each != &belay_loop_pool && (*each)->count) {
        void *handle = (*each)->items[--(*each)->count];
        (*each)->release(handle);
      }
  for (int i = 0; i < hoard_count; i++) belay_disposable_release(hoarded[i]);
  end_loops();
  while (belay_loop_pool.count) belay_loop_release(belay_loop_pool.items[--belay_loop_pool.count]);
  end_by_hand();
  end_objects(); /* those of a worker's home, too */
  /* What it answers lives until the next call. */
  belay_last_error();
  belay_last_error();
}

extern int __lsan_do_recoverable_leak_check(void) __attribute__((weak));

static void play_seed(uint64_t seed) {
  is_player = 1;
  state = seed * 0x9E3779B97F4A7C15u + 0x2545F4914F6CDD1Du;
  for (int i = 0; i < 8; i++) draw(2);
  is_tidy = seed % 2;
  signal(SIGTRAP, SIG_IGN); /* some operators raise it for a debugger */
  signal(SIGUSR1, SIG_IGN);
  signal(SIGPIPE, SIG_IGN);
  /* libuv keeps what the first loop has made. */
  belay_loop *first = belay_loop_create(NULL);
  belay_loop_close(first, NULL, NULL, NULL);
  belay_loop_release(first);
  int before = descriptors();
  begin_by_hand();
  calls_left = most_calls;
  while (calls_left > 0) play_one();
  end_seed();
  if (is_tidy) {
    /* Threads that wait for children, or worked on the pool, end later. Nothing tells when. */
    for (int i = 0; i < 10000 && (!is_quiet_now() || descriptors() != before); i++) usleep(1000);
    report_rest();
    if (descriptors() != before) fault("left %d descriptors", descriptors() - before);
    if (__lsan_do_recoverable_leak_check && __lsan_do_recoverable_leak_check())
      fault("LeakSanitizer found leaks");
  }
}

/* ---- all seeds ---- */

static void remove_folder(void) {
  char command[sizeof folder + 10];
  snprintf(command, sizeof command, "rm -rf %s", folder);
  if (system(command) != 0) fprintf(stderr, "%s stays\n", folder);
}

static int run_seed(uint64_t seed, unsigned seconds) {
  int status = 0;
  snprintf(folder, sizeof folder, "/tmp/belay-calls-XXXXXX");
  FILE *output = tmpfile();
  if (!output || !mkdtemp(folder)) {
    perror("a temporary file or folder");
    exit(2);
  }
  atomic_store(&told->calls, 0);
  atomic_store(&told->faults, 0);
  told->fault[0] = 0;
  fflush(NULL);
  pid_t child = is_here ? 0 : fork();
  if (child == 0) {
    if (!is_verbose) dup2(fileno(output), 2);
    if (!is_here) alarm(seconds);
    play_seed(seed);
    if (is_here) remove_folder();
    _exit(atomic_load(&told->faults) != 0);
  }
  waitpid(child, &status, 0);
  remove_folder(); /* also that of a seed that has crashed */
  int failed = !WIFEXITED(status) || WEXITSTATUS(status) != 0;
  if (failed) {
    long calls_made = atomic_load(&told->calls);
    printf("BELAY_SEED=%llu: ", (unsigned long long)seed);
    if (WIFSIGNALED(status)) printf("%s", WTERMSIG(status) == SIGALRM ? "hangs" : strsignal(WTERMSIG(status)));
    else printf("exit status %d", WEXITSTATUS(status));
    printf(", after %ld calls%s%s\n", calls_made, told->fault[0] ? ": " : "", told->fault);
    for (long i = calls_made > 30 ? calls_made - 30 : 0; i < calls_made; i++)
      printf("  %5ld %s\n", i, told->name[i % TOLD]);
    char line[300];
    int lines = 0;
    rewind(output);
    while (fgets(line, sizeof line, output) && lines < 200)
      if (!strstr(line, "nobody handles")) printf("  | %s", line), lines++;
    fflush(stdout);
  }
  fclose(output);
  return failed;
}

int main(int argc, char **argv) {
  const char *given = getenv("BELAY_SEED"), *count = getenv("BELAY_SEEDS");
  uint64_t first = 1, seeds = 200;
  unsigned seconds = 60, failures = 0, most_failures = 10;
  time_t until = 0;
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--seeds") == 0 && i + 1 < argc) seeds = strtoull(argv[++i], NULL, 10);
    else if (strcmp(argv[i], "--first") == 0 && i + 1 < argc) first = strtoull(argv[++i], NULL, 10);
    else if (strcmp(argv[i], "--calls") == 0 && i + 1 < argc) most_calls = atoi(argv[++i]);
    else if (strcmp(argv[i], "--only") == 0 && i + 1 < argc) only = argv[++i];
    else if (strcmp(argv[i], "--time") == 0 && i + 1 < argc) until = time(NULL) + atoi(argv[++i]);
    else if (strcmp(argv[i], "--seconds") == 0 && i + 1 < argc) seconds = (unsigned)atoi(argv[++i]);
    else if (strcmp(argv[i], "--failures") == 0 && i + 1 < argc) most_failures = (unsigned)atoi(argv[++i]);
    else if (strcmp(argv[i], "--verbose") == 0) is_verbose = 1;
    else if (strcmp(argv[i], "--here") == 0) is_here = is_verbose = 1; /* for a debugger */
    else if (*argv[i] == '-') return fprintf(stderr, "%s is no option, or needs a value\n", argv[i]), 2;
    else given = argv[i];
  }
  if (count) seeds = strtoull(count, NULL, 10);
  if (given) first = strtoull(given, NULL, 10), seeds = 1;
  if (call_count > MOST_FUNCTIONS) {
    fputs("MOST_FUNCTIONS is too small\n", stderr);
    return 2;
  }
  /* A name that nobody answers must not outlast its seed. */
  setenv("RES_OPTIONS", "timeout:1 attempts:1", 1);
  told = mmap(NULL, sizeof *told, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (told == MAP_FAILED) return 2;
  uint64_t seed = first;
  for (; seed < first + seeds && failures < most_failures && (!until || time(NULL) < until); seed++)
    failures += (unsigned)run_seed(seed, seconds);
  size_t unused = 0;
  for (size_t i = 0; i < call_count; i++)
    if (atomic_load(&told->used[i]) == 0) unused++;
  printf("seeds %llu to %llu: %u failed; %zu of %zu functions were not drawn\n", (unsigned long long)first,
         (unsigned long long)(seed - 1), failures, unused, call_count);
  return failures != 0;
}
