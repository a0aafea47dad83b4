/* Commands: actions that run once at a time, and may be disabled. (ReactiveObjC's RACCommand,
   ReactiveSwift's Action.) */
#ifndef BELAY_COMMAND_H
#define BELAY_COMMAND_H

#include "base.h"
#include "operator.h"
#include "signal.h"
#include "value.h"

typedef struct belay_command belay_command;

/* Makes the signal of an execution, which is given away. `input` is borrowed. NULL is a failure:
   the error of belay_fail(), else BELAY_EINVAL. An execution that waits for an end of the command's
   own signals has none, because those end after the last execution. */
typedef belay_signal *(*belay_command_fn)(void *ctx, belay_value input);

BELAY_BEGIN

/* Creates a command at home on this thread. `enabled` (taken over, may be NULL) sends bools:
   whether the command may be executed while it is not executing. Until the first bool, it may.
   `ctx_free` runs when the command has gone, also when this fails. Release the result. */
BELAY_EXPORT belay_command *belay_command_create(BELAY_TAKES belay_signal *enabled,
                                                 belay_command_fn execute, void *ctx,
                                                 belay_free_fn ctx_free);
/* Adds a reference to `command` and returns `command`. */
BELAY_EXPORT belay_command *belay_command_retain(belay_command *command);
/* Gives a reference back. At the last release, an execution continues to its end; the command's
   signals complete after that. */
BELAY_EXPORT void belay_command_release(belay_command *command);

/* Begins an execution with `input` (taken over, always). Returns a signal of the events of this
   execution; a later subscription first gets its last 1024 values. Releasing the signal does not
   end the execution. The execution is over before its end is sent. NULL: BELAY_EBUSY while the
   command is executing or is not enabled; BELAY_EWRONGTHREAD away from its home; the error of
   `execute`. */
BELAY_EXPORT belay_signal *belay_command_execute(belay_command *command, belay_value input);

/* Each returns a signal of bools: the present one, and each change. At a home without a loop, what
   `enabled` sends on another thread is told when belay_command_enabled() is called at home. Release
   the result. */
BELAY_EXPORT belay_signal *belay_command_executing(belay_command *command);
BELAY_EXPORT belay_signal *belay_command_enabled(belay_command *command);
/* Each returns a signal: the values of all executions, and their errors as values. Release the
   result. */
BELAY_EXPORT belay_signal *belay_command_values(belay_command *command);
BELAY_EXPORT belay_signal *belay_command_errors(belay_command *command);

BELAY_END

#endif
