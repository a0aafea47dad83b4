// Sources of a loop: ticks, descriptors, work, hosts, files, processes.
#include <belay/file.hpp>
#include <belay/lookup.hpp>
#include <belay/process.hpp>
#include <belay/udp.hpp>
#include <belay/watch.hpp>
#include <unistd.h>

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

CASE(udp_sockets) {
  belay::loop loop = belay::loop(belay::loop_options());
  check::trace seen;
  belay::subject<belay::datagram> outgoing;
  belay_udp_options options = BELAY_INIT(belay_udp_options);
  options.host = "127.0.0.1";
  belay::udp(loop, outgoing, options).take(2).subscribe([&](const belay::value &event) {
    const auto parts = event.as<std::tuple<belay::value, std::string, int>>();
    if (std::get<0>(parts).kind() == BELAY_KIND_NULL)
      outgoing.next({"text", std::get<1>(parts), std::uint16_t(std::get<2>(parts))});
    else seen(std::get<0>(parts).as<std::string>());
  });
  loop.run();
  CHECK_EQUAL(seen.take(), "text");
}
