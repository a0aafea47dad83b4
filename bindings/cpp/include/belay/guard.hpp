// Guarded objects: writes to fields that bypass Belay are found. See guard.h, whose functions are in
// libbelay-testing.
//
//   const belay::owner ann = belay::guarded<person>(people);
//   static_cast<person *>(ann.object())->age = 21;   // reported
#ifndef BELAY_GUARD_HPP
#define BELAY_GUARD_HPP

#include <belay/guard.h>
#include <belay/object.hpp>
#include <new>
#include <utility>

namespace belay {
namespace detail {

// belay_object_fn
template <class T>
void destroy_guarded(void *object) noexcept {
  static_cast<T *>(object)->~T();
}

// belay_unannounced_write_fn
template <class F>
void call_write_hook(void *ctx, const belay_unannounced_write *write) noexcept {
  call(callable<F>(ctx), *write);
}

}  // namespace detail

// The owner of a new T, made of `arguments`, whose type has its fields. It is guarded until it dies
// with the last reference to the owner.
template <class T, class... A>
owner guarded(const object_type &type, A &&...arguments) {
  static_assert(!std::is_base_of_v<owner_base, T>,
                "belay: a guarded object is made with its owner: its class has no owner_base");
  void *memory = detail::made(belay_guarded_create(sizeof(T)));
  try {
    new (memory) T(std::forward<A>(arguments)...);
  } catch (...) {
    belay_guarded_destroy(memory);
    throw;
  }
  const owner made(memory, &detail::destroy_guarded<T>, &belay_guarded_destroy);
  set_type(made, type);
  detail::check(belay_object_guard(made.get()));
  return made;
}

// Sets the process's hook for unannounced writes; see belay_on_unannounced_write(). `hook` is called
// with a const belay_unannounced_write &, in a handler of SIGSEGV: it may only do what is
// async-signal-safe, and not throw.
template <class F>
void on_unannounced_write(F hook) {
  detail::check(belay_on_unannounced_write(
      &detail::call_write_hook<F>, detail::context(std::move(hook)), &detail::destroy<F>));
}
// Takes the hook away: each is printed.
inline void on_unannounced_write(std::nullptr_t) {
  detail::check(belay_on_unannounced_write(nullptr, nullptr, nullptr));
}
// How many the process has made.
inline std::uint64_t unannounced_write_count() noexcept { return belay_unannounced_write_count(); }

}  // namespace belay

#endif
