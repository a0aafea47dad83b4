// Operators on several signals.
#include "support/check.hpp"

using check::events;
using namespace belay::operators;

namespace {

belay::signal<int> numbers() { return belay::from({1, 2, 3}); }
belay::signal<std::string> letters() { return belay::from({std::string("a"), std::string("b")}); }
belay::signal<int> failing() { return belay::fail<int>(belay::error(BELAY_ENOENT)); }
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
}

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
  CHECK_EQUAL(events(belay::race(numbers(), belay::never<int>())), "1 | 2 | 3 | completed");
  CHECK_EQUAL(events(belay::race(both)), "1 | 2 | 3 | completed");
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

CASE(again_after_an_end) {
  CHECK_EQUAL(events(belay::just(1) | repeat(2)), "1 | 1 | completed");
  CHECK_EQUAL(events(belay::just(1) | repeat() | take(3)), "1 | 1 | 1 | completed");
  CHECK_EQUAL(
      events(belay::just(1) | repeat_when([](const belay::signal<belay::unit> &completions) {
               return completions.take(2);
             })),
      "1 | 1 | completed");
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

CASE(shared) {
  int subscribed = 0;
  const auto source = belay::defer([&] {
    subscribed++;
    return numbers();
  });
  check::trace seen;
  auto connectable = source.publish();
  connectable.subscribe([&](int n) { seen("a", n); });
  connectable.subscribe([&](int n) { seen("b", n); });
  CHECK_EQUAL(subscribed, 0);
  connectable.connect();
  CHECK_EQUAL(seen.take(), "a 1 | b 1 | a 2 | b 2 | a 3 | b 3");
  CHECK_EQUAL(subscribed, 1);
  CHECK_EQUAL(events(source | publish() | ref_count()), "1 | 2 | 3 | completed");
  CHECK_EQUAL(events(source | publish() | auto_connect()), "1 | 2 | 3 | completed");
  CHECK_EQUAL(events(source | share()), "1 | 2 | 3 | completed");
  const auto kept = source | share_replay(2);
  CHECK_EQUAL(events(kept), "1 | 2 | 3 | completed");
  CHECK_EQUAL(events(kept), "2 | 3 | completed");
  const auto replayed = source.replay(1);
  replayed.connect();
  CHECK_EQUAL(events(replayed), "3 | completed");
  belay::subject<int> through;
  through.subscribe([&](int n) { seen(n); });
  source.multicast(through).connect();
  CHECK_EQUAL(seen.take(), "1 | 2 | 3");
}

CASE(bound) {
  check::trace seen;
  belay::subject<int> target;
  target.subscribe([&](int n) { seen(n); }, [] {}, [&] { seen("completed"); });
  numbers().bind(target);
  CHECK_EQUAL(seen.take(), "1 | 2 | 3 | completed");
  const belay::property<int> property(0);
  numbers().bind(property);
  CHECK_EQUAL(property.get_value(), 3);
  belay::subject<int> source;
  std::int16_t small = 0;
  double large = 0;
  const belay::disposable end = source.bind(small);
  {
    const belay::owner owner;
    source.bind(large, owner);
    source.bind(property, owner);
    source.next(7);
  }
  source.next(8);
  CHECK_EQUAL(small, 8);
  CHECK_EQUAL(large, 7.0);
  CHECK_EQUAL(property.get_value(), 7);
  end.dispose();
  source.next(9);
  CHECK_EQUAL(small, 8);
}
