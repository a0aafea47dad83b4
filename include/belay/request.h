/* Requests: sources of questions that their listeners answer. (A GObject signal with an
   accumulator, the combiner of Boost.Signals2; what SQLite's commit hook asks.) */
#ifndef BELAY_REQUEST_H
#define BELAY_REQUEST_H

#include "base.h"
#include "disposable.h"
#include "operator.h"
#include "value.h"

typedef struct belay_request belay_request;

BELAY_BEGIN

/* Creates a request at home on this thread. `accumulate` makes the next result of the one so far,
   at first `initial` (taken over, always), and an answer; both are borrowed. A value that holds an
   error (belay_value_failure()) fails the request. `ctx_free` runs when the request has gone, also
   when this fails. NULL: BELAY_EINVAL. Release the result. */
BELAY_EXPORT belay_request *belay_request_create(belay_value initial, belay_scan_fn accumulate,
                                                 void *ctx, belay_free_fn ctx_free);
/* Adds a reference to `request` and returns `request`. */
BELAY_EXPORT belay_request *belay_request_retain(belay_request *request);
/* Gives a reference back. With the last one the listeners end. */
BELAY_EXPORT void belay_request_release(belay_request *request);

/* Has `answer` called at the request's home with each question, which is borrowed, after the
   listeners that came before. Its result is given away; a value that holds an error fails the
   request. Any thread. `*disposable` (release it; may be NULL) ends the listener. `ctx_free` runs
   when the listener has ended, also when this fails. BELAY_EINVAL; BELAY_ENOHOME on another thread
   when the home has no loop; BELAY_ECANCELED when the home has closed. */
BELAY_EXPORT int belay_request_subscribe(belay_request *request, belay_map_fn answer, void *ctx,
                                         belay_free_fn ctx_free, belay_disposable **disposable);

/* Asks every listener `question` (taken over, always), in the order in which they came, and stores
   the result in `*answer` (release it); with no listener that is `initial`. A listener that comes
   meanwhile is not asked. A listener may send the same request again, as another one. At home only:
   BELAY_EWRONGTHREAD. The first failure of a listener or of `accumulate` is the answer of the call,
   and no other listener is asked (a veto with a reason). BELAY_EREENTRANT beyond 1 024 requests
   inside each other; BELAY_ECANCELED when the home has closed; BELAY_EINVAL. `*answer` is null
   then. */
BELAY_EXPORT int belay_request_send(belay_request *request, belay_value question,
                                    belay_value *answer);

BELAY_END

#endif
