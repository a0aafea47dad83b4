// Counts and other integers: none arrives as another number.
#include <limits>

#include "../support/sources.hpp"

using check::events;
using check::numbers;
using namespace belay::operators;

namespace {

constexpr auto largest = std::numeric_limits<std::uint64_t>::max();

}  // namespace

CASE(an_integer_of_any_type_is_a_count) {
  CHECK_EQUAL(events(numbers(3) | take(static_cast<signed char>(2))), "1 | 2 | completed");
  CHECK_EQUAL(events(numbers(3) | take(2LL)), "1 | 2 | completed");
  CHECK_EQUAL(events(numbers(3) | take(largest)), "1 | 2 | 3 | completed");
  CHECK_EQUAL(events(numbers(3) | repeat(std::uint8_t(1))), "1 | 2 | 3 | completed");
  static_assert(belay::integer<std::uint64_t>(7) == 7);
  static_assert(belay::integer<std::int64_t>(-7) == -7);
}

CASE(a_negative_count_is_refused) {
  const int minus = -1;
  const belay::scheduler now = belay::scheduler::immediate();
  CHECK_THROWS(numbers(3).take(-1), belay::error, {
    CHECK_EQUAL(caught.code(), BELAY_EINVAL);
    CHECK_EQUAL(caught.what(), "-1 is not a number from 0 to 18446744073709551615");
  });
  CHECK_ERROR(numbers(3) | take(minus), BELAY_EINVAL);
  CHECK_ERROR(numbers(3).skip(-1), BELAY_EINVAL);
  CHECK_ERROR(numbers(3).take_last(-1L), BELAY_EINVAL);
  CHECK_ERROR(numbers(3).skip_last(minus), BELAY_EINVAL);
  CHECK_ERROR(numbers(3).element_at(-1), BELAY_EINVAL);
  CHECK_ERROR(numbers(3).element_at_or(-1, 5), BELAY_EINVAL);
  CHECK_ERROR(numbers(3).buffer(-1), BELAY_EINVAL);
  CHECK_ERROR(numbers(3).buffer_skip(1, -1), BELAY_EINVAL);
  CHECK_ERROR(numbers(3).buffer_time(belay::forever, -1, now), BELAY_EINVAL);
  CHECK_ERROR(numbers(3).window(-1), BELAY_EINVAL);
  CHECK_ERROR(numbers(3).window(1, -1), BELAY_EINVAL);
  CHECK_ERROR(numbers(3).window_time(belay::forever, -1, now), BELAY_EINVAL);
  CHECK_ERROR(numbers(3).flat_map([](int n) { return belay::just(n); }, -1), BELAY_EINVAL);
  CHECK_ERROR(numbers(3).expand([](int n) { return belay::just(n); }, -1), BELAY_EINVAL);
  CHECK_ERROR(belay::just(numbers(3)).merge_all(-1), BELAY_EINVAL);
  CHECK_ERROR(numbers(3).repeat(-1), BELAY_EINVAL);
  CHECK_ERROR(numbers(3).retry(-1), BELAY_EINVAL);
  CHECK_ERROR(numbers(3).replay(-1), BELAY_EINVAL);
  CHECK_ERROR(numbers(3).share_replay(-1), BELAY_EINVAL);
  CHECK_ERROR(numbers(3).publish().auto_connect(-1), BELAY_EINVAL);
  CHECK_ERROR(auto_connect(-1), BELAY_EINVAL);
  CHECK_ERROR(belay::range(0, -1), BELAY_EINVAL);
  CHECK_ERROR(belay::repeat_value(1, -1), BELAY_EINVAL);
  CHECK_ERROR(belay::replay_subject<int>(-1), BELAY_EINVAL);
  CHECK_ERROR(belay::virtual_time().step(-1), BELAY_EINVAL);
}

CASE(a_number_that_does_not_fit_is_refused) {
  CHECK_ERROR(belay::range(largest, 1), BELAY_EINVAL);
  CHECK_ERROR(belay::posix_signal(belay::loop(), 1L << 40), BELAY_EINVAL);
  belay::source_options source;
  CHECK_ERROR(source.capacity = -1, BELAY_EINVAL);
  belay::loop_options loop;
  CHECK_ERROR(loop.capacity = -1, BELAY_EINVAL);
  belay::queue_options queue;
  CHECK_ERROR(queue.capacity = -1, BELAY_EINVAL);
  belay::backoff waits;
  CHECK_ERROR(waits.attempts = -1, BELAY_EINVAL);
}
