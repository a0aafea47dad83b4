/* Operators that make something else of values and ends. See operator.h for what holds for all.
 *
 * Where several things go into one value it is an array: [index value], [previous current],
 * [seconds value]. Numbers in them are uint64 for an index, double for seconds.
 */
#ifndef BELAY_TRANSFORMING_H
#define BELAY_TRANSFORMING_H

#include "flattening.h"
#include "operator.h"

/* Returns another error, given away; `error` is borrowed (belay_error_retain() passes it on). NULL
   fails: belay_fail()'s error, else BELAY_EINVAL, comes instead. */
typedef belay_error *(*belay_map_error_fn)(void *ctx, const belay_error *error);

/* The first item of the arrays that belay_op_materialize() sends, an int32. */
typedef enum belay_event {
  BELAY_EVENT_NEXT,     /* [0 value] */
  BELAY_EVENT_ERROR,    /* [1 error], the error as belay_value_from_error() */
  BELAY_EVENT_COMPLETED /* [2] */
} belay_event;

BELAY_BEGIN

/* `value` (taken over) in the place of each value. */
BELAY_EXPORT belay_op *belay_op_map_to(belay_value value);
/* Each value becomes what `map` returns; null values are dropped. */
BELAY_EXPORT belay_op *belay_op_compact_map(belay_map_fn map, void *ctx, belay_free_fn ctx_free);
/* The error becomes what `map` returns. */
BELAY_EXPORT belay_op *belay_op_map_error(belay_map_error_fn map, void *ctx,
                                          belay_free_fn ctx_free);
/* At completion sends what `step(accumulated, value)` has made of all values, beginning with
   `seed` (taken over): of none the seed itself. */
BELAY_EXPORT belay_op *belay_op_reduce(belay_value seed, belay_scan_fn step, void *ctx,
                                       belay_free_fn ctx_free);
/* [index value], from 0 on. */
BELAY_EXPORT belay_op *belay_op_enumerated(void);
/* [owner value] for each value until `owner` begins to die, which completes. The array keeps the
   owner from dying; the operator does not, nor does it take it over. (RxSwift's withUnretained.) */
BELAY_EXPORT belay_op *belay_op_with_owner(belay_owner *owner);
/* [previous current] for each value but the first. */
BELAY_EXPORT belay_op *belay_op_pairwise(void);
/* All values as one array, at completion; none on an error. Holds every value until then. */
BELAY_EXPORT belay_op *belay_op_collect(void);
/* Arrays of `count` values, of which one begins with every `skip`th value: they overlap when `skip`
   is less than `count`, and values between them are dropped when it is more. At completion those
   that have begun are sent as they are; on an error they are dropped. Holds `count` values.
   0 for either is BELAY_EINVAL. */
BELAY_EXPORT belay_op *belay_op_buffer_skip(size_t count, size_t skip);

/* Signals (belay_value_get_signal()) of `count` values each, of which one begins at the subscription
   and one with every `skip`th value; 0 for either is BELAY_EINVAL. A window ends
   with the source, and is interrupted when the outer subscription is disposed of, whoever listens
   to it. Values that nobody listens to are dropped: subscribe when it is sent. */
BELAY_EXPORT belay_op *belay_op_window(size_t count, size_t skip);
/* A window every `seconds`; the next one begins also as soon as `count` values (BELAY_UNLIMITED: by
   time alone; 0: BELAY_EINVAL) have come, which starts the time anew. `scheduler` is kept; see belay_op_buffer_time(). */
BELAY_EXPORT belay_op *belay_op_window_time(belay_scheduler *scheduler, double seconds,
                                            size_t count);
/* A window for each value of `openings` (taken over), until the signal that `closing` returns for it
   (given away; NULL: it failed) sends a value. Several may be open at once. The completion of
   `openings`, or of such a signal alone, changes nothing; the error of any of them, and what
   `closing` fails with, ends the windows and the signal. Else they end as those above do. RxJS's
   bufferToggle is this, then belay_op_flat_map() with belay_op_collect(). */
BELAY_EXPORT belay_op *belay_op_window_toggle(belay_signal *openings, belay_flat_map_fn closing,
                                              void *ctx, belay_free_fn ctx_free);
/* A signal (belay_value_get_signal(), its key by belay_signal_key()) for each key that `key` returns,
   with the values that it returns it for; keys are compared by belay_value_equal(). A group is
   sent before its first value, which reaches who subscribes at once. It ends as a window does, and
   with what `key` fails with. All groups are held until then: keys should be few. */
BELAY_EXPORT belay_op *belay_op_group_by(belay_map_fn key, void *ctx, belay_free_fn ctx_free);
/* The key of a group, borrowed from it; null for any other signal. */
BELAY_EXPORT BELAY_BORROWS belay_value belay_signal_key(belay_signal *group);

/* The events as values (belay_event), then completed, also after an error. */
BELAY_EXPORT belay_op *belay_op_materialize(void);
/* Such values as events again; what comes after an end is dropped. BELAY_EKIND for a value that is
   none. */
BELAY_EXPORT belay_op *belay_op_dematerialize(void);

/* [seconds value]: the time on the scheduler's clock at which the value came. */
BELAY_EXPORT belay_op *belay_op_timestamp(belay_scheduler *scheduler);
/* [seconds value]: the time since the value before it, for the first since the subscription. */
BELAY_EXPORT belay_op *belay_op_time_interval(belay_scheduler *scheduler);

BELAY_END

#endif
