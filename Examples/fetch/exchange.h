/* A TCP connection that sends one request and reads the answer, as a signal. */
#ifndef FETCH_EXCHANGE_H
#define FETCH_EXCHANGE_H

#include <belay/belay.h>

typedef struct question {
  belay_loop *loop;
  const char *peer;    /* stands in the messages of errors */
  const char *request; /* the whole request */
  size_t limit;        /* of the body, in bytes */
} question;

/* Connects to the first of `addresses` (an array of `address`) that answers; sends an http_head,
   then the body in bytes as they come, and completes. Sends null each time that something comes,
   before what is complete by then. A disposal closes the connection. Keeps
   `addresses`; `question` has to live as long as the signal and its subscriptions. */
belay_signal *exchange(const question *question, belay_value addresses);

#endif
