// Streams, listeners and the streams of processes.
#include <belay/process.hpp>
#include <belay/stream.hpp>
#include <cerrno>
#include <fcntl.h>
#include <pty.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <csignal>
#include <cstdlib>
#include <thread>

#include "support/check.hpp"
#include "support/folder.hpp"

using belay::stream;
using check::folder;

namespace {

// A stream, and the other end of its connection.
struct connection {
  int peer;
  stream ours;
  explicit connection(const belay::loop &loop, const belay::stream_options &options = {})
      : connection(loop, ends(), options) {}
  connection(const belay::loop &loop, std::pair<int, int> both,
             const belay::stream_options &options)
      : peer(both.first), ours(loop, both.second, options) {}
  ~connection() { close(peer); }
  static std::pair<int, int> ends() {
    int both[2] = {-1, -1};
    CHECK_EQUAL(socketpair(AF_UNIX, SOCK_STREAM, 0, both), 0);
    return {both[0], both[1]};
  }
  void send(std::string_view text) const {
    CHECK_EQUAL(::send(peer, text.data(), text.size(), MSG_NOSIGNAL), ssize_t(text.size()));
  }
  std::string receive() const {
    char room[64];
    const ssize_t size = recv(peer, room, sizeof room, 0);
    return size < 0 ? "failed" : std::string(room, std::size_t(size));
  }
};

template <class F>
int code_of(F action) {
  try {
    action();
  } catch (const belay::error &error) {
    return error.code();
  }
  return 0;
}

}  // namespace

CASE(an_echo_server_and_its_client) {
  belay::loop loop = belay::loop(belay::loop_options());
  check::trace seen;
  const belay::listener listener = belay::tcp_listen(loop, "127.0.0.1");
  CHECK_EQUAL(listener.address(), "127.0.0.1:" + std::to_string(*listener.port()));
  listener.connections()
      .take(1)
      .flat_map([](const stream &each) { return each.write_all(each.read()); })
      .subscribe();
  belay::tcp_connect(loop, "127.0.0.1", *listener.port())
      .flat_map([&](const stream &each) {
        CHECK_EQUAL(each.peer_address(), listener.address());
        CHECK_EQUAL(each.local_address().substr(0, 10), "127.0.0.1:");
        each.write("one\ntwo\nthr").check();
        each.write("ee").check();
        each.shutdown();
        return each.lines(100);
      })
      .subscribe([&](const std::string &line) { seen(line); }, [](const belay::error &) {},
                 [&] { seen("end"); });
  loop.run();
  CHECK_EQUAL(seen.take(), "one | two | three | end");
}

CASE(unix_sockets_and_what_is_refused) {
  const folder here;
  belay::loop loop = belay::loop(belay::loop_options());
  check::trace seen;
  const auto failed = [&](const belay::error &error) { seen(error.code()); };
  {
    const belay::listener listener = belay::unix_listen(loop, here.file());
    CHECK_EQUAL(listener.address(), here.file());
    CHECK_EQUAL(listener.port().has_value(), false);
    listener.connections().take(1).subscribe([&](const stream &each) { each.write("x").check(); });
    belay::unix_connect(loop, here.file())
        .flat_map([](const stream &each) { return each.read(); })
        .subscribe([&](const std::string &text) { seen(text); }, failed, [&] { seen("end"); });
    loop.run();
    CHECK_EQUAL(seen.take(), "x | end");
    const auto all = listener.connections().subscribe([](const stream &) {});
    listener.connections().subscribe([](const stream &) {}, failed);
    CHECK_EQUAL(seen.take(), std::to_string(BELAY_EBUSY));
    listener.disposable().dispose();
    CHECK_EQUAL(all.is_disposed(), true);
  }
  CHECK_EQUAL(access(here.file().c_str(), F_OK), -1);
  belay::unix_connect(loop, here.file()).subscribe([](const stream &) {}, failed);
  loop.run();
  CHECK_EQUAL(seen.take(), std::to_string(-ENOENT));
  CHECK_EQUAL(code_of([&] { belay::tcp_listen(loop, "localhost"); }), BELAY_EINVAL);
  CHECK_EQUAL(code_of([&] { belay::tcp_connect(loop, "localhost", 65536); }), BELAY_EINVAL);
  const belay::listener one = belay::tcp_listen(loop, "");
  CHECK_EQUAL(code_of([&] { belay::tcp_listen(loop, "", *one.port()); }), -EADDRINUSE);
}

CASE(writing) {
  belay::loop loop = belay::loop(belay::loop_options());
  check::trace seen;
  belay::stream_options options;
  options.write_high = 1000;
  {
    const connection pair(loop, options);
    CHECK_EQUAL(pair.ours.write("now").code(), 0);
    CHECK_EQUAL(pair.receive(), "now");
    pair.ours.shutdown();
    CHECK_EQUAL(pair.receive(), "");
    CHECK_EQUAL(pair.ours.write("x").code(), BELAY_EENDED);
    pair.send("still");
    pair.ours.read().take(1).subscribe([&](const std::string &text) { seen(text); });
    loop.run();
    CHECK_EQUAL(seen.take(), "still");
  }
  const connection pair(loop, options);
  const std::string much(100000, 'x');
  belay::status answer(0);
  while (answer.code() >= 0) answer = pair.ours.write(much);
  CHECK_EQUAL(answer.code(), BELAY_EAGAIN);
  const std::size_t waiting = pair.ours.waiting();
  CHECK_EQUAL(waiting >= 1000, true);
  pair.ours.drained(waiting - 1).subscribe([](belay::unit) {}, [](const belay::error &) {},
                                           [&] { seen("room"); });
  loop.run_nowait();
  CHECK_EQUAL(seen.take(), "");
  std::thread reader([&] {
    char room[4096];
    while (recv(pair.peer, room, sizeof room, 0) > 0) {}
  });
  pair.ours.drained().subscribe([](belay::unit) {}, [](const belay::error &) {}, [&] {
    seen("all");
    pair.ours.disposable().dispose();
  });
  loop.run();
  reader.join();
  CHECK_EQUAL(seen.take(), "room | all");
  CHECK_EQUAL(pair.ours.write("x").code(), BELAY_ECANCELED);
}

CASE(what_it_sends_counts_until_the_value_goes) {
  belay::loop loop = belay::loop(belay::loop_options());
  const connection pair(loop);
  std::vector<belay::value> kept;
  pair.send("12345678");
  pair.ours.read<belay::value>().take(1).subscribe(
      [&](const belay::value &bytes) { kept.push_back(bytes); });
  loop.run();
  CHECK_EQUAL(pair.ours.held(), 72u);
  kept.clear();
  CHECK_EQUAL(pair.ours.held(), 0u);
  // A stream is a value.
  const belay::value carried(pair.ours);
  CHECK_EQUAL(carried.kind(), BELAY_KIND_STREAM);
  CHECK_EQUAL(carried.as<stream>() == pair.ours, true);
}

CASE(threads_write) {
  belay::loop_options persistent;
  persistent.persistent = true;
  belay::loop loop = belay::loop(persistent);
  belay::stream_options options;
  options.write_high = BELAY_UNLIMITED;
  const connection pair(loop, options);
  std::thread writers[2];
  for (auto &each : writers)
    each = std::thread([&] {
      for (int i = 0; i < 500; i++)
        while (pair.ours.write("0123456789").code() == BELAY_EAGAIN) std::this_thread::yield();
    });
  std::thread([&] {
    CHECK_EQUAL(code_of([&] { pair.ours.peer_address(); }), BELAY_EWRONGTHREAD);
  }).join();
  CHECK_EQUAL(pair.ours.peer_address(), "");
  std::size_t got = 0;
  std::thread reader([&] {
    char room[4096];
    while (got < 10000) got += std::size_t(recv(pair.peer, room, sizeof room, 0));
    loop.stop();
  });
  loop.run();
  for (auto &each : writers) each.join();
  reader.join();
  CHECK_EQUAL(got, 10000u);
}

CASE(the_options_of_streams) {
  belay::loop_options quiet;
  quiet.quiet = true;
  belay::loop loop(quiet);
  belay::stream_options options;
  options.keepalive = std::chrono::hours(1);
  options.nodelay = options.reuse_port = options.ipv6_only = true;
  options.backlog = 3;
  options.read_high = 100;
  options.read_low = 10;
  options.label = "desk";
  options.site = "here:1";
  const belay_stream_options raw = belay::detail::raw(options);
  CHECK_EQUAL(raw.keepalive, 3600.0);
  CHECK_EQUAL(raw.nodelay + raw.reuse_port + raw.ipv6_only, 3);
  CHECK_EQUAL(raw.backlog, 3);
  CHECK_EQUAL(raw.read_high, 100u);
  CHECK_EQUAL(raw.read_low, 10u);
  const connection pair(loop, options);
  check::trace seen;
  loop.close([&](const std::vector<belay::open_resource> &left) {
    for (const auto &each : left) seen(each.kind, each.label, each.site);
  });
  CHECK_EQUAL(seen.take(), "stream desk here:1");
}

CASE(fifos_terminals_and_files) {
  const folder here;
  belay::loop loop = belay::loop(belay::loop_options());
  check::trace seen;
  CHECK_EQUAL(mkfifo(here.file().c_str(), 0600), 0);
  CHECK_EQUAL(code_of([&] { stream(loop, here.file(), BELAY_STREAM_WRITE); }), -ENXIO);
  {
    const stream reader(loop, here.file(), BELAY_STREAM_READ);
    reader.read().subscribe([&](const std::string &text) { seen(text); },
                            [](const belay::error &) {}, [&] { seen("end"); });
    stream(loop, here.file(), BELAY_STREAM_WRITE).write("text").check();
    loop.run();
    CHECK_EQUAL(seen.take(), "text | end");
    CHECK_EQUAL(code_of([&] { reader.set_raw(true); }), -ENOTTY);
    CHECK_EQUAL(code_of([&] { reader.window_size(); }), -ENOTTY);
  }
  int theirs = -1, ours = -1;
  winsize size = {24, 80, 0, 0};
  CHECK_EQUAL(openpty(&theirs, &ours, nullptr, nullptr, &size), 0);
  {
    const stream terminal(loop, ours);
    CHECK_EQUAL(terminal.window_size().columns, 80);
    CHECK_EQUAL(terminal.window_size().rows, 24);
    terminal.window_sizes().take(2).subscribe(
        [&](const belay::window_size &now) { seen(now.columns), seen(now.rows); });
    size.ws_row = 25;
    CHECK_EQUAL(ioctl(theirs, TIOCSWINSZ, &size), 0);
    raise(SIGWINCH);
    loop.run();
    CHECK_EQUAL(seen.take(), "80 | 24 | 80 | 25");
    terminal.set_raw(true);
    CHECK_EQUAL(write(theirs, "\003", 1), 1);
    terminal.read().take(1).subscribe([&](const std::string &text) { seen(int(text.at(0))); });
    loop.run();
    CHECK_EQUAL(seen.take(), "3");
    terminal.set_raw(false);
    terminal.close();
  }
  close(theirs);
  const int file = open("/proc/self/exe", O_RDONLY);
  CHECK_EQUAL(code_of([&] { stream(loop, file); }), BELAY_EPERM);
  CHECK_EQUAL(fcntl(file, F_GETFD), -1);
}

CASE(the_streams_of_a_process) {
  belay::loop loop = belay::loop(belay::loop_options());
  check::trace seen;
  belay::process_options options;
  options.input = options.output = BELAY_STDIO_PIPE;
  belay::process(loop, {"sort"}, options).subscribe([&](const belay::process_event &event) {
    if (const auto *child = std::get_if<belay::process_started>(&event)) {
      seen(child->pid > 0);
      seen(child->error.has_value());
      child->input->write("pear\napple\n").check();
      child->output->lines(100).subscribe([&](const std::string &line) { seen(line); });
    } else {
      const auto &end = std::get<belay::process_exited>(event);
      seen(end.status);
      seen(end.signal);
    }
  });
  loop.run();
  const std::string all = seen.take();
  CHECK_EQUAL(all.substr(0, 12), "true | false");
  CHECK_EQUAL(all.find("apple | pear") != std::string::npos, true);
  CHECK_EQUAL(all.find("0 | 0") != std::string::npos, true);
  // There and back.
  const belay::value there(belay::process_event(belay::process_exited{3, 9}));
  const auto back = there.as<belay::process_event>();
  CHECK_EQUAL(std::get<belay::process_exited>(back).signal, 9);
  CHECK_EQUAL(code_of([] { belay::value(1).as<belay::process_event>(); }), BELAY_EKIND);
}
