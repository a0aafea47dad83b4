// Files as a whole or in chunks, and directories. See file.h.
#ifndef BELAY_FILE_HPP
#define BELAY_FILE_HPP

#include <belay/file.h>
#include <belay/creating.hpp>
#include <belay/source.hpp>
#include <utility>
#include <vector>

namespace belay {

// Runs `work` on a thread of libuv's pool for each subscription, sends its result, and completes.
template <class F>
signal<detail::produced_t<F>> work(const loop &on, F work) {
  return signal<detail::produced_t<F>>::adopt(detail::made(belay_work(
      on.get(), &detail::call_produce<F>, detail::context(std::move(work)), &detail::destroy<F>)));
}

// All bytes of a file.
template <class String = std::string>
signal<String> file_read(const loop &on, const std::string &path) {
  return signal<String>::adopt(detail::made(belay_file_read(on.get(), path.c_str())));
}
// The bytes of a file, in pieces of at most 64 KiB.
template <class String = std::string>
signal<String> file_chunks(const loop &on, const std::string &path,
                           const file_options &options = {}) {
  return signal<String>::adopt(
      detail::made(belay_file_chunks(on.get(), path.c_str(), detail::file_flags(options))));
}
// Writes a whole file at once: one null, when it is on the disk.
template <class Unit = unit>
signal<Unit> file_write(const loop &on, const std::string &path, const std::string &content) {
  return signal<Unit>::adopt(detail::made(
      belay_file_write(on.get(), path.c_str(), belay_bytes(content.data(), content.size()))));
}

// A name and a belay_entry_kind.
using directory_entry = std::pair<std::string, int>;

// The entries of a directory.
template <class Entry = directory_entry>
signal<std::vector<Entry>> directory_list(const loop &on, const std::string &path) {
  return signal<std::vector<Entry>>::adopt(
      detail::made(belay_directory_list(on.get(), path.c_str())));
}

}  // namespace belay

#endif
