/* Loaded before a test program: pauses around calls that arm timers, subscribe and run a loop, as a
   busy machine does between any two of them. */
#include <belay/belay.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

/* For each function. A program that calls more often, such as a soak, then goes on without pauses. */
enum { MOST = 100, MICROSECONDS = 3000 };

static void pause_now(atomic_uint *pauses) {
  if (atomic_fetch_add(pauses, 1) >= MOST) return;
  /* The call that is paused is no point at which a thread can be cancelled. */
  int state;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
  usleep(MICROSECONDS);
  pthread_setcancelstate(state, &state);
}

#define PAUSE_AROUND(function, parameters, arguments)                \
  int function parameters {                                          \
    static atomic_uint pauses;                                       \
    static __typeof__(&function) next;                               \
    if (!next) next = (__typeof__(next))dlsym(RTLD_NEXT, #function); \
    pause_now(&pauses);                                              \
    int result = next arguments;                                     \
    pause_now(&pauses);                                              \
    return result;                                                   \
  }

PAUSE_AROUND(belay_scheduler_after,
             (belay_scheduler * scheduler, double seconds, belay_action_fn action, void *ctx,
              belay_free_fn ctx_free, belay_disposable **disposable),
             (scheduler, seconds, action, ctx, ctx_free, disposable))
PAUSE_AROUND(belay_scheduler_every,
             (belay_scheduler * scheduler, double seconds, double interval, double leeway,
              belay_action_fn action, void *ctx, belay_free_fn ctx_free,
              belay_disposable **disposable),
             (scheduler, seconds, interval, leeway, action, ctx, ctx_free, disposable))
PAUSE_AROUND(belay_signal_subscribe,
             (belay_signal * signal, const belay_observer *observer,
              belay_disposable **subscription),
             (signal, observer, subscription))
PAUSE_AROUND(belay_loop_post,
             (belay_loop * loop, belay_action_fn action, void *ctx, belay_free_fn ctx_free),
             (loop, action, ctx, ctx_free))
PAUSE_AROUND(belay_loop_run, (belay_loop * loop, belay_run_mode mode), (loop, mode))
