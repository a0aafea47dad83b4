/* Signals by their addresses. A note tells where the address of one has last been given away. An address
   that C has given to a new signal meanwhile may find an old note, which costs that signal a join. */
#include <pthread.h>

#include "internal.h"

typedef struct note {
  struct note *next;
  const void *signal;
  uint64_t environment;
  int is_shared; /* any thread may deliver */
} note;

static note *notes[1024]; /* by their signals */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* The note of a signal; with `lock` held. NULL where there is none. */
static note *find(const void *signal, note ***row) {
  *row = &notes[(uintptr_t)signal / 16 % (sizeof notes / sizeof *notes)];
  note *found = **row;
  while (found && found->signal != signal) found = found->next;
  return found;
}

static void write_down(const void *signal, int is_shared) {
  note **row;
  pthread_mutex_lock(&lock);
  note *found = find(signal, &row);
  if (!found) {
    found = malloc(sizeof *found);
    found->next = *row;
    found->signal = signal;
    *row = found;
  }
  found->environment = bn_environment();
  found->is_shared = is_shared;
  pthread_mutex_unlock(&lock);
}

/* address(signal, is_shared): the address, with a reference for whoever gets it. */
napi_value bn_address(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  belay_signal *signal = belay_signal_retain(bn_signal(&call, 0));
  if (signal) write_down(signal, bn_int(&call, 1));
  napi_value made = NULL;
  napi_create_bigint_uint64(env, (uint64_t)(uintptr_t)signal, &made);
  return bn_end(&call, made);
}

/* adopt(address): a handle that takes that reference over. */
napi_value bn_adopt(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  uint64_t address = 0;
  bool is_exact = false;
  napi_get_value_bigint_uint64(env, call.arguments[0], &address, &is_exact);
  if (!is_exact || !address) { /* the collection of a handle would release it */
    bn_refuse(&call, "not an address");
    return bn_end(&call, NULL);
  }
  return bn_end(&call, bn_made(&call, BN_SIGNAL, (void *)(uintptr_t)address));
}

/* is_delivered_elsewhere(signal): whether another environment, or any thread, may deliver it. */
napi_value bn_is_delivered_elsewhere(napi_env env, napi_callback_info info) {
  bn_call call;
  if (!bn_begin(&call, env, info)) return NULL;
  note **row;
  pthread_mutex_lock(&lock);
  const note *found = find(bn_signal(&call, 0), &row);
  bool is_elsewhere = found && (found->is_shared || found->environment != bn_environment());
  pthread_mutex_unlock(&lock);
  napi_value made = NULL;
  napi_get_boolean(env, is_elsewhere, &made);
  return bn_end(&call, made);
}
