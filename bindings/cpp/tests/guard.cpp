// Writes that bypass Belay.
#include <belay/guard.hpp>

#include "support/check.hpp"

namespace {

struct person {
  explicit person(int first) : age(first) {}
  ~person() { destroyed++; }
  int age;
  std::string name = "Ann";
  static inline int destroyed = 0;
};

const belay::field_of<person> fields[] = {belay::field<&person::age>("age"),
                              belay::field<&person::name>("name")};

}  // namespace

CASE(a_write_without_a_change_is_told) {
  const belay::object_type people(fields);
  const auto before = belay::unannounced_write_count();
  person::destroyed = 0;
  {
    const belay::owner ann = belay::guarded<person>(people, 20);
    auto *const raw = static_cast<person *>(ann.object());
    CHECK_EQUAL(raw->age, 20);
    const char *key = nullptr;
    const void *object = nullptr;
    belay::on_unannounced_write([&](const belay_unannounced_write &write) {
      key = write.key;
      object = write.object;
    });
    raw->age = 21;
    CHECK(key && std::string(key) == "age");
    CHECK(object == raw);
    CHECK_EQUAL(belay::unannounced_write_count() - before, 1u);
    belay::set_path(ann, "age", 22);
    {
      const belay::changing change(ann, "age");
      raw->age = 23;
    }
    CHECK_EQUAL(raw->age, 23);
    CHECK_EQUAL(belay::unannounced_write_count() - before, 1u);
    belay::on_unannounced_write(nullptr);
  }
  CHECK_EQUAL(person::destroyed, 1);
}
