/* Proxies: a delegate that tells what it is told. (CombineCocoa's and RxCocoa's DelegateProxy.)
 *
 * An object that talks back through a table of functions gets Belay's table; each method of it is
 * a slot (slot.h), with the function of the delegate that was there as the original. A method is
 * in the table only while somebody listens, intercepts or responds, or the original has it; else
 * it is NULL. While nobody wants a method, the original's own function is in its place. What the
 * interface does not describe (a version, a size) is as the original has it, zero without one.
 *
 * Whenever the set of methods that are there changes, the interface's `install` is called again,
 * so that an object which remembers them is told. An object that is called on several threads
 * looks at the pointer that it has loaded: a method may go between the change and that call.
 *
 * There is one proxy for an object and an interface, however often it is asked for. It lives with
 * the object, which it does not keep alive. At step 3 of the object's death (owner.h) the object
 * is given the original's table back, and the slots end; their functions stay until step 6.
 *
 * Several. Proxies for different delegates of an object do not meet. Where an object's delegate
 * is another of its proxies (`installed` finds its table, or, without `installed`, both have the
 * same `install` from a common base), the newer one stands in front: it is called first, and goes
 * on to the older.
 *
 * Somebody else. If the object has another table than it was given, which `installed` tells, that
 * is left alone: changes are refused with BELAY_EMISMATCH, and it stays when the object dies.
 *
 * Threads. Any, unless the interface's functions want one. `install` is called without a lock,
 * one call at a time, on a thread that makes a change; what changes while it runs, on another
 * thread or inside it, is followed by another call there. The object's death waits for it, as for
 * a callback.
 */
#ifndef BELAY_PROXY_H
#define BELAY_PROXY_H

#include "base.h"
#include "interface.h"
#include "owner.h"
#include "slot.h"

typedef struct belay_proxy belay_proxy;

BELAY_BEGIN

/* The object's proxy, made and installed at the first ask; a table that the interface finds
   `installed` then is its original. Who asks while another thread is at that gets the same one.
   Release it. NULL: BELAY_EINVAL for NULL, an owner without an object, or an interface without
   `install`; BELAY_EDEAD for an object that is dying; or what `install` answered, and then the
   next ask is a first one. */
BELAY_EXPORT belay_proxy *belay_proxy_create(belay_owner *object, belay_interface *interface);
BELAY_EXPORT belay_proxy *belay_proxy_retain(belay_proxy *proxy);
BELAY_EXPORT void belay_proxy_release(belay_proxy *proxy);

/* The table that the object was given; borrowed from the proxy. Only Belay writes to it. */
BELAY_EXPORT const void *belay_proxy_table(belay_proxy *proxy);

/* The original delegate: `table` (borrowed, of the interface's layout) is forwarded to until it
   is taken away, or `delegate` (may be NULL, is not kept alive) dies. Its functions are read now.
   NULL takes away the one that there is. 0; BELAY_EINVAL for a NULL proxy, a misaligned table,
   and the table of this or another proxy of the object's; BELAY_EASSIGNED when there is one,
   which has to be taken away first, and for a proxy in front of another, for the oldest one
   forwards; BELAY_EDEAD when the object or `delegate` is dying. What `install` answers, and
   BELAY_EMISMATCH, are told, but change nothing: it is forwarded to all the same. */
BELAY_EXPORT int belay_proxy_forward_to(belay_proxy *proxy, const void *table,
                                        belay_owner *delegate);

/* A method of the proxy, the same on every ask; a reference, release it. Who wants it (slot.h)
   fails with what `install` answers, or BELAY_EMISMATCH, and then does not; at an end these are
   recorded for the thread. NULL: BELAY_EINVAL for NULL; BELAY_ENOENT for a method that there is
   none of; BELAY_EPERM for one that is performance-sensitive; BELAY_EDEAD when the object is
   dying; BELAY_ENOMEM where libffi may not make a closure. */
BELAY_EXPORT belay_slot *belay_slot_create_in_proxy(belay_proxy *proxy, const char *method);

BELAY_END

#endif
