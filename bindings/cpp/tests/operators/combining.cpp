// Several signals that become one by their values.
#include "../support/sources.hpp"

using check::events;
using check::letters;
using check::numbers;
using namespace belay::operators;

namespace {

const auto joined = [](int n, std::string_view text) {
  return std::to_string(n) + std::string(text);
};

}  // namespace

CASE(zipped) {
  CHECK_EQUAL(events(belay::zip(numbers(), letters())), "(1 a) | (2 b) | completed");
  CHECK_EQUAL(events(belay::zip(joined, numbers(), letters())), "1a | 2b | completed");
  CHECK_EQUAL(events(numbers() | zip(letters(), numbers())), "(1 a 1) | (2 b 2) | completed");
  CHECK_EQUAL(events(numbers() | zip(joined, letters())), "1a | 2b | completed");
  CHECK_EQUAL(events(belay::zip(std::vector<belay::signal<int>>{numbers(), numbers()})),
              "[1 1] | [2 2] | [3 3] | completed");
  CHECK_EQUAL(events(numbers() | zip(letters()) | reduce_each(joined)), "1a | 2b | completed");
  CHECK_EQUAL(events(numbers() | pairwise() | reduce_each([](int a, int b) { return a + b; })),
              "3 | 5 | completed");
}

CASE(combined) {
  CHECK_EQUAL(events(belay::combine_latest(numbers(), letters())), "(3 a) | (3 b) | completed");
  CHECK_EQUAL(events(numbers() | combine_latest(joined, letters())), "3a | 3b | completed");
  CHECK_EQUAL(events(belay::combine_latest(std::vector<belay::signal<int>>{numbers(), numbers()})),
              "[3 1] | [3 2] | [3 3] | completed");
  CHECK_EQUAL(events(numbers() | with_latest_from(letters())), "(1 b) | (2 b) | (3 b) | completed");
  CHECK_EQUAL(events(numbers() | with_latest_from(joined, letters())), "1b | 2b | 3b | completed");
  CHECK_EQUAL(events(belay::race(numbers(), belay::never<int>())), "1 | 2 | 3 | completed");
  CHECK_EQUAL(events(belay::race(std::vector<belay::signal<int>>{numbers(), belay::just(9)})),
              "1 | 2 | 3 | completed");
  CHECK_EQUAL(events(numbers() | start_with(7, 8)), "7 | 8 | 1 | 2 | 3 | completed");
  CHECK_EQUAL(events(letters() | end_with("c", std::string_view("d"))),
              "a | b | c | d | completed");
  CHECK_EQUAL(events(numbers() | sequence_equal(numbers())), "true | completed");
}

CASE(chosen) {
  CHECK_EQUAL(events(belay::if_then_else(belay::just(true), numbers(), belay::just(9))),
              "1 | 2 | 3 | completed");
  const std::vector<std::pair<std::string, belay::signal<int>>> cases{{"a", belay::just(1)},
                                                                      {"b", belay::just(2)}};
  CHECK_EQUAL(events(belay::switch_on(letters(), cases)), "1 | 2 | completed");
  CHECK_EQUAL(events(belay::switch_on(belay::just(std::string("z")), cases, belay::just(0))),
              "0 | completed");
  CHECK_EQUAL(events(belay::switch_on(belay::just(std::string("z")), cases)), "error EINVAL");
  CHECK_EQUAL(events(belay::logical_and(belay::just(true), belay::just(false))),
              "false | completed");
  CHECK_EQUAL(events(belay::logical_or(belay::just(true), belay::just(false))), "true | completed");
  CHECK_EQUAL(events(belay::just(true) | logical_not()), "false | completed");
}
