// Functions that make a signal of something else. See creating.h. Files and the system: source.hpp.
#ifndef BELAY_CREATING_HPP
#define BELAY_CREATING_HPP

#include <belay/creating.h>
#include <belay/integer.hpp>
#include <belay/sending.hpp>
#include <belay/signal.hpp>
#include <belay/subject.hpp>
#include <optional>
#include <utility>
#include <vector>

namespace belay {

template <class T>
class subscriber;

namespace detail {
using to_subscriber =
    sending_to<belay_subscriber, belay_subscriber_next, belay_subscriber_next_wait,
               belay_subscriber_next_batch, belay_subscriber_error, belay_subscriber_completed>;
template <class T>
using subscriber_handle =
    handle<subscriber<T>, belay_subscriber, belay_subscriber_retain, belay_subscriber_release>;
}  // namespace detail

// Where a producer sends. It may keep it and use it on any thread. When the last reference goes
// without an end, the subscription is interrupted. Sending answers BELAY_EENDED when the
// subscription has ended.
template <class T>
class subscriber : public detail::sending<T, detail::to_subscriber, detail::subscriber_handle<T>> {
 public:
  explicit subscriber(typename subscriber::empty) noexcept {}
  // Disposes of `teardown` when the subscription ends.
  void add(const disposable &teardown) const {
    detail::check(belay_subscriber_add(this->get(), teardown.get()));
  }
  // Whether the subscription has ended.
  bool is_disposed() const noexcept { return belay_subscriber_is_disposed(this->get()) != 0; }
};

namespace detail {

template <class T>
struct codec<subscriber<T>>
    : handle_codec<subscriber<T>, belay_subscriber, BELAY_KIND_SUBSCRIBER,
                   belay_value_from_subscriber, belay_value_get_subscriber> {};

// belay_subscribe_fn
template <class F, class T>
belay_disposable *call_producer(void *ctx, belay_subscriber *raw) noexcept {
  const subscriber<T> to = subscriber<T>::retain(raw);
  try {
    using result = decltype(call_checked(callable<F>(ctx), to));
    if constexpr (std::is_void_v<result> || std::is_same_v<result, unit>) {
      call_checked(callable<F>(ctx), to);
      return nullptr;
    } else {
      disposable teardown(call_checked(callable<F>(ctx), to));
      return teardown.release();
    }
  } catch (...) {
    to.error_current();
    return nullptr;
  }
}

// belay_make_signal_fn
template <class F>
belay_signal *call_maker(void *ctx) noexcept {
  return guarded_handle([&] {
    return call_reading<giving_signal, F>(callable<F>(ctx), std::index_sequence<>());
  });
}

// belay_produce_fn
template <class F>
belay_value call_produce(void *ctx) noexcept {
  return guarded_value(
      [&] { return call_reading<giving, F>(callable<F>(ctx), std::index_sequence<>()); });
}
template <class F>
using produced_t = result_item_t<F>;
template <class F>
using iterated_t = typename optional_item<std::decay_t<result_t<F>>>::type;

// The callbacks of generate(), which have one context.
template <class Condition, class Next, class Result>
struct generator {
  Condition condition;
  Next next;
  Result result;
};

}  // namespace detail

// A cold signal. Calls `produce` with a subscriber<T> for each subscription, at its home. `produce`
// may return the teardown of that subscription: a disposable or a callable. An exception becomes
// the error event.
template <class T, class F>
signal<T> create(F produce, const source_options &options = {}) {
  const belay_source_options all = detail::raw(options);
  return signal<T>::adopt(detail::made(belay_signal_create(&detail::call_producer<F, T>,
                                                           detail::context(std::move(produce)),
                                                           &detail::destroy<F>, &all)));
}

// Sends one value, then completes.
template <class T>
signal<detail::item_t<T>> just(T &&item) {
  return signal<detail::item_t<T>>::adopt(
      detail::made(belay_signal_just(detail::give(std::forward<T>(item)))));
}
// Sends several values, then completes.
template <class Iterator>
auto from(Iterator first, Iterator last) -> signal<detail::item_t<decltype(*first)>> {
  using item = detail::item_t<decltype(*first)>;
  return signal<item>::adopt(
      detail::made(detail::given_values::of<item>(first, last).hand_to(belay_signal_from)));
}
template <class T>
signal<detail::item_t<T>> from(std::initializer_list<T> items) {
  return from(items.begin(), items.end());
}
// Sends copies of the items of a container, then completes.
template <class Container>
auto from(const Container &items) -> decltype(from(std::begin(items), std::end(items))) {
  return from(std::begin(items), std::end(items));
}
// Sends the content of a std::optional, if it has one, then completes.
template <class T>
signal<T> from_optional(std::optional<T> item) {
  if (item) return just(std::move(*item));
  return signal<T>::adopt(detail::made(belay_signal_from_optional(belay_null())));
}
// Calls `produce` now, and makes a signal of its result, or an error event of its exception.
template <class F>
signal<detail::produced_t<F>> from_result(F produce) {
  return signal<detail::produced_t<F>>::adopt(
      detail::made(belay_signal_from_result(detail::call_produce<F>(&produce))));
}
// Sends the content of each std::optional that `next` returns. Completes when one is empty.
template <class F>
auto from_iterator(F next) -> signal<detail::iterated_t<F>> {
  using item = detail::iterated_t<F>;
  return signal<item>::adopt(detail::made(belay_signal_from_iterator(
      [](void *ctx, belay_value *out) -> int {
        return detail::guarded_int([&] {
          std::optional<item> one = detail::call_checked(detail::callable<F>(ctx));
          if (one) *out = detail::codec<item>::give(std::move(*one));
          return one ? 1 : 0;
        });
      },
      detail::context(std::move(next)), &detail::destroy<F>)));
}

// Completes at once.
template <class T>
signal<T> empty() {
  return signal<T>::adopt(detail::made(belay_signal_empty()));
}
// Never sends anything.
template <class T>
signal<T> never() {
  return signal<T>::adopt(detail::made(belay_signal_never()));
}
// Ends with an error at once.
template <class T>
signal<T> fail(const error &failure) {
  return signal<T>::adopt(detail::made(belay_signal_error(failure.get())));
}

// Calls `make` for each subscription, and sends the events of the signal that it returns.
template <class F>
auto defer(F make) {
  using item = detail::made_by<F>;
  return signal<item>::adopt(detail::made(belay_signal_defer(
      &detail::call_maker<F>, detail::context(std::move(make)), &detail::destroy<F>)));
}
// Functions with results of one type are templates, so that a program that does not call them does
// not compile a signal of that type.

// Sends `count` numbers from `start` on, then completes.
template <class Int64 = std::int64_t>
signal<Int64> range(integer<std::int64_t> start, integer<std::uint64_t> count) {
  return signal<Int64>::adopt(detail::made(belay_signal_range(start, count)));
}
// Sends result(state) while condition(state) holds. The first state is `initial`, and each further
// one is next(state).
template <class S, class Condition, class Next, class Result>
auto generate(S initial, Condition condition, Next next, Result result) {
  using state = detail::item_t<S>;
  using callbacks = detail::generator<Condition, Next, Result>;
  using item = detail::result_item_t<Result, state>;
  value first(std::move(initial));
  auto *all = new callbacks{std::move(condition), std::move(next), std::move(result)};
  return signal<item>::adopt(detail::made(belay_signal_generate(
      first.release(),
      [](void *ctx, belay_value v) -> int {
        return detail::call_predicate<Condition, state>(&detail::callable<callbacks>(ctx).condition,
                                                        v);
      },
      [](void *ctx, belay_value v) -> belay_value {
        return detail::call_state<Next, state>(&detail::callable<callbacks>(ctx).next, v);
      },
      [](void *ctx, belay_value v) -> belay_value {
        return detail::call_map<Result, state>(&detail::callable<callbacks>(ctx).result, v);
      },
      all, &detail::destroy<callbacks>)));
}
// Sends the states themselves.
template <class S, class Condition, class Next>
signal<detail::item_t<S>> generate(S initial, Condition condition, Next next) {
  return generate(std::move(initial), std::move(condition), std::move(next),
                  [](const detail::item_t<S> &state) { return state; });
}
// Sends `item` `count` times, then completes.
template <class T>
signal<detail::item_t<T>> repeat_value(T &&item, integer<std::size_t> count = unlimited) {
  return signal<detail::item_t<T>>::adopt(
      detail::made(belay_signal_repeat_value(detail::give(std::forward<T>(item)), count)));
}
// Makes a resource for each subscription, and sends the events of the signal that use(resource &)
// returns. The resource is destroyed with the subscription, or when `use` returns if that is later.
// (`using` is a word of C++.)
template <class Make, class Use>
auto scope(Make make, Use use) {
  using resource = std::decay_t<detail::result_t<Make>>;
  using item = typename detail::made_signal<decltype(detail::call_checked(
      std::declval<Use &>(), std::declval<resource &>()))>::type;
  using callbacks = std::pair<Make, Use>;
  return signal<item>::adopt(detail::made(belay_signal_using(
      [](void *ctx, void **out) -> belay_disposable * {
        return detail::guarded_handle([&]() -> belay_disposable * {
          auto *made = new resource(detail::callable<callbacks>(ctx).first());
          *out = made;
          return belay_disposable_create(nullptr, made, &detail::destroy<resource>);
        });
      },
      [](void *ctx, void *made) -> belay_signal * {
        return detail::guarded_handle([&] {
          return detail::giving_signal::of(detail::callable<callbacks>(ctx).second,
                                           *static_cast<resource *>(made));
        });
      },
      new callbacks(std::move(make), std::move(use)), &detail::destroy<callbacks>)));
}
// Runs `work` on a scheduler for each subscription, sends its result, and completes.
template <class F>
signal<detail::produced_t<F>> start(F work, const scheduler &on = scheduler::current()) {
  return signal<detail::produced_t<F>>::adopt(detail::made(belay_signal_start(
      on.get(), &detail::call_produce<F>, detail::context(std::move(work)), &detail::destroy<F>)));
}
// Runs `work` once, now, even if there is no subscription. All subscribers get its result.
template <class F>
signal<detail::produced_t<F>> start_eagerly(F work, const scheduler &on = scheduler::current()) {
  return signal<detail::produced_t<F>>::adopt(detail::made(belay_signal_start_eagerly(
      on.get(), &detail::call_produce<F>, detail::context(std::move(work)), &detail::destroy<F>)));
}

// Sends 0 after `delay`, then completes.
template <class Uint64 = std::uint64_t>
signal<Uint64> timer(seconds delay, const scheduler &on = scheduler::current()) {
  return signal<Uint64>::adopt(detail::made(belay_signal_timer(on.get(), delay.count())));
}
// Sends 0, 1, 2, …, one every `time`.
template <class Uint64 = std::uint64_t>
signal<Uint64> interval(seconds time, const scheduler &on = scheduler::current()) {
  return signal<Uint64>::adopt(detail::made(belay_signal_interval(on.get(), time.count())));
}

}  // namespace belay

#endif
