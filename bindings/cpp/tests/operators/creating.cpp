// Signals that are made of something.
#include "../support/sources.hpp"

using check::events;
using check::tracked;
using namespace belay::operators;
using namespace std::chrono_literals;

CASE(producers_run_for_each_subscription) {
  check::trace seen;
  const auto cold = belay::create<int>([&](belay::subscriber<int> to) {
    to.next(1);
    to.next(2);
    to.completed();
    return [&] { seen("torn down"); };
  });
  cold.subscribe([&](int n) { seen(n); });
  cold.take(1).subscribe([&](int n) { seen(n); });
  CHECK_EQUAL(seen.take(), "1 | 2 | torn down | 1 | torn down");
}

CASE(a_producer_keeps_its_subscriber) {
  check::trace seen;
  std::optional<belay::subscriber<std::string>> kept;
  const auto cold =
      belay::create<std::string>([&](belay::subscriber<std::string> to) { kept = to; });
  cold.subscribe(belay::observe([&](const std::string &s) { seen(s); }).on_disposed([&] {
    seen("disposed");
  }));
  kept->next("later");
  belay::disposable teardown([&] { seen("teardown"); });
  kept->add(teardown);
  CHECK(!kept->is_disposed());
  kept.reset();
  CHECK_EQUAL(seen.take(), "later | teardown | disposed");
}

CASE(creating) {
  CHECK_EQUAL(events(belay::from({1, 2, 3})), "1 | 2 | 3 | completed");
  CHECK_EQUAL(events(belay::from(std::vector<std::string>{"a", "b"})), "a | b | completed");
  CHECK_EQUAL(events(belay::empty<int>()), "completed");
  CHECK_EQUAL(events(belay::fail<int>(belay::error(BELAY_EBUSY))), "error EBUSY");
  CHECK_EQUAL(events(belay::from_optional(std::optional<int>(1))), "1 | completed");
  CHECK_EQUAL(events(belay::from_optional(std::optional<int>())), "completed");
  CHECK_EQUAL(events(belay::from_optional(std::optional<belay::unit>(std::in_place)) |
                     map([](belay::unit) { return 1; })),
              "1 | completed");
  using maybe = std::optional<int>;
  CHECK_EQUAL(events(belay::from_optional(std::optional<maybe>(std::in_place)) |
                     map([](maybe inner) { return inner.has_value(); })),
              "false | completed");
  CHECK_EQUAL(events(belay::from_iterator(
                  [left = std::vector<maybe>{1, 2, {}}, n = 0u]() mutable -> const maybe & {
                    return left[n++];
                  })),
              "1 | 2 | completed");
  CHECK_EQUAL(events(belay::from_result([] { return 5; })), "5 | completed");
  CHECK_EQUAL(events(belay::from_result([]() -> int { throw std::out_of_range("far"); })),
              "error ERANGE");
  CHECK_EQUAL(events(belay::range(3, 3)), "3 | 4 | 5 | completed");
  CHECK_EQUAL(events(belay::repeat_value("x", 2)), "x | x | completed");
  CHECK_EQUAL(events(belay::repeat_value(7).take(2)), "7 | 7 | completed");
  CHECK_EQUAL(events(belay::generate(
                  1, [](int n) { return n < 20; }, [](int n) { return n * 3; })),
              "1 | 3 | 9 | completed");
  CHECK_EQUAL(events(belay::generate(
                  1, [](int n) { return n < 3; }, [](int n) { return n + 1; },
                  [](int n) { return std::to_string(n) + "."; })),
              "1. | 2. | completed");
  CHECK_EQUAL(events(belay::from_iterator(
                  [n = 0]() mutable { return n < 2 ? std::optional<int>(n++) : std::nullopt; })),
              "0 | 1 | completed");
  CHECK_EQUAL(events(belay::defer([] { return belay::just(8); })), "8 | completed");
  CHECK_EQUAL(events(belay::start([] { return 4; }, belay::scheduler::immediate())),
              "4 | completed");
  CHECK_EQUAL(events(belay::start_eagerly([] { return 4; }, belay::scheduler::immediate())),
              "4 | completed");
  int heard = 0;
  belay::never<int>().subscribe([&](int) { heard++; }).dispose();
  CHECK_EQUAL(heard, 0);
}

CASE(a_resource_lives_as_long_as_its_subscription) {
  belay::subject<int> numbers;
  const auto scoped = belay::scope(
      [] { return tracked(3); },
      [&](tracked &resource) { return numbers.map([&](int n) { return n + resource.number; }); });
  CHECK_EQUAL(tracked::alive.load(), 0);
  int heard = 0;
  const auto end = scoped.subscribe([&](int n) { heard = n; });
  CHECK_EQUAL(tracked::alive.load(), 1);
  numbers.next(4);
  CHECK_EQUAL(heard, 7);
  end.dispose();
  CHECK_EQUAL(tracked::alive.load(), 0);
}

CASE(a_resource_lives_as_long_as_the_call_that_uses_it) {
  belay::subject<int> go;
  belay::serial_disposable serial;
  int read = 0;
  serial.set(go.flat_map([&](int) {
                 return belay::scope([] { return tracked(3); },
                                     [&](tracked &resource) {
                                       serial.dispose();
                                       CHECK_EQUAL(tracked::alive.load(), 1);
                                       read = resource.number;
                                       return belay::just(1);
                                     });
               }).subscribe([](int) {}));
  go.next(1);
  CHECK_EQUAL(read, 3);
  CHECK_EQUAL(tracked::alive.load(), 0);
}

CASE(timers_on_a_loop) {
  belay::loop loop;
  check::trace seen;
  (belay::interval(1ms) | take(3)).subscribe([&](std::uint64_t n) { seen(n); });
  belay::timer(500us).subscribe([&](std::uint64_t) { seen("timer"); });
  loop.run();
  CHECK_EQUAL(seen.take(), "timer | 0 | 1 | 2");
}
