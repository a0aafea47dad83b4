// Interception of tables of C functions: slots, proxies, invocations and responders, with the types
// of the functions. See interface.h, slot.h, proxy.h, invocation.h and responder.h for what happens
// when. Not part of belay.hpp; a build without interception answers BELAY_ENOTSUP.
//
//   struct ops {
//     int (*read)(stream *self, char *into, std::size_t size);
//     void (*close)(stream *self);
//   };
//   static const belay_method methods[] = {belay::method<&ops::read>("read"),
//                                          belay::method<&ops::close>("close")};
//   const belay::interface<ops> streams("stream", methods);
//   auto read = streams.slot<&ops::read>(table);
//   read.around([](auto &call) {
//     call.proceed();
//     if (call.result() < 0) call.set_result({0});
//   });
//
// The parameter that carries the context is the first one, if that is a pointer; another is named
// by its number, from 0, and none by no_context: method<&ops::log, 1>("log"). Arguments are
// numbered without it. An argument comes as its own type; a `const char *` comes as a
// std::optional<std::string>, and a `char *` as a `void *`.
#ifndef BELAY_INTERCEPTION_HPP
#define BELAY_INTERCEPTION_HPP

#include <belay/interception/interface.hpp>
#include <belay/interception/invocation.hpp>
#include <belay/interception/method.hpp>
#include <belay/interception/proxy.hpp>
#include <belay/interception/responder.hpp>
#include <belay/interception/slot.hpp>

#endif
