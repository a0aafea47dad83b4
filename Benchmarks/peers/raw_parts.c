#include "raw_parts.h"

#include <stdlib.h>

static void *grown(void *items, size_t *capacity, size_t item_size) {
  *capacity = *capacity ? *capacity * 2 : 16;
  items = realloc(items, *capacity * item_size);
  if (!items) abort();
  return items;
}

static void deaf(void *ctx, int64_t value) {
  (void)ctx;
  (void)value;
}

size_t raw_hub_add(raw_hub *hub, raw_next_fn next, void *ctx, raw_action_fn ctx_free) {
  if (hub->count == hub->capacity) hub->slots = grown(hub->slots, &hub->capacity, sizeof(raw_slot));
  hub->slots[hub->count] = (raw_slot){next, ctx, ctx_free};
  return hub->count++;
}

/* Marks the slot, so that the indices of the others stay; takes marked ones off the end. */
void raw_hub_remove(raw_hub *hub, size_t index) {
  raw_slot gone = hub->slots[index];
  hub->slots[index].next = deaf;
  while (hub->count && hub->slots[hub->count - 1].next == deaf) hub->count--;
  gone.ctx_free(gone.ctx);
}

void raw_hub_finish(raw_hub *hub) {
  free(hub->slots);
  *hub = (raw_hub){0};
}

void raw_bag_add(raw_bag *bag, raw_action_fn action, void *ctx) {
  if (bag->count == bag->capacity) bag->hooks = grown(bag->hooks, &bag->capacity, sizeof(raw_hook));
  bag->hooks[bag->count++] = (raw_hook){action, ctx};
}

void raw_bag_dispose(raw_bag *bag) {
  for (size_t i = 0; i < bag->count; i++) bag->hooks[i].action(bag->hooks[i].ctx);
  free(bag->hooks);
  *bag = (raw_bag){0};
}

typedef struct raw_hook_node {
  struct raw_hook_node *following;
  raw_hook hook;
} raw_hook_node;

struct raw_owner {
  raw_hook_node *first, **end;
};

raw_owner *raw_owner_create(void) {
  raw_owner *owner = malloc(sizeof *owner);
  if (!owner) abort();
  owner->first = NULL;
  owner->end = &owner->first;
  return owner;
}

void raw_owner_add(raw_owner *owner, raw_action_fn action, void *ctx) {
  raw_hook_node *node = malloc(sizeof *node);
  if (!node) abort();
  *node = (raw_hook_node){NULL, {action, ctx}};
  *owner->end = node;
  owner->end = &node->following;
}

void raw_owner_die(raw_owner *owner) {
  for (raw_hook_node *node = owner->first; node;) {
    raw_hook_node *following = node->following;
    node->hook.action(node->hook.ctx);
    free(node);
    node = following;
  }
  free(owner);
}

void raw_cold_subscribe(raw_producer_fn producer, void *ctx, const raw_observer *observer) {
  raw_observer *context = malloc(sizeof *context);
  if (!context) abort();
  *context = *observer;
  producer(ctx, context);
  context->disposed(context->ctx);
  free(context);
}

void raw_cold_subscribe_on_stack(raw_producer_fn producer, void *ctx,
                                 const raw_observer *observer) {
  raw_observer context = *observer;
  producer(ctx, &context);
  context.disposed(context.ctx);
}

void raw_list_add(raw_list *list, raw_next_fn next, void *ctx, raw_action_fn ctx_free) {
  raw_subscription *subscription = malloc(sizeof *subscription);
  if (!subscription) abort();
  *subscription = (raw_subscription){next, ctx, ctx_free};
  if (list->count == list->capacity)
    list->slots = grown(list->slots, &list->capacity, sizeof *list->slots);
  list->slots[list->count++] = subscription;
}

void raw_list_emit(const raw_list *list, int64_t value) {
  for (size_t i = 0; i < list->count; i++) list->slots[i]->next(list->slots[i]->ctx, value);
}

void raw_list_finish(raw_list *list) {
  for (size_t i = 0; i < list->count; i++) {
    list->slots[i]->ctx_free(list->slots[i]->ctx);
    free(list->slots[i]);
  }
  free(list->slots);
  *list = (raw_list){0};
}

static void combine(raw_join *join, int place, int64_t value) {
  join->values[place] = value;
  join->has[place] = 1;
  if (join->has[0] && join->has[1]) join->next(join->ctx, join->combine(NULL, join->values, 2));
}

void raw_combine_first(void *join, int64_t value) { combine(join, 0, value); }
void raw_combine_second(void *join, int64_t value) { combine(join, 1, value); }

static void push(raw_ring *ring, int64_t value) {
  if (ring->count == ring->capacity) {
    size_t capacity = ring->capacity ? 2 * ring->capacity : 4;
    int64_t *items = malloc(capacity * sizeof *items);
    if (!items) abort();
    for (size_t i = 0; i < ring->count; i++)
      items[i] = ring->items[(ring->head + i) & (ring->capacity - 1)];
    free(ring->items);
    *ring = (raw_ring){items, 0, ring->count, capacity};
  }
  ring->items[(ring->head + ring->count++) & (ring->capacity - 1)] = value;
}

static int64_t pop(raw_ring *ring) {
  int64_t value = ring->items[ring->head];
  ring->head = (ring->head + 1) & (ring->capacity - 1);
  ring->count--;
  return value;
}

static void zip(raw_join *join, int place, int64_t value) {
  push(&join->queues[place], value);
  if (join->queues[0].count == 0 || join->queues[1].count == 0) return;
  int64_t values[] = {pop(&join->queues[0]), pop(&join->queues[1])};
  join->next(join->ctx, join->combine(NULL, values, 2));
}

void raw_zip_first(void *join, int64_t value) { zip(join, 0, value); }
void raw_zip_second(void *join, int64_t value) { zip(join, 1, value); }
