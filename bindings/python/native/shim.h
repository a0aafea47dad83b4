/* What the package's Python side sees of the C between Belay and CPython. build_native.py
 * reads this file for cffi.
 *
 * An object crosses as its address, `id(object)`, which cffi passes for nothing, or as a context,
 * which holds a reference and is given back by pb_free(). cffi releases the GIL around each call of
 * a function here; those that touch objects take it.
 */
#ifndef LIBBELAY_SHIM_H
#define LIBBELAY_SHIM_H

#include <belay/testing.h>

/* Another interpreter than that of the callbacks, the main one. */
enum { PB_ELSEWHERE = -2 };
/* Adds the built-in functions and types to the module. -1 when that failed, or PB_ELSEWHERE. */
int pb_load_module(uintptr_t module);
/* No callback enters Python any more. Waits, at most a second, for those that are inside. */
void pb_shutdown(void);

/* A context: another reference to the object. */
void *pb_keep(uintptr_t object);
void pb_free(void *ctx);
/* The value of an object; given to the caller. */
belay_value pb_value(uintptr_t object);
/* The error that carries an exception; given to the caller. */
belay_error *pb_error(uintptr_t exception);

/* The signal (taken over), heard at the home of the subscription, whichever thread sends. It can be
   subscribed to once. NULL for a failure. */
belay_signal *pb_heard_at_home(belay_signal *signal);
/* Calls beside the flow: (None, error, completed, disposed). */
belay_op *pb_do(uintptr_t calls);
/* Stages as operators of Belay's: a program as context, and what runs it. `stages` is a tuple of
   (kind, callable, code), where kind is 0 for map, 1 for filter and 2 for do, and code the bytes of
   an expression, or None. */
void *pb_program(uintptr_t stages);
void pb_program_free(void *program);
belay_value pb_run_map(void *program, belay_value value);
int pb_run_filter(void *program, belay_value value);
/* Whether a value is none that pb_run_map() has dropped: it answers with a mark then. */
int pb_is_kept(void *ctx, belay_value value);

/* As pb_map(), without a callable: [1, exception] with the exception as an error again. */
belay_value pb_event(void *ctx, belay_value value);

/* A capsule that keeps the value as it is, with what it counts for at its source. */
belay_value pb_hold(void *ctx, belay_value value);

/* Of a record of an observation: [value, old, flags]. */
belay_value pb_change(void *ctx, belay_value record);

/* Callbacks whose context is a callable. */
belay_value pb_map(void *ctx, belay_value value);
int pb_predicate(void *ctx, belay_value value);
int pb_compare(void *ctx, belay_value a, belay_value b);
/* As pb_compare(), without a callable: Python's == */
int pb_equal(void *ctx, belay_value a, belay_value b);
belay_value pb_scan(void *ctx, belay_value accumulated, belay_value value);
belay_value pb_combine(void *ctx, const belay_value *values, size_t count);
belay_value pb_produce(void *ctx);
int pb_attempt(void *ctx, belay_value value);
belay_signal *pb_make_signal(void *ctx);
belay_signal *pb_flat_map(void *ctx, belay_value value);
belay_value pb_group_key(void *ctx, belay_value value);
belay_signal *pb_group_until(void *ctx, belay_value group);
belay_signal *pb_catch(void *ctx, const belay_error *error);
belay_signal *pb_when(void *ctx, belay_signal *events);
belay_error *pb_map_error(void *ctx, const belay_error *error);
belay_disposable *pb_producer(void *ctx, belay_subscriber *subscriber);
/* The callable gets the address of the call. */
int pb_around(void *ctx, belay_invocation *call);
belay_value pb_respond(void *ctx, belay_invocation *call);
/* The callable tells whether it has handled the call. */
int pb_forward(void *ctx, void *object, belay_invocation *call);
void pb_action(void *ctx);
void pb_recursive(void *ctx, belay_recursion *recursion);
void pb_log(void *ctx, const char *line);
void pb_overlap(void *ctx, belay_overlap overlap, const char *source, const char *sender,
                const char *site);
void pb_slow_callback(void *ctx, double seconds, const char *name, const char *site);
void pb_unhandled(void *ctx, const belay_error *error, const char *signal, const char *site);
void pb_owner_event(void *ctx, const belay_owner_event *event);
void pb_notice(void *user_info, const char *name, void *address);
void pb_notice_name(void *ctx, const char *name, void *user_info);
void pb_closed(void *ctx, const belay_open_resource *const *resources, size_t count);
/* The functions of a loop of the program's own: see hosts.c. */
void pb_host_schedule(void *ctx, belay_action_fn action, void *work, belay_free_fn work_free);
void *pb_host_after(void *ctx, double seconds, belay_action_fn action, void *work,
                    belay_free_fn work_free);
void pb_host_cancel(void *ctx, void *timer);
double pb_host_now(void *ctx);
/* `ctx` is an iterator. */
int pb_iterate(void *ctx, belay_value *out);
/* `ctx` is a tuple of callables: (condition, next, result), (make, use), or
   (next, error, completed). */
int pb_generate_condition(void *ctx, belay_value state);
belay_value pb_generate_next(void *ctx, belay_value state);
belay_value pb_generate_result(void *ctx, belay_value state);
belay_disposable *pb_make_resource(void *ctx, void **resource);
belay_signal *pb_use_resource(void *ctx, void *resource);
int pb_stop_at_next(void *ctx, belay_value value);
int pb_stop_at_error(void *ctx, const belay_error *error);
int pb_stop_at_completed(void *ctx);

#endif
