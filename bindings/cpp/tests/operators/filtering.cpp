// Choosing among values.
#include "../support/sources.hpp"

using check::events;
using check::is_odd;
using check::numbers;
using check::tracked;
using namespace belay::operators;

namespace {

struct reading {
  int sensor;
  double degrees;
  bool operator==(const reading &other) const {
    return sensor == other.sensor && degrees == other.degrees;
  }
};

}  // namespace

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
