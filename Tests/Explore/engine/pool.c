/* A pool in the place of libuv's own. Its thread is one of the scenario's or, while nothing is
   explored, the loop's. A result comes back by a handle, which keeps the loop alive meanwhile. */
#include <errno.h>
#include <stdlib.h>
#include <uv.h>

#include "engine.h"

typedef struct piece {
  uv_async_t back;
  uv_work_t *request;
  uv_work_cb work;
  uv_after_work_cb after;
  int status;
  struct piece *next;
} piece;

static piece *first, **last = &first;

/* Orders what one thread did to a piece of work before what another one does to it. */
static void knows(piece *it, belay_explore_kind kind, belay_explore_order order) {
  order_step(&(belay_explore_step){.kind = kind, .order = order, .word = &it->status});
}

static void let(uv_handle_t *back) { free(back->data); }

static void comes_back(uv_async_t *back) {
  piece *it = back->data;
  knows(it, belay_explore_load, belay_explore_acquiring);
  if (it->work && it->status == 0) it->work(it->request);
  it->after(it->request, it->status);
  uv_close((uv_handle_t *)back, let);
}

int uv_queue_work(uv_loop_t *loop, uv_work_t *request, uv_work_cb work, uv_after_work_cb after) {
  piece *it = calloc(1, sizeof *it);
  if (!it) abort();
  *it = (piece){.request = request, .work = work, .after = after};
  int code = uv_async_init(loop, &it->back, comes_back);
  it->back.data = it;
  if (code != 0) abort();
  if (!isExploring) return uv_async_send(&it->back);
  *last = it;
  last = &it->next;
  return 0;
}

static piece *take(piece **place) {
  piece *it = *place;
  *place = it->next;
  if (!*place) last = place;
  return it;
}

int uv_cancel(uv_req_t *request) {
  for (piece **place = &first; *place; place = &(*place)->next) {
    if ((void *)(*place)->request != (void *)request) continue;
    piece *it = take(place);
    it->status = UV_ECANCELED;
    return uv_async_send(&it->back);
  }
  return UV_EBUSY;
}

static bool has_work(const void *flag) { return first || *(const volatile int *)flag; }

void explore_pool(const int *flag) {
  while (explore_wait(has_work, flag), first) {
    piece *it = take(&first);
    uv_work_cb work = it->work;
    it->work = NULL;
    work(it->request);
    knows(it, belay_explore_store, belay_explore_releasing);
    explore_point();
    uv_async_send(&it->back);
  }
}
