// What holds for every operator in a chain.
#include "../support/sources.hpp"

using check::events;
using check::is_odd;
using check::tracked;
using namespace belay::operators;

CASE(objects_go_through) {
  belay::subject<tracked> objects;
  int sum = 0;
  (objects | filter([](const tracked &t) { return t.number > 1; }) | map([](const tracked &t) {
     return tracked(t.number * 10);
   })).subscribe([&](const tracked &t) { sum += t.number; });
  objects.next(tracked(1));
  objects.next(tracked(2));
  CHECK_EQUAL(sum, 20);
  CHECK_EQUAL(tracked::copies.load(), 0);
  CHECK_EQUAL(tracked::alive.load(), 0);
  CHECK_EQUAL(events(belay::from({tracked(3), tracked(1)}) | collect() |
                     map([](const std::vector<tracked> &all) { return all.size(); })),
              "2 | completed");
}

CASE(neighbouring_callbacks_are_one_stage) {
  belay::subject<int> source;
  const auto chain =
      source | map([](int n) { return n + 1; }) | filter(is_odd) | map([](int n) { return n * 2; });
  CHECK_EQUAL(events(chain), "");
  const std::size_t before = belay::live_count();
  const belay::scoped_disposable one = chain.subscribe([](int) {});
  const belay::scoped_disposable other = source.map([](int n) { return n; }).subscribe([](int) {});
  CHECK(belay::live_count() > before);
}

CASE(a_chain_s_callables_go_with_it) {
  {
    belay::subject<int> source;
    {
      auto chain = source | map([kept = tracked()](int n) { return n; }) |
                   filter([kept = tracked()](int) { return true; }) |
                   scan(0, [kept = tracked()](int a, int b) { return a + b; });
      CHECK_EQUAL(tracked::alive.load(), 3);
      chain.subscribe([](int) {});
    }
    CHECK_EQUAL(tracked::alive.load(), 3);
    source.completed();
    CHECK_EQUAL(tracked::alive.load(), 0);
  }
}
