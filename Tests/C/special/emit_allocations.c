/* Counts what the allocator is asked for while values are sent at home: nothing. */
#define _GNU_SOURCE
#include <belay/belay.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- the allocator, counted; glibc's own is underneath ---- */
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);
extern void __libc_free(void *memory);

static long allocations, frees;

void *malloc(size_t size) {
  allocations++;
  return __libc_malloc(size);
}
void *calloc(size_t count, size_t size) {
  allocations++;
  return __libc_calloc(count, size);
}
void *realloc(void *old, size_t size) {
  allocations++;
  return __libc_realloc(old, size);
}
void *memalign(size_t alignment, size_t size) {
  allocations++;
  return __libc_memalign(alignment, size);
}
void *aligned_alloc(size_t alignment, size_t size) { return memalign(alignment, size); }
int posix_memalign(void **out, size_t alignment, size_t size) {
  *out = memalign(alignment, size);
  return *out ? 0 : ENOMEM;
}
void free(void *memory) {
  if (memory) frees++;
  __libc_free(memory);
}

/* ---- the emissions ---- */
enum { SENDS = 1000 };
static long received;

static void next(void *ctx, belay_value value) { received++; }
static belay_value same(void *ctx, belay_value value) { return belay_value_retain(value); }
static int yes(void *ctx, belay_value value) { return 1; }

static int bad;

static void expect(const char *what, long subscribers) {
  long allocated = allocations, freed = frees; /* printing allocates, too */
  printf("%s: %ld allocations, %ld frees\n", what, allocated, freed);
  if (allocated != 0 || freed != 0) {
    printf("FAILED %s: expected none\n", what);
    bad++;
  }
  if (received != subscribers * SENDS) {
    printf("FAILED %s: received %ld, expected %ld\n", what, received, subscribers * SENDS);
    bad++;
  }
}

static void send_all(const char *what, belay_signal *subject, belay_value value, long subscribers) {
  belay_subject_next(subject, belay_value_retain(value));
  allocations = frees = received = 0;
  for (int i = 0; i < SENDS; i++) belay_subject_next(subject, belay_value_retain(value));
  expect(what, subscribers);
}

static void play(const char *what, long subscribers, belay_signal *(*build)(belay_signal *),
                 belay_loop *home) {
  belay_source_options options = {.size = sizeof options, .loop = home};
  belay_observer observer = {.size = sizeof observer, .next = next, .loop = home};
  belay_signal *subject = belay_subject_create(&options);
  belay_signal *signal = belay_signal_retain(subject);
  if (build) signal = build(signal);
  for (long i = 0; i < subscribers; i++)
    if (belay_signal_subscribe(signal, &observer, NULL) < 0) bad++;
  send_all(what, subject, belay_int64(7), subscribers);
  /* A boxed value is retained and released on its way, and not copied. */
  belay_value text = belay_string("a string that is boxed");
  send_all(what, subject, text, subscribers);
  belay_value_release(text);
  belay_signal_release(signal);
  belay_signal_release(subject);
}

static belay_signal *map_filter(belay_signal *source) {
  return belay_signal_chain(source, belay_op_map(same, NULL, NULL),
                            belay_op_filter(yes, NULL, NULL), belay_op_map(same, NULL, NULL));
}

static belay_value latest(void *ctx, belay_value total, belay_value value) {
  return belay_value_retain(value);
}

static int differ(void *ctx, belay_value a, belay_value b) { return 0; }

/* Those that store a value have room for it. */
static belay_signal *scan_distinct(belay_signal *source) {
  return belay_signal_chain(source, belay_op_scan(belay_null(), latest, NULL, NULL),
                            belay_op_distinct_until_changed(differ, NULL, NULL));
}

static belay_signal *do_take(belay_signal *source) {
  belay_observer beside = {.size = sizeof beside};
  return belay_signal_chain(source, belay_op_do(&beside), belay_op_take(1000000000));
}

/* Where inputs meet. */
static belay_value first(void *ctx, const belay_value *values, size_t count) {
  return belay_value_retain(values[0]);
}

static belay_signal *combine_latest(belay_signal *source) {
  belay_signal *both[] = {source, belay_signal_just(belay_int32(1))};
  return belay_signal_combine_latest(both, 2, first, NULL, NULL);
}

static belay_signal *zip(belay_signal *source) {
  belay_signal *both[] = {source, belay_signal_retain(source)};
  return belay_signal_zip(both, 2, first, NULL, NULL);
}

static belay_signal *with_latest_from(belay_signal *source) {
  belay_signal *other = belay_signal_just(belay_int32(1));
  return belay_signal_chain(source, belay_op_with_latest_from(&other, 1, first, NULL, NULL));
}

/* Sending again from inside: the queue keeps its room. */
static belay_signal *echoing;
static void echo(void *ctx, belay_value value) {
  received++;
  int32_t number = 1;
  belay_value_get_int32(value, &number);
  if (number == 0) belay_subject_next(echoing, belay_int32(1));
}

static void play_echo(void) {
  belay_observer observer = {.size = sizeof observer, .next = echo};
  echoing = belay_subject_create(NULL);
  if (belay_signal_subscribe(echoing, &observer, NULL) < 0) bad++;
  for (int i = 0; i < 10; i++) belay_subject_next(echoing, belay_int32(0));
  allocations = frees = received = 0;
  for (int i = 0; i < SENDS; i++) belay_subject_next(echoing, belay_int32(0));
  expect("a send inside a send", 2);
  belay_signal_release(echoing);
}

int main(void) {
  free(malloc(1));
  void *volatile kept = malloc(1);
  if (allocations < 2 || frees < 1) {
    puts("FAILED: the allocator is not counted");
    return 1;
  }
  free(kept);
  allocations = 0;
  belay_signal_release(belay_subject_create(NULL));
  if (allocations == 0) {
    puts("FAILED: the library's allocations are not counted");
    return 1;
  }
  play("nobody", 0, NULL, NULL);
  play("one subscriber", 1, NULL, NULL);
  play("ten subscribers", 10, NULL, NULL);
  play("a thousand subscribers", 1000, NULL, NULL);
  play("map, filter, map", 1, map_filter, NULL);
  play("do, take", 10, do_take, NULL);
  play("scan, distinct_until_changed", 1, scan_distinct, NULL);
  play("combine_latest", 1, combine_latest, NULL);
  play("zip", 1, zip, NULL);
  play("with_latest_from", 1, with_latest_from, NULL);
  play_echo();
  belay_loop *loop = belay_loop_create(NULL);
  play("on a loop", 10, NULL, loop);
  play("map, filter, map on a loop", 10, map_filter, loop);
  belay_loop_close(loop, NULL, NULL, NULL);
  belay_loop_release(loop);
  puts(bad ? "FAILED" : "passed");
  return bad != 0;
}
