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
  // The offset of a member, as offsetof() finds it: no object is looked at.
  static std::size_t offset() noexcept {
    alignas(C) static unsigned char place[sizeof(C)];
    const auto *at = &(reinterpret_cast<C *>(place)->*Member);
    return static_cast<std::size_t>(reinterpret_cast<const unsigned char *>(at) - place);
  }
};

}  // namespace detail
}  // namespace belay

#endif
