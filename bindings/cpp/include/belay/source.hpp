// Sources: signals of files and of the system. See source.h.
#ifndef BELAY_SOURCE_HPP
#define BELAY_SOURCE_HPP

#include <belay/source.h>
#include <belay/signal.hpp>
#include <string>

namespace belay {

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
