// Times are std::chrono's; Belay counts seconds.
#ifndef BELAY_TIME_HPP
#define BELAY_TIME_HPP

#include <belay/base.h>

#include <chrono>
#include <cstddef>

namespace belay {

// Every duration of std::chrono's converts to it: 300ms, 2s, std::chrono::hours(1).
using seconds = std::chrono::duration<double>;
// A time without a limit, where one may be given.
inline constexpr seconds forever{-1};
// Of a count: no limit.
inline constexpr std::size_t unlimited = BELAY_UNLIMITED;

}  // namespace belay

#endif
