// An exception in each kind of callback: it becomes an error event, or goes to the hook for errors
// that nobody handles; it never passes through Belay's frames.
#include <stdexcept>
#include <system_error>

#include "support/check.hpp"

using namespace belay::operators;
using namespace std::chrono_literals;

namespace {

struct oops : std::runtime_error {
  oops() : std::runtime_error("oops") {}
};

struct uncopied {
  uncopied() = default;
  uncopied(uncopied &&) noexcept = default;
  uncopied(const uncopied &) { throw oops(); }
};

// Throws for any number but 0.
int careful(int n) {
  if (n != 0) throw oops();
  return n;
}

// The error event of a signal, if it carries an oops.
template <class T>
std::string ends_with(const belay::signal<T> &signal) {
  std::string end = "nothing";
  signal.subscribe([](const T &) {},
                   [&](const belay::error &failure) {
                     end = std::string(failure.domain()) + " " + failure.what();
                     try {
                       failure.raise();
                     } catch (const oops &) {
                       end += " itself";
                     } catch (...) {
                     }
                   });
  return end;
}

// What the hook is told of, while this lives.
struct unhandled {
  check::trace seen;
  unhandled() {
    belay::on_unhandled_error([this](const belay::error &failure, const char *, const char *site) {
      seen(failure.what(), "in", site ? site : "?");
    });
  }
  ~unhandled() { belay::on_unhandled_error(nullptr); }
};

const char *const itself = "c++ oops itself";

// A callable that throws at one of its moves.
template <class R, class... A>
struct restless {
  int *moves;
  explicit restless(int *left) : moves(left) {}
  restless(const restless &) = delete;
  restless(restless &&other) : moves(other.moves) {
    if (--*moves == 0) throw oops();
  }
  R operator()(A...) const { return R(); }
};

// Makes something of a callable that throws at its first move, at its second, and so on, until it
// is made.
template <class F, class Make>
int throws_of(Make make) {
  for (int times = 0;; times++) {
    int moves = times + 1;
    try {
      make(F(&moves));
      return times;
    } catch (const oops &) {
    }
  }
}

}  // namespace

CASE(in_next) {
  belay::subject<int> numbers;
  std::exception_ptr caught_by_one;
  int heard = 0, ended = 0;
  numbers.subscribe(belay::observe(careful)
                        .on_error([&](std::exception_ptr thrown) { caught_by_one = thrown; })
                        .on_disposed([&] { ended++; }));
  numbers.subscribe([&](int n) { heard += n; });
  CHECK(numbers.next(0));
  CHECK(numbers.next(5));
  CHECK_EQUAL(heard, 5);
  CHECK_EQUAL(ended, 1);
  CHECK_THROWS(std::rethrow_exception(caught_by_one), oops, (void)caught);
  CHECK_EQUAL(numbers.count(), 1u);
  // Also while subscribing, where the source would not end.
  CHECK_EQUAL(ends_with(belay::repeat_value(1).map([](int) { return 0; }).take(0)), "nothing");
  std::string end;
  belay::repeat_value(1).subscribe(careful, [&](const belay::error &e) { end = e.what(); });
  CHECK_EQUAL(end, "oops");
}

CASE(in_next_with_nobody_to_handle_it) {
  unhandled hook;
  belay::subject<int> numbers;
  numbers.subscribe(belay::observe(careful).site("here:1"));
  numbers.next(1);
  CHECK_EQUAL(hook.seen.take(), "oops in here:1");
  CHECK_EQUAL(numbers.count(), 0u);
}

CASE(in_the_other_callbacks_of_an_observer) {
  unhandled hook;
  belay::subject<int> numbers, more;
  auto observer = [] {
    return belay::observe([](int) {})
        .on_error([](const belay::error &) { throw oops(); })
        .on_completed([] { throw oops(); })
        .on_disposed([] { throw oops(); });
  };
  numbers.subscribe(observer());
  more.subscribe(observer());
  numbers.completed();
  CHECK_EQUAL(hook.seen.take(),
              "oops in an observer's on_completed | oops in an observer's on_disposed");
  more.error(belay::error(BELAY_EBUSY));
  CHECK_EQUAL(hook.seen.take(),
              "oops in an observer's on_error | oops in an observer's on_disposed");
}

CASE(in_operators_that_take_a_value) {
  const auto one = belay::just(1);
  CHECK_EQUAL(ends_with(one | map(careful)), itself);
  CHECK_EQUAL(ends_with(one | map(careful) | filter([](int) { return true; })), itself);
  CHECK_EQUAL(ends_with(one | filter(careful)), itself);
  CHECK_EQUAL(ends_with(one | compact_map([](int) -> std::optional<int> { throw oops(); })),
              itself);
  CHECK_EQUAL(ends_with(one | scan(0, [](int, int n) { return careful(n); })), itself);
  CHECK_EQUAL(ends_with(one | reduce(0, [](int, int n) { return careful(n); })), itself);
  CHECK_EQUAL(ends_with(one | tap(careful)), itself);
  CHECK_EQUAL(ends_with(one | tap(belay::observe(careful))), itself);
  CHECK_EQUAL(ends_with(one | attempt(careful)), itself);
  CHECK_EQUAL(ends_with(one | take_while(careful)), itself);
  CHECK_EQUAL(ends_with(one | skip_while(careful)), itself);
  CHECK_EQUAL(ends_with(one | first(careful)), itself);
  CHECK_EQUAL(ends_with(one | last(careful)), itself);
  CHECK_EQUAL(ends_with(one | single(careful)), itself);
  CHECK_EQUAL(ends_with(one | find(careful)), itself);
  CHECK_EQUAL(ends_with(one | any(careful)), itself);
  CHECK_EQUAL(ends_with(one | all(careful)), itself);
  CHECK_EQUAL(ends_with(one | distinct(careful)), itself);
  CHECK_EQUAL(ends_with(one | group_by(careful)), itself);
  CHECK_EQUAL(ends_with(one.partition(careful).first), itself);
  CHECK_EQUAL(ends_with(one | breakpoint(careful)), "nothing");
}

CASE(in_an_answer_that_becomes_a_bool) {
  struct answer {
    explicit operator bool() const { throw oops(); }
  };
  const answer kept;
  CHECK_EQUAL(ends_with(belay::just(1).filter([](int) noexcept { return answer(); })), itself);
  CHECK_EQUAL(
      ends_with(belay::just(1).filter([&](int) noexcept -> const answer & { return kept; })),
      itself);
}

CASE(in_operators_that_compare) {
  const auto two = belay::from({1, 2});
  auto compare = [](int, int) -> bool { throw oops(); };
  CHECK_EQUAL(ends_with(two | distinct_until_changed(compare)), itself);
  CHECK_EQUAL(ends_with(two | min(compare)), itself);
  CHECK_EQUAL(ends_with(two | max(compare)), itself);
  CHECK_EQUAL(ends_with(two | sequence_equal(two, compare)), itself);
}

CASE(in_operators_that_make_signals) {
  const auto one = belay::just(1);
  auto make = [](int) -> belay::signal<int> { throw oops(); };
  CHECK_EQUAL(ends_with(one | flat_map(make)), itself);
  CHECK_EQUAL(ends_with(one | concat_map(make)), itself);
  CHECK_EQUAL(ends_with(one | switch_map(make)), itself);
  CHECK_EQUAL(ends_with(one | exhaust_map(make)), itself);
  CHECK_EQUAL(ends_with(one | expand(make)), itself);
  CHECK_EQUAL(ends_with(one | window_toggle(one, make)), itself);
  CHECK_EQUAL(ends_with(belay::defer([]() -> belay::signal<int> { throw oops(); })), itself);
  const auto failing = belay::fail<int>(belay::error(BELAY_ENOENT));
  CHECK_EQUAL(ends_with(failing | catch_error([](const belay::error &) -> belay::signal<int> {
                          throw oops();
                        })),
              itself);
  CHECK_EQUAL(
      ends_with(failing | map_error([](const belay::error &) -> belay::error { throw oops(); })),
      itself);
  CHECK_EQUAL(
      ends_with(failing | retry_when([](const belay::signal<belay::error> &) -> belay::signal<int> {
                  throw oops();
                })),
      itself);
  CHECK_EQUAL(
      ends_with(one | repeat_when([](const belay::signal<belay::unit> &) -> belay::signal<int> {
                  throw oops();
                })),
      itself);
}

CASE(in_combiners) {
  const auto one = belay::just(1);
  auto combine = [](int, int) -> int { throw oops(); };
  CHECK_EQUAL(ends_with(belay::zip(combine, one, one)), itself);
  CHECK_EQUAL(ends_with(belay::combine_latest(combine, one, one)), itself);
  CHECK_EQUAL(ends_with(one | with_latest_from(combine, one)), itself);
  CHECK_EQUAL(ends_with(belay::zip(one, one) | reduce_each(combine)), itself);
}

// A list of collect()'s is copied where it is read.
CASE(in_the_copy_of_what_is_read) {
  const auto lists = belay::just(1).map([](int) { return uncopied(); }).collect();
  const auto first = [](const std::vector<uncopied> &, int n) { return n; };
  CHECK_EQUAL(ends_with(lists), itself);
  CHECK_EQUAL(ends_with(belay::combine_latest(first, lists, belay::just(1))), itself);
  CHECK_EQUAL(ends_with(lists | with_latest_from(first, belay::just(1))), itself);
  CHECK_EQUAL(ends_with(lists.materialize()), itself);
  CHECK_EQUAL(ends_with(belay::zip(lists, belay::just(1))), itself);
  belay::value list;
  lists.as<belay::value>().subscribe([&](const belay::value &all) { list = all; });
  CHECK_THROWS(list.is<std::vector<uncopied>>(), oops, (void)caught);
}

CASE(in_producers) {
  CHECK_EQUAL(ends_with(belay::create<int>([](const belay::subscriber<int> &to) {
                to.next(1);
                throw oops();
              })),
              itself);
  CHECK_EQUAL(ends_with(belay::from_iterator([]() -> std::optional<int> { throw oops(); })),
              itself);
  CHECK_EQUAL(ends_with(belay::from_result([]() -> int { throw oops(); })), itself);
  CHECK_EQUAL(ends_with(belay::start([]() -> int { throw oops(); }, belay::scheduler::immediate())),
              itself);
  CHECK_EQUAL(ends_with(belay::generate(1, careful, [](int n) { return n; })), itself);
  CHECK_EQUAL(ends_with(belay::generate(
                  1, [](int) { return true; }, careful)),
              itself);
  CHECK_EQUAL(
      ends_with(belay::scope([]() -> int { throw oops(); }, [](int &) { return belay::just(1); })),
      itself);
  CHECK_EQUAL(
      ends_with(belay::scope([] { return 1; }, [](int &) -> belay::signal<int> { throw oops(); })),
      itself);
}

CASE(in_compose_it_is_thrown_at_once) {
  CHECK_THROWS(belay::just(1) | compose([](const belay::signal<int> &) -> belay::signal<int> {
                 throw belay::error(BELAY_EBUSY, "not now");
               }),
               belay::error, CHECK_EQUAL(std::string(caught.what()), "not now"));
}

CASE(in_actions) {
  unhandled hook;
  belay::disposable([] { throw oops(); }).dispose();
  CHECK_EQUAL(hook.seen.take(), "oops in an action");
  {
    const belay::owner one;
    one.add([] { throw oops(); });
  }
  CHECK_EQUAL(hook.seen.take(), "oops in an action");
  belay::scheduler::immediate().schedule([] { throw oops(); });
  CHECK_EQUAL(hook.seen.take(), "oops in an action");
  belay::just(1).finally([] { throw oops(); }).subscribe();
  CHECK_EQUAL(hook.seen.take(), "oops in an action");
  belay::just(1).initially([] { throw oops(); }).subscribe();
  CHECK_EQUAL(hook.seen.take(), "oops in an action");
  belay::just(1).log_to([](std::string_view) { throw oops(); }).subscribe();
  CHECK(hook.seen.take().find("oops in a log's sink") == 0);
  belay::loop loop;
  loop.post([] { throw oops(); });
  loop.run();
  CHECK_EQUAL(hook.seen.take(), "oops in an action");
  belay::scheduler::immediate().recursive([](const belay::recursion &) { throw oops(); });
  CHECK_EQUAL(hook.seen.take(), "oops in recursive work");
  loop.close([](const std::vector<belay::open_resource> &) { throw oops(); });
  CHECK_EQUAL(hook.seen.take(), "oops in a loop's close");
}

CASE(in_the_hook_itself) {
  belay::on_unhandled_error([](const belay::error &, const char *, const char *) { throw oops(); });
  belay::just(1).map(careful).subscribe();
  belay::on_unhandled_error(nullptr);
}

CASE(codes_of_the_standard_s_exceptions) {
  auto code = [](auto thrown) {
    int found = 0;
    belay::just(1)
        .map([&](int) -> int { throw thrown; })
        .subscribe([](int) {}, [&](const belay::error &e) { found = e.code(); });
    return found;
  };
  CHECK_EQUAL(code(std::invalid_argument("")), BELAY_EINVAL);
  CHECK_EQUAL(code(std::out_of_range("")), BELAY_ERANGE);
  CHECK_EQUAL(code(std::overflow_error("")), BELAY_EINVAL);
  CHECK_EQUAL(code(std::range_error("")), BELAY_ERANGE);
  CHECK_EQUAL(code(std::bad_alloc()), BELAY_ENOMEM);
  CHECK_EQUAL(code(std::system_error(std::make_error_code(std::errc::no_such_file_or_directory))),
              BELAY_ENOENT);
  CHECK_EQUAL(code(belay::error(BELAY_EBUSY)), BELAY_EBUSY);
  CHECK_EQUAL(code(7), BELAY_EINVAL);
}

CASE(an_error_of_one_s_own_stays_the_same) {
  const belay::error mine(BELAY_ENOENT, "no file", belay::value(3));
  belay::just(1)
      .map([&](int) -> int { throw mine; })
      .subscribe([](int) {}, [&](const belay::error &e) { CHECK(e.get() == mine.get()); });
}

CASE(waiting_throws_it_again) {
  belay::loop loop;
  CHECK_THROWS(belay::just(1).map(careful).wait_first(loop), oops, (void)caught);
  CHECK_THROWS(belay::just(1).map(careful).wait_last(loop), oops, (void)caught);
  CHECK_THROWS(belay::timer(1ms).map([](std::uint64_t) -> int { throw 5; }).wait_first(loop), int,
               CHECK_EQUAL(caught, 5));
  CHECK_ERROR(belay::empty<int>().wait_first(loop), BELAY_EENDED);
  CHECK_ERROR(belay::subject<int>().wait_first(loop, 1ms), BELAY_ETIMEDOUT);
  CHECK_ERROR(belay::fail<int>(belay::error(BELAY_EBUSY)).wait_last(loop), BELAY_EBUSY);
  CHECK_EQUAL(belay::from({1, 2}).wait_last(loop), 2);
}

CASE(a_failure_that_nobody_asked_for_is_not_taken_for_another) {
  belay::subject<int> ended;
  ended.completed();
  CHECK_EQUAL(ended.next(1).code(), BELAY_EENDED);
  CHECK_THROWS(belay::signal<int>().take(1), belay::error,
               CHECK_EQUAL(caught.code(), BELAY_EINVAL));
  CHECK(belay_last_error() == nullptr);
}

namespace {
// Cannot be copied a second time.
struct brittle {
  check::tracked inside;
  int copies = 0;
  brittle() = default;
  brittle(brittle &&) noexcept = default;
  brittle(const brittle &other) : inside(other.inside), copies(other.copies + 1) {
    if (copies > 1) throw oops();
  }
};
}  // namespace

CASE(in_a_copy_nothing_is_left_over) {
  auto twice = [](const brittle &one) {
    const brittle copy = one;
    return std::vector<brittle>(2, copy);
  };
  CHECK_THROWS(belay::from(twice(brittle())), oops, (void)caught);
  const brittle one;
  const brittle copy = one;
  CHECK_THROWS(belay::just(copy), oops, (void)caught);
  CHECK_THROWS(belay::empty<int>().scan(copy, [](const brittle &b, int) -> brittle { return b; }),
               oops, (void)caught);
  CHECK_THROWS(belay::just(brittle()).start_with(one, copy), oops, (void)caught);
  belay::subject<brittle> objects;
  CHECK_THROWS(objects.next(copy), oops, (void)caught);
  belay::subject<std::pair<std::string, brittle>> pairs;
  const std::pair<std::string, brittle> pair("a text that is an object", brittle(one));
  CHECK_THROWS(pairs.next(pair), oops, (void)caught);
  CHECK_EQUAL(ends_with(belay::just(brittle()).map([](brittle b) { return brittle(b); })), itself);
}

// The references to other signals that a call has taken before are given back: see the live counts
// that each case ends with.
CASE(from_the_move_of_a_callable) {
  const auto a = belay::never<int>(), b = belay::never<int>();
  using folds = restless<int, int, int>;
  using compares = restless<bool, int, int>;
  using asks = restless<bool, int>;
  CHECK(throws_of<folds>([&](folds f) { belay::combine_latest(std::move(f), a, b); }) > 0);
  CHECK(throws_of<folds>([&](folds f) { belay::zip(std::move(f), a, b); }) > 0);
  CHECK(throws_of<folds>([&](folds f) { a.with_latest_from(std::move(f), b); }) > 0);
  CHECK(throws_of<compares>([&](compares f) { a.sequence_equal(b, std::move(f)); }) > 0);
  CHECK(throws_of<asks>([&](asks f) { a.partition(std::move(f)); }) > 0);
  struct makes : restless<belay::signal<int>, int> {
    using restless::restless;
    belay::signal<int> operator()(int) const { return belay::never<int>(); }
  };
  CHECK(throws_of<makes>([&](makes f) { a.window_toggle(b, std::move(f)); }) > 0);
  CHECK(throws_of<makes>([&](makes f) { a.timeout_when(std::move(f), b); }) > 0);
  CHECK(throws_of<makes>([&](makes f) { a.timeout_when(std::move(f), b, a); }) > 0);
  const auto enabled = belay::never<bool>();
  CHECK(throws_of<makes>([&](makes f) {
          belay::command<int, int>(std::move(f), enabled);
        }) > 0);
}
