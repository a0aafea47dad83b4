// The values of a signal go somewhere.
#include "../support/sources.hpp"

using check::numbers;
using namespace belay::operators;

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
  std::int64_t wide = 0;
  double large = 0;
  const belay::disposable end = source.bind(wide);
  {
    const belay::owner owner;
    source.bind(large, owner);
    source.bind(property, owner);
    source.next(7);
  }
  source.next(8);
  CHECK_EQUAL(wide, 8);
  CHECK_EQUAL(large, 7.0);
  CHECK_EQUAL(property.get_value(), 7);
  end.dispose();
  source.next(9);
  CHECK_EQUAL(wide, 8);
}
