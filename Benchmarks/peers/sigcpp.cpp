// libsigc++ 3, as one uses it: functors, connections, trackable.
#include <sigc++/sigc++.h>

#include <cstdint>
#include <vector>

#include "../bench.h"

namespace {

using Signal = sigc::signal<void(std::int64_t)>;

struct Hear {
  bench_tally *tally;
  void operator()(std::int64_t value) const { tally->heard += static_cast<std::uint64_t>(value); }
};

// emit: per delivery.
std::uint64_t emit_to(bench_run *run, std::uint64_t subscribers) {
  std::vector<bench_tally> tallies(subscribers);
  Signal signal;
  for (auto &tally : tallies) signal.connect(Hear{&tally});
  const std::uint64_t emissions = run->n / subscribers;
  bench_begin(run);
  for (std::uint64_t i = 0; i < emissions; i++) signal.emit(static_cast<std::int64_t>(i));
  bench_end(run);
  return bench_checksum({bench_heard_by(tallies.data(), subscribers), 0});
}

std::uint64_t emit1(bench_run *run) { return emit_to(run, 1); }
std::uint64_t emit10(bench_run *run) { return emit_to(run, 10); }
std::uint64_t emit1000(bench_run *run) { return emit_to(run, 1000); }

// sub: connect, disconnect. There is no ctx_free: the functor dies with its slot.
std::uint64_t subscribe_beside(bench_run *run, int others) {
  bench_tally tally{};
  Signal signal;
  for (int i = 0; i < others; i++) signal.connect(Hear{&tally});
  bench_begin(run);
  for (std::uint64_t i = 0; i < run->n; i++) {
    sigc::connection connection = signal.connect(Hear{&tally});
    connection.disconnect();
    tally.ended++;
  }
  bench_end(run);
  signal.emit(1);
  return bench_checksum(tally);
}

std::uint64_t sub0(bench_run *run) { return subscribe_beside(run, 0); }
std::uint64_t sub1000(bench_run *run) { return subscribe_beside(run, BENCH_CROWD); }

// bag10k: a vector of connections, disconnected in order and emptied. Timed: that alone.
std::uint64_t bag10k(bench_run *run) {
  bench_tally tally{};
  Signal signal;
  std::vector<sigc::connection> bag;
  bag.reserve(BENCH_BAG);
  for (std::uint64_t done = 0; done < run->n; done += BENCH_BAG) {
    for (int i = 0; i < BENCH_BAG; i++) bag.push_back(signal.connect(Hear{&tally}));
    bench_begin(run);
    for (auto &connection : bag) {
      connection.disconnect();
      tally.ended++;
    }
    bag.clear();
    bench_end(run);
    signal.emit(1);
  }
  return bench_checksum(tally);
}

// own: a trackable on the heap with destroy notifications, deleted.
struct Owner : sigc::notifiable {
  sigc::trackable trackable;
  bench_tally *tally;
};

void count_end(sigc::notifiable *data) { static_cast<Owner *>(data)->tally->ended++; }

std::uint64_t own_with(bench_run *run, int hooks) {
  bench_tally tally{};
  bench_begin(run);
  for (std::uint64_t i = 0; i < run->n; i++) {
    auto *owner = new Owner;
    owner->tally = &tally;
    for (int k = 0; k < hooks; k++) owner->trackable.add_destroy_notify_callback(owner, count_end);
    delete owner;
  }
  bench_end(run);
  return bench_checksum(tally);
}

std::uint64_t own1(bench_run *run) { return own_with(run, 1); }
std::uint64_t own10(bench_run *run) { return own_with(run, 10); }

// heap: connections with a context pointer; the handles' own storage is not counted.
std::uint64_t heap(bench_run *run) {
  bench_tally tally{};
  Signal signal;
  std::vector<sigc::connection> handles;
  handles.reserve(run->n);
  const std::uint64_t before = bench_heap_in_use();
  for (std::uint64_t i = 0; i < run->n; i++) handles.push_back(signal.connect(Hear{&tally}));
  run->amount += bench_heap_in_use() - before;
  signal.emit(1);
  return bench_checksum(tally);
}

const bench_entry entries[] = {
    {"heap", heap},
    {"emit1", emit1},
    {"emit10", emit10},
    {"emit1000", emit1000},
    {"sub0", sub0},
    {"sub1000", sub1000},
    {"bag10k", bag10k},
    {"own1", own1},
    {"own10", own10},
    {nullptr, nullptr}};

}  // namespace

extern "C" const bench_peer bench_sigcpp = {"sigc++", entries};
