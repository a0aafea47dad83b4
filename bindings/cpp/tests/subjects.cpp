// Subjects, properties and commands.
#include "support/check.hpp"

using check::events;
using check::tracked;
using namespace belay::operators;
using namespace std::chrono_literals;

CASE(subjects_with_a_memory) {
  check::trace seen;
  belay::behavior_subject<std::string> name("first");
  name.subscribe([&](const std::string &s) { seen(s); });
  name.next("second");
  CHECK_EQUAL(seen.take(), "first | second");
  CHECK_EQUAL(name.value(), "second");
  belay::replay_subject<int> last_two(2);
  for (int i = 1; i <= 3; i++) last_two.next(i);
  last_two.subscribe([&](int n) { seen(n); });
  CHECK_EQUAL(seen.take(), "2 | 3");
  const belay::virtual_time time;
  belay::replay_subject<int> recent(belay::unlimited, 1s, time);
  recent.next(1);
  time.advance(2s);
  recent.next(2);
  recent.subscribe([&](int n) { seen(n); });
  CHECK_EQUAL(seen.take(), "2");
  belay::async_subject<int> result;
  result.next(1);
  result.next(2);
  result.completed();
  CHECK_EQUAL(events(result), "2 | completed");
}

CASE(what_is_sent_says_whether_it_was_taken) {
  belay::subject<int> numbers;
  belay::status inside(0);
  numbers.subscribe([&](int n) {
    if (n == 1) inside = numbers.next(2);
  });
  const belay::status sent = numbers.next(1);
  CHECK(sent && !sent.queued());
  CHECK(inside && inside.queued());
  numbers.completed();
  CHECK(!numbers.next(3));
  CHECK_ERROR(numbers.next(3).check(), BELAY_EENDED);
  belay::source_options options;
  options.reentrancy = belay::reentrancy::reject;
  belay::subject<int> strict(options);
  strict.subscribe([&](int) { inside = strict.next(2); });
  strict.next(1);
  CHECK_EQUAL(inside.code(), BELAY_EREENTRANT);
}

CASE(what_is_sent_becomes_what_is_expected) {
  check::trace seen;
  belay::subject<double> numbers;
  numbers.subscribe([&](double x) { seen(x); });
  numbers.next(1);
  numbers.next(2.5f);
  belay::subject<std::vector<int>> lists;
  lists.subscribe([&](const std::vector<int> &all) { seen(all); });
  lists.next(std::vector<int>{1, 2});
  belay::subject<belay::unit> ticks;
  ticks.subscribe([&](belay::unit) { seen("tick"); });
  ticks.next();
  CHECK_EQUAL(seen.take(), "1 | 2.5 | [1 2] | tick");
}

CASE(many_at_once) {
  check::trace seen;
  belay::subject<int> numbers;
  numbers.subscribe([&](int n) { seen(n); });
  CHECK(numbers.next_all(std::vector<int>{1, 2, 3}));
  CHECK(numbers.next_all({4, 5}));
  belay::create<std::string>([](const belay::subscriber<std::string> &to) {
    to.next_all({"a", "b"});
    to.completed();
  }).subscribe([&](const std::string &s) { seen(s); });
  CHECK_EQUAL(seen.take(), "1 | 2 | 3 | 4 | 5 | a | b");
}

CASE(properties) {
  check::trace seen;
  const belay::property<std::string> name("Ada");
  name.signal().subscribe([&](const std::string &s) { seen(s); });
  name.set("Bea");
  name.modify([](const std::string &s) { return s + "!"; });
  CHECK_EQUAL(seen.take(), "Ada | Bea | Bea!");
  CHECK_EQUAL(name.get_value(), "Bea!");
  CHECK_THROWS(name.modify([](const std::string &) -> std::string { throw 5; }), int,
               CHECK_EQUAL(caught, 5));
  CHECK_EQUAL(name.get_value(), "Bea!");
  const belay::property<std::string> other("");
  const belay::disposable channel = name.channel(other);
  other.set("Eva");
  CHECK_EQUAL(name.get_value(), "Eva");
  channel.dispose();
}

CASE(requests) {
  check::trace seen;
  const belay::request<std::string, bool> may_close(
      true, [kept = tracked()](bool all, bool one) { return all && one; });
  CHECK(may_close.send("empty"));
  const belay::disposable saved =
      may_close.subscribe([&, kept = tracked()](const std::string &file) {
        seen(file);
        return file != "changed";
      });
  may_close.subscribe([](const std::string &file) {
    if (file == "locked") throw std::out_of_range("somebody has it");
    return true;
  });
  CHECK(may_close.send("same"));
  CHECK(!may_close.send("changed"));
  CHECK_THROWS(may_close.send("locked"), std::out_of_range, (void)caught);
  saved.dispose();
  CHECK(may_close.send("changed"));
  CHECK_EQUAL(seen.take(), "same | changed | locked");
}

CASE(commands) {
  check::trace seen;
  belay::subject<int> answers;
  const belay::command<int, int> ask([&, kept = tracked()](int n) {
    if (n < 0) throw std::out_of_range("negative");
    return answers.map([n](int answer) { return n * answer; }).take(1);
  });
  ask.executing().subscribe([&](bool on) { seen(on ? "on" : "off"); });
  ask.values().subscribe([&](int n) { seen("value", n); });
  ask.errors().subscribe([&](const belay::error &e) { seen("error", e.name()); });
  ask.execute(6).subscribe([&](int n) { seen("got", n); });
  CHECK_ERROR(ask.execute(1), BELAY_EBUSY);
  answers.next(7);
  CHECK_EQUAL(seen.take(), "off | on | got 42 | value 42 | off");
  CHECK_THROWS(ask.execute(-1), std::out_of_range, (void)caught);
  CHECK_EQUAL(seen.take(), "on | off");
  belay::behavior_subject<bool> allowed(false);
  const belay::command<int, int> guarded([](int n) { return belay::just(n); }, allowed);
  CHECK_ERROR(guarded.execute(1), BELAY_EBUSY);
  guarded.enabled().subscribe([&](bool can) { seen(can); });
  allowed.next(true);
  CHECK_EQUAL(events(guarded.execute(3)), "3 | completed");
  CHECK_EQUAL(seen.take(), "false | true | false | true");
}
