// Subscribing, and how long what was captured lives.
#include <belay/exchange.hpp>
#include <dlfcn.h>

#include <algorithm>
#include <memory>

#include "other_copy.h"
#include "support/check.hpp"

using check::tracked;
using namespace std::chrono_literals;
using namespace belay::operators;

CASE(events_come_in_order) {
  check::trace seen;
  belay::subject<int> numbers;
  numbers.subscribe(belay::observe([&](int n) { seen("next", n); })
                        .on_error([&](const belay::error &e) { seen("error", e.name()); })
                        .on_completed([&] { seen("completed"); })
                        .on_disposed([&] { seen("disposed"); }));
  CHECK(numbers.next(1));
  CHECK(numbers.next(2));
  CHECK(numbers.completed());
  CHECK_EQUAL(numbers.next(3).code(), BELAY_EENDED);
  CHECK_EQUAL(seen.take(), "next 1 | next 2 | completed | disposed");
}

CASE(an_error_comes_as_an_error_or_an_exception_or_without) {
  check::trace seen;
  const auto failing = belay::fail<int>(belay::error(BELAY_ENOENT, "none"));
  failing.subscribe([](int) {}, [&](const belay::error &e) { seen(e.what()); });
  failing.subscribe([](int) {}, [&](belay::error e) { seen(e.code()); });
  failing.subscribe([](int) {}, [&] { seen("failed"); });
  failing.subscribe([](int) {},
                    [&](std::exception_ptr thrown) {
                      CHECK_THROWS(std::rethrow_exception(thrown), belay::error,
                                   seen(caught.name()));
                    });
  CHECK_EQUAL(seen.take(), "none | -2 | failed | ENOENT");
}

CASE(what_is_captured_goes_with_the_end) {
  belay::subject<int> numbers;
  numbers.subscribe([kept = tracked()](int) {});
  CHECK_EQUAL(tracked::alive.load(), 1);
  numbers.completed();
  CHECK_EQUAL(tracked::alive.load(), 0);
}

CASE(what_is_captured_goes_with_the_disposal) {
  belay::subject<int> numbers;
  const belay::disposable end = numbers.subscribe([kept = tracked()](int) {});
  CHECK_EQUAL(tracked::alive.load(), 1);
  end.dispose();
  CHECK_EQUAL(tracked::alive.load(), 0);
  CHECK(end.is_disposed());
  end.dispose();
}

CASE(what_is_captured_goes_with_the_source) {
  {
    belay::subject<int> numbers;
    numbers.subscribe(belay::observe([kept = tracked()](int) {})
                          .on_error([kept = tracked()](const belay::error &) {})
                          .on_completed([kept = tracked()] {})
                          .on_disposed([kept = tracked()] {}));
    CHECK_EQUAL(tracked::alive.load(), 4);
  }
  CHECK_EQUAL(tracked::alive.load(), 0);
}

CASE(what_is_captured_goes_when_subscribing_fails) {
  CHECK_ERROR(belay::signal<int>().subscribe([kept = tracked()](int) {}), BELAY_EINVAL);
  CHECK_EQUAL(tracked::alive.load(), 0);
  CHECK_ERROR(belay::signal<int>().map([kept = tracked()](int n) { return n; }), BELAY_EINVAL);
  CHECK_EQUAL(tracked::alive.load(), 0);
}

CASE(a_callable_may_be_move_only) {
  int heard = 0;
  belay::subject<int> numbers;
  auto owned = std::make_unique<int>(10);
  (numbers | map([owned = std::move(owned)](int n) {
     return n * *owned;
   })).subscribe([&heard, more = std::make_unique<int>(1)](int n) { heard = n + *more; });
  numbers.next(4);
  CHECK_EQUAL(heard, 41);
}

CASE(a_callable_may_be_a_function_a_member_or_mutable) {
  static int heard;
  heard = 0;
  struct on_value {
    static void plain(int n) { heard += n; }
  };
  belay::subject<int> numbers;
  numbers.subscribe(&on_value::plain);
  numbers.subscribe([calls = 0](int) mutable { heard += 100 * ++calls; });
  numbers.map([](int n) { return std::string(static_cast<std::size_t>(n), 'x'); })
      .map(&std::string::size)
      .subscribe([](std::size_t n) { heard += 1000 * static_cast<int>(n); });
  numbers.next(2);
  CHECK_EQUAL(heard, 2 + 100 + 2000);
}

CASE(text_is_looked_at_without_a_copy) {
  check::trace seen;
  belay::subject<std::string> words;
  words.subscribe([&](std::string_view word) { seen(word.size()); });
  words.subscribe([&](const std::string &word) { seen(word); });
  words.subscribe([&](std::string word) { seen(word + "!"); });
  words.next("one");
  words.next(std::string_view("three"));
  CHECK_EQUAL(seen.take(), "3 | one | one! | 5 | three | three!");
}

namespace {

struct small {
  int id;
  bool is_done;
};
struct large {
  int id;
  bool is_done;
  double more[4];
};

}  // namespace

CASE(a_result_may_refer_to_the_arguments) {
  const belay::signal<small> smalls = belay::from({small{1, true}, small{2, false}});
  CHECK_EQUAL(check::events(smalls | map(&small::id)), "1 | 2 | completed");
  CHECK_EQUAL(check::events(smalls | filter(&small::is_done) | map(&small::id)), "1 | completed");
  const belay::signal<large> larges = belay::from({large{1, true, {}}, large{2, false, {}}});
  CHECK_EQUAL(check::events(larges | map(&large::id)), "1 | 2 | completed");
  CHECK_EQUAL(check::events(larges | filter(&large::is_done) | map(&large::id)), "1 | completed");
  CHECK_EQUAL(check::events(larges | distinct(&large::is_done) | map(&large::id)),
              "1 | 2 | completed");
  CHECK_EQUAL(check::events(larges | map([](const large &all) -> const large & { return all; }) |
                            map(&large::id)),
              "1 | 2 | completed");
  const std::string one(40, 'a'), two(40, 'b');
  using pair = std::pair<int, std::string>;
  const belay::signal<pair> pairs = belay::from({pair(1, one), pair(2, two)});
  CHECK_EQUAL(check::events(pairs | map(&pair::second)), one + " | " + two + " | completed");
  // So may one of two arguments …
  using text = std::string;
  const auto larger = static_cast<const text &(*)(const text &, const text &)>(std::max<text>);
  CHECK_EQUAL(check::events(pairs | map(&pair::second) | reduce(text(), larger)),
              two + " | completed");
  CHECK_EQUAL(check::events(belay::zip(larger, belay::just(one), belay::just(two))),
              two + " | completed");
  const auto more = static_cast<const int &(*)(const int &, const int &)>(std::max<int>);
  CHECK_EQUAL(check::events(belay::from({3, 7, 5}) | scan(0, more)), "3 | 7 | 7 | completed");
  // … and a view of what has been copied out of the value.
  CHECK_EQUAL(check::events(pairs | map([](const pair &both) {
                              return std::string_view(both.second).substr(20);
                            })),
              one.substr(20) + " | " + two.substr(20) + " | completed");
  const auto to_c = [](const text &all) { return all.c_str(); };
  CHECK_EQUAL(check::events(belay::just(one) | map(to_c)), one + " | completed");
}

CASE(dropping_a_disposable_ends_nothing_a_scoped_one_does) {
  belay::subject<int> numbers;
  {
    belay::disposable dropped = numbers.subscribe([](int) {});
  }
  CHECK_EQUAL(numbers.count(), 1u);
  {
    belay::scoped_disposable ends = numbers.subscribe([](int) {});
    CHECK_EQUAL(numbers.count(), 2u);
    ends = numbers.subscribe([](int) {});
    CHECK_EQUAL(numbers.count(), 2u);
    belay::scoped_disposable moved = std::move(ends);
    CHECK_EQUAL(numbers.count(), 2u);
  }
  CHECK_EQUAL(numbers.count(), 1u);
  belay::scoped_disposable released = numbers.subscribe([](int) {});
  released.release();
  CHECK_EQUAL(numbers.count(), 2u);
}

CASE(what_is_assigned_to_a_scoped_disposable_while_the_one_before_ends) {
  belay::subject<int> numbers;
  int ends = 0;
  {
    belay::scoped_disposable slot;
    const auto again = belay::observe([](int) {}).on_disposed([&] {
      ends++;
      slot = numbers.subscribe([](int) {});
    });
    slot = numbers.subscribe(again);
    slot = numbers.subscribe(again);
    CHECK_EQUAL(ends, 2);
    CHECK_EQUAL(numbers.count(), 1u);
    slot = numbers.subscribe(again);
  }
  CHECK_EQUAL(ends, 3);
  CHECK_EQUAL(numbers.count(), 0u);
}

CASE(a_callback_disposes_of_its_own_subscription) {
  belay::subject<int> numbers;
  int heard = 0;
  belay::disposable own;
  own = numbers.subscribe([&, kept = tracked(7)](int) {
    own.dispose();
    CHECK_EQUAL(kept.number, 7);
    CHECK_EQUAL(tracked::alive.load(), 1);
    heard++;
  });
  numbers.next(1);
  numbers.next(2);
  CHECK_EQUAL(heard, 1);
  CHECK_EQUAL(tracked::alive.load(), 0);
}

CASE(a_value_that_is_none_is_an_error_event) {
  check::trace seen;
  const auto wrong = belay::just(std::string("text")).as<int>();
  wrong.subscribe([&](int) { seen("heard"); },
                  [&](const belay::error &e) { seen(e.name(), e.what()); });
  CHECK_EQUAL(seen.take(), "EKIND a value of kind string, where int is expected");
  wrong.map([](int n) { return n; })
      .subscribe([](int) {}, [&](const belay::error &e) { seen(e.name()); });
  wrong.filter([](int) { return true; })
      .subscribe([](int) {}, [&](const belay::error &e) { seen(e.name()); });
  CHECK_EQUAL(seen.take(), "EKIND | EKIND");
  // Unless any will do.
  belay::just(5).as<belay::value>().subscribe(
      [&](const belay::value &any) { seen(any.describe()); });
  CHECK_EQUAL(seen.take(), "5");
}

CASE(names_and_labels) {
  check::trace seen;
  belay::source_options options;
  options.label = "numbers";
  belay::subject<int> numbers(options);
  const auto chain = numbers | filter([](int) { return true; }) | take(2);
  CHECK_EQUAL(chain.name(), "numbers.filter.take");
  CHECK_EQUAL(chain.named("few").name(), "few");
  belay::on_unhandled_error([&](const belay::error &e, const char *signal, const char *site) {
    seen(e.what(), signal, site);
  });
  numbers.subscribe(belay::observe([](int) {}).label("listener").site("here:1"));
  numbers.error(belay::error(BELAY_ENOENT, "gone"));
  belay::on_unhandled_error(nullptr);
  CHECK_EQUAL(seen.take(), "gone numbers here:1");
}

CASE(overlaps) {
  check::trace seen;
  belay::source_options options;
  options.label = "numbers";
  belay::subject<int> numbers(options);
  const auto fed = (numbers | take(3)).subscribe([&](int n) { numbers.next(n + 1); });
  belay::on_overlap([&](belay_overlap kind, const char *source, const char *sender, const char *) {
    seen(kind == BELAY_OVERLAP_NESTED, source, sender);
    CHECK_EQUAL(belay::delivery_stack(), "numbers.take\n");
    throw 1;
  });
  numbers.next({0});
  belay::on_overlap(nullptr);
  CHECK_EQUAL(seen.take(), "true numbers numbers.take");
}

CASE(slow_callbacks) {
  check::trace seen;
  belay::source_options options;
  options.label = "numbers";
  belay::subject<int> numbers(options);
  const auto subscription = (numbers | take(3)).subscribe([](int) {});
  belay::on_slow_callback(0s, [&](belay::seconds time, const char *name, const char *) {
    seen(time >= 0s, name);
    throw 1;
  });
  numbers.next({0});
  belay::on_slow_callback(1h, [&](belay::seconds, const char *name, const char *) { seen(name); });
  numbers.next({0});
  const auto none = [kept = tracked()](belay::seconds, const char *, const char *) {};
  CHECK_ERROR(belay::on_slow_callback(-1s, none), BELAY_EINVAL);
  belay::on_slow_callback(nullptr);
  CHECK_EQUAL(seen.take(), "true numbers.take");
}

CASE(handles_are_copied_moved_and_compared) {
  const belay::signal<int> one = belay::just(1);
  belay::signal<int> other = one;
  CHECK(one == other);
  belay::signal<int> moved = std::move(other);
  CHECK(one == moved);
  CHECK(!other);
  other = belay::just(2);
  CHECK(one != other);
  belay::signal<int> &same = other;
  other = same;
  CHECK(static_cast<bool>(other));
  CHECK_EQUAL(check::events(other), "2 | completed");
}

CASE(handles_are_given_to_c_and_taken_from_it) {
  check::trace seen;
  const auto numbers = belay::subject<int>::adopt(belay_subject_create(nullptr));
  const auto same = belay::subject<int>::retain(numbers.get());
  CHECK(numbers == same);
  belay_signal *given = belay::signal<int>(numbers).release();
  const auto taken = belay::signal<int>::adopt(given);
  taken.subscribe([&](int n) { seen(n); });
  same.next(1);
  belay_signal *more = numbers.retained();
  belay_subject_next(more, belay_int32(2));
  belay_signal_release(more);
  const belay::value text("text");
  const auto copy = belay::value::adopt(text.retained());
  CHECK(copy == text);
  const auto state =
      belay::behavior_subject<int>::adopt(belay_subject_create_behavior(belay_int32(5), nullptr));
  CHECK_EQUAL(state.value(), 5);
  const belay::compound_disposable all(belay::disposable::adopt(belay_compound_create()));
  CHECK_EQUAL(all.count(), 0u);
  const belay::error failure(BELAY_ENOENT);
  CHECK_EQUAL(belay::error::adopt(failure.retained()).code(), BELAY_ENOENT);
  CHECK_EQUAL(seen.take(), "1 | 2");
}

CASE(a_signal_is_exported_and_imported) {
  check::trace seen;
  belay::subject<int> numbers;
  belay::exchange sent(numbers);
  belay::exchange passed_on = belay::exchange::adopt(sent.release());
  const auto received = passed_on.to_signal<int>();
  CHECK(received == numbers);  // the same copy
  received.subscribe([&](int n) { seen(n); });
  numbers.next(1);
  CHECK_EQUAL(seen.take(), "1");
  CHECK_ERROR(sent.to_signal<int>(), BELAY_EINVAL);
  CHECK_ERROR(belay::exchange(belay::signal<int>()), BELAY_EINVAL);
}

CASE(a_signal_passes_to_another_copy_of_the_library_and_back) {
  check::trace seen;
  void *const plugin = dlopen(OTHER_COPY, RTLD_NOW | RTLD_LOCAL);
  CHECK(plugin != nullptr);
  const auto functions =
      reinterpret_cast<const other_copy *(*)()>(dlsym(plugin, "other_copy_functions"));
  CHECK(functions != nullptr);
  const other_copy *const other = functions();

  // One of theirs, which is heard here until it is disposed of.
  belay_signal *const theirs = other->create_subject(nullptr);
  belay_exchange raw = {};
  CHECK_EQUAL(other->give(theirs, &raw), 0);
  {
    const auto numbers = belay::exchange::adopt(raw).to_signal<int>();
    CHECK(numbers.get() != theirs);
    const auto listening = numbers.map([](int n) { return n * 2; })
                               .subscribe([&](int n) { seen(n); },
                                          [&](const belay::error &e) { seen(e.name()); });
    CHECK_EQUAL(other->subscribers(theirs), 1u);
    CHECK_EQUAL(other->next(theirs, belay_int32(2)), 0);
    CHECK_EQUAL(seen.take(), "4");
    listening.dispose();
    CHECK_EQUAL(other->subscribers(theirs), 0u);
    // A value of another kind is an error, as among one's own.
    numbers.as<std::string>().subscribe([](const std::string &) {},
                                        [&](const belay::error &e) { seen(e.name()); });
    CHECK_EQUAL(other->next(theirs, belay_int32(3)), 0);
    CHECK_EQUAL(seen.take(), "EKIND");
  }
  other->release(theirs);

  // One of ours, which is heard there.
  const belay::subject<int> ours;
  belay::exchange sent(ours);
  belay_exchange given = sent.release();
  belay_signal *const taken = other->take(&given);
  CHECK(taken != nullptr);
  belay::exchange::adopt(given);
  std::vector<std::int64_t> heard;
  belay_observer observer = BELAY_INIT(belay_observer);
  observer.next = [](void *ctx, belay_value value) {
    std::int64_t number = 0;
    belay_value_try_int64(value, &number);
    static_cast<std::vector<std::int64_t> *>(ctx)->push_back(number);
  };
  observer.ctx = &heard;
  CHECK_EQUAL(other->subscribe(taken, &observer, nullptr), 0);
  CHECK_EQUAL(ours.count(), 1u);
  ours.next(7);
  ours.completed();
  CHECK((heard == std::vector<std::int64_t>{7}));
  other->release(taken);
  CHECK_EQUAL(other->live(BELAY_LIVE_KINDS), 0u);
}

CASE(a_callable_that_fits_is_told_from_others) {
  const auto twice = [](int n) { return n * 2; };
  CHECK((belay::receives<decltype(twice), int>));
  CHECK((belay::receives<decltype(twice), std::int8_t>));
  CHECK(!(belay::receives<decltype(twice), std::int64_t>));
  CHECK(!(belay::receives<decltype(twice), std::string>));
}

CASE(a_constant_in_braces_is_of_the_type_that_is_sent) {
  check::trace seen;
  belay::subject<std::uint8_t> small;
  small.subscribe([&](std::uint8_t n) { seen(n); });
  small.next({200});
  small.next_all({1, 2});
  small.start_with({7}).subscribe([&](std::uint8_t n) { seen("begun", n); });
  belay::property<short> property({3});
  property.set({4});
  CHECK_EQUAL(property.get_value(), 4);
  CHECK_EQUAL(seen.take(), "200 | 1 | 2 | begun 7");
}
