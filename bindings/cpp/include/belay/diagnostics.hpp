// Live counts, misuses and losses; what is being delivered, what overlaps, and what takes long. See
// diagnostics.h.
#ifndef BELAY_DIAGNOSTICS_HPP
#define BELAY_DIAGNOSTICS_HPP

#include <belay/diagnostics.h>
#include <belay/callback.hpp>
#include <belay/time.hpp>
#include <string>
#include <utility>

namespace belay {
namespace detail {

// belay_overlap_fn. An exception of the hook is dropped, because it would come to a sender that has
// done nothing wrong.
template <class F>
void call_overlap_hook(void *ctx, belay_overlap overlap, const char *source, const char *sender,
                       const char *site) noexcept {
  try {
    call(callable<F>(ctx), overlap, source, sender, site);
  } catch (...) {
  }
}

// belay_slow_callback_fn. An exception of the hook is dropped, because the callback that it tells of
// is over.
template <class F>
void call_slow_callback_hook(void *ctx, double time, const char *name, const char *site) noexcept {
  try {
    call(callable<F>(ctx), seconds(time), name, site);
  } catch (...) {
  }
}

}  // namespace detail

// How many of a kind are alive in the process; of all kinds without one.
inline std::size_t live_count(belay_live_kind kind = BELAY_LIVE_KINDS) noexcept {
  return belay_live_count(kind);
}

// "subscriptions", "signals", …; static.
inline const char *live_kind_name(belay_live_kind kind) noexcept {
  return belay_live_kind_name(kind);
}
// Calls so far, in the whole process, that were misuse.
inline std::uint64_t misuse_count() noexcept { return belay_misuse_count(); }
// How many accepted values have not arrived so far, in the whole process.
inline std::uint64_t lost_count() noexcept { return belay_lost_count(); }
// A line for each subscription whose callback runs on this thread, the innermost first.
inline std::string delivery_stack() {
  std::string text(belay_delivery_stack(nullptr, 0), '\0');
  belay_delivery_stack(text.data(), text.size() + 1);
  return text;
}
// The version of the library that runs, as "0.1.0"; static.
inline const char *version() noexcept { return belay_version(); }

// Sets the process's hook for overlaps; see belay_on_overlap(). `hook` is called with the kind, the
// names of the source and of the subscription that sent or null, and the place of the source or
// null.
template <class F>
void on_overlap(F hook) {
  belay_on_overlap(&detail::call_overlap_hook<F>, detail::context(std::move(hook)),
                   &detail::destroy<F>);
}
// Takes the hook away.
inline void on_overlap(std::nullptr_t) { belay_on_overlap(nullptr, nullptr, nullptr); }

// Sets the process's hook for callbacks that take `limit` or longer; see belay_on_slow_callback().
// `hook` is called with the time, the name of the subscription or of the work, and the place that
// made it or null. Throws belay::error for a negative limit.
template <class F>
void on_slow_callback(seconds limit, F hook) {
  detail::check(belay_on_slow_callback(limit.count(), &detail::call_slow_callback_hook<F>,
                                       detail::context(std::move(hook)), &detail::destroy<F>));
}
// Takes the hook away.
inline void on_slow_callback(std::nullptr_t) { belay_on_slow_callback(0, nullptr, nullptr, nullptr); }

}  // namespace belay

#endif
