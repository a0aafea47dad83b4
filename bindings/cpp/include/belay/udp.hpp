// UDP sockets. See udp.h.
#ifndef BELAY_UDP_HPP
#define BELAY_UDP_HPP

#include <belay/udp.h>
#include <belay/integer.hpp>
#include <belay/lookup.hpp>
#include <belay/signal.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

namespace belay {

// Bytes, a numeric host and a port.
using datagram = std::tuple<std::string, std::string, std::uint16_t>;

// How a socket is made. Hosts are numeric addresses: see lookup().
struct udp_options {
  std::string host;                 // its own address; "": any of IPv4
  integer<std::uint16_t> port = 0;  // its own; 0: any that is free
  // Where it sends to, and from where alone it receives; none: each datagram has its own.
  std::optional<socket_address> remote;
  std::vector<std::string> groups;  // of multicast, which it joins, and leaves at its end
  std::string interface_host;       // the interface for multicast, by its address; "": the system's
  bool share = false;               // other sockets may have the same address and port
  bool broadcast = false;           // it may send to broadcast addresses
  bool no_loop = false;  // this machine does not get the socket's own multicast datagrams
  // How many routers a multicast datagram may pass, up to 255; 0: 1.
  integer<std::uint32_t> multicast_ttl = 0;
};

// The socket is open, at this address.
struct udp_opened {
  std::string host;
  std::uint16_t port;
};
// A datagram was not sent to this address, if it is known, or was refused there.
struct udp_failed {
  belay::error error;
  std::optional<socket_address> address;
};
// A datagram is one that was received, with its sender.
using udp_event = std::variant<udp_opened, datagram, udp_failed>;

namespace detail {

template <>
struct codec<udp_event> {
  using item = udp_event;
  static constexpr bool is_equatable = false;
  using opened = std::tuple<unit, std::string, std::uint16_t>;
  using failed = std::tuple<error, std::optional<std::string>, std::uint16_t>;

  static belay_value give(const udp_event &event) {
    if (const auto *open = std::get_if<udp_opened>(&event))
      return codec<opened>::give(opened(unit(), open->host, open->port));
    if (const auto *received = std::get_if<datagram>(&event))
      return codec<datagram>::give(*received);
    const auto &[error, address] = std::get<udp_failed>(event);
    if (address) return codec<failed>::give(failed(error, address->first, address->second));
    return codec<failed>::give(failed(error, std::nullopt, std::uint16_t(0)));
  }
  class reader {
   public:
    explicit reader(belay_value v) noexcept : opened_(v), received_(v), failed_(v) {}
    int code() const noexcept {
      return opened_.code() < 0 && failed_.code() < 0 ? received_.code() : 0;
    }
    udp_event get() const {
      if (opened_.code() >= 0) {
        auto [nothing, host, port] = opened_.get();
        return udp_opened{std::move(host), port};
      }
      if (failed_.code() < 0) return received_.get();
      auto [error, host, port] = failed_.get();
      if (!host) return udp_failed{std::move(error), std::nullopt};
      return udp_failed{std::move(error), socket_address(std::move(*host), port)};
    }

   private:
    reader_t<opened> opened_;
    reader_t<datagram> received_;
    reader_t<failed> failed_;
  };
};

inline belay_signal *udp(const loop &on, const udp_options &options, belay_signal *outgoing) {
  std::vector<const char *> groups;
  for (const std::string &group : options.groups) groups.push_back(group.c_str());
  groups.push_back(nullptr);
  const auto text = [](const std::string &given) {
    return given.empty() ? nullptr : given.c_str();
  };
  belay_udp_options all = BELAY_INIT(belay_udp_options);
  all.host = text(options.host);
  all.port = options.port;
  if (options.remote) {
    all.remote_host = options.remote->first.c_str();
    all.remote_port = options.remote->second;
  }
  all.groups = groups.data();
  all.interface_host = text(options.interface_host);
  all.flags = (options.share ? BELAY_UDP_SHARE : 0) |
              (options.broadcast ? BELAY_UDP_BROADCAST : 0) |
              (options.no_loop ? BELAY_UDP_NO_LOOP : 0);
  all.multicast_ttl = options.multicast_ttl;
  return made(belay_udp(on.get(), outgoing, &all));
}

}  // namespace detail

// Opens a socket for each subscription, which only receives: its address, when it is open, then the
// datagrams.
template <class Event = udp_event>
signal<Event> udp(const loop &on, const udp_options &options = {}) {
  return signal<Event>::adopt(detail::udp(on, options, nullptr));
}
// It also sends the values of `outgoing`, which is subscribed to when the socket is open: each a
// datagram, or bytes alone where options.remote is given. The error of `outgoing` is this signal's;
// its completion does nothing. A datagram for which the system has no room is not sent, and
// comes as a udp_failed with -EAGAIN.
template <class Event = udp_event, class Out = datagram>
signal<Event> udp(const loop &on, const signal<Out> &outgoing, const udp_options &options = {}) {
  return signal<Event>::adopt(detail::udp(on, options, outgoing.get()));
}

}  // namespace belay

#endif
