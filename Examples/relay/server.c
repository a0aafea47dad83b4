/* connections -> clients
 * an interval -> goodbyes to those who are idle
 * an interval -> a line of statistics
 * SIGINT and SIGTERM -> the goodbyes, then the end
 */
#include "server.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "log.h"

static belay_observer observer(server *self, const char *label) {
  return (belay_observer){.size = sizeof(belay_observer),
                          .ctx = self,
                          .label = label,
                          .site = BELAY_HERE,
                          .loop = self->loop,
                          .owner = self->owner};
}

/* Subscribes to `signal`, which it takes over, until it is asked to stop. */
static int work_on(server *self, belay_signal *signal, const belay_observer *observer) {
  belay_disposable *subscription = NULL;
  int rc = belay_signal_subscribe(signal, observer, &subscription);
  belay_compound_add(self->work, subscription, NULL);
  belay_disposable_release(subscription);
  belay_signal_release(signal);
  return rc;
}

static belay_signal *every(server *self, double seconds) {
  return belay_signal_interval(belay_loop_get_scheduler(self->loop), seconds);
}

/* ---- connections ---- */

static void connected(void *ctx, belay_value value) {
  client_start(ctx, belay_value_get_stream(value));
}

static int accept_clients(server *self) {
  const options *options = self->options;
  self->listener = belay_tcp_listen(
      self->loop, options->host, options->port,
      &(belay_stream_options){
          .size = sizeof(belay_stream_options), .write_high = options->queue, .nodelay = 1});
  if (!self->listener) return -1;
  belay_observer accept = observer(self, "connections");
  accept.next = connected;
  return work_on(self, belay_listener_connections(self->listener), &accept);
}

/* ---- idle clients ---- */

/* A timer of its own for each client (belay_op_timeout()) would be exact, and would take a quarter
   of the memory of a silent client. */
#define SWEEPS 8 /* in the time that a client may be silent */

static client *find_idle(const server *self) {
  double limit = belay_loop_now(self->loop) - self->options->idle;
  client *client = self->clients;
  while (client && (client->is_leaving || client->heard > limit)) client = client->next;
  return client;
}

/* A goodbye is told to a room, and may end others who do not read. So it looks from the beginning.
 */
static void sweep(void *ctx, belay_value value) {
  (void)value;
  server *self = ctx;
  for (client *client; (client = find_idle(self));) {
    self->stats.idle++;
    client_bid_goodbye(client, "idle");
  }
}

static int sweep_idle(server *self) {
  if (self->options->idle == 0) return 0;
  belay_observer each = observer(self, "idle");
  each.next = sweep;
  return work_on(self, every(self, self->options->idle / SWEEPS), &each);
}

/* ---- statistics ---- */

static void report(void *ctx, belay_value value) {
  (void)value;
  char line[256];
  stats_describe(&((server *)ctx)->stats, line, sizeof line);
  log_line("%s", line);
}

static int report_statistics(server *self) {
  if (self->options->stats == 0) return 0;
  belay_observer each = observer(self, "statistics");
  each.next = report;
  return work_on(self, every(self, self->options->stats), &each);
}

/* ---- the end ---- */

static void end_if_empty(server *self) {
  if (!self->is_stopping || self->clients) return;
  belay_disposable_dispose(self->requests);
}

bool server_has_client(const server *self, const char *name) {
  const client *client = self->clients;
  while (client && strcmp(client->name, name) != 0) client = client->next;
  return client != NULL;
}

void server_lost_client(server *self) { end_if_empty(self); }

/* The first request lets the system take what waits for the clients. The second one does not. */
static void stop(void *ctx, belay_value value) {
  (void)value;
  server *self = ctx;
  bool is_first = !self->is_stopping;
  self->is_stopping = true;
  if (is_first) {
    log_line("stopping with %u clients", self->stats.clients);
    belay_listener_close(self->listener);
    belay_disposable_dispose(self->work);
  }
  for (client *client = self->clients, *next; client; client = next) {
    next = client->next;
    if (is_first) client_bid_goodbye(client, "the server stops");
    else client_drop(client, "not waited for");
  }
  end_if_empty(self);
}

static int await_requests(server *self) {
  belay_signal *reasons[] = {belay_posix_signal(self->loop, SIGINT),
                             belay_posix_signal(self->loop, SIGTERM)};
  belay_observer stopping = observer(self, "stop");
  stopping.next = stop;
  belay_signal *signal = belay_signal_merge(reasons, 2);
  int rc = belay_signal_subscribe(signal, &stopping, &self->requests);
  belay_signal_release(signal);
  return rc;
}

/* ---- life ---- */

static void server_deinit(void *object) {
  server *self = object;
  self->is_stopping = true;
  while (self->clients) client_drop(self->clients, "the server ends");
  belay_disposable_release(self->work);
  belay_disposable_release(self->requests);
  belay_listener_release(self->listener);
}

belay_owner *server_start(belay_loop *loop, const options *options) {
  server *self = calloc(1, sizeof *self);
  if (!self) return NULL;
  self->options = options;
  self->loop = loop;
  self->work = belay_compound_create();
  self->owner = belay_owner_create(
      self, server_deinit, free,
      &(belay_owner_options){
          .size = sizeof(belay_owner_options), .label = "server", .site = BELAY_HERE});
  if (!self->owner) {
    belay_disposable_release(self->work);
    free(self);
    return NULL;
  }
  int rc = accept_clients(self);
  if (rc >= 0) rc = sweep_idle(self);
  if (rc >= 0) rc = report_statistics(self);
  if (rc >= 0) rc = await_requests(self);
  if (rc < 0) {
    belay_owner_release(self->owner);
    return NULL;
  }
  log_line("listening at %s", belay_listener_address(self->listener));
  return self->owner;
}
