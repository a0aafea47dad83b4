// Batches: values that come together, for observers that want them so. See belay_observer in
// signal.h.
#ifndef BELAY_BATCH_HPP
#define BELAY_BATCH_HPP

#include <belay/callback.hpp>
#include <cstddef>
#include <optional>

namespace belay {

// The Ts of one batch, 1 to 256 of them, lent to the callable that is called with it. A value is
// read where it is asked for; one that is no T throws BELAY_EKIND there.
template <class T>
class batch {
 public:
  // Reads one value after the other. A reference that it gives, and a view of it, live until it goes
  // on.
  class iterator {
   public:
    explicit iterator(const belay_value *at) noexcept : at_(at) {}
    decltype(auto) operator*() {
      read_.emplace(*at_);
      detail::expect<T>(*read_, *at_);
      if constexpr (is_copied) return static_cast<const T &>(copy_.emplace(read_->get()));
      else return read_->get();
    }
    iterator &operator++() noexcept {
      ++at_;
      return *this;
    }
    friend bool operator==(const iterator &a, const iterator &b) noexcept { return a.at_ == b.at_; }
    friend bool operator!=(const iterator &a, const iterator &b) noexcept { return !(a == b); }

   private:
    // Texts, and what may hold texts.
    static constexpr bool is_copied = std::is_class_v<detail::passed_t<T>>;
    struct none {};
    const belay_value *at_;
    std::optional<detail::reader_t<T>> read_;
    std::conditional_t<is_copied, std::optional<T>, none> copy_;
  };

  batch(const belay_value *values, std::size_t size) noexcept : values_(values), size_(size) {}
  std::size_t size() const noexcept { return size_; }
  iterator begin() const noexcept { return iterator(values_); }
  iterator end() const noexcept { return iterator(values_ + size_); }
  // A copy of a value; `index` is below size().
  T operator[](std::size_t index) const { return *iterator(values_ + index); }
  // The values of C, borrowed.
  const belay_value *get() const noexcept { return values_; }

 private:
  const belay_value *values_;
  std::size_t size_;
};

namespace detail {

// A callable for batches.
template <class F>
struct batched {
  F callable;
};
template <class F>
constexpr bool is_batched = false;
template <class F>
constexpr bool is_batched<batched<F>> = true;

template <class F, class T>
void call_batched(batched<F> &to, const belay_value *values, std::size_t count) noexcept {
  guarded_int([&] {
    call_checked(to.callable, batch<T>(values, count));
    return 0;
  });
}

}  // namespace detail
}  // namespace belay

#endif
