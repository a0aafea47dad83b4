/* Signals that are heard at the home of the subscription, whichever thread sends them. */
#include <stdlib.h>
#include <time.h>

#include "internal.h"

/* Until when this thread's sends wait for room, on the monotonic clock; 0: they do not. */
static _Thread_local double deadline;
/* Where another thread may say before that they no longer do. */
static _Thread_local const char *is_given_up;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* wait_for_room(seconds, given_up): as long as sends of this thread wait from here on; 0 ends that.
   They wait only while the byte of the bytearray, which the caller keeps, is 0. */
PyObject *pb_wait_for_room(PyObject *module, PyObject *arguments) {
  double time;
  PyObject *given_up;
  if (!PyArg_ParseTuple(arguments, "dO!", &time, &PyByteArray_Type, &given_up)) return NULL;
  deadline = time > 0 ? now() + time : 0;
  is_given_up = PyByteArray_AsString(given_up);
  Py_RETURN_NONE;
}

static int has_more_time(void *subscriber) {
  return deadline > 0 && !__atomic_load_n(is_given_up, __ATOMIC_RELAXED) &&
         !belay_subscriber_is_disposed(subscriber) && now() < deadline;
}

/* The source has taken the value already, so that its sender cannot send it again. If it does not
   wait, the subscription ends, as at any boundary between threads. One that has ended fails as well:
   only that leaves a source that sends while it is being subscribed to. */
static void bring_next(void *subscriber, belay_value value) {
  int code = belay_subscriber_next(subscriber, belay_value_retain(value));
  while (code == BELAY_EAGAIN && has_more_time(subscriber)) {
    pb_rest();
    code = belay_subscriber_next(subscriber, belay_value_retain(value));
  }
  if (code < 0) belay_fail(code, NULL);
}

static void bring_error(void *subscriber, const belay_error *error) {
  belay_subscriber_error(subscriber, error);
}

static void bring_completed(void *subscriber) { belay_subscriber_completed(subscriber); }

static void release_subscriber(void *subscriber) { belay_subscriber_release(subscriber); }

/* The signal that serves the subscription keeps its context for as long as that lives, which must not
   keep the source: a subject that everybody else has dropped interrupts its subscriptions. */
typedef struct source {
  belay_signal *signal; /* NULL once it has been subscribed to */
} source;

static void free_source(void *ctx) {
  source *self = ctx;
  if (self->signal) belay_signal_release(self->signal);
  free(self);
}

static belay_disposable *subscribe_for(void *ctx, belay_subscriber *subscriber) {
  source *self = ctx;
  belay_signal *signal = self->signal;
  self->signal = NULL;
  belay_observer observer = {.size = sizeof observer,
                             .next = bring_next,
                             .error = bring_error,
                             .completed = bring_completed,
                             .ctx = belay_subscriber_retain(subscriber),
                             .ctx_free = release_subscriber};
  belay_disposable *disposable = NULL;
  belay_signal_subscribe(signal, &observer, &disposable);
  if (signal) belay_signal_release(signal);
  return disposable;
}

belay_signal *pb_heard_at_home(belay_signal *signal) {
  source *self = malloc(sizeof *self);
  *self = (source){signal};
  return belay_signal_create(subscribe_for, self, free_source, NULL);
}
