/* Sharing, and the subjects with a memory: what one or two who listen get. */
#include "marbles.h"

/* Two who listen, one after the other. */
static belay_signal *twice(belay_signal *signal) {
  belay_signal *both[] = {signal, belay_signal_retain(signal)};
  return belay_signal_merge(both, 2);
}
static belay_signal *counted(const marble_run *run, belay_signal *subject) {
  return belay_signal_chain(belay_signal_multicast(marble_input(run, 0), subject),
                            belay_op_ref_count());
}

static belay_signal *share(const marble_run *run) {
  return twice(belay_signal_chain(marble_input(run, 0), belay_op_share(0)));
}
static belay_signal *share_replay(const marble_run *run) {
  return twice(belay_signal_chain(marble_input(run, 0),
                                  belay_op_share_replay((size_t)marble_number(run, 1), 0, NULL,
                                                        BELAY_SHARE_KEEP_COMPLETED)));
}
static belay_signal *ref_count(const marble_run *run) {
  return twice(belay_signal_chain(belay_signal_publish(marble_input(run, 0)),
                                  belay_op_ref_count()));
}
static belay_signal *auto_connect(const marble_run *run) {
  return twice(belay_signal_chain(belay_signal_publish(marble_input(run, 0)),
                                  belay_op_auto_connect((size_t)marble_number(run, 1))));
}
static belay_signal *behavior(const marble_run *run) {
  return counted(run, belay_subject_behavior(belay_int32(7), NULL));
}
static belay_signal *async(const marble_run *run) {
  return counted(run, belay_subject_async(NULL));
}

const marble_operation sharing_operations[] = {
    {"share", share},         {"share_replay", share_replay}, {"ref_count", ref_count},
    {"auto_connect", auto_connect}, {"behavior", behavior},   {"async", async},
    {0}};
