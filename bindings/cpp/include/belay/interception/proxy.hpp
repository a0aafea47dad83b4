// The delegate of an object, whose calls are observed.
#ifndef BELAY_INTERCEPTION_PROXY_HPP
#define BELAY_INTERCEPTION_PROXY_HPP

#include <belay/proxy.h>
#include <belay/interception/interface.hpp>
#include <belay/interception/slot.hpp>
#include <belay/owner.hpp>

namespace belay {

// The delegate of an object, whose calls are observed. One for an object and an interface.
template <class Table>
class proxy
    : public detail::handle<proxy<Table>, belay_proxy, belay_proxy_retain, belay_proxy_release> {
 public:
  // Makes and installs it the first time.
  proxy(const owner &object, const interface<Table> &of)
      : proxy::handle(detail::made(belay_proxy_create(object.get(), of.get()))), interface_(of) {}
  explicit proxy(typename proxy::empty) noexcept : interface_(interface<Table>::adopt(nullptr)) {}

  // The table that the object was given; lives as long as the proxy.
  const Table *table() const noexcept {
    return static_cast<const Table *>(belay_proxy_table(this->get()));
  }
  // Forwards calls to `table`, which has to live until it is taken away by null, or until
  // `delegate` dies.
  void forward_to(const Table *table, const owner &delegate = owner::adopt(nullptr)) const {
    detail::check(belay_proxy_forward_to(this->get(), table, delegate.get()));
  }
  // Calls around(const any_invocation &) in place of every method that may be intercepted, with the
  // arguments as values; otherwise like slot::around().
  template <class F>
  disposable around(F around) const {
    return detail::around<const any_invocation>(belay_proxy_around, this->get(),
                                                std::move(around));
  }
  template <auto Member, int Context = usual_context>
  belay::slot<detail::method_t<Member, Context>> slot() const {
    return belay::slot<detail::method_t<Member, Context>>::adopt(
        detail::made(belay_slot_create_in_proxy(
            this->get(), interface_.template method_name<Member, Context>())));
  }

 private:
  interface<Table> interface_;
};

}  // namespace belay

#endif
