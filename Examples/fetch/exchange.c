#include "exchange.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include "failure.h"
#include "http_parser.h"
#include "resolve.h"

typedef struct recipe {
  const question *question;
  belay_value addresses;
} recipe;

/* One subscription: from the producer's call until its handle is closed. Only the subscription's
   end closes the handle for good, and each failure ends the subscription, so there is one way out:
   leave(), then closed(). */
typedef struct connection {
  uv_tcp_t tcp;
  uv_connect_t connecting;
  uv_write_t writing;
  bool is_open; /* libuv has the handle */
  bool has_ended;
  belay_subscriber *subscriber;
  const recipe *recipe; /* may be gone once it has ended */
  size_t tried;         /* which of the addresses */
  size_t taken;         /* how much of the body */
  http_parser parser;
  char input[16384];
} connection;

static void connect_next(connection *it);

static void fail(connection *it, int code, const char *problem) {
  if (!it->has_ended) send_failure(it->subscriber, code, it->recipe->question->peer, problem);
}

/* ---- the end ---- */

static void destroy(connection *it) {
  belay_subscriber_release(it->subscriber);
  free(it);
}

static void closed(uv_handle_t *handle) {
  connection *it = handle->data;
  it->is_open = false;
  if (it->has_ended)
    destroy(it);
  else
    connect_next(it);
}

static void leave(void *ctx) {
  connection *it = ctx;
  it->has_ended = true;
  if (!it->is_open)
    destroy(it);
  else if (!uv_is_closing((uv_handle_t *)&it->tcp))
    uv_close((uv_handle_t *)&it->tcp, closed);
}

/* ---- the answer ---- */

static void lend_buffer(uv_handle_t *handle, size_t suggested, uv_buf_t *buffer) {
  connection *it = handle->data;
  (void)suggested;
  *buffer = uv_buf_init(it->input, sizeof it->input);
}

static void send_value(connection *it, belay_value value) {
  int rc = belay_subscriber_next(it->subscriber, value);
  if (rc < 0) fail(it, rc, NULL);
}

static void send_body(connection *it, http_span piece) {
  if (piece.size > it->recipe->question->limit - it->taken) {
    fail(it, UV_EMSGSIZE, "the answer is longer than allowed");
    return;
  }
  it->taken += piece.size;
  send_value(it, belay_bytes(piece.data, piece.size));
}

/* A callback of one of these may dispose, so `has_ended` is looked at after each. */
static void take(connection *it, http_span input) {
  http_span piece;
  while (!it->has_ended) switch (http_parser_next(&it->parser, &input, &piece)) {
      case HTTP_MORE: return;
      case HTTP_HEAD: send_value(it, BELAY_STRUCT(http_head, &it->parser.head)); break;
      case HTTP_BODY: send_body(it, piece); break;
      case HTTP_END: belay_subscriber_completed(it->subscriber); return;
      default: fail(it, UV_EPROTO, it->parser.problem); return;
    }
}

static void received(uv_stream_t *stream, ssize_t count, const uv_buf_t *buffer) {
  connection *it = stream->data;
  if (count > 0) {
    send_value(it, belay_null());
    take(it, (http_span){buffer->base, (size_t)count});
  } else if (count < 0 && count != UV_EOF) {
    fail(it, (int)count, uv_strerror((int)count));
  } else if (count == UV_EOF && http_parser_close(&it->parser) == HTTP_END) {
    belay_subscriber_completed(it->subscriber);
  } else if (count == UV_EOF) {
    fail(it, UV_EOF, it->parser.problem);
  }
}

/* ---- the question ---- */

static void written(uv_write_t *request, int status) {
  connection *it = request->data;
  if (status < 0) fail(it, status, uv_strerror(status));
}

static int ask(connection *it) {
  uv_stream_t *stream = (uv_stream_t *)&it->tcp;
  const char *text = it->recipe->question->request;
  uv_buf_t buffer = uv_buf_init((char *)text, (unsigned)strlen(text)); /* libuv only reads it */
  it->writing.data = it;
  int rc = uv_read_start(stream, lend_buffer, received);
  return rc < 0 ? rc : uv_write(&it->writing, stream, &buffer, 1, written);
}

static void connect_failed(connection *it, int code) {
  if (it->has_ended) return;
  if (it->tried < belay_value_count(it->recipe->addresses))
    uv_close((uv_handle_t *)&it->tcp, closed); /* a socket can connect only once */
  else
    fail(it, code, uv_strerror(code));
}

static void connected(uv_connect_t *request, int status) {
  connection *it = request->data;
  if (it->has_ended) return;
  if (status < 0) {
    connect_failed(it, status);
    return;
  }
  int rc = ask(it);
  if (rc < 0) fail(it, rc, uv_strerror(rc));
}

static void connect_next(connection *it) {
  belay_value item;
  address where;
  int rc = belay_value_get_item(it->recipe->addresses, it->tried++, &item);
  if (rc >= 0) rc = BELAY_VALUE_GET_STRUCT(item, address, &where);
  if (rc >= 0) rc = uv_tcp_init(belay_loop_uv(it->recipe->question->loop), &it->tcp);
  if (rc < 0) {
    fail(it, rc, NULL); /* the last line, for `it` may be gone now */
    return;
  }
  it->is_open = true;
  it->tcp.data = it->connecting.data = it;
  rc = uv_tcp_connect(&it->connecting, &it->tcp, (const struct sockaddr *)&where, connected);
  if (rc < 0) connect_failed(it, rc);
}

/* ---- the signal ---- */

static belay_disposable *begin(void *ctx, belay_subscriber *subscriber) {
  const recipe *recipe = ctx;
  const char *peer = recipe->question->peer;
  if (!is_on_loop(subscriber, recipe->question->loop, peer)) return NULL;
  connection *it = calloc(1, sizeof *it);
  if (!it) {
    send_failure(subscriber, UV_ENOMEM, peer, NULL);
    return NULL;
  }
  it->recipe = recipe;
  it->subscriber = belay_subscriber_retain(subscriber);
  connect_next(it);
  return belay_disposable_create(leave, it, NULL);
}

static void free_recipe(void *ctx) {
  recipe *recipe = ctx;
  belay_value_release(recipe->addresses);
  free(recipe);
}

belay_signal *exchange(const question *question, belay_value addresses) {
  recipe *recipe = malloc(sizeof *recipe);
  if (!recipe) {
    belay_fail(UV_ENOMEM, NULL);
    return NULL;
  }
  recipe->question = question;
  recipe->addresses = belay_value_retain(addresses);
  return belay_signal_create(
      begin, recipe, free_recipe,
      &(belay_source_options){
          .size = sizeof(belay_source_options), .label = "exchange", .site = BELAY_HERE});
}
