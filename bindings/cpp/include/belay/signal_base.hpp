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
  explicit taken(const S &...inputs) : handles{inputs.retained()..., nullptr} {}
  static constexpr std::size_t count = sizeof...(S);
  belay_signal *handles[sizeof...(S) + 1];
};
// The same, where all have to send Ts.
template <class T, class... S>
struct taken_of : taken<S...> {
  static_assert((std::is_same_v<sent_by<S>, T> && ...),
                "belay: these signals send different types: map() them to one");
  using taken<S...>::taken;
};
template <class T>
std::vector<belay_signal *> taken_all(const std::vector<signal<T>> &inputs) {
  std::vector<belay_signal *> handles;
  handles.reserve(inputs.size());
  for (const signal<T> &each : inputs) handles.push_back(each.retained());
  return handles;
}

// The functions of C that make one signal of several: belay_signal_merge() and the like.
using join_fn = belay_signal *(belay_signal *const *, std::size_t);
template <class T, class... S>
signal<T> joined(join_fn join, const signal<T> &first, const S &...others) {
  taken_of<T, signal<T>, S...> all(first, others...);
  return signal<T>::adopt(made(join(all.handles, all.count)));
}
template <class T>
signal<T> joined_all(join_fn join, const std::vector<signal<T>> &inputs) {
  const auto all = taken_all(inputs);
  return signal<T>::adopt(made(join(all.data(), all.size())));
}

// Values that a function of C is to take over: released, if making one of them throws.
class given_values {
 public:
  given_values() = default;
  given_values(const given_values &) = delete;
  given_values &operator=(const given_values &) = delete;
  ~given_values() {
    for (const belay_value each : values_) belay_value_release(each);
  }
  template <class T, class Iterator>
  static given_values of(Iterator first, Iterator last) {
    given_values all;
    for (; first != last; ++first) all.add<T>(*first);
    return all;
  }
  template <class T, class... Items>
  static given_values of_items(Items &&...items) {
    given_values all;
    (all.add<T>(std::forward<Items>(items)), ...);
    return all;
  }
  // As a T, of which it is made.
  template <class T, class Item>
  void add(Item &&item) {
    values_.push_back(belay_null());
    values_.back() = give_as<T>(std::forward<Item>(item));
  }
  // Calls it with the values and their number.
  template <class Call>
  auto hand_to(Call &&call) {
    const std::vector<belay_value> all = std::exchange(values_, {});
    return call(all.data(), all.size());
  }

  given_values(given_values &&) = default;

 private:
  std::vector<belay_value> values_;
};

}  // namespace detail
}  // namespace belay

#endif
