/* Proxies: delegates that make the calls they get observable. (CombineCocoa's and RxCocoa's
 * DelegateProxy.)
 *
 * An object that calls back through a table of functions gets Belay's table. Each method of that
 * table is a slot (slot.h), and the function of the previous delegate is its original. A method is
 * in the table only while it has a listener, an interceptor or a responder, or the original has it;
 * else it is NULL. While nobody intercepts a method, the original's own function is in its place.
 * Parts of the table that the interface does not describe (a version, a size) are those of the
 * original; without an original they are zero.
 *
 * When the set of methods in the table changes, Belay calls the `install` of the interface again,
 * so that an object that remembers the set can update it. An object that is called on several
 * threads has to check the pointer that it has loaded for NULL, because a method may go between the
 * change and that call.
 *
 * There is one proxy for an object and an interface, and every call returns it. It lives as long as
 * the object, which it does not retain. At step 3 of the object's death (owner.h) the object gets
 * the original's table back, and the slots end; their functions stay until step 6. An `install`
 * that ends the object must have stored the table before, and must not store it afterwards.
 *
 * Several proxies. Proxies for different delegates of an object do not meet. An object's delegate
 * may be another of its proxies: `installed` returns the table of that proxy, or, without
 * `installed`, both have the same `install`. The newer proxy then stands in front: it is called
 * first, and passes calls on to the older one. If both have the same `install`, threads may create
 * both at once.
 *
 * Other writers. If the object has another table than the one it was given, which `installed`
 * shows, Belay leaves that table alone. It refuses changes with BELAY_EMISMATCH, and the table
 * stays when the object dies.
 *
 * Threads. Any thread may call every function, unless the functions of the interface need a certain
 * one. `install` runs without a lock, one call at a time for each proxy, on a thread that makes a
 * change. When something changes during that call, on another thread or inside it, one more call
 * follows there. The object's death waits for `install`, as it waits for a callback.
 */
#ifndef BELAY_PROXY_H
#define BELAY_PROXY_H

#include "base.h"
#include "interface.h"
#include "owner.h"
#include "slot.h"

typedef struct belay_proxy belay_proxy;

BELAY_BEGIN

/* Returns the proxy of the object. The first call creates and installs it; the table that
   `installed` returns then is its original. A thread that calls this meanwhile gets the same proxy.
   If `install` fails then, that proxy has ended: its signals complete, and changes of it fail with
   BELAY_EDEAD. Release the result. NULL: BELAY_EINVAL for NULL, an owner without an object, or an
   interface without `install`; BELAY_EDEAD for an object that is dying; or the failure of
   `install`, after which the next call is a first one again. */
BELAY_EXPORT belay_proxy *belay_proxy_create(belay_owner *object, belay_interface *interface);
/* Adds a reference to `proxy` and returns `proxy`. */
BELAY_EXPORT belay_proxy *belay_proxy_retain(belay_proxy *proxy);
/* Gives a reference back. */
BELAY_EXPORT void belay_proxy_release(belay_proxy *proxy);

/* Returns the table that the object was given, borrowed from the proxy. Only Belay writes to it. */
BELAY_EXPORT const void *belay_proxy_table(belay_proxy *proxy);

/* Sets the original delegate: calls are forwarded to `table` (borrowed, with the layout of the
   interface) until it is taken away, or until `delegate` (may be NULL, not retained) dies. Reads
   the functions of `table` now. NULL takes the delegate away.

   Returns 0; BELAY_EINVAL for a NULL proxy, a misaligned table, and the table of this or another
   proxy of the object; BELAY_EASSIGNED when there is a delegate, which has to be taken away first,
   and for a proxy in front of another, because the oldest one forwards; BELAY_EDEAD when the object
   or `delegate` is dying. Returns also the failure of `install`, or BELAY_EMISMATCH; calls are then
   forwarded all the same. */
BELAY_EXPORT int belay_proxy_forward_to(belay_proxy *proxy, const void *table,
                                        belay_owner *delegate);

/* Intercepts the calls of every method that may be intercepted: `call` has the name of the method
   and its arguments as values, and proceeds or not. (intercepted selectors of a forwarding proxy.)
   All these methods are in the table meanwhile. Otherwise like belay_slot_around() with one
   disposable; an interception that fails at one method has no effect at any. */
BELAY_EXPORT int belay_proxy_around(belay_proxy *proxy, belay_around_fn around, void *ctx,
                                    belay_free_fn ctx_free, belay_disposable **disposable);

/* Returns the slot of a method of the proxy. Every call returns the same slot. Release the result.
   An interception (slot.h) fails with the failure of `install`, or with BELAY_EMISMATCH, and then
   has no effect; at the end of an interception these are recorded for the thread. NULL:
   BELAY_EINVAL for NULL; BELAY_ENOENT for an unknown method; BELAY_EPERM for one that is
   performance-sensitive; BELAY_EDEAD when the object is dying; BELAY_ENOMEM where libffi cannot
   make a closure. */
BELAY_EXPORT belay_slot *belay_slot_create_in_proxy(belay_proxy *proxy, const char *method);

BELAY_END

#endif
