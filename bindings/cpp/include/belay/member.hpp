// Members of classes and of tables, as a pointer to a member that is known when compiling names
// them, and the objects that have them: for object.hpp and interception.hpp.
#ifndef BELAY_MEMBER_HPP
#define BELAY_MEMBER_HPP

#include <belay/owner.hpp>
#include <cstddef>

namespace belay {
namespace detail {

template <auto Member>
struct member_of;
template <class C, class M, M C::*Member>
struct member_of<Member> {
  using object = C;
  using type = M;
  // The offset of a member, as offsetof() finds it: no object is looked at. The class that has the
  // member may be a base of Object, at any place in it; the offset counts from where Origin is in
  // it, which is Object or a base, too.
  template <class Object = C, class Origin = Object>
  static std::size_t offset() noexcept {
    alignas(Object) static unsigned char place[sizeof(Object)];
    Object *const object = reinterpret_cast<Object *>(place);
    const Origin *const origin = object;
    const M *const member = &(object->*Member);
    return reinterpret_cast<std::size_t>(member) - reinterpret_cast<std::size_t>(origin);
  }
};

// A base at a place that is known when compiling: only then a static_cast leads back.
template <class Base, class Object, class = void>
constexpr bool is_fixed_base = false;
template <class Base, class Object>
constexpr bool is_fixed_base<
    Base, Object, std::void_t<decltype(static_cast<Object *>(std::declval<Base *>()))>> =
    std::is_base_of_v<Base, Object>;

// The address that an owner has for an object of the class Object: that of the object, or of its
// owner_base, which need not be where the object begins.
template <class Object>
using origin_of = std::conditional_t<std::is_base_of_v<owner_base, Object>, owner_base, Object>;
template <class Object>
Object &object_at(void *origin) noexcept {
  return *static_cast<Object *>(static_cast<origin_of<Object> *>(origin));
}

}  // namespace detail
}  // namespace belay

#endif
