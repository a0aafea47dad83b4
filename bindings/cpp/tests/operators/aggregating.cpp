// One value of a whole signal.
#include "../support/sources.hpp"

using check::events;
using check::numbers;
using namespace belay::operators;

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
