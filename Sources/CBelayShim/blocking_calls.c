// Calls that may block for as long as the system likes, on threads that nothing else waits for.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <string.h>
#include <uv.h>

#include "CBelayShim.h"

enum {
  most_ready = 4,     // threads without those whose call was given up
  most_threads = 64,  // all
  stack_size = 1 << 20
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
// The calls that no thread has begun, in a ring.
static belay_blocking_call waiting = {.next = &waiting, .previous = &waiting};
static int ready, threads;
// How many times the process has been made by a fork, counted along its ancestors.
static uint32_t generation;

static size_t least_stack;

// The GNU library takes the thread-local variables out of a stack, and tells their size by this alone. It is looked
// for here, because dlsym() waits for the loader's lock, whose thread may be waiting for one of ours.
__attribute__((constructor)) static void find_least_stack(void) {
  size_t (*least)(const pthread_attr_t *);
  *(void **)&least = dlsym(RTLD_DEFAULT, "__pthread_get_minstack");
  if (least) least_stack = least(NULL);
}

BELAY_HIDDEN int belay_shim_start_thread(void (*run)(void *), void *argument, size_t stack) {
  uv_thread_options_t options = {UV_THREAD_HAS_STACK_SIZE, stack + least_stack};
  uv_thread_t thread;
  // The program's signals are for its own threads.
  uint64_t before = belay_shim_block_signals();
  int code = uv_thread_create_ex(&thread, &options, run, argument);
  belay_shim_restore_signals(before);
  if (code == 0) pthread_detach(thread);
  return code;
}

// A child has no thread but the one that has forked. A call that its parent had under way never
// ends here.
static void begin_anew(void) {
  lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
  waiting.next = waiting.previous = &waiting;
  ready = threads = 0;
  generation++;
}

static void take_out(belay_blocking_call *call) {
  call->previous->next = call->next;
  call->next->previous = call->previous;
}

// The first that waits, or NULL. The caller holds the lock.
static belay_blocking_call *take_first(void) {
  belay_blocking_call *call = waiting.next;
  if (call == &waiting) return NULL;
  take_out(call);
  call->state = belay_blocking_call_under_way;
  return call;
}

// The caller holds the lock.
static void end(belay_blocking_call *call) {
  call->state = belay_blocking_call_ended;
  call->tell(call);
}

static void make_calls(void *unused) {
  belay_blocking_call *call;
  belay_shim_describe_thread("belay lookup", 0);
  pthread_mutex_lock(&lock);
  while (ready <= most_ready && (call = take_first())) {
    pthread_mutex_unlock(&lock);
    call->run(call);
    pthread_mutex_lock(&lock);
    if (call->state == belay_blocking_call_under_way) {
      end(call);
    } else {
      // Another thread may have come in the place of this one, which then is one too many.
      ready++;
      call->drop(call);
    }
  }
  ready--;
  threads--;
  pthread_mutex_unlock(&lock);
}

// Makes a thread for what waits, if there may be one more. The caller holds the lock.
static void make_thread(void) {
  if (waiting.next == &waiting || ready >= most_ready || threads == most_threads) return;
  int code = belay_shim_start_thread(make_calls, NULL, stack_size);
  if (code == 0) {
    ready++;
    threads++;
  }
  if (ready > 0) return;
  // Nobody comes to it.
  belay_blocking_call *call;
  while ((call = take_first())) {
    call->code = code;
    end(call);
  }
}

BELAY_HIDDEN void belay_shim_send_blocking_call(belay_blocking_call *call) {
  static bool is_told_of_forks;
  pthread_mutex_lock(&lock);
  if (!is_told_of_forks) is_told_of_forks = pthread_atfork(NULL, NULL, begin_anew) == 0;
  call->generation = generation;
  call->next = &waiting;
  call->previous = waiting.previous;
  waiting.previous = call->previous->next = call;
  make_thread();
  pthread_mutex_unlock(&lock);
}

BELAY_HIDDEN bool belay_shim_end_blocking_call(belay_blocking_call *call) {
  pthread_mutex_lock(&lock);
  int state = call->state;
  bool is_running = false;
  if (call->generation == generation) {
    if (state == belay_blocking_call_waiting) take_out(call);
    is_running = state == belay_blocking_call_under_way;
  }
  if (is_running) {
    call->state = belay_blocking_call_given_up;
    ready--;
    make_thread();
  } else {
    call->drop(call);
  }
  pthread_mutex_unlock(&lock);
  return state == belay_blocking_call_ended;
}
