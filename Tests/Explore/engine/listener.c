/* The listener of scenarios, and helpers that scenarios share. */
#include "../explore.h"

#include <belay/belay.h>

static void enter(explore_listener *listener, const char *what) {
  explore_require(listener->frees == 0 && "a callback after its context was freed");
  explore_require((listener->overlaps || listener->inside == 0) && "a callback beside another");
  listener->inside++;
  explore_note(what);
}

static void leave(explore_listener *listener) {
  explore_note("it returns");
  explore_require(listener->frees == 0 && "the context is freed while a callback runs");
  listener->inside--;
}

static void on_next(void *ctx, belay_value value) {
  explore_listener *listener = ctx;
  enter(listener, "`next` is called");
  explore_require(listener->disposals == 0 && "a value after `disposed`");
  explore_require(listener->errors + listener->completions == 0 && "a value after the end");
  listener->nexts++;
  int32_t number;
  if (belay_value_get_int32(value, &number) >= 0) listener->last = number;
  if (listener->on_next) listener->on_next(listener);
  leave(listener);
}

static void on_error(void *ctx, const belay_error *error) {
  (void)error;
  explore_listener *listener = ctx;
  enter(listener, "`error` is called");
  explore_require(++listener->errors + listener->completions == 1 && "two ends");
  leave(listener);
}

static void on_completed(void *ctx) {
  explore_listener *listener = ctx;
  enter(listener, "`completed` is called");
  explore_require(++listener->completions + listener->errors == 1 && "two ends");
  leave(listener);
}

/* It may run inside one of its own callbacks, when that disposes. */
static void on_disposed(void *ctx) {
  explore_listener *listener = ctx;
  explore_require(listener->frees == 0 && "`disposed` after the context was freed");
  explore_require(++listener->disposals == 1 && "`disposed` twice");
  explore_note("`disposed` is called");
  explore_require(listener->frees == 0 && "the context is freed while `disposed` runs");
}

static void on_free(void *ctx) {
  explore_listener *listener = ctx;
  explore_note("the context is freed");
  explore_require(++listener->frees == 1 && "the context is freed twice");
  explore_require(listener->inside == 0 && "the context is freed while a callback runs");
}

belay_observer explore_observer(explore_listener *listener) {
  *listener = (explore_listener){.on_next = listener->on_next, .overlaps = listener->overlaps};
  return (belay_observer){.size = sizeof(belay_observer),
                          .next = on_next,
                          .error = on_error,
                          .completed = on_completed,
                          .disposed = on_disposed,
                          .ctx = listener,
                          .ctx_free = on_free};
}

void explore_all_over(const explore_listener *listeners, int count) {
  for (int i = 0; i < count; i++) {
    explore_require(listeners[i].disposals == 1 && "`disposed` was called once");
    explore_require(listeners[i].frees == 1 && "the context was freed once");
  }
}

belay_signal *explore_shared_subject(void) {
  return belay_subject_create(
      &(belay_source_options){.size = sizeof(belay_source_options), .shared = 1});
}

bool explore_send(belay_signal *subject, int number) {
  return belay_subject_next(subject, belay_int32(number)) >= 0;
}

int explore_subscribe(belay_signal *signal, explore_listener *listener,
                      belay_disposable **subscription) {
  belay_observer observer = explore_observer(listener);
  return belay_signal_subscribe(signal, &observer, subscription);
}

static void closed(void *ctx, const belay_open_resource *const *resources, size_t count) {
  (void)ctx, (void)resources;
  explore_require(count == 0 && "the loop's close leaves nothing over");
}

static void closed_in_use(void *ctx, const belay_open_resource *const *resources, size_t count) {
  (void)ctx, (void)resources, (void)count;
}

void explore_close_in_use(belay_loop *loop) {
  belay_loop_close(loop, closed_in_use, NULL, NULL);
  belay_loop_release(loop);
}

void explore_close(belay_loop *loop) {
  belay_loop_close(loop, closed, NULL, NULL);
  belay_loop_release(loop);
}
