// Operators on the values of one signal: as members and in pipes.
#include "support/check.hpp"

using check::events;
using check::tracked;
using namespace belay::operators;
using namespace std::chrono_literals;

namespace {

const auto is_odd = [](int n) { return n % 2 != 0; };
belay::signal<int> numbers(int count) {
  return belay::range(1, static_cast<std::uint64_t>(count)).map([](std::int64_t n) {
    return static_cast<int>(n);
  });
}
struct reading {
  int sensor;
  double degrees;
  bool operator==(const reading &other) const {
    return sensor == other.sensor && degrees == other.degrees;
  }
};

}  // namespace

CASE(transforming) {
  CHECK_EQUAL(events(numbers(2).map([](int n) { return n * 0.5; })), "0.5 | 1 | completed");
  CHECK_EQUAL(
      events(numbers(2) | map([](int n) { return std::string(2, 'a' + static_cast<char>(n)); })),
      "bb | cc | completed");
  CHECK_EQUAL(events(numbers(2) | map_to("x")), "x | x | completed");
  CHECK_EQUAL(events(numbers(4) | compact_map([](int n) {
                       return is_odd(n) ? std::optional<std::string>(std::to_string(n))
                                        : std::nullopt;
                     })),
              "1 | 3 | completed");
  CHECK_EQUAL(events(numbers(3) | scan(0.5, [](double sum, int n) { return sum + n; })),
              "1.5 | 3.5 | 6.5 | completed");
  CHECK_EQUAL(
      events(numbers(3) |
             reduce(std::string(), [](std::string all, int n) { return all + std::to_string(n); })),
      "123 | completed");
  CHECK_EQUAL(events(numbers(2) | map_to("a") | enumerated()), "(0 a) | (1 a) | completed");
  CHECK_EQUAL(events(numbers(3) | pairwise()), "(1 2) | (2 3) | completed");
  CHECK_EQUAL(events(numbers(3) | collect()), "[1 2 3] | completed");
  CHECK_EQUAL(events(numbers(3) | buffer(2)), "[1 2] | [3] | completed");
  CHECK_EQUAL(events(numbers(3) | buffer_skip(2, 1)), "[1 2] | [2 3] | [3] | completed");
  CHECK_EQUAL(events(numbers(2) | map([](int) {}) | map([](belay::unit) { return 7; })),
              "7 | 7 | completed");
  CHECK_EQUAL(events(belay::fail<int>(belay::error(BELAY_EBUSY)) |
                     map_error([](const belay::error &) { return belay::error(BELAY_ENOENT); })),
              "error ENOENT");
}

CASE(objects_go_through) {
  belay::subject<tracked> objects;
  int sum = 0;
  (objects | filter([](const tracked &t) { return t.number > 1; }) | map([](const tracked &t) {
     return tracked(t.number * 10);
   })).subscribe([&](const tracked &t) { sum += t.number; });
  objects.next(tracked(1));
  objects.next(tracked(2));
  CHECK_EQUAL(sum, 20);
  CHECK_EQUAL(tracked::copies.load(), 0);
  CHECK_EQUAL(tracked::alive.load(), 0);
  CHECK_EQUAL(events(belay::from({tracked(3), tracked(1)}) | collect() |
                     map([](const std::vector<tracked> &all) { return all.size(); })),
              "2 | completed");
}

CASE(windows_and_groups) {
  check::trace seen;
  (numbers(5) | window(2)).subscribe([&, n = 0](const belay::signal<int> &window) mutable {
    const int number = ++n;
    window.subscribe([&seen, number](int i) { seen("w", number, i); });
  });
  CHECK_EQUAL(seen.take(), "w 1 1 | w 1 2 | w 2 3 | w 2 4 | w 3 5");
  (numbers(4) | group_by([](int n) {
     return std::string(is_odd(n) ? "odd" : "even");
   })).subscribe([&](const belay::grouped<std::string, int> &group) {
    group.subscribe([&seen, key = group.key()](int n) { seen(key, n); });
  });
  CHECK_EQUAL(seen.take(), "odd 1 | even 2 | odd 3 | even 4");
  CHECK_EQUAL(
      events(numbers(4) | group_by(is_odd) |
             flat_map([](const belay::grouped<bool, int> &group) { return group.count(); })),
      "2 | 2 | completed");
  (numbers(2) | window_toggle(belay::just(0), [](int) {
     return belay::never<int>();
   })).subscribe([&](const belay::signal<int> &window) {
    window.subscribe([&](int n) { seen(n); });
  });
  CHECK_EQUAL(seen.take(), "1 | 2");
}

CASE(events_as_values) {
  check::trace seen;
  (numbers(1) | concat(belay::fail<int>(belay::error(BELAY_ENOENT))) | materialize())
      .subscribe([&](const belay::event<int> &event) {
        if (event.is_next()) seen("next", event.value());
        if (event.is_error()) seen("error", event.error().name());
        if (event.is_completed()) seen("completed");
      });
  CHECK_EQUAL(seen.take(), "next 1 | error ENOENT");
  CHECK_EQUAL(events(numbers(2) | materialize() | dematerialize()), "1 | 2 | completed");
  using event = belay::event<int>;
  CHECK_EQUAL(events(belay::from({event::next(4), event::failed(belay::error(BELAY_EBUSY))}) |
                     dematerialize()),
              "4 | error EBUSY");
  CHECK_EQUAL(events(belay::from({event::completed()}) | dematerialize()), "completed");
  CHECK_EQUAL(events(belay::just(1).as<event>() | count()), "1 | completed");
  CHECK_EQUAL(events(belay::just(1).as<event>() | map([](const event &) {}) | count()),
              "error EKIND");
}

CASE(filtering) {
  CHECK_EQUAL(events(numbers(4) | filter(is_odd)), "1 | 3 | completed");
  CHECK_EQUAL(events(numbers(4) | take(2)), "1 | 2 | completed");
  CHECK_EQUAL(events(numbers(4) | skip(2)), "3 | 4 | completed");
  CHECK_EQUAL(events(numbers(4) | take_last(1)), "4 | completed");
  CHECK_EQUAL(events(numbers(4) | skip_last(3)), "1 | completed");
  CHECK_EQUAL(events(numbers(4) | take_while(is_odd)), "1 | completed");
  CHECK_EQUAL(events(numbers(4) | take_while(is_odd, true)), "1 | 2 | completed");
  CHECK_EQUAL(events(numbers(4) | skip_while(is_odd)), "2 | 3 | 4 | completed");
  CHECK_EQUAL(events(numbers(4) | take_until(belay::never<std::string>())),
              "1 | 2 | 3 | 4 | completed");
  CHECK_EQUAL(events(numbers(4) | take_until(belay::just("now"))), "completed");
  CHECK_EQUAL(events(numbers(2) | skip_until(belay::just(2.5))), "1 | 2 | completed");
  CHECK_EQUAL(events(numbers(2) | take_until_replacement(belay::just(9))), "9 | completed");
  CHECK_EQUAL(events(numbers(4) | element_at(2)), "3 | completed");
  CHECK_EQUAL(events(numbers(4) | element_at(9)), "error ERANGE");
  CHECK_EQUAL(events(numbers(4) | element_at_or(9, 7)), "7 | completed");
  CHECK_EQUAL(events(numbers(4) | map_to("a") | element_at_or(9, "none")), "none | completed");
  CHECK_EQUAL(events(numbers(4) | first()), "1 | completed");
  CHECK_EQUAL(events(numbers(4) | first([](int n) { return n > 2; })), "3 | completed");
  CHECK_EQUAL(events(numbers(0) | first()), "error ENOENT");
  CHECK_EQUAL(events(numbers(4) | last()), "4 | completed");
  CHECK_EQUAL(events(numbers(4) | last(is_odd)), "3 | completed");
  CHECK_EQUAL(events(numbers(1) | single()), "1 | completed");
  CHECK_EQUAL(events(numbers(4) | single(is_odd)), "error ERANGE");
  CHECK_EQUAL(events(numbers(4) | find([](int n) { return n > 3; })), "4 | completed");
  CHECK_EQUAL(events(numbers(4) | ignore_elements()), "completed");
  CHECK_EQUAL(events(numbers(3) | ignore(2)), "1 | 3 | completed");
  CHECK_EQUAL(events(belay::from({1, 1, 2, 1}) | distinct()), "1 | 2 | completed");
  CHECK_EQUAL(events(belay::from({1, 3, 2, 5}) | distinct(is_odd)), "1 | 2 | completed");
  CHECK_EQUAL(events(belay::from({1, 1, 2, 1}) | distinct_until_changed()),
              "1 | 2 | 1 | completed");
  CHECK_EQUAL(events(belay::from({1, 3, 2, 4}) |
                     distinct_until_changed([](int a, int b) { return is_odd(a) == is_odd(b); })),
              "1 | 2 | completed");
  const auto [odd, even] = numbers(4).partition(is_odd);
  CHECK_EQUAL(events(odd), "1 | 3 | completed");
  CHECK_EQUAL(events(even), "2 | 4 | completed");
}

CASE(what_belay_cannot_compare_is_compared_by_its_own_operator) {
  const auto readings = belay::from({reading{1, 2.5}, reading{1, 2.5}, reading{2, 0.0}});
  auto sensor = [](const reading &r) { return r.sensor; };
  CHECK_EQUAL(events(readings | distinct_until_changed() | map(sensor)), "1 | 2 | completed");
  CHECK_EQUAL(events(readings | contains(reading{2, 0.0})), "true | completed");
  CHECK_EQUAL(events(readings | ignore(reading{1, 2.5}) | map(sensor)), "2 | completed");
  CHECK_EQUAL(events(readings | distinct(sensor) | map(sensor)), "1 | 2 | completed");
  CHECK_EQUAL(events(readings | sequence_equal(readings)), "true | completed");
  const auto objects = belay::from({tracked(2), tracked(1), tracked(1)});
  auto number = [](const tracked &t) { return t.number; };
  CHECK_EQUAL(events(objects | distinct_until_changed() | map(number)), "2 | 1 | completed");
  CHECK_EQUAL(events(objects | min() | map(number)), "1 | completed");
  CHECK_EQUAL(events(objects | max() | map(number)), "2 | completed");
}

CASE(aggregating) {
  CHECK_EQUAL(events(numbers(0) | default_if_empty(5)), "5 | completed");
  CHECK_EQUAL(events(numbers(0) | switch_if_empty(numbers(1))), "1 | completed");
  CHECK_EQUAL(events(numbers(3) | contains(2)), "true | completed");
  CHECK_EQUAL(events(numbers(3) | any([](int n) { return n > 5; })), "false | completed");
  CHECK_EQUAL(events(numbers(3) | all([](int n) { return n < 5; })), "true | completed");
  CHECK_EQUAL(events(numbers(3) | is_empty()), "false | completed");
  CHECK_EQUAL(events(numbers(3) | count()), "3 | completed");
  CHECK_EQUAL(events(numbers(3) | min()), "1 | completed");
  CHECK_EQUAL(events(numbers(3) | max()), "3 | completed");
  CHECK_EQUAL(events(numbers(3) | max([](int a, int b) { return a > b; })), "1 | completed");
  CHECK_EQUAL(events(belay::from({std::string("b"), std::string("a")}) | min()), "a | completed");
  CHECK_EQUAL(events(numbers(3) | sum()), "6 | completed");
  CHECK_EQUAL(events(belay::from({0.5f, 0.25f}) | sum()), "0.75 | completed");
  CHECK_EQUAL(events(belay::from({7u, 8u}) | sum()), "15 | completed");
  CHECK_EQUAL(events(belay::empty<unsigned>() | sum()), "0 | completed");
  CHECK_EQUAL(events(numbers(4) | average()), "2.5 | completed");
}

CASE(effects) {
  check::trace seen;
  events(numbers(2) | tap([&](int n) { seen("tap", n); }) | finally([&] { seen("finally"); }) |
         initially([&] { seen("initially"); }));
  CHECK_EQUAL(seen.take(), "initially | tap 1 | tap 2 | finally");
  events(numbers(1) | tap(belay::observe([&](int n) {
                            seen("next", n);
                          }).on_completed([&] {
                              seen("completed");
                            }).on_disposed([&] { seen("disposed"); })));
  CHECK_EQUAL(seen.take(), "next 1 | completed | disposed");
  events(numbers(1).named("n") |
         log_to([&](std::string_view line) { seen(line); }, nullptr, "here:1"));
  CHECK_EQUAL(seen.take(), "here:1: n: next 1 | here:1: n: completed | here:1: n: disposed");
  CHECK_EQUAL(events(numbers(1) | breakpoint([](int) { return false; },
                                             [](const belay::error &) { return false; },
                                             [] { return false; })),
              "1 | completed");
  CHECK_EQUAL(events(numbers(1) | breakpoint_on_error()), "1 | completed");
}

CASE(an_operator_of_one_s_own) {
  auto first_odd = [](const belay::signal<int> &source) {
    return source | filter(is_odd) | first();
  };
  CHECK_EQUAL(events(numbers(4) | compose(first_odd)), "1 | completed");
  CHECK_EQUAL(events(numbers(4) | belay::composed(first_odd)), "1 | completed");
  // Operations are put together before there is a signal, and used as often as one likes.
  const auto shout = map([](int n) { return std::to_string(n); }) |
                     map([](std::string_view text) { return std::string(text) + "!"; }) | take(2);
  CHECK_EQUAL(events(numbers(4) | shout), "1! | 2! | completed");
  CHECK_EQUAL(events(numbers(1) | shout), "1! | completed");
}

CASE(neighbouring_callbacks_are_one_stage) {
  belay::subject<int> source;
  const auto chain =
      source | map([](int n) { return n + 1; }) | filter(is_odd) | map([](int n) { return n * 2; });
  CHECK_EQUAL(events(chain), "");
  const std::size_t before = belay::live_count();
  const belay::scoped_disposable one = chain.subscribe([](int) {});
  const belay::scoped_disposable other = source.map([](int n) { return n; }).subscribe([](int) {});
  CHECK(belay::live_count() > before);
}

CASE(a_chain_s_callables_go_with_it) {
  {
    belay::subject<int> source;
    {
      auto chain = source | map([kept = tracked()](int n) { return n; }) |
                   filter([kept = tracked()](int) { return true; }) |
                   scan(0, [kept = tracked()](int a, int b) { return a + b; });
      CHECK_EQUAL(tracked::alive.load(), 3);
      chain.subscribe([](int) {});
    }
    CHECK_EQUAL(tracked::alive.load(), 3);
    source.completed();
    CHECK_EQUAL(tracked::alive.load(), 0);
  }
}
