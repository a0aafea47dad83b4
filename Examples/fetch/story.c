#include "story.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fetch.h"
#include "pages.h"
#include "process.h"

#define REQUESTS 50
#define BOUND (REQUESTS / 2)
#define GLOBAL (REQUESTS - BOUND)
/* So many global requests are answered at once. The server holds the others until the page has
   gone. */
#define QUICK 5

typedef struct story story;

/* What became of the requests of one lifetime. Each is answered, failed or called off, and each is
   disposed and freed. */
typedef struct lifetime {
  story *story;
  unsigned answered, failed, disposed, freed;
} lifetime;

struct story {
  belay_loop *loop;
  belay_owner *page; /* NULL once the page has gone */
  lifetime bound, global;
  unsigned answered_after; /* after the page had gone */
  struct {
    unsigned requests, at_once, finished, early;
  } seen; /* counted by the server */
  bool has_failed;
};

static void fail(story *it, const char *what, const belay_error *error) {
  fprintf(stderr, "fetch: %s: %s\n", what, error ? belay_error_message(error) : "failed");
  it->has_failed = true;
}

/* ---- the page ---- */

static void close_page(void *object) {
  const story *it = object;
  printf("the page closes; of its %u requests %u have been called off, %u were answered\n",
         BOUND, it->bound.disposed, it->bound.answered);
}

static void leave_page(story *it) {
  belay_owner *page = it->page;
  it->page = NULL;
  belay_owner_release(page);
}

/* ---- requests ---- */

static bool is_right(belay_value response) {
  http_head head;
  belay_view body;
  return fetch_response_head(response, &head) == 0 && head.status == 200 &&
         fetch_response_body(response, &body) == 0 && body.size == strlen(PAGE_TEXT) &&
         memcmp(body.data, PAGE_TEXT, body.size) == 0;
}

static void answered(void *ctx, belay_value response) {
  lifetime *lifetime = ctx;
  story *it = lifetime->story;
  if (!is_right(response)) fail(it, "an answer is wrong", NULL);
  lifetime->answered++;
  if (!it->page) {
    it->answered_after++;
  } else if (it->global.answered == QUICK) {
    printf("%d are answered, and the page goes\n", QUICK);
    leave_page(it);
  }
}
static void failed(void *ctx, const belay_error *error) {
  lifetime *lifetime = ctx;
  lifetime->failed++;
  fail(lifetime->story, "a request", error);
}
static void disposed(void *ctx) { ((lifetime *)ctx)->disposed++; }
static void freed(void *ctx) { ((lifetime *)ctx)->freed++; }

/* Nobody keeps the subscription's handle: it ends with its answer or, if there is an owner, with
   the owner. */
static void request(story *it, unsigned port, const char *path, belay_owner *owner) {
  char url[64];
  snprintf(url, sizeof url, "http://127.0.0.1:%u%s", port, path);
  belay_signal *response = fetch(it->loop, url, NULL);
  belay_observer observer = {.size = sizeof observer,
                             .next = answered,
                             .error = failed,
                             .disposed = disposed,
                             .ctx = owner ? &it->bound : &it->global,
                             .ctx_free = freed,
                             .label = owner ? "bound" : "global",
                             .owner = owner, .site = BELAY_HERE};
  int rc = belay_signal_subscribe(response, &observer, NULL);
  if (rc < 0) fail(it, url, belay_last_error());
  belay_signal_release(response);
}

static void request_all(story *it, unsigned port) {
  for (int i = 0; i < REQUESTS; i++) {
    if (i % 2)
      request(it, port, "/held", it->page);
    else
      request(it, port, i / 2 < QUICK ? "/quick" : "/slow", NULL);
  }
  printf("%d requests are under way, %d of them bound to a page\n", REQUESTS, BOUND);
}

/* ---- the server ---- */

static void server_said(void *ctx, belay_value line) {
  story *it = ctx;
  belay_view text = {"", 0};
  unsigned port;
  belay_value_get_string(line, &text);
  if (sscanf(text.data, "port %u", &port) == 1)
    request_all(it, port);
  else if (sscanf(text.data, "%u requests, %u at once, %u finished, %u closed early",
                  &it->seen.requests, &it->seen.at_once, &it->seen.finished,
                  &it->seen.early) != 4)
    fail(it, text.data, NULL);
}
static void server_failed(void *ctx, const belay_error *error) { fail(ctx, "the server", error); }

static void start_server(story *it, const char *program) {
  char count[16];
  snprintf(count, sizeof count, "%d", REQUESTS);
  belay_signal *lines =
      process_lines(it->loop, (const char *const[]){program, "--serve", count, NULL});
  int rc = belay_signal_subscribe(lines,
                                  &(belay_observer){.size = sizeof(belay_observer),
                                                    .next = server_said,
                                                    .error = server_failed,
                                                    .ctx = it,
                                                    .label = "server",
                                                    .site = BELAY_HERE},
                                  NULL);
  if (rc < 0) fail(it, program, belay_last_error());
  belay_signal_release(lines);
}

/* ---- the account ---- */

static void expect(story *it, const char *what, unsigned wanted, unsigned found) {
  if (wanted == found) return;
  fprintf(stderr, "fetch: %s: %u, not %u\n", what, found, wanted);
  it->has_failed = true;
}

static void give_account(story *it) {
  printf("of the %d others %u were answered, %u of them after that\n", GLOBAL,
         it->global.answered, it->answered_after);
  printf("the server saw %u requests, %u at once: %u finished, %u closed early\n",
         it->seen.requests, it->seen.at_once, it->seen.finished, it->seen.early);

  expect(it, "bound, answered", 0, it->bound.answered);
  expect(it, "bound, failed", 0, it->bound.failed);
  expect(it, "bound, disposed", BOUND, it->bound.disposed);
  expect(it, "bound, freed", BOUND, it->bound.freed);
  expect(it, "global, answered", GLOBAL, it->global.answered);
  expect(it, "global, failed", 0, it->global.failed);
  expect(it, "global, disposed", GLOBAL, it->global.disposed);
  expect(it, "global, freed", GLOBAL, it->global.freed);
  expect(it, "answered after the page had gone", GLOBAL - QUICK, it->answered_after);
  expect(it, "the server's requests", REQUESTS, it->seen.requests);
  expect(it, "at once", REQUESTS, it->seen.at_once);
  expect(it, "finished", GLOBAL, it->seen.finished);
  expect(it, "closed early", BOUND, it->seen.early);
}

int story_run(uv_loop_t *uv, belay_loop *loop, const char *program) {
  story it = {.loop = loop};
  it.bound.story = it.global.story = &it;
  it.page = belay_owner_create(&it, close_page, NULL, NULL);
  start_server(&it, program);
  uv_run(uv, UV_RUN_DEFAULT);
  if (it.page) leave_page(&it); /* the story did not get that far */
  give_account(&it);
  return it.has_failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
