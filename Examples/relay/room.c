#include "room.h"

#include <stdlib.h>
#include <string.h>

#include "server.h"

static room *room_create(server *server, const char *name) {
  room *room = calloc(1, sizeof *room);
  if (!room) return NULL;
  room->lines = belay_subject_create(&(belay_source_options){
      .size = sizeof(belay_source_options), .label = "room", .site = BELAY_HERE});
  if (!room->lines) {
    free(room);
    return NULL;
  }
  strcpy(room->name, name);
  room->next = server->rooms;
  server->rooms = room;
  server->stats.rooms++;
  return room;
}

room *room_enter(server *server, const char *name) {
  room *room = server->rooms;
  while (room && strcmp(room->name, name) != 0) room = room->next;
  if (!room) room = room_create(server, name);
  if (room) room->members++;
  return room;
}

void room_leave(server *server, room *gone) {
  if (--gone->members > 0) return;
  room **link = &server->rooms;
  while (*link != gone) link = &(*link)->next;
  *link = gone->next;
  server->stats.rooms--;
  belay_signal_release(gone->lines);
  free(gone);
}
