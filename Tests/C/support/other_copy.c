#include "other_copy.h"

static const other_copy functions = {
    .give = belay_signal_export,
    .take = belay_signal_import,
    .create_subject = belay_subject_create,
    .next = belay_subject_next,
    .completed = belay_subject_completed,
    .subscribers = belay_subject_count,
    .release = belay_signal_release,
    .subscribe = belay_signal_subscribe,
    .dispose = belay_disposable_dispose,
    .release_disposable = belay_disposable_release,
    .adopt = belay_loop_adopt,
    .close = belay_loop_close,
    .release_loop = belay_loop_release,
    .live = belay_live_count,
};

__attribute__((visibility("default"))) const other_copy *other_copy_functions(void) {
  return &functions;
}
