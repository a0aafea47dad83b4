/* A process counts references without atomics as long as it has one thread. Here the first other
   thread begins after references were counted that way and before they are released. Each case runs
   in a process of its own, which begins with one thread. */
#include "in_a_child.h"

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
/* the sanitizer has a thread of its own, so nothing is counted without atomics */
#define IS_ALONE 1
#endif
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
#define IS_SLOW 1
#endif
#endif
#if defined(__has_include) && !defined(IS_ALONE)
#if __has_include(<sys/single_threaded.h>)
#include <sys/single_threaded.h>
#define IS_ALONE __libc_single_threaded
#endif
#endif
#ifndef IS_ALONE
#define IS_ALONE 1
#endif
#ifdef BELAY_CHECKED
#define IS_SLOW 1
#endif

#define IN_A_PROCESS(name, run) \
  static void name(void) { CHECK_INT(run_in_a_child(&(test_case){#name, run}, 1), 0); }

/* ---- two threads that count the same thing ---- */
#ifdef IS_SLOW
enum { ROUNDS = 100000 }; /* the two threads collide more often */
#else
enum { ROUNDS = 4000000 };
#endif
static pthread_t thread;
static int rounds[2]; /* of each thread */
static void *shared;
static void (*retains)(void *), (*releases)(void *);

/* Retains and releases until both threads have done so for that many rounds. */
static void count(int number) {
  int done = 0;
  while (done < ROUNDS || __atomic_load_n(&rounds[!number], __ATOMIC_RELAXED) < ROUNDS) {
    retains(shared);
    releases(shared);
    __atomic_store_n(&rounds[number], ++done, __ATOMIC_RELAXED);
  }
}
static void *count_there(void *unused) {
  count(1);
  releases(shared); /* releases the reference that was taken for this thread */
  belay_last_error();
  return NULL;
}
static void begin_the_first_thread(void) {
  CHECK(IS_ALONE);
  CHECK_INT(pthread_create(&thread, NULL, count_there, NULL), 0);
}
static void end_the_first_thread(void) { CHECK_INT(pthread_join(thread, NULL), 0); }

/* `made` has one reference. Another is taken while there is one thread; each thread releases
   one. */
static void count_on_two_threads(void *made, void (*retain)(void *), void (*release)(void *)) {
  shared = made;
  retains = retain;
  releases = release;
  retain(made);
  begin_the_first_thread();
  count(0);
  end_the_first_thread();
  release(made);
}

static void retain_signal(void *signal) { belay_signal_retain(signal); }
static void a_subject(void) {
  belay_signal *subject = belay_subject_create(NULL);
  belay_observer observer = tracing("");
  CHECK_INT(belay_signal_subscribe(subject, &observer, NULL), 0);
  count_on_two_threads(subject, retain_signal, release_signal);
  CHECK_TRACE("disposed | free");
}
IN_A_PROCESS(between_a_retain_and_a_release_of_a_subject, a_subject)

static void retain_owner(void *owner) { belay_owner_retain(owner); }
static void an_owner(void) {
  belay_owner *owner = belay_owner_create(NULL, NULL, NULL, NULL);
  CHECK_INT(belay_owner_add_action(owner, trace_action, "death", NULL), 0);
  count_on_two_threads(owner, retain_owner, release_owner);
  CHECK_TRACE("action death");
}
IN_A_PROCESS(between_a_retain_and_a_release_of_an_owner, an_owner)

/* ---- inside a callback, around which the core holds references that it took with one thread
   ---- */
static void begin_inside(void *ctx, belay_value value) {
  int64_t number = 0;
  CHECK_INT(belay_value_get_int64(value, &number), 0);
  trace("next %d", (int)number);
  if (number == 1) {
    retains(shared);
    begin_the_first_thread();
  }
}
static void a_callback(void) {
  belay_signal *subject = belay_subject_create(NULL);
  belay_op *skip = belay_op_skip(0);
  belay_signal *chain = belay_signal_chain(belay_signal_retain(subject), skip);
  belay_observer observer = tracing("");
  belay_disposable *subscription = NULL;
  observer.next = begin_inside;
  CHECK_INT(belay_signal_subscribe(chain, &observer, &subscription), 0);
  belay_signal_release(chain);
  shared = subject;
  retains = retain_signal;
  releases = release_signal;
  CHECK_INT(belay_subject_next(subject, belay_int32(1)), 0);
  count(0);
  CHECK_INT(belay_subject_next(subject, belay_int32(2)), 0);
  end_the_first_thread();
  belay_disposable_dispose(subscription);
  belay_disposable_release(subscription);
  CHECK_TRACE("next 1 | next 2 | disposed | free");
  belay_signal_release(subject);
}
IN_A_PROCESS(inside_a_callback, a_callback)

/* The disposal began with one thread, and goes on with two. */
static void begin_in_the_end(void *ctx) {
  trace("disposed");
  retains(shared);
  begin_the_first_thread();
}
static void a_disposal(void) {
  belay_signal *subject = belay_subject_create(NULL);
  belay_observer observer = tracing("");
  belay_disposable *subscription = NULL;
  observer.disposed = begin_in_the_end;
  CHECK_INT(belay_signal_subscribe(subject, &observer, &subscription), 0);
  shared = subject;
  retains = retain_signal;
  releases = release_signal;
  belay_disposable_dispose(subscription);
  belay_disposable_release(subscription);
  count(0);
  end_the_first_thread();
  CHECK_TRACE("disposed | free");
  belay_signal_release(subject);
}
IN_A_PROCESS(inside_a_disposal, a_disposal)

int main(int argc, char **argv) {
  static const test_case cases[] = {
      CASE(between_a_retain_and_a_release_of_a_subject),
      CASE(between_a_retain_and_a_release_of_an_owner),
      CASE(inside_a_callback),
      CASE(inside_a_disposal),
  };
  return RUN_CASES(cases);
}
