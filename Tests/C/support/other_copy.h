/* A second copy of the library, in a plug-in that links the archive and keeps its symbols to itself. */
#ifndef OTHER_COPY_H
#define OTHER_COPY_H

#include <belay/belay.h>

/* Functions of that copy, for the tests in C, C++ and Rust. `give` exports, `take` imports: `export` is
   a word of C++. */
typedef struct other_copy {
  int (*give)(belay_signal *signal, belay_exchange *exchange);
  belay_signal *(*take)(const belay_exchange *exchange);
  belay_signal *(*create_subject)(const belay_source_options *options);
  int (*next)(belay_signal *subject, belay_value value);
  int (*completed)(belay_signal *subject);
  size_t (*subscribers)(belay_signal *subject);
  void (*release)(belay_signal *signal);
  int (*subscribe)(belay_signal *signal, const belay_observer *observer,
                   belay_disposable **disposable);
  void (*dispose)(belay_disposable *disposable);
  void (*release_disposable)(belay_disposable *disposable);
  belay_loop *(*adopt)(struct uv_loop_s *uv, const belay_loop_options *options);
  int (*close)(belay_loop *loop, belay_closed_fn closed, void *ctx, belay_free_fn ctx_free);
  void (*release_loop)(belay_loop *loop);
  size_t (*live)(belay_live_kind kind);
} other_copy;

const other_copy *other_copy_functions(void);

#endif
