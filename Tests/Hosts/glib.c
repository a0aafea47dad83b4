/* GLib's main loop as a home: Belay's scheduler over a GMainContext, without libuv. */
#include "cases.h"

#include <glib.h>

/* Work on its way through GLib, which frees its data once, also when the source is destroyed. */
typedef struct item {
  belay_action_fn action;
  void *work;
  belay_free_fn free;
} item;

static gboolean run_item(gpointer data) {
  item *it = data;
  it->action(it->work);
  return G_SOURCE_REMOVE;
}

static void free_item(gpointer data) {
  item *it = data;
  it->free(it->work);
  g_free(it);
}

static GSource *attach(GSource *source, GMainContext *context, item it) {
  item *copy = g_new(item, 1);
  *copy = it;
  g_source_set_callback(source, run_item, copy, free_item);
  g_source_attach(source, context);
  return source;
}

static void glib_schedule(void *context, belay_action_fn action, void *work,
                          belay_free_fn work_free) {
  GSource *source = g_idle_source_new();
  g_source_set_priority(source, G_PRIORITY_DEFAULT);
  g_source_unref(attach(source, context, (item){action, work, work_free}));
}

/* The context has the reference to the source, until it has run or is destroyed. */
static void *glib_after(void *context, double seconds, belay_action_fn action, void *work,
                        belay_free_fn work_free) {
  double milliseconds = seconds * 1000 + 1;
  GSource *source =
      g_timeout_source_new(milliseconds < G_MAXUINT ? (guint)milliseconds : G_MAXUINT);
  attach(source, context, (item){action, work, work_free});
  g_source_unref(source);
  return source;
}

static void glib_cancel(void *context, void *timer) { g_source_destroy(timer); }

static void release_context(void *context) { g_main_context_unref(context); }

static belay_scheduler *scheduler_of(GMainContext *context) {
  belay_scheduler *scheduler = belay_scheduler_create_host(
      &BELAY_INIT(belay_scheduler_table, .label = "GLib", .schedule = glib_schedule,
                  .after = glib_after, .cancel = glib_cancel),
      g_main_context_ref(context), release_context);
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

/* A callback runs GLib's loop, as a modal dialog does. */
static void run_a_dialog(void *context) {
  GMainLoop *dialog = g_main_loop_new(context, FALSE);
  belay_scheduler *here = belay_scheduler_current();
  trace("dialog");
  CHECK_INT(belay_scheduler_after(here, 0.002, quit, dialog, NULL, NULL), 0);
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
  CHECK(!g_main_context_pending(context));
  belay_scheduler_release(scheduler);
  g_main_loop_unref(loop);
  g_main_context_unref(context);
}

/* GLib destroys its sources with the context. */
static void the_context_goes_first(void) {
  GMainContext *context = g_main_context_new();
  belay_scheduler *scheduler = belay_scheduler_create_host(
      &BELAY_INIT(belay_scheduler_table, .schedule = glib_schedule, .after = glib_after), context,
      NULL);
  CHECK_INT(belay_scheduler_schedule(scheduler, trace_action, "lost", trace_free, NULL), 0);
  g_main_context_unref(context);
  CHECK_TRACE("free lost");
  CHECK_FAILS(belay_scheduler_schedule(scheduler, trace_action, "no", NULL, NULL),
              BELAY_ECANCELED);
  CHECK_INT(belay_scheduler_close(scheduler, expect_nothing_left, NULL, NULL), 0);
  belay_scheduler_release(scheduler);
}

static const test_case cases[] = {
    CASE(values_of_other_threads),
    CASE(times_and_dialogs),
    CASE(the_context_goes_first),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
