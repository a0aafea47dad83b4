#include "server.h"

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include "pages.h"

#define TICK_MS 2
#define LIMIT_MS (30 * 1000)

typedef struct client client;

typedef struct server {
  uv_loop_t loop;
  uv_tcp_t listener;
  uv_timer_t tick, limit;
  uv_signal_t terminated;
  client *clients;
  unsigned expected, requests, open, most, held, finished, early, flaky;
  bool has_failed;
} server;

struct client {
  uv_tcp_t tcp; /* its data is the server */
  struct client *next, **link; /* in the server's list, until it is closed */
  const page *page; /* NULL until the request has come */
  bool has_begun;
  size_t step; /* the next chunk, or byte */
  size_t size;
  char request[4096];
};

typedef struct message {
  uv_write_t request;
  bool is_last;
  char bytes[512];
} message;

/* ---- the end ---- */

static void free_client(uv_handle_t *handle) {
  client *it = (client *)handle;
  *it->link = it->next;
  if (it->next) it->next->link = it->link;
  free(it);
}

static void close_handle(uv_handle_t *handle, void *ctx) {
  server *it = ctx;
  bool is_client = handle->type == UV_TCP && handle != (uv_handle_t *)&it->listener;
  if (!uv_is_closing(handle)) uv_close(handle, is_client ? free_client : NULL);
}
static void stop(server *it) { uv_walk(&it->loop, close_handle, it); }

static void over(client *client, bool is_finished) {
  server *it = client->tcp.data;
  if (uv_is_closing((uv_handle_t *)&client->tcp)) return;
  uv_close((uv_handle_t *)&client->tcp, free_client);
  if (!client->page) return;
  it->open--;
  if (client->page->manner == NEVER) it->held--;
  if (is_finished)
    it->finished++;
  else
    it->early++;
  if (it->finished + it->early == it->expected) stop(it);
}

static void gave_up(uv_timer_t *timer) {
  server *it = timer->data;
  fputs("server: they do not come to an end\n", stderr);
  it->has_failed = true;
  stop(it);
}
static void terminated(uv_signal_t *signal, int number) {
  (void)number;
  stop(signal->data);
}

/* ---- answers ---- */

static void written(uv_write_t *request, int status) {
  message *message = request->data;
  if (status < 0 || message->is_last) over((client *)request->handle, status == 0);
  free(message);
}

/* Copies as much of it as there is room for. */
static void send_bytes(client *client, const char *bytes, size_t size, bool is_last) {
  message *message = malloc(sizeof *message);
  if (!message) abort();
  if (size > sizeof message->bytes) size = sizeof message->bytes;
  memcpy(message->bytes, bytes, size);
  uv_buf_t buffer = uv_buf_init(message->bytes, (unsigned)size);
  message->is_last = is_last;
  message->request.data = message;
  if (uv_write(&message->request, (uv_stream_t *)&client->tcp, &buffer, 1, written) == 0) return;
  free(message);
  over(client, false);
}

static void send_chunk(client *client) {
  char text[128];
  const char *chunk = chunks[client->step++];
  int size = snprintf(text, sizeof text, "%zx;number=%zu\r\n%s\r\n", strlen(chunk), client->step,
                      chunk);
  send_bytes(client, text, (size_t)size, client->step == CHUNKS);
}

static void begin(client *client) {
  server *it = client->tcp.data;
  manner manner = client->page->manner;
  client->has_begun = true;
  if (manner == AT_THE_THIRD_TIME && it->flaky++ < 2)
    over(client, true);
  else if (manner != BYTE_BY_BYTE)
    send_bytes(client, client->page->opening, strlen(client->page->opening),
               manner == AT_ONCE || manner == AT_THE_THIRD_TIME);
}

/* A client that is closed meanwhile stays in the list until libuv has closed it. */
static void begin_waiting(server *it) {
  for (client *client = it->clients; client; client = client->next)
    if (client->page && !client->has_begun && !uv_is_closing((uv_handle_t *)&client->tcp))
      begin(client);
}

static void go_on(client *client) {
  const server *it = client->tcp.data;
  const page *page = client->page;
  if (!client->has_begun) return;
  if (page->manner == BYTE_BY_BYTE && page->opening[client->step]) {
    const char *byte = page->opening + client->step++;
    send_bytes(client, byte, 1, byte[1] == 0);
  } else if (page->manner == SLOWLY && client->step < CHUNKS) {
    if (client->step + 1 < CHUNKS || it->held == 0) send_chunk(client);
  }
}
static void ticked(uv_timer_t *timer) {
  server *it = timer->data;
  for (client *client = it->clients; client; client = client->next)
    if (!uv_is_closing((uv_handle_t *)&client->tcp)) go_on(client);
}

/* ---- requests ---- */

static void asked(client *client) {
  server *it = client->tcp.data;
  client->page = find_page(client->request);
  it->requests++;
  if (++it->open > it->most) it->most = it->open;
  if (client->page->manner == NEVER) it->held++;
  if (it->requests >= it->expected) begin_waiting(it);
}

static void lend_buffer(uv_handle_t *handle, size_t suggested, uv_buf_t *buffer) {
  client *it = (client *)handle;
  (void)suggested;
  *buffer = uv_buf_init(it->request + it->size, (unsigned)(sizeof it->request - it->size - 1));
}

/* After its request a client only says that it has gone. */
static void received(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
  client *it = (client *)stream;
  (void)buffer;
  if (count < 0) {
    over(it, false);
  } else if (!it->page) {
    it->size += (size_t)count;
    it->request[it->size] = 0;
    if (strstr(it->request, "\r\n\r\n")) asked(it);
  }
}

static void came(uv_stream_t *listener, int status) {
  server *it = listener->data;
  client *client = status < 0 ? NULL : calloc(1, sizeof *client);
  if (!client) return;
  uv_tcp_init(&it->loop, &client->tcp);
  uv_tcp_nodelay(&client->tcp, 1);
  client->tcp.data = it;
  client->next = it->clients;
  client->link = &it->clients;
  if (client->next) client->next->link = &client->next;
  it->clients = client;
  if (uv_accept(listener, (uv_stream_t *)&client->tcp) < 0 ||
      uv_read_start((uv_stream_t *)&client->tcp, lend_buffer, received) < 0)
    over(client, false);
}

/* ---- the process ---- */

static int listen_somewhere(server *it) {
  struct sockaddr_in address;
  int size = sizeof address;
  uv_ip4_addr("127.0.0.1", 0, &address);
  int rc = uv_tcp_bind(&it->listener, (const struct sockaddr *)&address, 0);
  if (rc >= 0) rc = uv_listen((uv_stream_t *)&it->listener, 256, came);
  if (rc >= 0) rc = uv_tcp_getsockname(&it->listener, (struct sockaddr *)&address, &size);
  if (rc >= 0) printf("port %d\n", ntohs(address.sin_port));
  return rc;
}

static int start(server *it) {
  uv_tcp_init(&it->loop, &it->listener);
  uv_timer_init(&it->loop, &it->tick);
  uv_timer_init(&it->loop, &it->limit);
  uv_signal_init(&it->loop, &it->terminated);
  it->listener.data = it->tick.data = it->limit.data = it->terminated.data = it;
  int rc = uv_timer_start(&it->tick, ticked, TICK_MS, TICK_MS);
  if (rc >= 0 && it->expected > 0) rc = uv_timer_start(&it->limit, gave_up, LIMIT_MS, 0);
  if (rc >= 0) rc = uv_signal_start(&it->terminated, terminated, SIGTERM);
  return rc < 0 ? rc : listen_somewhere(it);
}

int serve(unsigned expected) {
  static server it;
  it.expected = expected;
  setvbuf(stdout, NULL, _IOLBF, 0);
  if (uv_loop_init(&it.loop) < 0) return EXIT_FAILURE;
  int rc = start(&it);
  if (rc < 0) {
    fprintf(stderr, "server: %s\n", uv_strerror(rc));
    stop(&it);
  }
  uv_run(&it.loop, UV_RUN_DEFAULT);
  uv_loop_close(&it.loop);
  printf("%u requests, %u at once, %u finished, %u closed early\n", it.requests, it.most,
         it.finished, it.early);
  return rc < 0 || it.has_failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
