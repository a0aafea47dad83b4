/* A million owners, made and killed with three hooks each. Prints the resident size. */
#include "worker.h"

#include <unistd.h>

enum { OWNERS = 1000000, STEPS = 4 };

static long resident_kilobytes(void) {
  long pages = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  CHECK(file != NULL);
  if (!file) return 0;
  CHECK_INT(fscanf(file, "%*s %ld", &pages), 1);
  fclose(file);
  return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

static long called;
static void count_action(void *ctx) { called++; }
static void count_notice(void *user_info, const char *name, void *address) { called++; }
static void count_next(void *ctx, belay_value value) { called++; }

static void live_and_die(void) {
  belay_owner *owner = belay_owner_create(NULL, NULL, NULL);
  belay_observer observer = {.size = sizeof observer, .next = count_next};
  belay_signal *deallocating = belay_owner_deallocating(owner);
  belay_signal_subscribe(deallocating, &observer, NULL);
  belay_signal_release(deallocating);
  belay_owner_add_action(owner, count_action, NULL, NULL);
  belay_notice_set(owner, "gone", count_notice, NULL, NULL);
  belay_owner_release(owner);
}

static void a_million_owners_with_three_hooks_each(void) {
  long first = 0;
  called = 0;
  for (int step = 1; step <= STEPS; step++) {
    for (int i = 0; i < OWNERS / STEPS; i++) live_and_die();
    long now = resident_kilobytes();
    printf("%8d owners: %ld KB resident\n", step * (OWNERS / STEPS), now);
    if (step == 1) first = now;
    else CHECK(now <= first + 1024);
  }
  CHECK_INT(called, 3L * OWNERS);
}

static const test_case cases[] = {CASE(a_million_owners_with_three_hooks_each)};

int main(int argc, char **argv) { return RUN_CASES(cases); }
