// From one signal to others, and what follows an end.
#include "../support/sources.hpp"

using check::events;
using check::failing;
using check::letters;
using check::numbers;
using namespace belay::operators;

CASE(merged_and_concatenated) {
  const std::vector<belay::signal<int>> both{numbers(), belay::just(9)};
  CHECK_EQUAL(events(numbers() | merge(belay::just(9), belay::just(8))),
              "1 | 2 | 3 | 9 | 8 | completed");
  CHECK_EQUAL(events(belay::merge(numbers(), belay::just(9))), "1 | 2 | 3 | 9 | completed");
  CHECK_EQUAL(events(belay::merge(both)), "1 | 2 | 3 | 9 | completed");
  CHECK_EQUAL(events(failing() | merge_delay_error(numbers())), "1 | 2 | 3 | error ENOENT");
  CHECK_EQUAL(events(belay::merge_delay_error(failing(), numbers())), "1 | 2 | 3 | error ENOENT");
  CHECK_EQUAL(events(belay::merge_delay_error(both)), "1 | 2 | 3 | 9 | completed");
  CHECK_EQUAL(events(numbers() | concat(belay::just(9))), "1 | 2 | 3 | 9 | completed");
  CHECK_EQUAL(events(belay::concat(numbers(), belay::just(9))), "1 | 2 | 3 | 9 | completed");
  CHECK_EQUAL(events(belay::concat(both)), "1 | 2 | 3 | 9 | completed");
  CHECK_EQUAL(events(numbers() | then(letters())), "a | b | completed");
}

CASE(flattened) {
  auto twice = [](int n) { return belay::from({n, n * 10}); };
  CHECK_EQUAL(events(numbers() | flat_map(twice)), "1 | 10 | 2 | 20 | 3 | 30 | completed");
  CHECK_EQUAL(events(numbers() | flat_map(twice, 1)), "1 | 10 | 2 | 20 | 3 | 30 | completed");
  CHECK_EQUAL(events(numbers() | concat_map(twice)), "1 | 10 | 2 | 20 | 3 | 30 | completed");
  CHECK_EQUAL(events(numbers() | switch_map(twice)), "1 | 10 | 2 | 20 | 3 | 30 | completed");
  CHECK_EQUAL(events(numbers() | exhaust_map(twice)), "1 | 10 | 2 | 20 | 3 | 30 | completed");
  CHECK_EQUAL(events(belay::just(1) | expand([](int n) {
                       return n < 4 ? belay::just(n * 2) : belay::empty<int>();
                     })),
              "1 | 2 | 4 | completed");
  const auto signals = numbers() | map(twice);
  CHECK_EQUAL(events(signals | merge_all()), "1 | 10 | 2 | 20 | 3 | 30 | completed");
  CHECK_EQUAL(events(signals | concat_all()), "1 | 10 | 2 | 20 | 3 | 30 | completed");
  CHECK_EQUAL(events(signals | switch_to_latest()), "1 | 10 | 2 | 20 | 3 | 30 | completed");
}

CASE(a_signal_that_a_callable_lends_stays) {
  belay::signal<int> lent = belay::just(5);
  const belay::signal<int> &same = lent;
  auto lend = [&](int) -> belay::signal<int> & { return lent; };
  CHECK_EQUAL(events(numbers() | flat_map(lend)), "5 | 5 | 5 | completed");
  CHECK_EQUAL(events(numbers() | concat_map([&](int) -> const auto & { return same; })),
              "5 | 5 | 5 | completed");
  CHECK_EQUAL(events(belay::defer([&]() -> belay::signal<int> & { return lent; })),
              "5 | completed");
  CHECK_EQUAL(events(belay::defer([&]() -> const belay::signal<int> & { return same; })),
              "5 | completed");
  const belay::command<int, int> command(lend);
  command.execute(1);
  const std::pair<int, belay::signal<int>> pair(1, lent);
  CHECK_EQUAL(events(belay::just(pair) | flat_map(&std::pair<int, belay::signal<int>>::second)),
              "5 | completed");
  CHECK_EQUAL(events(numbers(1) | compose([&](const auto &) -> const auto & { return same; })),
              "5 | completed");
  CHECK(lent);
}

CASE(again_after_an_end) {
  CHECK_EQUAL(events(belay::just(1) | repeat(2)), "1 | 1 | completed");
  CHECK_EQUAL(events(belay::just(1) | repeat() | take(3)), "1 | 1 | 1 | completed");
  CHECK_EQUAL(
      events(belay::just(1) | repeat_when([](const belay::signal<belay::unit> &completions) {
               return completions.take(2);
             })),
      "1 | 1 | 1 | completed");
  CHECK_EQUAL(
      events(failing() | catch_error([](const belay::error &e) { return belay::just(e.code()); })),
      "-2 | completed");
  CHECK_EQUAL(events(failing() | catch_to(5)), "5 | completed");
  CHECK_EQUAL(events(numbers() | concat(failing()) | retry(2)),
              "1 | 2 | 3 | 1 | 2 | 3 | error ENOENT");
  CHECK_EQUAL(events(numbers() | concat(failing()) | retry() | take(4)),
              "1 | 2 | 3 | 1 | completed");
  CHECK_EQUAL(events(belay::just(1) | concat(failing()) |
                     retry_when([](const belay::signal<belay::error> &errors) {
                       return errors | map([](const belay::error &e) { return e.code(); });
                     }) |
                     take(2)),
              "1 | 1 | completed");
  CHECK_EQUAL(events(numbers() | attempt([](int) {})), "1 | 2 | 3 | completed");
}
