/* Drawings: runs as marble diagrams, as text and as SVG. For tests, and to look at a run. The
 * functions are in libbelay-testing: see testing.h.
 *
 *   belay_drawing *d = belay_drawing_create(0.001);
 *   belay_signal *keys = belay_drawing_record(d, scheduler, typed, "keys");
 *   belay_drawing_box(d, "debounce 20ms");
 *   belay_signal *calm = belay_drawing_record(
 *       d, scheduler, belay_signal_chain(keys, belay_op_debounce(scheduler, 0.020)), "calm");
 *
 * A drawing has rows, from top to bottom: lines of values and an end, below each line the spans in
 * which it was subscribed to, and boxes. All rows share one axis of time, in frames. A pause of
 * more than 30 frames is drawn as 30, and a mark that takes more room moves everything after it. As
 * text:
 *
 *   1ms   0 2  5 6
 *   keys  --a--b-|
 *         ^------!
 *
 * The notation is that of marbles.h. A label stands in {braces} unless it is one letter,
 * digit or character outside of ASCII.
 *
 * A drawing keeps all of its marks. Labels are UTF-8 (else BELAY_EILSEQ); they are copied and cut
 * to 32 characters; control characters become `?`. NULL is the empty label. Any thread may call
 * every function.
 */
#ifndef BELAY_DRAWING_H
#define BELAY_DRAWING_H

#include "base.h"
#include "scheduler.h"
#include "signal.h"

typedef struct belay_drawing belay_drawing;

typedef enum belay_mark {
  BELAY_MARK_NEXT = 0,
  BELAY_MARK_ERROR, /* the label is a message */
  BELAY_MARK_COMPLETED,
  BELAY_MARK_SUBSCRIBED,
  BELAY_MARK_UNSUBSCRIBED
} belay_mark;

BELAY_BEGIN

/* Creates a drawing with frames of `frame` seconds. Release the result. NULL: BELAY_EINVAL for less
   than a nanosecond. */
BELAY_EXPORT belay_drawing *belay_drawing_create(double frame);
/* Adds a reference to `drawing` and returns `drawing`. */
BELAY_EXPORT belay_drawing *belay_drawing_retain(belay_drawing *drawing);
/* Gives a reference back. */
BELAY_EXPORT void belay_drawing_release(belay_drawing *drawing);

/* Begins a line. Returns 0 or BELAY_EILSEQ. */
BELAY_EXPORT int belay_drawing_row(belay_drawing *drawing, const char *name);
/* Adds a mark to the line that was begun last, `seconds` (not negative) after the beginning. A mark
   that is earlier than the last one of the line is drawn at the same time as that one. Returns 0;
   BELAY_ENOENT when there is no line; BELAY_EINVAL for a negative time, NaN, or an unknown mark;
   BELAY_EILSEQ. */
BELAY_EXPORT int belay_drawing_mark(belay_drawing *drawing, belay_mark mark, double seconds,
                                    const char *label);
/* Adds a box with the name of an operator. */
BELAY_EXPORT int belay_drawing_box(belay_drawing *drawing, const char *text);

/* Adds a line from a diagram of marbles.h, whose frames are milliseconds. It may have `^` and `!`
   among its events, which are drawn below the line. Returns 0; BELAY_EINVAL for a malformed
   diagram, and nothing is added. */
BELAY_EXPORT int belay_drawing_diagram(belay_drawing *drawing, const char *name,
                                       const char *diagram);
/* Gives the letter or digit `mark` a label in the diagrams that are added later. */
BELAY_EXPORT int belay_drawing_define(belay_drawing *drawing, char mark, const char *label);

/* Begins a line called `name` and returns the same signal (taken over, also on failure). Its
   subscriptions are drawn there: values in the form of belay_value_describe(), ends, and the spans.
   Each subscription after the first gets another line below. Times are those of `scheduler`, which
   has to be the same for a whole drawing; time 0 is the first call of this. The signal retains the
   drawing and the scheduler. Release the result. */
BELAY_EXPORT belay_signal *belay_drawing_record(belay_drawing *drawing,
                                                belay_scheduler *scheduler,
                                                BELAY_TAKES belay_signal *signal,
                                                const char *name);

/* Writes the drawing, cut to `size` bytes including its NUL (`buffer` may be NULL). Returns the
   length of the whole drawing. */
BELAY_EXPORT size_t belay_drawing_text(belay_drawing *drawing, char *buffer, size_t size);
/* Does the same as SVG, self-contained. */
BELAY_EXPORT size_t belay_drawing_svg(belay_drawing *drawing, char *buffer, size_t size);

BELAY_END

#endif
