/* Plays random programs of several threads (game.h), and says which seeds went wrong.
 *
 *   random_threads [--seed N] [--programs N] [--seconds S] [--times N] [--without NAME[,NAME…]]
 *                  [--hang S] [--halt] [--verbose] [--list]
 *
 * Without --seed it plays the seeds from 1 on. A seed decides the plan; the schedule is the
 * machine's, so --times plays each seed that often. --without leaves features out, to find what a
 * failure needs;
 * --list names them. A program that takes longer than --hang seconds hangs; with --halt it is left
 * standing, for a debugger. Exits with 1 when a program has failed.
 *
 * Programs are played in child processes, so that a crash ends neither the rest nor the count.
 */
#define _GNU_SOURCE
#include "game.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

char is_without[F_COUNT];

static struct options {
  uint64_t seed, programs, times;
  double seconds, hang;
  int is_verbose, is_halting;
} options = {.seed = 1, .programs = 0, .times = 1, .hang = 30};

/* How many faults of each kind are printed: of one program, and of all. */
enum { CHILD_PLAYS = 500, DETAILS = 2, MOST_DETAILED = 10 };

/* What the child processes report. */
static struct board {
  _Atomic uint64_t played; /* plays begun since the first */
  _Atomic uint64_t seed;
  _Atomic int is_playing;
  _Atomic unsigned faults;          /* of the current program, a bit a kind */
  _Atomic int details[FAULT_COUNT]; /* how many of its faults were printed */
  _Atomic uint64_t failed, counts[FAULT_COUNT];
} * board;

/* ---- names ---- */

static const char *const feature_names[] = {
#define X(name) #name,
    FEATURES(X)
#undef X
};
static const char *const fault_names[] = {
#define X(name) #name,
    FAULTS(X)
#undef X
};

const char *fault_name(fault kind) { return fault_names[kind]; }

int feature_named(const char *name, size_t length) {
  for (int i = 0; i < F_COUNT; i++)
    if (strlen(feature_names[i]) == length && memcmp(feature_names[i], name, length) == 0) return i;
  return -1;
}

void list_features(FILE *out) {
  for (int i = 0; i < F_COUNT; i++) fprintf(out, "%s\n", feature_names[i]);
}

/* ---- faults ---- */

static int is_detailed(fault kind) {
  return options.is_verbose || (atomic_fetch_add(&board->details[kind], 1) < DETAILS &&
                                atomic_load(&board->counts[kind]) < MOST_DETAILED);
}

void report(fault kind, const char *format, ...) {
  char text[320];
  va_list arguments;
  atomic_fetch_or(&board->faults, 1u << kind);
  if (!is_detailed(kind)) return;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  printf("seed %llu: %s: %s\n", (unsigned long long)atomic_load(&board->seed), fault_name(kind),
         text);
  fflush(stdout);
}

/* Describes a program that has failed: its players and its features. */
static void print_plan(void) {
  for (int i = 0; i < the_game.players_count; i++) {
    const player *one = &the_game.players[i];
    printf("  t%d%s%s;", i, one->has_loop ? "" : " has no loop",
           one->closes_early ? " closes its loop early" : "");
  }
  for (int i = 0; i < the_game.sources_count; i++) {
    const struct source *it = &the_game.sources[i];
    printf(" s%d at t%d%s%s%s;", i, it->home, it->is_shared ? " shared" : "",
           it->is_latest ? " latest" : "", it->is_ledger ? " ledger" : "");
  }
  printf("\n");
}

/* Counts the faults of the current program, or of the one in which a child process has died. */
static void settle(void) {
  unsigned faults = atomic_exchange(&board->faults, 0);
  for (int i = 0; i < FAULT_COUNT; i++) atomic_store(&board->details[i], 0);
  atomic_store(&board->is_playing, 0);
  if (!faults) return;
  atomic_fetch_add(&board->failed, 1);
  for (int i = 0; i < FAULT_COUNT; i++)
    if (faults & 1u << i) atomic_fetch_add(&board->counts[i], 1);
}

static void write_players(const char *title) {
  char text[1024];
  int used = snprintf(text, sizeof text, "seed %llu: %s\n",
                      (unsigned long long)atomic_load(&board->seed), title);
  for (int i = 0; i < the_game.players_count && used < (int)sizeof text; i++) {
    const player *one = &the_game.players[i];
    used += snprintf(text + used, sizeof text - (size_t)used, "  t%d%s: %s, step %d of %d, %s\n", i,
                     one->has_loop ? "" : " (no loop)", one->phase ? one->phase : "", one->step,
                     one->steps, one->doing ? one->doing : "");
  }
  if (used > (int)sizeof text) used = (int)sizeof text;
  if (write(STDOUT_FILENO, text, (size_t)used) < 0) return;
}

static void die(int number) {
  char title[64];
  atomic_fetch_or(&board->faults, 1u << FAULT_CRASH);
  snprintf(title, sizeof title, "CRASH: signal %d", number);
  write_players(title);
  signal(number, SIG_DFL);
  raise(number);
}

/* A function of the sanitizers, where the program is built with one. */
extern void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));
void __tsan_on_report(void *report_of_tsan);
void __tsan_on_report(void *report_of_tsan) {
  (void)report_of_tsan;
  report(FAULT_CRASH, "ThreadSanitizer's report");
}
static void die_by_sanitizer(void) {
  if (!board || !atomic_load(&board->is_playing)) return;
  atomic_fetch_or(&board->faults, 1u << FAULT_CRASH);
  write_players("CRASH: the sanitizer's report");
}

static void catch_crashes(void) {
  static char stack[1 << 16];
  stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack};
  sigaltstack(&alternate, NULL);
  static const int fatal[] = {SIGABRT, SIGILL, SIGTRAP, SIGSEGV, SIGBUS, SIGFPE};
  int has_sanitizer = __sanitizer_set_death_callback != NULL;
  if (has_sanitizer) __sanitizer_set_death_callback(die_by_sanitizer);
  for (int i = has_sanitizer ? 3 : 0; i < 6 - (has_sanitizer ? 3 : 0); i++)
    sigaction(fatal[i], &(struct sigaction){.sa_handler = die, .sa_flags = SA_ONSTACK}, NULL);
}

/* ---- time ---- */

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void *watch(void *unused) {
  uint64_t last = UINT64_MAX;
  double since = now();
  for (;;) {
    usleep(200000);
    uint64_t played = atomic_load(&board->played);
    if (played != last || !atomic_load(&board->is_playing)) {
      last = played;
      since = now();
    } else if (now() - since > options.hang) {
      atomic_fetch_or(&board->faults, 1u << FAULT_HANG);
      char title[48];
      snprintf(title, sizeof title, "HANG, process %d", (int)getpid());
      write_players(title);
      while (options.is_halting) pause();
      _exit(0);
    }
  }
  return unused;
}

/* ---- a child's plays ---- */

static void ignore_error(void *ctx, const belay_error *error, const char *signal,
                         const char *site) {
  (void)ctx, (void)error, (void)signal, (void)site;
}

static void play_some(uint64_t last_play, double until) {
  pthread_t watcher;
  catch_crashes();
  /* A worker's close rightly reports what it finds alive; that is dropped. */
  if (!options.is_verbose && !__sanitizer_set_death_callback && !freopen("/dev/null", "w", stderr))
    _exit(2);
  belay_on_unhandled_error(ignore_error, NULL, NULL);
  if (pthread_create(&watcher, NULL, watch, NULL) != 0) _exit(2);
  uint64_t failed = atomic_load(&board->failed);
  for (int i = 0; i < CHILD_PLAYS && atomic_load(&board->played) < last_play; i++) {
    if (until > 0 && now() > until) break;
    uint64_t number = atomic_fetch_add(&board->played, 1);
    atomic_store(&board->seed, options.seed + number / options.times);
    atomic_store(&board->is_playing, 1);
    if (i == 0) belay_loop_release(belay_loop_create(NULL)); /* libuv keeps two pipes */
    play(atomic_load(&board->seed));
    if (options.is_verbose && atomic_load(&board->faults)) print_plan();
    settle();
  }
  fflush(stdout);
  /* The leak sanitizer need not report what a failed program has left. */
  if (atomic_load(&board->failed) != failed) _exit(0);
  exit(0);
}

static int parse(int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    const char *flag = argv[i], *value = i + 1 < argc ? argv[i + 1] : NULL;
    if (strcmp(flag, "--verbose") == 0) {
      options.is_verbose = 1;
      continue;
    }
    if (strcmp(flag, "--halt") == 0) {
      options.is_halting = 1;
      continue;
    }
    if (strcmp(flag, "--list") == 0) {
      list_features(stdout);
      exit(0);
    }
    if (!value) return -1;
    i++;
    if (strcmp(flag, "--seed") == 0) {
      options.seed = strtoull(value, NULL, 0);
      if (!options.programs) options.programs = 1;
    } else if (strcmp(flag, "--programs") == 0) {
      options.programs = strtoull(value, NULL, 0);
    } else if (strcmp(flag, "--times") == 0) {
      options.times = strtoull(value, NULL, 0);
    } else if (strcmp(flag, "--seconds") == 0) {
      options.seconds = atof(value);
    } else if (strcmp(flag, "--hang") == 0) {
      options.hang = atof(value);
    } else if (strcmp(flag, "--without") == 0) {
      for (const char *name = value; *name;) {
        size_t length = strcspn(name, ",");
        int what = feature_named(name, length);
        if (what < 0) return -1;
        is_without[what] = 1;
        name += length + (name[length] == ',');
      }
    } else {
      return -1;
    }
  }
  if (!options.programs) options.programs = options.seconds > 0 ? UINT64_MAX / 2 : 2000;
  return options.times > 0 ? 0 : -1;
}

int main(int argc, char **argv) {
  if (parse(argc, argv) != 0) {
    fprintf(stderr,
            "usage: random_threads [--seed N] [--programs N] [--seconds S] [--times N] "
            "[--without NAME,…] [--hang S] [--halt] [--verbose] [--list]\n");
    return 2;
  }
  if (make_folder() != 0) return 2;
  board = mmap(NULL, sizeof *board, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (board == MAP_FAILED) return 2;
  uint64_t last_play = options.programs > UINT64_MAX / 2 / options.times
                           ? UINT64_MAX / 2
                           : options.programs * options.times;
  double until = options.seconds > 0 ? now() + options.seconds : 0;
  while (atomic_load(&board->played) < last_play && (until == 0 || now() < until)) {
    fflush(stdout);
    pid_t child = fork();
    if (child < 0) return 2;
    if (child == 0) play_some(last_play, until);
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
    int is_bad = !WIFEXITED(status) || WEXITSTATUS(status) != 0;
    if (is_bad && !atomic_load(&board->faults))
      report(FAULT_CRASH, "the process ended with status %#x", (unsigned)status);
    settle();
  }
  printf("%llu programs played, %llu failed", (unsigned long long)atomic_load(&board->played),
         (unsigned long long)atomic_load(&board->failed));
  for (int i = 0; i < FAULT_COUNT; i++)
    if (atomic_load(&board->counts[i]))
      printf(", %s %llu", fault_names[i], (unsigned long long)atomic_load(&board->counts[i]));
  printf("\n");
  return atomic_load(&board->failed) != 0;
}
