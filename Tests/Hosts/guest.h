/* Belay as a guest of a host's loop, which drives it by its one descriptor and knows no timeout.
   The guest has one kind of work after the other, each alone, so that no wake-up hides that another
   one is missing: all at once, a timer, a post from a thread, and a callback that runs the host's
   loop once more. */
#ifndef GUEST_H
#define GUEST_H

#include <belay/belay.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct guest guest;

/* What a host gives its guest. */
typedef struct host_loop {
  void *ctx;
  /* Runs the loop inside of a callback until `leave`. NULL: this host cannot. */
  void (*enter)(void *ctx);
  /* Makes the innermost run return soon. */
  void (*leave)(void *ctx);
} host_loop;

/* Makes a loop and begins. It ends the program with a report when nothing happens for a time that
   is never reached. */
guest *guest_begin(const host_loop *host);
/* The descriptor, and the loop behind it. */
int guest_fd(guest *guest);
belay_loop *guest_loop(guest *guest);
/* The host's callback for the descriptor: one turn, and a look at what it has left undone. After
   the last work it leaves the host's loop. */
void guest_turn(guest *guest);
/* Closes the loop; the exit code of the program. */
int guest_end(guest *guest);

#ifdef __cplusplus
}
#endif

#endif
