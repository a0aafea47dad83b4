// Values of structs, of several things, of handles, and of objects; see codec.hpp.
#ifndef BELAY_CODEC_OBJECTS_HPP
#define BELAY_CODEC_OBJECTS_HPP

#include <belay/codec.hpp>
#include <new>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace belay {
namespace detail {

// Types that may be trivially copyable, and have a codec of their own.
template <class T>
constexpr bool is_special = std::is_enum_v<T> || std::is_pointer_v<T> ||
                            (std::is_arithmetic_v<T> && sizeof(T) <= sizeof(std::uint64_t));
template <class T>
constexpr bool is_special<std::optional<T>> = true;
template <class A, class B>
constexpr bool is_special<std::pair<A, B>> = true;
template <class... Items>
constexpr bool is_special<std::tuple<Items...>> = true;
template <class Rep, class Period>
constexpr bool is_special<std::chrono::duration<Rep, Period>> = true;

template <class T>
constexpr bool is_plain_class = std::is_trivially_copyable_v<T> && !is_special<T>;

// ---- structs ----

// Up to a word: the bytes themselves, so that nothing is allocated.
template <class T>
struct codec<T, std::enable_if_t<is_plain_class<T> && sizeof(T) <= sizeof(std::uint64_t)>> {
  using item = T;
  // Bytes between members tell nothing.
  static constexpr bool is_equatable = std::has_unique_object_representations_v<T>;
  static belay_value give(const T &x) noexcept {
    std::uint64_t bits = 0;
    std::memcpy(&bits, static_cast<const void *>(&x), sizeof x);
    return belay_uint64(bits);
  }
  class reader {
   public:
    explicit reader(belay_value v) noexcept
        : code_(is_plain(v, BELAY_KIND_UINT64) ? 0 : BELAY_EKIND) {
      const std::uint64_t bits = payload(v);
      std::memcpy(bytes_, &bits, sizeof(T));
    }
    int code() const noexcept { return code_; }
    const T &get() const noexcept { return *std::launder(reinterpret_cast<const T *>(bytes_)); }

   private:
    alignas(T) unsigned char bytes_[sizeof(T)];
    int code_;
  };
};

template <class T>
struct codec<T, std::enable_if_t<is_plain_class<T> && (sizeof(T) > sizeof(std::uint64_t))>> {
  using item = T;
  static constexpr bool is_equatable = std::has_unique_object_representations_v<T>;
  static belay_value give(const T &x) noexcept {
    return belay_struct(type_name<T>::value, &x, sizeof x);
  }
  class reader {
   public:
    explicit reader(belay_value v) noexcept
        : code_(belay_value_try_struct(v, type_name<T>::value, bytes_, sizeof(T))) {}
    int code() const noexcept { return code_; }
    const T &get() const noexcept { return *std::launder(reinterpret_cast<const T *>(bytes_)); }

   private:
    alignas(T) unsigned char bytes_[sizeof(T)];
    int code_;
  };
};

// ---- objects ----

// Moved or copied to the heap; reading gives a reference.
template <class T, class Enable>
struct codec {
  static_assert(std::is_object_v<T> && !std::is_array_v<T>, "this cannot be sent through a signal");
  using item = T;
  static constexpr bool is_equatable = false;
  template <class Given>
  static belay_value give(Given &&x) {
    constexpr bool is_made = std::is_constructible_v<T, Given>;
    static_assert(is_made, "belay: no copy of this can be made: move it");
    if constexpr (!is_made) return belay_null();
    else
      return belay_pointer_typed(box_name<T>(), new T(std::forward<Given>(x)),
                                 [](void *object) { delete static_cast<T *>(object); });
  }
  class reader {
   public:
    explicit reader(belay_value v) noexcept {
      void *object = nullptr;
      code_ = belay_value_try_typed(v, box_name<T>(), &object);
      item_ = static_cast<const T *>(object);
    }
    int code() const noexcept { return code_; }
    const T &get() const noexcept { return *item_; }

   private:
    const T *item_;
    int code_;
  };
};

// ---- several things ----

// Whether an item can be copied out of a value. (Told in functions, once.)
template <class... Items>
constexpr bool is_copied() {
  constexpr bool is = (std::is_constructible_v<item_t<Items>, passed_t<Items>> && ...);
  static_assert(is, "belay: reading copies the items, and one cannot be copied: send a shared_ptr");
  return is;
}

// A container of views or literals is sent as one of their texts, and read as that.

template <class T>
struct codec<std::optional<T>> {
  using item = std::optional<item_t<T>>;
  static constexpr bool is_equatable = codec<T>::is_equatable;
  template <class Given>
  static belay_value give(Given &&x) {
    return x ? codec<T>::give(*std::forward<Given>(x)) : belay_null();
  }
  class reader {
   public:
    explicit reader(belay_value v) {
      if (!is_plain(v, BELAY_KIND_NULL)) item_.emplace(v);
    }
    int code() const noexcept { return item_ ? item_->code() : 0; }
    item get() const {
      if constexpr (is_copied<T>()) return item_ ? item(item_->get()) : std::nullopt;
    }

   private:
    std::optional<reader_t<T>> item_;
  };
};

// A std::vector is an object; an array of another's, or of collect()'s, is read item by item.
template <class T>
struct codec<std::vector<T>> {
  using item = std::vector<T>;
  static constexpr bool is_equatable = false;
  template <class Given>
  static belay_value give(Given &&x) {
    static_assert(std::is_same_v<T, item_t<T>>,
                  "belay: a vector of views or literals keeps no text: use std::string");
    return belay_pointer_typed(box_name<item>(), new item(std::forward<Given>(x)),
                               [](void *object) { delete static_cast<item *>(object); });
  }
  class reader {
   public:
    explicit reader(belay_value v) {
      if (belay_value_kind(v) == BELAY_KIND_ARRAY) {
        collect(v);
        return;
      }
      void *object = nullptr;
      code_ = belay_value_try_typed(v, box_name<item>(), &object);
      item_ = static_cast<const item *>(object);
    }
    reader(const reader &) = delete;
    reader &operator=(const reader &) = delete;
    int code() const noexcept { return code_; }
    const item &get() const noexcept { return item_ ? *item_ : collected_; }

   private:
    void collect(belay_value array) {
      const std::size_t size = belay_value_count(array);
      collected_.reserve(size);
      for (std::size_t i = 0; i < size && code_ >= 0; i++) {
        belay_value one = belay_null();
        belay_value_get_item(array, i, &one);
        const reader_t<T> read(one);
        code_ = read.code();
        if constexpr (std::is_copy_constructible_v<T>) {
          if (code_ >= 0) collected_.push_back(read.get());
        } else if (code_ >= 0) {
          code_ = BELAY_EKIND;
        }
      }
    }
    const item *item_ = nullptr;
    item collected_;
    int code_ = 0;
  };
};

// The readers of several values at once, in place. One that copies items may throw.
template <class... Items>
class readers {
 public:
  explicit readers(const belay_value *values)
      : readers(values, std::index_sequence_for<Items...>()) {}
  // The first failure, and in `wrong` which item it is of.
  int code(std::size_t &wrong) const noexcept {
    int code = 0;
    std::size_t index = 0;
    std::apply(
        [&](const auto &...each) {
          ((code >= 0 ? (code = each.code(), wrong = index++) : 0), ...);
        },
        all_);
    return code;
  }
  const std::tuple<reader_t<Items>...> &all() const noexcept { return all_; }

 private:
  template <std::size_t... At>
  readers(const belay_value *values, std::index_sequence<At...>) : all_(values[At]...) {}
  std::tuple<reader_t<Items>...> all_;
};

// `Tuple` is what is read: of the items of Items.
template <class Tuple, class... Items>
struct tuple_codec {
  using item = Tuple;
  static constexpr bool is_equatable = (codec<Items>::is_equatable && ...);
  template <class Given>
  static belay_value give(Given &&x) {
    return std::apply(
        [](auto &&...each) {
          belay_value items[sizeof...(Items)];
          std::size_t made = 0;
          try {
            ((items[made++] = codec<Items>::give(static_cast<decltype(each)>(each))), ...);
          } catch (...) {
            while (made > 0) belay_value_release(items[--made]);
            throw;
          }
          return belay_array_of(items, made);
        },
        std::forward<Given>(x));
  }
  class reader {
   public:
    explicit reader(belay_value v) {
      if (belay_value_count(v) != sizeof...(Items)) return;
      belay_value items[sizeof...(Items)];
      for (std::size_t i = 0; i < sizeof...(Items); i++) belay_value_get_item(v, i, &items[i]);
      items_.emplace(items);
      std::size_t wrong;
      code_ = items_->code(wrong);
    }
    int code() const noexcept { return code_; }
    Tuple get() const {
      if constexpr (is_copied<Items...>())
        return std::apply([](const auto &...each) { return Tuple(each.get()...); }, items_->all());
    }

   private:
    std::optional<readers<Items...>> items_;
    int code_ = BELAY_EKIND;
  };
};

template <class A, class B>
struct codec<std::pair<A, B>, void> : tuple_codec<std::pair<item_t<A>, item_t<B>>, A, B> {};
template <class First, class... Rest>
struct codec<std::tuple<First, Rest...>, void>
    : tuple_codec<std::tuple<item_t<First>, item_t<Rest>...>, First, Rest...> {};

}  // namespace detail
}  // namespace belay

#endif
