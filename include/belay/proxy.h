/* Proxies: a delegate that tells what it is told. (CombineCocoa's and RxCocoa's DelegateProxy.)
 *
 * An object that talks back through a table of functions gets Belay's table; each method of it is a
 * slot (slot.h), with the functions of the delegate that was there as the originals. A method is in
 * the table only while somebody listens, intercepts or responds, or the original has it; else it is
 * NULL, and the interface's `install` is called again whenever that set changes.
 *
 * There is one proxy for an object and an interface, however often it is asked for. It lives with
 * the object, which it does not keep alive, and its slots end when the object is dying.
 *
 * Threads. Any, unless the interface's functions want one. `install` is called on the thread that
 * makes the change, one call at a time.
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
   `installed` then is its original. Release it. NULL: BELAY_EINVAL for NULL, or an interface without
   `install`; BELAY_EDEAD for an object that is dying; BELAY_ENOMEM where libffi may not make a
   closure; or what `install` answered. */
BELAY_EXPORT belay_proxy *belay_proxy_of(belay_owner *object, belay_interface *interface);
BELAY_EXPORT belay_proxy *belay_proxy_retain(belay_proxy *proxy);
BELAY_EXPORT void belay_proxy_release(belay_proxy *proxy);

/* The table that the object was given. */
BELAY_EXPORT const void *belay_proxy_table(belay_proxy *proxy);

/* The original delegate: `table` (borrowed, of the interface's layout) is forwarded to until it is
   replaced, or `delegate` (may be NULL) dies. NULL takes it away. 0; BELAY_EINVAL for NULL or the
   proxy's own table; BELAY_EASSIGNED when there is one, which has to be taken away first;
   BELAY_EDEAD when the object or `delegate` is dying. */
BELAY_EXPORT int belay_proxy_forward_to(belay_proxy *proxy, const void *table,
                                        belay_owner *delegate);

/* A method of the proxy, the same on every ask; a reference, release it. NULL: BELAY_EINVAL for
   NULL; BELAY_ENOENT for a method that there is none of; BELAY_EPERM for one that is
   performance-sensitive; BELAY_EDEAD when the object is dying. */
BELAY_EXPORT belay_slot *belay_proxy_slot(belay_proxy *proxy, const char *method);

BELAY_END

#endif
