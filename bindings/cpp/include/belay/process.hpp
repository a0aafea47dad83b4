// Processes. See process.h.
#ifndef BELAY_PROCESS_HPP
#define BELAY_PROCESS_HPP

#include <belay/process.h>
#include <belay/stream.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

namespace belay {

// A process runs: its number, and the other ends of its pipes. A stream without another reference is
// closed when the callback returns.
struct process_started {
  int pid;
  std::optional<stream> input;
  std::optional<stream> output;
  std::optional<stream> error;
};
// A process has ended: with a status, or by a signal, which is 0 otherwise.
struct process_exited {
  std::int64_t status;
  int signal;
};
using process_event = std::variant<process_started, process_exited>;

namespace detail {

template <>
struct codec<process_event> {
  using item = process_event;
  static constexpr bool is_equatable = false;
  using pipe = std::optional<stream>;
  using started = std::tuple<int, pipe, pipe, pipe>;
  using exited = std::pair<std::int64_t, int>;

  static belay_value give(const process_event &event) {
    if (const auto *ran = std::get_if<process_started>(&event))
      return codec<started>::give(started(ran->pid, ran->input, ran->output, ran->error));
    const auto &end = std::get<process_exited>(event);
    return codec<exited>::give(exited(end.status, end.signal));
  }
  class reader {
   public:
    explicit reader(belay_value v) noexcept : started_(v), exited_(v) {}
    int code() const noexcept { return started_.code() < 0 ? exited_.code() : 0; }
    process_event get() const {
      if (started_.code() < 0) {
        const exited end = exited_.get();
        return process_exited{end.first, end.second};
      }
      auto [pid, input, output, error] = started_.get();
      return process_started{pid, std::move(input), std::move(output), std::move(error)};
    }

   private:
    reader_t<started> started_;
    reader_t<exited> exited_;
  };
};

}  // namespace detail

// Starts a process for each subscription: a process_started, a process_exited, the completion. Its
// streams end for themselves, also later. `arguments` are the program, which is looked for in PATH, and
// its arguments; `options` says everything else. A subscription that ends before the process does with
// it what options.disposal says. -ECHILD where the program has waited for a child of every number.
template <class Event = process_event>
signal<Event> process(const loop &on, const std::vector<std::string> &arguments,
                      belay_process_options options = BELAY_INIT(belay_process_options)) {
  std::vector<const char *> texts;
  for (const std::string &argument : arguments) texts.push_back(argument.c_str());
  texts.push_back(nullptr);
  options.args = texts.data();
  return signal<Event>::adopt(detail::made(belay_process(on.get(), &options)));
}

}  // namespace belay

#endif
