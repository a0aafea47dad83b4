/* Operators that turn values and ends into something else. See operator.h for the rules that hold
 * for all operators.
 *
 * A value that has several parts is an array: [index value], [previous current], [seconds value].
 * An index is a uint64; seconds are a double.
 */
#ifndef BELAY_TRANSFORMING_H
#define BELAY_TRANSFORMING_H

#include "flattening.h"
#include "operator.h"

/* Returns another error, which is given away. `error` is borrowed; to pass it on, return
   belay_error_retain(error). NULL is a failure: the error of belay_fail(), else BELAY_EINVAL, comes
   instead. */
typedef belay_error *(*belay_map_error_fn)(void *ctx, const belay_error *error);

/* Makes a signal of `source`. The callback owns `source`, and gives its result away. NULL is a
   failure: the error of belay_fail(), else BELAY_EINVAL. */
typedef belay_signal *(*belay_compose_fn)(void *ctx, BELAY_TAKES belay_signal *source);

/* The first item of the arrays that belay_op_materialize() sends, as an int32. */
typedef enum belay_event {
  BELAY_EVENT_NEXT,     /* [0 value] */
  BELAY_EVENT_ERROR,    /* [1 error], the error by belay_value_from_error() */
  BELAY_EVENT_COMPLETED /* [2] */
} belay_event;

BELAY_BEGIN

/* Replaces each value by the value that `map` returns. A failure value (belay_value_failure()) ends
   the signal with that error. */
BELAY_EXPORT belay_op *belay_op_map(belay_map_fn map, void *ctx, belay_free_fn ctx_free);
/* Sends `value` (taken over) in place of each value. */
BELAY_EXPORT belay_op *belay_op_map_to(belay_value value);
/* Replaces each value by the value that `map` returns, and drops null values. */
BELAY_EXPORT belay_op *belay_op_compact_map(belay_map_fn map, void *ctx, belay_free_fn ctx_free);
/* Replaces the error by the one that `map` returns. */
BELAY_EXPORT belay_op *belay_op_map_error(belay_map_error_fn map, void *ctx,
                                          belay_free_fn ctx_free);
/* Sends `step(accumulated, value)` for each value. The first `accumulated` is `seed` (taken over),
   which is not sent itself. */
BELAY_EXPORT belay_op *belay_op_scan(belay_value seed, belay_scan_fn step, void *ctx,
                                     belay_free_fn ctx_free);
/* Sends [index value] for each value. The index counts from 0. */
BELAY_EXPORT belay_op *belay_op_enumerated(void);
/* Sends [owner value] for each value until `owner` begins to die; then it completes. The array
   keeps the owner alive. The operator does not, nor does it take it over. (RxSwift's
   withUnretained.) */
BELAY_EXPORT belay_op *belay_op_with_owner(belay_owner *owner);
/* Sends [previous current] for each value except the first. */
BELAY_EXPORT belay_op *belay_op_pairwise(void);
/* Sends [previous current] for each value. Before the first value stands `start` (taken over).
   (combinePrevious with an initial value in ReactiveSwift.) */
BELAY_EXPORT belay_op *belay_op_pairwise_from(belay_value start);
/* Sends arrays of `count` values. The last array may be shorter and is sent before the end. An
   error drops the values that have been collected. A count of 0 is BELAY_EINVAL. */
BELAY_EXPORT belay_op *belay_op_buffer(size_t count);
/* Sends arrays of `count` values. A new array begins with every `skip`th value. The arrays overlap
   when `skip` is less than `count`; when it is more, the values between them are dropped. At
   completion the arrays that have begun are sent as they are; an error drops them. Keeps `count`
   values. 0 for either is BELAY_EINVAL. */
BELAY_EXPORT belay_op *belay_op_buffer_skip(size_t count, size_t skip);
/* Sends an array every `seconds` and at the completion, also when it is empty. It also sends an
   array as soon as `count` values have been collected, which restarts the time. BELAY_UNLIMITED
   collects by time alone. A count of 0 and `seconds` that are not above 0 are BELAY_EINVAL. Retains
   `scheduler`; when it belongs to another loop, the subscription needs a loop too (BELAY_ENOHOME).
   (RxSwift's buffer.) */
BELAY_EXPORT belay_op *belay_op_buffer_time(belay_scheduler *scheduler, double seconds,
                                            size_t count);

/* Sends signals (belay_value_get_signal()) of `count` values each, called windows. One begins at
   the subscription, and one with every `skip`th value; 0 for either is BELAY_EINVAL. A window ends
   after `count` values, and when the source ends. It is interrupted when the outer subscription is
   disposed of, also while it has subscriptions. A window without a subscription drops its values:
   subscribe when it is sent. */
BELAY_EXPORT belay_op *belay_op_window(size_t count, size_t skip);
/* Sends a window (belay_op_window()) every `seconds`. The next one also begins as soon as `count`
   values have come, which restarts the time. BELAY_UNLIMITED goes by time alone. A count of 0 and
   `seconds` that are not above 0 are BELAY_EINVAL. Retains `scheduler`; when it belongs to another
   loop, the subscription needs a loop too (BELAY_ENOHOME). */
BELAY_EXPORT belay_op *belay_op_window_time(belay_scheduler *scheduler, double seconds,
                                            size_t count);
/* Sends a window (belay_op_window()) for each value of `openings` (taken over). The window lasts
   until the signal that `closing` returns for that value (given away; NULL: it failed) sends a
   value. Several windows may be open at once. A completion of `openings`, or of such a signal,
   changes nothing alone. An error of any of them, and a failure of `closing`, ends the windows and
   the signal. Otherwise windows end as those of belay_op_window() do. RxJS's bufferToggle is this,
   followed by belay_op_flat_map() with belay_op_collect(). 1024 windows may be open;
   belay_signal_set_queue() changes that. The end of a window looks for it among the open ones. */
BELAY_EXPORT belay_op *belay_op_window_toggle(belay_signal *openings, belay_flat_map_fn closing,
                                              void *ctx, belay_free_fn ctx_free);
/* Sends windows (belay_op_window()) that follow each other. One begins at the subscription, and one
   with each value of `notifier` (taken over), which ends the one before. The subscription to the
   source comes first. The completion of `notifier` changes nothing; its error ends the window and
   the signal. Otherwise windows end as those of belay_op_window() do. (RxJS's window.) */
BELAY_EXPORT belay_op *belay_op_window_by(belay_signal *notifier);
/* Sends an array of the values that came, also when it is empty, with each value of `notifier`
   (taken over) and at the completion. The subscription to the source comes first. The completion of
   `notifier` changes nothing; its error ends the signal. An error drops what has been collected.
   Keeps the values of an array, without a bound. (RxJS's buffer.) */
BELAY_EXPORT belay_op *belay_op_buffer_by(belay_signal *notifier);
/* Sends a signal, called a group, for each key that `key` returns. The group
   (belay_value_get_signal()) has the values with that key; belay_signal_key() returns its key.
   belay_value_equal() compares keys. A group is sent before its first value, so that a subscription
   made at once gets that value. It ends as a window (belay_op_window()) does, and with a failure of
   `key`. All groups are kept until then. There may be 1024 of them;
   belay_signal_set_queue() changes that. One more ends them and the signal with BELAY_EAGAIN. */
BELAY_EXPORT belay_op *belay_op_group_by(belay_map_fn key, void *ctx, belay_free_fn ctx_free);
/* Groups values as belay_op_group_by() does, and forgets a group early. Before a group is sent,
   `until` is called with it (belay_value_get_signal()). The group completes when the signal that
   `until` returns (given away; NULL: it failed) sends a value or completes. The next value with its
   key begins another group. An error of that signal ends all groups and the signal. A key is
   compared with those of the open groups, one by one. Both callbacks get `ctx`. (RxJS's groupBy
   with a duration.) */
BELAY_EXPORT belay_op *belay_op_group_by_until(belay_map_fn key, belay_flat_map_fn until, void *ctx,
                                               belay_free_fn ctx_free);
/* Returns the key of a group, borrowed from the group; null for any other signal. */
BELAY_EXPORT BELAY_BORROWS belay_value belay_signal_key(belay_signal *group);

/* Sends the events as values (belay_event), then completes, also after an error. */
BELAY_EXPORT belay_op *belay_op_materialize(void);
/* Turns the values of belay_op_materialize() into events again. Drops values after an end. Any
   other value is BELAY_EKIND. */
BELAY_EXPORT belay_op *belay_op_dematerialize(void);

/* Sends [seconds value]: the time on the scheduler's clock at which the value came. Retains
   `scheduler`. */
BELAY_EXPORT belay_op *belay_op_timestamp(belay_scheduler *scheduler);
/* Sends [seconds value]: the time since the value before it; for the first value, since the
   subscription. Retains `scheduler`. */
BELAY_EXPORT belay_op *belay_op_time_interval(belay_scheduler *scheduler);

/* Makes an operator out of a function from signal to signal. `make` runs once, when the operator is
   applied, and the operator's signal is the one that `make` returns. If `make` fails, the chain is
   NULL. `ctx_free` runs after `make`, or when the operator is released. (lift, compose
   elsewhere.) */
BELAY_EXPORT belay_op *belay_op_compose(belay_compose_fn make, void *ctx, belay_free_fn ctx_free);

/* ---- frames of bytes, or of strings, however these were cut ----
   A frame of a string is a string, unless it is not UTF-8. A frame of more than `limit` bytes is
   the error BELAY_EMSGSIZE; `limit` may be BELAY_UNLIMITED. Another kind of value is BELAY_EKIND.
   Bytes of a stream or a file count in their frames as they did before (stream.h). While frames of
   `read_high` bytes are held, the operator cuts no more: one chunk may have more frames than a
   queue behind it takes. The rest comes before any end. It is lost when the home closes. */

/* Sends the lines without their ends, LF or CR LF. The last one needs no end; a CR at its end goes,
   too. */
BELAY_EXPORT belay_op *belay_op_lines(size_t limit);
/* Sends what is between the delimiters: the `size` bytes at `delimiter`, which are copied; 1 to
   1024 of them. The rest after the last one is sent unless it is empty. */
BELAY_EXPORT belay_op *belay_op_frames_delimited(const void *delimiter, size_t size, size_t limit);
/* Sends frames of `size` bytes. The last one may be shorter. */
BELAY_EXPORT belay_op *belay_op_frames_fixed(size_t size);
/* Sends frames that have their length in front, without it: an unsigned number of `width` bytes,
   which is 1, 2, 4 or 8, with the highest first unless `little_endian` is 1. An end inside of a
   frame is the error BELAY_EPROTO. */
BELAY_EXPORT belay_op *belay_op_frames_prefixed(unsigned width, size_t limit, int little_endian);
/* Sends strings instead of bytes, one for each value. A character that is cut is put together with
   the next value. Bytes that are not UTF-8 are the error BELAY_EILSEQ. */
BELAY_EXPORT belay_op *belay_op_utf8(void);

BELAY_END

#endif
