/* Guarded objects, and a hook that notes the writes to them that nobody has announced. */
#ifndef GUARDED_H
#define GUARDED_H

#include <belay/testing.h>
#include "cases.h"

#include <stdatomic.h>

/* Without a trap flag the object stays open behind a write, until Belay next looks at it. */
#ifdef __x86_64__
#define EACH(each, first) each
#else
#define EACH(each, first) first
#endif

#define WRITE(place, value) (*(volatile __typeof__(place) *)&(place) = (value))

typedef struct __attribute__((packed)) { double value; } unaligned_double;
typedef struct person {
  int32_t age;
  int32_t level;
  double score;
  char unseen[16];
  belay_owner *boss;
  belay_value name;
  int32_t limited; /* by a setter, which also counts in `level` */
  int32_t area;    /* by a getter */
  char more[4092 - 64];
  char edge[8]; /* a double, on two pages of 4096 bytes */
  char most[4096];
  int32_t far;
} person;
_Static_assert(offsetof(person, edge) == 4092, "edge has bytes on two pages");

static inline int set_limited(void *object, belay_value value) {
  person *it = object;
  WRITE(it->level, it->level + 1);
  return belay_value_get_int32(value, &it->limited);
}
static inline belay_value get_area(void *object) { return belay_int32(((person *)object)->area); }
static inline belay_value get_nothing(void *object) {
  (void)object;
  return belay_null();
}

static const belay_field fields[] = {
    {sizeof(belay_field), "nothing", BELAY_KIND_NULL, 0, get_nothing, NULL, NULL},
    BELAY_FIELD(person, age, BELAY_KIND_INT32),
    BELAY_FIELD(person, level, BELAY_KIND_INT32),
    BELAY_FIELD(person, score, BELAY_KIND_DOUBLE),
    BELAY_FIELD(person, boss, BELAY_KIND_OWNER),
    BELAY_FIELD(person, name, BELAY_KIND_STRING),
    {sizeof(belay_field), "limited", BELAY_KIND_INT32, offsetof(person, limited), NULL, set_limited, NULL},
    {sizeof(belay_field), "area", BELAY_KIND_INT32, offsetof(person, area), get_area, NULL, NULL},
    BELAY_FIELD(person, edge, BELAY_KIND_DOUBLE),
    BELAY_FIELD(person, far, BELAY_KIND_INT32),
};

static inline belay_owner *guarded_with(person **content, belay_object_fn deinit) {
  person *it = belay_guarded_create(sizeof *it);
  belay_owner_options options = {.size = sizeof options, .label = "Ann"};
  CHECK(it != NULL && it->age == 0 && it->far == 0);
  belay_owner *owner = belay_owner_create(it, deinit, belay_guarded_destroy, &options);
  belay_type *type = belay_type_create(fields, sizeof fields / sizeof *fields, 0);
  CHECK_INT(belay_object_set_type(owner, type), 0);
  belay_type_release(type);
  CHECK_INT(belay_object_guard(owner), 0);
  *content = it;
  return owner;
}
static inline belay_owner *guarded(person **content) { return guarded_with(content, NULL); }

/* ---- what the hook got ---- */

enum { MOST_TOLD = 64 };
static struct {
  belay_unannounced_write write;
  char module[256];
} told[MOST_TOLD];
static atomic_int told_count;

static inline void tell(void *ctx, const belay_unannounced_write *write_) {
  (void)ctx;
  int at = atomic_fetch_add(&told_count, 1);
  if (at >= MOST_TOLD) return;
  told[at].write = *write_;
  strncpy(told[at].module, write_->module, sizeof told[at].module - 1);
}
static inline void hear(void) {
  atomic_store(&told_count, 0);
  CHECK_INT(belay_on_unannounced_write(tell, NULL, NULL), 0);
}
static inline void hear_no_more(void) { CHECK_INT(belay_on_unannounced_write(NULL, NULL, NULL), 0); }

/* The keys since the last time, joined by spaces. */
static inline const char *keys(void) {
  static char text[MOST_TOLD * 16];
  int count = atomic_exchange(&told_count, 0);
  text[0] = 0;
  for (int i = 0; i < count && i < MOST_TOLD; i++) {
    if (i) strcat(text, " ");
    strcat(text, text_or(told[i].write.key, "-"));
  }
  return text;
}
#define CHECK_KEYS(expected) CHECK_STRING(keys(), expected)

/* Reading a field protects an object again that had to stay open. */
static inline void look_at(belay_owner *object) {
  belay_value value;
  CHECK_INT(belay_object_get(object, "age", &value), 0);
  belay_value_release(value);
}

#endif
