/* Environments: each has its loop, which it leaves when it ends. */
#include <string.h>

#include "internal.h"

static _Thread_local uint64_t environment;
static _Thread_local bn_home *homes; /* that are on the loop, the youngest first */

uint64_t bn_environment(void) { return environment; }

/* NULL while the environment is ending, and after what has evaluated the package is gone. */
napi_value bn_hook_of(bn_home *home, bn_hook hook) {
  napi_value made = NULL;
  napi_get_reference_value(home->env, home->hooks[hook], &made);
  return made;
}

/* When the loop calls, what JavaScript has left for "after this callback" follows: promises and
   process.nextTick. */
napi_value bn_run(bn_home *home, napi_value function, size_t count, const napi_value *arguments) {
  napi_value receiver = NULL, result = NULL;
  napi_status status;
  if (*home->depth > 0) {
    napi_get_undefined(home->env, &receiver);
    status = napi_call_function(home->env, receiver, function, count, arguments, &result);
  } else {
    /* Of this call alone: AsyncLocalStorage keeps what enterWith() sets in it. */
    napi_create_object(home->env, &receiver);
    status = napi_make_callback(home->env, NULL, receiver, function, count, arguments, &result);
  }
  return status == napi_ok ? result : NULL;
}

static napi_value report(napi_env env, napi_callback_info info);

/* Its handlers run as what the loop calls does, too. */
void bn_report(bn_home *home, napi_value exception) {
  napi_value other = NULL, call = NULL;
  bool has_thrown = false;
  if (*home->depth == 0) {
    if (napi_create_function(home->env, "report", NAPI_AUTO_LENGTH, report, home, &call) == napi_ok)
      bn_run(home, call, 1, &exception);
    return;
  }
  napi_fatal_exception(home->env, exception);
  napi_is_exception_pending(home->env, &has_thrown);
  if (!has_thrown) return;
  napi_get_and_clear_last_exception(home->env, &other);
  napi_throw(home->env, exception);
}

/* What stands for a BelayError where its class is gone. */
static napi_value plain_error(napi_env env, const belay_error *error) {
  napi_value made = NULL, code = NULL, message = NULL;
  napi_create_string_utf8(env, belay_error_name(belay_error_code(error)), NAPI_AUTO_LENGTH, &code);
  napi_create_string_utf8(env, belay_error_message(error), NAPI_AUTO_LENGTH, &message);
  napi_create_error(env, code, message, &made);
  return made;
}

static void on_unhandled(void *ctx, const belay_error *error, const char *signal,
                         const char *site) {
  bn_home *home = ctx;
  napi_handle_scope scope;
  if (napi_open_handle_scope(home->env, &scope) != napi_ok) return;
  napi_value exception = bn_error_to_js(home, error);
  if (!exception && !bn_hook_of(home, BN_MAKE_ERROR)) exception = plain_error(home->env, error);
  if (exception) bn_report(home, exception);
  napi_close_handle_scope(home->env, scope);
  (void)signal, (void)site;
}

/* ---- the end ---- */

/* A home's own handles on the loop. They live until libuv has closed both. */
typedef struct bn_keeper {
  bn_home *home;   /* NULL when it has left */
  uv_async_t kept; /* keeps the loop alive while it is referred to */
  uv_idle_t turn;  /* keeps it alive for two turns */
  int turns, open;
  napi_async_cleanup_hook_handle cleanup;
} bn_keeper;

/* The handles of Belay's loop are closed by now: libuv closes those of a turn together. */
static void on_closed(uv_handle_t *handle) {
  bn_keeper *keeper = handle->data;
  if (--keeper->open > 0) return;
  napi_remove_async_cleanup_hook(keeper->cleanup);
  free(keeper);
}

/* Within a callback of Belay's, which process.exit() never leaves, the close is over only later: it
   frees `home`. */
static void leave(bn_home *home) {
  belay_loop *loop = home->loop;
  bn_home **place = &homes;
  while (*place != home) place = &(*place)->next;
  *place = home->next;
  for (int i = 0; i < BN_HOOKS; i++) {
    napi_delete_reference(home->env, home->hooks[i]);
    home->hooks[i] = NULL;
  }
  napi_delete_reference(home->env, home->exports);
  home->exports = NULL;
  if (home->dropping) *home->dropping = NULL;
  home->keeper->home = NULL;
  uv_close((uv_handle_t *)&home->keeper->kept, on_closed);
  uv_close((uv_handle_t *)&home->keeper->turn, on_closed);
  home->keeper = NULL;
  belay_loop_close(loop, NULL, home, free);
  belay_loop_release(loop);
}

/* Node runs the loop until the hook is removed. The environment ends with the first of its homes.
   From then on bn_enter() asks Belay whether a function is still there: what one home disposes of
   may call a function of another one that has left. */
static void on_cleanup(napi_async_cleanup_hook_handle cleanup, void *ctx) {
  bn_keeper *keeper = ctx;
  environment = 0;
  if (keeper->home) leave(keeper->home);
  (void)cleanup; /* the keeper has it */
}

/* ---- the end of a home alone, as of a vm context's ---- */

void bn_hold(bn_home *home) {
  if (home->references++ == 0) napi_reference_ref(home->env, home->exports, NULL);
}

void bn_let_go(bn_home *home) {
  if (--home->references > 0) return;
  if (home->exports) napi_reference_unref(home->env, home->exports, NULL);
  if (home->is_dropped && home->keeper) uv_async_send(&home->keeper->kept);
}

/* JavaScript cannot call the home's functions any more. A callback of Belay's may be in progress,
   so the home leaves when the loop calls. */
static void on_dropped(napi_env env, void *data, void *hint) {
  bn_home **dropping = data, *home = *dropping;
  free(dropping);
  if (!home) return;
  home->dropping = NULL;
  home->is_dropped = 1;
  if (home->keeper) uv_async_send(&home->keeper->kept);
  (void)env, (void)hint;
}

/* Another home gets the errors that nobody handles, which this one may have taken. */
static void on_kept(uv_async_t *kept) {
  bn_home *home = ((bn_keeper *)kept->data)->home;
  if (!home || !home->is_dropped || home->references > 0) return;
  leave(home);
  if (homes) belay_loop_on_unhandled_error(homes->loop, on_unhandled, homes, NULL);
}

/* ---- the beginning ---- */

/* The turn that has begun when this is started does not count. */
static void on_turn(uv_idle_t *turn) {
  if (++((bn_keeper *)turn->data)->turns == 2) uv_idle_stop(turn);
}

void bn_turn(bn_home *home) {
  if (!home->keeper || !belay_loop_alive(home->loop)) return;
  home->keeper->turns = 0;
  uv_idle_start(&home->keeper->turn, on_turn);
}

static void make_keeper(bn_home *home, uv_loop_t *uv) {
  bn_keeper *keeper = home->keeper = calloc(1, sizeof *keeper);
  uv_async_init(uv, &keeper->kept, on_kept);
  uv_unref((uv_handle_t *)&keeper->kept);
  uv_idle_init(uv, &keeper->turn);
  keeper->kept.data = keeper->turn.data = keeper;
  keeper->open = 2;
  keeper->home = home;
  home->next = homes;
  homes = home;
  napi_add_async_cleanup_hook(home->env, on_cleanup, keeper, &keeper->cleanup);
}

static const char *hook_names[BN_HOOKS] = {"Handle", "wrap", "makeError"};

/* setup(hooks, version of Node's libuv): the loop of this thread, once. */
static napi_value setup(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  bn_home *home = call.home;
  if (home->loop) {
    bn_raise(&call, BELAY_EBUSY);
    return bn_end(&call, NULL);
  }
  for (int i = 0; i < BN_HOOKS; i++) {
    napi_value hook = NULL;
    napi_get_named_property(env, call.arguments[0], hook_names[i], &hook);
    napi_create_reference(env, hook, 0, &home->hooks[i]);
  }
  uv_loop_t *uv = NULL;
  napi_get_uv_event_loop(env, &uv);
  belay_loop_options options = BELAY_INIT(belay_loop_options);
  options.label = "Node";
  options.quiet = 1;
  options.uv_version = (uint32_t)bn_number(&call, 1);
  home->loop = belay_loop_adopt(uv, &options);
  if (!home->loop) {
    bn_raise(&call, BELAY_EINVAL);
    return bn_end(&call, NULL);
  }
  static _Atomic uint64_t last_environment;
  if (!environment) environment = ++last_environment;
  belay_loop_on_unhandled_error(home->loop, on_unhandled, home, NULL);
  make_keeper(home, uv);
  return bn_end(&call, bn_made(&call, BN_LOOP, belay_loop_retain(home->loop)));
}

/* keep(yes): whether the loop waits although it has nothing else to wait for. */
static napi_value keep(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  bool is_kept = false;
  napi_get_value_bool(env, call.arguments[0], &is_kept);
  if (is_kept) uv_ref((uv_handle_t *)&call.home->keeper->kept);
  else uv_unref((uv_handle_t *)&call.home->keeper->kept);
  return bn_end(&call, bn_undefined(&call));
}

/* raise(code): throws that failure. */
static napi_value raise_code(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  bn_raise(&call, bn_int(&call, 0));
  return bn_end(&call, NULL);
}

/* report(exception): one that is nobody's, to the process. */
static napi_value report(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  bn_report(call.home, call.arguments[0]);
  return bn_end(&call, bn_undefined(&call));
}

static const bn_export by_hand[] = {
    {"setup", setup},
    {"keep", keep},
    {"raise", raise_code},
    {"report", report},
    {"subscribe", bn_subscribe},
    {"op_do", bn_op_do},
    {"op_group_by_until", bn_op_group_by_until},
    {"op_number", bn_op_number},
    {"subject_next_numbers", bn_next_numbers},
    {"signal_from_iterator", bn_iterator},
    {"signal_set_name", bn_set_name},
    {"signal_partition", bn_partition},
    {"marbles_expect_subscriptions", bn_marbles_expect_subscriptions},
    {"drawing_written", bn_drawing_written},
    {"owner_create", bn_owner_make},
    {"owner_event_watch", bn_watch},
    {"notice_set", bn_notice},
    {"notice_each", bn_notices},
    {"key", bn_key},
    {"empty_disposable", bn_empty_disposable},
    {"give_back", bn_give_back},
    {"address", bn_address},
    {"adopt", bn_adopt},
    {"is_delivered_elsewhere", bn_is_delivered_elsewhere},
    {"signal_export", bn_signal_export},
    {"signal_import", bn_signal_import},
    {"on_overlap", bn_on_overlap},
    {"on_slow_callback", bn_on_slow_callback},
    {"delivery_stack", bn_delivery_stack},
    {"signal_by_content", bn_signal_by_content},
    {"signals_of", bn_signals_of},
    {"op_frames_delimited", bn_op_frames_delimited},
    {NULL, NULL},
};

static void add(bn_home *home, napi_value exports, const bn_export *functions) {
  for (; functions->name; functions++) {
    napi_value made;
    napi_create_function(home->env, functions->name, NAPI_AUTO_LENGTH, functions->call, home,
                         &made);
    napi_set_named_property(home->env, exports, functions->name, made);
  }
}

/* Memory that JavaScript sees, as an array of that type. The exports keep it. */
static void *share(bn_home *home, napi_value exports, const char *name, napi_typedarray_type type,
                   size_t count, size_t size) {
  void *memory = NULL;
  napi_value buffer, array;
  napi_create_arraybuffer(home->env, count * size, &memory, &buffer);
  napi_create_typedarray(home->env, type, count, buffer, 0, &array);
  napi_set_named_property(home->env, exports, name, array);
  return memory;
}

/* open() -> the functions of the add-on. Each evaluation of the package has its own, with its own
   classes. */
static napi_value open_home(napi_env env, napi_callback_info info) {
  static _Thread_local unsigned depth;
  napi_value exports = NULL;
  bn_home *home = calloc(1, sizeof *home);
  home->env = env;
  home->depth = &depth;
  napi_create_object(env, &exports);
  add(home, exports, by_hand);
  add(home, exports, bn_exports);
  home->received =
      share(home, exports, "received", napi_float64_array, BN_BATCH, sizeof *home->received);
  home->sent = share(home, exports, "sent", napi_float64_array, BN_BATCH, sizeof *home->sent);
  home->given = share(home, exports, "given", napi_uint8_array, 1, sizeof *home->given);
  home->dropping = malloc(sizeof *home->dropping);
  *home->dropping = home;
  napi_create_reference(env, exports, 0, &home->exports);
  napi_add_finalizer(env, exports, home->dropping, on_dropped, NULL, NULL);
  (void)info;
  return exports;
}

NAPI_MODULE_INIT() {
  napi_value open = NULL, global = NULL, map = NULL, modules = NULL;
  napi_ref kept = NULL;
  napi_create_function(env, "open", NAPI_AUTO_LENGTH, open_home, NULL, &open);
  napi_set_named_property(env, exports, "open", open);
  /* lib/modules.js keeps there what the hooks refer to. It is a map of no vm context's. */
  napi_get_global(env, &global);
  napi_get_named_property(env, global, "WeakMap", &map);
  napi_new_instance(env, map, 0, NULL, &modules);
  napi_set_named_property(env, exports, "modules", modules);
  napi_create_reference(env, exports, 1, &kept);
  return exports;
}
