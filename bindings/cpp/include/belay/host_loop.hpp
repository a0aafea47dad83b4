// A loop of the program's own as a scheduler and a home, without libuv. <belay/belay.hpp> leaves it out.
#ifndef BELAY_HOST_LOOP_HPP
#define BELAY_HOST_LOOP_HPP

#include <belay/loop.hpp>
#include <chrono>
#include <memory>
#include <utility>

namespace belay {

// Work that a loop of the program's own has been given. It is run once, on the loop's thread; a loop
// that ends drops what it has not run.
class host_work {
 public:
  host_work(belay_action_fn action, void *work, belay_free_fn free) noexcept
      : action_(action), free_(free), work_(work) {}
  host_work(host_work &&other) noexcept
      : action_(other.action_), free_(std::exchange(other.free_, nullptr)), work_(other.work_) {}
  host_work &operator=(host_work &&other) noexcept {
    std::swap(action_, other.action_);
    std::swap(free_, other.free_);
    std::swap(work_, other.work_);
    return *this;
  }
  ~host_work() {
    if (free_) free_(work_);
  }
  void operator()() const { action_(work_); }

 private:
  belay_action_fn action_;
  belay_free_fn free_;
  void *work_;
};

// A loop of the program's own; see belay_scheduler_table. Its functions must not wait, call Belay, or
// run the work inside the call.
class host_loop {
 public:
  virtual ~host_loop() = default;
  // Runs the work soon, on the loop's thread. Any thread calls this.
  virtual void schedule(host_work work) = 0;
  // Runs the work after a time, and returns what cancel() gets. Both on the loop's thread.
  virtual void *after(seconds delay, host_work work) = 0;
  virtual void cancel(void *timer) = 0;
  // Its clock. Any thread calls this.
  virtual seconds now() { return std::chrono::steady_clock::now().time_since_epoch(); }
};

// The scheduler of a loop that the program runs on this thread: the home of what is made and
// subscribed to there, without libuv. close() ends it, or the end of the thread does.
class host_scheduler : public belay::scheduler {
 public:
  // Throws BELAY_EBOUND when the thread has another loop.
  explicit host_scheduler(std::unique_ptr<host_loop> loop, const loop_options &options = {})
      : scheduler(adopt(create(std::move(loop), options))) {}

  // Ends what is at home there, and prints it on stderr.
  void close() const { detail::check(belay_scheduler_close(get(), nullptr, nullptr, nullptr)); }
  // The same; `closed` is called with a std::vector<open_resource> of it.
  template <class F>
  void close(F closed) const {
    detail::check(belay_scheduler_close(get(), &detail::call_closed<F>,
                                        detail::context(std::move(closed)), &detail::destroy<F>));
  }

 private:
  static host_loop &of(void *ctx) noexcept {
    return **static_cast<std::unique_ptr<host_loop> *>(ctx);
  }
  static belay_scheduler *create(std::unique_ptr<host_loop> loop, const loop_options &options) {
    auto raw = detail::begin_raw<belay_scheduler_table>(options);
    raw.capacity = options.capacity;
    raw.quiet = options.quiet;
    // A callable that throws has dropped the work.
    raw.schedule = [](void *ctx, belay_action_fn action, void *work, belay_free_fn free) {
      detail::guarded("a loop", [&] { of(ctx).schedule(host_work(action, work, free)); });
    };
    raw.after = [](void *ctx, double delay, belay_action_fn action, void *work,
                   belay_free_fn free) {
      void *timer = nullptr;
      detail::guarded("a loop", [&] {
        timer = of(ctx).after(seconds(delay), host_work(action, work, free));
      });
      return timer;
    };
    raw.cancel = [](void *ctx, void *timer) {
      detail::guarded("a loop", [&] { of(ctx).cancel(timer); });
    };
    raw.now = [](void *ctx) {
      double time = 0;
      detail::guarded("a loop", [&] { time = of(ctx).now().count(); });
      return time;
    };
    using held = std::unique_ptr<host_loop>;
    return detail::made(belay_scheduler_create_host(&raw, detail::context(std::move(loop)),
                                                    &detail::destroy<held>));
  }
};

}  // namespace belay

#endif
