/* A page of the web as a signal: GET by HTTP/1.1, on libuv.
 *
 * Each subscription has a connection of its own, from subscribing to its end; a disposal, an
 * owner's death or the loop's close closes it. It has to be subscribed to on the thread of `loop`,
 * and at home there; elsewhere it ends with BELAY_EWRONGTHREAD.
 *
 * Errors carry libuv's codes: UV_EPROTO for an answer that is none, UV_EOF for one that is cut,
 * UV_EMSGSIZE for one that is too long, BELAY_ETIMEDOUT. A status like 404 is no error.
 */
#ifndef FETCH_FETCH_H
#define FETCH_FETCH_H

#include <belay/belay.h>

#include "http_head.h"

/* NULL, or zeroes, for the defaults. */
typedef struct fetch_options {
  double timeout; /* seconds without a byte of the answer; 0: 30 */
  size_t limit;   /* of the body, in bytes; 0: 64 MiB */
} fetch_options;

/* The head (a struct `http_head`), then the body in pieces (bytes) as they come, then completed.
   `loop` is kept, the rest copied. NULL, and belay_last_error(), when the URL is none. */
belay_signal *fetch_events(belay_loop *loop, const char *url, const fetch_options *options);

/* All of the response as one value, then completed; nothing is sent of one that fails halfway, so
   that it may be tried again: belay_op_retry_backoff() is for that. */
belay_signal *fetch(belay_loop *loop, const char *url, const fetch_options *options);

/* The parts of what fetch() sends. 0, or BELAY_EKIND for another value. The body lives as long as
   the response. */
int fetch_response_head(belay_value response, http_head *head);
int fetch_response_body(belay_value response, belay_view *body);

#endif
