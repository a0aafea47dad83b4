// Processes. See process.h.
#ifndef BELAY_PROCESS_HPP
#define BELAY_PROCESS_HPP

#include <belay/process.h>
#include <belay/signal.hpp>
#include <string>
#include <vector>

namespace belay {

// Starts a process for each subscription: its number, then an array of its exit status and the
// signal that ended it. `options` says everything but the program and its arguments.
template <class Value = value>
signal<Value> process(const loop &on, const std::vector<std::string> &arguments,
                      belay_process_options options = BELAY_INIT(belay_process_options)) {
  std::vector<const char *> texts;
  for (const std::string &argument : arguments) texts.push_back(argument.c_str());
  texts.push_back(nullptr);
  options.args = texts.data();
  return signal<Value>::adopt(detail::made(belay_process(on.get(), &options)));
}

}  // namespace belay

#endif
