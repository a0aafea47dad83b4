/* What the lines of a client mean. */
#ifndef RELAY_COMMANDS_H
#define RELAY_COMMANDS_H

#include "client.h"

/* Does what a line says: a command that begins with "/", or text for the room. Refuses a line that
   is no plain text. */
void command_run(client *client, belay_view line);

#endif
