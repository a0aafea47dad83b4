// Streams: connections, listeners, pipes and terminals. See stream.h and socket.h for threads, marks and
// errors.
#ifndef BELAY_STREAM_HPP
#define BELAY_STREAM_HPP

#include <belay/socket.h>
#include <belay/stream.h>
#include <belay/disposable.hpp>
#include <belay/integer.hpp>
#include <belay/signal.hpp>
#include <belay/time.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace belay {

// How a stream is made, or those of a listener.
struct stream_options {
  integer<std::size_t> read_high = 0;   // stops reading when so many bytes are held; 0: 65536
  integer<std::size_t> read_low = 0;    // goes on when at most so many are; 0: half of read_high
  integer<std::size_t> write_high = 0;  // refuses writes when so many bytes wait; 0: 65536
  seconds keepalive = seconds(0);       // TCP: silence before the peer is asked; 0: never
  bool nodelay = false;                 // TCP: sends small writes at once
  integer<int> backlog = 0;             // listeners: connections that may wait; 0: 511
  bool reuse_port = false;              // TCP listeners: several may have the port
  bool ipv6_only = false;               // TCP listeners: no IPv4 at an IPv6 address
  const char *label = nullptr;          // static; the name in reports, also of a listener's streams
  const char *site = nullptr;           // static; BELAY_HERE
};

namespace detail {
inline belay_stream_options raw(const stream_options &options) noexcept {
  belay_stream_options all = begin_raw<belay_stream_options>(options);
  all.read_high = options.read_high;
  all.read_low = options.read_low;
  all.write_high = options.write_high;
  all.keepalive = options.keepalive.count();
  all.nodelay = options.nodelay;
  all.backlog = options.backlog;
  all.reuse_port = options.reuse_port;
  all.ipv6_only = options.ipv6_only;
  return all;
}

// A handle that `make` makes with C's options.
template <class Make>
auto *with_options(const stream_options &options, Make make) {
  const belay_stream_options all = raw(options);
  return made(make(&all));
}
}  // namespace detail

// The size of a terminal's window, in characters.
struct window_size {
  window_size() noexcept = default;
  window_size(int wide, int high) noexcept : columns(wide), rows(high) {}
  int columns = 0;
  int rows = 0;
};

// Bytes in both directions, until close(), the last reference, or the loop's close. Its signals and
// their subscriptions are references. write(), shutdown(), close(), the counters, and the functions that
// make signals: any thread; the others: that of the loop.
class stream
    : public detail::handle<stream, belay_stream, belay_stream_retain, belay_stream_release> {
 public:
  // Of a socket, a pipe or a terminal. Takes the descriptor over, also when it throws, but not with
  // BELAY_EWRONGTHREAD, BELAY_ECLOSED and -EEXIST (the loop has it already); 0, 1 and 2 are never
  // closed. BELAY_EPERM for what cannot be waited for, such as a file at 0 (`prog <file`), which
  // file_lines() of "/dev/stdin" reads.
  stream(const loop &on, int fd, const stream_options &options = {})
      : handle(detail::with_options(options, [&](const belay_stream_options *all) {
          return belay_stream_open(on.get(), fd, all);
        })) {}
  // Opens a FIFO, a terminal or another device, without waiting. `flags`: BELAY_STREAM_READ,
  // BELAY_STREAM_WRITE or both.
  stream(const loop &on, const std::string &path, integer<unsigned> flags,
         const stream_options &options = {})
      : handle(detail::with_options(options, [&](const belay_stream_options *all) {
          return belay_stream_open_path(on.get(), path.c_str(), flags, all);
        })) {}
  // An empty handle.
  explicit stream(empty) noexcept {}

  // The bytes that come, until the peer has ended its side. A subscription reads, and its disposal
  // stops that. There is one at a time; another one gets the error BELAY_EBUSY. A piece that a
  // stream has sent counts at its marks until the last value goes: a std::string of it is a copy.
  template <class String = std::string>
  signal<String> read() const {
    return signal<String>::adopt(detail::made(belay_stream_read(get())));
  }
  // The lines of that, without their ends. A line of more than `limit` bytes is the error
  // BELAY_EMSGSIZE.
  template <class String = std::string>
  signal<String> lines(integer<std::size_t> limit) const {
    return read<String>().lines(limit);
  }

  // Writes a copy. queued(): it waits. BELAY_EAGAIN: `write_high` bytes wait already, and this is
  // dropped; BELAY_EENDED after shutdown(); BELAY_ECANCELED after the close; the code with which
  // writing has failed. From another thread it is written at the loop's next turn.
  status write(std::string_view bytes) const {
    return status(belay_stream_write(get(), belay_bytes(bytes.data(), bytes.size())));
  }
  // Writes each value of `source`. Completes after `source`, when its values have been written.
  // Values that a stream has sent are not refused: that stream waits for this one.
  template <class T, class Unit = unit>
  signal<Unit> write_all(const signal<T> &source) const {
    return signal<Unit>::adopt(detail::made(belay_stream_write_all(get(), source.retained())));
  }
  // Completes when at most `limit` of the bytes that wait at its beginning still do.
  template <class Unit = unit>
  signal<Unit> drained(integer<std::size_t> limit = 0) const {
    return signal<Unit>::adopt(detail::made(belay_stream_drained(get(), limit)));
  }
  // Ends the writing side after what waits. A socket's peer sees the end, and may go on writing. A
  // stream that is only written, such as a child's input, is closed by it.
  void shutdown() const { detail::check(belay_stream_shutdown(get())); }
  // Closes it at once; what waits to be written is dropped.
  void close() const { detail::check(belay_stream_close(get())); }
  // Closes it when it is disposed of, by an owner or a bag.
  belay::disposable disposable() const {
    return belay::disposable::adopt(detail::made(belay_stream_create_disposable(get())));
  }

  // How many bytes wait to be written.
  std::size_t waiting() const noexcept { return belay_stream_waiting(get()); }
  // How much of what was read is held, as the marks count.
  std::size_t held() const noexcept { return belay_stream_held(get()); }
  // "127.0.0.1:80", "[::1]:80", the path of a Unix socket, or "". BELAY_EWRONGTHREAD on another thread.
  std::string local_address() const {
    require_home();
    return belay_stream_local_address(get());
  }
  std::string peer_address() const {
    require_home();
    return belay_stream_peer_address(get());
  }

  // Of a terminal: turns line editing, echo and signal keys off; false, and the close, restore what was
  // there. -ENOTTY for another stream.
  void set_raw(bool is_raw) const { detail::check(belay_stream_set_raw(get(), is_raw)); }
  // Of a terminal. -ENOTTY for another stream.
  belay::window_size window_size() const {
    belay::window_size size{};
    detail::check(belay_stream_window_size(get(), &size.columns, &size.rows));
    return size;
  }
  // The size, again each time that it has changed. The system tells of changes of the controlling
  // terminal. -ENOTTY for another stream.
  template <class Size = belay::window_size>
  signal<Size> window_sizes() const {
    return signal<Size>::adopt(detail::made(belay_stream_window_sizes(get())));
  }

 private:
  // A call for an address answers "" on another thread, which may be an address, too. This call
  // answers with a code, and looks at the thread before anything else.
  void require_home() const {
    const status answer(belay_stream_window_size(get(), nullptr, nullptr));
    if (answer.code() == BELAY_EWRONGTHREAD) answer.check();
  }
};

namespace detail {
template <>
struct codec<stream> : handle_codec<stream, belay_stream, BELAY_KIND_STREAM,
                                    belay_value_from_stream, belay_value_get_stream> {};
template <>
struct codec<window_size> : tuple_codec<window_size, int, int> {
  static belay_value give(const window_size &x) {
    return codec<std::pair<int, int>>::give(std::pair(x.columns, x.rows));
  }
};
}  // namespace detail

// A socket that listens from when it is made, until close() or the last reference. On the thread of its
// loop; close() and copies on any.
class listener : public detail::handle<listener, belay_listener, belay_listener_retain,
                                       belay_listener_release> {
 public:
  explicit listener(empty) noexcept {}

  // A stream for each connection. There is one subscription at a time; another one gets the error
  // BELAY_EBUSY. A disposal stops accepting, and the listener goes on listening.
  template <class Stream = stream>
  signal<Stream> connections() const {
    return signal<Stream>::adopt(detail::made(belay_listener_connections(get())));
  }
  // Stops listening; a subscription is interrupted.
  void close() const { detail::check(belay_listener_close(get())); }
  // Closes it when it is disposed of, by an owner or a bag.
  belay::disposable disposable() const {
    return belay::disposable::adopt(detail::made(belay_listener_create_disposable(get())));
  }
  // "127.0.0.1:80", "[::]:80", or the path.
  std::string address() const { return belay_listener_address(get()); }
  // None for a Unix socket.
  std::optional<int> port() const {
    const int port = belay_listener_port(get());
    return port < 0 ? std::nullopt : std::optional<int>(port);
  }
};

// Connects to a TCP server for each subscription. `host` is an address, or a name whose addresses are
// tried in turn; the error is that of the last one. A disposal gives up.
template <class Stream = stream>
signal<Stream> tcp_connect(const loop &on, const std::string &host, integer<std::uint16_t> port,
                           const stream_options &options = {}) {
  return signal<Stream>::adopt(detail::with_options(options, [&](const belay_stream_options *all) {
    return belay_tcp_connect(on.get(), host.c_str(), port, all);
  }));
}
// Connects to a Unix socket in the same way.
template <class Stream = stream>
signal<Stream> unix_connect(const loop &on, const std::string &path,
                            const stream_options &options = {}) {
  return signal<Stream>::adopt(detail::with_options(options, [&](const belay_stream_options *all) {
    return belay_unix_connect(on.get(), path.c_str(), all);
  }));
}
// Listens at a TCP address, at once. `host` is an address, and no name; "": every address of this
// machine. `port` 0: the system chooses one. Throws libuv's code, such as -EADDRINUSE.
inline listener tcp_listen(const loop &on, const std::string &host, integer<std::uint16_t> port = 0,
                           const stream_options &options = {}) {
  return listener::adopt(detail::with_options(options, [&](const belay_stream_options *all) {
    return belay_tcp_listen(on.get(), host.empty() ? nullptr : host.c_str(), port, all);
  }));
}
// Listens at a Unix socket, whose file it makes. A file that nobody listens at is replaced. The
// close removes the file if it is still the same one.
inline listener unix_listen(const loop &on, const std::string &path,
                            const stream_options &options = {}) {
  return listener::adopt(detail::with_options(options, [&](const belay_stream_options *all) {
    return belay_unix_listen(on.get(), path.c_str(), all);
  }));
}

}  // namespace belay

#endif
