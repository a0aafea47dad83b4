// Signals that the tests of operators begin with.
#ifndef SUPPORT_SOURCES_HPP
#define SUPPORT_SOURCES_HPP

#include "check.hpp"

namespace check {

inline belay::signal<int> numbers(int count = 3) {
  return belay::range(1, static_cast<std::uint64_t>(count)).map([](std::int64_t n) {
    return static_cast<int>(n);
  });
}
inline belay::signal<std::string> letters() {
  return belay::from({std::string("a"), std::string("b")});
}
inline belay::signal<int> failing() { return belay::fail<int>(belay::error(BELAY_ENOENT)); }
inline const auto is_odd = [](int n) { return n % 2 != 0; };

}  // namespace check

#endif
