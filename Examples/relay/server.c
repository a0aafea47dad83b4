/* connections -> clients
 * an interval -> a line of statistics
 * SIGINT and SIGTERM -> the goodbyes, then the end
 */
#include "server.h"

#include <signal.h>
#include <stdlib.h>

#include "log.h"

static belay_observer observer(server *self, const char *label) {
  return (belay_observer){.size = sizeof(belay_observer),
                          .ctx = self,
                          .label = label,
                          .site = BELAY_HERE,
                          .loop = self->loop,
                          .owner = self->owner};
}

/* Subscribes to `signal`, which it takes over. */
static int listen_to(belay_signal *signal, const belay_observer *observer,
                     belay_disposable **disposable) {
  int rc = belay_signal_subscribe(signal, observer, disposable);
  belay_signal_release(signal);
  return rc;
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
  return listen_to(belay_listener_connections(self->listener), &accept, &self->connections);
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
  return listen_to(
      belay_signal_interval(belay_loop_get_scheduler(self->loop), self->options->stats), &each,
      &self->reports);
}

/* ---- the end ---- */

static void end_if_empty(server *self) {
  if (!self->is_stopping || self->clients) return;
  belay_disposable_dispose(self->requests);
}

void server_lost_client(server *self) { end_if_empty(self); }

/* The first request lets the clients read what waits for them. The second one does not. */
static void stop(void *ctx, belay_value value) {
  (void)value;
  server *self = ctx;
  bool is_first = !self->is_stopping;
  self->is_stopping = true;
  if (is_first) {
    log_line("stopping with %u clients", self->stats.clients);
    belay_listener_close(self->listener);
    belay_disposable_dispose(self->connections);
    belay_disposable_dispose(self->reports);
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
  return listen_to(belay_signal_merge(reasons, 2), &stopping, &self->requests);
}

/* ---- life ---- */

static void server_deinit(void *object) {
  server *self = object;
  belay_disposable_release(self->connections);
  belay_disposable_release(self->reports);
  belay_disposable_release(self->requests);
  belay_listener_release(self->listener);
}

belay_owner *server_start(belay_loop *loop, const options *options) {
  server *self = calloc(1, sizeof *self);
  if (!self) return NULL;
  self->options = options;
  self->loop = loop;
  self->owner = belay_owner_create(
      self, server_deinit, free,
      &(belay_owner_options){
          .size = sizeof(belay_owner_options), .label = "server", .site = BELAY_HERE});
  if (!self->owner) {
    free(self);
    return NULL;
  }
  int rc = accept_clients(self);
  if (rc >= 0) rc = report_statistics(self);
  if (rc >= 0) rc = await_requests(self);
  if (rc < 0) {
    belay_owner_release(self->owner);
    return NULL;
  }
  log_line("listening at %s", belay_listener_address(self->listener));
  return self->owner;
}
