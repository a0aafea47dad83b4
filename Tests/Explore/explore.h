/* What a scenario of the explorer is made of. See "The explorer" in docs/architecture.md.
 *
 * A scenario is two to four threads of a few calls each. They run one at a time, to the end, in
 * every order that the explorer can think of. What `begin` and `end` do is not explored.
 */
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
  void (*check)(void); /* after everything, on no thread of the scenario's */
  unsigned options;
} explore_scenario;

/* The scenario fails with the text of `condition` unless that holds. */
#define explore_require(condition) explore_check((condition), #condition, __FILE__, __LINE__)
void explore_check(bool holds, const char *what, const char *file, int line);

/* A place where another thread may run. */
void explore_point(void);
/* Stands in the trace, and is such a place. */
void explore_note(const char *note);
/* Waits until `*flag` is not 0. Other threads run meanwhile. */
void explore_await(const int *flag);
/* The calling thread's number. */
int explore_number(void);
/* The threads after the first begin here (explore_begins_alone). */
void explore_more_threads(void);
/* The calling thread ends, as far as Belay knows it. */
void explore_end_thread(void);

/* One turn of a loop, which never waits. */
void explore_turn(belay_loop *loop);
/* Turns until `*flag` is not 0; between them the thread waits until something has come. */
void explore_turns_until(belay_loop *loop, const int *flag);
/* The same with a loop that was adopted. */
struct uv_loop_s;
void explore_turns_of(struct uv_loop_s *uv, const int *flag);
/* The calling thread is the one of libuv's pool, until `*flag` is not 0. */
void explore_pool(const int *flag);
/* Turns until nothing is there any more. */
void explore_settle(belay_loop *loop);
/* Closes and releases a loop; what it leaves over is a failure. */
void explore_close(belay_loop *loop);
/* The same, while something may be alive there. */
void explore_close_in_use(belay_loop *loop);

/* An observer that counts, and that knows what must not be: a call after `disposed`, after the
   context was freed, or beside another call; a context that is freed twice. */
typedef struct explore_listener {
  int nexts, errors, completions, disposals, frees;
  int inside;    /* callbacks that are running */
  int last;      /* the value that came last, if it was an int32 */
  bool overlaps; /* whether it may be called on two threads at once */
  void (*on_next)(struct explore_listener *listener);
} explore_listener;

/* A subject that every thread delivers for. */
belay_signal *explore_shared_subject(void);
/* Sends a number; answers whether it was taken. */
bool explore_send(belay_signal *subject, int number);
/* Subscribes a listener. `*subscription` may be NULL. */
int explore_subscribe(belay_signal *signal, explore_listener *listener,
                      belay_disposable **subscription);

belay_observer explore_observer(explore_listener *listener);
/* Each of `count` listeners was disposed of and freed, once. */
void explore_all_over(const explore_listener *listeners, int count);

#endif
