// A call of a method, with its arguments and its result.
#ifndef BELAY_INTERCEPTION_INVOCATION_HPP
#define BELAY_INTERCEPTION_INVOCATION_HPP

#include <belay/invocation.h>
#include <belay/responder.h>
#include <belay/convert.hpp>
#include <belay/handle.hpp>
#include <belay/interception/method.hpp>
#include <belay/owner.hpp>
#include <belay/value.hpp>
#include <cstddef>
#include <tuple>
#include <utility>

namespace belay {

// A call with its arguments, of a method that is not known when compiling. For one thread at a
// time.
class any_invocation : public detail::handle<any_invocation, belay_invocation,
                                             belay_invocation_retain, belay_invocation_release> {
 public:
  explicit any_invocation(empty) noexcept {}
  // The name of the method; static.
  const char *method() const noexcept { return belay_invocation_method(get()); }
  // How many arguments there are, without the context.
  std::size_t count() const noexcept { return belay_invocation_count(get()); }
  void *context() const noexcept { return belay_invocation_context(get()); }
  void set_context(void *context) const {
    detail::check(belay_invocation_set_context(get(), context));
  }
  value get_argument(std::size_t index) const {
    belay_value raw = belay_null();
    detail::check(belay_invocation_get(get(), index, &raw));
    return value::adopt(raw);
  }
  // Throws BELAY_EKIND or BELAY_ERANGE when the value does not fit.
  void set_argument(std::size_t index, const value &item) const {
    detail::check(belay_invocation_set(get(), index, item.retained()));
  }
  value get_result() const { return value::adopt(belay_invocation_result(get())); }
  void set_result_value(const value &item) const {
    detail::check(belay_invocation_set_result(get(), item.retained()));
  }
  // Copies the texts among the arguments, so that it may be kept after the call.
  void retain_arguments() const { detail::check(belay_invocation_retain_arguments(get())); }
  // Inside an interceptor: goes on with the call. Throws BELAY_EENDED when the call is over.
  void proceed() const { detail::check(belay_invocation_proceed(get())); }
  // Sends it to an object, by its responder. Throws BELAY_ENOENT when nothing handles it.
  void send(const owner &object) const {
    detail::check(belay_invocation_send(get(), object.get()));
  }
};

// A call of a method, a detail::method_t.
template <class Method>
class invocation : public any_invocation {
 public:
  explicit invocation(any_invocation of) noexcept : any_invocation(std::move(of)) {}

  // An argument, numbered without the context.
  template <std::size_t At>
  std::tuple_element_t<At, typename Method::types> argument() const {
    return get_argument(At).template as<std::tuple_element_t<At, typename Method::types>>();
  }
  template <std::size_t At, class U = std::tuple_element_t<At, typename Method::types>>
  void set(U &&item) const {
    using type = std::tuple_element_t<At, typename Method::types>;
    detail::check(belay_invocation_set(get(), At, detail::give_as<type>(std::forward<U>(item))));
  }
  // The result so far; zero before.
  auto result() const {
    return get_result().template as<detail::boxed_t<typename Method::result>>();
  }
  template <class U = detail::boxed_t<typename Method::result>>
  void set_result(U &&item) const {
    using type = detail::boxed_t<typename Method::result>;
    detail::check(belay_invocation_set_result(get(), detail::give_as<type>(std::forward<U>(item))));
  }
  // The object that the method is called for.
  auto object() const {
    static_assert(Method::context != no_context, "belay: the method has no context");
    return static_cast<typename Method::template parameter<std::size_t(Method::context)>>(
        context());
  }
  // Calls a function of the method's type; its result becomes that of the invocation.
  void call(typename Method::function function) const {
    detail::check(belay_invocation_call(get(), reinterpret_cast<belay_function>(function)));
  }
};

}  // namespace belay

#endif
