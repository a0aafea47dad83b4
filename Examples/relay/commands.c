#include "commands.h"

#include <stdio.h>
#include <string.h>

#include "server.h"
#include "text.h"

static void say(client *self, const char *text) {
  if (self->room) client_tell_room(self, "%s: %s", self->name, text);
  else client_tell(self, "! join a room first: /join ROOM");
}

static void change_name(client *self, const char *name) {
  if (!name_is_valid(name)) {
    client_tell(self, "! not a name: %s", name);
    return;
  }
  if (server_has_client(self->server, name)) {
    client_tell(self, "! there is a %s", name);
    return;
  }
  if (self->room) client_tell_room(self, "* %s is now %s", self->name, name);
  else client_tell(self, "* you are now %s", name);
  strcpy(self->name, name);
}

static void join(client *self, const char *name) {
  if (name_is_valid(name)) client_join(self, name);
  else client_tell(self, "! not a room: %s", name);
}

static void leave(client *self, const char *unused) {
  (void)unused;
  if (self->room) {
    client_tell(self, "* you left %s", self->room->name);
    client_leave_room(self);
  } else {
    client_tell(self, "! you are in no room");
  }
}

static void list_rooms(client *self, const char *unused) {
  (void)unused;
  /* A client that is told too much is dropped, and its room may go with it. */
  for (const room *room = self->server->rooms, *next; self->owner && room; room = next) {
    next = room->next;
    client_tell(self, "* %s: %u", room->name, room->members);
  }
  client_tell(self, "* %u rooms", self->server->stats.rooms);
}

static void list_members(client *self, const char *unused) {
  (void)unused;
  if (!self->room) {
    client_tell(self, "! you are in no room");
    return;
  }
  for (const client *other = self->server->clients, *next; self->owner && other; other = next) {
    next = other->next;
    if (other->room == self->room) client_tell(self, "* %s", other->name);
  }
}

static void tell_statistics(client *self, const char *unused) {
  (void)unused;
  char line[256];
  stats_describe(&self->server->stats, line, sizeof line);
  client_tell(self, "* %s", line);
}

static void quit(client *self, const char *unused) {
  (void)unused;
  client_bid_goodbye(self, "as you like");
}

static const struct {
  const char *name;
  void (*run)(client *self, const char *argument);
} commands[] = {{"/join", join},        {"/leave", leave}, {"/nick", change_name},
                {"/rooms", list_rooms}, {"/say", say},     {"/stats", tell_statistics},
                {"/who", list_members}, {"/quit", quit}};

void command_run(client *self, belay_view line) {
  char text[LINE_LIMIT + 1];
  if (line.size == 0 || line.size >= sizeof text) return;
  if (!text_is_plain(line)) {
    client_tell(self, "! not UTF-8, or with control characters");
    return;
  }
  memcpy(text, line.data, line.size);
  text[line.size] = 0;
  if (*text != '/') {
    say(self, text);
    return;
  }
  char *space = strchr(text, ' ');
  if (space) *space = 0;
  const char *argument = space ? space + 1 : "";
  for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
    if (strcmp(commands[i].name, text) == 0) {
      commands[i].run(self, argument);
      return;
    }
  client_tell(self, "! no such command: %s", text);
}
