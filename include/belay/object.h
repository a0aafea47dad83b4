/* Objects: what owners stand for, with fields that can be observed and bound. (KVO, RACObserve.)
 *
 * A belay_type describes the objects of a class; belay_object_set_type() says that an owner's
 * object (created or adopted) is one. From then on its fields have keys, and paths lead from it
 * over keys to other objects: "session.user.name". It has 1024 keys at most.
 *
 * Changes. belay_object_set() writes a field, or calls its setter, and tells who observes it.
 * Whoever writes a field himself says so before and after: belay_object_will_change(),
 * _did_change(). What depends on a field changes with it. A change that is made while another of
 * the same object is being told of counts at once, and is told of afterwards; changes of one key
 * that are made at the same moment on several threads may be told of as one. What is refused is
 * not told of, though who asked to hear before has heard.
 *
 * Where. An observer is called at its home, if that is a loop; else on the thread that makes the
 * change, one change at a time.
 *
 * Lifetimes. Observing and binding keep no object alive, and end with it. The fields of an object
 * are not touched any more when its deinit runs.
 *
 * Threads. Every function may be called on any thread. Reads and writes by Belay's functions do not
 * race with each other; those that the host makes himself are his to see to, and so are getters and
 * setters. No lock is held during a callback.
 */
#ifndef BELAY_OBJECT_H
#define BELAY_OBJECT_H

#include "base.h"
#include "operator.h"
#include "owner.h"
#include "property.h"
#include "signal.h"
#include "value.h"

typedef struct belay_type belay_type;

/* One field; `size` is sizeof(belay_field). What it points to is static, and is not copied. */
typedef struct belay_field {
  size_t size;
  const char *name; /* not empty, without dots */
  /* What lies at `offset`: the integer, `float`, `double` or `void *` of that name
     (BELAY_KIND_INT16: an int16_t), an `int` for BELAY_KIND_BOOL; for BELAY_KIND_OWNER a
     `belay_owner *` and for BELAY_KIND_WEAK a `belay_weak *`, each NULL or with a reference of its
     own: a strong and a weak reference to another object. For every other kind a `belay_value`
     with a reference of its own; BELAY_KIND_NULL is one of any kind. All of them have to be
     initialised. A weak reference is read as an owner, or as null. */
  belay_kind kind;
  size_t offset;
  /* Instead of reading at `offset`; returns a value (given away). May be NULL. What it returns is
     not watched for its death. */
  belay_value (*get)(void *object);
  /* Instead of writing at `offset`; `value` is borrowed. 0 or a failure. May be NULL; with `get`
     and without this, the field is only read. */
  int (*set)(void *object, belay_value value);
  /* The names of fields, of those before this one, that its value is made of; ends with NULL. May
     be NULL. */
  const char *const *depends_on;
} belay_field;

/* A field that is a member of a struct. */
#define BELAY_FIELD(type, member, kind) \
  {sizeof(belay_field), #member, (kind), offsetof(type, member), NULL, NULL, NULL}

/* Besides its fields an object has any property, by name, that somebody sets; Belay holds the
   value, a weak reference as such. */
#define BELAY_TYPE_DYNAMIC 1u

/* How a path is observed; together by |. */
typedef enum belay_observe_flags {
  BELAY_OBSERVE_INITIAL = 1, /* the value at the moment of subscribing is sent, too */
  BELAY_OBSERVE_OLD = 2,     /* what is sent are records (belay_change), with the old value */
  BELAY_OBSERVE_PRIOR = 4,   /* what is sent are records, and one comes before each change */
  BELAY_OBSERVE_CHANGES = 8  /* what is sent are records */
} belay_observe_flags;

typedef struct belay_observe_options {
  size_t size;
  unsigned flags;
  belay_owner *observer; /* its death completes the signal; may be NULL */
} belay_observe_options;

/* What a change was. */
typedef enum belay_change_flags {
  BELAY_CHANGE_INITIAL = 1,  /* none: the value at the moment of subscribing */
  BELAY_CHANGE_PRIOR = 2,    /* it is about to happen; `value` is the old one */
  BELAY_CHANGE_DEATH = 4,    /* what a key refers to is dying: `value` is null */
  BELAY_CHANGE_ONLY_LAST = 8 /* of the path's last key, not of one before */
} belay_change_flags;

/* A record that was sent; borrowed from it. */
typedef struct belay_change {
  size_t size; /* set before belay_change_get(), which fills in the rest */
  belay_value value;
  belay_value old; /* null unless it was asked for */
  unsigned flags;
} belay_change;

/* What is bound: what a path of an object leads to, or a property. `size` is
   sizeof(belay_bindable). */
typedef struct belay_bindable {
  size_t size;
  belay_owner *object;
  const char *path;
  belay_property *property; /* or this, and `object` is NULL */
  belay_map_fn convert;     /* makes of a value what the other one is set to; NULL: as it is */
} belay_bindable;

typedef struct belay_binding {
  size_t size;
  const belay_bindable *from;
  const belay_bindable *to;
  int both_ways;
  void *ctx; /* of both conversions */
  belay_free_fn ctx_free;
} belay_binding;

BELAY_BEGIN

/* ---- classes ---- */

/* A class of objects with `count` fields; `fields` is static, and is not copied. NULL:
   BELAY_EINVAL for a field of a wrong size, a name that is missing, empty, dotted or there twice, a
   kind that there is none of, unknown flags, a dependence on what is not a field before;
   BELAY_ERANGE beyond 64 fields. */
BELAY_EXPORT belay_type *belay_type_create(const belay_field *fields, size_t count, unsigned flags);
BELAY_EXPORT belay_type *belay_type_retain(belay_type *type);
BELAY_EXPORT void belay_type_release(belay_type *type);

/* Says of which class an owner's object is, for good; nothing is taken over. 0; BELAY_EINVAL for
   NULL, or an owner without an object, when the class has fields; BELAY_EASSIGNED for one of
   another class; BELAY_EDEAD for one that is dying. */
BELAY_EXPORT int belay_object_set_type(belay_owner *object, belay_type *type);

/* ---- values ---- */

/* What a path leads to now; `*value` is given to the caller, and null where a hop is. 0;
   BELAY_EINVAL for NULL or a path with an empty key; BELAY_ENOENT for a key that there is none of;
   BELAY_EKIND for a hop that is no object; BELAY_EDEAD for an object that is dying. A failure of a
   getter's is a value. */
BELAY_EXPORT int belay_object_get(belay_owner *object, const char *path, belay_value *value);
/* Sets what a path leads to; `value` is given away. Numbers convert as in the getters of value.h.
   0; what belay_object_get() answers, where a null hop is BELAY_EDEAD; BELAY_EINVAL for a field
   that is only read; BELAY_EKIND or BELAY_ERANGE for a value that does not fit, and what a setter
   answers: then it is as it was; BELAY_EAGAIN when 1024 changes of the object wait to be told of.
   */
BELAY_EXPORT int belay_object_set(belay_owner *object, const char *path, belay_value value);

/* ---- changes that the host makes ---- */

/* Around a write of the host's, on the same thread. They nest: the outermost tells. Without the
   former the old value is null. 0; BELAY_EINVAL for NULL; BELAY_ENOENT for a key that there is
   none of; BELAY_EDEAD. */
BELAY_EXPORT int belay_object_will_change(belay_owner *object, const char *key);
BELAY_EXPORT int belay_object_did_change(belay_owner *object, const char *key);
/* What changes in between is told of at the end, once for each key. They nest. 0; BELAY_EINVAL for
   NULL; BELAY_ENOENT for an object of no class, or an end without a beginning; BELAY_EDEAD. */
BELAY_EXPORT int belay_object_begin_changes(belay_owner *object);
BELAY_EXPORT int belay_object_end_changes(belay_owner *object);

/* ---- observing ---- */

/* A signal of what a path leads to, whichever objects are on it; where a hop is null, null. Each
   subscription observes for itself. It completes when `object` or the observer begins to die, at
   once when one has. A key that there is none of is the error BELAY_ENOENT, a hop that is no object
   BELAY_EKIND, both when it is reached. `options` may be NULL: the value now, and each new one. The
   death of what a field or property (not a getter) refers to is a change, unless it is the
   observer's: of a weak reference; of an adopted pointer, which the field still holds; of an owner
   that dies with its parent. NULL: BELAY_EINVAL for NULL, a path with an empty key, options that
   are wrong. */
BELAY_EXPORT belay_signal *belay_object_observe(belay_owner *object, const char *path,
                                                const belay_observe_options *options);
/* What a record says. BELAY_EKIND for a value that is none; BELAY_EINVAL for NULL and a wrong size. */
BELAY_EXPORT int belay_change_get(belay_value record, belay_change *change);

/* ---- binding ---- */

/* Sets `to` to what `from` is, now and whenever it changes; with `both_ways`, `from` to what `to`
   is set to otherwise. What came through the binding is not passed back, and a field that has the
   value already is not set. Ends when one of the owners or properties goes, with an error of a
   conversion's or of setting's (which goes to the hook for errors that nobody handles), and by
   `*disposable` (may be NULL). Keeps nothing alive. 0; BELAY_EINVAL for what is not complete;
   BELAY_EWRONGTHREAD for a property whose home is not this thread's. `ctx_free` runs once, also
   when this fails (not when `size` is wrong). */
BELAY_EXPORT int belay_bind(const belay_binding *binding, belay_disposable **disposable);
/* Sets what a path leads to, to each value of a signal; ends like the former, and with the signal.
   */
BELAY_EXPORT int belay_signal_bind_object(belay_signal *signal, belay_owner *object,
                                          const char *path, belay_disposable **disposable);

BELAY_END

#endif
