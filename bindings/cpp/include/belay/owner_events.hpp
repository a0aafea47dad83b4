// Events by name between owners, notices of a death, and associated objects. See owner_event.h,
// notice.h and association.h.
#ifndef BELAY_OWNER_EVENTS_HPP
#define BELAY_OWNER_EVENTS_HPP

#include <belay/association.h>
#include <belay/notice.h>
#include <belay/owner_event.h>
#include <belay/integer.hpp>
#include <belay/owner.hpp>
#include <belay/value.hpp>
#include <string>
#include <utility>

namespace belay {

// Calls handler(value) for each event of that name that `source` posts, with the value that is
// posted along, as long as both owners live. A second watch with the same watcher, source, name and
// level replaces the first one. Watchers of a higher level are called first.
template <class F>
void watch(const owner &watcher, const owner &source, const std::string &name, F handler,
           integer<int> level = BELAY_OWNER_EVENT_LEVEL) {
  detail::check(belay_owner_event_watch(
      watcher.get(), source.get(), name.c_str(), level,
      [](void *ctx, const belay_owner_event *event) {
        detail::guarded("a handler of an event", [&] {
          detail::call_checked(detail::callable<F>(ctx), value::retain(event->user_info));
        });
      },
      detail::context(std::move(handler)), &detail::destroy<F>));
}
// Each ends watches: one; all of an event; all of a source; all of the watcher. False when there
// are none.
inline bool unwatch(const owner &watcher, const owner &source, const std::string &name,
                    integer<int> level) {
  return static_cast<bool>(
      status(belay_owner_event_unwatch(watcher.get(), source.get(), name.c_str(), level)));
}
inline bool unwatch(const owner &watcher, const owner &source, const std::string &name) {
  return static_cast<bool>(
      status(belay_owner_event_unwatch_name(watcher.get(), source.get(), name.c_str())));
}
inline bool unwatch(const owner &watcher, const owner &source) {
  return static_cast<bool>(status(belay_owner_event_unwatch_source(watcher.get(), source.get())));
}
inline bool unwatch(const owner &watcher) {
  return static_cast<bool>(status(belay_owner_event_unwatch_all(watcher.get())));
}
// Posts an event to the watchers, with the value `along`.
template <class T = unit>
status post(const owner &source, const std::string &name, T &&along = {}) {
  return status(
      belay_owner_event_post(source.get(), name.c_str(), detail::give(std::forward<T>(along))));
}

// Calls notice() when `owner` has died, its members gone, its memory still there. One of the same
// name is replaced.
template <class F>
void set_notice(const owner &owner, const std::string &name, F notice) {
  detail::check(belay_notice_set(
      owner.get(), name.c_str(),
      [](void *ctx, const char *, void *) { detail::call_action<F>(ctx); },
      detail::context(std::move(notice)), &detail::destroy<F>));
}
// Removes a notice; false when the owner has none of that name.
inline bool remove_notice(const owner &owner, const std::string &name) {
  return static_cast<bool>(status(belay_notice_remove(owner.get(), name.c_str())));
}
// Calls visit(std::string_view name) for each notice that is set; answers how many those were.
template <class F>
std::size_t each_notice(const owner &owner, F visit) {
  return belay_notice_each(
      owner.get(),
      [](void *ctx, const char *name, void *) {
        detail::guarded("a visit to a notice", [&] {
          detail::call_checked(detail::callable<F>(ctx), std::string_view(name));
        });
      },
      &visit);
}

// Objects of type T that are associated with owners. The address of the association is the key, so
// make it static. Step 6 of the owner's death destroys them, before the memory of its object goes.
template <class T>
class association {
 public:
  association() noexcept = default;
  association(const association &) = delete;
  association &operator=(const association &) = delete;

  // Associates an object with `owner`, and destroys the previous one.
  void set(const owner &owner, T object) const {
    belay_association raw = {};
    raw.size = sizeof raw;
    raw.key = this;
    raw.policy = BELAY_ASSOCIATION_ASSIGN;
    raw.object = new T(std::move(object));
    raw.free = &detail::destroy<T>;
    detail::check(belay_association_set(owner.get(), &raw));
  }
  // Borrows the object; null without one. It lives until it is replaced or removed, or the owner
  // dies.
  T *get(const owner &owner) const noexcept {
    return static_cast<T *>(belay_association_get(owner.get(), this, nullptr));
  }
  // Destroys the object; false without one.
  bool remove(const owner &owner) const noexcept {
    return static_cast<bool>(status(belay_association_remove(owner.get(), this, nullptr)));
  }

 private:
  char address_ = 0;  // an object without members might share its address
};

}  // namespace belay

#endif
