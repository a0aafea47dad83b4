/* The explorer: runs each scenario in a process of its own and prints what was found. */
#define _GNU_SOURCE
#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "engine.h"

settings chosen = {
    .preemptions = 3, .seconds = 5, .seed = 1, .schedules = 5000, .watches = true, .jobs = 2};

static const char *const fault_names[belay_explore_fault_count] = {
    [belay_explore_raise_before_claim] = "raise-before-claim",
    [belay_explore_fence_for_itself] = "fence-for-itself",
};

/* The scenario that must fail when a fault is switched on. */
static const char *const fault_scenarios[belay_explore_fault_count] = {
    [belay_explore_raise_before_claim] = "dispose x dispose",
    [belay_explore_fence_for_itself] = "dispose x emit twice",
};

enum { silence = 20 }; /* seconds without a schedule, after which a scenario counts as hanging */

typedef struct job {
  const explore_scenario *scenario;
  int fault; /* the fault that is switched on and must be found; -1: none */
  report *told;
  pid_t process;
  uint64_t progress;
  double begun, moved;
  bool hangs;
} job;

static int passed, failed;

static report *make_report(void) {
  report *made = mmap(NULL, sizeof *made, PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (made == MAP_FAILED) {
    perror("mmap");
    exit(2);
  }
  return made;
}

static pid_t begin_process(const job *job, const char *replayed) {
  fflush(NULL);
  pid_t process = fork();
  if (process < 0) perror("fork"), exit(2);
  if (process > 0) return process;
  told = job->told;
  // Belay's reports would come in each schedule, so they are dropped; a failure stands in `told`.
  if (!replayed && !freopen("/dev/null", "w", stderr)) exit(2);
  if (job->fault >= 0) belay_explore_faults[job->fault] = true;
  explore_in_process(job->scenario, replayed);
}

static void begin(job *job) {
  job->told = make_report();
  job->begun = job->moved = seconds();
  job->process = begin_process(job, NULL);
}

/* Runs the schedule that failed once more, with every step noted, and prints it. */
static void print_schedule(job *job) {
  char *schedule = NULL;
  size_t size;
  FILE *text = open_memstream(&schedule, &size);
  told = job->told;
  write_decisions(text);
  fclose(text);
  char message[sizeof job->told->message];
  memcpy(message, job->told->message, sizeof message);
  job->told->isTraced = true;
  job->told->lineCount = 0;
  pid_t process = begin_process(job, schedule);
  for (int i = 0; i < 200 && waitpid(process, NULL, WNOHANG) == 0; i++) {
    usleep(50000);
    if (i == 199) kill(process, SIGKILL), waitpid(process, NULL, 0);
  }
  print_trace(stdout, 300);
  if (strcmp(message, job->told->message) != 0)
    printf("  when replayed: %s\n", job->told->message[0] ? job->told->message : "nothing");
  printf("  %s\n  replay: --replay '%s'%s%s '%s'\n", message, schedule,
         job->fault >= 0 ? " --fault " : "", job->fault >= 0 ? fault_names[job->fault] : "",
         job->scenario->name);
  free(schedule);
}

static void print_counts(const job *job) {
  const report *told = job->told;
  uint64_t below = 0;
  for (int i = 0; i <= chosen.preemptions; i++) {
    if (i <= told->complete) below += told->schedules[i];
  }
  if (told->complete >= 0)
    printf("all %llu schedules of up to %d pre-emptions", (unsigned long long)below,
           told->complete);
  if (told->complete < chosen.preemptions)
    printf("%s%llu with %d", told->complete >= 0 ? ", " : "",
           (unsigned long long)told->schedules[told->complete + 1], told->complete + 1);
  printf(", %llu by chance, %u steps, %.1f s", (unsigned long long)told->byChance, told->longest,
         seconds() - job->begun);
}

static void conclude(job *job, int status) {
  bool isClean = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  if (!isClean && !job->told->message[0])
    snprintf(job->told->message, sizeof job->told->message,
             job->hangs ? "hangs" : "the process ended, status %d", status);
  bool isGood = isClean == (job->fault < 0);
  isGood ? passed++ : failed++;
  printf("%s  %s", isGood ? "ok    " : "FAILED", job->scenario->name);
  if (job->fault >= 0) printf(", with --fault %s", fault_names[job->fault]);
  printf(": ");
  if (job->fault >= 0) printf(isClean ? "not found; " : "found; ");
  print_counts(job);
  printf("\n");
  if (!isGood && job->fault < 0) print_schedule(job);
  fflush(stdout);
  munmap(job->told, sizeof *job->told);
}

static void run_jobs(job *jobs, int count) {
  int begun = 0, over = 0;
  while (over < count) {
    while (begun < count && begun - over < chosen.jobs) begin(&jobs[begun++]);
    usleep(20000);
    for (int i = 0; i < begun; i++) {
      job *job = &jobs[i];
      int status;
      if (job->process == 0) continue;
      if (job->told->progress != job->progress) {
        job->progress = job->told->progress;
        job->moved = seconds();
      } else if (seconds() - job->moved > silence) {
        job->hangs = true;
        kill(job->process, SIGKILL);
      }
      if (waitpid(job->process, &status, WNOHANG) != job->process) continue;
      job->process = 0;
      over++;
      conclude(job, status);
    }
  }
}

static int usage(int status) {
  fprintf(status ? stderr : stdout,
          "explorer [option]... [scenario]...\n"
          "  A scenario is named by a part of its name; without one all are explored.\n"
          "  --list             name the scenarios and the faults\n"
          "  --preemptions N    explore every schedule of up to N pre-emptions (3)\n"
          "  --seconds S        at most so long for a scenario (5), and half of it by chance\n"
          "  --schedules N      so many schedules by chance (5000)\n"
          "  --seed S           for these (1)\n"
          "  --weak             let stores overtake each other, as on ARM, in every schedule\n"
          "  --blind            do not watch plain memory, which is quicker\n"
          "  --jobs N           so many scenarios at once (2)\n"
          "  --fault NAME       switch a mended fault on\n"
          "  --replay SCHEDULE  run one schedule of one scenario, and print each step\n");
  return status;
}

static int list(void) {
  for (int i = 0; explore_registry[i]; i++)
    for (const explore_scenario *at = explore_registry[i]; at->name; at++) printf("%s\n", at->name);
  for (int i = 0; i < belay_explore_fault_count; i++) printf("--fault %s\n", fault_names[i]);
  return 0;
}

static int replay(const job *job, const char *schedule) {
  struct job replayed = *job;
  replayed.told = told = make_report();
  told->isTraced = true;
  int status;
  pid_t process = begin_process(&replayed, schedule);
  waitpid(process, &status, 0);
  print_trace(stdout, most_lines);
  printf("  %s\n", told->message[0] ? told->message : "nothing is wrong");
  return status != 0;
}

static int fault_named(const char *name) {
  for (int i = 0; i < belay_explore_fault_count; i++)
    if (strcmp(name, fault_names[i]) == 0) return i;
  fprintf(stderr, "there is no fault %s\n", name);
  exit(2);
}

static bool is_wanted(const char *name, char *const *wanted) {
  if (!*wanted) return true;
  for (; *wanted; wanted++)
    if (strstr(name, *wanted)) return true;
  return false;
}

int main(int argc, char **argv) {
  enum {
    preemptions = 1,
    duration,
    schedules,
    seed,
    weak,
    blind,
    jobs,
    fault,
    schedule,
    names,
    help
  };
  static const struct option options[] = {{"preemptions", 1, NULL, preemptions},
                                          {"seconds", 1, NULL, duration},
                                          {"schedules", 1, NULL, schedules},
                                          {"seed", 1, NULL, seed},
                                          {"weak", 0, NULL, weak},
                                          {"blind", 0, NULL, blind},
                                          {"jobs", 1, NULL, jobs},
                                          {"fault", 1, NULL, fault},
                                          {"replay", 1, NULL, schedule},
                                          {"list", 0, NULL, names},
                                          {"help", 0, NULL, help},
                                          {0}};
  int fault_wanted = -1;
  const char *replayed = NULL;
  for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;) {
    switch (option) {
      case preemptions:
        chosen.preemptions = atoi(optarg) < most_preemptions ? atoi(optarg) : most_preemptions;
        break;
      case duration:
        chosen.seconds = atof(optarg);
        break;
      case schedules:
        chosen.schedules = atol(optarg);
        break;
      case seed:
        chosen.seed = strtoull(optarg, NULL, 10);
        break;
      case weak:
        chosen.weak = true;
        break;
      case blind:
        chosen.watches = false;
        break;
      case jobs:
        chosen.jobs = atoi(optarg) > 0 ? atoi(optarg) : 1;
        break;
      case fault:
        fault_wanted = fault_named(optarg);
        break;
      case schedule:
        replayed = optarg;
        break;
      case names:
        return list();
      default:
        return usage(option == help ? 0 : 2);
    }
  }
  static job all[200];
  int count = 0;
  for (int i = 0; explore_registry[i]; i++)
    for (const explore_scenario *at = explore_registry[i]; at->name; at++)
      if (is_wanted(at->name, argv + optind))
        all[count++] = (job){.scenario = at, .fault = fault_wanted};
  if (count == 0) {
    fprintf(stderr, "there is no such scenario\n");
    return 2;
  }
  if (replayed) return replay(&all[0], replayed);
  /* The explorer's own test: it must find faults that have been mended. */
  if (optind == argc && fault_wanted < 0) {
    int scenarios = count;
    for (int i = 0; i < belay_explore_fault_count; i++)
      for (int k = 0; k < scenarios; k++)
        if (strcmp(all[k].scenario->name, fault_scenarios[i]) == 0)
          all[count++] = (job){.scenario = all[k].scenario, .fault = i};
  }
  printf("seed %llu\n", (unsigned long long)chosen.seed);
  run_jobs(all, count);
  printf("%d passed, %d failed\n", passed, failed);
  return failed != 0;
}
