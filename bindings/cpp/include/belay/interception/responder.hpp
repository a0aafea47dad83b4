// How the methods of an object are found when they are called.
#ifndef BELAY_INTERCEPTION_RESPONDER_HPP
#define BELAY_INTERCEPTION_RESPONDER_HPP

#include <belay/responder.h>
#include <belay/interception/interface.hpp>
#include <belay/owner.hpp>
#include <type_traits>
#include <utility>

namespace belay {

namespace detail {

struct no_callable {};
template <class Resolve, class Target, class Forward>
struct responding {
  Resolve resolve;
  Target target;
  Forward forward;
};

}  // namespace detail

// How the methods of an object are found when they are called. Begun by responder(); each call
// gives a new one with one more part.
template <class Resolve = detail::no_callable, class Target = detail::no_callable,
          class Forward = detail::no_callable>
class responder_of {
 public:
  explicit responder_of(detail::responding<Resolve, Target, Forward> parts = {},
                        belay_interface *interface = nullptr, const void *table = nullptr)
      : parts_(std::move(parts)), interface_(interface), table_(table) {}

  // 1. The functions of a table, which has to live as long as the object.
  template <class Table>
  responder_of table(const belay::interface<Table> &of, const Table &functions) && {
    interface_ = of.get();
    table_ = &functions;
    return std::move(*this);
  }
  // 2. resolve(const char *method) returns a belay_function with the method's shape, or null.
  template <class F>
  responder_of<F, Target, Forward> resolve(F f) && {
    return with<F, Target, Forward>(std::move(f), std::move(parts_.target),
                                    std::move(parts_.forward));
  }
  // 3. target(const char *method) returns a `const belay::owner *` that is asked in place of this
  // object, or null. The owner has to outlive the call.
  template <class F>
  responder_of<Resolve, F, Forward> target(F f) && {
    return with<Resolve, F, Forward>(std::move(parts_.resolve), std::move(f),
                                     std::move(parts_.forward));
  }
  // 4. forward(any_invocation &) handles a call, and returns whether it has.
  template <class F>
  responder_of<Resolve, Target, F> forward(F f) && {
    return with<Resolve, Target, F>(std::move(parts_.resolve), std::move(parts_.target),
                                    std::move(f));
  }

  // Gives it to the object of an owner, in the place of the one before.
  void set(const owner &object) && {
    using parts = detail::responding<Resolve, Target, Forward>;
    belay_responder raw = {};
    raw.size = sizeof raw;
    raw.interface = interface_;
    raw.table = table_;
    if constexpr (!std::is_same_v<Resolve, detail::no_callable>)
      raw.resolve = [](void *ctx, void *, const char *method) noexcept -> belay_function {
        return detail::guarded_handle([&]() -> belay_function {
          return detail::call_checked(detail::callable<parts>(ctx).resolve, method);
        });
      };
    if constexpr (!std::is_same_v<Target, detail::no_callable>)
      raw.target = [](void *ctx, void *, const char *method) noexcept -> belay_owner * {
        return detail::guarded_handle([&]() -> belay_owner * {
          const owner *other = detail::call_checked(detail::callable<parts>(ctx).target, method);
          return other ? other->get() : nullptr;
        });
      };
    if constexpr (!std::is_same_v<Forward, detail::no_callable>)
      raw.forward = [](void *ctx, void *, belay_invocation *call) noexcept -> int {
        return detail::guarded_int([&] {
          any_invocation lent = any_invocation::retain(call);
          return detail::call_checked(detail::callable<parts>(ctx).forward, lent)
                     ? 0
                     : static_cast<int>(BELAY_ENOENT);
        });
      };
    raw.ctx = detail::context(std::move(parts_));
    raw.ctx_free = &detail::destroy<parts>;
    detail::check(belay_object_set_responder(object.get(), &raw));
  }

 private:
  template <class R, class T, class F>
  responder_of<R, T, F> with(R resolve, T target, F forward) const {
    return responder_of<R, T, F>({std::move(resolve), std::move(target), std::move(forward)},
                                 interface_, table_);
  }
  detail::responding<Resolve, Target, Forward> parts_;
  belay_interface *interface_;
  const void *table_;
};
inline responder_of<> responder() { return responder_of<>(); }

// Whether the object has the method, by its table, resolve or target.
inline bool responds(const owner &object, const char *method) noexcept {
  return belay_object_responds(object.get(), method) != 0;
}

}  // namespace belay

#endif
