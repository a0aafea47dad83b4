// Which types may be given where a signal sends Ts: those from which nothing is lost.
//
// The binding never casts a value that enters a signal. An int may be sent as a std::int64_t or a
// double, but not as a short, an unsigned or a float, and an address never becomes a number or a
// bool. A value that converts implicitly to a class may be sent as that class.
//
// A constant is checked by its value when it stands in braces: `subject<short>().next({1})`.
#ifndef BELAY_CONVERT_HPP
#define BELAY_CONVERT_HPP

#include <belay/codec.hpp>
#include <limits>
#include <optional>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace belay {
namespace detail {

// Whether every number of type U is a number of type T.
template <class T, class U>
constexpr bool keeps_number() {
  if constexpr (std::is_enum_v<U>) {
    if constexpr (!std::is_convertible_v<U, T>) return false;
    else return keeps_number<T, std::underlying_type_t<U>>();
  } else if constexpr (std::is_same_v<T, U>) {
    return true;
  } else if constexpr (std::is_same_v<T, bool> || !std::is_arithmetic_v<U>) {
    return false;
  } else if constexpr (std::is_floating_point_v<U> && !std::is_floating_point_v<T>) {
    return false;
  } else {
    return std::numeric_limits<T>::digits >= std::numeric_limits<U>::digits &&
           (std::is_signed_v<T> || std::is_unsigned_v<U>);
  }
}

// An int that is to become a class: as in braces, which do not narrow.
template <class T>
void take_braced(T) noexcept;
template <class T, class U, class = void>
constexpr bool converts_braced = false;
template <class T, class U>
constexpr bool converts_braced<T, U, std::void_t<decltype(take_braced<T>({std::declval<U>()}))>> =
    true;

template <class T, class U>
constexpr bool keeps() {
  using plain = std::decay_t<U>;
  if constexpr (std::is_same_v<T, plain> || std::is_same_v<T, value>) return true;
  else if constexpr (std::is_same_v<T, unit>) return std::is_same_v<plain, std::nullptr_t>;
  else if constexpr (std::is_same_v<T, std::string>)
    return std::is_convertible_v<U, std::string_view> && !std::is_same_v<plain, std::nullptr_t>;
  else if constexpr (std::is_arithmetic_v<T>)
    return std::is_class_v<plain>
               ? std::is_convertible_v<U, T> && converts_braced<T, U>
               : (std::is_arithmetic_v<plain> || std::is_enum_v<plain>)&&keeps_number<T, plain>();
  else if constexpr (std::is_scalar_v<plain> && std::is_class_v<T>)
    return std::is_convertible_v<U, T> && converts_braced<T, U>;
  else return std::is_convertible_v<U, T>;
}
// Whether a U may be given where a T is sent.
template <class T, class U>
struct gives : std::bool_constant<keeps<T, U>()> {};
template <class T, class U>
struct gives<std::optional<T>, std::optional<U>> : gives<T, U> {};
template <class T, class U>
struct gives<std::optional<T>, U>
    : std::bool_constant<std::is_same_v<std::decay_t<U>, std::nullopt_t> || gives<T, U>::value> {};
template <class A, class B, class C, class D>
struct gives<std::pair<A, B>, std::pair<C, D>>
    : std::bool_constant<gives<A, C>::value && gives<B, D>::value> {};
template <class... T, class... U>
struct gives<std::tuple<T...>, std::tuple<U...>> {
  static constexpr bool each() {
    if constexpr (sizeof...(T) == sizeof...(U)) return (gives<T, U>::value && ...);
    else return false;
  }
  static constexpr bool value = each();
};
template <class T, class U>
constexpr bool is_given = gives<T, std::remove_cv_t<std::remove_reference_t<U>>>::value;

// The value of `x` as a T, to be given away.
template <class T, class U>
belay_value give_as(U &&x) {
  static_assert(is_given<T, U>,
                "belay: a value of this type cannot be sent here without a loss: convert it "
                "yourself, or write a constant in braces");
  if constexpr (!is_given<T, U>) {
    return belay_null();
  } else if constexpr (std::is_same_v<T, std::decay_t<U>> || std::is_same_v<T, unit>) {
    return codec<T>::give(std::forward<U>(x));
  } else if constexpr (std::is_same_v<T, std::string>) {
    if constexpr (std::is_pointer_v<std::decay_t<U>>) return codec<T>::give(+x);
    return codec<T>::give(static_cast<std::string_view>(x));
  } else if constexpr (std::is_same_v<T, value>) {
    return value(std::forward<U>(x)).release();
  } else {
    return codec<T>::give(static_cast<T>(std::forward<U>(x)));
  }
}

// Lets a constructor that takes anything leave copies alone.
template <class Self, class U>
using unless_copy = std::enable_if_t<!std::is_base_of_v<Self, std::decay_t<U>>>;

// `x` as a T, for a value that C++ compares or keeps.
template <class T, class U>
T keep_as(U &&x) {
  static_assert(is_given<T, U>,
                "belay: a value of this type cannot be used here without a loss: convert it "
                "yourself, or write a constant in braces");
  if constexpr (is_given<T, U>) return T(std::forward<U>(x));
}

}  // namespace detail
}  // namespace belay

#endif
