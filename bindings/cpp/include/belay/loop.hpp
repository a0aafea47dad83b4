// Loops: libuv event loops, Belay's own or the program's; and workers, loops with a thread of their
// own. See loop.h for threads.
#ifndef BELAY_LOOP_HPP
#define BELAY_LOOP_HPP

#include <belay/loop.h>
#include <belay/worker.h>
#include <belay/callback.hpp>
#include <belay/handle.hpp>
#include <belay/integer.hpp>
#include <belay/scheduler.hpp>
#include <optional>
#include <vector>

namespace belay {

// How a loop is made.
struct loop_options {
  const char *label = nullptr;        // static; its name in reports
  const char *site = nullptr;         // static; BELAY_HERE
  integer<std::size_t> capacity = 0;  // of its queue; 0: 1024
  bool persistent = false;            // a run goes on until stop(), waiting for other threads
  bool quiet = false;                 // a close prints nothing about open resources
  unsigned uv_version = 0;            // UV_VERSION_HEX of the program; another libuv is refused
};

// Something that was still open on a loop when it was closed; see belay_open_resource.
struct open_resource {
  open_resource(const belay_open_resource *resource)
      : kind(belay_open_resource_kind(resource)),
        label(belay_open_resource_label(resource)),
        site(belay_open_resource_site(resource)),
        address(belay_open_resource_address(resource)),
        is_foreign(belay_open_resource_is_foreign(resource) != 0) {}
  const char *kind;   // static
  const char *label;  // static; or null
  const char *site;   // static; or null
  const void *address;
  bool is_foreign;  // the program's, left as it is; else Belay's, ended by the close
};

namespace detail {
template <class F>
void call_closed(void *ctx, const belay_open_resource *const *resources, std::size_t count) {
  guarded("a loop's close", [&] {
    call_checked(callable<F>(ctx), std::vector<open_resource>(resources, resources + count));
  });
}
}  // namespace detail

// One user of a loop. All users that are made on a thread share its loop. Observers at() this user
// and the work of its scheduler end with it. Drop the last reference on the loop's thread: that
// closes it.
class loop : public detail::handle<loop, belay_loop, belay_loop_retain, belay_loop_release> {
 public:
  // On the loop that this thread has, else on one of Belay's own, bound to this thread.
  explicit loop(const loop_options &options = {}) : handle(create(nullptr, options)) {}
  // Belay on a loop of the program's, which goes on running it; `uv` must live until close() is
  // over. Throws BELAY_EBOUND when the thread has another one.
  explicit loop(uv_loop_s *uv, const loop_options &options = {}) : handle(create(uv, options)) {}
  explicit loop(empty) noexcept {}

  // The loop of the calling thread, if it has one, by the handle of its first user.
  static std::optional<loop> current() {
    belay_loop *here = belay_loop_current();
    return here ? std::optional<loop>(retain(here)) : std::nullopt;
  }

  // Runs until nothing is left to wait for, or stop(). True when something is left.
  bool run() const { return detail::check(belay_loop_run(get(), BELAY_RUN_DEFAULT)) == 1; }
  // One turn; waits for something to do.
  bool run_once() const { return detail::check(belay_loop_run(get(), BELAY_RUN_ONCE)) == 1; }
  // One turn; does not wait.
  bool run_nowait() const { return detail::check(belay_loop_run(get(), BELAY_RUN_NOWAIT)) == 1; }
  // Makes a run return, or the next one. Any thread.
  void stop() const { detail::check(belay_loop_stop(get())); }
  // Binds it to the calling thread.
  void bind() const { detail::check(belay_loop_bind(get())); }

  // Whether there is something to wait for.
  bool alive() const noexcept { return belay_loop_alive(get()) == 1; }
  // Its monotonic clock, read once a turn.
  seconds now() const noexcept { return seconds(belay_loop_now(get())); }
  std::uint64_t turns() const noexcept { return belay_loop_turns(get()); }
  belay::scheduler scheduler() const { return *this; }
  // The libuv loop inside, borrowed.
  uv_loop_s *uv() const noexcept { return belay_loop_uv(get()); }

  // For a program with a poll of its own: one descriptor that is readable whenever there is
  // something to do; or libuv's with the longest wait (negative: no limit). Then run_nowait().
  int fd() const { return detail::check(belay_loop_fd(get())); }
  int backend_fd() const { return detail::check(belay_loop_backend_fd(get())); }
  seconds backend_timeout() const noexcept { return seconds(belay_loop_backend_timeout(get())); }

  // Runs `action` on the loop's thread, at its next turn. Any thread. BELAY_EAGAIN (a full queue)
  // and BELAY_ECANCELED (a closed loop) refuse the action.
  template <class F>
  status post(F action) const {
    return status(belay_loop_post(get(), &detail::call_action<F>,
                                  detail::context(std::move(action)), &detail::destroy<F>));
  }
  std::size_t queue_high_water() const noexcept { return belay_loop_queue_high_water(get()); }

  // Sets the hook for unhandled errors on this loop. It is called with the error, the name of the
  // signal, and the place of the subscription or null.
  template <class F>
  void on_unhandled_error(F hook) const {
    detail::check(belay_loop_on_unhandled_error(
        get(), &detail::call_hook<F>, detail::context(std::move(hook)), &detail::destroy<F>));
  }

  // Leaves the loop, ends all that belongs to this user, and prints it on stderr. The last user
  // that leaves closes the loop.
  void close() const { detail::check(belay_loop_close(get(), nullptr, nullptr, nullptr)); }
  // The same; `closed` is called with a std::vector<open_resource> of it.
  template <class F>
  void close(F closed) const {
    detail::check(belay_loop_close(get(), &detail::call_closed<F>,
                                   detail::context(std::move(closed)), &detail::destroy<F>));
  }

 private:
  static belay_loop *create(uv_loop_s *uv, const loop_options &options) {
    belay_loop_options raw = detail::begin_raw<belay_loop_options>(options);
    raw.capacity = options.capacity;
    raw.persistent = options.persistent;
    raw.quiet = options.quiet;
    raw.uv_version = options.uv_version;
    return detail::made(uv ? belay_loop_adopt(uv, &raw) : belay_loop_create(&raw));
  }
};

// Makes a value of an object that only the loop's thread may use. value::as<T>() reads it there.
// The object is destroyed there, whichever thread releases the value, and at the latest with
// `home`.
template <class T>
value value_at(const loop &home, T object) {
  return value::adopt(belay_pointer_at(home.get(), detail::box_name<T>(), new T(std::move(object)),
                                       [](void *held) { delete static_cast<T *>(held); }));
}

// A thread with a loop of its own. Dropping the last reference waits for the action that is
// running, and for the end of the thread.
class worker
    : public detail::handle<worker, belay_worker, belay_worker_retain, belay_worker_release> {
 public:
  // Starts one. Its loop takes the label, the site and the capacity of `options`, and none of the
  // others; its thread has the label as its name, and `priority`, from -20 to 19, as its nice value.
  // Throws the system's code when it refuses that.
  explicit worker(const loop_options &options = {}, int priority = 0)
      : handle(create(options, priority)) {}
  // Starts one with a label, which is static, and may be null.
  explicit worker(const char *label, int priority = 0) : worker(loop_options{label}, priority) {}
  explicit worker(empty) noexcept {}
  belay::scheduler scheduler() const { return *this; }

 private:
  static belay_worker *create(const loop_options &options, int priority) {
    auto raw = detail::begin_raw<belay_worker_options>(options);
    raw.capacity = options.capacity;
    raw.priority = priority;
    return detail::made(belay_worker_create(&raw));
  }
};

inline scheduler::scheduler(const loop &loop)
    : handle(belay_scheduler_retain(detail::made(belay_loop_get_scheduler(loop.get())))) {}
inline scheduler::scheduler(const worker &worker)
    : handle(belay_scheduler_retain(detail::made(belay_worker_get_scheduler(worker.get())))) {}
inline scheduler scheduler::pool(const loop &loop) {
  return adopt(detail::made(belay_scheduler_create_pool(loop.get())));
}

namespace detail {
template <>
struct codec<loop>
    : handle_codec<loop, belay_loop, BELAY_KIND_LOOP, belay_value_from_loop, belay_value_get_loop> {
};
}  // namespace detail

}  // namespace belay

#endif
