// Schedulers: where and when work runs. See scheduler.h.
#ifndef BELAY_SCHEDULER_HPP
#define BELAY_SCHEDULER_HPP

#include <belay/scheduler.h>
#include <belay/callback.hpp>
#include <belay/disposable.hpp>
#include <belay/handle.hpp>
#include <belay/integer.hpp>
#include <belay/time.hpp>

namespace belay {

class loop;
class worker;

// Runs recursive work again. A copy that is kept keeps the work alive.
class recursion : public detail::handle<recursion, belay_recursion, belay_recursion_retain,
                                        belay_recursion_release> {
 public:
  explicit recursion(empty) noexcept {}
  // Asks for one more run; BELAY_ECANCELED when the work has been disposed of.
  status again() const noexcept { return status(belay_recursion_again(get())); }
};

// Runs work. A loop or a worker converts to its own scheduler.
class scheduler : public detail::handle<scheduler, belay_scheduler, belay_scheduler_retain,
                                        belay_scheduler_release> {
 public:
  explicit scheduler(empty) noexcept {}
  scheduler(const loop &loop);
  scheduler(const worker &worker);

  // The scheduler of the work that is running on this thread, else of the thread's loop. Throws
  // when there is neither.
  static scheduler current() {
    belay_scheduler *here = belay_scheduler_current();
    if (!here) throw error(BELAY_ENOHOME, "this thread has no loop: say on which scheduler");
    return retain(here);
  }
  // Runs work inside the call. It has no clock.
  static scheduler immediate() { return retain(belay_scheduler_immediate()); }
  // Runs work on the calling thread, after the work that is running.
  static scheduler trampoline() { return retain(belay_scheduler_trampoline()); }
  // Runs work on threads of libuv's pool, one piece after the other. `loop` has to run.
  static scheduler pool(const loop &loop);
  // Runs work at once if a scheduler's work is running on the thread, else on `background`.
  static scheduler subscription(const scheduler &background) {
    return adopt(detail::made(belay_scheduler_create_subscription(background.get())));
  }

  // Seconds on its clock.
  seconds now() const noexcept { return seconds(belay_scheduler_now(get())); }
  // The most that ever waited in its queue.
  std::size_t queue_high_water() const noexcept { return belay_scheduler_queue_high_water(get()); }

  // Runs `action` as soon as the scheduler can. Disposing of the result cancels an action that has
  // not begun; dropping it does not. An exception goes to the hook for unhandled errors.
  template <class F>
  disposable schedule(F action) const {
    belay_disposable *made = nullptr;
    detail::check(belay_scheduler_schedule(get(), &detail::call_action<F>,
                                           detail::context(std::move(action)), &detail::destroy<F>,
                                           &made));
    return disposable::adopt(made);
  }
  // Runs `action` once, no earlier than `delay` from now.
  template <class F>
  disposable after(seconds delay, F action) const {
    belay_disposable *made = nullptr;
    detail::check(belay_scheduler_after(get(), delay.count(), &detail::call_action<F>,
                                        detail::context(std::move(action)), &detail::destroy<F>,
                                        &made));
    return disposable::adopt(made);
  }
  // Runs `action` after `delay` and then every `interval`, each at most `leeway` late.
  template <class F>
  disposable every(seconds delay, seconds interval, F action,
                   seconds leeway = seconds::zero()) const {
    belay_disposable *made = nullptr;
    detail::check(belay_scheduler_every(get(), delay.count(), interval.count(), leeway.count(),
                                        &detail::call_action<F>, detail::context(std::move(action)),
                                        &detail::destroy<F>, &made));
    return disposable::adopt(made);
  }
  // Runs `action(recursion)` as soon as it can, and once more for each recursion.again().
  template <class F>
  disposable recursive(F action) const {
    belay_disposable *made = nullptr;
    detail::check(belay_scheduler_recursive(
        get(),
        [](void *ctx, belay_recursion *lent) {
          detail::guarded("recursive work", [&] {
            detail::call_checked(detail::callable<F>(ctx), recursion::retain(lent));
          });
        },
        detail::context(std::move(action)), &detail::destroy<F>, &made));
    return disposable::adopt(made);
  }
};

inline disposable disposable::scheduled(const belay::scheduler &scheduler,
                                        const disposable &inner) {
  return adopt(detail::made(belay_scheduled_create(scheduler.get(), inner.get())));
}

// A scheduler whose time passes only when it is told to: for tests. For one thread.
class virtual_time : public scheduler {
 public:
  virtual_time() : scheduler(adopt(detail::made(belay_scheduler_create_virtual()))) {}
  // A virtual scheduler of C's.
  explicit virtual_time(scheduler time) noexcept : scheduler(std::move(time)) {}
  // Lets time pass, and runs the work that is due.
  void advance(seconds by) const { detail::check(belay_scheduler_advance(get(), by.count())); }
  // Runs the next `count` pieces of work, whenever they are due; answers how many there were.
  int step(integer<std::size_t> count = 1) const {
    return detail::check(belay_scheduler_step(get(), count));
  }
  // Runs all there is. Throws BELAY_EAGAIN when that does not end.
  void flush() const { detail::check(belay_scheduler_flush(get())); }
};

namespace detail {
template <>
struct codec<scheduler> : handle_codec<scheduler, belay_scheduler, BELAY_KIND_SCHEDULER,
                                       belay_value_from_scheduler, belay_value_get_scheduler> {};
}  // namespace detail

}  // namespace belay

#endif
