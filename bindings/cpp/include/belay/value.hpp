// Values go through signals. Their kind is known at run time.
//
// A signal<T> turns each T into a value and back (codec.hpp). value itself is for programs that do
// not know the type, or talk to another language.
#ifndef BELAY_VALUE_HPP
#define BELAY_VALUE_HPP

#include <string>
#include <type_traits>
#include <utility>

#include <belay/value.h>

namespace belay {

// A value without content, for signals that only say "now".
struct unit {
  friend constexpr bool operator==(unit, unit) noexcept { return true; }
  friend constexpr bool operator!=(unit, unit) noexcept { return false; }
};

namespace detail {
template <class T, class Enable = void>
struct codec;
template <class T>
using item_t = typename codec<std::decay_t<T>>::item;
}  // namespace detail

// One reference to a value. Copies share it: values do not change. Any thread.
class value {
 public:
  // The null value.
  value() noexcept : raw_(belay_null()) {}
  value(const value &other) noexcept : raw_(belay_value_retain(other.raw_)) {}
  value(value &&other) noexcept : raw_(std::exchange(other.raw_, belay_null())) {}
  value &operator=(value other) noexcept {
    std::swap(raw_, other.raw_);
    return *this;
  }
  ~value() { belay_value_release(raw_); }

  // The value of anything that a signal can send.
  template <class T, class = std::enable_if_t<!std::is_same_v<std::decay_t<T>, value>>>
  explicit value(T &&item) : raw_(detail::codec<detail::item_t<T>>::give(std::forward<T>(item))) {}

  // Takes a reference over.
  static value adopt(belay_value raw) noexcept { return value(raw, 0); }
  // Takes its own reference to a borrowed value.
  static value retain(belay_value raw) noexcept { return value(belay_value_retain(raw), 0); }
  // The value, borrowed, for functions of C.
  belay_value get() const noexcept { return raw_; }
  // A reference to be given away to a function of C.
  belay_value retained() const noexcept { return belay_value_retain(raw_); }
  // Hands the reference over; the null value is left.
  belay_value release() noexcept { return std::exchange(raw_, belay_null()); }

  belay_kind kind() const noexcept { return belay_value_kind(raw_); }
  // "int32", "string", …; static.
  const char *kind_name() const noexcept { return belay_kind_name(kind()); }

  // The content as a T. Throws BELAY_EKIND or BELAY_ERANGE when it is no T. Integers and
  // floating-point numbers convert if nothing is lost. A std::string_view lives as long as this
  // value, and is not given by one that goes at once.
  template <class T>
  T as() const &;
  template <class T>
  T as() const &&;
  // Whether as<T>() would succeed. Throws what the copy of an item throws.
  template <class T>
  bool is() const {
    return typename detail::codec<detail::item_t<T>>::reader(raw_).code() >= 0;
  }

  // How many items an array has; 0 for any other kind.
  std::size_t size() const noexcept { return belay_value_count(raw_); }
  // An item of an array. Throws BELAY_ERANGE past its end.
  value operator[](std::size_t index) const;

  // A readable form.
  std::string describe() const {
    std::string text(belay_value_describe(raw_, nullptr, 0), '\0');
    belay_value_describe(raw_, text.data(), text.size() + 1);
    return text;
  }

  // Values are equal if their kinds are the same, and numbers are equal by ==, texts, bytes,
  // structs and arrays by content, handles and objects by identity.
  friend bool operator==(const value &a, const value &b) noexcept {
    return belay_value_equal(a.raw_, b.raw_) != 0;
  }
  friend bool operator!=(const value &a, const value &b) noexcept { return !(a == b); }

 private:
  value(belay_value raw, int) noexcept : raw_(raw) {}
  belay_value raw_;
};

}  // namespace belay

#endif
