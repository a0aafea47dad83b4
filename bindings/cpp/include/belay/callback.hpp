// How C calls what C++ was given: the context is the callable itself, made on the heap and deleted
// by `ctx_free`. C calls a function that is made for its type: it reads the values, calls the
// callable, and lets no exception out.
#ifndef BELAY_CALLBACK_HPP
#define BELAY_CALLBACK_HPP

#include <belay/operator.h>
#include <belay/callable.hpp>
#include <belay/error.hpp>
#include <type_traits>
#include <utility>

namespace belay {

template <class T>
class signal;

namespace detail {

// ---- signals ----

template <class T>
T item_of_signal(const signal<T> &);

// The T of a signal<T>, or of a class that derives from one. Other types have no `type`.
template <class S, class = void>
struct item_sent_by {
  static constexpr bool is_signal = false;
};
template <class S>
struct item_sent_by<S, std::void_t<decltype(item_of_signal(std::declval<const S &>()))>> {
  static constexpr bool is_signal = true;
  using type = decltype(item_of_signal(std::declval<const S &>()));
};
template <class S>
using sent_by = typename item_sent_by<S>::type;
template <class S>
constexpr bool sends = item_sent_by<std::decay_t<S>>::is_signal;
// The same for the result of a callable; unit if that is no signal, which give_signal() refuses.
template <class S>
using made_signal = std::conditional_t<sends<S>, item_sent_by<std::decay_t<S>>, sent<void>>;
// The item of the signal that F returns for Ts.
template <class F, class... T>
using made_by = typename made_signal<result_t<F, T...>>::type;

// ---- contexts ----

template <class F>
void *context(F &&callable) {
  return new std::decay_t<F>(std::forward<F>(callable));
}
template <class F>
void destroy(void *ctx) noexcept {
  delete static_cast<F *>(ctx);
}
template <class F>
F &callable(void *ctx) noexcept {
  return *static_cast<F *>(ctx);
}

// Calls it, and gives its result as a value; nothing is the null value.
template <class Call>
belay_value give_result(Call &&call) {
  if constexpr (std::is_void_v<decltype(call())>) {
    call();
    return belay_null();
  } else {
    return give(call());
  }
}

// ---- edges: no exception gets past them ----

// These handle the exception that is being handled. They are functions of their own, so that little
// of them is compiled for each callable.
BELAY_COLD_ inline belay_value fail_value() noexcept {
  return belay_value_failure_with(error::current().get());
}
BELAY_COLD_ inline int fail() noexcept { return belay_fail_with(error::current().get()); }
BELAY_COLD_ inline void fail_nowhere(const char *what) noexcept { report(error::current(), what); }

template <class Body>
belay_value guarded_value(Body &&body) noexcept {
  try {
    return body();
  } catch (...) {
    return fail_value();
  }
}
template <bool Nothrow = false, class Body>
int guarded_int(Body &&body) noexcept {
  if constexpr (Nothrow) {
    return body();
  } else {
    try {
      return body();
    } catch (...) {
      return fail();
    }
  }
}
template <class Body>
auto guarded_handle(Body &&body) noexcept -> decltype(body()) {
  try {
    return body();
  } catch (...) {
    fail();
    return nullptr;
  }
}
// For a callback after which there is no event any more.
template <bool Nothrow = false, class Body>
void guarded(const char *what, Body &&body) noexcept {
  if constexpr (Nothrow) {
    body();
  } else {
    try {
      body();
    } catch (...) {
      fail_nowhere(what);
    }
  }
}

// ---- functions of C's types ----

// A value that holds a number in its own words, as most do, is read in place. Any other is read by
// functions of their own, the cold ones, so that the usual way has nothing to keep for theirs.

// Calls a callable with one value that is to be a T.
template <class F, class T>
result_t<F, T> call_with(void *ctx, belay_value v) {
  const reader_t<T> reader(v);
  expect<T>(reader, v);
  return call_reading<F, T>(callable<F>(ctx), std::index_sequence<0>(), reader);
}

// belay_map_fn
template <class F, class T>
belay_value call_map_reading(void *ctx, belay_value v) noexcept {
  return guarded_value(
      [&] { return give_result([&]() -> result_t<F, T> { return call_with<F, T>(ctx, v); }); });
}
template <class F, class T>
BELAY_COLD_ belay_value call_map_converting(void *ctx, belay_value v) noexcept {
  return call_map_reading<F, T>(ctx, v);
}
template <class F, class T>
belay_value call_map(void *ctx, belay_value v) noexcept {
  if constexpr (may_be_own<T> && call_t<F, T>::is_good) {
    if (!codec<T>::is_own(v)) return call_map_converting<F, T>(ctx, v);
    return guarded_value([&] {
      return give_result(
          [&]() -> result_t<F, T> { return call(callable<F>(ctx), codec<T>::own(v)); });
    });
  } else {
    return call_map_reading<F, T>(ctx, v);
  }
}

// belay_map_fn whose result becomes an S: the next state, an answer.
template <class F, class T, class S = T>
belay_value call_state(void *ctx, belay_value v) noexcept {
  return guarded_value([&] {
    if constexpr (call_t<F, T>::is_good) return give_as<S>(call_with<F, T>(ctx, v));
    else return give(call_with<F, T>(ctx, v));
  });
}

// A function of C that returns an int answers whether a predicate said yes, or always 0.
enum class asks { no, yes };
template <class R, bool IsTold>
constexpr bool is_answer() {
  static_assert(std::is_constructible_v<bool, R> || IsTold,
                "belay: the callable must return a bool");
  return std::is_constructible_v<bool, R>;
}
template <asks Asks, bool IsTold, class Call>
int answer(Call &&call) {
  if constexpr (Asks == asks::no) {
    call();
    return 0;
  } else if constexpr (is_answer<decltype(call()), IsTold>()) {
    return static_cast<bool>(call()) ? 1 : 0;
  } else {
    return 0;
  }
}
template <asks Asks, class F, class T>
int call_int_reading(void *ctx, belay_value v) noexcept {
  return guarded_int([&] {
    return answer<Asks, !call_t<F, T>::is_good>(
        [&]() -> result_t<F, T> { return call_with<F, T>(ctx, v); });
  });
}
template <asks Asks, class F, class T>
BELAY_COLD_ int call_int_converting(void *ctx, belay_value v) noexcept {
  return call_int_reading<Asks, F, T>(ctx, v);
}
// Always inlined, early: else the value would go through memory.
template <asks Asks, class F, class T>
[[gnu::always_inline]] inline int call_int(void *ctx, belay_value v) noexcept {
  if constexpr (may_be_own<T> && call_t<F, T>::is_good) {
    if (!codec<T>::is_own(v)) return call_int_converting<Asks, F, T>(ctx, v);
    return guarded_int<call_t<F, T>::is_nothrow>([&] {
      return answer<Asks, false>(
          [&]() -> result_t<F, T> { return call(callable<F>(ctx), codec<T>::own(v)); });
    });
  } else {
    return call_int_reading<Asks, F, T>(ctx, v);
  }
}

// belay_predicate_fn
template <class F, class T>
int call_predicate(void *ctx, belay_value v) noexcept {
  return call_int<asks::yes, F, T>(ctx, v);
}
// belay_attempt_fn, and an observer's `next`, which fails by recording it
template <class F, class T>
int call_attempt(void *ctx, belay_value v) noexcept {
  return call_int<asks::no, F, T>(ctx, v);
}

// belay_equal_fn, belay_less_fn
template <class F, class T>
int call_compare(void *ctx, belay_value a, belay_value b) noexcept {
  return guarded_int([&] {
    const reader_t<T> one(a), other(b);
    expect<T>(one, a);
    expect<T>(other, b);
    return answer<asks::yes, !call_t<F, T, T>::is_good>([&]() -> result_t<F, T, T> {
      return call_reading<F, T, T>(callable<F>(ctx), std::index_sequence<0, 1>(), one, other);
    });
  });
}

// belay_scan_fn
template <class F, class A, class T>
belay_value call_scan(void *ctx, belay_value accumulated, belay_value v) noexcept {
  return guarded_value([&] {
    const reader_t<A> one(accumulated);
    const reader_t<T> other(v);
    expect<A>(one, accumulated);
    expect<T>(other, v);
    const auto made = [&]() -> result_t<F, A, T> {
      return call_reading<F, A, T>(callable<F>(ctx), std::index_sequence<0, 1>(), one, other);
    };
    if constexpr (call_t<F, A, T>::is_good) return give_as<A>(made());
    else return give(made());
  });
}

// belay_combine_fn
template <class F, class... T, std::size_t... I>
belay_value combine(F &f, const belay_value *values, std::index_sequence<I...> indices) {
  const readers<T...> all(values);
  std::size_t wrong = 0;
  const int code = all.code(wrong);
  if (code < 0)
    throw error(code, "a value of kind " +
                          std::string(belay_kind_name(belay_value_kind(values[wrong]))) +
                          " among those to combine");
  return give_result([&]() -> result_t<F, T...> {
    return call_reading<F, T...>(f, indices, std::get<I>(all.all())...);
  });
}
template <class F, class... T>
belay_value call_combine(void *ctx, const belay_value *values, std::size_t count) noexcept {
  return guarded_value([&] {
    if (count != sizeof...(T))
      throw error(BELAY_EKIND, "an array of another length than the callable has parameters");
    return combine<F, T...>(callable<F>(ctx), values, std::index_sequence_for<T...>());
  });
}

// belay_action_fn
template <class F>
void call_action(void *ctx) noexcept {
  guarded<std::is_nothrow_invocable_v<F &>>("an action", [&] { call_checked(callable<F>(ctx)); });
}

// Calls a callable that returns a signal. `IsTold`: the compiler has refused the callable already.
template <bool IsTold = false, class Call>
belay_signal *give_signal(Call &&made) noexcept {
  static_assert(sends<decltype(made())> || IsTold, "belay: the callable must return a signal");
  return guarded_handle([&]() -> belay_signal * {
    if constexpr (sends<decltype(made())>) return made().release();
    else return nullptr;
  });
}
// belay_flat_map_fn and the like, which make a signal of a value.
template <class F, class T>
belay_signal *call_flat_map(void *ctx, belay_value v) noexcept {
  return give_signal<!call_t<F, T>::is_good>(
      [&]() -> result_t<F, T> { return call_with<F, T>(ctx, v); });
}

// The hooks for errors that nobody handles, belay_unhandled_fn. An exception of the hook is
// dropped, for only this hook would hear of it.
template <class F>
void call_hook(void *ctx, const belay_error *failure, const char *signal,
               const char *site) noexcept {
  try {
    call(callable<F>(ctx), error::retain(failure), signal, site);
  } catch (...) {
  }
}

}  // namespace detail

template <class F>
void on_unhandled_error(F hook) {
  belay_on_unhandled_error(&detail::call_hook<F>, detail::context(std::move(hook)),
                           &detail::destroy<F>);
}

}  // namespace belay

#endif
