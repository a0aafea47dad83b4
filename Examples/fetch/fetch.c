#include "fetch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include "exchange.h"
#include "failure.h"
#include "resolve.h"
#include "url.h"

#define DEFAULT_TIMEOUT 30.0
#define DEFAULT_LIMIT ((size_t)64 << 20)

/* Every subscription reads it, and none changes it. */
typedef struct recipe {
  question question;
  char peer[sizeof((url *)NULL)->authority];
  char request[sizeof(url) + 128];
} recipe;

static void free_recipe(void *ctx) {
  recipe *recipe = ctx;
  belay_loop_release(recipe->question.loop);
  free(recipe);
}

static recipe *make_recipe(belay_loop *loop, const url *url, const fetch_options *options) {
  recipe *it = malloc(sizeof *it);
  if (!it) {
    belay_fail(UV_ENOMEM, NULL);
    return NULL;
  }
  memcpy(it->peer, url->authority, sizeof it->peer);
  snprintf(it->request, sizeof it->request,
           "GET %s HTTP/1.1\r\nHost: %s\r\nUser-Agent: belay-fetch\r\nAccept: */*\r\n"
           "Connection: close\r\n\r\n",
           url->target, url->authority);
  it->question = (question){.loop = belay_loop_retain(loop),
                            .peer = it->peer,
                            .request = it->request,
                            .limit = options->limit ? options->limit : DEFAULT_LIMIT};
  return it;
}

static belay_signal *ask(void *ctx, belay_value addresses) {
  return exchange(&((recipe *)ctx)->question, addresses);
}

static belay_signal *silence(const recipe *recipe) {
  belay_error *error = make_failure(BELAY_ETIMEDOUT, recipe->peer, NULL);
  belay_signal *signal = belay_signal_error(error);
  belay_error_release(error);
  return signal;
}

belay_signal *fetch_events(belay_loop *loop, const char *text, const fetch_options *options) {
  static const fetch_options defaults;
  url url;
  if (!options) options = &defaults;
  if (url_parse(&url, text) < 0) return NULL;
  recipe *recipe = make_recipe(loop, &url, options);
  if (!recipe) return NULL;
  belay_signal *timed_out = silence(recipe);
  return belay_signal_chain(
      resolve(loop, url.host, url.port),
      belay_op_flat_map(BELAY_UNLIMITED, ask, recipe, free_recipe),
      belay_op_timeout(belay_loop_get_scheduler(loop),
                       options->timeout ? options->timeout : DEFAULT_TIMEOUT, timed_out),
      belay_op_ignore(belay_null()));
}

/* ---- all in one ---- */

/* [head, piece, piece, …] becomes [head, body]. */
static belay_value assemble(void *ctx, belay_value events) {
  belay_value parts[2], item;
  belay_view piece;
  size_t count = belay_value_count(events), size = 0;
  (void)ctx;
  if (belay_value_get_item(events, 0, &parts[0]) < 0)
    return belay_value_failure(UV_EPROTO, "an answer without a head");

  for (size_t i = 1; i < count; i++)
    if (belay_value_get_item(events, i, &item) == 0 && belay_value_get_bytes(item, &piece) == 0)
      size += piece.size;
  char *body = malloc(size + 1);
  if (!body) return belay_value_failure(UV_ENOMEM, NULL);
  char *end = body;
  for (size_t i = 1; i < count; i++)
    if (belay_value_get_item(events, i, &item) == 0 && belay_value_get_bytes(item, &piece) == 0) {
      memcpy(end, piece.data, piece.size);
      end += piece.size;
    }
  belay_value_retain(parts[0]);
  parts[1] = belay_bytes(body, size);
  free(body);
  return belay_array_of(parts, 2);
}

belay_signal *fetch(belay_loop *loop, const char *url, const fetch_options *options) {
  return belay_signal_chain(fetch_events(loop, url, options), belay_op_collect(),
                            belay_op_map(assemble, NULL, NULL));
}

int fetch_response_head(belay_value response, http_head *head) {
  belay_value part;
  if (belay_value_get_item(response, 0, &part) < 0) return BELAY_EKIND;
  return BELAY_VALUE_GET_STRUCT(part, http_head, head);
}

int fetch_response_body(belay_value response, belay_view *body) {
  belay_value part;
  if (belay_value_get_item(response, 1, &part) < 0) return BELAY_EKIND;
  return belay_value_get_bytes(part, body);
}
