// Sources: signals of time, files and the system. See source.h.
#ifndef BELAY_SOURCES_HPP
#define BELAY_SOURCES_HPP

#include <belay/creating.h>
#include <belay/source.h>
#include <belay/signal.hpp>
#include <string>

namespace belay {

// 0 after `delay`, then completed.
inline signal<std::uint64_t> timer(seconds delay, const scheduler &on = scheduler::current()) {
  return signal<std::uint64_t>::adopt(detail::made(belay_signal_timer(on.get(), delay.count())));
}
// 0, 1, 2, … every `time`.
inline signal<std::uint64_t> interval(seconds time, const scheduler &on = scheduler::current()) {
  return signal<std::uint64_t>::adopt(detail::made(belay_signal_interval(on.get(), time.count())));
}
// The lines of a file; `flags` are BELAY_FILE_FOLLOW and BELAY_FILE_FROM_END.
inline signal<std::string> file_lines(const loop &on, const std::string &path, unsigned flags = 0) {
  return signal<std::string>::adopt(detail::made(belay_file_lines(on.get(), path.c_str(), flags)));
}
// The number, each time that the process gets a POSIX signal.
inline signal<int> posix_signal(const loop &on, int number) {
  return signal<int>::adopt(detail::made(belay_posix_signal(on.get(), number)));
}

}  // namespace belay

#endif
