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
// The same for the result of a callable; unit if that is no signal, which giving_signal refuses.
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

// ---- what becomes of results ----

// Each calls a callable and uses its result before the arguments go: the result may refer to them.

// The result as a value; nothing is the null value.
struct giving {
  using result = belay_value;
  template <class F, class... A>
  static belay_value of(F &f, A &&...arguments) {
    if constexpr (std::is_void_v<std::invoke_result_t<F &, A...>>) {
      call(f, std::forward<A>(arguments)...);
      return belay_null();
    } else {
      return give(call(f, std::forward<A>(arguments)...));
    }
  }
};
// The result as an S: the next state, an answer.
template <class S>
struct giving_as {
  using result = belay_value;
  template <class F, class... A>
  static belay_value of(F &f, A &&...arguments) {
    return give_as<S>(call(f, std::forward<A>(arguments)...));
  }
};
// The signal that it returns. One that it returns by reference stays what it is.
struct giving_signal {
  using result = belay_signal *;
  template <class F, class... A>
  static belay_signal *of(F &f, A &&...arguments) {
    constexpr bool is = sends<decltype(call_checked(f, std::forward<A>(arguments)...))>;
    static_assert(is, "belay: the callable must return a signal");
    if constexpr (!is) return nullptr;
    auto made = call_checked(f, std::forward<A>(arguments)...);
    if constexpr (is) return made.release();
  }
};
// A function of C that returns an int answers whether a predicate said yes, or always 0.
enum class asks { no, yes };
template <class R>
constexpr bool is_answer() {
  static_assert(std::is_constructible_v<bool, R>, "belay: the callable must return a bool");
  return std::is_constructible_v<bool, R>;
}
// A class may throw when it becomes a bool.
template <asks Asks, class F, class T>
constexpr bool answers_nothrow =
    call_t<F, T>::is_nothrow &&
    (Asks == asks::no || !std::is_class_v<std::remove_reference_t<result_t<F, T>>>);
template <asks Asks>
struct answering {
  using result = int;
  template <class F, class... A>
  static int of(F &f, A &&...arguments) {
    if constexpr (Asks == asks::no) call(f, std::forward<A>(arguments)...);
    else if constexpr (is_answer<std::invoke_result_t<F &, A...>>())
      return static_cast<bool>(call(f, std::forward<A>(arguments)...)) ? 1 : 0;
    return 0;
  }
};

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
template <class Use, class F, class T>
typename Use::result call_with(void *ctx, belay_value v) {
  const reader_t<T> reader(v);
  expect<T>(reader, v);
  return call_reading<Use, F, T>(callable<F>(ctx), std::index_sequence<0>(), reader);
}

// belay_map_fn
template <class F, class T>
belay_value call_map_reading(void *ctx, belay_value v) noexcept {
  return guarded_value([&] { return call_with<giving, F, T>(ctx, v); });
}
template <class F, class T>
BELAY_COLD_ belay_value call_map_converting(void *ctx, belay_value v) noexcept {
  return call_map_reading<F, T>(ctx, v);
}
template <class F, class T>
belay_value call_map(void *ctx, belay_value v) noexcept {
  if constexpr (may_be_own<T> && call_t<F, T>::is_good) {
    if (!codec<T>::is_own(v)) return call_map_converting<F, T>(ctx, v);
    return guarded_value([&] { return giving::of(callable<F>(ctx), codec<T>::own(v)); });
  } else {
    return call_map_reading<F, T>(ctx, v);
  }
}

// belay_map_fn whose result becomes an S.
template <class F, class T, class S = T>
belay_value call_state(void *ctx, belay_value v) noexcept {
  return guarded_value([&] { return call_with<giving_as<S>, F, T>(ctx, v); });
}

template <asks Asks, class F, class T>
int call_int_reading(void *ctx, belay_value v) noexcept {
  return guarded_int([&] { return call_with<answering<Asks>, F, T>(ctx, v); });
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
    return guarded_int<answers_nothrow<Asks, F, T>>(
        [&] { return answering<Asks>::of(callable<F>(ctx), codec<T>::own(v)); });
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

// Calls a callable with two values that are to be an A and a T.
template <class Use, class F, class A, class T>
typename Use::result call_with_two(void *ctx, belay_value a, belay_value b) {
  const reader_t<A> one(a);
  const reader_t<T> other(b);
  expect<A>(one, a);
  expect<T>(other, b);
  return call_reading<Use, F, A, T>(callable<F>(ctx), std::index_sequence<0, 1>(), one, other);
}
// belay_equal_fn, belay_less_fn
template <class F, class T>
int call_compare(void *ctx, belay_value a, belay_value b) noexcept {
  return guarded_int([&] { return call_with_two<answering<asks::yes>, F, T, T>(ctx, a, b); });
}
// belay_scan_fn
template <class F, class A, class T>
belay_value call_scan(void *ctx, belay_value accumulated, belay_value v) noexcept {
  return guarded_value([&] { return call_with_two<giving_as<A>, F, A, T>(ctx, accumulated, v); });
}

// belay_combine_fn
template <class F, class... T, std::size_t... At>
belay_value combine(F &f, const belay_value *values, std::index_sequence<At...> indices) {
  const readers<T...> all(values);
  std::size_t wrong = 0;
  const int code = all.code(wrong);
  if (code < 0)
    throw error(code, "a value of kind " +
                          std::string(belay_kind_name(belay_value_kind(values[wrong]))) +
                          " among those to combine");
  return call_reading<giving, F, T...>(f, indices, std::get<At>(all.all())...);
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

// belay_flat_map_fn and the like, which make a signal of a value.
template <class F, class T>
belay_signal *call_flat_map(void *ctx, belay_value v) noexcept {
  return guarded_handle([&] { return call_with<giving_signal, F, T>(ctx, v); });
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
