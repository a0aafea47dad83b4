// The base of signals: a handle, and how an operator is applied to it.
#ifndef BELAY_SIGNAL_BASE_HPP
#define BELAY_SIGNAL_BASE_HPP

#include <belay/operator.h>
#include <belay/signal.h>
#include <belay/callback.hpp>
#include <belay/handle.hpp>
#include <belay/scheduler.hpp>
#include <initializer_list>
#include <type_traits>
#include <vector>

namespace belay {

template <class T>
class signal;

namespace detail {

template <class T>
using source = handle<signal<T>, belay_signal, belay_signal_retain, belay_signal_release>;

template <class T>
T item_of_signal(const signal<T> &);

// The T of a signal<T>, or of what derives from one; else there is none.
template <class S, class = void>
struct item_sent_by {
  static constexpr bool is_signal = false;
};
template <class S>
struct item_sent_by<S, std::void_t<decltype(item_of_signal(std::declval<const S &>()))>> {
  static constexpr bool is_signal = true;
  using type = decltype(item_of_signal(std::declval<const S &>()));
};
template <class S>
using sent_by = typename item_sent_by<S>::type;
// The item of the signal that F returns for Ts.
template <class F, class... T>
using made_by = sent_by<result_t<F, T...>>;
template <class S>
constexpr bool sends = item_sent_by<std::decay_t<S>>::is_signal;

// A signal of U made by an operator of a source, which is kept.
template <class U>
signal<U> through(belay_signal *source, belay_op *op) {
  return signal<U>::adopt(made(belay_signal_chain_n(belay_signal_retain(source), &op, 1)));
}

// signal<U>, looked at no sooner than T is known: in the classes that signals derive from.
template <class T, class U>
struct later {
  using type = U;
};
template <class T, class U>
using signal_of = signal<typename later<T, U>::type>;

// References to several signals, to be taken over. Nothing may throw before they are: make the
// context of a callable first.
template <class... S>
struct taken {
  explicit taken(const S &...signals) : handles{signals.retained()..., nullptr} {}
  static constexpr std::size_t count = sizeof...(S);
  belay_signal *handles[sizeof...(S) + 1];
};
template <class T>
std::vector<belay_signal *> taken_all(const std::vector<signal<T>> &signals) {
  std::vector<belay_signal *> handles;
  handles.reserve(signals.size());
  for (const signal<T> &each : signals) handles.push_back(each.retained());
  return handles;
}

// Values that a function of C is to take over: released, if making one of them throws.
class batch {
 public:
  batch() = default;
  batch(const batch &) = delete;
  batch &operator=(const batch &) = delete;
  ~batch() {
    for (const belay_value each : values_) belay_value_release(each);
  }
  template <class T, class Iterator>
  static batch of(Iterator first, Iterator last) {
    batch all;
    for (; first != last; ++first) all.add<T>(*first);
    return all;
  }
  template <class T, class... Items>
  static batch of_items(Items &&...items) {
    batch all;
    (all.add<T>(std::forward<Items>(items)), ...);
    return all;
  }
  // As a T, of which it is made.
  template <class T, class Item>
  void add(Item &&item) {
    values_.push_back(belay_null());
    values_.back() = codec<T>::give(static_cast<T>(std::forward<Item>(item)));
  }
  // Calls it with the values and their number.
  template <class Call>
  auto hand_to(Call &&call) {
    const std::vector<belay_value> all = std::exchange(values_, {});
    return call(all.data(), all.size());
  }

 private:
  batch(batch &&) = default;
  std::vector<belay_value> values_;
};

}  // namespace detail
}  // namespace belay

#endif
