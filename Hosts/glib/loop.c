/* Loops of Belay's in a GMainContext, and a GMainContext as a home. */
#include <belay/glib.h>

/* ---- a source that runs a loop ---- */

typedef struct loop_source {
  GSource source;
  belay_loop *loop;
  gboolean *is_closed;      /* shared with `until_closed`, which may go on another thread */
  belay_value until_closed; /* ends with the handle */
} loop_source;

static void close_handle(void *is_closed) {
  *(gboolean *)is_closed = TRUE;
  g_atomic_rc_box_release(is_closed);
}

/* A close has closed the descriptor, too. The dispatch then ends the source. */
static gboolean prepare_loop(GSource *source, gint *timeout) {
  loop_source *self = (loop_source *)source;
  *timeout = -1;
  if (!*self->is_closed) belay_loop_fd(self->loop);
  return *self->is_closed;
}

static gboolean dispatch_loop(GSource *source, GSourceFunc callback, gpointer data) {
  (void)callback, (void)data;
  loop_source *self = (loop_source *)source;
  if (*self->is_closed) return G_SOURCE_REMOVE;
  int code = belay_loop_run(self->loop, BELAY_RUN_NOWAIT);
  if (code >= 0) return G_SOURCE_CONTINUE;
  g_critical("belay: a source cannot run its loop: %s", belay_error_name(code));
  return G_SOURCE_REMOVE;
}

static void finalize_loop(GSource *source) {
  loop_source *self = (loop_source *)source;
  belay_value_release(self->until_closed);
  g_atomic_rc_box_release(self->is_closed);
  belay_loop_release(self->loop);
}

static GSourceFuncs loop_funcs = {
    .prepare = prepare_loop, .dispatch = dispatch_loop, .finalize = finalize_loop};

GSource *belay_glib_source_create(belay_loop *loop) {
  int fd = belay_loop_fd(loop);
  if (fd < 0) return NULL;
  GSource *source = g_source_new(&loop_funcs, sizeof(loop_source));
  loop_source *self = (loop_source *)source;
  self->loop = belay_loop_retain(loop);
  self->is_closed = g_atomic_rc_box_new0(gboolean);
  self->until_closed =
      belay_pointer_at(loop, NULL, g_atomic_rc_box_acquire(self->is_closed), close_handle);
  g_source_set_name(source, "belay");
  /* Without it GLib would not look at the descriptor in a callback's own run. */
  g_source_set_can_recurse(source, TRUE);
  g_source_add_unix_fd(source, fd, G_IO_IN);
  return source;
}

/* ---- a context as a home ---- */

typedef struct work_source {
  GSource source;
  belay_action_fn action;
  void *work;
  belay_free_fn free;
} work_source;

static gboolean dispatch_work(GSource *source, GSourceFunc callback, gpointer data) {
  (void)callback, (void)data;
  work_source *self = (work_source *)source;
  g_source_set_ready_time(source, -1);
  self->action(self->work);
  return G_SOURCE_REMOVE;
}

static void finalize_work(GSource *source) {
  work_source *self = (work_source *)source;
  self->free(self->work);
}

static GSourceFuncs work_funcs = {.dispatch = dispatch_work, .finalize = finalize_work};

/* The context has the only reference to the source, until it has run or is destroyed. */
static GSource *attach_work(GMainContext *context, gint64 ready_time, belay_action_fn action,
                            void *work, belay_free_fn work_free) {
  GSource *source = g_source_new(&work_funcs, sizeof(work_source));
  work_source *self = (work_source *)source;
  self->action = action;
  self->work = work;
  self->free = work_free;
  g_source_set_name(source, "belay work");
  g_source_set_ready_time(source, ready_time);
  g_source_attach(source, context);
  g_source_unref(source);
  return source;
}

static void schedule(void *context, belay_action_fn action, void *work, belay_free_fn work_free) {
  attach_work(context, 0, action, work, work_free);
}

static void *after(void *context, double seconds, belay_action_fn action, void *work,
                   belay_free_fn work_free) {
  double now = (double)g_get_monotonic_time(), due = now + seconds * 1e6 + 1;
  gint64 ready_time = due < (double)G_MAXINT64 ? (gint64)due : G_MAXINT64;
  return attach_work(context, ready_time, action, work, work_free);
}

static void cancel(void *context, void *timer) {
  (void)context;
  g_source_destroy(timer);
}

static void release_context(void *context) { g_main_context_unref(context); }

belay_scheduler *belay_glib_scheduler_create(GMainContext *context) {
  belay_scheduler_table table = BELAY_INIT(belay_scheduler_table, .label = "GLib",
                                           .schedule = schedule, .after = after, .cancel = cancel);
  if (!context) context = g_main_context_default();
  return belay_scheduler_create_host(&table, g_main_context_ref(context), release_context);
}
