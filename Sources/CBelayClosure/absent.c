// Stands in for interception in a build without it. No interface can be made, so the other
// functions only get NULL. What a caller gives away is released all the same.
#include "belay/belay.h"

static int invalid(void) { return belay_fail(BELAY_EINVAL, NULL); }
static void *none(void) {
  belay_fail(BELAY_EINVAL, NULL);
  return NULL;
}
static int unsupported(void) { return belay_fail(BELAY_ENOTSUP, "built without interception"); }
static int refused(void *ctx, belay_free_fn ctx_free) {
  if (ctx_free) ctx_free(ctx);
  return invalid();
}
static int unused(belay_value value) {
  belay_value_release(value);
  return invalid();
}

// ---- interface.h ----

belay_interface *belay_interface_create(const belay_interface_description *description) {
  unsupported();
  return NULL;
}
belay_interface *belay_interface_retain(belay_interface *interface) { return interface; }
void belay_interface_release(belay_interface *interface) {}
const char *belay_interface_name(belay_interface *interface) { return ""; }
size_t belay_interface_method_count(belay_interface *interface) { return 0; }
const belay_method *belay_interface_method(belay_interface *interface, size_t index) {
  return NULL;
}

// ---- invocation.h ----

belay_invocation *belay_invocation_create(belay_interface *interface, const char *method) {
  return none();
}
belay_invocation *belay_invocation_retain(belay_invocation *invocation) { return invocation; }
void belay_invocation_release(belay_invocation *invocation) {}
const char *belay_invocation_method(belay_invocation *invocation) { return ""; }
size_t belay_invocation_count(belay_invocation *invocation) { return 0; }
void *belay_invocation_context(belay_invocation *invocation) { return NULL; }
int belay_invocation_set_context(belay_invocation *invocation, void *context) { return invalid(); }
int belay_invocation_get(belay_invocation *invocation, size_t index, belay_value *value) {
  return invalid();
}
int belay_invocation_set(belay_invocation *invocation, size_t index, belay_value value) {
  return unused(value);
}
belay_value belay_invocation_result(belay_invocation *invocation) { return belay_null(); }
int belay_invocation_set_result(belay_invocation *invocation, belay_value value) {
  return unused(value);
}
int belay_invocation_retain_arguments(belay_invocation *invocation) { return invalid(); }
int belay_invocation_call(belay_invocation *invocation, belay_function function) {
  return invalid();
}
int belay_invocation_proceed(belay_invocation *invocation) { return invalid(); }

// ---- slot.h ----

belay_slot *belay_slot_create_in_table(belay_interface *interface, void *table, const char *method,
                                unsigned flags) {
  return none();
}
belay_slot *belay_slot_create_in_object(belay_interface *interface, belay_owner *object,
                                 const char *method) {
  return none();
}
belay_slot *belay_slot_retain(belay_slot *slot) { return slot; }
void belay_slot_release(belay_slot *slot) {}
int belay_table_gone(void *table) { return table ? belay_fail(BELAY_ENOENT, NULL) : invalid(); }
belay_signal *belay_slot_sent(belay_slot *slot) { return none(); }
belay_signal *belay_slot_invoked(belay_slot *slot) { return none(); }
int belay_slot_around(belay_slot *slot, belay_around_fn around, void *ctx, belay_free_fn ctx_free,
                      belay_disposable **disposable) {
  if (disposable) *disposable = NULL;
  return refused(ctx, ctx_free);
}
int belay_slot_respond(belay_slot *slot, belay_respond_fn respond, void *ctx,
                       belay_free_fn ctx_free, belay_disposable **disposable) {
  if (disposable) *disposable = NULL;
  return refused(ctx, ctx_free);
}
int belay_slot_set_default(belay_slot *slot, belay_value value) { return unused(value); }
int belay_slot_set_combiner(belay_slot *slot, belay_combine_fn combine, void *ctx,
                            belay_free_fn ctx_free) {
  return refused(ctx, ctx_free);
}
int belay_slot_connect(belay_slot *slot, const char *shape, belay_function function, void *ctx,
                       belay_free_fn ctx_free, belay_disposable **disposable) {
  if (disposable) *disposable = NULL;
  return refused(ctx, ctx_free);
}
int belay_slot_status(belay_slot *slot) { return invalid(); }
belay_function belay_slot_original(belay_slot *slot) { return NULL; }

// ---- responder.h ----

int belay_object_set_responder(belay_owner *object, const belay_responder *responder) {
  if (!responder || responder->size < sizeof *responder) return invalid();
  if (responder->ctx_free) responder->ctx_free(responder->ctx);
  return object ? unsupported() : invalid();
}
int belay_object_responds(belay_owner *object, const char *method) { return 0; }
int belay_invocation_send(belay_invocation *invocation, belay_owner *object) { return invalid(); }

// ---- proxy.h ----

belay_proxy *belay_proxy_create(belay_owner *object, belay_interface *interface) { return none(); }
belay_proxy *belay_proxy_retain(belay_proxy *proxy) { return proxy; }
void belay_proxy_release(belay_proxy *proxy) {}
const void *belay_proxy_table(belay_proxy *proxy) { return NULL; }
int belay_proxy_forward_to(belay_proxy *proxy, const void *table, belay_owner *delegate) {
  return invalid();
}
belay_slot *belay_slot_create_in_proxy(belay_proxy *proxy, const char *method) { return none(); }
