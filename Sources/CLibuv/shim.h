#include <uv.h>

#include <sys/inotify.h>

/* The type of a handle, without a call. The explorer does not watch the read: it does not hear of
   libuv's handles being freed. */
__attribute__((no_sanitize("thread"))) static inline uv_handle_type belay_uv_type(
    const uv_handle_t *handle) {
  return handle->type;
}
