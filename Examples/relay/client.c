/* bytes | lines -> commands
 * a room's lines -> bytes
 */
#include "client.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "log.h"
#include "server.h"


static belay_observer observer(client *self, const char *label) {
  return (belay_observer){.size = sizeof(belay_observer),
                          .ctx = self,
                          .label = label,
                          .site = BELAY_HERE,
                          .owner = self->owner};
}

/* ---- the end ---- */

static void client_deinit(void *object) {
  client *self = object;
  server *server = self->server;
  *self->link = self->next;
  if (self->next) self->next->link = self->link;
  server->stats.clients--;
  if (self->room) room_leave(server, self->room);
  belay_disposable_release(self->membership);
  belay_stream_close(self->stream);
  belay_stream_release(self->stream);
  server_lost_client(server);
}

void client_drop(client *self, const char *reason) {
  belay_owner *owner = self->owner;
  if (!owner) return;
  log_line("%s %s: gone, %s", self->name, belay_stream_peer_address(self->stream), reason);
  self->owner = NULL;
  client_leave_room(self);
  belay_owner_release(owner);
}

static void sent_all(void *ctx) { client_drop(ctx, "said goodbye"); }
static void not_sent_all(void *ctx, const belay_error *error) {
  client_drop(ctx, belay_error_message(error));
}

static void drain(client *self) {
  self->is_leaving = true;
  belay_stream_shutdown(self->stream);
  belay_signal *drained =
      belay_signal_chain(belay_stream_drained(self->stream, 0),
                         belay_op_timeout(belay_loop_get_scheduler(self->server->loop),
                                          self->server->options->grace, NULL));
  belay_observer end = observer(self, "goodbye");
  end.completed = sent_all;
  end.error = not_sent_all;
  belay_signal_subscribe(drained, &end, NULL);
  belay_signal_release(drained);
}

void client_bid_goodbye(client *self, const char *reason) {
  if (self->is_leaving || !self->owner) return;
  belay_owner *owner = belay_owner_retain(self->owner); /* telling it may drop it */
  client_leave_room(self);
  client_tell(self, "* goodbye: %s", reason);
  if (self->owner) drain(self);
  belay_owner_release(owner);
}

/* ---- what it gets ---- */

/* Sends a line that many may get: each has a reference, and none has a copy. */
static void send_line(client *self, belay_value line) {
  if (self->is_leaving || !self->owner) {
    belay_value_release(line);
    return;
  }
  int rc = belay_stream_write(self->stream, line);
  if (rc >= 0) {
    self->server->stats.sent++;
  } else if (rc == BELAY_EAGAIN) {
    self->server->stats.slow++;
    client_drop(self, "reads too slowly");
  } else {
    client_drop(self, belay_error_text(rc));
  }
}

static belay_value format_line(const char *format, va_list arguments) {
  char text[LINE_LIMIT + 2 * NAME_SIZE];
  int size = vsnprintf(text, sizeof text - 1, format, arguments);
  if (size > (int)sizeof text - 2) size = sizeof text - 2;
  text[size] = '\n';
  return belay_bytes(text, (size_t)size + 1);
}

void client_tell(client *self, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  belay_value line = format_line(format, arguments);
  va_end(arguments);
  send_line(self, line);
}

void client_tell_room(client *self, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  belay_value line = format_line(format, arguments);
  va_end(arguments);
  belay_subject_next(self->room->lines, line);
}

/* ---- rooms ---- */

static void heard(void *ctx, belay_value line) { send_line(ctx, belay_value_retain(line)); }

/* When the server stops, everybody leaves, and nobody needs to hear it. */
void client_leave_room(client *self) {
  if (!self->room) return;
  belay_disposable_dispose(self->membership);
  belay_disposable_release(self->membership);
  self->membership = NULL;
  if (!self->server->is_stopping) client_tell_room(self, "* %s left", self->name);
  room_leave(self->server, self->room);
  self->room = NULL;
}

void client_join(client *self, const char *name) {
  client_leave_room(self);
  room *room = room_enter(self->server, name);
  if (!room) {
    client_tell(self, "! no room");
    return;
  }
  self->room = room;
  belay_observer member = observer(self, "member");
  member.next = heard;
  belay_signal_subscribe(room->lines, &member, &self->membership);
  client_tell_room(self, "* %s joined %s", self->name, name);
}

/* ---- what it says ---- */

static void refuse(client *self) {
  self->server->stats.refused++;
  if (self->refused++ == 0) client_tell(self, "! too fast: lines are dropped");
  if (self->refused == REFUSALS_LIMIT) client_bid_goodbye(self, "too many lines");
}

static void said(void *ctx, belay_value value) {
  client *self = ctx;
  server *server = self->server;
  belay_view line;
  if (self->is_leaving || belay_value_get_bytes(value, &line) < 0) return;
  server->stats.received++;
  self->heard = belay_loop_now(server->loop);
  if (bucket_take(&self->bucket, server->options->rate, self->heard)) {
    self->refused = 0;
    command_run(self, line);
  } else {
    refuse(self);
  }
}

/* A client that has closed its side for writing gets what waits for it. */
static void fell_silent(void *ctx) { client_bid_goodbye(ctx, "you have ended"); }

static void failed(void *ctx, const belay_error *error) {
  client *self = ctx;
  int code = belay_error_code(error);
  if (code == BELAY_EMSGSIZE) client_bid_goodbye(self, "a line is too long");
  else client_drop(self, belay_error_text(code));
}

static int listen_to_lines(client *self) {
  belay_signal *lines =
      belay_signal_chain(belay_stream_read(self->stream), belay_op_lines(LINE_LIMIT));
  belay_observer each = observer(self, "lines");
  each.next = said;
  each.completed = fell_silent;
  each.error = failed;
  int rc = belay_signal_subscribe(lines, &each, NULL);
  belay_signal_release(lines);
  return rc;
}

/* ---- the beginning ---- */

void client_start(server *server, belay_stream *stream) {
  client *self = calloc(1, sizeof *self);
  if (!self) return;
  self->owner = belay_owner_create(
      self, client_deinit, free,
      &(belay_owner_options){
          .size = sizeof(belay_owner_options), .label = "client", .site = BELAY_HERE});
  if (!self->owner) {
    free(self);
    return;
  }
  self->server = server;
  self->stream = belay_stream_retain(stream);
  self->heard = belay_loop_now(server->loop);
  self->bucket.time = -1e9; /* full, at any rate of use */
  do snprintf(self->name, sizeof self->name, "guest%u", ++server->numbers);
  while (server_has_client(server, self->name));
  self->next = server->clients;
  self->link = &server->clients;
  if (self->next) self->next->link = &self->next;
  server->clients = self;
  server->stats.clients++;
  server->stats.connections++;

  log_line("%s %s: connected", self->name, belay_stream_peer_address(stream));
  belay_owner *owner = belay_owner_retain(self->owner); /* telling it may drop it */
  client_tell(self, "* hello %s", self->name);
  if (self->owner && listen_to_lines(self) < 0) client_drop(self, "cannot be heard");
  belay_owner_release(owner);
}
