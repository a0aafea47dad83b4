// Times are std::chrono's; Belay counts seconds.
#ifndef BELAY_TIME_HPP
#define BELAY_TIME_HPP

#include <belay/base.h>

#include <cstddef>
#include <type_traits>
// libstdc++ has the durations of <chrono> in a header of their own, which its other headers
// include. <chrono> itself is large in C++20, with calendars and formatting.
#if defined(_GLIBCXX_RELEASE) && __has_include(<bits/chrono.h>)
#include <bits/chrono.h>
#else
#include <chrono>
#endif

namespace belay {

// Every duration of std::chrono's converts to it: 300ms, 2s, std::chrono::hours(1).
using seconds = std::chrono::duration<double>;
namespace detail { inline constexpr seconds no_limit{-1}; }
#pragma push_macro("forever")  // that of Qt
#undef forever
// A time without a limit, where one may be given.
inline constexpr seconds forever = detail::no_limit;
#pragma pop_macro("forever")
// Of a count: no limit.
inline constexpr std::size_t unlimited = BELAY_UNLIMITED;

}  // namespace belay

#endif
