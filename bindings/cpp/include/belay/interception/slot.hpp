// The places of function pointers, whose calls are observed, changed and answered.
#ifndef BELAY_INTERCEPTION_SLOT_HPP
#define BELAY_INTERCEPTION_SLOT_HPP

#include <belay/slot.h>
#include <belay/callback.hpp>
#include <belay/disposable.hpp>
#include <belay/interception/invocation.hpp>
#include <belay/signal.hpp>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace belay {

namespace detail {

// Signals of calls without arguments send nothing but "now".
template <class Types>
auto signal_of_calls(belay_signal *calls) {
  if constexpr (std::tuple_size_v<Types> == 0)
    return signal<value>::adopt(made(calls)).map([](const value &) {});
  else return signal<Types>::adopt(made(calls));
}

}  // namespace detail

namespace detail {

// Has belay_slot_around() or belay_proxy_around() call around(Call &) for each call of `place`.
template <class Call, class Place, class F>
disposable around(int (*install)(Place *, belay_around_fn, void *, belay_free_fn,
                                 belay_disposable **),
                  Place *place, F around) {
  belay_disposable *made = nullptr;
  check(install(
      place,
      [](void *ctx, belay_invocation *raw) noexcept -> int {
        return guarded_int([&] {
          Call lent(any_invocation::retain(raw));
          call_checked(callable<F>(ctx), lent);
          return 0;
        });
      },
      context(std::move(around)), &destroy<F>, &made));
  return disposable::adopt(made);
}

}  // namespace detail

// A slot of a method: the place of one function pointer. Handles that are left after its end do
// nothing.
template <class Method>
class slot
    : public detail::handle<slot<Method>, belay_slot, belay_slot_retain, belay_slot_release> {
 public:
  explicit slot(typename slot::empty) noexcept {}
  using call = invocation<Method>;

  // Sends a tuple of the arguments before each call; a unit where there are none.
  auto sent() const {
    return detail::signal_of_calls<typename Method::types>(belay_slot_sent(this->get()));
  }
  // The same after each call, with the result at the end, unless that is void.
  auto invoked() const {
    using result = std::conditional_t<std::is_void_v<typename Method::result>, std::tuple<>,
                                      std::tuple<detail::boxed_t<typename Method::result>>>;
    using types =
        decltype(std::tuple_cat(std::declval<typename Method::types>(), std::declval<result>()));
    return detail::signal_of_calls<types>(belay_slot_invoked(this->get()));
  }
  // Calls around(call &) in place of the method, on the thread that calls. Without call.proceed()
  // that is a veto. Its exception is recorded for the calling thread. The result ends it; dropping
  // it does not.
  template <class F>
  disposable around(F around) const {
    return detail::around<call>(belay_slot_around, this->get(), std::move(around));
  }
  // Has respond(call &) answer, where there is no original or beside it.
  template <class F>
  disposable respond(F respond) const {
    belay_disposable *made = nullptr;
    detail::check(belay_slot_respond(
        this->get(),
        [](void *ctx, belay_invocation *raw) noexcept -> belay_value {
          return detail::guarded_value([&] {
            call lent(any_invocation::retain(raw));
            return answer([&]() -> decltype(auto) {
              return detail::call_checked(detail::callable<F>(ctx), lent);
            });
          });
        },
        detail::context(std::move(respond)), &detail::destroy<F>, &made));
    return disposable::adopt(made);
  }
  // Calls `function` with the arguments of each call, unboxed, before it.
  template <class F>
  disposable connect(F function) const {
    static_assert(Method::has_shape, "belay: connect() does not take structs by value");
    belay_disposable *made = nullptr;
    detail::check(
        belay_slot_connect(this->get(), Method::connection_text(), Method::template connection<F>(),
                           detail::context(std::move(function)), &detail::destroy<F>, &made));
    return disposable::adopt(made);
  }
  // The answer of calls that nothing answers.
  template <class U = detail::boxed_t<typename Method::result>>
  void set_default(U &&item) const {
    using type = detail::boxed_t<typename Method::result>;
    detail::check(
        belay_slot_set_default(this->get(), detail::give_as<type>(std::forward<U>(item))));
  }
  // Makes one answer of several, which `combine` gets as a std::vector.
  template <class F>
  void set_combiner(F combine) const {
    detail::check(belay_slot_set_combiner(
        this->get(),
        [](void *ctx, const belay_value *answers, std::size_t count) noexcept -> belay_value {
          return detail::guarded_value([&] {
            std::vector<detail::boxed_t<typename Method::result>> all;
            for (std::size_t i = 0; i < count; i++)
              all.push_back(value::retain(answers[i])
                                .template as<detail::boxed_t<typename Method::result>>());
            return answer([&]() -> decltype(auto) {
              return detail::call_checked(detail::callable<F>(ctx), std::as_const(all));
            });
          });
        },
        detail::context(std::move(combine)), &detail::destroy<F>));
  }
  // Lets the first answer count again.
  void set_combiner(std::nullptr_t) const {
    detail::check(belay_slot_set_combiner(this->get(), nullptr, nullptr, nullptr));
  }
  // BELAY_EMISMATCH when somebody else has written there, BELAY_EDEAD when the slot has ended.
  belay::status status() const noexcept { return belay::status(belay_slot_status(this->get())); }
  // The function that would be there without Belay; null when there is none.
  typename Method::function original() const noexcept {
    return reinterpret_cast<typename Method::function>(belay_slot_original(this->get()));
  }

 private:
  template <class Call>
  static belay_value answer(Call &&given) {
    if constexpr (std::is_void_v<decltype(given())>) {
      given();
      return belay_null();
    } else {
      return detail::give_as<detail::boxed_t<typename Method::result>>(given());
    }
  }
};

// Ends the slots of a table, before its memory goes.
inline void table_gone(void *table) { detail::check(belay_table_gone(table)); }

}  // namespace belay

#endif
