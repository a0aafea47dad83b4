/* Sharing, binding, and the subjects with a memory. */
#include "marbles.h"

static belay_signal *counted(const marble_run *run, belay_signal *subject) {
  return belay_signal_chain(belay_signal_multicast(marble_input(run, 0), subject),
                            belay_op_ref_count());
}

static belay_signal *share(const marble_run *run) {
  return belay_signal_chain(marble_input(run, 0), belay_op_share(0));
}
static belay_signal *share_replay(const marble_run *run) {
  return belay_signal_chain(
      marble_input(run, 0),
      belay_op_share_replay(NULL, -1, marble_count(run, 1), BELAY_SHARE_KEEP_COMPLETED));
}
/* Inputs: the source, what resets after an error, after the completion, without subscribers; then how
   many values are replayed. */
static belay_signal *share_until(const marble_run *run) {
  belay_op *op = belay_op_share_until(marble_count(run, 4), marble_input(run, 1),
                                      marble_input(run, 2), marble_input(run, 3));
  return belay_signal_chain(marble_input(run, 0), op);
}
static belay_signal *share_until_ended(const marble_run *run) {
  belay_op *op = belay_op_share_until(marble_count(run, 3), marble_input(run, 1),
                                      marble_input(run, 2), NULL);
  return belay_signal_chain(marble_input(run, 0), op);
}
static belay_signal *share_until_unused(const marble_run *run) {
  return belay_signal_chain(marble_input(run, 0),
                            belay_op_share_until(0, NULL, NULL, marble_input(run, 1)));
}
static belay_signal *ref_count(const marble_run *run) {
  return belay_signal_chain(belay_signal_publish(marble_input(run, 0)), belay_op_ref_count());
}
static belay_signal *auto_connect(const marble_run *run) {
  return belay_signal_chain(belay_signal_publish(marble_input(run, 0)),
                            belay_op_auto_connect(marble_count(run, 1)));
}
static belay_signal *behavior(const marble_run *run) {
  return counted(run, belay_subject_create_behavior(belay_int32(7), NULL));
}
static belay_signal *async(const marble_run *run) {
  return counted(run, belay_subject_create_async(NULL));
}
static belay_signal *replay_subject(const marble_run *run) {
  return counted(run, belay_subject_create_replay(NULL, -1, marble_count(run, 1), NULL));
}

/* ---- what begins at one time and ends at another: milliseconds, the last two words ---- */

typedef struct link {
  belay_signal *signal, *subject;
  belay_property *property;
  int32_t *variable;
  belay_disposable *disposable;
  int references;
} link;

static void free_link(void *ctx) {
  link *it = ctx;
  if (--it->references > 0) return;
  belay_disposable_release(it->disposable);
  belay_signal_release(it->signal);
  belay_signal_release(it->subject);
  belay_property_release(it->property);
  free(it);
}
static int linked(link *it) {
  if (it->subject) return belay_signal_bind(it->signal, it->subject, &it->disposable);
  if (it->property)
    return belay_signal_bind_property(it->signal, it->property, NULL, &it->disposable);
  if (it->variable)
    return belay_signal_bind_variable(it->signal, BELAY_KIND_INT32, it->variable, NULL,
                                      &it->disposable);
  return belay_signal_connect(it->signal, &it->disposable);
}
static void begin_link(void *ctx) { CHECK_INT(linked(ctx), 0); }
static void end_link(void *ctx) {
  link *it = ctx;
  belay_disposable_dispose(it->disposable);
  belay_disposable_release(it->disposable);
  it->disposable = NULL;
  belay_property_release(it->property);
  it->property = NULL;
}

/* Connects the signal of `what` (taken over), or binds it to what else is there, from the time of
   word `index` to the next one. A property goes then. */
static void link_at(const marble_run *run, int index, link what) {
  link *it = malloc(sizeof *it);
  double begin = (double)marble_number(run, index) / 1000;
  double end = (double)marble_number(run, index + 1) / 1000;
  *it = what;
  it->references = 2;
  belay_scheduler *time = marble_scheduler(run);
  CHECK_INT(belay_scheduler_after(time, begin, begin_link, it, free_link, NULL), 0);
  CHECK_INT(belay_scheduler_after(time, end, end_link, it, free_link, NULL), 0);
}

static belay_signal *connected(const marble_run *run, int index, belay_signal *connectable) {
  link_at(run, index, (link){.signal = belay_signal_retain(connectable)});
  return connectable;
}
static belay_signal *publish(const marble_run *run) {
  return connected(run, 1, belay_signal_publish(marble_input(run, 0)));
}
/* Connected a second time. */
static belay_signal *publish_twice(const marble_run *run) {
  return connected(run, 3, publish(run));
}
static belay_signal *replay(const marble_run *run) {
  belay_signal *source = marble_input(run, 0);
  return connected(run, 2, belay_signal_replay(source, NULL, -1, marble_count(run, 1)));
}
static belay_signal *multicast(const marble_run *run) {
  belay_signal *source = marble_input(run, 0);
  return connected(run, 1, belay_signal_multicast(source, belay_subject_create(NULL)));
}
static belay_signal *multicast_twice(const marble_run *run) {
  return connected(run, 3, multicast(run));
}
static belay_signal *bind(const marble_run *run) {
  belay_signal *subject = belay_subject_create(NULL);
  link_at(run, 1, (link){.signal = marble_input(run, 0), .subject = belay_signal_retain(subject)});
  return subject;
}
static belay_signal *bind_property(const marble_run *run) {
  belay_property *property = belay_property_create(belay_int32(0), NULL);
  belay_signal *signal = belay_property_signal(property);
  link_at(run, 1, (link){.signal = marble_input(run, 0), .property = property});
  return signal;
}
/* What the variable has every millisecond, if that has changed. */
static int32_t variable;
static belay_value variable_now(void *ctx, belay_value tick) { return belay_int32(variable); }
static belay_signal *bind_variable(const marble_run *run) {
  variable = 0;
  link_at(run, 1, (link){.signal = marble_input(run, 0), .variable = &variable});
  return belay_signal_chain(belay_signal_interval(marble_scheduler(run), 0.001),
                            belay_op_map(variable_now, NULL, NULL),
                            belay_op_distinct_until_changed(NULL, NULL, NULL));
}

const marble_operation sharing_operations[] = {{"share", share},
                                               {"share_replay", share_replay},
                                               {"share_until", share_until},
                                               {"share_until_ended", share_until_ended},
                                               {"share_until_unused", share_until_unused},
                                               {"ref_count", ref_count},
                                               {"auto_connect", auto_connect},
                                               {"behavior", behavior},
                                               {"async", async},
                                               {"replay_subject", replay_subject},
                                               {"publish", publish},
                                               {"publish_twice", publish_twice},
                                               {"replay", replay},
                                               {"multicast", multicast},
                                               {"multicast_twice", multicast_twice},
                                               {"bind", bind},
                                               {"bind_property", bind_property},
                                               {"bind_variable", bind_variable},
                                               {0}};
