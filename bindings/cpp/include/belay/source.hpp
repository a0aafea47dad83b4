// Sources: signals of files and of the system. See source.h.
#ifndef BELAY_SOURCE_HPP
#define BELAY_SOURCE_HPP

#include <belay/source.h>
#include <belay/integer.hpp>
#include <belay/signal.hpp>
#include <string>

namespace belay {

// How a file is read.
struct file_options {
  bool follow = false;    // go on as the file grows, through truncation and rotation
  bool from_end = false;  // begin with the text that is appended
};

namespace detail {
inline unsigned file_flags(const file_options &options) {
  return (options.follow ? BELAY_FILE_FOLLOW : 0u) |
         (options.from_end ? BELAY_FILE_FROM_END : 0u);
}
}  // namespace detail

// The lines of a file.
template <class String = std::string>
signal<String> file_lines(const loop &on, const std::string &path,
                          const file_options &options = {}) {
  return signal<String>::adopt(
      detail::made(belay_file_lines(on.get(), path.c_str(), detail::file_flags(options))));
}
// The number, each time that the process gets a POSIX signal.
template <class Int = int>
signal<Int> posix_signal(const loop &on, integer<int> number) {
  return signal<Int>::adopt(detail::made(belay_posix_signal(on.get(), number)));
}

}  // namespace belay

#endif
