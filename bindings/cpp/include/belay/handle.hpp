// The base of all classes that hold a handle of C.
#ifndef BELAY_HANDLE_HPP
#define BELAY_HANDLE_HPP

#include <belay/error.hpp>
#include <utility>

namespace belay {
namespace detail {

// One reference to a C object. Copies take another; an empty one, as after a move, holds none. Any
// thread may copy and drop it, unless its header says otherwise.
template <class Derived, class C, C *(*Retain)(C *), void (*Release)(C *)>
class handle {
 public:
  handle() noexcept = default;
  handle(const handle &other) noexcept : handle_(Retain(other.handle_)) {}
  handle(handle &&other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  handle &operator=(handle other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~handle() { Release(handle_); }

  // Takes a reference over. Null gives an empty one.
  static Derived adopt(C *raw) noexcept {
    Derived made{empty()};
    static_cast<handle &>(made).handle_ = raw;
    return made;
  }
  // Takes its own reference to a borrowed handle.
  static Derived retain(C *raw) noexcept { return adopt(Retain(raw)); }

  // The handle, borrowed, for functions of C; null when empty.
  C *get() const noexcept { return handle_; }
  // Hands the reference over; nothing is left.
  C *release() noexcept { return std::exchange(handle_, nullptr); }
  // A reference for a function of C that takes one over.
  C *retained() const noexcept { return Retain(handle_); }
  explicit operator bool() const noexcept { return handle_ != nullptr; }

  friend bool operator==(const handle &a, const handle &b) noexcept {
    return a.handle_ == b.handle_;
  }
  friend bool operator!=(const handle &a, const handle &b) noexcept { return !(a == b); }

 protected:
  struct empty {};
  explicit handle(C *raw) noexcept : handle_(raw) {}

 private:
  C *handle_ = nullptr;
};

// Begins a struct of options of C: its size, and the members that all of them have.
template <class Raw, class Options>
Raw begin_raw(const Options &options) noexcept {
  Raw all = {};
  all.size = sizeof all;
  all.label = options.label;
  all.site = options.site;
  return all;
}

}  // namespace detail
}  // namespace belay

#endif
