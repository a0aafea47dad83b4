/* How a producer says that it cannot go on. */
#ifndef FETCH_FAILURE_H
#define FETCH_FAILURE_H

#include <belay/belay.h>
#include <stdbool.h>

/* Ends the subscription with an error: `code`, and "SUBJECT: PROBLEM" for its message. A `problem`
   that is NULL is the code's own text. */
void send_failure(belay_subscriber *subscriber, int code, const char *subject,
                  const char *problem);

/* A producer's callbacks are libuv's, so it has to run on the loop whose handles it makes. False,
   and the subscription has ended, on another one. */
bool is_on_loop(belay_subscriber *subscriber, belay_loop *loop, const char *subject);

#endif
