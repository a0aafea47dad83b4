// Events as values, which materialize() sends.
#ifndef BELAY_EVENT_HPP
#define BELAY_EVENT_HPP

#include <belay/transforming.h>
#include <belay/convert.hpp>
#include <optional>
#include <utility>

namespace belay {

// A value, an error or the completion.
template <class T>
class event {
 public:
  template <class U = T>
  static event next(U &&item) {
    return event(detail::keep_as<T>(std::forward<U>(item)), std::nullopt);
  }
  static event failed(belay::error failure) { return event(std::nullopt, std::move(failure)); }
  static event completed() { return event(std::nullopt, std::nullopt); }

  bool is_next() const noexcept { return item_.has_value(); }
  bool is_error() const noexcept { return error_.has_value(); }
  bool is_completed() const noexcept { return !item_ && !error_; }
  // The value; only if it is one.
  const T &value() const { return item_.value(); }
  // The error; only if it is one.
  const belay::error &error() const { return error_.value(); }

 private:
  event(std::optional<T> item, std::optional<belay::error> failure)
      : item_(std::move(item)), error_(std::move(failure)) {}
  std::optional<T> item_;
  std::optional<belay::error> error_;
};

namespace detail {

template <class T>
struct event_item;
template <class T>
struct event_item<event<T>> {
  using type = T;
};

// The arrays of transforming.h.
template <class T>
struct codec<event<T>> {
  using item = event<item_t<T>>;
  static constexpr bool is_equatable = codec<T>::is_equatable;
  template <class U>
  static belay_value give(const event<U> &x) {
    if (x.is_next()) return array(BELAY_EVENT_NEXT, codec<T>::give(x.value()), 2);
    if (x.is_error()) return array(BELAY_EVENT_ERROR, codec<error>::give(x.error()), 2);
    return array(BELAY_EVENT_COMPLETED, belay_null(), 1);
  }
  class reader {
   public:
    explicit reader(belay_value v) {
      belay_value kind = belay_null(), content = belay_null();
      if (belay_value_count(v) < 1) return;
      belay_value_get_item(v, 0, &kind);
      if (belay_value_count(v) > 1) belay_value_get_item(v, 1, &content);
      const codec<int>::reader which(kind);
      if (which.code() < 0) return;
      if (which.get() == BELAY_EVENT_NEXT) {
        code_ = item_.emplace(content).code();
      } else if (which.get() == BELAY_EVENT_ERROR) {
        code_ = error_.emplace(content).code();
      } else {
        code_ = which.get() == BELAY_EVENT_COMPLETED ? 0 : BELAY_EKIND;
      }
    }
    int code() const noexcept { return code_; }
    item get() const {
      if (item_) return item::next(item_->get());
      return error_ ? item::failed(error_->get()) : item::completed();
    }

   private:
    std::optional<reader_t<T>> item_;
    std::optional<codec<error>::reader> error_;
    int code_ = BELAY_EKIND;
  };

 private:
  static belay_value array(int kind, belay_value content, std::size_t count) {
    const belay_value items[] = {belay_int32(kind), content};
    return belay_array_of(items, count);
  }
};

}  // namespace detail
}  // namespace belay

#endif
