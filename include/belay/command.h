/* Commands: actions that run once at a time, and may be disabled. */
#ifndef BELAY_COMMAND_H
#define BELAY_COMMAND_H

#include "base.h"
#include "operator.h"
#include "signal.h"
#include "value.h"

typedef struct belay_command belay_command;

/* Makes the signal of an execution, which is given away; `input` is borrowed. NULL: it failed, with
   belay_fail()'s error, else BELAY_EINVAL. */
typedef belay_signal *(*belay_command_fn)(void *ctx, belay_value input);

BELAY_BEGIN

/* A command, at home where it is made. `enabled` (taken over, may be NULL) sends booleans: whether
   it may be executed while it is not executing; until the first, it may. `ctx_free` runs when the
   command has gone, also when this fails. */
BELAY_EXPORT belay_command *belay_command_create(belay_command_fn execute, void *ctx,
                                                 belay_free_fn ctx_free, belay_signal *enabled);
BELAY_EXPORT belay_command *belay_command_retain(belay_command *command);
/* Gives a reference back. An execution goes on to its end, and then the command's signals
   complete. */
BELAY_EXPORT void belay_command_release(belay_command *command);

/* Begins an execution with `input` (taken over, always). Gives a signal of all it sends, also to
   who comes later; released, the execution goes on. The execution is over before its end is sent.
   NULL on failure: BELAY_EBUSY while it executes or is not enabled, BELAY_EWRONGTHREAD away from
   its home, and `execute`'s error. */
BELAY_EXPORT belay_signal *belay_command_execute(belay_command *command, belay_value input);

/* Each gives a signal, to be released. Booleans: now, and whenever it changes. */
BELAY_EXPORT belay_signal *belay_command_executing(belay_command *command);
BELAY_EXPORT belay_signal *belay_command_enabled(belay_command *command);
/* The values of all executions; their errors, as values. */
BELAY_EXPORT belay_signal *belay_command_values(belay_command *command);
BELAY_EXPORT belay_signal *belay_command_errors(belay_command *command);

BELAY_END

#endif
