// Processes. See process.h.
#ifndef BELAY_PROCESS_HPP
#define BELAY_PROCESS_HPP

#include <belay/process.h>
#include <belay/stream.hpp>
#include <belay/time.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

namespace belay {

// How a process is made.
struct process_options {
  // Texts "NAME=value"; none: those of this process.
  std::optional<std::vector<std::string>> env;
  std::string cwd;  // where it starts; "": where this process is
  // BELAY_STDIO_IGNORE, _INHERIT, _PIPE, or a descriptor above 0: keep it open until the signal and
  // its subscriptions are gone.
  int input = BELAY_STDIO_IGNORE;
  int output = BELAY_STDIO_IGNORE;
  int error = BELAY_STDIO_IGNORE;
  bool detached = false;             // leads a session and a process group, which get its signals
  std::optional<std::uint32_t> uid;  // the user that it runs as
  std::optional<std::uint32_t> gid;
  belay_process_disposal disposal = BELAY_PROCESS_TERMINATE;
  seconds grace = seconds(5);  // from SIGTERM to SIGKILL; forever: no SIGKILL
};

// A process runs: its number, and the other ends of its pipes. A stream without another reference
// is closed when the callback returns.
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

// Without its arguments and its environment. Its texts live as long as the options.
inline belay_process_options raw(const process_options &options) noexcept {
  belay_process_options all = BELAY_INIT(belay_process_options);
  if (!options.cwd.empty()) all.cwd = options.cwd.c_str();
  all.input = options.input;
  all.output = options.output;
  all.error = options.error;
  all.flags = (options.detached ? BELAY_PROCESS_DETACHED : 0) |
              (options.uid ? BELAY_PROCESS_SET_UID : 0) | (options.gid ? BELAY_PROCESS_SET_GID : 0);
  all.uid = options.uid.value_or(0);
  all.gid = options.gid.value_or(0);
  all.disposal = options.disposal;
  // C takes 0 for the default.
  all.grace = options.grace.count() == 0 ? 0.001 : options.grace.count();
  return all;
}

// The texts with NULL at the end. They live as long as `all`.
inline std::vector<const char *> pointers(const std::vector<std::string> &all) {
  std::vector<const char *> texts;
  for (const std::string &text : all) texts.push_back(text.c_str());
  texts.push_back(nullptr);
  return texts;
}

}  // namespace detail

// Starts a process for each subscription: a process_started, a process_exited, the completion. Its
// streams end for themselves, also later. `arguments` are the program, which is looked for in PATH,
// and its arguments. A subscription that ends before the process does with it what options.disposal
// says. -ECHILD where the program has waited for a child of every number.
template <class Event = process_event>
signal<Event> process(const loop &on, const std::vector<std::string> &arguments,
                      const process_options &options = {}) {
  const std::vector<const char *> args = detail::pointers(arguments);
  std::vector<const char *> env;
  belay_process_options all = detail::raw(options);
  all.args = args.data();
  if (options.env) {
    env = detail::pointers(*options.env);
    all.env = env.data();
  }
  return signal<Event>::adopt(detail::made(belay_process(on.get(), &all)));
}

}  // namespace belay

#endif
