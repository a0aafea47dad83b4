// Something else of values and ends.
#include "../support/sources.hpp"

using check::events;
using check::is_odd;
using check::numbers;
using namespace belay::operators;
using namespace std::chrono_literals;

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
  const auto texts = belay::from({std::string("one;tw"), std::string("o;")});
  CHECK_EQUAL(events(belay::from({std::string("a\nb"), std::string("c")}) | lines(9)), "a | bc | completed");
  CHECK_EQUAL(events(texts | frames_delimited(";", 9)), "one | two | completed");
  CHECK_EQUAL(events(texts | frames_fixed(4)), "one; | two; | completed");
  CHECK_EQUAL(events(belay::from({std::string("\1a\2b"), std::string("c")}) | frames_prefixed(1, 9)),
              "a | bc | completed");
  CHECK_EQUAL(events(texts | utf8()), "one;tw | o; | completed");
  CHECK_EQUAL(events(numbers(3) | collect()), "[1 2 3] | completed");
  CHECK_EQUAL(events(numbers(3) | buffer(2)), "[1 2] | [3] | completed");
  CHECK_EQUAL(events(numbers(3) | buffer_skip(2, 1)), "[1 2] | [2 3] | [3] | completed");
  CHECK_EQUAL(events(numbers(2) | map([](int) {}) | map([](belay::unit) { return 7; })),
              "7 | 7 | completed");
  CHECK_EQUAL(events(belay::fail<int>(belay::error(BELAY_EBUSY)) |
                     map_error([](const belay::error &) { return belay::error(BELAY_ENOENT); })),
              "error ENOENT");
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
  CHECK_EQUAL(events(numbers(6) |
                     group_by_until(is_odd,
                                    [](const belay::grouped<bool, int> &group) {
                                      return group.skip(group.key() ? 1 : 9);
                                    }) |
                     flat_map([](const belay::grouped<bool, int> &group) { return group.sum(); })),
              "4 | 12 | 5 | completed");
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

CASE(values_with_their_times) {
  belay::virtual_time time;
  belay::subject<int> numbers;
  check::trace seen;
  (numbers | timestamp(time)).subscribe([&](const std::pair<belay::seconds, int> &both) {
    seen("at", both.first.count(), both.second);
  });
  (numbers | time_interval(time)).subscribe([&](const std::pair<belay::seconds, int> &both) {
    seen("after", both.first.count(), both.second);
  });
  (numbers | buffer_time(2s, belay::unlimited, time)).subscribe([&](const std::vector<int> &all) {
    seen(all);
  });
  (numbers | window_time(2s, belay::unlimited, time) | merge_all()).subscribe([&](int n) {
    seen("in a window", n);
  });
  time.advance(500ms);
  numbers.next(1);
  time.advance(1s);
  numbers.next(2);
  CHECK_EQUAL(seen.take(),
              "at 0.5 1 | after 0.5 1 | in a window 1 | at 1.5 2 | after 1 2 | in a window 2");
  time.advance(500ms);
  CHECK_EQUAL(seen.take(), "[1 2]");
  numbers.completed();
}
