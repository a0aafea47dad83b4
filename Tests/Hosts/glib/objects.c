/* GObjects: their signals and properties as signals, and themselves as owners. */
#include "cases.h"
#include "person.h"

#include <malloc.h>

static void emit(person *it, const char *signal) { g_signal_emit_by_name(it, signal); }

static void rename_to(person *it, const char *name) { g_object_set(it, "name", name, NULL); }

/* The id of a handler; 0 when there is none. */
static gulong handler_of(person *it, const char *signal) {
  return g_signal_handler_find(it, G_SIGNAL_MATCH_ID, g_signal_lookup(signal, person_get_type()), 0,
                               NULL, NULL, NULL);
}

static void a_signal_sends_its_parameters(void) {
  person *it = person_new(1);
  belay_disposable *poked = watched(belay_glib_signal(it, "poked", 0), "poked");
  belay_disposable *moved = watched(belay_glib_signal(it, "moved", 0), "moved");
  belay_disposable *renamed = watched(belay_glib_signal(it, "renamed", 0), "renamed");
  emit(it, "poked");
  g_signal_emit_by_name(it, "moved", 3, 4);
  g_signal_emit_by_name(it, "renamed", "Ada");
  CHECK_TRACE("poked next null | moved next [3 4] | renamed next Ada");
  end_subscription(poked);
  end_subscription(moved);
  end_subscription(renamed);
  CHECK_TRACE(
      "poked disposed | poked free | moved disposed | moved free | renamed disposed | "
      "renamed free");
  CHECK_INT(handler_of(it, "poked") + handler_of(it, "moved") + handler_of(it, "renamed"), 0);
  emit(it, "poked");
  CHECK_TRACE("");
  g_object_unref(it);
}

static void a_detail_is_heard_alone(void) {
  person *it = person_new(1);
  belay_disposable *one = watched(belay_glib_signal(it, "renamed::first", 0), "");
  g_signal_emit_by_name(it, "renamed::last", "Lovelace");
  g_signal_emit_by_name(it, "renamed::first", "Ada");
  CHECK_TRACE("next Ada");
  end_subscription(one);
  g_object_unref(it);
}

static void note_heard(void *it, belay_value value) { trace("heard %d", ((person *)it)->heard); }

static void after_is_behind_the_class(void) {
  person *it = person_new(1);
  for (int after = 0; after < 2; after++) {
    belay_signal *moved = belay_glib_signal(it, "moved", after);
    belay_observer observer = BELAY_INIT(belay_observer, .next = note_heard, .ctx = it);
    CHECK_INT(belay_signal_subscribe(moved, &observer, NULL), 0);
    belay_signal_release(moved);
  }
  g_signal_emit_by_name(it, "moved", 3, 4);
  CHECK_TRACE("heard 0 | heard 7");
  g_object_unref(it);
}

static void a_handler_returns_false(void) {
  person *it = person_new(1);
  gboolean answer = TRUE;
  watch(belay_glib_signal(it, "asked", 0), "");
  g_signal_emit_by_name(it, "asked", TRUE, &answer);
  CHECK(!answer);
  CHECK_TRACE("next bool");
  g_object_unref(it);
  CHECK_TRACE("completed | disposed | free");
}

static void it_completes_with_the_object(void) {
  person *it = person_new(1);
  belay_signal *poked = belay_glib_signal(it, "poked", 0);
  watch(also(poked), "");
  emit(it, "poked");
  g_object_unref(it);
  CHECK_TRACE("next null | completed | disposed | free");
  watch(poked, "late");
  CHECK_TRACE("late completed | late disposed | late free");
}

static void it_completes_at_a_dispose(void) {
  person *it = person_new(1);
  belay_disposable *subscription = watched(belay_glib_signal(it, "poked", 0), "");
  g_object_run_dispose(G_OBJECT(it));
  CHECK_TRACE("completed | disposed | free");
  end_subscription(subscription);
  g_object_unref(it);
}

static void it_completes_when_others_disconnect(void) {
  person *it = person_new(1);
  watch(belay_glib_signal(it, "poked", 0), "");
  g_signal_handler_disconnect(it, handler_of(it, "poked"));
  CHECK_TRACE("completed | disposed | free");
  g_object_unref(it);
}

static belay_disposable *inside;
static void end_inside(void *it, belay_value value) {
  trace("next");
  end_subscription(inside);
  emit(it, "poked");
}

static void it_is_disposed_of_inside(void) {
  person *it = person_new(1);
  belay_signal *poked = belay_glib_signal(it, "poked", 0);
  belay_observer observer = tracing("");
  observer.next = end_inside;
  observer.ctx_free = NULL;
  observer.ctx = it;
  observer.disposed = NULL;
  CHECK_INT(belay_signal_subscribe(poked, &observer, &inside), 0);
  emit(it, "poked");
  CHECK_TRACE("next");
  CHECK_INT(handler_of(it, "poked"), 0);
  belay_signal_release(poked);
  g_object_unref(it);
}

static void unref_inside(void *it, belay_value value) {
  trace("next");
  g_object_unref(it);
  trace("back");
}

static void the_last_reference_goes_inside(void) {
  person *it = person_new(1);
  belay_signal *poked = belay_glib_signal(it, "poked", 0);
  belay_observer observer =
      BELAY_INIT(belay_observer, .next = unref_inside, .ctx = it, .completed = trace_completed);
  CHECK_INT(belay_signal_subscribe(poked, &observer, NULL), 0);
  belay_signal_release(poked);
  emit(it, "poked");
  /* An emission has a reference to its object. */
  CHECK_TRACE("next | back | completed");
}

static void a_lent_string_is_copied(void) {
  person *it = person_new(1);
  belay_signal *renamed = belay_glib_signal(it, "renamed", 0);
  belay_signal *kept = belay_subject_create_replay(NULL, -1, 2, NULL);
  belay_disposable *binding = NULL;
  CHECK_INT(belay_signal_bind(renamed, kept, &binding), 0);
  char lent[] = "Ada";
  g_signal_emit_by_name(it, "renamed", lent);
  memcpy(lent, "xxx", 3);
  end_subscription(watched(kept, ""));
  CHECK_TRACE("next Ada | disposed | free");
  end_subscription(binding);
  belay_signal_release(renamed);
  g_object_unref(it);
}

static void a_property_sends_its_values(void) {
  person *it = person_new(30);
  belay_disposable *age = watched(belay_glib_property(it, "age"), "age");
  belay_disposable *name = watched(belay_glib_property(it, "name"), "name");
  CHECK_TRACE("age next 30 | name next null");
  g_object_set(it, "age", 31, NULL);
  rename_to(it, "Ada");
  g_object_freeze_notify(G_OBJECT(it));
  g_object_set(it, "age", 32, NULL);
  g_object_set(it, "age", 33, NULL);
  CHECK_TRACE("age next 31 | name next Ada");
  g_object_thaw_notify(G_OBJECT(it));
  CHECK_TRACE("age next 33");
  end_subscription(age);
  CHECK_TRACE("age disposed | age free");
  g_object_set(it, "age", 34, NULL);
  g_object_unref(it);
  CHECK_TRACE("name completed | name disposed | name free");
  belay_disposable_release(name);
}

static void what_is_wrong_is_refused(void) {
  person *it = person_new(1);
  GParamSpec *no_object = g_param_spec_int("n", NULL, NULL, 0, 1, 0, G_PARAM_READWRITE);
  g_param_spec_ref_sink(no_object);
  CHECK(belay_glib_signal(NULL, "poked", 0) == NULL);
  check_last_error(BELAY_EINVAL);
  CHECK(belay_glib_signal(no_object, "poked", 0) == NULL);
  check_last_error(BELAY_EINVAL);
  CHECK(belay_glib_signal(it, NULL, 0) == NULL);
  check_last_error(BELAY_EINVAL);
  CHECK(belay_glib_signal(it, "kissed", 0) == NULL);
  check_last_error(BELAY_ENOENT);
  CHECK(belay_glib_property(NULL, "age") == NULL);
  check_last_error(BELAY_EINVAL);
  CHECK(belay_glib_property(it, NULL) == NULL);
  check_last_error(BELAY_EINVAL);
  CHECK(belay_glib_property(it, "weight") == NULL);
  check_last_error(BELAY_ENOENT);
  CHECK(belay_glib_property(it, "secret") == NULL);
  check_last_error(BELAY_EPERM);
  CHECK(belay_glib_owner(NULL, NULL) == NULL);
  check_last_error(BELAY_EINVAL);
  CHECK(belay_glib_owner(no_object, NULL) == NULL);
  check_last_error(BELAY_EINVAL);
  belay_loop *loop = open_loop();
  CHECK(belay_glib_owner(it, &BELAY_INIT(belay_owner_options, .loop = loop)) == NULL);
  check_last_error(BELAY_EINVAL);
  close_loop(loop);
  g_param_spec_unref(no_object);
  g_object_unref(it);
}

/* ---- owners ---- */

static void what_is_bound_ends_with_the_object(void) {
  person *it = person_new(1);
  belay_owner *owner = belay_glib_owner(it, NULL), *again = belay_glib_owner(it, NULL);
  belay_signal *subject = belay_subject_create(NULL);
  belay_observer observer = rendering("");
  CHECK(owner != NULL && owner == again);
  CHECK(belay_owner_object(owner) == it);
  observer.owner = owner;
  CHECK_INT(belay_signal_subscribe(subject, &observer, NULL), 0);
  belay_owner_release(owner);
  belay_owner_release(again);
  send_int(subject, 1);
  g_object_unref(it);
  CHECK_TRACE("next 1 | disposed | free");
  send_int(subject, 2);
  CHECK_TRACE("");
  belay_signal_release(subject);
}

static void an_object_that_is_disposed_of_has_another_owner_later(void) {
  person *it = person_new(1);
  belay_owner *first = belay_glib_owner(it, NULL);
  CHECK_INT(belay_owner_add_action(first, trace_action, "first", NULL), 0);
  g_object_run_dispose(G_OBJECT(it));
  CHECK_TRACE("action first");
  CHECK(belay_owner_is_dying(first));
  belay_owner *second = belay_glib_owner(it, NULL);
  CHECK(second != first && !belay_owner_is_dying(second));
  CHECK_INT(belay_owner_add_action(second, trace_action, "second", NULL), 0);
  belay_owner_release(first);
  belay_owner_release(second);
  g_object_unref(it);
  CHECK_TRACE("action second");
}

static void ask_inside(void *it) {
  belay_owner *owner = belay_glib_owner(it, NULL);
  CHECK(belay_owner_is_dying(owner));
  CHECK_INT(belay_owner_add_action(owner, trace_action, "at once", NULL), 0);
  belay_owner_release(owner);
}

static void a_dying_one_is_answered(void) {
  person *it = person_new(1);
  belay_owner *owner = belay_glib_owner(it, NULL);
  CHECK_INT(belay_owner_add_action(owner, ask_inside, it, NULL), 0);
  belay_owner_release(owner);
  g_object_unref(it);
  CHECK_TRACE("action at once");
}

static void ask_for_the_owner(void *it) {
  for (int i = 0; i < 1000; i++) belay_owner_release(belay_glib_owner(it, NULL));
}

static void two_threads_ask_at_once(void) {
  for (int i = 0; i < 20; i++) {
    person *it = person_new(1);
    routine other;
    start_thread(&other, ask_for_the_owner, it);
    ask_for_the_owner(it);
    join_thread(&other);
    belay_owner *owner = belay_glib_owner(it, NULL);
    CHECK_INT(belay_owner_add_action(owner, trace_action, "once", NULL), 0);
    belay_owner_release(owner);
    g_object_unref(it);
    CHECK_TRACE("action once");
  }
}

static size_t allocated(void) {
  struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

static void asking_again_takes_no_memory(void) {
  person *it = person_new(1);
  ask_for_the_owner(it);
  size_t before = allocated();
  for (int i = 0; i < 100; i++) ask_for_the_owner(it);
  CHECK(allocated() < before + 10000);
  g_object_unref(it);
}

/* ---- threads ---- */

static void emit_a_thousand(void *it) {
  for (int i = 0; i < 1000; i++) g_signal_emit_by_name(it, "moved", i, 0);
  g_object_unref(it);
}

static int heard;
static void count_in_order(void *loop, belay_value value) {
  belay_value first;
  CHECK_INT(belay_value_get_item(value, 0, &first), 0);
  CHECK_INT(int_of(first), heard);
  heard++;
}

/* The object ends on the thread that emits. */
static void an_object_of_another_thread(void) {
  belay_loop *loop = belay_loop_create(&BELAY_INIT(belay_loop_options, .persistent = 1));
  person *it = person_new(1);
  belay_signal *moved = belay_glib_signal(it, "moved", 0);
  belay_observer observer =
      BELAY_INIT(belay_observer, .next = count_in_order, .completed = stop_loop, .ctx = loop);
  routine emitter;
  heard = 0;
  CHECK_INT(belay_signal_subscribe(moved, &observer, NULL), 0);
  start_thread(&emitter, emit_a_thousand, it);
  run_until_stopped(loop);
  join_thread(&emitter);
  CHECK_INT(heard, 1000);
  belay_signal_release(moved);
  close_loop(loop);
}

static int stopping;
static void emit_until_told(void *it) {
  while (!__atomic_load_n(&stopping, __ATOMIC_RELAXED)) g_signal_emit_by_name(it, "moved", 1, 0);
}

/* Another thread emits while subscriptions come and go. */
static void subscriptions_come_and_go_meanwhile(void) {
  belay_loop *loop = open_loop();
  person *it = person_new(1);
  belay_signal *moved = belay_glib_signal(it, "moved", 0);
  int values = 0;
  routine emitter;
  stopping = 0;
  start_thread(&emitter, emit_until_told, it);
  for (int i = 0; i < 500; i++) {
    belay_disposable *subscription;
    belay_observer observer = BELAY_INIT(belay_observer, .next = count_value, .ctx = &values);
    CHECK_INT(belay_signal_subscribe(moved, &observer, &subscription), 0);
    belay_loop_run(loop, BELAY_RUN_NOWAIT);
    CHECK_INT(belay_disposable_dispose_sync(subscription, -1), 0);
    belay_disposable_release(subscription);
  }
  __atomic_store_n(&stopping, 1, __ATOMIC_RELAXED);
  join_thread(&emitter);
  CHECK_INT(handler_of(it, "moved"), 0);
  belay_signal_release(moved);
  g_object_unref(it);
  close_loop(loop);
}

static const test_case cases[] = {
    CASE(a_signal_sends_its_parameters),
    CASE(a_detail_is_heard_alone),
    CASE(after_is_behind_the_class),
    CASE(a_handler_returns_false),
    CASE(it_completes_with_the_object),
    CASE(it_completes_at_a_dispose),
    CASE(it_completes_when_others_disconnect),
    CASE(it_is_disposed_of_inside),
    CASE(the_last_reference_goes_inside),
    CASE(a_lent_string_is_copied),
    CASE(a_property_sends_its_values),
    CASE(what_is_wrong_is_refused),
    CASE(what_is_bound_ends_with_the_object),
    CASE(an_object_that_is_disposed_of_has_another_owner_later),
    CASE(a_dying_one_is_answered),
    CASE(two_threads_ask_at_once),
    CASE(asking_again_takes_no_memory),
    CASE(an_object_of_another_thread),
    CASE(subscriptions_come_and_go_meanwhile),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
