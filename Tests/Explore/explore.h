/* The parts of a scenario for the explorer. See "The explorer" in docs/architecture.md.¶A scenario
   is two to four threads of a few calls each. They run one at a time, to the end, in every order
   that the explorer can think of. `begin` and `end` are not explored. */
#ifndef EXPLORE_H
#define EXPLORE_H

#include <belay/belay.h>
#include <stdbool.h>
#include <stddef.h>

enum { explore_most_threads = 4 };

typedef struct explore_thread {
  void (*begin)(void); /* before anything is explored, in the order of the threads */
  void (*run)(void);
  void (*end)(void); /* after all have run, in the reverse order */
} explore_thread;

typedef enum explore_options {
  explore_counts = 1,       /* the counts of references are steps, too */
  explore_begins_alone = 2, /* the process has one thread until explore_more_threads() */
} explore_options;

typedef struct explore_scenario {
  const char *name;
  explore_thread threads[explore_most_threads];
  void (*check)(void); /* runs after everything, on no thread of the scenario's */
  unsigned options;
} explore_scenario;

/* The scenario fails with the text of `condition` unless that is true. */
#define explore_require(condition) explore_check((condition), #condition, __FILE__, __LINE__)
void explore_check(bool holds, const char *what, const char *file, int line);

/* A place where another thread may run. */
void explore_point(void);
/* Writes into the trace; another thread may run here. */
void explore_note(const char *note);
/* Waits until `*flag` is not 0. Other threads run meanwhile. */
void explore_await(const int *flag);
/* The calling thread's number. */
int explore_number(void);
/* The threads after the first begin here (explore_begins_alone). */
void explore_more_threads(void);
/* For Belay the calling thread ends here. */
void explore_end_thread(void);

/* One turn of a loop, which never waits. */
void explore_turn(belay_loop *loop);
/* Runs turns until `*flag` is not 0. Between them the thread waits until something has come. */
void explore_turns_until(belay_loop *loop, const int *flag);
/* The same with a loop that was adopted. */
struct uv_loop_s;
void explore_turns_of(struct uv_loop_s *uv, const int *flag);
/* The calling thread is the thread of libuv's pool until `*flag` is not 0. */
void explore_pool(const int *flag);
/* Runs turns until nothing is left. */
void explore_settle(belay_loop *loop);
/* Closes and releases a loop. A scenario fails if something is left. */
void explore_close(belay_loop *loop);
/* The same, where something may still be alive. */
void explore_close_in_use(belay_loop *loop);

/* An observer that counts, and fails the scenario for calls that must not be: after `disposed`,
   after the context was freed, beside another call; and for a context that is freed twice. */
typedef struct explore_listener {
  int nexts, errors, completions, disposals, frees;
  int inside;    /* how many callbacks are running */
  int last;      /* the last value, if it was an int32 */
  bool overlaps; /* whether it may be called on two threads at once */
  void (*on_next)(struct explore_listener *listener);
} explore_listener;

/* A shared subject: every thread that sends delivers. */
belay_signal *explore_shared_subject(void);
/* Sends a number. Answers whether it was accepted. */
bool explore_send(belay_signal *subject, int number);
/* Subscribes a listener. `*subscription` may be NULL. */
int explore_subscribe(belay_signal *signal, explore_listener *listener,
                      belay_disposable **subscription);

belay_observer explore_observer(explore_listener *listener);
/* Fails unless each of `count` listeners was disposed of and freed once. */
void explore_all_over(const explore_listener *listeners, int count);

#endif
