/* A client: an owner, to which all subscriptions of its connection are bound. */
#ifndef RELAY_CLIENT_H
#define RELAY_CLIENT_H

#include <belay/belay.h>
#include <stdbool.h>

#include "bucket.h"
#include "names.h"
#include "room.h"

#define LINE_LIMIT 1024
#define REFUSALS_LIMIT 200 /* so many lines in a row that come too fast are no accident */

typedef struct client {
  struct client *next, **link; /* in the server's list */
  server *server;
  belay_owner *owner; /* NULL when it has been dropped */
  belay_stream *stream;
  room *room; /* NULL: in none */
  belay_disposable *membership;
  double heard; /* when it said something, or came */
  bucket bucket;
  unsigned refused; /* lines since the last one that was taken */
  bool is_leaving;
  char name[NAME_SIZE];
} client;

/* Takes a connection in. Retains `stream`. */
void client_start(server *server, belay_stream *stream);

/* Each sends one line. A client that leaves more unread than the server allows is dropped. */
void client_tell(client *client, const char *format, ...) __attribute__((format(printf, 2, 3)));
void client_tell_room(client *client, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Each leaves the room that the client is in, and tells those who stay. */
void client_join(client *client, const char *name);
void client_leave_room(client *client);

/* Says why it has to go, and waits until the system has taken that for it, but no longer than the
   server allows. */
void client_bid_goodbye(client *client, const char *reason);
/* Ends the connection at once. Frees `client` when none of its callbacks is running any more. */
void client_drop(client *client, const char *reason);

#endif
