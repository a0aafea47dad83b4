// How C++'s types go into values and come out again.
//
//   bool, integers, floating-point numbers, enumerations: the scalar of that size
//   pointers: a pointer that is carried, never followed or freed
//   std::string and what becomes one (const char *, std::string_view): a string; bytes where the
//     text is not UTF-8
//   belay::unit, nullptr: the null value
//   std::optional<T>: the value of its T, or null
//   std::chrono::duration: its count
//   std::pair, std::tuple: an array of their items' values. Views and literals in these, and in an
//     optional, are texts: they are read as std::string
//   trivially copyable types: up to 8 bytes the bytes, as an uint64; else a struct (type_name)
//   signals, owners and other handles: their handle
//   everything else, std::vector (which also reads arrays), classes: an object of its own, which
//     lives as long as the value, and is read by reference
//
// A detail::codec<T> has give(), which makes a value that is given away, and a reader: made of a
// borrowed value, it tells by code() whether the value is a T, and by get() what it is.
#ifndef BELAY_CODEC_HPP
#define BELAY_CODEC_HPP

#include <belay/value.h>
#include <belay/error.hpp>
#include <belay/time.hpp>
#include <belay/value.hpp>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>

// Marks functions that are seldom called, so that they are compiled away from the others.
#define BELAY_COLD_ [[gnu::cold, gnu::noinline]]

namespace belay {
namespace detail {

// Only these look into a value. The tag of a scalar is its kind; the payload is its content.
inline bool is_plain(belay_value v, belay_kind kind) noexcept {
  return v.tag_ == static_cast<std::uint64_t>(kind);
}
inline std::uint64_t payload(belay_value v) noexcept { return v.payload_; }

// Reads a value of the codec's own kind in place. The codec converts values of other kinds.
template <class Codec, class T>
class scalar_reader {
 public:
  explicit scalar_reader(belay_value v) noexcept {
    if (Codec::is_own(v)) item_ = Codec::own(v);
    else code_ = Codec::convert(v, item_);
  }
  int code() const noexcept { return code_; }
  T get() const noexcept { return item_; }

 private:
  T item_{};
  int code_ = 0;
};

// ---- integers ----

template <class T>
constexpr belay_kind integer_kind() {
  if constexpr (std::is_signed_v<T>)
    return sizeof(T) == 1   ? BELAY_KIND_INT8
           : sizeof(T) == 2 ? BELAY_KIND_INT16
           : sizeof(T) == 4 ? BELAY_KIND_INT32
                            : BELAY_KIND_INT64;
  else
    return sizeof(T) == 1   ? BELAY_KIND_UINT8
           : sizeof(T) == 2 ? BELAY_KIND_UINT16
           : sizeof(T) == 4 ? BELAY_KIND_UINT32
                            : BELAY_KIND_UINT64;
}

// An integer of another kind, if it fits.
template <class T>
BELAY_COLD_ int convert_integer(belay_value v, T &out) noexcept {
  int code = 0;
  if constexpr (std::is_signed_v<T>) {
    std::int64_t wide = 0;
    code = belay_value_try_int64(v, &wide);
    if (code >= 0 && (wide < std::numeric_limits<T>::min() || wide > std::numeric_limits<T>::max()))
      return BELAY_ERANGE;
    out = static_cast<T>(wide);
  } else {
    std::uint64_t wide = 0;
    code = belay_value_try_uint64(v, &wide);
    if (code >= 0 && wide > std::numeric_limits<T>::max()) return BELAY_ERANGE;
    out = static_cast<T>(wide);
  }
  return code;
}

template <class T>
struct codec<T, std::enable_if_t<std::is_integral_v<T> && !std::is_same_v<T, bool> &&
                                 sizeof(T) <= sizeof(std::uint64_t)>> {
  using item = T;
  static constexpr bool is_equatable = true;
  static belay_value give(T x) noexcept {
    return belay_scalar_(std::is_signed_v<T>
                             ? static_cast<std::uint64_t>(static_cast<std::int64_t>(x))
                             : static_cast<std::uint64_t>(x),
                         integer_kind<T>());
  }
  static bool is_own(belay_value v) noexcept { return is_plain(v, integer_kind<T>()); }
  static T own(belay_value v) noexcept { return static_cast<T>(payload(v)); }
  static int convert(belay_value v, T &out) noexcept { return convert_integer(v, out); }
  using reader = scalar_reader<codec, T>;
};

// ---- other scalars ----

template <>
struct codec<bool> {
  using item = bool;
  static constexpr bool is_equatable = true;
  static belay_value give(bool x) noexcept { return belay_bool(x); }
  static bool is_own(belay_value v) noexcept { return is_plain(v, BELAY_KIND_BOOL); }
  static bool own(belay_value v) noexcept { return payload(v) != 0; }
  static int convert(belay_value, bool &) noexcept { return BELAY_EKIND; }
  using reader = scalar_reader<codec, bool>;
};

// A floating-point number, whose bits are the payload.
template <class T, class Bits, belay_kind Kind>
struct floating_codec {
  using item = T;
  static constexpr bool is_equatable = true;
  static belay_value give(T x) noexcept {
    Bits bits;
    std::memcpy(&bits, &x, sizeof bits);
    return belay_scalar_(bits, Kind);
  }
  static bool is_own(belay_value v) noexcept { return is_plain(v, Kind); }
  static T own(belay_value v) noexcept {
    const Bits bits = static_cast<Bits>(payload(v));
    T x;
    std::memcpy(&x, &bits, sizeof x);
    return x;
  }
  static int convert(belay_value v, T &out) noexcept { return belay_value_try(v, Kind, &out); }
  using reader = scalar_reader<floating_codec, T>;
};
template <>
struct codec<float> : floating_codec<float, std::uint32_t, BELAY_KIND_FLOAT> {};
template <>
struct codec<double> : floating_codec<double, std::uint64_t, BELAY_KIND_DOUBLE> {};

template <class T>
struct codec<T, std::enable_if_t<std::is_enum_v<T>>> {
  using number = std::underlying_type_t<T>;
  using item = T;
  static constexpr bool is_equatable = true;
  static belay_value give(T x) noexcept { return codec<number>::give(static_cast<number>(x)); }
  static bool is_own(belay_value v) noexcept { return codec<number>::is_own(v); }
  static T own(belay_value v) noexcept { return static_cast<T>(codec<number>::own(v)); }
  class reader : public codec<number>::reader {
   public:
    using codec<number>::reader::reader;
    T get() const noexcept { return static_cast<T>(codec<number>::reader::get()); }
  };
};

template <class T>
struct codec<T *> {
  using item = T *;
  static constexpr bool is_equatable = true;
  static belay_value give(T *x) noexcept {
    return belay_scalar_(reinterpret_cast<std::uintptr_t>(x), BELAY_KIND_POINTER);
  }
  static bool is_own(belay_value v) noexcept { return is_plain(v, BELAY_KIND_POINTER); }
  static T *own(belay_value v) noexcept {
    return reinterpret_cast<T *>(static_cast<std::uintptr_t>(payload(v)));
  }
  // The null value is the null pointer.
  static int convert(belay_value v, T *&out) noexcept {
    void *held = nullptr;
    if (is_plain(v, BELAY_KIND_NULL)) return 0;
    const int code = belay_value_try_pointer(v, &held);
    out = reinterpret_cast<T *>(reinterpret_cast<std::uintptr_t>(held));
    return code;
  }
  using reader = scalar_reader<codec, T *>;
};

template <class Rep, class Period>
struct codec<std::chrono::duration<Rep, Period>> {
  using item = std::chrono::duration<Rep, Period>;
  static constexpr bool is_equatable = true;
  static belay_value give(item x) noexcept { return codec<Rep>::give(x.count()); }
  class reader : public codec<Rep>::reader {
   public:
    using codec<Rep>::reader::reader;
    item get() const noexcept { return item(codec<Rep>::reader::get()); }
  };
};

// ---- nothing, and anything ----

template <>
struct codec<unit> {
  using item = unit;
  static constexpr bool is_equatable = true;
  static belay_value give(unit) noexcept { return belay_null(); }
  static belay_value give(std::nullptr_t) noexcept { return belay_null(); }
  class reader {
   public:
    explicit reader(belay_value v) noexcept
        : code_(is_plain(v, BELAY_KIND_NULL) ? 0 : BELAY_EKIND) {}
    int code() const noexcept { return code_; }
    unit get() const noexcept { return {}; }

   private:
    int code_;
  };
};
template <>
struct codec<std::nullptr_t> : codec<unit> {};

template <>
struct codec<value> {
  using item = value;
  static constexpr bool is_equatable = true;
  static belay_value give(value x) noexcept { return x.release(); }
  class reader {
   public:
    explicit reader(belay_value v) noexcept : borrowed_(v) {}
    int code() const noexcept { return 0; }
    value get() const noexcept { return value::retain(borrowed_); }

   private:
    belay_value borrowed_;
  };
};

// ---- handles ----

// For a class that has adopt(), retain() and get().
template <class T, class Handle, belay_kind Kind, belay_value (*Give)(Handle *),
          Handle *(*Read)(belay_value)>
struct handle_codec {
  using item = T;
  static constexpr bool is_equatable = true;
  static belay_value give(const T &x) noexcept { return Give(x.get()); }
  class reader {
   public:
    explicit reader(belay_value v) noexcept
        : handle_(belay_value_kind(v) == Kind ? Read(v) : nullptr) {}
    int code() const noexcept { return handle_ ? 0 : BELAY_EKIND; }
    T get() const noexcept { return T::retain(handle_); }

   private:
    Handle *handle_;
  };
};

template <>
struct codec<error> : handle_codec<error, const belay_error, BELAY_KIND_ERROR,
                                   belay_value_from_error, belay_value_get_error> {};

// ---- text ----

template <>
struct codec<std::string> {
  using item = std::string;
  static constexpr bool is_equatable = true;
  // NULL is a null value, as in C.
  static belay_value give(const char *text) noexcept {
    return text ? give(std::string_view(text)) : belay_null();
  }
  static belay_value give(std::string_view text) noexcept {
    const belay_value made = belay_string_n(text.data() ? text.data() : "", text.size());
    if (belay_value_kind(made) != BELAY_KIND_FAILURE) return made;
    belay_last_error();
    belay_value_release(made);
    return belay_bytes(text.data(), text.size());
  }
  class reader {
   public:
    explicit reader(belay_value v) noexcept : code_(belay_value_try_bytes(v, &text_)) {}
    int code() const noexcept { return code_; }
    std::string get() const { return std::string(text_.data, text_.size); }
    // Without a copy; lives as long as the value.
    std::string_view view() const noexcept { return std::string_view(text_.data, text_.size); }

   private:
    belay_view text_ = {"", 0};
    int code_;
  };
};
template <>
struct codec<std::string_view> : codec<std::string> {};
template <>
struct codec<const char *> : codec<std::string> {};
template <>
struct codec<char *> : codec<std::string> {};

// ---- all types ----

template <class T>
using reader_t = typename codec<item_t<T>>::reader;

// The result of get(): a copy, or a reference that lives as long as the value.
template <class T>
using passed_t = decltype(std::declval<const reader_t<T> &>().get());

template <class T>
belay_value give(T &&x) {
  return codec<item_t<T>>::give(std::forward<T>(x));
}

// Whether a value may hold a T in its own two words: is_own() asks, own() reads it without a call.
template <class T, class = void>
constexpr bool may_be_own = false;
template <class T>
constexpr bool may_be_own<T, std::void_t<decltype(codec<T>::is_own(belay_value()))>> = true;

// Whether belay_value_equal() compares as == does.
template <class T>
constexpr bool is_equatable = codec<item_t<T>>::is_equatable;

// "a string where int is expected".
[[noreturn]] BELAY_COLD_ inline void throw_mismatch(belay_value v, int code,
                                                    std::string_view expected) {
  // (Not by the operators of std::string, whose members C++20 compiles anew in each program.)
  char text[512];
  std::snprintf(text, sizeof text, "a value of kind %s%s, where %.*s is expected",
                belay_kind_name(belay_value_kind(v)),
                code == BELAY_ERANGE ? " that does not fit" : "", static_cast<int>(expected.size()),
                expected.data());
  throw error(code, text);
}
// Throws where a value is no T.
template <class T>
void expect(const typename codec<T>::reader &reader, belay_value v) {
  if (reader.code() < 0) throw_mismatch(v, reader.code(), written<T>::name);
}

// Whether a T that is read keeps what it is of. (Told in a function, once.)
template <class T>
constexpr bool is_kept() {
  constexpr bool is = std::is_same_v<std::remove_cv_t<T>, item_t<T>>;
  static_assert(is, "belay: a view or a reference would outlive the value: read a copy of it");
  return is;
}

}  // namespace detail

template <class T>
T value::as() const & {
  const detail::reader_t<T> reader(raw_);
  detail::expect<detail::item_t<T>>(reader, raw_);
  if constexpr (std::is_same_v<T, std::string_view>) return reader.view();
  else if constexpr (detail::is_kept<T>()) return reader.get();
}
template <class T>
T value::as() const && {
  // As above: a view of what goes with this would be left.
  if constexpr (detail::is_kept<T>()) return as<T>();
}

inline value value::operator[](std::size_t index) const {
  belay_value item = belay_null();
  detail::check(belay_value_get_item(raw_, index, &item));
  return retain(item);
}

}  // namespace belay

#include <belay/codec_objects.hpp>

#endif
