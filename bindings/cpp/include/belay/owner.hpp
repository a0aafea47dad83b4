// Owners: the death of one ends the subscriptions that are bound to it. See owner.h for its steps.
//
// An object of C++ that is an owner derives from owner_base, or has an owner for a member, declared
// last: it then dies first, while the other members are still there.
#ifndef BELAY_OWNER_HPP
#define BELAY_OWNER_HPP

#include <belay/owner.h>
#include <belay/callback.hpp>
#include <belay/disposable.hpp>
#include <belay/loop.hpp>
#include <optional>

namespace belay {

// How an owner is made.
struct owner_options {
  const char *label = nullptr;  // static; its name in reports
  const char *site = nullptr;   // static; BELAY_HERE
  // Where it dies; empty: wherever the last reference is dropped.
  belay::loop loop = belay::loop::adopt(nullptr);
  // In the place of a loop: the scheduler of a loop, a worker or a pool, or a host_scheduler, at
  // whose home it dies.
  belay::scheduler scheduler = belay::scheduler::adopt(nullptr);
};

// A reference to an owner, which dies with the last one. Any thread.
class owner : public detail::handle<owner, belay_owner, belay_owner_retain, belay_owner_release> {
 public:
  // An owner without an object.
  explicit owner(const owner_options &options = {})
      : handle(create(nullptr, nullptr, nullptr, options)) {}
  explicit owner(empty) noexcept {}
  // One for `object`, which may be null; in its death `deinit` is step 4, `dealloc` step 8.
  owner(void *object, belay_object_fn deinit, belay_object_fn dealloc,
        const owner_options &options = {})
      : handle(create(object, deinit, dealloc, options)) {}

  // The owner of any pointer, whose end will be declared.
  static owner of(void *pointer, const owner_options &options = {}) {
    const belay_owner_options all = raw(options);
    return adopt(detail::made(belay_owner_adopt(pointer, &all)));
  }
  // Declares the end of such a pointer; in it `destroy` is called, as step 4.
  template <class F>
  static void end(void *pointer, F destroy) {
    detail::check(belay_owner_end(pointer, &detail::call_action<F>, &destroy));
  }
  static void end(void *pointer) { detail::check(belay_owner_end(pointer, nullptr, nullptr)); }
  // The same in two halves, around a destructor.
  static void will_end(void *pointer) { detail::check(belay_owner_will_end(pointer)); }
  static void did_end(void *pointer) { detail::check(belay_owner_did_end(pointer)); }
  // The owner of an object that ends in a function of a table of C's; see belay_owner_adopt_slot().
  static owner of(void *object, belay_destroy_fn *slot) {
    belay_owner *made = nullptr;
    const int code = belay_owner_adopt_slot(object, slot, nullptr, &made);
    owner result = adopt(made);
    detail::check(code);
    return result;
  }

  // Its object.
  void *object() const noexcept { return belay_owner_object(get()); }
  bool is_dying() const noexcept { return belay_owner_is_dying(get()) != 0; }
  // Static; empty without one.
  const char *label() const noexcept { return belay_owner_label(get()); }
  // (These two are templates, so that other programs do not compile signal<unit>.)
  // Sends one unit when it begins to die, the object intact, and completes after its deinit.
  template <class Unit = unit>
  signal<Unit> deallocating() const;
  // Sends one unit when it has died, then completes.
  template <class Unit = unit>
  signal<Unit> deallocated() const;

  // Binds a disposable: the owner's death disposes of it. If the owner is dying, that happens at
  // once.
  void add(const disposable &bound) const { detail::check(belay_owner_add(get(), bound.get())); }
  // Binds an action.
  template <class F, class = std::enable_if_t<std::is_invocable_v<F &>>>
  void add(F action) const {
    detail::check(belay_owner_add_action(get(), &detail::call_action<F>,
                                         detail::context(std::move(action)), &detail::destroy<F>));
  }
  // All that is bound to it, as one; empty when it is dying.
  disposable compound() const { return disposable::retain(belay_owner_get_compound(get())); }

  // Binds a child: it dies whole in this one's death.
  void add_child(const owner &child) const {
    detail::check(belay_owner_add_child(get(), child.get()));
  }
  // Sets a child free; false when this owner does not have it.
  bool remove_child(const owner &child) const noexcept {
    return static_cast<bool>(status(belay_owner_remove_child(get(), child.get())));
  }

 private:
  static belay_owner_options raw(const owner_options &options) noexcept {
    belay_owner_options all = detail::begin_raw<belay_owner_options>(options);
    all.loop = options.loop.get();
    all.scheduler = options.scheduler.get();
    return all;
  }
  static belay_owner *create(void *object, belay_object_fn deinit, belay_object_fn dealloc,
                             const owner_options &options) {
    const belay_owner_options all = raw(options);
    return detail::made(belay_owner_create(object, deinit, dealloc, &all));
  }
};

// A reference to an owner that does not keep it alive.
class weak_owner
    : public detail::handle<weak_owner, belay_weak, belay_weak_retain, belay_weak_release> {
 public:
  explicit weak_owner(empty) noexcept {}
  explicit weak_owner(const owner &owner) : handle(detail::made(belay_weak_create(owner.get()))) {}
  // Makes a strong reference; empty once the owner is dying.
  std::optional<owner> lock() const {
    belay_owner *alive = belay_weak_upgrade(get());
    return alive ? std::optional<owner>(owner::adopt(alive)) : std::nullopt;
  }
};

// A base class for objects that are owners. The destructor ends all that is bound to the object,
// even if others have references to its owner. It waits for bound callbacks on other threads; only
// those that it was called from still run afterwards. The members of the derived class have been
// destroyed by then. If a bound callback on another thread may use them, call end_bindings() first
// in the derived destructor.
//
// A copy is an object of its own, with nothing bound to it.
class owner_base {
 public:
  owner_base() : owner_(belay::owner::of(this)) {}
  owner_base(const owner_base &) : owner_base() {}
  owner_base &operator=(const owner_base &) noexcept { return *this; }
  ~owner_base() { end_bindings(); }

  // Its owner; empty after end_bindings().
  const belay::owner &owner() const noexcept { return owner_; }
  operator const belay::owner &() const noexcept { return owner_; }

 protected:
  // The death of the owner, all eight steps; waits for bound callbacks that run on other threads.
  void end_bindings() noexcept {
    if (!owner_) return;
    status(belay_owner_end(this, nullptr, nullptr));
    owner_ = belay::owner::adopt(nullptr);
  }

 private:
  belay::owner owner_;
};

namespace detail {

template <>
struct codec<owner> : handle_codec<owner, belay_owner, BELAY_KIND_OWNER, belay_value_from_owner,
                                   belay_value_get_owner> {};
template <>
struct codec<weak_owner> : handle_codec<weak_owner, belay_weak, BELAY_KIND_WEAK,
                                        belay_value_from_weak, belay_value_get_weak> {};

}  // namespace detail

}  // namespace belay

#endif
