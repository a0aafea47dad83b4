/* Ways to say that something cannot go on. */
#ifndef FETCH_FAILURE_H
#define FETCH_FAILURE_H

#include <belay/belay.h>
#include <stdbool.h>

/* An error of `code`, with "SUBJECT: PROBLEM" as its message. If `problem` is NULL, the code's own
   text stands in its place. Release it. */
belay_error *make_failure(int code, const char *subject, const char *problem);

/* Ends the subscription with such an error. */
void send_failure(belay_subscriber *subscriber, int code, const char *subject,
                  const char *problem);

/* The callbacks of a producer are libuv's, so it has to run on the loop that it makes handles
   on. On another loop it ends the subscription and answers false. */
bool is_on_loop(belay_subscriber *subscriber, belay_loop *loop, const char *subject);

#endif
