// Members of classes and of tables, as a pointer to a member that is known when compiling names
// them: for object.hpp and interception.hpp.
#ifndef BELAY_MEMBER_HPP
#define BELAY_MEMBER_HPP

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

}  // namespace detail
}  // namespace belay

#endif
