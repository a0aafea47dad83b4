/* What one writes by hand in C, without threads, re-entrancy or safety: the limit. Its functions
   are in a file of their own, so that no compiler sees which callbacks they call. */
#ifndef BENCH_RAW_PARTS_H
#define BENCH_RAW_PARTS_H

#include <stddef.h>
#include <stdint.h>

#include "../bench.h"

typedef void (*raw_next_fn)(void *ctx, int64_t value);
typedef void (*raw_action_fn)(void *ctx);

/* ---- a hub: a growable array of callbacks, added and removed by index ---- */

typedef struct raw_slot {
  raw_next_fn next;
  void *ctx;
  raw_action_fn ctx_free;
} raw_slot;

typedef struct raw_hub {
  raw_slot *slots;
  size_t count, capacity;
} raw_hub;

size_t raw_hub_add(raw_hub *hub, raw_next_fn next, void *ctx, raw_action_fn ctx_free);
void raw_hub_remove(raw_hub *hub, size_t index);
void raw_hub_finish(raw_hub *hub);

/* Inline: an emission is the indirect calls and nothing else. */
static inline void raw_hub_emit(const raw_hub *hub, int64_t value) {
  for (size_t i = 0; i < hub->count; i++) hub->slots[i].next(hub->slots[i].ctx, value);
}

/* ---- a bag: a growable array of actions ---- */

typedef struct raw_hook {
  raw_action_fn action;
  void *ctx;
} raw_hook;

typedef struct raw_bag {
  raw_hook *hooks;
  size_t count, capacity;
} raw_bag;

void raw_bag_add(raw_bag *bag, raw_action_fn action, void *ctx);
void raw_bag_dispose(raw_bag *bag);

/* ---- an owner: a list of hooks, called when it dies ---- */

typedef struct raw_owner raw_owner;

raw_owner *raw_owner_create(void);
void raw_owner_add(raw_owner *owner, raw_action_fn action, void *ctx);
void raw_owner_die(raw_owner *owner);

/* ---- a cold signal: a producer that is called with a context of the heap's ---- */

typedef struct raw_observer {
  raw_next_fn next;
  raw_action_fn completed, disposed;
  void *ctx;
} raw_observer;

typedef void (*raw_producer_fn)(void *ctx, const raw_observer *observer);

void raw_cold_subscribe(raw_producer_fn producer, void *ctx, const raw_observer *observer);
/* The same with the context on the stack, where nothing could outlive the call. */
void raw_cold_subscribe_on_stack(raw_producer_fn producer, void *ctx, const raw_observer *observer);

/* ---- two inputs combined: their latest values, or those that wait in growable rings ---- */

typedef struct raw_ring {
  int64_t *items;
  size_t head, count, capacity; /* a power of two */
} raw_ring;

typedef struct raw_join {
  int64_t values[2];
  int has[2];
  raw_ring queues[2];
  int64_t (*combine)(void *ctx, const int64_t *values, size_t count);
  raw_next_fn next;
  void *ctx;
} raw_join;

/* Callbacks for the two hubs; their context is the join. */
void raw_combine_first(void *join, int64_t value);
void raw_combine_second(void *join, int64_t value);
void raw_zip_first(void *join, int64_t value);
void raw_zip_second(void *join, int64_t value);

/* ---- a subscription that is an object of its own ---- */

typedef struct raw_subscription {
  raw_next_fn next;
  void *ctx;
  raw_action_fn ctx_free;
} raw_subscription;

typedef struct raw_list {
  raw_subscription **slots;
  size_t count, capacity;
} raw_list;

void raw_list_add(raw_list *list, raw_next_fn next, void *ctx, raw_action_fn ctx_free);
void raw_list_emit(const raw_list *list, int64_t value);
void raw_list_finish(raw_list *list);

/* call: a function of a table, which is loaded for each call, and what it is called with. */
typedef void (*raw_hear_fn)(void *it, int64_t value);
void raw_hear(void *it, int64_t value);
/* Calls it `run->n` times, and returns the tally's checksum. */
uint64_t raw_call_through(raw_hear_fn volatile *place, bench_tally *tally, bench_run *run);

#endif
