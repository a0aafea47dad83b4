// Fields of objects by key; batches.
#include <belay/object.hpp>

#include "support/check.hpp"

namespace {

struct person {
  int age = 30;
  std::string name = "Ann";
  belay::owner partner = belay::owner::adopt(nullptr);
  double weight = 1.5;
  std::size_t length() const { return name.size(); }
  double get_height() const { return height_; }
  void set_height(double height) {
    if (height < 0) throw std::out_of_range("too small");
    height_ = height;
  }

 private:
  double height_ = 1.7;
};

const char *const of_name[] = {"name", nullptr};
const belay::field_of<person> fields[] = {
    belay::field<&person::age>("age"),
    belay::field<&person::name>("name"),
    belay::field<&person::partner>("partner"),
    belay::field<&person::weight>("weight"),
    belay::computed<&person::length>("length", of_name),
    belay::accessed<&person::get_height, &person::set_height>("height"),
};

// Classes with bases that do not begin where the object does.
struct named {
  int age = 30;
  std::string name = "Ann";
  std::size_t length() const { return name.size(); }
};
struct shape {
  int sides = 4;
  int get_corners() const { return sides; }
  void set_corners(int corners) { sides = corners; }
};
struct figure : shape {
  virtual ~figure() = default;
  int more = 1;
};
struct drawn : named, belay::owner_base, shape {
  virtual ~drawn() { end_bindings(); }
  int size = 2;
};
const belay::field_of<figure> figure_fields[] = {
    belay::field<&figure::sides>("sides"),
    belay::field<&figure::more>("more"),
    belay::accessed<&figure::get_corners, &figure::set_corners>("corners"),
};
const belay::field_of<drawn> drawn_fields[] = {
    belay::field<&drawn::age>("age"),
    belay::field<&drawn::name>("name"),
    belay::computed<&drawn::length>("length"),
    belay::field<&drawn::sides>("sides"),
    belay::accessed<&drawn::get_corners, &drawn::set_corners>("corners"),
    belay::field<&drawn::size>("size"),
};

// A person with an owner of the type.
struct known {
  known() : owner(&it, nullptr, nullptr) { belay::set_type(owner, belay::object_type(fields)); }
  person it;
  belay::owner owner;
};

}  // namespace

CASE(fields_are_read_and_set_by_key) {
  known ann, bob;
  CHECK_EQUAL(belay::get_path<int>(ann.owner, "age"), 30);
  belay::set_path(ann.owner, "age", 31);
  belay::set_path(ann.owner, "name", "Anna");
  CHECK_EQUAL(ann.it.age, 31);
  CHECK_EQUAL(ann.it.name, "Anna");
  CHECK_EQUAL(belay::get_path<std::uint64_t>(ann.owner, "length"), 4u);
  CHECK_EQUAL(belay::get_path<double>(ann.owner, "weight"), 1.5);
  CHECK(!belay::get_path<std::optional<int>>(ann.owner, "partner.age"));
  belay::set_path(ann.owner, "partner", bob.owner);
  CHECK_EQUAL(belay::get_path<int>(ann.owner, "partner.age"), 30);
  belay::set_path(ann.owner, "height", 1.8);
  CHECK_EQUAL(belay::get_path<double>(ann.owner, "height"), 1.8);
  CHECK_THROWS(belay::set_path(ann.owner, "height", -1.0), std::out_of_range,
               CHECK_EQUAL(std::string(caught.what()), "too small"));
  CHECK_ERROR(belay::set_path(ann.owner, "age", 5000000000), BELAY_ERANGE);
  CHECK_ERROR(belay::set_path(ann.owner, "length", 1), BELAY_EINVAL);
  CHECK_ERROR(belay::get_path<int>(ann.owner, "none"), BELAY_ENOENT);
  CHECK_ERROR(belay::get_path<std::string>(ann.owner, "age"), BELAY_EKIND);
}

CASE(a_base_may_be_anywhere_in_the_object) {
  figure square;
  const belay::owner of_square(&square, nullptr, nullptr);
  belay::set_type(of_square, belay::object_type(figure_fields));
  CHECK_EQUAL(belay::get_path<int>(of_square, "sides"), 4);
  belay::set_path(of_square, "sides", 5);
  CHECK_EQUAL(square.sides, 5);
  belay::set_path(of_square, "corners", 6);
  CHECK_EQUAL(square.sides, 6);
  CHECK_EQUAL(belay::get_path<int>(of_square, "more"), 1);
}

CASE(an_owner_base_may_be_anywhere_in_the_object) {
  drawn it;
  CHECK(it.owner().object() != &it);
  belay::set_type(it, belay::object_type(drawn_fields));
  CHECK_EQUAL(belay::get_path<int>(it, "age"), 30);
  CHECK_EQUAL(belay::get_path<int>(it, "sides"), 4);
  CHECK_EQUAL(belay::get_path<int>(it, "size"), 2);
  belay::set_path(it, "age", 31);
  belay::set_path(it, "name", "Anna");
  belay::set_path(it, "corners", 5);
  belay::set_path(it, "size", 3);
  CHECK_EQUAL(it.age, 31);
  CHECK_EQUAL(it.name, "Anna");
  CHECK_EQUAL(it.sides, 5);
  CHECK_EQUAL(it.size, 3);
  CHECK_EQUAL(belay::get_path<std::uint64_t>(it, "length"), 4u);
}

CASE(paths_are_observed) {
  check::trace seen;
  known ann, bob;
  belay::observe_path<std::optional<std::string>>(ann.owner, "partner.name")
      .subscribe([&](const std::optional<std::string> &name) { seen(name.value_or("none")); });
  belay::set_path(ann.owner, "partner", bob.owner);
  belay::set_path(bob.owner, "name", "Bob");
  {
    const belay::changing change(bob.owner, "name");
    bob.it.name = "Rob";
  }
  {
    const belay::change_group group(bob.owner);
    belay::set_path(bob.owner, "name", "A");
    belay::set_path(bob.owner, "name", "B");
  }
  CHECK_EQUAL(seen.take(), "none | Ann | Bob | Rob | B");
  ann.it.partner = belay::owner::adopt(nullptr);
}

CASE(a_path_is_observed_as_views) {
  check::trace seen;
  known ann;
  belay::observe_path<std::optional<std::string_view>>(ann.owner, "name")
      .subscribe([&](std::optional<std::string_view> name) { seen(*name); });
  belay::set_path(ann.owner, "name", "a name that no string keeps in itself");
  CHECK_EQUAL(seen.take(), "Ann | a name that no string keeps in itself");
}

CASE(the_death_of_the_object_is_null_if_asked) {
  check::trace seen;
  {
    known ann;
    const belay::owner none = belay::owner::adopt(nullptr);
    belay::observe_path<std::optional<int>>(ann.owner, "age", none, true)
        .subscribe([&](std::optional<int> age) { seen(age.value_or(-1)); });
    belay::observe_options options;
    options.death = true;
    belay::observe_changes<int>(ann.owner, "age", options)
        .subscribe([&](const belay::change<int> &change) {
          seen(change.is_death ? "death" : "change", change.value.value_or(-1));
        });
  }
  CHECK_EQUAL(seen.take(), "30 | change 30 | -1 | death -1");
}

CASE(changes_tell_the_old_value) {
  check::trace seen;
  known ann;
  belay::observe_options options;
  options.old = options.prior = true;
  belay::observe_changes<int>(ann.owner, "age", options)
      .subscribe([&](const belay::change<int> &change) {
        seen(change.is_initial ? "initial"
             : change.is_prior ? "prior"
                               : "change",
             change.value.value_or(-1), change.old.value_or(-1));
      });
  belay::set_path(ann.owner, "age", 31);
  CHECK_EQUAL(seen.take(), "initial 30 -1 | prior 30 30 | change 31 30");
  check::trace events;
  belay::observe_changes<std::string>(ann.owner, "age")
      .subscribe([](const belay::change<std::string> &) {},
                 [&](const belay::error &failure) { events(failure.name()); });
  CHECK_EQUAL(events.take(), "EKIND");
}

CASE(paths_and_properties_are_bound) {
  known ann, bob;
  const belay::property<std::string> text("");
  belay::just(40).bind(ann.owner, "age");
  CHECK_EQUAL(ann.it.age, 40);
  const auto age = [](const known &of) { return belay::bindable<int>(of.owner, "age"); };
  const belay::disposable same = belay::bind(age(ann), age(bob), true);
  belay::set_path(bob.owner, "age", 41);
  CHECK_EQUAL(ann.it.age, 41);
  same.dispose();
  const belay::disposable shown = belay::bind(
      age(ann), belay::bindable<std::string>(text),
      [kept = check::tracked()](int n) { return std::to_string(n); },
      [](const std::string &back) { return std::stoi(back); });
  CHECK_EQUAL(text.get_value(), "41");
  text.set("42");
  CHECK_EQUAL(ann.it.age, 42);
  shown.dispose();
  CHECK_EQUAL(check::tracked::alive.load(), 0);
  const belay::disposable once =
      belay::bind(age(bob), belay::bindable<std::string>(text),
                  [](int n) { return std::string(static_cast<std::size_t>(n), 'x'); });
  CHECK_EQUAL(text.get_value().size(), 41u);
  once.dispose();
}

CASE(an_observer_of_batches_gets_what_comes_together) {
  check::trace seen;
  belay::subject<std::string> words;
  words.subscribe(belay::observe_batches([&](const belay::batch<std::string> &batch) {
    std::string all;
    for (const std::string &word : batch) all += word;
    seen(batch.size(), all, batch[0]);
  }));
  words.next_all({"a", "b", "c"});
  words.next("d");
  CHECK_EQUAL(seen.take(), "3 abc a | 1 d d");
  // A view lives until the iterator goes on. (The text is too long to be kept in a std::string.)
  const std::string text = "a text that no string keeps in itself";
  words.subscribe(belay::observe_batches([&](const belay::batch<std::string> &batch) {
    for (const std::string_view word : batch) CHECK(word == text);
  }));
  words.next(text);
  seen.take();
  words.as<int>().subscribe(
      belay::observe_batches([](const belay::batch<int> &batch) {
        for (const int n : batch) static_cast<void>(n);
      }).on_error([&](const belay::error &failure) { seen(failure.name()); }));
  words.next(text);
  CHECK_EQUAL(seen.take(), "1 " + text + " " + text + " | EKIND");
}
