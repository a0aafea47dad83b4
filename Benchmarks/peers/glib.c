/* GLib: a GObject with one signal, weak notifications, sources attached to a main context. */
#include <glib-object.h>

#include "../post.h"

typedef struct BenchSubject {
  GObject parent;
} BenchSubject;

typedef struct BenchSubjectClass {
  GObjectClass parent;
} BenchSubjectClass;

static GType bench_subject_get_type(void);
G_DEFINE_TYPE(BenchSubject, bench_subject, G_TYPE_OBJECT)

static guint next_signal;

static void bench_subject_init(BenchSubject *self) { (void)self; }

static void bench_subject_class_init(BenchSubjectClass *klass) {
  next_signal = g_signal_new("next", G_TYPE_FROM_CLASS(klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                             g_cclosure_marshal_VOID__LONG, G_TYPE_NONE, 1, G_TYPE_LONG);
}

static gpointer subject_new(void) { return g_object_new(bench_subject_get_type(), NULL); }

static void hear(gpointer subject, glong value, gpointer tally) {
  (void)subject;
  ((bench_tally *)tally)->heard += (uint64_t)value;
}

static void end(gpointer tally, GClosure *closure) {
  (void)closure;
  ((bench_tally *)tally)->ended++;
}

static gulong connect_to(gpointer subject, bench_tally *tally) {
  return g_signal_connect_data(subject, "next", G_CALLBACK(hear), tally, end, 0);
}

static void emit(gpointer subject, uint64_t value) {
  g_signal_emit(subject, next_signal, 0, (glong)value);
}

/* emit: per delivery; the built-in marshaller for long. */
static uint64_t emit_to(bench_run *run, uint64_t subscribers) {
  bench_tally tallies[BENCH_CROWD] = {0};
  gpointer subject = subject_new();
  for (uint64_t i = 0; i < subscribers; i++) connect_to(subject, &tallies[i]);
  uint64_t emissions = run->n / subscribers;
  bench_begin(run);
  for (uint64_t i = 0; i < emissions; i++) emit(subject, i);
  bench_end(run);
  g_object_unref(subject);
  return bench_checksum((bench_tally){.heard = bench_heard_by(tallies, subscribers)});
}

static uint64_t emit1(bench_run *run) { return emit_to(run, 1); }
static uint64_t emit10(bench_run *run) { return emit_to(run, 10); }
static uint64_t emit1000(bench_run *run) { return emit_to(run, 1000); }

/* sub: connect with a destroy notification, disconnect by id. */
static uint64_t subscribe_beside(bench_run *run, int others) {
  bench_tally tally = {0}, other = {0};
  gpointer subject = subject_new();
  for (int i = 0; i < others; i++) connect_to(subject, &other);
  bench_begin(run);
  for (uint64_t i = 0; i < run->n; i++)
    g_signal_handler_disconnect(subject, connect_to(subject, &tally));
  bench_end(run);
  emit(subject, 1);
  g_object_unref(subject);
  return bench_checksum((bench_tally){tally.heard + other.heard, tally.ended});
}

static uint64_t sub0(bench_run *run) { return subscribe_beside(run, 0); }
static uint64_t sub1000(bench_run *run) { return subscribe_beside(run, BENCH_CROWD); }

/* bag10k: an array of handler ids, disconnected in order. Timed: that alone. */
static uint64_t bag10k(bench_run *run) {
  bench_tally tally = {0};
  gpointer subject = subject_new();
  GArray *bag = g_array_sized_new(FALSE, FALSE, sizeof(gulong), BENCH_BAG);
  for (uint64_t done = 0; done < run->n; done += BENCH_BAG) {
    for (int i = 0; i < BENCH_BAG; i++) {
      gulong id = connect_to(subject, &tally);
      g_array_append_val(bag, id);
    }
    bench_begin(run);
    for (guint i = 0; i < bag->len; i++)
      g_signal_handler_disconnect(subject, g_array_index(bag, gulong, i));
    g_array_set_size(bag, 0);
    bench_end(run);
    emit(subject, 1);
  }
  g_array_free(bag, TRUE);
  g_object_unref(subject);
  return bench_checksum(tally);
}

/* own: a GObject with weak notifications, unreferenced. */
static void object_gone(gpointer tally, GObject *object) {
  (void)object;
  ((bench_tally *)tally)->ended++;
}

static uint64_t own_with(bench_run *run, int hooks) {
  bench_tally tally = {0};
  bench_begin(run);
  for (uint64_t i = 0; i < run->n; i++) {
    GObject *owner = g_object_new(G_TYPE_OBJECT, NULL);
    for (int k = 0; k < hooks; k++) g_object_weak_ref(owner, object_gone, &tally);
    g_object_unref(owner);
  }
  bench_end(run);
  return bench_checksum(tally);
}

static uint64_t own1(bench_run *run) { return own_with(run, 1); }
static uint64_t own10(bench_run *run) { return own_with(run, 10); }

/* heap: handlers with data and destroy notification; ids are numbers and not counted. */
static uint64_t heap(bench_run *run) {
  bench_tally tally = {0};
  gpointer subject = subject_new();
  uint64_t before = bench_heap_in_use();
  for (uint64_t i = 0; i < run->n; i++) connect_to(subject, &tally);
  run->amount += bench_heap_in_use() - before;
  emit(subject, 1);
  uint64_t checksum = bench_checksum(tally);
  g_object_unref(subject);
  return checksum;
}

/* post: a source for each value, attached from the other thread. */
static struct {
  GMainContext *context;
  GMainLoop *loop;
  post_line *line;
} inbox;

static gboolean hear_posted(gpointer value) {
  post_hear(inbox.line, (uint64_t)GPOINTER_TO_SIZE(value));
  return G_SOURCE_REMOVE;
}

static void serve(post_line *line) {
  inbox.line = line;
  inbox.context = g_main_context_new();
  inbox.loop = g_main_loop_new(inbox.context, FALSE);
  g_main_context_acquire(inbox.context); /* else early posts would run on the sender */
  sem_post(&line->ready);
  g_main_loop_run(inbox.loop);
  g_main_context_release(inbox.context);
  g_main_loop_unref(inbox.loop);
  g_main_context_unref(inbox.context);
}

static void post(uint64_t first, uint64_t count) {
  for (uint64_t i = 0; i < count; i++)
    g_main_context_invoke_full(inbox.context, G_PRIORITY_DEFAULT, hear_posted,
                               GSIZE_TO_POINTER(first + i), NULL);
}

static gboolean quit(gpointer loop) {
  g_main_loop_quit(loop);
  return G_SOURCE_REMOVE;
}

static void stop(void) { g_main_context_invoke(inbox.context, quit, inbox.loop); }

static uint64_t post_row(bench_run *run) {
  static const post_mechanism mechanism = {serve, post, stop};
  return post_measure(run, &mechanism);
}

static const bench_entry entries[] = {
    {"heap", heap},
    {"emit1", emit1},
    {"emit10", emit10},
    {"emit1000", emit1000},
    {"sub0", sub0},
    {"sub1000", sub1000},
    {"bag10k", bag10k},
    {"own1", own1},
    {"own10", own10},
    {"post", post_row},
    {NULL, NULL}};

const bench_peer bench_glib = {"glib", entries};
