/* Guarded objects: writes that bypass Belay are found. For tests and for debugging. The functions
 * are in libbelay-testing: see testing.h.
 *
 *   person *ann = belay_guarded_create(sizeof *ann);
 *   belay_owner *owner = belay_owner_create(ann, NULL, belay_guarded_destroy, NULL);
 *   belay_object_set_type(owner, person_type);
 *   belay_object_guard(owner);
 *   ann->age = 21; // belay: unannounced write to age of 0x… by thread 7 at 0x… (/app+0x12a4)
 *
 * Observers do not learn of a field that the host writes without belay_object_will_change(). The
 * memory of a guarded object is read-only, so such a write faults. A handler of SIGSEGV reports it
 * and lets it through. Symbolise the place with `addr2line -e /app 0x12a4`, or with the address
 * before it in a program that is not position-independent.
 *
 * Allowed writes. The whole object is writable while belay_object_set() stores a value or runs a
 * setter, and between belay_object_will_change() and belay_object_did_change() for one of its
 * declared fields, on every thread. belay_object_begin_changes() announces nothing. So a write to
 * another field, or by another thread, is not found during such a change.
 *
 * x86-64. The writing instruction is executed alone (by the trap flag and SIGTRAP), and then the
 * memory is read-only again. So each instruction that writes is reported, and a long copy is
 * several. A write by another thread during that instruction is not found. ARM64 has no such flag:
 * there the object stays writable after a report, until the end of its next announced change, or
 * until Belay next reads one of its fields.
 *
 * Limits. A system call that writes to a guarded object, such as read(), fails with EFAULT.
 * A guarded object cannot be intercepted (BELAY_EROFS); if it was before, the write that puts its
 * table pointer back is reported like any other unannounced one.
 * A host that installs a handler of SIGSEGV or SIGTRAP of its own after the first
 * belay_object_guard() must pass on what it does not know. Faults that are not of a guarded object
 * go to the handler that was there before, or end the process as ever. A thread that blocks SIGSEGV
 * is killed by an unannounced write. In gdb: `handle SIGSEGV SIGTRAP nostop noprint pass`. A child
 * of fork() has the same guards.
 *
 * Any thread may call every function.
 */
#ifndef BELAY_GUARD_H
#define BELAY_GUARD_H

#include "base.h"
#include "owner.h"

/* An unannounced write. `size` is the size of this struct. Everything is borrowed. */
typedef struct belay_unannounced_write {
  size_t size;
  void *object;       /* the object, which still has its old content */
  const char *label;  /* the label of its owner; "" without one */
  const char *key;    /* the field; NULL if the first byte written belongs to no field */
  void *address;      /* the first byte written that the guard has met */
  uint64_t thread;    /* the system's number of the thread that writes */
  const void *code;   /* the instruction that writes */
  const char *module; /* the path of the program or library that it is in; "" if unknown */
  uint64_t offset;    /* of `code` from the start of that module in memory */
} belay_unannounced_write;

/* Gets an unannounced write, before it happens. Runs on the thread that writes, in a handler of
   SIGSEGV: it may call only what is async-signal-safe, and no function of Belay's. abort() is. */
typedef void (*belay_unannounced_write_fn)(void *ctx, const belay_unannounced_write *write);

BELAY_BEGIN

/* Returns `size` zeroed bytes on pages of their own. Give them back with belay_guarded_destroy().
   NULL: BELAY_EINVAL for 0; BELAY_ENOMEM. */
BELAY_EXPORT void *belay_guarded_create(size_t size);
/* Gives memory of belay_guarded_create() back, and ends its guard. It fits as the `dealloc` of
   belay_owner_create(). NULL does nothing. Any other pointer does nothing but is a misuse. */
BELAY_EXPORT void belay_guarded_destroy(void *memory);

/* Guards the object of an owner until step 3 of the owner's death, so its deinit may write. The
   object stands at the start of memory of belay_guarded_create() and has a type. Takes nothing
   over. Returns 0, also when this owner has guarded it before; BELAY_EINVAL for NULL and for an
   object that is elsewhere; BELAY_ENOENT for an object without a type; BELAY_EBUSY when another
   owner guards it; BELAY_EDEAD when it is dying; BELAY_ENOMEM. */
BELAY_EXPORT int belay_object_guard(belay_owner *object);

/* Sets the process's hook for unannounced writes. Without one, which is the default and NULL
   restores, each prints a line on stderr. The new hook replaces the old one, whose `ctx_free` runs
   when no thread is in it any more; the call waits for that. Returns 0; BELAY_EREENTRANT inside of
   the hook, where it changes nothing and frees `ctx`. */
BELAY_EXPORT int belay_on_unannounced_write(belay_unannounced_write_fn hook, void *ctx,
                                            belay_free_fn ctx_free);
/* Returns how many unannounced writes the process has made. */
BELAY_EXPORT uint64_t belay_unannounced_write_count(void);

BELAY_END

#endif
