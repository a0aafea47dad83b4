// The integers that calls take, counts above all: none arrives as another number.
#ifndef BELAY_INTEGER_HPP
#define BELAY_INTEGER_HPP

#include <belay/error.hpp>
#include <limits>
#include <string>
#include <type_traits>

namespace belay {
namespace detail {

template <class T>
constexpr bool is_integer =
    std::is_integral_v<T> && !std::is_same_v<T, bool> && !std::is_same_v<T, char> &&
    !std::is_same_v<T, wchar_t> && !std::is_same_v<T, char16_t> && !std::is_same_v<T, char32_t>;

}  // namespace detail

// An argument that is a To, made of an integer of any type. The constructor throws BELAY_EINVAL
// when a To cannot hold the number: take(-1) is refused, which C++ would convert to a large count.
// A floating-point number, a bool, a character or an enumerator does not compile.
template <class To>
class integer {
 public:
  template <class From,
            class = std::enable_if_t<std::is_arithmetic_v<From> || std::is_enum_v<From>>>
  constexpr integer(From number) : number_(checked(number)) {}
  constexpr operator To() const noexcept { return number_; }

 private:
  template <class From>
  static constexpr To checked(From number) {
    static_assert(detail::is_integer<From>, "belay: an integer has to be given here");
    if constexpr (!detail::is_integer<From>) {
      return To(0);
    } else {
      const To kept = static_cast<To>(number);
      bool is_same = static_cast<From>(kept) == number;
      if constexpr (std::is_signed_v<From> && std::is_unsigned_v<To>) is_same &= number >= 0;
      if constexpr (std::is_unsigned_v<From> && std::is_signed_v<To>) is_same &= kept >= 0;
      if (!is_same) {
        throw error(BELAY_EINVAL, std::to_string(number) + " is not a number from " +
                                      std::to_string(std::numeric_limits<To>::min()) + " to " +
                                      std::to_string(std::numeric_limits<To>::max()));
      }
      return kept;
    }
  }
  To number_;
};

}  // namespace belay

#endif
