// Belay for C++: signals, operators, subjects, owners, loops. Includes all headers but diagnostics.hpp,
// exchange.hpp, file.hpp, host_loop.hpp, interception.hpp, lookup.hpp, object.hpp, process.hpp, stream.hpp, udp.hpp,
// watch.hpp, and guard.hpp and marbles.hpp, which are for tests.
// Coroutines need C++20.
#ifndef BELAY_BELAY_HPP
#define BELAY_BELAY_HPP

#include <belay/combining.hpp>
#include <belay/coroutine.hpp>
#include <belay/creating.hpp>
#include <belay/disposable.hpp>
#include <belay/error.hpp>
#include <belay/event.hpp>
#include <belay/flattening.hpp>
#include <belay/loop.hpp>
#include <belay/owner.hpp>
#include <belay/owner_events.hpp>
#include <belay/pipe.hpp>
#include <belay/property.hpp>
#include <belay/request.hpp>
#include <belay/scheduler.hpp>
#include <belay/signal.hpp>
#include <belay/source.hpp>
#include <belay/subject.hpp>
#include <belay/value.hpp>

#endif
