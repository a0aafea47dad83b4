/* A million owners, made and killed with three hooks each; a million subscriptions and observations
   that end by themselves. Prints how much memory the process has. */
#include "people.h"
#include "sanitizer.h"

#include <unistd.h>

#if defined BELAY_CHECKED || defined BENEATH_THREAD_SANITIZER
enum { MILLION = 100000, STEPS = 4 }; /* the checked build's ledger of handles is slow, and so is the sanitizer */
#else
enum { MILLION = 1000000, STEPS = 4 };
#endif

/* A sanitizer keeps what is freed, and a history of each access, so the resident size says nothing
   about the program. The sanitizer's allocator says how much the program holds. */
#ifdef BENEATH_A_SANITIZER
#include <sanitizer/allocator_interface.h>

static const char measure[] = "held";
static long memory_kilobytes(void) {
  return (long)__sanitizer_get_current_allocated_bytes() / 1024;
}
#else
static const char measure[] = "resident";
static long memory_kilobytes(void) {
  long pages = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  CHECK(file != NULL);
  if (!file) return 0;
  CHECK_INT(fscanf(file, "%*s %ld", &pages), 1);
  fclose(file);
  return pages * (sysconf(_SC_PAGESIZE) / 1024);
}
#endif

static long called;
static void count_action(void *ctx) { called++; }
static void count_notice(void *user_info, const char *name, void *address) { called++; }
static void count_next(void *ctx, belay_value value) { called++; }

static void live_and_die(void) {
  belay_owner *owner = belay_owner_create(NULL, NULL, NULL, NULL);
  belay_observer observer = {.size = sizeof observer, .next = count_next};
  belay_signal *deallocating = belay_owner_deallocating(owner);
  belay_signal_subscribe(deallocating, &observer, NULL);
  belay_signal_release(deallocating);
  belay_owner_add_action(owner, count_action, NULL, NULL);
  belay_notice_set(owner, "gone", count_notice, NULL, NULL);
  belay_owner_release(owner);
}

/* Does `some` a million times in steps. After the first step memory does not grow. */
static void soak(const char *kind, void (*some)(void *ctx, int count), void *ctx) {
  long first = 0;
  called = 0;
  for (int step = 1; step <= STEPS; step++) {
    some(ctx, MILLION / STEPS);
    long now = memory_kilobytes();
    printf("%8d %s: %ld KB %s\n", step * (MILLION / STEPS), kind, now, measure);
    if (step == 1) first = now;
    else CHECK(now <= first + 1024);
  }
}

static void owners(void *ctx, int count) {
  (void)ctx;
  for (int i = 0; i < count; i++) live_and_die();
}
static void a_million_owners_with_three_hooks_each(void) {
  soak("owners", owners, NULL);
  CHECK_INT(called, 3L * MILLION);
}

/* ---- what ends by itself on one owner that lives ---- */

enum { AT_ONCE = 50 };
static void subscriptions(void *owner, int count) {
  belay_observer observer = {.size = sizeof observer, .next = count_next};
  belay_signal *subject = belay_subject_create(NULL);
  belay_signal *first = belay_signal_chain(belay_signal_retain(subject), belay_op_take(1));
  for (int i = 0; i < count; i += AT_ONCE) {
    observer.owner = owner;
    for (int one = 0; one < AT_ONCE; one++)
      CHECK_INT(belay_signal_subscribe(first, &observer, NULL), 0);
    CHECK_INT(belay_subject_next(subject, belay_int32(i)), 0);
  }
  belay_signal_release(first), belay_signal_release(subject);
}
static void a_million_subscriptions_that_end_on_a_living_owner(void) {
  belay_owner *owner = belay_owner_create(NULL, NULL, NULL, NULL);
  soak("subscriptions", subscriptions, owner);
  CHECK_INT(called, MILLION);
  CHECK_INT(belay_compound_count(belay_owner_get_compound(owner)), 0);
  belay_owner_release(owner);
}

static void hear_event(void *ctx, const belay_owner_event *event) { called++; }

/* In turn: observers of a living object that die, objects that die under a living observer, a path
   over which an object goes, and watches of a property by level. */
static void observations(void *living, int count) {
  belay_observer observer = {.size = sizeof observer, .next = count_next};
  for (int i = 0; i < count; i += 4) {
    belay_owner *other = make_person(i, NULL);
    belay_signal *signals[] = {observe_with(living, "age", BELAY_OBSERVE_INITIAL, other),
                               observe_with(other, "age", BELAY_OBSERVE_INITIAL, living),
                               observe_with(other, "mate.age", BELAY_OBSERVE_INITIAL, living)};
    CHECK_INT(set_owner(living, "mate", other), 0);
    CHECK_INT(set_owner(other, "mate", living), 0);
    for (int one = 0; one < 3; one++) {
      CHECK_INT(belay_signal_subscribe(signals[one], &observer, NULL), 0);
      belay_signal_release(signals[one]);
    }
    CHECK_INT(belay_owner_event_watch(other, living, ".mate.age", i % 3, hear_event, NULL, NULL),
              0);
    CHECK_INT(set_int(living, "age", i), 0);
    CHECK_INT(set_int(other, "age", i + 1), 0);
    belay_owner_release(other);
  }
}
static void a_million_observations_that_end_on_a_living_object(void) {
  belay_owner *living = make_person(0, NULL);
  soak("observations", observations, living);
  /* For each fourth of them seven calls: three first values; one change of the living object's age,
     heard directly and over the mate; one of the other's, heard directly and by the watch. */
  CHECK_INT(called, MILLION / 4 * 7L);
  CHECK_INT(belay_compound_count(belay_owner_get_compound(living)), 0);
  belay_owner_release(living);
  forget_people();
}

static const test_case cases[] = {CASE(a_million_owners_with_three_hooks_each),
                                  CASE(a_million_subscriptions_that_end_on_a_living_owner),
                                  CASE(a_million_observations_that_end_on_a_living_object)};

int main(int argc, char **argv) { return RUN_CASES(cases); }
