/* Objects: owners stand for objects, whose fields can be observed and bound. (KVO, RACObserve.)
 *
 * A belay_type describes the objects of a class. belay_object_set_type() says that the object of an
 * owner (created or adopted) has that type. From then on its fields have keys, and a path of keys
 * leads from it to other objects: "session.user.name". A path has 1024 keys at most.
 *
 * Changes. belay_object_set() writes a field, or calls its setter, and notifies the observers. If
 * the host writes a field itself, it says so before and after: belay_object_will_change(),
 * belay_object_did_change(). A field that depends on another changes with it. If an object changes
 * while its observers are being notified of another change, the new change counts at once and its
 * notification follows. If several threads change one key at the same moment, the changes may be
 * notified as one. A change that is refused is not notified, but observers that asked for a record
 * before the change have got it.
 *
 * Where. An observer is called at its home, if that is a loop; else on the thread that makes the
 * change, one change at a time.
 *
 * Lifetimes. An observation or a binding does not retain the object, and ends when the object dies.
 * Belay does not touch the fields of an object after the start of its deinit.
 *
 * Threads. Any thread may call every function. Reads and writes by Belay's functions do not race
 * with each other. The host has to synchronise its own reads and writes, its getters and its
 * setters. No lock is held during a callback.
 */
#ifndef BELAY_OBJECT_H
#define BELAY_OBJECT_H

#include "base.h"
#include "owner.h"
#include "signal.h"
#include "value.h"

typedef struct belay_type belay_type;

/* Describes one field. `size` is sizeof(belay_field). The memory that it points to is static and is
   not copied. */
typedef struct belay_field {
  size_t size;
  const char *name; /* not empty, no dots */
  /* The type of the variable at `offset`: the integer, `float`, `double` or `void *` of that name
     (BELAY_KIND_INT16: an int16_t), or an `int` for BELAY_KIND_BOOL. BELAY_KIND_OWNER is a
     `belay_owner *` and BELAY_KIND_WEAK a `belay_weak *`: a strong and a weak reference to another
     object, each NULL or with a reference of its own. Every other kind is a `belay_value` with a
     reference of its own; BELAY_KIND_NULL is one of any kind. Initialise all of them. A weak
     reference reads as an owner, or as null. */
  belay_kind kind;
  size_t offset;
  /* Reads the field instead of `offset`. Returns a value (given away). May be NULL. The death of an
     owner that it returns is not observed. */
  belay_value (*get)(void *object);
  /* Writes the field instead of `offset`. `value` is borrowed. Returns 0, or a failure:
     belay_fail() gives it a message. Above 0 counts as 0. May be NULL; with `get` and without
     `set`, the field is read-only. */
  int (*set)(void *object, belay_value value);
  /* The names of the fields that this value is computed from, which have to stand before this one.
     The last item is NULL. May be NULL. */
  const char *const *depends_on;
} belay_field;

/* The key of a member of a struct, and a path of two or three of them, each behind a member that
   refers to an object with the next struct: "mate.age" is BELAY_PATH_2(person, mate, person, age).
   The compiler knows whether the members exist. They are constant strings. */
#define BELAY_KEY(type, member) (&(#member)[0 * sizeof(((type *)0)->member)])
#define BELAY_PATH_2(type, member, type_2, member_2) \
  (&(#member "." #member_2)[0 * sizeof(((type *)0)->member) * sizeof(((type_2 *)0)->member_2)])
#define BELAY_PATH_3(type, member, type_2, member_2, type_3, member_3)                            \
  (&(#member "." #member_2 "." #member_3)[0 * sizeof(((type *)0)->member) *                       \
                                          sizeof(((type_2 *)0)->member_2) *                       \
                                          sizeof(((type_3 *)0)->member_3)])

/* Initialises a field that is a member of a struct. */
#define BELAY_FIELD(type, member, kind) \
  {sizeof(belay_field), #member, (kind), offsetof(type, member), NULL, NULL, NULL}

/* The object has, besides its fields, any property that somebody sets by name. Belay holds its
   value; it holds a weak reference as a weak reference. */
#define BELAY_TYPE_DYNAMIC 1u

/* How a path is observed. Combine the flags by |. */
typedef enum belay_observe_flags {
  BELAY_OBSERVE_INITIAL = 1, /* also sends the value at the moment of subscribing */
  BELAY_OBSERVE_OLD = 2,     /* sends records (belay_change) with the old value */
  BELAY_OBSERVE_PRIOR = 4,   /* sends records, one more of them before each change */
  BELAY_OBSERVE_CHANGES = 8, /* sends records */
  BELAY_OBSERVE_DEATH = 16   /* also sends null before the completion when the object dies */
} belay_observe_flags;

typedef struct belay_observe_options {
  size_t size;
  unsigned flags;
  belay_owner *observer; /* its death completes the signal; may be NULL */
} belay_observe_options;

/* The kind of change that a record tells of. */
typedef enum belay_change_flags {
  BELAY_CHANGE_INITIAL = 1,  /* no change: the value at the moment of subscribing */
  BELAY_CHANGE_PRIOR = 2,    /* about to happen; `value` is the old one */
  BELAY_CHANGE_DEATH = 4,    /* the object, or one that a key refers to, is dying: null */
  BELAY_CHANGE_ONLY_LAST = 8 /* of the last key of the path, not of an earlier one */
} belay_change_flags;

/* The content of a record, borrowed from the record. */
typedef struct belay_change {
  size_t size; /* set this before belay_change_get(), which fills in the rest */
  belay_value value;
  belay_value old; /* null unless the observer asked for it */
  unsigned flags;
} belay_change;

BELAY_BEGIN

/* ---- classes ---- */

/* Creates the type of objects with `count` fields. `fields` is static and is not copied. Release
   the result. NULL: BELAY_EINVAL for a field of a wrong size, a name that is missing, empty, dotted
   or duplicate, a kind that is unknown or BELAY_KIND_FAILURE, unknown flags, and a dependence on
   anything but an earlier field; BELAY_ERANGE beyond 64 fields. */
BELAY_EXPORT belay_type *belay_type_create(const belay_field *fields, size_t count, unsigned flags);
/* Adds a reference to `type` and returns `type`. */
BELAY_EXPORT belay_type *belay_type_retain(belay_type *type);
/* Gives a reference back. */
BELAY_EXPORT void belay_type_release(belay_type *type);

/* Sets the type of an owner's object, for good. Takes nothing over. Returns 0; BELAY_EINVAL for
   NULL, and for an owner without an object when the type has fields; BELAY_EASSIGNED when the
   object has another type; BELAY_EDEAD when it is dying. */
BELAY_EXPORT int belay_object_set_type(belay_owner *object, belay_type *type);

/* ---- values ---- */

/* Stores the value that a path leads to now into `*value`, as a reference for the caller. The value
   is null when a hop of the path is null. A failure of a getter is stored as a value. Returns 0;
   BELAY_EINVAL for NULL or a path with an empty key; BELAY_ENOENT for an unknown key; BELAY_EKIND
   for a hop that is not an object; BELAY_EDEAD for an object that is dying. */
BELAY_EXPORT int belay_object_get(belay_owner *object, const char *path, belay_value *value);
/* Sets the field that a path leads to. `value` is given away. Numbers convert as in the getters of
   value.h. Returns 0; the codes of belay_object_get(), but BELAY_EDEAD for a hop that is null;
   BELAY_EINVAL for a field that is read-only; BELAY_EKIND or BELAY_ERANGE for a value that does not
   fit, or the failure of the setter, and then nothing has changed; BELAY_EAGAIN when 1024 changes
   of the object wait for their notification. */
BELAY_EXPORT int belay_object_set(belay_owner *object, const char *path, belay_value value);

/* ---- changes that the host makes ---- */

/* Call these around a write of the host's, on the same thread. They nest: the outermost pair
   notifies. Without the first call the old value is null. Returns 0; BELAY_EINVAL for NULL, and for
   a key that is empty or a path; BELAY_ENOENT for an unknown key; BELAY_EDEAD. */
BELAY_EXPORT int belay_object_will_change(belay_owner *object, const char *key);
BELAY_EXPORT int belay_object_did_change(belay_owner *object, const char *key);
/* Groups the changes between the two calls: they are notified at the end, once for each key. They
   nest. Returns 0; BELAY_EINVAL for NULL; BELAY_ENOENT for an object without a type, or an end
   without a beginning; BELAY_EDEAD. */
BELAY_EXPORT int belay_object_begin_changes(belay_owner *object);
BELAY_EXPORT int belay_object_end_changes(belay_owner *object);

/* ---- observing ---- */

/* Returns a signal of the value that a path leads to, whichever objects are on the path. The value
   is null where a hop is null. Each subscription observes for itself. `options` may be NULL: the
   signal then sends the present value and each new one. It completes when `object` or the observer
   begins to die, or at once when one is dying. When the path reaches an unknown key behind its
   first one, the signal ends with BELAY_ENOENT; at a hop that is not an object, with BELAY_EKIND.
   The message says where. A failure, which a getter may answer and a field may have, ends the
   signal as its error.

   The death of an object that a field or a property refers to is a change, unless it is the
   observer. This holds for a weak reference, for an adopted pointer (which the field still holds),
   and for an owner that dies with its parent. It does not hold for the result of a getter. The
   death of `object` itself is the completion; with BELAY_OBSERVE_DEATH it is null first (RxSwift's
   observeWeakly), unless `object` is the observer.

   Release the result. NULL: BELAY_EINVAL for NULL, a path with an empty key, or wrong options;
   BELAY_ENOENT if the type of `object` has no such first key. An object without a type may get one
   before the signal is subscribed to, so its keys are looked for then. */
BELAY_EXPORT belay_signal *belay_object_observe(belay_owner *object, const char *path,
                                                const belay_observe_options *options);
/* Reads a record. Returns 0; BELAY_EKIND for a value that is not a record; BELAY_EINVAL for NULL
   and for a wrong size. */
BELAY_EXPORT int belay_change_get(belay_value record, belay_change *change);

BELAY_END

#endif
