// How C calls what C++ was given: the context is the callable itself, made on the heap and deleted
// by `ctx_free`; what is called is a function made for its type, which reads the values, calls it,
// and lets no exception out.
#ifndef BELAY_CALLBACK_HPP
#define BELAY_CALLBACK_HPP

#include <belay/operator.h>
#include <belay/codec.hpp>
#include <functional>
#include <type_traits>
#include <utility>

namespace belay {

template <class T>
class signal;

namespace detail {

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

// ---- what a callable gets ----

// The types of a callable's parameters, where they are not the callable's own templates.
template <class F, class = void>
struct parameters {
  using types = std::tuple<>;
};
template <class R, class... A>
struct parameters<R (*)(A...), void> {
  using types = std::tuple<A...>;
};
template <class R, class... A>
struct parameters<R (*)(A...) noexcept, void> {
  using types = std::tuple<A...>;
};
template <class Call>
struct call_parameters;
template <class R, class C, class... A>
struct call_parameters<R (C::*)(A...)> : parameters<R (*)(A...)> {};
template <class R, class C, class... A>
struct call_parameters<R (C::*)(A...) const> : parameters<R (*)(A...)> {};
template <class R, class C, class... A>
struct call_parameters<R (C::*)(A...) noexcept> : parameters<R (*)(A...)> {};
template <class R, class C, class... A>
struct call_parameters<R (C::*)(A...) const noexcept> : parameters<R (*)(A...)> {};
template <class F>
struct parameters<F, std::void_t<decltype(&F::operator())>>
    : call_parameters<decltype(&F::operator())> {};

template <class Types, std::size_t I, class = void>
constexpr bool is_view = false;
template <class Types, std::size_t I>
constexpr bool is_view<Types, I, std::enable_if_t<(I < std::tuple_size_v<Types>)>> =
    std::is_same_v<std::decay_t<std::tuple_element_t<I, Types>>, std::string_view>;

// What the I-th parameter of F is called with for a T: what the reader gives, or a string's text
// without a copy, if it wants just that.
template <class F, std::size_t I, class T>
constexpr bool wants_view =
    is_view<typename parameters<std::decay_t<F>>::types, I> &&std::is_same_v<T, std::string>;
template <class F, std::size_t I, class T>
using argument_t = std::conditional_t<wants_view<F, I, T>, std::string_view, passed_t<T>>;

template <class F, std::size_t I, class T>
argument_t<F, I, T> argument(const reader_t<T> &reader) {
  if constexpr (wants_view<F, I, T>) return reader.view();
  else return reader.get();
}

// ---- what a call gives ----

template <class F, class Indices, class... T>
struct call_of;
template <class F, std::size_t... I, class... T>
struct call_of<F, std::index_sequence<I...>, T...> {
  static_assert(std::is_invocable_v<F &, argument_t<F, I, T>...>,
                "the callable cannot be called with what the signal sends");
  using result = std::invoke_result_t<F &, argument_t<F, I, T>...>;
  static constexpr bool is_nothrow = std::is_nothrow_invocable_v<F &, argument_t<F, I, T>...>;
};
// Classes, not aliases: what an alias hides is written out in the names of functions.
template <class F, class... T>
struct call_t : call_of<std::decay_t<F>, std::index_sequence_for<T...>, T...> {};
// What it returns for Ts, and the item that this is in a signal; nothing is unit.
template <class F, class... T>
using result_t = typename call_t<F, T...>::result;
template <class R>
struct sent {
  using type = item_t<R>;
};
template <>
struct sent<void> {
  using type = unit;
};
template <class R>
using sent_t = typename sent<R>::type;
template <class F, class... T>
struct result_item {
  using type = sent_t<result_t<F, T...>>;
};
template <class F, class... T>
using result_item_t = typename result_item<F, T...>::type;

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

template <class Body>
belay_value guarded_value(Body &&body) noexcept {
  try {
    return body();
  } catch (...) {
    return belay_value_failure_with(error::current().get());
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
      return belay_fail_with(error::current().get());
    }
  }
}
template <class Body>
auto guarded_handle(Body &&body) noexcept -> decltype(body()) {
  try {
    return body();
  } catch (...) {
    belay_fail_with(error::current().get());
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
      report(error::current(), what);
    }
  }
}

// ---- functions of C's types ----

// A value that holds a number in its own words, as most do, is read in place. Any other is read by
// functions of their own, the cold ones, so that the usual way has nothing to keep for theirs.

// Fails with a value that is no T.
template <class T>
BELAY_COLD_ int fail_mismatch(belay_value v, int code) noexcept {
  return belay_fail_with(mismatch<T>(v, code).get());
}

// belay_map_fn
template <class F, class T>
belay_value call_map_reading(void *ctx, belay_value v) noexcept {
  return guarded_value([&] {
    const reader_t<T> reader(v);
    if (reader.code() < 0) throw mismatch<T>(v, reader.code());
    return give_result([&]() -> result_t<F, T> {
      return std::invoke(callable<F>(ctx), argument<F, 0, T>(reader));
    });
  });
}
template <class F, class T>
BELAY_COLD_ belay_value call_map_converting(void *ctx, belay_value v) noexcept {
  return call_map_reading<F, T>(ctx, v);
}
template <class F, class T>
belay_value call_map(void *ctx, belay_value v) noexcept {
  if constexpr (may_be_own<T>) {
    if (!codec<T>::is_own(v)) return call_map_converting<F, T>(ctx, v);
    return guarded_value([&] {
      return give_result(
          [&]() -> result_t<F, T> { return std::invoke(callable<F>(ctx), codec<T>::own(v)); });
    });
  } else {
    return call_map_reading<F, T>(ctx, v);
  }
}

// belay_predicate_fn
template <class F, class T>
int call_predicate_reading(void *ctx, belay_value v) noexcept {
  const reader_t<T> reader(v);
  if (reader.code() < 0) return fail_mismatch<T>(v, reader.code());
  return guarded_int<call_t<F, T>::is_nothrow>([&] {
    return static_cast<bool>(std::invoke(callable<F>(ctx), argument<F, 0, T>(reader))) ? 1 : 0;
  });
}
template <class F, class T>
BELAY_COLD_ int call_predicate_converting(void *ctx, belay_value v) noexcept {
  return call_predicate_reading<F, T>(ctx, v);
}
template <class F, class T>
int call_predicate(void *ctx, belay_value v) noexcept {
  if constexpr (may_be_own<T>) {
    if (!codec<T>::is_own(v)) return call_predicate_converting<F, T>(ctx, v);
    return guarded_int<call_t<F, T>::is_nothrow>(
        [&] { return static_cast<bool>(std::invoke(callable<F>(ctx), codec<T>::own(v))) ? 1 : 0; });
  } else {
    return call_predicate_reading<F, T>(ctx, v);
  }
}

// belay_attempt_fn, and an observer's `next`, which fails by recording it
template <class F, class T>
int call_attempt_reading(void *ctx, belay_value v) noexcept {
  const reader_t<T> reader(v);
  if (reader.code() < 0) return fail_mismatch<T>(v, reader.code());
  return guarded_int<call_t<F, T>::is_nothrow>([&] {
    std::invoke(callable<F>(ctx), argument<F, 0, T>(reader));
    return 0;
  });
}
template <class F, class T>
BELAY_COLD_ int call_attempt_converting(void *ctx, belay_value v) noexcept {
  return call_attempt_reading<F, T>(ctx, v);
}
template <class F, class T>
int call_attempt(void *ctx, belay_value v) noexcept {
  if constexpr (may_be_own<T>) {
    if (!codec<T>::is_own(v)) return call_attempt_converting<F, T>(ctx, v);
    return guarded_int<call_t<F, T>::is_nothrow>([&] {
      std::invoke(callable<F>(ctx), codec<T>::own(v));
      return 0;
    });
  } else {
    return call_attempt_reading<F, T>(ctx, v);
  }
}

// belay_equal_fn, belay_less_fn
template <class F, class T>
int call_compare(void *ctx, belay_value a, belay_value b) noexcept {
  return guarded_int([&] {
    const reader_t<T> one(a), other(b);
    if (one.code() < 0) throw mismatch<T>(a, one.code());
    if (other.code() < 0) throw mismatch<T>(b, other.code());
    return static_cast<bool>(
               std::invoke(callable<F>(ctx), argument<F, 0, T>(one), argument<F, 1, T>(other)))
               ? 1
               : 0;
  });
}

// belay_scan_fn
template <class F, class A, class T>
belay_value call_scan(void *ctx, belay_value accumulated, belay_value v) noexcept {
  return guarded_value([&] {
    const reader_t<A> one(accumulated);
    const reader_t<T> other(v);
    if (one.code() < 0) throw mismatch<A>(accumulated, one.code());
    if (other.code() < 0) throw mismatch<T>(v, other.code());
    return codec<A>::give(static_cast<A>(
        std::invoke(callable<F>(ctx), argument<F, 0, A>(one), argument<F, 1, T>(other))));
  });
}

// belay_combine_fn
template <class F, class... T, std::size_t... I>
belay_value combine(F &f, const belay_value *values, std::index_sequence<I...>) {
  const readers<T...> all(values);
  std::size_t wrong = 0;
  const int code = all.code(wrong);
  if (code < 0)
    throw error(code, "a value of kind " +
                          std::string(belay_kind_name(belay_value_kind(values[wrong]))) +
                          " among those to combine");
  return give_result([&]() -> result_t<F, T...> {
    return std::invoke(f, argument<F, I, T>(std::get<I>(all.all()))...);
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
  guarded<std::is_nothrow_invocable_v<F &>>("an action", [&] { std::invoke(callable<F>(ctx)); });
}

// belay_flat_map_fn and the like: what makes a signal of a value.
template <class F, class T>
belay_signal *call_flat_map(void *ctx, belay_value v) noexcept {
  return guarded_handle([&]() -> belay_signal * {
    const reader_t<T> reader(v);
    if (reader.code() < 0) throw mismatch<T>(v, reader.code());
    return std::invoke(callable<F>(ctx), argument<F, 0, T>(reader)).release();
  });
}

}  // namespace detail

template <class F>
void on_unhandled_error(F hook) {
  belay_on_unhandled_error(
      [](void *ctx, const belay_error *failure, const char *signal, const char *site) {
        // An exception of the hook is dropped, for only this hook would hear of it.
        try {
          std::invoke(detail::callable<F>(ctx), error::borrow(failure), signal, site);
        } catch (...) {
        }
      },
      detail::context(std::move(hook)), &detail::destroy<F>);
}

}  // namespace belay

#endif
