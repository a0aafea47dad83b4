/* Drawings: runs as marbles, as text and as SVG. For tests, and for looking at what happened. In
 * libbelay-testing: see testing.h.
 *
 *   belay_drawing *d = belay_drawing_create(0.001);
 *   belay_signal *keys = belay_drawing_record(d, typed, "keys", scheduler);
 *   belay_drawing_box(d, "debounce 20ms");
 *   belay_signal *calm = belay_drawing_record(
 *       d, belay_signal_chain(keys, belay_op_debounce(scheduler, 0.020)), "calm", scheduler);
 *
 * A drawing is rows, from top to bottom: lines of values and an end, below each the spans in which
 * it was subscribed to, and boxes. All have one axis of time, in frames; a silence of more than 30
 * frames is drawn as 30, and what takes more room moves all that follows. As text:
 *
 *   1ms   0 2  5 6
 *   keys  --a--b-|
 *         ^------!
 *
 * The notation is that of marbles.h, with {labels} that are not one letter or digit in braces.
 *
 * It keeps every mark that it is told of. Labels are UTF-8 (else BELAY_EILSEQ), are copied, and are
 * cut to 32 characters; control characters become `?`. NULL is the empty label. Any thread.
 */
#ifndef BELAY_DRAWING_H
#define BELAY_DRAWING_H

#include "base.h"
#include "scheduler.h"
#include "signal.h"

typedef struct belay_drawing belay_drawing;

typedef enum belay_mark {
  BELAY_MARK_NEXT = 0,
  BELAY_MARK_ERROR, /* its label is a message */
  BELAY_MARK_COMPLETED,
  BELAY_MARK_SUBSCRIBED,
  BELAY_MARK_UNSUBSCRIBED
} belay_mark;

BELAY_BEGIN

/* A drawing whose frames are `frame` seconds, at least a nanosecond: else BELAY_EINVAL. */
BELAY_EXPORT belay_drawing *belay_drawing_create(double frame);
BELAY_EXPORT belay_drawing *belay_drawing_retain(belay_drawing *drawing);
BELAY_EXPORT void belay_drawing_release(belay_drawing *drawing);

/* Begins a line. */
BELAY_EXPORT int belay_drawing_row(belay_drawing *drawing, const char *name);
/* Adds a mark to the line that was begun last, `seconds` (not negative) after the beginning; what
   is earlier than the line's last one is drawn with it. BELAY_ENOENT without a line. */
BELAY_EXPORT int belay_drawing_mark(belay_drawing *drawing, belay_mark mark, double seconds,
                                    const char *label);
/* A box with an operator's name. */
BELAY_EXPORT int belay_drawing_box(belay_drawing *drawing, const char *text);

/* A line that a diagram of marbles.h tells, whose frames are milliseconds. BELAY_EINVAL for a
   malformed one. */
BELAY_EXPORT int belay_drawing_diagram(belay_drawing *drawing, const char *name,
                                       const char *diagram);
/* Gives the letter or digit `mark` of the diagrams that follow a label. */
BELAY_EXPORT int belay_drawing_define(belay_drawing *drawing, char mark, const char *label);

/* Begins a line and gives the same signal (taken over, also on failure), whose subscriptions are
   drawn there: values as belay_value_describe() tells them, ends, and the spans; each subscription
   after the first as one more line under it. The time is that of `scheduler`, the same for a whole
   drawing, and begins with the first call of this. The signal keeps the drawing and the
   scheduler. */
BELAY_EXPORT belay_signal *belay_drawing_record(belay_drawing *drawing, belay_signal *signal,
                                                const char *name, belay_scheduler *scheduler);

/* Writes the drawing, cut to `size` bytes with its NUL (`buffer` may be NULL); returns the length
   of the whole. */
BELAY_EXPORT size_t belay_drawing_text(belay_drawing *drawing, char *buffer, size_t size);
/* The same as SVG, self-contained. */
BELAY_EXPORT size_t belay_drawing_svg(belay_drawing *drawing, char *buffer, size_t size);

BELAY_END

#endif
