// Watchers of a loop: ticks, descriptors, files and directories. See watch.h.
#ifndef BELAY_WATCH_HPP
#define BELAY_WATCH_HPP

#include <belay/watch.h>
#include <belay/signal.hpp>
#include <belay/time.hpp>
#include <chrono>
#include <cstdint>
#include <string>
#include <utility>

namespace belay {

// The number of the tick, each time that the loop comes to a place in its turn.
template <class Int = std::uint64_t>
signal<Int> ticks(const loop &on, belay_tick place) {
  return signal<Int>::adopt(detail::made(belay_ticks(on.get(), place)));
}
// The readiness of a descriptor, of BELAY_POLL_….
template <class Int = unsigned>
signal<Int> poll(const loop &on, int fd, unsigned events) {
  return signal<Int>::adopt(detail::made(belay_poll(on.get(), fd, events)));
}

// A value once the wall clock shows a date, even if the clock is set before that.
template <class Unit = unit>
signal<Unit> wall_timer(const loop &on, std::chrono::system_clock::time_point date) {
  const seconds since = date.time_since_epoch();
  return signal<Unit>::adopt(detail::made(belay_wall_timer(on.get(), since.count())));
}

// A name and one of BELAY_FILE_CREATED, _REMOVED, _CHANGED and _LOST.
using file_event = std::pair<std::string, unsigned>;

// The events of a file, or of the entries of a directory.
template <class Event = file_event>
signal<Event> file_events(const loop &on, const std::string &path) {
  return signal<Event>::adopt(detail::made(belay_file_events(on.get(), path.c_str())));
}
// The same by a look at the file from time to time.
template <class Event = file_event>
signal<Event> file_poll(const loop &on, const std::string &path, seconds interval) {
  return signal<Event>::adopt(
      detail::made(belay_file_poll(on.get(), path.c_str(), interval.count())));
}
// The events of the entries of a directory, and of all directories below it.
template <class Event = file_event>
signal<Event> tree_events(const loop &on, const std::string &path) {
  return signal<Event>::adopt(detail::made(belay_tree_events(on.get(), path.c_str())));
}

}  // namespace belay

#endif
