// Sources of a loop: ticks, descriptors, work, hosts, files, processes.
#include <belay/file.hpp>
#include <belay/lookup.hpp>
#include <belay/process.hpp>
#include <belay/udp.hpp>
#include <belay/watch.hpp>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>

#include "support/check.hpp"
#include "support/folder.hpp"

using namespace belay::operators;
using namespace std::chrono_literals;
using check::folder;

CASE(ticks_and_descriptors) {
  belay::loop loop = belay::loop(belay::loop_options());
  int ends[2];
  CHECK_EQUAL(pipe(ends), 0);
  CHECK_EQUAL(write(ends[1], "x", 1), 1);
  check::trace seen;
  belay::ticks(loop, BELAY_TICK_IDLE).take(2).subscribe([&](std::uint64_t number) { seen(number); });
  loop.run();
  CHECK_EQUAL(seen.take(), "0 | 1");
  belay::poll(loop, ends[0], BELAY_POLL_READABLE).take(1).subscribe([&](unsigned n) { seen(n); });
  loop.run();
  CHECK_EQUAL(seen.take(), "1");
  close(ends[0]);
  close(ends[1]);
}

CASE(the_wall_clock) {
  belay::loop loop = belay::loop(belay::loop_options());
  const auto due = std::chrono::system_clock::now() + 20ms;
  int values = 0;
  belay::wall_timer(loop, due).subscribe([&](belay::unit) {
    values++;
    CHECK(std::chrono::system_clock::now() + 1us >= due);
  });
  loop.run();
  CHECK_EQUAL(values, 1);
}

CASE(work_and_hosts) {
  belay::loop loop = belay::loop(belay::loop_options());
  check::trace seen;
  belay::work(loop, [] { return 42; }).subscribe([&](int n) { seen(n); });
  loop.run();
  CHECK_EQUAL(seen.take(), "42");
  belay::lookup(loop, "127.0.0.1", "80").subscribe([&](const belay::socket_address &address) {
    seen(address.first);
    seen(address.second);
  });
  loop.run();
  CHECK_EQUAL(seen.take(), "127.0.0.1 | 80");
  belay::host_name(loop, "nonsense").catch_to("none").subscribe([&](const std::string &name) {
    seen(name);
  });
  loop.run();
  CHECK_EQUAL(seen.take(), "none");
}

CASE(files_and_what_happens_to_them) {
  const folder here;
  belay::loop loop = belay::loop(belay::loop_options());
  check::trace seen;
  const auto name = [&](const belay::file_event &event) { seen(event.first); };
  belay::file_events(loop, here.file()).take(1).subscribe(name);
  belay::tree_events(loop, here.path).take(1).subscribe(name);
  belay::file_poll(loop, here.file(), 5ms)
      .filter([](const belay::file_event &event) { return event.second == BELAY_FILE_CREATED; })
      .take(1)
      .subscribe(name);
  belay_loop_run(loop.get(), BELAY_RUN_NOWAIT);
  usleep(20000);
  belay_loop_run(loop.get(), BELAY_RUN_NOWAIT);
  belay::file_write(loop, here.file(), "text").subscribe([](belay::unit) {});
  loop.run();
  const std::string names = seen.take();
  CHECK_EQUAL(names.find("file") != std::string::npos, true);
  belay::file_read(loop, here.file()).subscribe([&](const std::string &text) { seen(text); });
  loop.run();
  belay::file_chunks(loop, here.file()).subscribe([&](const std::string &text) { seen(text); });
  loop.run();
  CHECK_EQUAL(seen.take(), "text | text");
  belay::directory_list(loop, here.path)
      .subscribe([&](const std::vector<belay::directory_entry> &entries) {
        for (const auto &entry : entries) seen(entry.first), seen(entry.second);
      });
  loop.run();
  CHECK_EQUAL(seen.take(), "file | 1");
}

CASE(processes) {
  belay::loop loop = belay::loop(belay::loop_options());
  check::trace seen;
  belay::process(loop, {"sh", "-c", "exit 3"}).skip(1).subscribe([&](const belay::process_event &exit) {
    seen(std::get<belay::process_exited>(exit).status);
  });
  loop.run();
  CHECK_EQUAL(seen.take(), "3");
}

CASE(the_options_of_a_process) {
  const folder here;
  belay::loop loop = belay::loop(belay::loop_options());
  check::trace seen;
  int signal = 0; // the end may come before the lines
  const auto lines = [&](const belay::process_event &event) {
    if (const auto *child = std::get_if<belay::process_started>(&event))
      child->output->lines(100).subscribe([&](const std::string &line) { seen(line); });
    else signal = std::get<belay::process_exited>(event).signal;
  };
  belay::process_options options;
  options.env = {"A=a b"};
  options.cwd = here.path;
  options.output = BELAY_STDIO_PIPE;
  options.uid = getuid();
  options.gid = getgid();
  belay::process(loop, {"/bin/sh", "-c", "echo $A$HOME; pwd -L; kill -9 $$"}, options)
      .subscribe(lines);
  loop.run();
  CHECK_EQUAL(seen.take(), "a b | " + here.path);
  CHECK_EQUAL(signal, 9);
  // None of C's defaults is meant by a time that is given.
  CHECK_EQUAL(belay::detail::raw(belay::process_options()).grace, 5.0);
  options.grace = 1500ms;
  CHECK_EQUAL(belay::detail::raw(options).grace, 1.5);
  options.grace = belay::forever;
  CHECK_EQUAL(belay::detail::raw(options).grace < 0, true);
  options.grace = 0s;
  CHECK_EQUAL(belay::detail::raw(options).grace > 0, true);
  CHECK_EQUAL(belay::detail::raw(options).grace < 1, true);
  options.detached = true;
  CHECK_EQUAL(belay::detail::raw(options).flags,
              BELAY_PROCESS_DETACHED | BELAY_PROCESS_SET_UID | BELAY_PROCESS_SET_GID);
}

CASE(names_of_files_that_are_not_utf_8) {
  const folder here;
  belay::loop loop = belay::loop(belay::loop_options());
  check::trace seen;
  const std::string name = "f\xffle", path = here.path + "/" + name;
  belay::file_events(loop, here.path).take(1).subscribe([&](const belay::file_event &event) {
    seen(event.first);
  });
  belay_loop_run(loop.get(), BELAY_RUN_NOWAIT);
  std::fclose(std::fopen(path.c_str(), "w"));
  loop.run();
  belay::directory_list(loop, here.path)
      .subscribe([&](const std::vector<belay::directory_entry> &entries) {
        for (const auto &entry : entries) seen(entry.first);
      });
  loop.run();
  std::remove(path.c_str());
  CHECK_EQUAL(seen.take(), name + " | " + name);
}

CASE(udp_sockets) {
  belay::loop loop = belay::loop(belay::loop_options());
  check::trace seen;
  belay::subject<belay::datagram> outgoing;
  belay::udp_options options;
  options.host = "127.0.0.1";
  belay::udp(loop, outgoing, options).take(2).subscribe([&](const belay::udp_event &event) {
    if (const auto *open = std::get_if<belay::udp_opened>(&event))
      outgoing.next({"text", open->host, open->port});
    else seen(std::get<0>(std::get<belay::datagram>(event)));
  });
  loop.run();
  CHECK_EQUAL(seen.take(), "text");
  // One that only receives; and one that sends there after it has gone.
  std::uint16_t port = 0;
  belay::udp(loop, options).take(1).subscribe([&](const belay::udp_event &event) {
    port = std::get<belay::udp_opened>(event).port;
  });
  loop.run();
  options.remote = belay::socket_address("127.0.0.1", port);
  std::optional<belay::udp_event> last;
  belay::udp(loop, belay::just(std::string("x")), options)
      .take(2)
      .subscribe([&](const belay::udp_event &event) { last = event; });
  loop.run();
  CHECK_EQUAL(std::get<belay::udp_failed>(*last).error.code(), -ECONNREFUSED);
  CHECK_EQUAL(std::get<belay::udp_failed>(*last).address->second, port);
  options = belay::udp_options();
  options.groups = {"224.0.0.251"};
  options.interface_host = "127.0.0.1";
  options.share = options.broadcast = options.no_loop = true;
  options.multicast_ttl = 2;
  belay::udp(loop, options).take(1).subscribe([&](const belay::udp_event &event) {
    seen(std::holds_alternative<belay::udp_opened>(event));
  });
  loop.run();
  CHECK_EQUAL(seen.take(), "true");
  // There and back.
  for (const belay::udp_event &event :
       {belay::udp_event(belay::udp_opened{"::1", 2}), *last,
        belay::udp_event(belay::datagram("x", "::1", 3)),
        belay::udp_event(belay::udp_failed{std::get<belay::udp_failed>(*last).error, {}})})
    CHECK_EQUAL(belay::value(event).as<belay::udp_event>().index(), event.index());
  const belay::value unknown(
      belay::udp_event(belay::udp_failed{std::get<belay::udp_failed>(*last).error, std::nullopt}));
  CHECK(!std::get<belay::udp_failed>(unknown.as<belay::udp_event>()).address);
  CHECK_ERROR(belay::value(1).as<belay::udp_event>(), BELAY_EKIND);
}
