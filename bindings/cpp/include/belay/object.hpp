// Objects whose fields have keys: they are read, set, observed and bound by paths of keys such as
// "session.user.name". See object.h for changes, deaths and threads. Not part of belay.hpp.
//
//   struct person {
//     int age;
//     std::string name;
//   };
//   static const belay::field_of<person> person_fields[] = {belay::field<&person::age>("age"),
//                                                           belay::field<&person::name>("name")};
//   const belay::object_type people(person_fields);
//   belay::set_type(owner, people);
//   belay::observe_path<int>(owner, "age").subscribe([](int age) { … });
//   belay::set_path(owner, "age", 31);
#ifndef BELAY_OBJECT_HPP
#define BELAY_OBJECT_HPP

#include <belay/binding.h>
#include <belay/object.h>
#include <belay/member.hpp>
#include <belay/owner.hpp>
#include <belay/property.hpp>
#include <belay/signal.hpp>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>

namespace belay {
namespace detail {

// The kind of a member that Belay reads and writes by itself; BELAY_KIND_FAILURE of any other.
template <class M>
constexpr belay_kind member_kind() {
  if constexpr (std::is_same_v<M, owner> || std::is_same_v<M, belay_owner *>)
    return BELAY_KIND_OWNER;
  else if constexpr (std::is_same_v<M, weak_owner> || std::is_same_v<M, belay_weak *>)
    return BELAY_KIND_WEAK;
  else if constexpr (std::is_same_v<M, value> || std::is_same_v<M, belay_value>)
    return BELAY_KIND_NULL;
  else if constexpr (is_variable<M> && !std::is_pointer_v<M>) return variable_kind<M>();
  else return BELAY_KIND_FAILURE;
}

// A member that is a handle or a value of the binding has the layout of C's.
static_assert(sizeof(owner) == sizeof(belay_owner *) &&
              sizeof(weak_owner) == sizeof(belay_weak *) && sizeof(value) == sizeof(belay_value));

// belay_field's get and set, of a member of any type that a signal can send.
template <auto Member, class Object>
belay_value get_member(void *origin) noexcept {
  return guarded_value([&] { return give(std::as_const(object_at<Object>(origin).*Member)); });
}
template <auto Member, class Object>
int set_member(void *origin, belay_value v) noexcept {
  using type = typename member_of<Member>::type;
  static_assert(std::is_same_v<type, item_t<type>>,
                "belay: a view or a literal that is set would keep no text: make the member a "
                "std::string, or describe it by computed<>()");
  return guarded_int([&] {
    const reader_t<type> reader(v);
    expect<type>(reader, v);
    if constexpr (std::is_same_v<type, item_t<type>>)
      object_at<Object>(origin).*Member = reader.get();
    return 0;
  });
}

// A getter: a member function, or a function of the object.
template <auto Get>
struct getter;
template <class R, class C, R (C::*Get)() const>
struct getter<Get> {
  using object = C;
};
template <class R, class C, R (C::*Get)() const noexcept>
struct getter<Get> {
  using object = C;
};
template <class R, class C, R (*Get)(const C &)>
struct getter<Get> {
  using object = C;
};
// A setter: a member function with one parameter.
template <auto Set>
struct setter;
template <class R, class C, class A, R (C::*Set)(A)>
struct setter<Set> {
  using object = C;
  using type = std::decay_t<A>;
};

// A description that does not know yet of which class the objects are: a field_of asks it.
struct part {
  const char *name;
  const char *const *depends_on;

  // (Only refuses: an array of belay_field does not say of which class the objects are.)
  template <class Raw, class = std::enable_if_t<std::is_same_v<Raw, belay_field>>>
  operator Raw() const noexcept {
    static_assert(!std::is_same_v<Raw, belay_field>,
                  "belay: an array of fields names the class of the objects: write "
                  "belay::field_of<Object> in place of belay_field");
    return {};
  }

 protected:
  // `In` is the class that the description was made for.
  template <class In, class Object>
  belay_field begin(belay_kind kind) const noexcept {
    static_assert(std::is_base_of_v<In, Object>, "belay: this is a field of another class");
    static_assert(is_fixed_base<origin_of<Object>, Object>,
                  "belay: a class whose objects have fields has one owner_base, which is public "
                  "and not virtual");
    return {sizeof(belay_field), name, kind, 0, nullptr, nullptr, depends_on};
  }
};

template <auto Member>
struct member_part : part {
  template <class Object>
  belay_field made() const noexcept {
    using in = member_of<Member>;
    constexpr belay_kind kind = member_kind<typename in::type>();
    constexpr bool is_direct = kind != BELAY_KIND_FAILURE;
    belay_field made = begin<typename in::object, Object>(is_direct ? kind : BELAY_KIND_NULL);
    if constexpr (!is_direct) {
      made.get = &get_member<Member, Object>;
      made.set = &set_member<Member, Object>;
    } else {
      static_assert(is_fixed_base<typename in::object, Object> ||
                        !std::is_base_of_v<typename in::object, Object>,
                    "belay: a member of a virtual base has no fixed place: describe it by "
                    "accessed<>()");
      if constexpr (is_fixed_base<typename in::object, Object>)
        made.offset = in::template offset<Object, origin_of<Object>>();
    }
    return made;
  }
};

template <auto Get>
struct computed_part : part {
  template <class Object>
  belay_field made() const noexcept {
    belay_field made = begin<typename getter<Get>::object, Object>(BELAY_KIND_NULL);
    made.get = [](void *origin) noexcept -> belay_value {
      return guarded_value(
          [&] { return give(call(Get, std::as_const(object_at<Object>(origin)))); });
    };
    return made;
  }
};

template <auto Get, auto Set>
struct accessed_part : computed_part<Get> {
  template <class Object>
  belay_field made() const noexcept {
    belay_field made = computed_part<Get>::template made<Object>();
    made.set = [](void *origin, belay_value v) noexcept -> int {
      return guarded_int([&] {
        using type = typename setter<Set>::type;
        const reader_t<type> reader(v);
        expect<type>(reader, v);
        call(Set, object_at<Object>(origin), reader.get());
        return 0;
      });
    };
    return made;
  }
};

}  // namespace detail

// A field of objects of a class. The results of field(), computed() and accessed() become one; they
// may be given a member of a base, at whatever place the base is.
//
// An owner_base is the object of its owner: no other class needs to be at the beginning.
template <class Object>
struct field_of : belay_field {
  template <class Part, class = std::enable_if_t<std::is_base_of_v<detail::part, Part>>>
  field_of(const Part &part) noexcept : belay_field(part.template made<Object>()) {}
};

// Describes a member. Numbers, owners, weak owners and values are read and written in place; a
// member of any other type that a signal can send is converted. `name` is static, and so is
// `depends_on`, the names of earlier fields that this one is computed from, with a null at the end.
template <auto Member>
detail::member_part<Member> field(const char *name,
                                  const char *const *depends_on = nullptr) noexcept {
  return {{name, depends_on}};
}
// Describes the result of a member function, or of a function of `const C &`. It is read-only.
template <auto Get>
detail::computed_part<Get> computed(const char *name,
                                    const char *const *depends_on = nullptr) noexcept {
  return {{name, depends_on}};
}
// The same with a setter, a member function that takes the new value.
template <auto Get, auto Set>
detail::accessed_part<Get, Set> accessed(const char *name,
                                         const char *const *depends_on = nullptr) noexcept {
  return {{{name, depends_on}}};
}

// The type of objects with such fields. `fields` is static, as what it points to. `dynamic`: an
// object also has any property that somebody sets by name.
class object_type
    : public detail::handle<object_type, belay_type, belay_type_retain, belay_type_release> {
 public:
  template <class Field, std::size_t Count>
  explicit object_type(const Field (&fields)[Count], bool dynamic = false)
      : handle(detail::made(belay_type_create(fields, Count, dynamic ? BELAY_TYPE_DYNAMIC : 0u))) {
    static_assert(std::is_base_of_v<belay_field, Field> && sizeof(Field) == sizeof(belay_field),
                  "belay: the fields of a type are an array of belay::field_of<Object>");
  }
  explicit object_type(empty) noexcept {}
  // One without fields, of dynamic properties alone.
  static object_type dynamic() {
    return adopt(detail::made(belay_type_create(nullptr, 0, BELAY_TYPE_DYNAMIC)));
  }
};

// Gives the object of an owner its type, for good.
inline void set_type(const owner &object, const object_type &type) {
  detail::check(belay_object_set_type(object.get(), type.get()));
}

// The value that a path leads to now. Throws when it is no T; std::optional<T> takes a hop that is
// null.
template <class T>
T get_path(const owner &object, const char *path) {
  belay_value raw = belay_null();
  detail::check(belay_object_get(object.get(), path, &raw));
  return value::adopt(raw).template as<T>();
}
// Sets the field that a path leads to. Throws the exception of its setter; then nothing has
// changed.
template <class T>
void set_path(const owner &object, const char *path, T &&item) {
  const int code = belay_object_set(object.get(), path, detail::give(std::forward<T>(item)));
  if (code < 0) error::last(code).raise();
}

// Tells of a change that the program makes itself: make one before it, and let it go after.
class [[nodiscard]] changing {
 public:
  // `key` has to live as long as this.
  changing(const owner &object, const char *key) : object_(object), key_(key) {
    detail::check(belay_object_will_change(object.get(), key));
  }
  changing(const changing &) = delete;
  changing &operator=(const changing &) = delete;
  ~changing() { status(belay_object_did_change(object_.get(), key_)); }

 private:
  owner object_;
  const char *key_;
};
// Groups changes of an object: they are notified when this goes, once for each key.
class [[nodiscard]] change_group {
 public:
  explicit change_group(const owner &object) : object_(object) {
    detail::check(belay_object_begin_changes(object.get()));
  }
  change_group(const change_group &) = delete;
  change_group &operator=(const change_group &) = delete;
  ~change_group() { status(belay_object_end_changes(object_.get())); }

 private:
  owner object_;
};

// The records that observe_changes() sends beside each new value.
struct observe_options {
  bool initial = true;  // also the value at the moment of subscribing
  bool old = false;     // the old value
  bool prior = false;   // one more record before each change
  bool death = false;   // an empty value before the completion when the object dies
  belay::owner observer = belay::owner::adopt(nullptr);  // its death completes the signal
};

// One change. A value is empty where a hop of the path is null, `old` also when nobody asked.
template <class T>
struct change {
  std::optional<T> value;
  std::optional<T> old;
  bool is_initial = false;    // no change: the value at the moment of subscribing
  bool is_prior = false;      // about to happen: `value` is the old one
  bool is_death = false;      // the object, or one that a key refers to, is dying
  bool is_only_last = false;  // of the last key of the path, not of an earlier one
};

namespace detail {

template <class T>
constexpr bool is_special<change<T>> = true;
template <class T>
struct codec<change<T>> {
  using item = change<item_t<T>>;
  static constexpr bool is_equatable = false;
  class reader {
   public:
    explicit reader(belay_value v) {
      raw_.size = sizeof raw_;
      code_ = belay_change_get(v, &raw_);
      if (code_ < 0) {
        belay_last_error();
        return;
      }
      value_.emplace(raw_.value);
      old_.emplace(raw_.old);
      if (value_->code() < 0) code_ = value_->code();
      else if (old_->code() < 0) code_ = old_->code();
    }
    int code() const noexcept { return code_; }
    item get() const {
      return {value_->get(),
              old_->get(),
              (raw_.flags & BELAY_CHANGE_INITIAL) != 0,
              (raw_.flags & BELAY_CHANGE_PRIOR) != 0,
              (raw_.flags & BELAY_CHANGE_DEATH) != 0,
              (raw_.flags & BELAY_CHANGE_ONLY_LAST) != 0};
    }

   private:
    belay_change raw_ = {};
    std::optional<reader_t<std::optional<T>>> value_, old_;
    int code_ = 0;
  };
};

inline belay_signal *observed(const owner &object, const char *path, unsigned flags,
                              const owner &observer) {
  belay_observe_options options = {};
  options.size = sizeof options;
  options.flags = flags;
  options.observer = observer.get();
  return made(belay_object_observe(object.get(), path, &options));
}

}  // namespace detail

// Sends the value that a path leads to, now and after each change, whichever objects are on the
// path. A value that is no T is an error event: observe std::optional<T> where a hop may be null.
// With `death`, the value is null before the completion when the object dies.
template <class T>
signal<detail::item_t<T>> observe_path(const owner &object, const char *path,
                                       const owner &observer = owner::adopt(nullptr),
                                       bool death = false) {
  unsigned flags = BELAY_OBSERVE_INITIAL;
  if (death) flags |= BELAY_OBSERVE_DEATH;
  return signal<detail::item_t<T>>::adopt(detail::observed(object, path, flags, observer));
}
// Sends a change<T> for each change.
template <class T>
signal<change<detail::item_t<T>>> observe_changes(const owner &object, const char *path,
                                                  const observe_options &options = {}) {
  unsigned flags = BELAY_OBSERVE_CHANGES;
  if (options.initial) flags |= BELAY_OBSERVE_INITIAL;
  if (options.old) flags |= BELAY_OBSERVE_OLD;
  if (options.prior) flags |= BELAY_OBSERVE_PRIOR;
  if (options.death) flags |= BELAY_OBSERVE_DEATH;
  return signal<change<detail::item_t<T>>>::adopt(
      detail::observed(object, path, flags, options.observer));
}

// One side of a binding, a T: a path of an object, or a property.
template <class T>
class bindable {
 public:
  bindable(const owner &object, const char *path) { raw_.object = object.get(), raw_.path = path; }
  bindable(const property<T> &property) { raw_.property = property.get(); }

  belay_bindable raw() const noexcept { return raw_; }

 private:
  belay_bindable raw_ = {sizeof(belay_bindable), nullptr, nullptr, nullptr, nullptr};
};

namespace detail {

template <class To, class From>
struct conversions {
  To to;
  From from;
};
inline disposable bind(belay_bindable from, belay_bindable to, bool both_ways, void *ctx,
                       belay_free_fn ctx_free) {
  belay_binding raw = {};
  raw.size = sizeof raw;
  raw.from = &from;
  raw.to = &to;
  raw.both_ways = both_ways;
  raw.ctx = ctx;
  raw.ctx_free = ctx_free;
  belay_disposable *bound = nullptr;
  check(belay_bind(&raw, &bound));
  return disposable::adopt(bound);
}

}  // namespace detail

// Sets `to` to the value of `from`, now and whenever it changes; with `both_ways`, also the other
// way round. The result ends it; dropping it does not.
template <class T>
disposable bind(const bindable<T> &from, const bindable<T> &to, bool both_ways = false) {
  return detail::bind(from.raw(), to.raw(), both_ways, nullptr, nullptr);
}
// The same of different types, in one direction: `convert` makes a U of a T.
template <class T, class U, class F>
disposable bind(const bindable<T> &from, const bindable<U> &to, F convert) {
  belay_bindable source = from.raw();
  source.convert = &detail::call_state<F, T, U>;
  return detail::bind(source, to.raw(), false, detail::context(std::move(convert)),
                      &detail::destroy<F>);
}
// The same in both directions: `back` makes a T of a U.
template <class T, class U, class F, class G>
disposable bind(const bindable<T> &from, const bindable<U> &to, F convert, G back) {
  using both = detail::conversions<F, G>;
  belay_bindable source = from.raw(), target = to.raw();
  source.convert = [](void *ctx, belay_value v) noexcept -> belay_value {
    return detail::call_state<F, T, U>(&static_cast<both *>(ctx)->to, v);
  };
  target.convert = [](void *ctx, belay_value v) noexcept -> belay_value {
    return detail::call_state<G, U, T>(&static_cast<both *>(ctx)->from, v);
  };
  return detail::bind(source, target, true,
                      detail::context(both{std::move(convert), std::move(back)}),
                      &detail::destroy<both>);
}

}  // namespace belay

#endif
