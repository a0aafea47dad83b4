// Subjects: signals that one sends into. See subject.h.
#ifndef BELAY_SUBJECT_HPP
#define BELAY_SUBJECT_HPP

#include <belay/subject.h>
#include <belay/integer.hpp>
#include <belay/loop.hpp>
#include <belay/sending.hpp>
#include <belay/signal.hpp>
#include <utility>

namespace belay {

// The policy for a value that is sent from inside a delivery of the same source.
enum class reentrancy {
  queue = BELAY_REENTRANCY_QUEUE,              // delivered after the event in progress
  depth_first = BELAY_REENTRANCY_DEPTH_FIRST,  // delivered at once
  latest = BELAY_REENTRANCY_LATEST,            // queued, but only the latest one waits
  reject = BELAY_REENTRANCY_REJECT             // refused with BELAY_EREENTRANT
};

// How a source is made.
struct source_options {
  const char *label = nullptr;  // static; its name in reports
  const char *site = nullptr;   // static; BELAY_HERE
  // Its home; empty: the loop of this thread, else this thread.
  belay::loop loop = belay::loop::adopt(nullptr);
  belay::reentrancy reentrancy = belay::reentrancy::queue;
  integer<std::size_t> capacity = 0;  // of the queue; 0: 1024
  bool shared = false;                // no home: a send delivers on the sender's thread
};

namespace detail {

inline belay_source_options raw(const source_options &options) noexcept {
  belay_source_options all = begin_raw<belay_source_options>(options);
  all.loop = options.loop.get();
  all.reentrancy = static_cast<belay_reentrancy>(options.reentrancy);
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

using to_subject = sending_to<belay_signal, belay_subject_next, belay_subject_next_wait,
                              belay_subject_next_batch, belay_subject_error, belay_subject_completed>;

}  // namespace detail

// A subject without memory. Copies are the same subject. The last copy that goes interrupts the
// subscriptions. Any thread may send.
template <class T>
class subject : public detail::sending<T, detail::to_subject, signal<T>> {
 public:
  explicit subject(const source_options &options = {})
      : subject(detail::with_options(options, belay_subject_create), 0) {}
  // Takes over a reference to a subject of C's, whichever kind it is; `retain` takes one of its
  // own.
  static subject adopt(belay_signal *raw) noexcept { return subject(raw, 0); }
  static subject retain(belay_signal *raw) noexcept { return adopt(belay_signal_retain(raw)); }

  // How many subscribe; away from its home an estimate.
  std::size_t count() const noexcept { return belay_subject_count(this->get()); }

 protected:
  subject(belay_signal *raw, int) noexcept
      : detail::sending<T, detail::to_subject, signal<T>>(signal<T>::adopt(raw)) {}
};

// A subject with a current value. Each new subscriber gets it first.
template <class T>
class behavior_subject : public subject<T> {
 public:
  template <class U = T, class = detail::unless_copy<behavior_subject, U>>
  explicit behavior_subject(U &&initial, const source_options &options = {})
      : subject<T>(detail::with_options(options,
                                        [&](const belay_source_options *all) {
                                          return belay_subject_create_behavior(
                                              detail::give_as<T>(std::forward<U>(initial)), all);
                                        }),
                   0) {}
  // Takes over a reference to a behaviour subject of C's; `retain` takes one of its own.
  static behavior_subject adopt(belay_signal *raw) noexcept { return behavior_subject(raw, 0); }
  static behavior_subject retain(belay_signal *raw) noexcept {
    return adopt(belay_signal_retain(raw));
  }

  // The value that was delivered last; inside a delivery, the one being delivered.
  T value() const {
    belay_value raw = belay_null();
    detail::check(belay_subject_get(this->get(), &raw));
    return belay::value::adopt(raw).template as<T>();
  }

 private:
  behavior_subject(belay_signal *raw, int) noexcept : subject<T>(raw, 0) {}
};

// A subject that keeps its last `count` values (`unlimited`: all) for later subscribers. It drops
// values that are older than `age` by the clock of a scheduler, or by the monotonic clock.
template <class T>
class replay_subject : public subject<T> {
 public:
  explicit replay_subject(integer<std::size_t> count = 1024, seconds age = detail::no_limit,
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
