/* Objects whose methods are found when they are called. A5-10. */
#include "owned.h"
#include "worker.h"

typedef struct thing {
  int number;
} thing;
typedef struct ops {
  int (*add)(thing *it, int number);
  int (*scale)(thing *it, int number);
} ops;
static int do_add(thing *it, int number) {
  trace("add %d", number);
  return it->number + number;
}
static int do_scale(thing *it, int number) {
  trace("scale %d", number);
  return it->number * number;
}
static const belay_method methods[] = {BELAY_METHOD(ops, add, "i@i"),
                                       BELAY_METHOD(ops, scale, "i@i")};
static const belay_method other_methods[] = {BELAY_METHOD(ops, add, "i@q"),
                                             BELAY_METHOD(ops, scale, "v@i")};
static belay_interface *described(const belay_method *as) {
  belay_interface *made = belay_interface_create(&(belay_interface_description){
      .size = sizeof(belay_interface_description),
      .name = "ops",
      .table_size = sizeof(ops),
      .methods = as,
      .method_count = 2,
      .table_offset = BELAY_NO_TABLE,
  });
  CHECK(made != NULL);
  return made;
}

/* What the callbacks of a responder answer. Each call is traced. */
typedef struct script {
  const char *name;
  belay_function resolved;
  belay_owner *target;
  int forwarded;
  belay_owner *forwards_to[2];
  int adds; /* is added to the argument before the call is passed on */
  int freed;
} script;

static belay_function resolve(void *ctx, void *object, const char *method) {
  script *it = ctx;
  trace("%s resolve %s", it->name, method);
  return it->resolved;
}
static belay_owner *target(void *ctx, void *object, const char *method) {
  script *it = ctx;
  trace("%s target", it->name);
  return it->target;
}
static int forward(void *ctx, void *object, belay_invocation *invocation) {
  script *it = ctx;
  trace("%s forward %s", it->name, belay_invocation_method(invocation));
  CHECK(belay_invocation_context(invocation) == object);
  if (it->adds) {
    belay_value number;
    CHECK_INT(belay_invocation_get(invocation, 0, &number), 0);
    CHECK_INT(belay_invocation_set(invocation, 0, belay_int32(int_of(number) + it->adds)), 0);
  }
  for (int i = 0; i < 2; i++) {
    if (!it->forwards_to[i]) continue;
    int code = belay_invocation_send(invocation, it->forwards_to[i]);
    if (code < 0) return code;
  }
  return it->forwarded;
}
static void free_script(void *ctx) { ((script *)ctx)->freed++; }

static belay_responder responding(belay_interface *interface, const ops *table, script *how) {
  return (belay_responder){.size = sizeof(belay_responder),
                           .interface = interface,
                           .table = table,
                           .resolve = resolve,
                           .target = target,
                           .forward = forward,
                           .ctx = how,
                           .ctx_free = free_script};
}
static belay_owner *made(thing *it, belay_interface *interface, const ops *table, script *how) {
  belay_owner *owner = belay_owner_create(it, NULL, NULL, NULL);
  belay_responder responder = responding(interface, table, how);
  CHECK_INT(belay_object_set_responder(owner, &responder), 0);
  return owner;
}
static belay_invocation *adding(belay_interface *interface, int number) {
  belay_invocation *made = belay_invocation_create(interface, "add");
  CHECK(made != NULL);
  CHECK_INT(belay_invocation_set(made, 0, belay_int32(number)), 0);
  return made;
}

static void A5_10_table_resolve_target_forward_error(void) {
  belay_interface *interface = described(methods);
  ops table = {do_add, NULL}, of_other = {do_scale, NULL};
  thing one = {10}, other = {20};
  script last = {.name = "other", .forwarded = BELAY_ENOENT};
  belay_owner *second = made(&other, interface, &of_other, &last);
  script how = {.name = "it",
                .resolved = (belay_function)do_scale,
                .target = second,
                .forwarded = 0};
  belay_owner *owner = made(&one, interface, &table, &how);
  belay_invocation *call = adding(interface, 5);

  CHECK_INT(belay_invocation_send(call, owner), 0);
  CHECK(belay_invocation_context(call) == &one);
  CHECK_INT(int_of(belay_invocation_result(call)), 15);
  CHECK_TRACE("add 5");
  table.add = NULL;
  CHECK_INT(belay_invocation_send(call, owner), 0);
  CHECK_INT(int_of(belay_invocation_result(call)), 50);
  CHECK_TRACE("it resolve add | scale 5");
  CHECK_INT(belay_invocation_send(call, owner), 0);
  CHECK_TRACE("scale 5"); /* the answer is remembered */

  how.resolved = NULL;
  belay_responder again = responding(interface, &table, &how);
  CHECK_INT(belay_object_set_responder(owner, &again), 0);
  CHECK_INT(how.freed, 1);
  CHECK_INT(belay_invocation_send(call, owner), 0);
  CHECK(belay_invocation_context(call) == &other);
  CHECK_INT(int_of(belay_invocation_result(call)), 100);
  CHECK_TRACE("it resolve add | it target | scale 5");

  of_other.add = NULL;
  CHECK_INT(belay_invocation_send(call, owner), 0);
  CHECK_TRACE("it resolve add | it target | other resolve add | other target | "
              "other forward add | it forward add");

  how.forwarded = BELAY_ENOENT;
  CHECK_INT(belay_invocation_send(call, owner), BELAY_ENOENT);
  const belay_error *error = belay_last_error();
  CHECK_INT(belay_error_code(error), BELAY_ENOENT);
  CHECK(strstr(belay_error_message(error), "add") != NULL);
  trace_clear();
  how.forwarded = BELAY_EBUSY;
  CHECK_FAILS(belay_invocation_send(call, owner), BELAY_EBUSY);
  trace_clear();

  belay_invocation_release(call);
  belay_owner_release(owner);
  belay_owner_release(second);
  CHECK_INT(how.freed, 2);
  CHECK_INT(last.freed, 1);
  belay_interface_release(interface);
}

static void A5_10_an_object_without_a_responder_or_with_an_empty_one(void) {
  belay_interface *interface = described(methods);
  thing it = {1};
  belay_owner *owner = belay_owner_create(&it, NULL, NULL, NULL);
  belay_invocation *call = adding(interface, 5);
  CHECK_FAILS(belay_invocation_send(call, owner), BELAY_ENOENT);
  belay_responder empty = {.size = sizeof empty};
  CHECK_INT(belay_object_set_responder(owner, &empty), 0);
  CHECK_FAILS(belay_invocation_send(call, owner), BELAY_ENOENT);
  CHECK_INT(belay_object_responds(owner, "add"), 0);
  belay_invocation_release(call);
  belay_owner_release(owner);
  belay_interface_release(interface);
}

static void A5_10_responds(void) {
  belay_interface *interface = described(methods);
  ops table = {do_add, NULL}, of_other = {NULL, do_scale};
  thing one = {10}, other = {20};
  script last = {.name = "other"}, how = {.name = "it"};
  belay_owner *second = made(&other, interface, &of_other, &last);
  belay_owner *owner = made(&one, interface, &table, &how);
  CHECK_INT(belay_object_responds(owner, "add"), 1);
  CHECK_TRACE("");
  CHECK_INT(belay_object_responds(owner, "scale"), 0);
  CHECK_TRACE("it resolve scale | it target");
  how.target = second;
  CHECK_INT(belay_object_responds(owner, "scale"), 1);
  how.resolved = (belay_function)do_add;
  CHECK_INT(belay_object_responds(owner, "anything"), 1);
  how.resolved = NULL;
  how.target = owner; /* it names itself */
  CHECK_INT(belay_object_responds(owner, "anything"), 0);
  CHECK_INT(belay_object_responds(NULL, "add"), 0);
  CHECK_INT(belay_object_responds(owner, NULL), 0);
  trace_clear();
  belay_owner_release(owner);
  belay_owner_release(second);
  belay_interface_release(interface);
}

static void A5_10_an_invocation_changed_and_sent_to_several(void) {
  belay_interface *interface = described(methods);
  ops table = {do_add, do_scale};
  thing one = {1}, first = {10}, second = {20};
  script plain = {.name = "plain"};
  belay_owner *to[2] = {made(&first, interface, &table, &plain),
                        made(&second, interface, &table, &plain)};
  script how = {.name = "it", .adds = 100, .forwards_to = {to[0], to[1]}};
  belay_owner *owner = made(&one, NULL, NULL, &how);
  belay_invocation *call = adding(interface, 5);
  CHECK_INT(belay_invocation_send(call, owner), 0);
  CHECK_TRACE("it resolve add | it target | it forward add | add 105 | add 105");
  CHECK_INT(int_of(belay_invocation_result(call)), 125);
  CHECK(belay_invocation_context(call) == &second);
  belay_invocation_release(call);
  belay_owner_release(owner);
  belay_owner_release(to[0]);
  belay_owner_release(to[1]);
  belay_interface_release(interface);
}

static void another_shape_is_refused(void) {
  belay_interface *interface = described(methods), *strange = described(other_methods);
  ops table = {do_add, NULL};
  thing it = {1};
  script how = {.name = "it"};
  belay_owner *owner = made(&it, interface, &table, &how);
  belay_invocation *call = belay_invocation_create(strange, "add");
  belay_invocation *scale = belay_invocation_create(strange, "scale");
  CHECK_INT(belay_invocation_send(call, owner), BELAY_EKIND);
  CHECK(strstr(belay_error_message(belay_last_error()), "add") != NULL);
  how.resolved = (belay_function)do_scale;
  CHECK_FAILS(belay_invocation_send(scale, owner), BELAY_EKIND);
  /* A method without a description has the shape that it was resolved for. */
  belay_responder bare = responding(NULL, NULL, &how);
  CHECK_INT(belay_object_set_responder(owner, &bare), 0);
  belay_invocation *known = belay_invocation_create(interface, "scale");
  CHECK_INT(belay_invocation_set(known, 0, belay_int32(3)), 0);
  CHECK_INT(belay_invocation_send(known, owner), 0);
  CHECK_FAILS(belay_invocation_send(scale, owner), BELAY_EKIND);
  trace_clear();
  belay_invocation_release(call);
  belay_invocation_release(scale);
  belay_invocation_release(known);
  belay_owner_release(owner);
  belay_interface_release(interface);
  belay_interface_release(strange);
}

static void sent_in_circles(void) {
  belay_interface *interface = described(methods);
  thing one = {1}, other = {2};
  script how = {.name = "one"}, more = {.name = "other"};
  belay_owner *owner = made(&one, interface, NULL, &how);
  belay_owner *second = made(&other, interface, NULL, &more);
  belay_invocation *call = adding(interface, 5);
  how.target = second;
  more.target = owner;
  CHECK_FAILS(belay_invocation_send(call, owner), BELAY_EDEADLK);
  how.target = more.target = NULL;
  how.forwards_to[0] = second;
  more.forwards_to[1] = owner;
  CHECK_FAILS(belay_invocation_send(call, owner), BELAY_EDEADLK);
  how.forwards_to[0] = NULL; /* the cycle has left nothing locked */
  CHECK_INT(belay_invocation_send(call, second), 0);
  trace_clear();
  belay_invocation_release(call);
  belay_owner_release(owner);
  belay_owner_release(second);
  belay_interface_release(interface);
}

/* ---- callbacks that change what is under way ---- */

static belay_owner *dropped;
static belay_function drop_and_resolve(void *ctx, void *object, const char *method) {
  belay_owner_release(dropped);
  trace("dropped");
  return (belay_function)do_add;
}

static void the_last_handle_goes_in_a_callback(void) {
  belay_interface *interface = described(methods);
  thing it = {1};
  int freed = 0;
  dropped = belay_owner_create(&it, trace_deinit, NULL, NULL);
  belay_responder responder = {.size = sizeof responder,
                               .resolve = drop_and_resolve,
                               .ctx = &freed,
                               .ctx_free = count_free};
  CHECK_INT(belay_object_set_responder(dropped, &responder), 0);
  belay_invocation *call = adding(interface, 5);
  CHECK_INT(belay_invocation_send(call, dropped), 0);
  CHECK_TRACE("dropped | add 5 | deinit");
  CHECK_INT(freed, 1);
  belay_invocation_release(call);
  belay_interface_release(interface);
}

static belay_owner *replaced;
static int replace_and_forward(void *ctx, void *object, belay_invocation *invocation) {
  belay_responder empty = {.size = sizeof empty};
  CHECK_INT(belay_object_set_responder(replaced, &empty), 0);
  CHECK_INT(*(int *)ctx, 0); /* the context is not freed while its callback runs */
  return belay_fail(BELAY_EBUSY, "told by the forwarder");
}

static void replaced_in_a_callback_of_its_own(void) {
  belay_interface *interface = described(methods);
  thing it = {1};
  int freed = 0;
  replaced = belay_owner_create(&it, NULL, NULL, NULL);
  belay_responder responder = {.size = sizeof responder,
                               .forward = replace_and_forward,
                               .ctx = &freed,
                               .ctx_free = count_free};
  CHECK_INT(belay_object_set_responder(replaced, &responder), 0);
  belay_invocation *call = adding(interface, 5);
  CHECK_INT(belay_invocation_send(call, replaced), BELAY_EBUSY);
  CHECK_STRING(belay_error_message(belay_last_error()), "told by the forwarder");
  CHECK_INT(freed, 1);
  CHECK_FAILS(belay_invocation_send(call, replaced), BELAY_ENOENT);
  belay_invocation_release(call);
  belay_owner_release(replaced);
  belay_interface_release(interface);
}

/* ---- threads ---- */

enum { SENDS = 3000 };
typedef struct sender {
  belay_interface *interface;
  belay_owner *owner;
  int wrong;
} sender;
static int quiet_add(thing *it, int number) { return it->number + number; }
static belay_function resolve_quietly(void *ctx, void *object, const char *method) {
  return (belay_function)quiet_add;
}
static void send_often(void *argument) {
  sender *it = argument;
  for (int i = 0; i < SENDS; i++) {
    belay_invocation *call = belay_invocation_create(it->interface, "add");
    int32_t answer = 0;
    belay_invocation_set(call, 0, belay_int32(i));
    if (belay_invocation_send(call, it->owner) != 0 ||
        belay_value_get_int32(belay_invocation_result(call), &answer) != 0 || answer != i + 1)
      it->wrong++;
    belay_invocation_release(call);
  }
}
static void replace_often(void *argument) {
  belay_responder responder = {.size = sizeof responder, .resolve = resolve_quietly};
  for (int i = 0; i < SENDS / 10; i++) belay_object_set_responder(argument, &responder);
}

static void sent_by_several_threads_while_it_is_replaced(void) {
  belay_interface *interface = described(methods);
  thing it = {1};
  belay_owner *owner = belay_owner_create(&it, NULL, NULL, NULL);
  replace_often(owner);
  sender senders[2] = {{interface, owner, 0}, {interface, owner, 0}};
  routine routines[3];
  for (int i = 0; i < 2; i++) start_thread(&routines[i], send_often, &senders[i]);
  start_thread(&routines[2], replace_often, owner);
  for (int i = 0; i < 3; i++) join_thread(&routines[i]);
  CHECK_INT(senders[0].wrong + senders[1].wrong, 0);
  belay_owner_release(owner);
  belay_interface_release(interface);
}

static void nonsense(void) {
  belay_interface *interface = described(methods);
  ops table = {do_add, NULL};
  thing it = {1};
  script how = {.name = "it"};
  belay_owner *owner = belay_owner_create(&it, NULL, NULL, NULL);
  belay_owner *nothing = belay_owner_create(NULL, NULL, NULL, NULL);
  belay_responder right = responding(interface, &table, &how), wrong = right;
  CHECK_FAILS(belay_object_set_responder(owner, NULL), BELAY_EINVAL);
  wrong.size = 3;
  CHECK_FAILS(belay_object_set_responder(owner, &wrong), BELAY_EINVAL);
  CHECK_INT(how.freed, 0); /* Belay reads nothing of it, and so frees nothing */
  CHECK_FAILS(belay_object_set_responder(NULL, &right), BELAY_EINVAL);
  CHECK_INT(how.freed, 1);
  CHECK_FAILS(belay_object_set_responder(nothing, &right), BELAY_EINVAL);
  CHECK_INT(how.freed, 2);
  wrong = right;
  wrong.interface = NULL;
  CHECK_FAILS(belay_object_set_responder(owner, &wrong), BELAY_EINVAL);
  wrong = right;
  wrong.table = (const char *)&table + 1;
  CHECK_FAILS(belay_object_set_responder(owner, &wrong), BELAY_EINVAL);
  CHECK_INT(how.freed, 4);

  belay_invocation *call = adding(interface, 5);
  CHECK_FAILS(belay_invocation_send(NULL, owner), BELAY_EINVAL);
  CHECK_FAILS(belay_invocation_send(call, NULL), BELAY_EINVAL);
  CHECK_FAILS(belay_invocation_send(call, nothing), BELAY_ENOENT);
  CHECK_INT(belay_object_set_responder(owner, &right), 0);
  belay_owner *handle = belay_owner_adopt(&it, NULL);
  CHECK_INT(belay_owner_end(&it, NULL, NULL), 0);
  CHECK_FAILS(belay_invocation_send(call, handle), BELAY_EDEAD);
  CHECK_FAILS(belay_object_set_responder(handle, &right), BELAY_EDEAD);
  CHECK_INT(how.freed, 5);
  belay_owner_release(handle);
  belay_owner_release(owner);
  CHECK_INT(how.freed, 6);
  belay_owner_release(nothing);
  belay_invocation_release(call);
  belay_interface_release(interface);
}

static const test_case cases[] = {
    CASE(A5_10_table_resolve_target_forward_error),
    CASE(A5_10_an_object_without_a_responder_or_with_an_empty_one),
    CASE(A5_10_responds),
    CASE(A5_10_an_invocation_changed_and_sent_to_several),
    CASE(another_shape_is_refused),
    CASE(sent_in_circles),
    CASE(the_last_handle_goes_in_a_callback),
    CASE(replaced_in_a_callback_of_its_own),
    CASE(sent_by_several_threads_while_it_is_replaced),
    CASE(nonsense),
};

int main(int argc, char **argv) { return RUN_CASES(cases); }
