// Signals that are made of something. See creating.h; of files and of the system: source.hpp.
#ifndef BELAY_CREATING_HPP
#define BELAY_CREATING_HPP

#include <belay/creating.h>
#include <belay/signal.hpp>
#include <belay/subject.hpp>
#include <iterator>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace belay {

// Where a producer sends. It may keep it and use it on any thread; when the last reference goes
// without an end, the subscription is interrupted.
template <class T>
class subscriber : public detail::handle<subscriber<T>, belay_subscriber, belay_subscriber_retain,
                                         belay_subscriber_release> {
 public:
  explicit subscriber(typename subscriber::empty) noexcept {}
  // As for subject<T>; BELAY_EENDED when nobody listens any more.
  template <class U>
  status next(U &&item) const {
    if constexpr (std::is_same_v<T, std::string> && std::is_convertible_v<U, std::string_view>)
      return send(detail::codec<T>::give(std::string_view(item)));
    else return send(detail::codec<T>::give(static_cast<T>(std::forward<U>(item))));
  }
  template <class U = T, class = std::enable_if_t<std::is_same_v<U, unit>>>
  status next() const {
    return next(unit());
  }
  template <class Container>
  status next_all(const Container &items) const {
    return detail::batch::of<T>(std::begin(items), std::end(items))
        .hand_to([this](const belay_value *values, std::size_t count) {
          return status(belay_subscriber_next_batch(this->get(), values, count));
        });
  }
  status next_all(std::initializer_list<T> items) const {
    return next_all<std::initializer_list<T>>(items);
  }
  status error(const belay::error &failure) const {
    return status(belay_subscriber_error(this->get(), failure.get()));
  }
  // … with the exception that is being handled. Only inside a catch block.
  status error_current() const { return error(belay::error::current()); }
  status completed() const { return status(belay_subscriber_completed(this->get())); }
  // Makes `teardown` end with the subscription.
  void add(const disposable &teardown) const {
    detail::check(belay_subscriber_add(this->get(), teardown.get()));
  }
  // Whether nobody listens any more.
  bool is_disposed() const noexcept { return belay_subscriber_is_disposed(this->get()) != 0; }

 private:
  status send(belay_value raw) const { return status(belay_subscriber_next(this->get(), raw)); }
};

namespace detail {

template <class T>
struct codec<subscriber<T>> : handle_codec<subscriber<T>, belay_subscriber, BELAY_KIND_SUBSCRIBER,
                                           belay_value_from_subscriber, belay_value_get_subscriber> {};

// belay_subscribe_fn
template <class F, class T>
belay_disposable *call_producer(void *ctx, belay_subscriber *raw) noexcept {
  const subscriber<T> to = subscriber<T>::borrow(raw);
  try {
    using result = std::invoke_result_t<F &, subscriber<T>>;
    if constexpr (std::is_void_v<result>) {
      std::invoke(callable<F>(ctx), to);
      return nullptr;
    } else if constexpr (std::is_convertible_v<result, disposable>) {
      disposable teardown = std::invoke(callable<F>(ctx), to);
      return teardown.release();
    } else {
      return disposable(std::invoke(callable<F>(ctx), to)).release();
    }
  } catch (...) {
    to.error_current();
    return nullptr;
  }
}

// belay_make_signal_fn
template <class F>
belay_signal *call_maker(void *ctx) noexcept {
  return guarded_handle(
      [&]() -> belay_signal * { return std::invoke(callable<F>(ctx)).release(); });
}

// belay_produce_fn
template <class F>
belay_value call_produce(void *ctx) noexcept {
  return guarded_value([&] {
    return give_result(
        [&]() -> std::invoke_result_t<F &> { return std::invoke(callable<F>(ctx)); });
  });
}
template <class F>
using produced_t = sent_t<std::invoke_result_t<F &>>;

// The callbacks of generate(), which have one context.
template <class Condition, class Next, class Result>
struct generator {
  Condition condition;
  Next next;
  Result result;
};

}  // namespace detail

// A cold signal: `produce` is called with a subscriber<T> for each subscription, at its home, and
// may return its teardown: a disposable, or what is called then. What it throws is the error event.
template <class T, class F>
signal<T> create(F produce, const source_options &options = {}) {
  const belay_source_options all = detail::raw(options);
  return signal<T>::adopt(detail::made(belay_signal_create(&detail::call_producer<F, T>,
                                                           detail::context(std::move(produce)),
                                                           &detail::destroy<F>, &all)));
}

// One value, then completed.
template <class T>
signal<detail::item_t<T>> just(T &&item) {
  return signal<detail::item_t<T>>::adopt(
      detail::made(belay_signal_just(detail::give(std::forward<T>(item)))));
}
// Several values, then completed.
template <class Iterator>
auto from(Iterator first, Iterator last)
    -> signal<detail::item_t<typename std::iterator_traits<Iterator>::value_type>> {
  using item = detail::item_t<typename std::iterator_traits<Iterator>::value_type>;
  return signal<item>::adopt(
      detail::made(detail::batch::of<item>(first, last).hand_to(belay_signal_from)));
}
template <class T>
signal<detail::item_t<T>> from(std::initializer_list<T> items) {
  return from(items.begin(), items.end());
}
// The items of a container, which is copied.
template <class Container>
auto from(const Container &items) -> decltype(from(std::begin(items), std::end(items))) {
  return from(std::begin(items), std::end(items));
}
// The value of a std::optional, then completed; of an empty one only the completion.
template <class T>
signal<T> from_optional(std::optional<T> item) {
  return signal<T>::adopt(detail::made(belay_signal_from_optional(detail::give(std::move(item)))));
}
// Calls `produce` now: a signal of what it returns, or an error event of what it throws.
template <class F>
signal<detail::produced_t<F>> from_result(F produce) {
  return signal<detail::produced_t<F>>::adopt(
      detail::made(belay_signal_from_result(detail::call_produce<F>(&produce))));
}
// The values of the std::optionals that `next` returns, until one is empty.
template <class F>
auto from_iterator(F next)
    -> signal<typename detail::optional_item<std::invoke_result_t<F &>>::type> {
  using item = typename detail::optional_item<std::invoke_result_t<F &>>::type;
  return signal<item>::adopt(detail::made(belay_signal_from_iterator(
      [](void *ctx, belay_value *out) -> int {
        return detail::guarded_int([&] {
          std::optional<item> one = std::invoke(detail::callable<F>(ctx));
          if (one) *out = detail::codec<item>::give(std::move(*one));
          return one ? 1 : 0;
        });
      },
      detail::context(std::move(next)), &detail::destroy<F>)));
}

// Completed, at once.
template <class T>
signal<T> empty() {
  return signal<T>::adopt(detail::made(belay_signal_empty()));
}
// Nothing, ever.
template <class T>
signal<T> never() {
  return signal<T>::adopt(detail::made(belay_signal_never()));
}
// An error, at once.
template <class T>
signal<T> fail(const error &failure) {
  return signal<T>::adopt(detail::made(belay_signal_error(failure.get())));
}

// The signal that `make` returns for each subscription.
template <class F>
auto defer(F make) {
  using item = detail::sent_by<std::invoke_result_t<F &>>;
  return signal<item>::adopt(detail::made(belay_signal_defer(
      &detail::call_maker<F>, detail::context(std::move(make)), &detail::destroy<F>)));
}
// `count` numbers from `start` on.
inline signal<std::int64_t> range(std::int64_t start, std::uint64_t count) {
  return signal<std::int64_t>::adopt(detail::made(belay_signal_range(start, count)));
}
// result(state) for each state, from `initial` on to next(state), while condition(state) holds.
template <class S, class Condition, class Next, class Result>
auto generate(S initial, Condition condition, Next next, Result result) {
  using state = detail::item_t<S>;
  using callbacks = detail::generator<Condition, Next, Result>;
  using item = detail::result_item_t<Result, state>;
  value first(std::move(initial));
  auto all = std::make_unique<callbacks>(
      callbacks{std::move(condition), std::move(next), std::move(result)});
  return signal<item>::adopt(detail::made(belay_signal_generate(
      first.release(),
      [](void *ctx, belay_value v) -> int {
        return detail::call_predicate<Condition, state>(&detail::callable<callbacks>(ctx).condition,
                                                        v);
      },
      [](void *ctx, belay_value v) -> belay_value {
        return detail::call_map<Next, state>(&detail::callable<callbacks>(ctx).next, v);
      },
      [](void *ctx, belay_value v) -> belay_value {
        return detail::call_map<Result, state>(&detail::callable<callbacks>(ctx).result, v);
      },
      all.release(), &detail::destroy<callbacks>)));
}
// The states themselves.
template <class S, class Condition, class Next>
signal<detail::item_t<S>> generate(S initial, Condition condition, Next next) {
  return generate(std::move(initial), std::move(condition), std::move(next),
                  [](const detail::item_t<S> &state) { return state; });
}
// `item` `count` times; unlimited: until it is disposed of.
template <class T>
signal<detail::item_t<T>> repeat_value(T &&item, std::size_t count = unlimited) {
  return signal<detail::item_t<T>>::adopt(
      detail::made(belay_signal_repeat_value(detail::give(std::forward<T>(item)), count)));
}
// For each subscription makes a resource, and the signal that use(resource &) returns; the resource
// is destroyed with the subscription. (using: a word of C++'s.)
template <class Make, class Use>
auto scope(Make make, Use use) {
  using resource = std::invoke_result_t<Make &>;
  using item = detail::sent_by<std::invoke_result_t<Use &, resource &>>;
  using callbacks = std::pair<Make, Use>;
  return signal<item>::adopt(detail::made(belay_signal_using(
      [](void *ctx, void **out) -> belay_disposable * {
        return detail::guarded_handle([&]() -> belay_disposable * {
          auto made = std::make_unique<resource>(detail::callable<callbacks>(ctx).first());
          *out = made.get();
          return belay_disposable_create(nullptr, made.release(), &detail::destroy<resource>);
        });
      },
      [](void *ctx, void *made) -> belay_signal * {
        return detail::guarded_handle([&]() -> belay_signal * {
          return std::invoke(detail::callable<callbacks>(ctx).second,
                             *static_cast<resource *>(made))
              .release();
        });
      },
      new callbacks(std::move(make), std::move(use)), &detail::destroy<callbacks>)));
}
// Runs `work` on a scheduler for each subscription, and sends what it returns, then completed.
template <class F>
signal<detail::produced_t<F>> start(F work, const scheduler &on = scheduler::current()) {
  return signal<detail::produced_t<F>>::adopt(detail::made(belay_signal_start(
      on.get(), &detail::call_produce<F>, detail::context(std::move(work)), &detail::destroy<F>)));
}
// Runs `work` once, whether or not somebody listens. Later subscribers get its result, too.
template <class F>
signal<detail::produced_t<F>> start_eagerly(F work, const scheduler &on = scheduler::current()) {
  return signal<detail::produced_t<F>>::adopt(detail::made(belay_signal_start_eagerly(
      on.get(), &detail::call_produce<F>, detail::context(std::move(work)), &detail::destroy<F>)));
}

// 0 after `delay`, then completed.
inline signal<std::uint64_t> timer(seconds delay, const scheduler &on = scheduler::current()) {
  return signal<std::uint64_t>::adopt(detail::made(belay_signal_timer(on.get(), delay.count())));
}
// 0, 1, 2, … every `time`.
inline signal<std::uint64_t> interval(seconds time, const scheduler &on = scheduler::current()) {
  return signal<std::uint64_t>::adopt(detail::made(belay_signal_interval(on.get(), time.count())));
}

}  // namespace belay

#endif
