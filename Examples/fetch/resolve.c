#include "resolve.h"

#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include "failure.h"

/* What every subscription reads. */
typedef struct recipe {
  belay_loop *loop;
  char port[8];
  char host[];
} recipe;

/* One subscription. libuv holds it until its callback has run, and the subscription until it has
   ended. The later of the two frees it. */
typedef struct lookup {
  uv_getaddrinfo_t request;
  belay_subscriber *subscriber;
  const recipe *recipe; /* NULL once the subscription has ended */
  int holders;
} lookup;

static void let_go(lookup *lookup) {
  if (--lookup->holders > 0) return;
  belay_subscriber_release(lookup->subscriber);
  free(lookup);
}

static belay_value to_array(const struct addrinfo *list) {
  belay_value found[16];
  size_t count = 0;
  for (; list && count < sizeof found / sizeof *found; list = list->ai_next) {
    address copy;
    if (list->ai_addrlen > sizeof copy) continue;
    memset(&copy, 0, sizeof copy);
    memcpy(&copy, list->ai_addr, list->ai_addrlen);
    found[count++] = BELAY_STRUCT(address, &copy);
  }
  return belay_array_of(found, count);
}

static void answered(uv_getaddrinfo_t *request, int status, struct addrinfo *list) {
  lookup *lookup = request->data;
  if (lookup->recipe && status < 0) {
    send_failure(lookup->subscriber, status, lookup->recipe->host, uv_strerror(status));
  } else if (lookup->recipe) {
    belay_subscriber_next(lookup->subscriber, to_array(list));
    belay_subscriber_completed(lookup->subscriber);
  }
  uv_freeaddrinfo(list);
  let_go(lookup);
}

/* A request that is being answered already cannot be cancelled any more; its answer is dropped. */
static void leave(void *ctx) {
  lookup *lookup = ctx;
  lookup->recipe = NULL;
  uv_cancel((uv_req_t *)&lookup->request);
  let_go(lookup);
}

static belay_disposable *look_up(void *ctx, belay_subscriber *subscriber) {
  const recipe *recipe = ctx;
  if (!is_on_loop(subscriber, recipe->loop, recipe->host)) return NULL;
  lookup *lookup = calloc(1, sizeof *lookup);
  int rc = UV_ENOMEM;
  if (lookup) {
    lookup->request.data = lookup;
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_NUMERICSERV};
    rc = uv_getaddrinfo(belay_loop_uv(recipe->loop), &lookup->request, answered, recipe->host,
                        recipe->port, &hints);
  }
  if (rc < 0) {
    free(lookup);
    send_failure(subscriber, rc, recipe->host, uv_strerror(rc));
    return NULL;
  }
  lookup->subscriber = belay_subscriber_retain(subscriber);
  lookup->recipe = recipe;
  lookup->holders = 2;
  return belay_disposable_create(leave, lookup, NULL);
}

static void free_recipe(void *ctx) {
  recipe *recipe = ctx;
  belay_loop_release(recipe->loop);
  free(recipe);
}

/* An address is known without asking anybody. */
static belay_signal *known(const char *host, const char *port) {
  address found;
  memset(&found, 0, sizeof found);
  if (uv_ip4_addr(host, atoi(port), (struct sockaddr_in *)&found) < 0 &&
      uv_ip6_addr(host, atoi(port), (struct sockaddr_in6 *)&found) < 0)
    return NULL;
  belay_value value = BELAY_STRUCT(address, &found);
  return belay_signal_just(belay_array_of(&value, 1));
}

belay_signal *resolve(belay_loop *loop, const char *host, const char *port) {
  belay_signal *at_once = known(host, port);
  if (at_once) return at_once;
  size_t size = strlen(host) + 1;
  recipe *recipe = calloc(1, sizeof *recipe + size);
  if (!recipe) {
    belay_fail(UV_ENOMEM, NULL);
    return NULL;
  }
  recipe->loop = belay_loop_retain(loop);
  memcpy(recipe->host, host, size);
  strncpy(recipe->port, port, sizeof recipe->port - 1);
  return belay_signal_create(
      look_up, recipe, free_recipe,
      &(belay_source_options){
          .size = sizeof(belay_source_options), .label = "resolve", .site = BELAY_HERE});
}
