/* A library that shares the host's loop without knowing the host, and is unloaded. */
#include "cases.h"
#include "stranger.h"

#include <dlfcn.h>
#include <uv.h>

static uv_loop_t uv;
static belay_loop *one;

static int ticks;
static void tick(void *ctx) { ticks++; }

static void *find(void *library, const char *symbol) {
  void *found = dlsym(library, symbol);
  CHECK(found != NULL);
  return found;
}

static void a_library_leaves_and_is_unloaded(int host_leaves_first) {
  stranger_counts counts = {0};
  CHECK_INT(uv_loop_init(&uv), 0);
  one = belay_loop_adopt(&uv, NULL);
  CHECK(one != NULL);
  CHECK_INT(
      belay_scheduler_every(belay_loop_get_scheduler(one), 0.001, 0.001, 0, tick, NULL, NULL, NULL),
      0);
  void *library = dlopen(STRANGER, RTLD_NOW | RTLD_LOCAL);
  if (!library) check_failed(__FILE__, __LINE__, "%s", dlerror());
  stranger_begin_fn begin_it = (stranger_begin_fn)find(library, "stranger_begin");
  stranger_end_fn end_it = (stranger_end_fn)find(library, "stranger_end");
  CHECK_INT(begin_it(&uv, &counts), 0);
  while (counts.ticks < 3 || counts.heard < 5) CHECK(uv_run(&uv, UV_RUN_ONCE) != 0);
  if (host_leaves_first) {
    CHECK_INT(belay_loop_close(one, trace_left, NULL, NULL), 0);
    /* For a second copy of Belay the first one's handles are foreign. */
    CHECK(strncmp(trace_text(), "closed | timer -", 16) == 0);
    trace_clear();
    belay_loop_release(one);
    int before = counts.ticks;
    while (counts.ticks < before + 3) CHECK(uv_run(&uv, UV_RUN_ONCE) != 0);
  }
  CHECK_INT(end_it(), 0);
  CHECK_INT(counts.closed, 1);
  /* Two subscriptions and three timers: the interval's, the repeating one and the far one. */
  CHECK(counts.left >= 5);
  CHECK_INT(counts.freed, counts.begun);
  CHECK_INT(dlclose(library), 0);
  CHECK(dlopen(STRANGER, RTLD_NOW | RTLD_NOLOAD) == NULL);
  if (!host_leaves_first) {
    int before = ticks;
    while (ticks < before + 3) CHECK(uv_run(&uv, UV_RUN_ONCE) != 0);
    CHECK_INT(belay_loop_close(one, trace_left, NULL, NULL), 0);
    CHECK_TRACE("closed | timer -");
    belay_loop_release(one);
  }
  CHECK_INT(uv_run(&uv, UV_RUN_DEFAULT), 0);
  CHECK_INT(uv_loop_close(&uv), 0);
}

static void a_library_is_unloaded_before_the_host_leaves(void) {
  a_library_leaves_and_is_unloaded(0);
}
static void a_library_is_unloaded_after_the_host_left(void) { a_library_leaves_and_is_unloaded(1); }

static const test_case cases[] = {
    CASE(a_library_is_unloaded_before_the_host_leaves),
    CASE(a_library_is_unloaded_after_the_host_left),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
