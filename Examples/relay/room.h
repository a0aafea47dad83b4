/* A room: a subject whose values are the lines that its members get. */
#ifndef RELAY_ROOM_H
#define RELAY_ROOM_H

#include <belay/belay.h>

#include "names.h"

typedef struct server server;

typedef struct room {
  struct room *next;
  belay_signal *lines; /* bytes, with their line ends */
  unsigned members;
  char name[NAME_SIZE];
} room;

/* Finds or makes a room, with one member more. NULL when it cannot be made. */
room *room_enter(server *server, const char *name);
/* Takes the member away again. The room goes with the last one. */
void room_leave(server *server, room *room);

#endif
