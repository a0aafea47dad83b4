// The names and the addresses of hosts. See lookup.h.
#ifndef BELAY_LOOKUP_HPP
#define BELAY_LOOKUP_HPP

#include <belay/lookup.h>
#include <belay/signal.hpp>
#include <cstdint>
#include <string>
#include <utility>

namespace belay {

// A numeric host and a port.
using socket_address = std::pair<std::string, std::uint16_t>;

// The addresses of a host. Without a service, the port is 0.
template <class Address = socket_address>
signal<Address> lookup(const loop &on, const std::string &host, const char *service = nullptr) {
  return signal<Address>::adopt(detail::made(belay_lookup(on.get(), host.c_str(), service)));
}
// The name of the host that has an address.
template <class String = std::string>
signal<String> host_name(const loop &on, const std::string &address) {
  return signal<String>::adopt(detail::made(belay_host_name(on.get(), address.c_str())));
}

}  // namespace belay

#endif
