/* GLib's main loop as a home: Belay's scheduler over a GMainContext, without libuv. */
#include "cases.h"

#include <belay/glib.h>

static belay_scheduler *scheduler_of(GMainContext *context) {
  belay_scheduler *scheduler = belay_glib_scheduler_create(context);
  CHECK(scheduler != NULL);
  return scheduler;
}

static void end_glib(GMainContext *context, belay_scheduler *scheduler) {
  CHECK_INT(belay_scheduler_close(scheduler, expect_nothing_left, NULL, NULL), 0);
  belay_scheduler_release(scheduler);
  g_main_context_unref(context);
}

static int heard;
static GThread *home;
static void count_at_home(void *loop, belay_value value) {
  CHECK(g_thread_self() == home);
  if (++heard == 1000) g_main_loop_quit(loop);
}

static void send_a_thousand(void *subject) {
  for (int i = 0; i < 1000; i++) CHECK_INT(send_to(subject, i), BELAY_QUEUED);
}

static void values_of_other_threads(void) {
  GMainContext *context = g_main_context_new();
  GMainLoop *loop = g_main_loop_new(context, FALSE);
  belay_scheduler *scheduler = scheduler_of(context);
  belay_signal *subject = belay_subject_create(NULL);
  belay_disposable *subscription;
  belay_observer observer = BELAY_INIT(belay_observer, .next = count_at_home, .ctx = loop);
  routine sender;
  heard = 0;
  home = g_thread_self();
  CHECK_INT(belay_signal_subscribe(subject, &observer, &subscription), 0);
  start_thread(&sender, send_a_thousand, subject);
  g_main_loop_run(loop);
  join_thread(&sender);
  CHECK_INT(heard, 1000);
  end_subscription(subscription);
  belay_signal_release(subject);
  g_main_loop_unref(loop);
  end_glib(context, scheduler);
}

static void quit(void *loop) {
  trace("quit");
  g_main_loop_quit(loop);
}

/* A callback runs GLib's loop, as a modal dialog does. The timer is due when the dialog begins, so
   it ends the dialog in an iteration that leaves the scheduler's next work to run. */
static void run_a_dialog(void *context) {
  GMainLoop *dialog = g_main_loop_new(context, FALSE);
  belay_scheduler *here = belay_scheduler_current();
  trace("dialog");
  CHECK_INT(belay_scheduler_after(here, 0.002, quit, dialog, NULL, NULL), 0);
  g_usleep(3000);
  g_main_loop_run(dialog);
  trace("closed");
  g_main_loop_unref(dialog);
}

static void times_and_dialogs(void) {
  GMainContext *context = g_main_context_new();
  GMainLoop *loop = g_main_loop_new(context, FALSE);
  belay_scheduler *scheduler = scheduler_of(context);
  CHECK_INT(belay_scheduler_schedule(scheduler, run_a_dialog, context, NULL, NULL), 0);
  CHECK_INT(belay_scheduler_schedule(scheduler, trace_action, "meanwhile", NULL, NULL), 0);
  CHECK_INT(belay_scheduler_after(scheduler, 3600, trace_action, "never", trace_free, NULL), 0);
  CHECK_INT(belay_scheduler_schedule(scheduler, quit, loop, NULL, NULL), 0);
  while (!strstr(trace_text(), "closed")) g_main_context_iteration(context, TRUE);
  CHECK_TRACE("dialog | action meanwhile | quit | quit | closed");
  CHECK_INT(belay_scheduler_close(scheduler, trace_left, NULL, NULL), 0);
  CHECK_TRACE("free never | closed | timer -");
  /* The context may still have work of the scheduler, which finds nothing to do. */
  while (g_main_context_iteration(context, FALSE)) continue;
  CHECK_TRACE("");
  belay_scheduler_release(scheduler);
  g_main_loop_unref(loop);
  g_main_context_unref(context);
}

/* Somebody destroys the sources of the context. */
static void its_sources_are_destroyed(void) {
  GMainContext *context = g_main_context_new();
  belay_scheduler *scheduler = scheduler_of(context);
  CHECK_INT(belay_scheduler_schedule(scheduler, trace_action, "lost", trace_free, NULL), 0);
  /* The scheduler's reference goes at its close; so the sources are destroyed by hand. */
  for (GSource *it; (it = g_main_context_find_source_by_id(context, 1));) g_source_destroy(it);
  g_main_context_unref(context);
  CHECK_TRACE("free lost");
  CHECK_FAILS(belay_scheduler_schedule(scheduler, trace_action, "no", NULL, NULL), BELAY_ECANCELED);
  CHECK_INT(belay_scheduler_close(scheduler, expect_nothing_left, NULL, NULL), 0);
  belay_scheduler_release(scheduler);
}

static void a_timer_wakes_it_once(void) {
  GMainContext *context = g_main_context_new();
  belay_scheduler *scheduler = scheduler_of(context);
  int iterations = 0;
  CHECK_INT(belay_scheduler_after(scheduler, 0.05, trace_action, "timer", NULL, NULL), 0);
  for (; !*trace_text() && iterations < 1000; iterations++) g_main_context_iteration(context, TRUE);
  CHECK(iterations < 5);
  CHECK_TRACE("action timer");
  end_glib(context, scheduler);
}

static void a_thread_has_one(void) {
  belay_scheduler *scheduler = belay_glib_scheduler_create(NULL);
  CHECK(belay_glib_scheduler_create(NULL) == NULL);
  check_last_error(BELAY_EBOUND);
  CHECK_INT(belay_scheduler_schedule(scheduler, trace_action, "work", NULL, NULL), 0);
  while (g_main_context_iteration(NULL, FALSE)) continue;
  CHECK_TRACE("action work");
  CHECK_INT(belay_scheduler_close(scheduler, expect_nothing_left, NULL, NULL), 0);
  belay_scheduler_release(scheduler);
}

static const test_case cases[] = {
    CASE(values_of_other_threads), CASE(times_and_dialogs), CASE(its_sources_are_destroyed),
    CASE(a_timer_wakes_it_once),   CASE(a_thread_has_one),
};

int main(int argc, char **argv) {
  /* It keeps a descriptor. */
  g_main_context_default();
  return RUN_CASES(cases);
}
