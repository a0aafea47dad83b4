// Callables: which arguments they get for the values of signals, what they return, and which of
// them the compiler refuses.
#ifndef BELAY_CALLABLE_HPP
#define BELAY_CALLABLE_HPP

#include <belay/convert.hpp>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace belay {
namespace detail {

// ---- calling ----

// The class of a pointer to a member.
template <class M>
struct member_class;
template <class M, class C>
struct member_class<M C::*> {
  using type = C;
};

// std::invoke(), whose header is large.
template <class M, class Object, class... A>
constexpr decltype(auto) call_member(M member, Object &&object, A &&...arguments) {
  using of = typename member_class<M>::type;
  if constexpr (!std::is_base_of_v<of, std::decay_t<Object>>)
    return call_member(member, *std::forward<Object>(object), std::forward<A>(arguments)...);
  else if constexpr (std::is_member_function_pointer_v<M>)
    return (std::forward<Object>(object).*member)(std::forward<A>(arguments)...);
  else return (std::forward<Object>(object).*member);
}
template <class F, class... A>
constexpr decltype(auto) call(F &&f, A &&...arguments) {
  if constexpr (std::is_member_pointer_v<std::decay_t<F>>)
    return call_member(f, std::forward<A>(arguments)...);
  else return std::forward<F>(f)(std::forward<A>(arguments)...);
}

// ---- parameters ----

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
struct call_parameters {
  using types = std::tuple<>;
};
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

// The parameter number At of F, without reference and const; void where it is not known.
template <class Types, std::size_t At, class = void>
struct parameter {
  using type = void;
};
template <class Types, std::size_t At>
struct parameter<Types, At, std::enable_if_t<(At < std::tuple_size_v<Types>)>> {
  using type = std::decay_t<std::tuple_element_t<At, Types>>;
};
template <class F, std::size_t At>
using parameter_t = typename parameter<typename parameters<std::decay_t<F>>::types, At>::type;

// Whether F's parameter number At takes the text of a string without a copy, and not what the
// reader gives.
template <class F, std::size_t At, class T>
constexpr bool wants_view =
    std::is_same_v<T, std::string> &&std::is_same_v<parameter_t<F, At>, std::string_view>;
template <class F, std::size_t At, class T>
using argument_t = std::conditional_t<wants_view<F, At, T>, std::string_view, passed_t<T>>;

template <class F, std::size_t At, class T>
argument_t<F, At, T> argument(const reader_t<T> &reader) {
  if constexpr (wants_view<F, At, T>) return reader.view();
  else return reader.get();
}

// Whether a parameter of a plain type, when it is given a T, keeps all of it.
template <class P, class T>
constexpr bool is_wide_enough = !std::is_arithmetic_v<P> || std::is_class_v<T> || is_given<P, T>;

template <class F, class Indices, class... T>
struct fitting;
template <class F, std::size_t... At, class... T>
struct fitting<F, std::index_sequence<At...>, T...> {
  static constexpr bool is_callable = std::is_invocable_v<F &, argument_t<F, At, T>...>;
  static constexpr bool is_nothrow = std::is_nothrow_invocable_v<F &, argument_t<F, At, T>...>;
  static constexpr bool is_lossless = (is_wide_enough<parameter_t<F, At>, T> && ...);
  // A callable that is refused counts as returning a unit, so that the compiler says nothing more.
  using result = typename std::conditional_t<is_callable && is_lossless,
                                             std::invoke_result<F &, argument_t<F, At, T>...>,
                                             std::decay<unit>>::type;
};
template <class F, class... T>
using fitting_t = fitting<std::decay_t<F>, std::index_sequence_for<T...>, T...>;

}  // namespace detail

// Whether an F can be called with one value of each of several signals of Ts, and none of its
// parameters is narrower than the value.
#if defined(__cpp_concepts) && __cpp_concepts >= 201907L
template <class F, class... T>
concept receives = bool(detail::fitting_t<F, T...>::is_callable) &&
                   bool(detail::fitting_t<F, T...>::is_lossless);
#else
template <class F, class... T>
inline constexpr bool receives =
    detail::fitting_t<F, T...>::is_callable &&detail::fitting_t<F, T...>::is_lossless;
#endif

namespace detail {

// ---- results ----

// These are classes because the types behind an alias are written out in the names of functions.
template <class F, class... T>
struct call_t {
  using fit = fitting_t<F, T...>;
  static constexpr bool is_good = fit::is_callable && fit::is_lossless;
  static constexpr bool is_nothrow = fit::is_nothrow;
  using result = typename fit::result;
};
// The result for Ts, and the type in which a signal sends it; void is sent as unit.
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

// Has Use::of() call it with the values that readers of Ts have read. A callable that does not fit
// is refused here, once. A class would be the wrong place: clang drops a class whose static_assert
// fails, and reports each use of it.
template <class Use, class F, class... T, std::size_t... At>
typename Use::result call_reading(F &f, std::index_sequence<At...>,
                                  const reader_t<T> &...readers) {
  using fit = fitting_t<F, T...>;
  static_assert(!fit::is_callable || fit::is_lossless,
                "belay: the callable's parameter cannot hold every value that the signal sends");
  static_assert(fit::is_callable || receives<F, T...>,
                "belay: the callable cannot be called with what the signal sends");
  if constexpr (call_t<F, T...>::is_good) return Use::of(f, argument<F, At, T>(readers)...);
  else return {};
}

// Calls it with handles and the like, which are of no signal.
template <class F, class... A>
auto call_checked(F &f, A &&...arguments) ->
    typename std::conditional_t<std::is_invocable_v<F &, A...>, std::invoke_result<F &, A...>,
                                std::decay<unit>>::type {
  static_assert(std::is_invocable_v<F &, A...>,
                "belay: the callable cannot be called with what it is given here");
  if constexpr (std::is_invocable_v<F &, A...>) return call(f, std::forward<A>(arguments)...);
  else return unit();
}

// Whether it can be called with these arguments, and its result converts to R.
template <class R, class F, class... A>
constexpr bool returns() {
  static_assert(std::is_invocable_v<F &, A...>,
                "belay: the callable cannot be called with what it is given here");
  static_assert(!std::is_invocable_v<F &, A...> || std::is_invocable_r_v<R, F &, A...>,
                "belay: the callable must return something else here");
  return std::is_invocable_r_v<R, F &, A...>;
}

// std::equal_to and std::less, whose header is large.
struct equal_by_operator {
  template <class T>
  bool operator()(const T &a, const T &b) const {
    return a == b;
  }
};
struct less_by_operator {
  template <class T>
  bool operator()(const T &a, const T &b) const {
    return a < b;
  }
};

}  // namespace detail
}  // namespace belay

#endif
