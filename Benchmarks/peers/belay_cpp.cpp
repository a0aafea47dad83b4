// Belay through its C++ binding, with ordinary lambdas; beside belay.c, which sends the same.
#include <belay/belay.hpp>

#include "../bench.h"

using namespace belay::operators;

namespace {

// Counts the end of the callable that has captured it.
class counted {
 public:
  explicit counted(bench_tally &tally) : tally_(&tally) {}
  counted(counted &&other) noexcept : tally_(std::exchange(other.tally_, nullptr)) {}
  ~counted() {
    if (tally_) tally_->ended++;
  }
  void hear(std::int64_t x) const { tally_->heard += static_cast<std::uint64_t>(x); }

 private:
  bench_tally *tally_;
};

template <class Chain>
std::uint64_t send_through(bench_run *run, Chain chain) {
  bench_tally tally = {};
  const belay::subject<std::int64_t> subject;
  chain(subject).subscribe(
      [&tally](std::int64_t x) { tally.heard += static_cast<std::uint64_t>(x); });
  bench_begin(run);
  for (std::uint64_t i = 0; i < run->n; i++) subject.next(static_cast<std::int64_t>(i));
  bench_end(run);
  return bench_checksum(tally);
}

}  // namespace

extern "C" std::uint64_t bench_belay_cpp_emit1(bench_run *run) {
  return send_through(run,
                      [](const auto &subject) -> belay::signal<std::int64_t> { return subject; });
}

extern "C" std::uint64_t bench_belay_cpp_chain3(bench_run *run) {
  const std::int64_t least = 0;
  auto add_one = [](std::int64_t x) { return x + 1; };
  return send_through(run, [&](const auto &subject) {
    return subject | map(add_one) | filter([&least](std::int64_t x) { return least <= x; }) |
           map(add_one);
  });
}

extern "C" std::uint64_t bench_belay_cpp_sub0(bench_run *run) {
  bench_tally tally = {};
  const belay::subject<std::int64_t> subject;
  bench_begin(run);
  for (std::uint64_t i = 0; i < run->n; i++) {
    subject.subscribe([tally = counted(tally)](std::int64_t x) { tally.hear(x); }).dispose();
  }
  bench_end(run);
  subject.next(1);
  return bench_checksum(tally);
}
