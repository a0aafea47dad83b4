/* GLib: Belay in a GMainContext, and GObjects as sources, owners and values.
 *
 * libbelay-glib has these functions; its pkg-config file is belay-glib, its CMake target
 * belay::glib. They need GLib 2.66 and no GTK.
 *
 * Loops. There are two ways. belay_glib_source_create() lets a GMainContext run a loop of Belay's,
 * with libuv's files, sockets and processes. belay_glib_scheduler_create() makes the context itself
 * a home: timers and values from other threads come by GLib, and there is no libuv loop.
 *
 * Objects. No function here keeps a GObject alive, unless it says so. A GObject ends, for all of
 * them, at its dispose, which is g_object_run_dispose() or its last g_object_unref().
 *
 * A function that fails returns NULL or a negative code and records an error: see error.h.
 */
#ifndef BELAY_GLIB_H
#define BELAY_GLIB_H

#include <belay/belay.h>
#include <glib-object.h>

BELAY_BEGIN

/* ---- the loop ---- */

/* Creates a source that runs `loop` when it has something to do. It waits for belay_loop_fd(), so
   it needs no timeout. It may recurse: a callback of Belay's may run a GMainLoop, for example for
   a dialogue, and timers go on. Retains `loop`.

   Attach the result to the context of the loop's thread, then unref it. To end it, destroy it and
   then close the loop. If the loop's handle is closed first, the source ends by itself. Each handle
   of a shared loop needs a source of its own, or another user that runs the loop.

   The thread of the loop. NULL: BELAY_EINVAL for NULL, and for an adopted loop, which its host
   runs; the failures of belay_loop_fd(). */
BELAY_EXPORT GSource *belay_glib_source_create(belay_loop *loop);

/* Creates the scheduler of a context (NULL: the default one) that the calling thread runs, and
   binds it to this thread: belay_scheduler_create_host() says what that means. Its work has the
   priority G_PRIORITY_DEFAULT. The scheduler has a reference to the context until
   belay_scheduler_close(). Release the result. NULL: BELAY_EBOUND when this thread has another
   loop. */
BELAY_EXPORT belay_scheduler *belay_glib_scheduler_create(GMainContext *context);

/* ---- signals and properties ---- */

/* Makes a signal of a GObject's signal: "clicked", "notify::label". It is cold: each subscription
   connects a handler, and disconnects it when it ends. It sends null for a signal without
   parameters, the value of one parameter, and an array of several, without the object itself; see
   belay_glib_from_gvalue(). The handler returns zero, FALSE or NULL to the object.

   It completes when the object ends or somebody else disconnects the handler. A subscription to the
   signal of an object that has ended completes at once. An object may emit on any thread; a
   subscription with a loop gets the values there, and one whose queue is full ends with
   BELAY_EAGAIN. A subscription without a loop gets only what is emitted on its thread.

   `after` is not 0: connects after the class's own handler. Any thread. Release the result. NULL:
   BELAY_EINVAL for what is no GObject, or for NULL; BELAY_ENOENT when its class has no such
   signal. */
BELAY_EXPORT belay_signal *belay_glib_signal(gpointer object, const char *detailed_signal,
                                             int after);

/* Makes a signal of a GObject's property: sends the value at the moment of subscribing, and the
   value after each "notify" of the property, also when it is the same as before. Otherwise like
   belay_glib_signal(). NULL: BELAY_EINVAL; BELAY_ENOENT when its class has no such property;
   BELAY_EPERM when it cannot be read. */
BELAY_EXPORT belay_signal *belay_glib_property(gpointer object, const char *name);

/* ---- owners ---- */

/* Returns the owner of a GObject: belay_owner_adopt() of it, and a weak reference of GLib's that
   declares its end. So what is bound to it ends with the object, and the object's dispose waits
   for callbacks that are bound to it and run on other threads. The death runs on the thread that
   disposes of the object, when its handlers are disconnected and its memory is still valid.

   Release the result; this does not end the object. Any thread. NULL: BELAY_EINVAL for what is no
   GObject, for wrong options, and for options with a loop or a scheduler, because GLib tells of the
   end where it happens. */
BELAY_EXPORT belay_owner *belay_glib_owner(gpointer object, const belay_owner_options *options);

/* ---- values ---- */

/* The type names of values that hold something of GLib's: see belay_value_get_typed(). */
#define BELAY_GLIB_OBJECT "GObject"   /* a GObject with a reference */
#define BELAY_GLIB_VARIANT "GVariant" /* a GVariant with a reference */
#define BELAY_GLIB_PARAM "GParamSpec" /* a GParamSpec with a reference */
#define BELAY_GLIB_GVALUE "GValue"    /* a GValue with a copy of the content */

/* Makes a value of a GValue, which is borrowed. The result needs nothing of it: a string is copied,
   a GBytes or GByteArray becomes bytes, a GStrv an array of strings, and an object, a GVariant or a
   GParamSpec gets a reference. Every other boxed type is copied by g_boxed_copy() into a GValue. A
   number has the kind of its size, an enum is an int32 and flags are a uint32. NULL inside becomes
   null. A string that is not UTF-8 becomes bytes. A plain pointer is not followed.

   The last release of the result may be on another thread, and releases there what it holds. NULL,
   or a GValue without a type, is the failure value BELAY_EINVAL. */
BELAY_EXPORT belay_value belay_glib_from_gvalue(const GValue *value);

/* Stores a value, which is borrowed, into a GValue. If `out` has a type, the value has to fit in
   it. If `out` is G_VALUE_INIT, it gets the type of the value: G_TYPE_INT for an int8 to int32,
   G_TYPE_BYTES for bytes, G_TYPE_STRV for an array of strings, the class of an object. Returns 0;
   BELAY_EKIND when the type is another one, for null without a type, and for handles of Belay's;
   BELAY_ERANGE when a number does not fit; BELAY_EILSEQ for a string with a NUL inside;
   BELAY_EINVAL for NULL. `out` is unchanged on failure. Unset it when you are done. */
BELAY_EXPORT int belay_glib_to_gvalue(belay_value value, GValue *out);

BELAY_END

#endif
