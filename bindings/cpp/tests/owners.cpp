// Owners as handles, as members, as a base class; what is bound to them; events between them.
#include <atomic>
#include <thread>

#include "support/check.hpp"

using check::tracked;
using namespace belay::operators;
using namespace std::chrono_literals;

namespace {

class listener : public belay::owner_base {
 public:
  listener(const belay::signal<int> &numbers, int &heard) : sum_(heard) {
    numbers.subscribe(*this, [this](int n) { sum_ += n; });
  }

 private:
  int &sum_;
};

// Its owner is its last member: what is bound goes before the rest.
class holder {
 public:
  holder(const belay::signal<int> &numbers, int &heard) {
    numbers.subscribe(life_, [this, &heard](int n) { heard += n * kept_.number; });
  }

 private:
  tracked kept_{2};
  belay::owner life_;
};

}  // namespace

CASE(a_subscription_ends_with_its_owner) {
  check::trace seen;
  belay::subject<int> numbers;
  {
    const belay::owner one;
    numbers.subscribe(one, [&, kept = tracked()](int n) { seen(n); });
    numbers.subscribe(one,
                      belay::observe([&](int n) { seen(n); }).on_disposed([&] { seen("end"); }));
    numbers.subscribe(
        one, [](int) {}, [](const belay::error &) {}, [] {});
    CHECK_EQUAL(numbers.count(), 3u);
    numbers.next(1);
  }
  CHECK_EQUAL(numbers.count(), 0u);
  CHECK_EQUAL(tracked::alive.load(), 0);
  CHECK_EQUAL(seen.take(), "1 | 1 | end");
}

CASE(as_a_base_class) {
  belay::subject<int> numbers;
  int heard = 0;
  {
    const listener one(numbers, heard);
    const listener copy = one;
    CHECK(copy.owner() != one.owner());
    CHECK_EQUAL(numbers.count(), 1u);
    numbers.next(3);
  }
  CHECK_EQUAL(numbers.count(), 0u);
  numbers.next(4);
  CHECK_EQUAL(heard, 3);
}

CASE(as_a_base_class_whoever_else_has_a_reference) {
  belay::subject<int> numbers;
  int heard = 0;
  belay::owner kept = belay::owner::adopt(nullptr);
  {
    const listener one(numbers, heard);
    kept = one.owner();
  }
  CHECK_EQUAL(numbers.count(), 0u);
  CHECK(kept.is_dying());
  numbers.subscribe(kept, [&](int n) { heard += n; });
  CHECK_EQUAL(numbers.count(), 0u);
}

CASE(as_a_member) {
  belay::subject<int> numbers;
  int heard = 0;
  {
    const holder one(numbers, heard);
    numbers.next(3);
  }
  numbers.next(4);
  CHECK_EQUAL(heard, 6);
}

CASE(a_death_has_its_steps) {
  check::trace seen;
  std::optional<belay::owner> one(std::in_place);
  const belay::weak_owner weak(*one);
  one->deallocating().subscribe([&](belay::unit) { seen("deallocating"); }, [] {},
                                [&] { seen("completed"); });
  one->deallocated().subscribe([&](belay::unit) { seen("deallocated"); });
  one->add([&, kept = tracked()] { seen("bound"); });
  one->add(belay::disposable([&] { seen("bound too"); }));
  belay::set_notice(*one, "bye", [&] { seen("notice"); });
  CHECK_EQUAL(belay::each_notice(*one, [&](std::string_view name) { seen(name); }), 1u);
  belay::set_notice(*one, "never", [&] { seen("never"); });
  CHECK(belay::remove_notice(*one, "never"));
  CHECK(!belay::remove_notice(*one, "never"));
  CHECK(weak.lock() == one);
  CHECK(one->compound());
  one.reset();
  CHECK(!weak.lock());
  CHECK_EQUAL(seen.take(),
              "bye | deallocating | bound | bound too | notice | completed | deallocated");
}

CASE(pointers_of_the_program_s) {
  check::trace seen;
  int object = 5;
  const belay::owner one = belay::owner::of(&object);
  CHECK(one == belay::owner::of(&object));
  CHECK_EQUAL(one.object() == &object, true);
  one.add([&] { seen("bound"); });
  belay::owner::end(&object, [&] { seen("destroyed"); });
  CHECK(one.is_dying());
  CHECK_EQUAL(seen.take(), "bound | destroyed");
  belay::owner::of(&object).add([&] { seen("again"); });
  belay::owner::will_end(&object);
  seen("between");
  belay::owner::did_end(&object);
  CHECK_EQUAL(seen.take(), "again | between");
}

CASE(trees) {
  check::trace seen;
  {
    const belay::owner parent, child, free;
    parent.add_child(child);
    parent.add_child(free);
    child.add([&] { seen("child"); });
    free.add([&] { seen("free"); });
    CHECK(parent.remove_child(free));
    CHECK(!parent.remove_child(free));
    CHECK_ERROR(child.add_child(parent), BELAY_EINVAL);
    parent.add([&] { seen("parent"); });
  }
  CHECK_EQUAL(seen.take(), "free | child | parent");
}

CASE(an_owner_has_a_name) {
  belay::owner_options options;
  options.label = "view";
  CHECK_EQUAL(belay::owner(options).label(), "view");
  CHECK_EQUAL(belay::owner().label(), "");
  CHECK_EQUAL(belay::owner::adopt(nullptr).label(), "");
}

CASE(an_owner_dies_at_the_home_of_its_scheduler) {
  belay::owner_options options;
  std::thread::id died;
  std::atomic<bool> is_over{false};
  {
    const belay::worker worker("helper");
    options.scheduler = worker;
    {
      const belay::owner one(options);
      one.add([&] {
        died = std::this_thread::get_id();
        is_over = true;
      });
    }
    while (!is_over) std::this_thread::yield();
    CHECK(died != std::this_thread::get_id());
    const belay::loop loop;
    options.loop = loop;
    CHECK_ERROR(belay::owner{options}, BELAY_EINVAL);
    options.loop = belay::loop::adopt(nullptr);
  }
  CHECK_ERROR(belay::owner{options}, BELAY_ECLOSED);
  options.scheduler = belay::scheduler::immediate();
  CHECK_ERROR(belay::owner{options}, BELAY_EINVAL);
}

CASE(operators_with_owners) {
  belay::subject<int> numbers;
  check::trace seen;
  {
    const belay::owner one;
    (numbers | take_during(one))
        .subscribe([&](int n) { seen(n); }, [] {}, [&] { seen("completed"); });
    (numbers | with_owner(one)).subscribe([&](const std::pair<belay::owner, int> &both) {
      CHECK(both.first == one);
      seen("with", both.second);
    });
    numbers.next(1);
  }
  CHECK_EQUAL(seen.take(), "1 | with 1 | completed");
  int heard = 0;
  {
    const listener one(numbers, heard);
    (numbers | take_during(one)).subscribe([&](int n) { seen(n); });
    CHECK_EQUAL(numbers.count(), 2u);
  }
  CHECK_EQUAL(numbers.count(), 0u);
}

CASE(events_between_owners) {
  check::trace seen;
  const belay::owner source;
  {
    const belay::owner watcher;
    belay::watch(watcher, source, "moved", [&, kept = tracked()](const belay::value &along) {
      seen(along.as<std::pair<int, int>>());
    });
    belay::watch(
        watcher, source, "moved", [&](const belay::value &) { seen("first"); }, 2000);
    CHECK(belay::post(source, "moved", std::make_pair(1, 2)));
    CHECK(belay::unwatch(watcher, source, "moved", 2000));
    CHECK(!belay::unwatch(watcher, source, "moved", 2000));
    belay::post(source, "moved", std::make_pair(3, 4));
    belay::post(source, "other");
  }
  belay::post(source, "moved", std::make_pair(5, 6));
  CHECK_EQUAL(seen.take(), "first | (1 2) | (3 4)");
  const belay::owner watcher;
  belay::watch(watcher, source, "a", [](const belay::value &) {});
  CHECK(belay::unwatch(watcher, source, "a"));
  CHECK(!belay::unwatch(watcher, source));
  CHECK(!belay::unwatch(watcher));
}

CASE(associated_objects) {
  static const belay::association<tracked> key;
  static const belay::association<tracked> other;
  {
    const belay::owner one;
    CHECK(key.get(one) == nullptr);
    key.set(one, tracked(1));
    key.set(one, tracked(2));
    other.set(one, tracked(3));
    CHECK_EQUAL(tracked::alive.load(), 2);
    CHECK_EQUAL(key.get(one)->number, 2);
    CHECK(key.remove(one));
    CHECK(!key.remove(one));
    CHECK_EQUAL(tracked::alive.load(), 1);
  }
  CHECK_EQUAL(tracked::alive.load(), 0);
}

CASE(disposables) {
  check::trace seen;
  auto action = [&](const char *name) { return belay::disposable([&seen, name] { seen(name); }); };
  const belay::compound_disposable all;
  const auto key = all.add(action("removed"));
  all.add(action("added"));
  all.add([&, kept = tracked()] { seen("action"); });
  CHECK(all.remove(key));
  CHECK(!all.remove(key));
  CHECK_EQUAL(all.count(), 2u);
  all.dispose();
  all.add(action("late"));
  CHECK_EQUAL(seen.take(), "added | action | late");
  const belay::serial_disposable serial;
  serial.set(action("one"));
  serial.set(action("two"));
  const belay::disposable two = serial.swap(action("three"));
  CHECK(!two.is_disposed());
  serial.dispose();
  CHECK_EQUAL(seen.take(), "one | three");
  const belay::single_assignment_disposable single;
  single.set(action("single"));
  CHECK_ERROR(single.set(action("again")), BELAY_EASSIGNED);
  single.dispose();
  CHECK_EQUAL(seen.take(), "single");
  const belay::ref_counted_disposable counted(action("counted"));
  const belay::disposable dependent = counted.dependent();
  counted.dispose();
  CHECK_EQUAL(seen.take(), "");
  dependent.dispose();
  CHECK_EQUAL(seen.take(), "counted");
  {
    const belay::bag bag;
    bag.add(action("in a bag"));
    CHECK_EQUAL(bag.count(), 1u);
    const belay::disposable scoped = belay::disposable::scoped(action("scoped"));
  }
  CHECK_EQUAL(seen.take(), "scoped | in a bag");
  belay::disposable::binary(action("a"), action("b")).dispose();
  belay::disposable::scheduled(belay::scheduler::immediate(), action("c")).dispose();
  CHECK_EQUAL(seen.take(), "a | b | c");
  CHECK(belay::disposable::nop().is_disposed());
  CHECK(!belay::disposable::boolean().is_disposed());
  CHECK(belay::disposable().is_disposed());
  CHECK(belay::disposable([] {}).dispose_sync(1s));
}
