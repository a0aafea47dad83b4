/* The server: an owner, as each of its clients is. */
#ifndef RELAY_SERVER_H
#define RELAY_SERVER_H

#include <belay/belay.h>
#include <stdbool.h>

#include "client.h"
#include "options.h"
#include "room.h"
#include "stats.h"

struct server {
  const options *options;
  belay_loop *loop;
  belay_owner *owner;
  belay_listener *listener;
  belay_disposable *work;     /* the subscriptions that end when it is asked to stop */
  belay_disposable *requests; /* that to SIGINT and SIGTERM, which ends with the last client */
  client *clients;
  room *rooms;
  stats stats;
  unsigned numbers; /* how many clients have had a number for a name */
  bool is_stopping;
};

/* Starts listening; `options` must outlive the server. NULL, and belay_last_error(), on failure.
   When it has stopped, nothing keeps the loop alive any more. Release the result: that is the death
   of the server and of each client that is left. */
belay_owner *server_start(belay_loop *loop, const options *options);

/* Whether a client has that name. */
bool server_has_client(const server *server, const char *name);
/* A client has gone. */
void server_lost_client(server *server);

#endif
