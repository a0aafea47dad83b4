// One subscription to a source for all who listen.
#include "../support/sources.hpp"

using check::events;
using check::numbers;
using namespace belay::operators;

CASE(shared_until_signals_send) {
  const belay::subject<int> source;
  const belay::subject<bool> reset;
  const auto shared =
      source.share_until(belay::signal<bool>(), belay::signal<bool>(), reset.map([](bool b) { return b; }), 1);
  shared.subscribe([](int) {}).dispose();
  CHECK_EQUAL(source.count(), 1u);
  source.next(7);
  CHECK_EQUAL(events(shared.take(1)), "7 | completed");
  reset.next(true);
  CHECK_EQUAL(source.count(), 0u);
  const auto ended = belay::just(1) | share_until(belay::signal<bool>(), reset);
  CHECK_EQUAL(events(ended), "1 | completed");
  CHECK_EQUAL(events(ended), "completed");
  reset.next(true);
  CHECK_EQUAL(events(ended), "1 | completed");
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
