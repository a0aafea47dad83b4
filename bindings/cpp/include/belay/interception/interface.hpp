// The description of a struct of function pointers, and the slots in one.
#ifndef BELAY_INTERCEPTION_INTERFACE_HPP
#define BELAY_INTERCEPTION_INTERFACE_HPP

#include <belay/interface.h>
#include <belay/interception/slot.hpp>
#include <belay/owner.hpp>
#include <cstddef>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

namespace belay {

// The parts of an interface beside its methods.
struct interface_options {
  // An interface whose table stands at the beginning of this one's.
  belay_interface *base = nullptr;
  // Where an object keeps the pointer to its table: offsetof(object, ops).
  std::size_t table_offset = BELAY_NO_TABLE;
  // How proxies give an object its table, and see which it has; see interface.h, and
  // interface<Table>::delegate().
  int (*install)(void *object, const void *table) = nullptr;
  const void *(*installed)(void *object) = nullptr;
};

// The description of a struct of function pointers.
template <class Table>
class interface : public detail::handle<interface<Table>, belay_interface, belay_interface_retain,
                                        belay_interface_release> {
 public:
  template <auto Member, int Context>
  using of = detail::method_t<Member, Context>;

  // `name` and `methods` are static.
  template <std::size_t Count>
  interface(const char *name, const belay_method (&methods)[Count],
            const interface_options &options = {})
      : interface::handle(create(name, methods, Count, options)) {}
  explicit interface(typename interface::empty) noexcept {}

  // The options of an object that is given its table by Install(object, table), and tells it by
  // Installed(object): functions, or pointers to member functions.
  template <class Object, auto Install, auto Installed>
  static interface_options delegate() {
    interface_options options;
    options.install = [](void *object, const void *table) noexcept -> int {
      return detail::guarded_int([&] {
        detail::call(Install, &detail::object_at<Object>(object),
                     static_cast<const Table *>(table));
        return 0;
      });
    };
    options.installed = [](void *object) noexcept -> const void * {
      const void *table = nullptr;
      detail::guarded("an object that tells its table", [&] {
        table = detail::call(Installed, &detail::object_at<Object>(object));
      });
      return table;
    };
    return options;
  }

  // Static.
  const char *name() const noexcept { return belay_interface_name(this->get()); }
  // The methods, those of its bases first.
  std::vector<belay_method> methods() const {
    std::vector<belay_method> all;
    for (std::size_t i = 0; i < belay_interface_method_count(this->get()); i++)
      all.push_back(*belay_interface_method(this->get(), i));
    return all;
  }
  // The name of a member, as it was described. Throws BELAY_ENOENT for one that was not.
  template <auto Member, int Context = usual_context>
  const char *method_name() const {
    using types = of<Member, Context>;
    static_assert(std::is_base_of_v<typename types::table, Table>, "belay: of another table");
    // The description counts from the table that has the member.
    if (detail::member_of<Member>::template offset<Table>() !=
        detail::member_of<Member>::offset())
      throw error(BELAY_EINVAL, "the table of this member is not at the beginning of the other");
    for (std::size_t i = 0; i < belay_interface_method_count(this->get()); i++) {
      const belay_method *each = belay_interface_method(this->get(), i);
      if (each->offset != detail::member_of<Member>::offset()) continue;
      if (types::has_shape && std::strcmp(each->shape, types::shape_text) != 0)
        throw error(BELAY_EKIND,
                    std::string(each->name) + " is " + each->shape + ", not " + types::shape_text);
      return each->name;
    }
    throw error(BELAY_ENOENT, "the interface does not describe this member");
  }

  // The slot of a method of a table in memory, which all objects with that table use. `unprotect`:
  // writes to read-only memory.
  template <auto Member, int Context = usual_context>
  belay::slot<of<Member, Context>> slot(Table &table, bool unprotect = false) const {
    return belay::slot<of<Member, Context>>::adopt(
        detail::made(belay_slot_create_in_table(this->get(), &table, method_name<Member, Context>(),
                                                unprotect ? BELAY_SLOT_UNPROTECT : 0)));
  }
  // The slot of a method of one object, whose table pointer is at `table_offset`.
  template <auto Member, int Context = usual_context>
  belay::slot<of<Member, Context>> slot(const owner &object) const {
    return belay::slot<of<Member, Context>>::adopt(detail::made(
        belay_slot_create_in_object(this->get(), object.get(), method_name<Member, Context>())));
  }
  // A call whose arguments are zero.
  template <auto Member, int Context = usual_context>
  belay::invocation<of<Member, Context>> invocation() const {
    return belay::invocation<of<Member, Context>>(any_invocation::adopt(
        detail::made(belay_invocation_create(this->get(), method_name<Member, Context>()))));
  }

 private:
  static belay_interface *create(const char *name, const belay_method *methods, std::size_t count,
                                 const interface_options &options) {
    belay_interface_description all = {};
    all.size = sizeof all;
    all.name = name;
    all.table_size = sizeof(Table);
    all.methods = methods;
    all.method_count = count;
    all.base = options.base;
    all.table_offset = options.table_offset;
    all.install = options.install;
    all.installed = options.installed;
    return detail::made(belay_interface_create(&all));
  }
};

}  // namespace belay

#endif
