// Coroutines, for C++20: co_await of a signal, and a coroutine that ends with its handle.
//
//   belay::task greet(belay::signal<std::string> names) {
//     std::string name = co_await names;   // the first value
//     …
//   }
//
// co_await subscribes and gives the first value; the subscription ends with it. An error is thrown:
// the exception that a callback threw, if it was one. A signal that completes without a value
// throws BELAY_EENDED, one that is interrupted BELAY_ECANCELED, as wait_first() does; co_await of
// signal.materialize() and the like tell ends as values. The coroutine goes on where the signal's
// events are delivered: at the loop of the thread that awaits. When it is destroyed while it waits,
// the subscription is disposed of.
#ifndef BELAY_COROUTINE_HPP
#define BELAY_COROUTINE_HPP

#if defined(__cpp_impl_coroutine) || defined(__cpp_coroutines)

#include <belay/signal.hpp>
#include <coroutine>
#include <exception>
#include <optional>
#include <utility>

namespace belay {
namespace detail {

// The state that a waiting coroutine and its subscription share. Either may go first. It uses the
// compiler's atomics because <atomic> and <memory> are large.
struct awaiting {
  enum phase : int { starting, suspended, over };
  int at = starting;
  int references = 0;
  std::coroutine_handle<> coroutine;  // null when it has gone while it waited
  value first;
  bool has_value = false;
  std::optional<error> failure;
  int end = BELAY_ECANCELED;  // the reason when there is neither

  // Goes over to `next`; answers which phase it was in.
  int advance(phase next) noexcept { return __atomic_exchange_n(&at, next, __ATOMIC_ACQ_REL); }
  static awaiting *retain(awaiting *state) noexcept {
    if (state) __atomic_add_fetch(&state->references, 1, __ATOMIC_RELAXED);
    return state;
  }
  static void release(awaiting *state) noexcept {
    if (state && __atomic_sub_fetch(&state->references, 1, __ATOMIC_ACQ_REL) == 0) delete state;
  }
};

// One reference to such a state.
class awaiting_state
    : public handle<awaiting_state, awaiting, awaiting::retain, awaiting::release> {
 public:
  explicit awaiting_state(empty) noexcept {}
  awaiting *operator->() const noexcept { return get(); }
};

template <class T>
class awaiter {
 public:
  explicit awaiter(signal<T> awaited) : signal_(std::move(awaited)) {}
  awaiter(awaiter &&) = delete;
  ~awaiter() {
    if (!state_) return;
    state_->advance(awaiting::over);
    state_->coroutine = nullptr;
    subscription_.dispose();
  }

  bool await_ready() const noexcept { return false; }
  bool await_suspend(std::coroutine_handle<> coroutine) {
    state_ = awaiting_state::retain(new awaiting());
    state_->coroutine = coroutine;
    // Whatever happens, on_disposed is the last that is called. It may already destroy this.
    auto state = state_;
    scoped_disposable subscription =
        std::exchange(signal_, signal<T>())
            .template as<value>()
            .take(1)
            .subscribe(
                observe([state](value item) noexcept {
                  state->first = std::move(item);
                  state->has_value = true;
                })
                    .on_error([state](const error &failure) { state->failure.emplace(failure); })
                    .on_completed([state]() noexcept { state->end = BELAY_EENDED; })
                    .on_disposed([state] {
                      if (state->advance(awaiting::over) == awaiting::suspended)
                        state->coroutine.resume();
                    }));
    // Subscribing may have destroyed the coroutine, and this with it. It is suspended, too.
    if (!state->coroutine) return true;
    // Store the subscription before another thread may resume the coroutine, which then owns it.
    subscription_ = subscription.release();
    int expected = awaiting::starting;
    return __atomic_compare_exchange_n(&state->at, &expected, awaiting::suspended, false,
                                       __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
  }
  T await_resume() {
    const awaiting_state state = std::move(state_);
    if (state->failure) state->failure->raise();
    if (!state->has_value) throw error(state->end);
    return std::move(state->first).template as<T>();
  }

 private:
  signal<T> signal_;
  disposable subscription_;
  awaiting_state state_ = awaiting_state::adopt(nullptr);
};

}  // namespace detail

// Waits for the first value of a signal.
template <class S, class = std::enable_if_t<detail::sends<S>>>
auto operator co_await(const S &signal) {
  using item = detail::sent_by<S>;
  return detail::awaiter<item>(belay::signal<item>::retain(signal.get()));
}

// A coroutine that begins at once, and is destroyed with this handle: what it awaits then is
// disposed of. So the handle must not be destroyed by the coroutine itself, nor by what it calls.
// An exception of the task is kept for result().
class [[nodiscard]] task {
 public:
  struct promise_type {
    task get_return_object() noexcept {
      return task(std::coroutine_handle<promise_type>::from_promise(*this));
    }
    std::suspend_never initial_suspend() const noexcept { return {}; }
    std::suspend_always final_suspend() const noexcept { return {}; }
    void return_void() const noexcept {}
    void unhandled_exception() noexcept { thrown = std::current_exception(); }
    std::exception_ptr thrown;
  };

  task(task &&other) noexcept : coroutine_(std::exchange(other.coroutine_, nullptr)) {}
  task &operator=(task &&other) noexcept { return std::swap(coroutine_, other.coroutine_), *this; }
  ~task() { coroutine_ ? coroutine_.destroy() : void(); }

  // Whether it has come to its end.
  bool done() const noexcept { return !coroutine_ || coroutine_.done(); }
  // Throws the exception that ended it, if there was one.
  void result() const {
    if (coroutine_ && coroutine_.promise().thrown)
      std::rethrow_exception(coroutine_.promise().thrown);
  }

 private:
  explicit task(std::coroutine_handle<promise_type> coroutine) noexcept : coroutine_(coroutine) {}
  std::coroutine_handle<promise_type> coroutine_;
};

}  // namespace belay

#endif
#endif
