/* What the files of the add-on share. */
#ifndef BELAY_NODE_INTERNAL_H
#define BELAY_NODE_INTERNAL_H

#define NAPI_VERSION 8
#include <belay/testing.h>
#include <node_api.h>
#include <stdlib.h>
#include <uv.h>

/* ---- environments ---- */

/* What JavaScript's side gives to setup(), by name. */
typedef enum bn_hook {
  BN_HANDLE_CLASS, /* the class of objects that stand for a handle, which is their `_handle` */
  BN_WRAP,         /* (kind, external) -> such an object */
  BN_MAKE_ERROR,   /* (errno, code, domain, message, value, cause) -> BelayError */
  BN_HOOKS
} bn_hook;

enum { BN_BATCH = 256 }; /* the largest batch of Belay's */

/* One evaluation of the package in an environment of Node's (the main one, or a Worker's), as a
   user of its loop. Everything in it belongs to the environment's thread. */
struct bn_keeper;
typedef struct bn_home {
  struct bn_home *next; /* of this thread */
  napi_env env;
  belay_loop *loop;
  unsigned *depth; /* the thread's calls of JavaScript's in progress; 0: the loop calls */
  napi_ref hooks[BN_HOOKS]; /* weak: they go with what has evaluated the package */
  /* A batch of numbers that comes, and one that goes, in memory that JavaScript sees as two
     Float64Arrays. */
  double *received, *sent;
  /* A Uint8Array of one, in which a bit tells that Belay has to see all values: a subscription has been
     given away as a value (1), or a hook is set (2, 4). */
  uint8_t *given;
  struct bn_keeper *keeper;
  /* The functions of open(). While something of Belay's refers to something of JavaScript's, the home
     keeps them: it leaves when they are collected. */
  napi_ref exports;
  size_t references;
  struct bn_home **dropping; /* what their finalizer gets, until it has run */
  int is_dropped;
} bn_home;

/* The number of this thread's environment, which no other one has had; 0 where there is none, and from
   its end on. */
uint64_t bn_environment(void);
napi_value bn_hook_of(bn_home *home, bn_hook hook);
/* Count what Belay has of JavaScript's. On the home's thread. */
void bn_hold(bn_home *home);
void bn_let_go(bn_home *home);
/* Lets the loop turn once more where a call from JavaScript has left something to its next turn. */
void bn_turn(bn_home *home);
/* A copy of the text that lives as long as the process, one for equal texts: for labels. */
const char *bn_lasting(const char *text);
/* Calls JavaScript. NULL when it has thrown, and the exception is pending then. */
napi_value bn_run(bn_home *home, napi_value function, size_t count, const napi_value *arguments);
/* Gives the process an exception that is nobody's: an uncaughtException. Where that fails, because no
   stack is left, the exception is thrown instead. */
void bn_report(bn_home *home, napi_value exception);

/* ---- handles ---- */

#define BN_HANDLES(X)                                                                    \
  X(SIGNAL, signal) X(SUBSCRIBER, subscriber) X(DISPOSABLE, disposable) X(BAG, bag)      \
  X(OWNER, owner) X(LOOP, loop) X(SCHEDULER, scheduler) X(PROPERTY, property)            \
  X(COMMAND, command) X(REQUEST, request) X(RECURSION, recursion) X(MARBLES, marbles) X(DRAWING, drawing)

typedef enum bn_kind {
#define BN_KIND(NAME, name) BN_##NAME,
  BN_HANDLES(BN_KIND)
#undef BN_KIND
  BN_KEY, /* a value that stands for a key: the pointer is a belay_value's */
  BN_KINDS
} bn_kind;

/* An external of JavaScript's that holds the reference `pointer`, which it takes over. */
napi_value bn_external(napi_env env, bn_kind kind, void *pointer);
/* The pointer in it, borrowed; NULL for anything else. Any kind, or that one. */
void *bn_pointer(napi_env env, napi_value external, bn_kind *kind);

/* ---- values ---- */

/* A value that refers to something of JavaScript's, which goes on its own thread. */
belay_value bn_reference(bn_home *home, napi_value object);
typedef struct bn_reference_data {
  bn_home *home;
  napi_ref held;
  int is_boxed; /* in an array, for N-API refers to objects alone */
} bn_reference_data;
/* What such a value holds, on the thread of its environment and until anything else is called. NULL
   elsewhere, after the environment's end, and for other values; the code tells why. */
const bn_reference_data *bn_reference_in(belay_value value, int *code);
/* The thing itself. NULL while the environment is ending. */
napi_value bn_referred(const bn_reference_data *reference);

belay_value bn_from_js(bn_home *home, napi_value object); /* never fails */
/* NULL, with the code of the failure in `code`, when it fails. */
napi_value bn_to_js(bn_home *home, belay_value value, int *code);
napi_value bn_array(bn_home *home, const belay_value *values, size_t count, int *code);
/* The same signal, whose arrays and Buffers pass by content. Release the result. */
belay_signal *bn_by_content(belay_signal *signal);
/* The error for an exception. Release the result. */
belay_error *bn_error_from_js(bn_home *home, napi_value exception);
napi_value bn_error_to_js(bn_home *home, const belay_error *error);
/* Takes the pending exception as an error. Release the result. */
belay_error *bn_take_exception(bn_home *home);

/* ---- calls from JavaScript ---- */

enum { BN_ARGUMENTS = 10, BN_ROOMS = 6 };

typedef struct bn_call {
  bn_home *home;
  napi_env env;
  napi_value arguments[BN_ARGUMENTS];
  napi_value exception; /* the first argument that could not be converted, as an exception */
  void *rooms[BN_ROOMS]; /* memory for arguments, freed at the end */
  size_t room_count;
  belay_error *error; /* an argument */
  belay_value lent;   /* an argument */
  belay_source_options source_options;
  belay_queue_options queue_options;
} bn_call;

/* 0 when JavaScript cannot be called. */
int bn_begin(bn_call *call, napi_env env, napi_callback_info info);
/* Throws the exception, if there is one, else returns `result`. */
napi_value bn_end(bn_call *call, napi_value result);

/* Each converts the argument at an index. One that is no such thing becomes NULL or 0 and an
   exception. An argument that is undefined or null becomes NULL. */
int bn_is_given(bn_call *call, size_t index);
void *bn_ctx(bn_call *call, size_t index); /* a bn_function, of a callback; bn_free() frees it */
void bn_free(void *ctx);
#define BN_ARGUMENT(NAME, name)                               \
  belay_##name *bn_##name(bn_call *call, size_t index);
BN_HANDLES(BN_ARGUMENT)
#undef BN_ARGUMENT
belay_disposable **bn_out_disposable(bn_call *call, size_t index); /* the place in empty_disposable()'s */
belay_signal *bn_taken_signal(bn_call *call, size_t index);
belay_signal *const *bn_signals(bn_call *call, size_t index);
const belay_value *bn_values(bn_call *call, size_t index);
size_t bn_count(bn_call *call, size_t index); /* a number, or the length of an array */
belay_value bn_value(bn_call *call, size_t index);
belay_value bn_lent_value(bn_call *call, size_t index);
const belay_error *bn_error(bn_call *call, size_t index);
const char *bn_text(bn_call *call, size_t index);
int bn_int(bn_call *call, size_t index);
int64_t bn_integer(bn_call *call, size_t index);
uint64_t bn_exact(bn_call *call, size_t index); /* a bigint */
double bn_number(bn_call *call, size_t index);
char bn_letter(bn_call *call, size_t index);
const belay_source_options *bn_source_options(bn_call *call, size_t index);
const belay_queue_options *bn_queue_options(bn_call *call, size_t index);

/* Each makes the result. */
napi_value bn_undefined(bn_call *call);
napi_value bn_made(bn_call *call, bn_kind kind, void *given);
napi_value bn_applied(bn_call *call, belay_op *op); /* to the signal that is the first argument */
napi_value bn_code(bn_call *call, int code); /* throws it when it is negative, but EENDED */
napi_value bn_checked(bn_call *call, int code, napi_value result);
napi_value bn_read(bn_call *call, belay_value borrowed);
napi_value bn_taken_over(bn_call *call, belay_value given);
napi_value bn_said(bn_call *call, const char *text);
napi_value bn_counted(bn_call *call, double number);
napi_value bn_exactly(bn_call *call, uint64_t number); /* as a bigint */
/* Calls with such a message throw a TypeError in the end. */
void bn_refuse(bn_call *call, const char *message);
/* Makes the failure that waits on this thread, or else `code`, the call's exception. */
void bn_raise(bn_call *call, int code);

/* ---- calls of JavaScript ---- */

/* A function of JavaScript's that Belay calls. Zeroes are none. */
typedef struct bn_function {
  belay_value value; /* the reference to it */
  /* What that value holds, which can be read without it on the thread of this environment. */
  const bn_reference_data *data;
  uint64_t environment;
  belay_loop *loop; /* that environment's */
} bn_function;

bn_function bn_function_of(bn_home *home, napi_value function);
void bn_function_release(bn_function *function);
int bn_is_function(const bn_function *function);

typedef struct bn_callback {
  bn_home *home; /* NULL when JavaScript cannot be called here, or an argument is not for it */
  bn_home *entered;
  int code; /* why */
  const bn_function *elsewhere; /* the function, where it belongs to another thread */
  napi_handle_scope scope;
  napi_value function;
  napi_value few[8], *arguments;
  belay_value kept[4]; /* the arguments instead, for that thread */
  size_t count;
} bn_callback;

void bn_enter(bn_callback *call, void *ctx, size_t count);
void bn_give_value(bn_callback *call, belay_value value);
void bn_give_values(bn_callback *call, const belay_value *values, size_t count); /* as an array */
void bn_give_error(bn_callback *call, const belay_error *error);
void bn_give_signal(bn_callback *call, belay_signal *signal);
void bn_give_subscriber(bn_callback *call, belay_subscriber *subscriber);
void bn_give_recursion(bn_callback *call, belay_recursion *recursion);
void bn_give_text(bn_callback *call, const char *text);
/* Each calls, and ends what bn_enter() began. An exception becomes the failure of its kind. */
int bn_answer_truth(bn_callback *call);
void bn_answer_event(bn_callback *call); /* of an observer's `next` */
/* Reads an item of what the call has answered: 1, 0 for none, negative when JavaScript has thrown. */
typedef int (*bn_read_item)(bn_home *home, napi_value result, belay_value *out);
int bn_answer_item(bn_callback *call, bn_read_item read, belay_value *out);
belay_value bn_answer_value(bn_callback *call);
belay_signal *bn_answer_signal(bn_callback *call);
belay_disposable *bn_answer_disposable(bn_callback *call);
belay_error *bn_answer_error(bn_callback *call);
/* An exception is nobody's: it goes to the process. A function of another thread is called at a later
   turn of its own loop. */
void bn_answer_nothing(bn_callback *call);

/* ---- the functions of the add-on ---- */

typedef struct bn_export {
  const char *name;
  napi_callback call;
} bn_export;
extern const bn_export bn_exports[]; /* functions.c */
napi_value bn_subscribe(napi_env env, napi_callback_info info);
napi_value bn_op_do(napi_env env, napi_callback_info info);
napi_value bn_op_group_by_until(napi_env env, napi_callback_info info);
napi_value bn_op_number(napi_env env, napi_callback_info info);
napi_value bn_next_numbers(napi_env env, napi_callback_info info);
napi_value bn_iterator(napi_env env, napi_callback_info info);
napi_value bn_set_name(napi_env env, napi_callback_info info);
napi_value bn_partition(napi_env env, napi_callback_info info);
napi_value bn_marbles_expect_subscriptions(napi_env env, napi_callback_info info);
napi_value bn_drawing_written(napi_env env, napi_callback_info info);
napi_value bn_owner_make(napi_env env, napi_callback_info info);
napi_value bn_watch(napi_env env, napi_callback_info info);
napi_value bn_notice(napi_env env, napi_callback_info info);
napi_value bn_notices(napi_env env, napi_callback_info info);
napi_value bn_key(napi_env env, napi_callback_info info);
napi_value bn_empty_disposable(napi_env env, napi_callback_info info);
napi_value bn_give_back(napi_env env, napi_callback_info info);
napi_value bn_address(napi_env env, napi_callback_info info);
napi_value bn_adopt(napi_env env, napi_callback_info info);
napi_value bn_is_delivered_elsewhere(napi_env env, napi_callback_info info);
napi_value bn_signal_export(napi_env env, napi_callback_info info);
napi_value bn_signal_import(napi_env env, napi_callback_info info);
napi_value bn_on_overlap(napi_env env, napi_callback_info info);
napi_value bn_on_slow_callback(napi_env env, napi_callback_info info);
napi_value bn_delivery_stack(napi_env env, napi_callback_info info);
napi_value bn_signals_of(napi_env env, napi_callback_info info);
napi_value bn_signal_by_content(napi_env env, napi_callback_info info);
napi_value bn_op_frames_delimited(napi_env env, napi_callback_info info);

#endif
