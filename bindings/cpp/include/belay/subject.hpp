// Subjects: signals that one sends into. See subject.h.
#ifndef BELAY_SUBJECT_HPP
#define BELAY_SUBJECT_HPP

#include <belay/subject.h>
#include <belay/loop.hpp>
#include <belay/signal.hpp>
#include <iterator>
#include <utility>
#include <vector>

namespace belay {

// How a source is made; belay_source_options without its size.
struct source_options {
  const char *label = nullptr;  // static; its name in reports
  const char *site = nullptr;   // static; BELAY_HERE
  belay_loop *loop = nullptr;   // its home; null: this thread's loop, else this thread
  belay_reentrancy reentrancy = BELAY_REENTRANCY_QUEUE;
  std::size_t capacity = 0;  // 0: 1024
  bool shared = false;       // no home: sends deliver on the sender's thread
};

namespace detail {

inline belay_source_options raw(const source_options &options) {
  belay_source_options all = {};
  all.size = sizeof all;
  all.label = options.label;
  all.site = options.site;
  all.loop = options.loop;
  all.reentrancy = options.reentrancy;
  all.capacity = options.capacity;
  all.shared = options.shared;
  return all;
}

// Where a function of C takes options.
template <class Make>
belay_signal *with_options(const source_options &options, Make make) {
  const belay_source_options all = raw(options);
  return made(make(&all));
}

}  // namespace detail

// A subject without memory. Copies are the same subject; the last one to go interrupts those who
// listen. Sending is for any thread.
template <class T>
class subject : public signal<T> {
 public:
  explicit subject(const source_options &options = {})
      : subject(detail::with_options(options, belay_subject_create), 0) {}

  // Sends a value. At home it returns when everybody has been called; status.queued() when it is
  // delivered later. Not taken: BELAY_EENDED, BELAY_EREENTRANT, BELAY_EAGAIN, and from another
  // thread BELAY_ENOHOME or BELAY_ECANCELED. What a subscriber throws does not come here.
  template <class U>
  status next(U &&item) const {
    if constexpr (std::is_same_v<std::decay_t<U>, T>)
      return status(belay_subject_next(this->get(), detail::codec<T>::give(std::forward<U>(item))));
    else
      return status(
          belay_subject_next(this->get(), detail::codec<T>::give(convert(std::forward<U>(item)))));
  }
  // Sends many as one batch. What it says is what the first says that is refused; the rest is not
  // sent.
  template <class Container>
  status next_all(const Container &items) const {
    return detail::batch::of<T>(std::begin(items), std::end(items))
        .hand_to([this](const belay_value *values, std::size_t count) {
          return status(belay_subject_next_batch(this->get(), values, count));
        });
  }
  status next_all(std::initializer_list<T> items) const {
    return next_all<std::initializer_list<T>>(items);
  }
  // A value that says nothing but "now".
  template <class U = T, class = std::enable_if_t<std::is_same_v<U, unit>>>
  status next() const {
    return next(unit());
  }
  // Ends it with an error.
  status error(const belay::error &failure) const {
    return status(belay_subject_error(this->get(), failure.get()));
  }
  // … with the exception that is being handled. Only inside a catch block.
  status error_current() const { return error(belay::error::current()); }
  // Ends it.
  status completed() const { return status(belay_subject_completed(this->get())); }
  // How many subscribe; away from its home an estimate.
  std::size_t count() const noexcept { return belay_subject_count(this->get()); }

 protected:
  subject(belay_signal *made, int) noexcept : signal<T>(signal<T>::adopt(made)) {}

 private:
  // As `T x = item` would, with brackets for what is not T's own.
  template <class U>
  static decltype(auto) convert(U &&item) {
    if constexpr (std::is_same_v<T, std::string> && std::is_convertible_v<U, std::string_view>)
      return std::string_view(item);
    else return T(std::forward<U>(item));
  }
};

// A subject with a current value, which each new subscriber gets first.
template <class T>
class behavior_subject : public subject<T> {
 public:
  explicit behavior_subject(T initial, const source_options &options = {})
      : subject<T>(detail::with_options(options,
                                        [&](const belay_source_options *all) {
                                          return belay_subject_create_behavior(
                                              detail::codec<T>::give(std::move(initial)), all);
                                        }),
                   0) {}
  // The value that was delivered last; inside a delivery, the one being delivered.
  T value() const {
    belay_value raw = belay_null();
    detail::check(belay_subject_get(this->get(), &raw));
    return belay::value::adopt(raw).template as<T>();
  }
};

// A subject that keeps its last `count` values, none older than `age` by a scheduler's clock
//  (without one the monotonic clock), for who subscribes later.
template <class T>
class replay_subject : public subject<T> {
 public:
  explicit replay_subject(std::size_t count = unlimited, seconds age = forever,
                          const scheduler &clock = scheduler::adopt(nullptr),
                          const source_options &options = {})
      : subject<T>(detail::with_options(options,
                                        [&](const belay_source_options *all) {
                                          return belay_subject_create_replay(
                                              clock.get(), age.count(), count, all);
                                        }),
                   0) {}
};

// A subject that sends its last value when it completes, and to later subscribers.
template <class T>
class async_subject : public subject<T> {
 public:
  explicit async_subject(const source_options &options = {})
      : subject<T>(detail::with_options(options, belay_subject_create_async), 0) {}
};

}  // namespace belay

#endif
