#include <uv.h>

#include <sys/inotify.h>

/* The type of a handle, without a call. The explorer does not watch the read: it does not hear of
   libuv's handles being freed. */
__attribute__((no_sanitize("thread"))) static inline uv_handle_type belay_uv_type(
    const uv_handle_t *handle) {
  return handle->type;
}

/* Whether libuv has yet to wait for the child of an open handle. It first waits for all children
   that have ended, which leave the loop's list, and then calls one callback after the other. */
static inline int belay_uv_waits_for(const uv_process_t *process) {
  const void *own = &process->queue, *all = &process->loop->process_handles, *link = own;
  do link = *(const void *const *)link;
  while (link != own && link != all);
  return link == all;
}
