// Disposables: each ends one piece of work, once. See disposable.h for where and when.
//
// Dropping a disposable ends nothing; scoped_disposable and bag are for that.
#ifndef BELAY_DISPOSABLE_HPP
#define BELAY_DISPOSABLE_HPP

#include <belay/disposable.h>
#include <belay/scheduler.h>
#include <belay/callback.hpp>
#include <belay/handle.hpp>
#include <belay/time.hpp>
#include <cstdint>
#include <utility>

namespace belay {

class scheduler;

// Ends a subscription, scheduled work, or anything else. Any thread.
class disposable : public detail::handle<disposable, belay_disposable, belay_disposable_retain,
                                         belay_disposable_release> {
 public:
  // Nothing to dispose of.
  disposable() noexcept = default;
  explicit disposable(empty) noexcept {}
  // Calls `action` once, when it is disposed of. An exception goes to the hook for unhandled
  // errors.
  template <class F, class = std::enable_if_t<std::is_invocable_v<F &>>>
  explicit disposable(F action)
      : disposable(detail::made(belay_disposable_create(
            &detail::call_action<F>, detail::context(std::move(action)), &detail::destroy<F>))) {}

  // Does nothing, and counts as disposed.
  static disposable nop() { return adopt(detail::made(belay_nop_create())); }
  // Only remembers whether it was disposed.
  static disposable boolean() { return adopt(detail::made(belay_boolean_create())); }
  // Disposes `first`, then `second`; either may be empty.
  static disposable binary(const disposable &first, const disposable &second) {
    return adopt(detail::made(belay_binary_create(first.get(), second.get())));
  }
  // Disposes `inner` on `scheduler`.
  static disposable scheduled(const scheduler &scheduler, const disposable &inner);
  // Disposes `inner` when it is disposed of, or with its own last reference.
  static disposable scoped(const disposable &inner) {
    return adopt(detail::made(belay_scoped_create(inner.get())));
  }

  // Ends the work. When this returns at home, only callbacks on the caller's own stack still run;
  // away from home, no further callback begins.
  void dispose() const noexcept { belay_disposable_dispose(get()); }
  // Disposes, and waits until the last callback has returned and its captures are destroyed.
  // Without a limit when `timeout` is negative. Answers BELAY_EINPROGRESS, BELAY_EDEADLK or
  // BELAY_ETIMEDOUT when it did not wait to the end; the work is disposed of all the same.
  status dispose_sync(seconds timeout = detail::no_limit) const noexcept {
    return status(belay_disposable_dispose_sync(get(), timeout.count()));
  }
  // Whether it was disposed or has ended; true for an empty one.
  bool is_disposed() const noexcept { return belay_disposable_is_disposed(get()) != 0; }
  // Names scheduled work for reports; both are static, `site` may be BELAY_HERE. Throws BELAY_EKIND
  // for any other disposable.
  void set_label(const char *label, const char *site = nullptr) const {
    detail::check(belay_disposable_set_label(get(), label, site));
  }

 protected:
  explicit disposable(belay_disposable *raw) noexcept : handle(raw) {}
};

// Disposes of its disposable when it goes out of scope. As the last member it goes first.
class scoped_disposable {
 public:
  scoped_disposable() noexcept = default;
  scoped_disposable(disposable inner) noexcept : inner_(std::move(inner)) {}
  scoped_disposable(scoped_disposable &&other) noexcept : inner_(std::move(other.inner_)) {}
  // Disposes of the previous one.
  scoped_disposable &operator=(scoped_disposable &&other) noexcept {
    if (this != &other) std::exchange(inner_, other.release()).dispose();
    return *this;
  }
  // Also what is assigned while the one before ends.
  ~scoped_disposable() { while (inner_) dispose(); }

  // Disposes of it now.
  void dispose() noexcept { std::exchange(inner_, disposable()).dispose(); }
  // Hands it over, undisposed.
  disposable release() noexcept { return std::exchange(inner_, disposable()); }
  bool is_disposed() const noexcept { return inner_.is_disposed(); }

 private:
  disposable inner_;
};

// Several disposables that are disposed of as one, in the order of adding.
class compound_disposable : public disposable {
 public:
  // The key that removes a member; 0 when the member was disposed of at once.
  using key = std::uint64_t;
  compound_disposable() : disposable(detail::made(belay_compound_create())) {}
  // A compound of C's: compound_disposable(disposable::adopt(raw)).
  explicit compound_disposable(disposable compound) noexcept : disposable(std::move(compound)) {}
  // Adds a member; at once disposes of it when this is disposed.
  key add(const disposable &member) const {
    key added = 0;
    detail::check(belay_compound_add(get(), member.get(), &added));
    return added;
  }
  // Adds an action.
  template <class F, class = std::enable_if_t<std::is_invocable_v<F &>>>
  key add(F action) const {
    key added = 0;
    detail::check(belay_compound_add_action(get(), &detail::call_action<F>,
                                            detail::context(std::move(action)), &detail::destroy<F>,
                                            &added));
    return added;
  }
  // Takes a member out, undisposed; false when it has gone.
  bool remove(key member) const noexcept {
    return static_cast<bool>(status(belay_compound_remove(get(), member)));
  }
  std::size_t count() const noexcept { return belay_compound_count(get()); }
};

// Holds one disposable at a time.
class serial_disposable : public disposable {
 public:
  serial_disposable() : disposable(detail::made(belay_serial_create())) {}
  explicit serial_disposable(disposable serial) noexcept : disposable(std::move(serial)) {}
  // Puts `next` in, and disposes of the previous one.
  void set(const disposable &next) const { detail::check(belay_serial_set(get(), next.get())); }
  // Puts `next` in, and returns the previous one.
  disposable swap(const disposable &next) const {
    belay_disposable *previous = nullptr;
    detail::check(belay_serial_swap(get(), next.get(), &previous));
    return adopt(previous);
  }
};

// Holds one disposable, which is assigned once.
class single_assignment_disposable : public disposable {
 public:
  single_assignment_disposable() : disposable(detail::made(belay_single_assignment_create())) {}
  explicit single_assignment_disposable(disposable single) noexcept
      : disposable(std::move(single)) {}
  // Throws BELAY_EASSIGNED the second time.
  void set(const disposable &inner) const {
    detail::check(belay_single_assignment_set(get(), inner.get()));
  }
};

// Disposes of the underlying disposable when it itself and all its dependents are disposed.
class ref_counted_disposable : public disposable {
 public:
  explicit ref_counted_disposable(const disposable &underlying)
      : disposable(detail::made(belay_ref_counted_create(underlying.get()))) {}
  // A new dependent.
  disposable dependent() const {
    return adopt(detail::made(belay_ref_counted_create_dependent(get())));
  }
};

// Disposes of its content, in the order of adding, with its last reference.
class bag : public detail::handle<bag, belay_bag, belay_bag_retain, belay_bag_release> {
 public:
  bag() : handle(detail::made(belay_bag_create())) {}
  explicit bag(empty) noexcept {}
  void add(const disposable &member) const { detail::check(belay_bag_add(get(), member.get())); }
  std::size_t count() const noexcept { return belay_bag_count(get()); }
};

namespace detail {
template <>
struct codec<disposable> : handle_codec<disposable, belay_disposable, BELAY_KIND_DISPOSABLE,
                                        belay_value_from_disposable, belay_value_get_disposable> {};
template <>
struct codec<bag>
    : handle_codec<bag, belay_bag, BELAY_KIND_BAG, belay_value_from_bag, belay_value_get_bag> {};
}  // namespace detail

}  // namespace belay

#endif
