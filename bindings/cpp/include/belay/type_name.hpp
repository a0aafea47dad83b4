// The names that types have in values.
#ifndef BELAY_TYPE_NAME_HPP
#define BELAY_TYPE_NAME_HPP

#include <cstddef>
#include <string_view>
#if defined(__GXX_RTTI) || defined(__cpp_rtti)
#include <typeinfo>
#endif

namespace belay {
namespace detail {

template <class T>
constexpr const char *pretty() {
  return __PRETTY_FUNCTION__;
}

template <class T>
constexpr std::string_view written_name() {
  const std::string_view all = pretty<T>();
  const std::size_t start = all.find("T = ") + 4;
  return all.substr(start, all.rfind(']') - start);
}

template <std::size_t Size>
struct characters {
  char text[Size];
};
template <class T>
struct written {
  static constexpr std::string_view name = written_name<T>();
  static constexpr auto make() {
    characters<name.size() + 1> copy{};
    for (std::size_t i = 0; i < name.size(); i++) copy.text[i] = name[i];
    return copy;
  }
  static constexpr characters<name.size() + 1> terminated = make();
};

}  // namespace detail

// The name under which a struct goes into a value, and by which it is known again: as it is
// written, "point" or "geometry::point", so that C reads it by BELAY_VALUE_GET_STRUCT(value, point,
// &p). Specialise it for another name; it has to be a string that is never freed.
template <class T>
struct type_name {
  static constexpr const char *value = detail::written<T>::terminated.text;
};

namespace detail {

// Tells the types of boxed objects apart.
template <class T>
const char *box_name() noexcept {
#if defined(__GXX_RTTI) || defined(__cpp_rtti)
  return typeid(T).name();
#else
  return type_name<T>::value;
#endif
}

}  // namespace detail
}  // namespace belay

#endif
