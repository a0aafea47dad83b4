// UDP sockets. See udp.h.
#ifndef BELAY_UDP_HPP
#define BELAY_UDP_HPP

#include <belay/udp.h>
#include <belay/signal.hpp>
#include <cstdint>
#include <string>
#include <tuple>

namespace belay {

// Bytes, a numeric host and a port.
using datagram = std::tuple<std::string, std::string, std::uint16_t>;

// Opens a socket for each subscription: its address, then what it receives, as udp.h describes them. It
// sends the datagrams of `outgoing`.
template <class Out = datagram, class Value = value>
signal<Value> udp(const loop &on, const signal<Out> &outgoing,
                  const belay_udp_options &options = BELAY_INIT(belay_udp_options)) {
  return signal<Value>::adopt(detail::made(belay_udp(on.get(), &options, outgoing.get())));
}

}  // namespace belay

#endif
