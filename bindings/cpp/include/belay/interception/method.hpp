// The types of a method of a table of C functions, and its description.
#ifndef BELAY_INTERCEPTION_METHOD_HPP
#define BELAY_INTERCEPTION_METHOD_HPP

#include <belay/interface.h>
#include <belay/callback.hpp>
#include <belay/codec.hpp>
#include <belay/error.hpp>
#include <belay/member.hpp>
#include <cstddef>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

namespace belay {

// In the place of the number of the parameter that carries the context.
inline constexpr int no_context = -1;
inline constexpr int usual_context = -2;

namespace detail {

// The letter of a type in a shape (interface.h); '?' for a class, whose shape has to be written.
template <class A>
constexpr char letter() {
  if constexpr (std::is_void_v<A>) return 'v';
  else if constexpr (std::is_enum_v<A>) return letter<std::underlying_type_t<A>>();
  else if constexpr (std::is_same_v<A, bool>) return 'B';
  else if constexpr (std::is_same_v<A, float>) return 'f';
  else if constexpr (std::is_same_v<A, double>) return 'd';
  else if constexpr (std::is_same_v<A, long double>) return 'D';
  else if constexpr (std::is_same_v<A, const char *>) return '*';
  else if constexpr (std::is_pointer_v<A>) return 'p';
  else if constexpr (!std::is_integral_v<A>) return '?';
  else if constexpr (sizeof(A) == 1) return std::is_signed_v<A> ? 'c' : 'C';
  else if constexpr (sizeof(A) == 2) return std::is_signed_v<A> ? 's' : 'S';
  else if constexpr (sizeof(A) == 4) return std::is_signed_v<A> ? 'i' : 'I';
  else return std::is_signed_v<A> ? 'q' : 'Q';
}

// The type in which a signal sends an argument or a result.
template <class A>
struct boxed {
  using type = item_t<A>;
};
template <>
struct boxed<const char *> {
  using type = std::optional<std::string>;
};
template <>
struct boxed<char *> {
  using type = void *;
};
template <>
struct boxed<void> {
  using type = unit;
};
template <class A>
using boxed_t = typename boxed<A>::type;

// The usual context: the first parameter, if that is a pointer and no text.
template <class... A>
constexpr int first_context = no_context;
template <class A, class... More>
constexpr int first_context<A, More...> = letter<A>() == 'p' ? 0 : no_context;

template <class... A>
constexpr bool have_shape = ((letter<A>() != '?') && ...);

// A shape, with the context as `@`.
template <int Context, class R, class... A>
struct shape {
  static constexpr auto make() {
    characters<sizeof...(A) + 2> made{};
    std::size_t at = 0;
    made.text[at++] = letter<R>();
    int number = 0;
    ((made.text[at++] = number++ == Context ? '@' : letter<A>()), ...);
    return made;
  }
  static constexpr characters<sizeof...(A) + 2> value = make();
};

// Nothing of the context; of any other argument a tuple of it.
template <bool IsKept, class A>
std::conditional_t<IsKept, std::tuple<A>, std::tuple<>> kept(A &argument) {
  if constexpr (IsKept) return std::tuple<A>(argument);
  else return {};
}

template <int Context, class Numbers, class... A>
struct arguments;
template <int Context, std::size_t... At, class... A>
struct arguments<Context, std::index_sequence<At...>, A...> {
  // As they come in signals.
  using types = decltype(std::tuple_cat(
      std::declval<
          std::conditional_t<int(At) == Context, std::tuple<>, std::tuple<boxed_t<A>>>>()...));
  // The function that C calls for a connection. It gets the callable in place of the context.
  template <class F>
  static void connected(std::conditional_t<int(At) == Context, void *, A>... all) noexcept {
    void *ctx = nullptr;
    ((int(At) == Context ? void(ctx = address(all)) : void()), ...);
    pass<F>(ctx, all...);
  }
  // The same where there is no context.
  template <class F>
  static void connected_first(void *ctx, A... all) noexcept {
    pass<F>(ctx, all...);
  }

 private:
  template <class Any>
  static void *address(Any &argument) noexcept {
    if constexpr (std::is_same_v<Any, void *>) return argument;
    else return nullptr;
  }
  template <class F, class... Any>
  static void pass(void *ctx, Any &...all) noexcept {
    guarded("a connection", [&] {
      std::apply([&](auto &&...each) { call_checked(callable<F>(ctx), each...); },
                 std::tuple_cat(kept<int(At) != Context>(all)...));
    });
  }
};

// A method of a table: a member that points to a function.
template <auto Member, class Function, int Context>
struct method_types;
template <auto Member, class R, class... A, int Context>
struct method_types<Member, R (*)(A...), Context> {
  using table = typename member_of<Member>::object;
  using function = R (*)(A...);
  using result = R;
  static constexpr int context = Context == usual_context ? first_context<A...> : Context;
  static_assert(context >= no_context && context < int(sizeof...(A)),
                "belay: there is no such parameter");
  using all = arguments<context, std::index_sequence_for<A...>, A...>;
  using types = typename all::types;
  static constexpr bool has_shape = have_shape<A...> && (std::is_void_v<R> || have_shape<R>);
  static constexpr const char *shape_text = shape<context, R, A...>::value.text;
  static constexpr std::size_t offset() { return 0; }
  // The shape of a connection.
  static constexpr const char *connection_text() {
    if constexpr (context == no_context) return shape<0, void, void *, A...>::value.text;
    else return shape<context, void, A...>::value.text;
  }
  template <class F>
  static belay_function connection() {
    if constexpr (context == no_context)
      return reinterpret_cast<belay_function>(&all::template connected_first<F>);
    else return reinterpret_cast<belay_function>(&all::template connected<F>);
  }
  // The type of the parameter that carries the context.
  template <std::size_t At>
  using parameter = std::tuple_element_t<At, std::tuple<A...>>;
};
template <auto Member, class R, class... A, int Context>
struct method_types<Member, R (*)(A...) noexcept, Context>
    : method_types<Member, R (*)(A...), Context> {};

template <auto Member, int Context>
using method_t = method_types<Member, typename member_of<Member>::type, Context>;

}  // namespace detail

// Describes a method of a table, for interface. `name` is static; so is `shape`, which a function
// with a struct by value needs (interface.h). `flags` are belay_method_flags.
template <auto Member, int Context = usual_context>
belay_method method(const char *name, unsigned flags = 0, const char *shape = nullptr) {
  using types = detail::method_t<Member, Context>;
  if (!shape && !types::has_shape)
    throw error(BELAY_EINVAL, std::string(name) + ": a struct by value needs its shape");
  return {sizeof(belay_method), name, detail::member_of<Member>::offset(),
          shape ? shape : types::shape_text, flags};
}

}  // namespace belay

#endif
