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
const belay_field fields[] = {
    belay::field<&person::age>("age"),
    belay::field<&person::name>("name"),
    belay::field<&person::partner>("partner"),
    belay::field<&person::weight>("weight"),
    belay::computed<&person::length>("length", of_name),
    belay::accessed<&person::get_height, &person::set_height>("height"),
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
  words.as<int>().subscribe(
      belay::observe_batches([](const belay::batch<int> &batch) {
        for (const int n : batch) static_cast<void>(n);
      }).on_error([&](const belay::error &failure) { seen(failure.name()); }));
  words.next("e");
  CHECK_EQUAL(seen.take(), "1 e e | EKIND");
}
