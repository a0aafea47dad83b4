// Time, under virtual time: marbles. And where events are delivered.
#include <thread>

#include "../support/sources.hpp"

using check::numbers;
using namespace belay::operators;
using namespace std::chrono_literals;

namespace {

// The signal that `make` makes of a source, drawn as `source`, under the test's time, has to be
// `expected`.
template <class Make>
void expect(const char *source, const char *expected, Make make) {
  belay::marbles test;
  test.expect(make(test.hot(source), test.scheduler()), expected);
  test.run();
}

}  // namespace

CASE(timing) {
  expect("--1--2-----|", "-------2---|",
         [](auto s, auto t) { return s | debounce(2ms, t) | skip(1); });
  expect("--1--2--|", "--1--2--|", [](auto s, auto t) {
    return s | debounce_if(
                   2ms, [](int) { return false; }, t);
  });
  expect("-12-3---|", "-1--3---|", [](auto s, auto t) { return s | throttle(2ms, t); });
  expect("-12-----|", "---2----|",
         [](auto s, auto t) { return s | throttle(2ms, false, true, t); });
  expect("-12-----|", "---2----|", [](auto s, auto t) { return s | audit(2ms, t); });
  expect("-12-----|", "---2----|", [](auto s, auto t) { return s | sample_time(3ms, t); });
  expect("-1-2-|", "---1-2-|", [](auto s, auto t) { return s | delay(2ms, t); });
  expect("-1-2-|", "---2-|", [](auto s, auto t) { return s | delay_subscription(2ms, t); });
  expect("-1------|", "-1--#", [](auto s, auto t) { return s | timeout(3ms, t); });
  expect("-1------|", "-1--(9|)",
         [](auto s, auto t) { return s | timeout(3ms, belay::just(9), t); });
  expect("-1-2-3-|", "-1-2|", [](auto s, auto t) { return s | take_for(4ms, t); });
  expect("-1-2-3-|", "-----3-|", [](auto s, auto t) { return s | skip_for(4ms, t); });
  expect("-1-#", "-1-#", [](auto s, auto t) {
    belay::backoff waits;
    waits.first = 1ms;
    waits.attempts = 1;
    return s | retry_backoff(waits, t);
  });
  belay::marbles test;
  belay::backoff waits;
  waits.first = 1ms;
  waits.attempts = 2;
  waits.reset_on_value = true;
  test.expect(test.cold("1#") | retry_backoff(waits, test.scheduler()) | take(4), "1-1-1-(1|)");
  test.run();
}

CASE(timing_by_other_signals) {
  belay::marbles test;
  const auto source = test.hot("-1-2-3-|");
  test.expect(source | sample(test.hot<std::string>("--a---b-|")), "--1---3|");
  test.define('t', true);
  test.define('f', false);
  test.expect(source | throttle_while(test.hot<bool>("t---f---")), "----23-|");
  test.expect_subscriptions(source, {"^------!", "^------!"});
  test.run();
}

CASE(mismatches_are_drawn) {
  belay::marbles test;
  test.expect(test.cold("-1-|"), "-2-|");
  CHECK_THROWS(test.run(), belay::error, CHECK(std::strstr(caught.what(), "-2-|") != nullptr));
  CHECK_ERROR(test.cold("-(1"), BELAY_EINVAL);
}

CASE(durations_of_every_kind) {
  belay::virtual_time time;
  check::trace seen;
  const auto ends = belay::compound_disposable();
  for (const belay::seconds delay :
       {belay::seconds(1500ms), belay::seconds(std::chrono::minutes(1)), belay::seconds(0.25),
        belay::seconds(std::chrono::microseconds(10))})
    ends.add(time.after(delay, [&seen, &time] { seen(time.now().count()); }));
  time.advance(std::chrono::hours(1));
  CHECK_EQUAL(seen.take(), "1e-05 | 0.25 | 1.5 | 60");
}

CASE(without_a_loop_one_has_to_be_named) {
  belay::subject<int> numbers;
  CHECK_ERROR(numbers.debounce(1ms), BELAY_ENOHOME);
  CHECK_ERROR(numbers.debounce(-1ms, belay::scheduler::immediate()), BELAY_EINVAL);
}

CASE(the_queue_of_an_operator) {
  belay::subject<int> fast, slow;
  std::vector<int> first;
  const auto pairs = belay::zip(fast, slow);
  pairs.queued({belay::queue_policy::drop_oldest, 2});
  belay::disposable listening = pairs.subscribe(
      [&](const std::tuple<int, int> &pair) { first.push_back(std::get<0>(pair)); });
  for (int number = 0; number < 5; number++) fast.next(number);
  slow.next(0);
  CHECK(first == std::vector<int>{3});
  CHECK_EQUAL(pairs.queue_high_water(), 2u);
  CHECK_ERROR(pairs.queued({}), BELAY_EBUSY);
}

CASE(delivered_by_a_worker) {
  belay::loop loop;
  const belay::worker worker("helper");
  const auto here = std::this_thread::get_id();
  std::thread::id ran;
  const int sum = (belay::from({1, 2, 3}) | observe_on(worker) |
                   tap([&](int) { ran = std::this_thread::get_id(); }) |
                   reduce(0, [](int a, int b) { return a + b; }) | observe_on(loop))
                      .wait_first(loop, 60s);
  CHECK_EQUAL(sum, 6);
  CHECK(ran != here);
  const auto squared = (belay::defer([&] {
                          ran = std::this_thread::get_id();
                          return belay::just(3);
                        }) |
                        subscribe_on(worker) | map([](int n) {
                          return n * n;
                        })).wait_first(loop, 60s);
  CHECK_EQUAL(squared, 9);
  CHECK(ran != here);
}
