/* A GMainContext that runs Belay's loop by its source. */
#include <belay/glib.h>

#include "cases.h"
#include "guest.h"

#include <unistd.h>

static GSource *attached(belay_loop *loop, GMainContext *context) {
  GSource *source = belay_glib_source_create(loop);
  CHECK(source != NULL);
  CHECK(g_source_attach(source, context) > 0);
  return source;
}

static void end_source(GSource *source) {
  g_source_destroy(source);
  g_source_unref(source);
}

static void quit(void *loop) { g_main_loop_quit(loop); }

static void run_a_dialogue(void *loop) {
  GMainLoop *dialogue = g_main_loop_new(g_main_loop_get_context(loop), FALSE);
  belay_scheduler *here = belay_scheduler_current();
  trace("dialogue");
  CHECK_INT(belay_scheduler_after(here, 0.002, quit, dialogue, NULL, NULL), 0);
  g_main_loop_run(dialogue);
  trace("closed");
  g_main_loop_unref(dialogue);
  g_main_loop_quit(loop);
}

static void a_dialogue_inside_of_a_dialogue(void) {
  GMainLoop *main = g_main_loop_new(NULL, FALSE);
  belay_loop *loop = open_loop();
  GSource *source = attached(loop, NULL);
  belay_scheduler *scheduler = belay_loop_get_scheduler(loop);
  CHECK_INT(belay_scheduler_after(scheduler, 0.001, run_a_dialogue, main, NULL, NULL), 0);
  CHECK_INT(belay_scheduler_after(scheduler, 0.001, run_a_dialogue, main, NULL, NULL), 0);
  while (!strstr(trace_text(), "closed | closed")) g_main_loop_run(main);
  CHECK_TRACE("dialogue | dialogue | closed | closed");
  end_source(source);
  close_loop(loop);
  g_main_loop_unref(main);
}

static gboolean count_idle(gpointer counter) {
  ++*(int *)counter;
  return G_SOURCE_CONTINUE;
}

static void nothing_to_do_wakes_nobody(void) {
  GMainContext *context = g_main_context_new();
  belay_loop *loop = open_loop();
  GSource *source = attached(loop, context);
  /* What making the loop has left to do. */
  while (g_main_context_iteration(context, FALSE)) continue;
  uint64_t turns = belay_loop_turns(loop);
  for (int i = 0; i < 100; i++) CHECK(!g_main_context_iteration(context, FALSE));
  CHECK_INT(belay_loop_turns(loop), turns);
  end_source(source);
  close_loop(loop);
  g_main_context_unref(context);
}

static void other_sources_get_their_turns(void) {
  GMainContext *context = g_main_context_new();
  belay_loop *loop = open_loop();
  GSource *source = attached(loop, context), *idle = g_idle_source_new();
  int idles = 0, ticks = 0;
  g_source_set_callback(idle, count_idle, &idles, NULL);
  g_source_set_priority(idle, G_PRIORITY_DEFAULT);
  g_source_attach(idle, context);
  belay_signal *ticking = belay_signal_interval(belay_loop_get_scheduler(loop), 0.001);
  belay_observer observer = BELAY_INIT(belay_observer, .next = count_value, .ctx = &ticks);
  belay_disposable *subscription;
  CHECK_INT(belay_signal_subscribe(ticking, &observer, &subscription), 0);
  while (ticks < 5 || idles < 5) g_main_context_iteration(context, TRUE);
  end_subscription(subscription);
  belay_signal_release(ticking);
  end_source(idle);
  end_source(source);
  close_loop(loop);
  g_main_context_unref(context);
}

static void the_loop_is_closed_first(void) {
  GMainContext *context = g_main_context_new();
  belay_loop *loop = open_loop();
  GSource *source = attached(loop, context);
  int fd = belay_loop_fd(loop), pair[2];
  uint64_t misuses = belay_misuse_count();
  close_loop(loop);
  /* The descriptor's number belongs to somebody else at once. */
  CHECK_INT(pipe(pair), 0);
  CHECK_INT(dup2(pair[0], fd), fd);
  g_main_context_iteration(context, FALSE);
  CHECK(g_source_is_destroyed(source));
  CHECK_INT(belay_misuse_count(), misuses);
  close(pair[1]);
  if (pair[0] != fd) close(pair[0]);
  close(fd);
  g_source_unref(source);
  g_main_context_unref(context);
}

static void close_inside(void *loop) {
  CHECK_INT(belay_loop_close(loop, ignore_left, NULL, NULL), 0);
  trace("closed");
}

static void the_loop_is_closed_inside(void) {
  GMainContext *context = g_main_context_new();
  belay_loop *loop = open_loop();
  GSource *source = attached(loop, context);
  CHECK_INT(belay_loop_post(loop, close_inside, loop, NULL), 0);
  while (!g_source_is_destroyed(source)) g_main_context_iteration(context, TRUE);
  CHECK_TRACE("closed");
  belay_last_error();
  g_source_unref(source);
  belay_loop_release(loop);
  g_main_context_unref(context);
}

static void destroy_inside(void *source) {
  g_source_destroy(source);
  trace("destroyed");
}

static void it_is_destroyed_inside(void) {
  GMainContext *context = g_main_context_new();
  belay_loop *loop = open_loop();
  GSource *source = attached(loop, context);
  CHECK_INT(belay_loop_post(loop, destroy_inside, source, NULL), 0);
  while (!g_source_is_destroyed(source)) g_main_context_iteration(context, TRUE);
  CHECK_TRACE("destroyed");
  g_source_unref(source);
  close_loop(loop);
  g_main_context_unref(context);
}

static void no_loop_has_no_source(void) {
  CHECK(belay_glib_source_create(NULL) == NULL);
  check_last_error(BELAY_EINVAL);
  belay_loop *loop = open_loop();
  belay_loop_retain(loop);
  close_loop(loop);
  CHECK(belay_glib_source_create(loop) == NULL);
  check_last_error(BELAY_ECLOSED);
  belay_loop_release(loop);
}

/* ---- the guest's work ---- */

static void enter(void *loops) {
  GMainLoop *inner = g_main_loop_new(NULL, FALSE);
  g_ptr_array_add(loops, inner);
  g_main_loop_run(inner);
  g_ptr_array_remove_index(loops, ((GPtrArray *)loops)->len - 1);
  g_main_loop_unref(inner);
}

static void leave(void *loops) {
  g_main_loop_quit(g_ptr_array_index((GPtrArray *)loops, ((GPtrArray *)loops)->len - 1));
}

static guest *visitor;
static GSourceFuncs watched_funcs;

/* The source's own dispatch would make a turn without the guest's checks. */
static gboolean dispatch_guest(GSource *source, GSourceFunc callback, gpointer data) {
  guest_turn(visitor);
  return G_SOURCE_CONTINUE;
}

static void a_guest(void) {
  GPtrArray *loops = g_ptr_array_new();
  visitor = guest_begin(&(host_loop){loops, enter, leave});
  GSource *source = belay_glib_source_create(guest_loop(visitor));
  watched_funcs = *source->source_funcs;
  watched_funcs.dispatch = dispatch_guest;
  g_source_set_funcs(source, &watched_funcs);
  g_source_attach(source, NULL);
  enter(loops);
  end_source(source);
  CHECK_INT(guest_end(visitor), 0);
  g_ptr_array_unref(loops);
}

static const test_case cases[] = {
    CASE(a_dialogue_inside_of_a_dialogue), CASE(nothing_to_do_wakes_nobody),
    CASE(other_sources_get_their_turns),   CASE(the_loop_is_closed_first),
    CASE(the_loop_is_closed_inside),       CASE(it_is_destroyed_inside),
    CASE(no_loop_has_no_source),           CASE(a_guest),
};

int main(int argc, char **argv) {
  /* It keeps a descriptor. */
  g_main_context_default();
  return RUN_CASES(cases);
}
