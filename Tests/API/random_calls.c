/* Plays random calls of every function, a seed in a process of its own, so that a crash or a hang tells its seed and
 * its last calls.
 *
 *   random_calls [--seeds N] [--first N] [--time SECONDS] [--failures N] [--seconds N] [--calls N] [--threads N]
 *                [--only TEXT] [--verbose] [--stacks] [--here] [SEED]
 *
 * BELAY_SEED=N plays that seed alone; BELAY_SEEDS=N plays so many, whatever --seeds says. --time begins no seed after
 * so many seconds, --failures none after so many that have failed; a seed that takes more than --seconds hangs. --calls
 * stops a seed after so many calls. --threads has so many players, each with a thread and a loop of its own, who share
 * all handles; then a seed determines what each draws, and the machine the rest. --only makes no calls at random but
 * those whose names have the text, and so changes what a seed is. --stacks has gdb print the stacks of all threads
 * where a seed crashes or hangs; --here plays in this process, for a debugger. */
#include "random_calls.h"

#include <dirent.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>

enum { MOST_FUNCTIONS = 1000, TOLD = 4096 };

int is_tidy;
char folder[64];
size_t high_water;
static int is_verbose, is_here, with_stacks, most_calls = 250;

/* ---- what the parent sees of a child ---- */

static struct {
  atomic_long calls;
  atomic_int faults;
  atomic_ulong used[MOST_FUNCTIONS];
  char name[TOLD][80];
  char fault[400];
} *told;

void tell(int depth, const char *kind, const char *name) {
  long at = atomic_fetch_add(&told->calls, 1);
  char who[8] = "";
  if (players > 1) snprintf(who, sizeof who, "%d: ", player);
  snprintf(told->name[at % TOLD], sizeof told->name[0], "%s%*s%s%s", who, depth * 2, "", kind, name);
  if (is_verbose) fprintf(stderr, "%5ld %s\n", at, told->name[at % TOLD]);
}

long calls_told(void) { return atomic_load(&told->calls); }
void count_call(size_t index) { atomic_fetch_add(&told->used[index], 1); }

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
  return !kept_token();
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
  const token *kept = kept_token();
  if (kept) fault("no ctx_free of call %ld: %s", kept->number, kept->call);
}

/* ---- players but the first ---- */

static atomic_int playing, stopping, is_ending;

/* Others may wait for what is at home here. */
static void run_until(int (*is_over)(void)) {
  while (!is_over()) {
    if (keeper) belay_loop_run(keeper, BELAY_RUN_NOWAIT);
    drop_pins();
    usleep(200);
  }
  drop_pins();
}
static int all_have_played(void) { return atomic_load(&playing) == 0; }
static int all_have_stopped(void) { return atomic_load(&stopping) == 0; }
static int are_ending(void) { return atomic_load(&is_ending); }

static uint64_t seed_played;
static void *play_along(void *number) {
  begin_player((int)(intptr_t)number, seed_played + ((uint64_t)(intptr_t)number << 40), most_calls / players);
  begin_thread();
  while (has_calls_left()) play_one();
  atomic_fetch_sub(&playing, 1);
  run_until(is_drained); /* no callback is inside any more that keeps what it is lent */
  atomic_fetch_sub(&stopping, 1);
  run_until(are_ending);
  end_thread();
  return NULL;
}

static void end_seed(pthread_t *others) {
  tell(0, "", "-- the end --");
  stop_playing();
  run_until(all_have_stopped);
  belay_on_unhandled_error(NULL, NULL, NULL);
  belay_on_overlap(NULL, NULL, NULL);
  belay_on_slow_callback(0, NULL, NULL, NULL);
  belay_on_unannounced_write(NULL, NULL, NULL);
  end_objects();
  dispose_hoard();
  end_tables();
  void *handle;
  for (int round = 0; round < 2; round++)
    for (pool *const *each = pools; *each; each++)
      while (*each != &belay_loop_pool && (handle = take_any(*each))) (*each)->release(handle);
  release_hoard();
  atomic_store(&is_ending, 1);
  for (int i = 2; i <= players; i++) pthread_join(others[i - 2], NULL);
  end_thread();
  while ((handle = take_any(&belay_loop_pool))) belay_loop_release(handle);
  end_by_hand();
  end_objects(); /* those of a worker's home, too */
  /* What it answers lives until the next call. */
  belay_last_error();
  belay_last_error();
}

static void print_stacks(int number) {
  char command[100];
  snprintf(command, sizeof command, "gdb -q -batch -p %d -ex 'thread apply all bt 40' >&2", (int)getpid());
  if (system(command) != 0) perror(command);
  signal(number, SIG_DFL);
  raise(number);
}

extern int __lsan_do_recoverable_leak_check(void) __attribute__((weak));
/* The resolver of the C library keeps memory of a query that the end of the process cuts off. */
const char *__lsan_default_suppressions(void) { return "leak:__res_context_send\n"; }

static void play_seed(uint64_t seed) {
  pthread_t others[MOST_PLAYERS];
  begin_player(1, seed, most_calls / players);
  seed_played = seed;
  is_tidy = seed % 2;
  signal(SIGTRAP, SIG_IGN); /* some operators raise it for a debugger */
  signal(SIGUSR1, SIG_IGN);
  signal(SIGPIPE, SIG_IGN);
  static const int crashes[] = {SIGILL, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGALRM};
  for (size_t i = 0; with_stacks && i < sizeof crashes / sizeof *crashes; i++)
    signal(crashes[i], print_stacks);
  /* libuv keeps what the first loop has made. */
  belay_loop *first = belay_loop_create(NULL);
  belay_loop_close(first, NULL, NULL, NULL);
  belay_loop_release(first);
  int before = descriptors();
  begin_by_hand();
  atomic_store(&playing, players);
  atomic_store(&stopping, players - 1);
  for (int i = 2; i <= players; i++)
    if (pthread_create(&others[i - 2], NULL, play_along, (void *)(intptr_t)i) != 0) abort();
  while (has_calls_left()) play_one();
  atomic_fetch_sub(&playing, 1);
  run_until(all_have_played);
  end_seed(others);
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
    printf("BELAY_SEED=%llu%s: ", (unsigned long long)seed, players > 1 ? ", of several threads" : "");
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
    else if (strcmp(argv[i], "--threads") == 0 && i + 1 < argc) players = atoi(argv[++i]);
    else if (strcmp(argv[i], "--only") == 0 && i + 1 < argc) only = argv[++i];
    else if (strcmp(argv[i], "--time") == 0 && i + 1 < argc) until = time(NULL) + atoi(argv[++i]);
    else if (strcmp(argv[i], "--seconds") == 0 && i + 1 < argc) seconds = (unsigned)atoi(argv[++i]);
    else if (strcmp(argv[i], "--failures") == 0 && i + 1 < argc) most_failures = (unsigned)atoi(argv[++i]);
    else if (strcmp(argv[i], "--stacks") == 0) with_stacks = 1;
    else if (strcmp(argv[i], "--verbose") == 0) is_verbose = 1;
    else if (strcmp(argv[i], "--here") == 0) is_here = is_verbose = 1; /* for a debugger */
    else if (*argv[i] == '-') return fprintf(stderr, "%s is no option, or needs a value\n", argv[i]), 2;
    else given = argv[i];
  }
  if (count) seeds = strtoull(count, NULL, 10);
  if (given) first = strtoull(given, NULL, 10), seeds = 1;
  if (players < 1 || players > MOST_PLAYERS) return fputs("too many threads, or none\n", stderr), 2;
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
