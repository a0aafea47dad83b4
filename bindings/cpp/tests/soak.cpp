// Subscriptions made and ended, a million of them, and while threads send: nothing is left, and the
// process does not grow.
#include <unistd.h>

#include <array>
#include <fstream>
#include <thread>

#include "support/check.hpp"

using namespace belay::operators;

namespace {

// Pages of the process that are in memory, in KiB.
long resident() {
  std::ifstream statm("/proc/self/statm");
  long size = 0, pages = 0;
  statm >> size >> pages;
  return pages * (sysconf(_SC_PAGESIZE) / 1024);
}

// Through everything that allocates: operators, boxed values, strings, exceptions, owners.
long round_of(int count) {
  long heard = 0;
  belay::subject<int> source;
  const auto chain = source | map([&heard](int n) { return n + (heard > 0 ? 1 : 2); }) |
                     filter([](int n) { return n > 0; });
  for (int i = 0; i < count; i += 5) {
    source.subscribe([&heard](int n) { heard += n; }).dispose();
    const belay::scoped_disposable scoped = chain.subscribe([&heard](int n) { heard += n; });
    {
      const belay::owner owner;
      chain.subscribe(owner, [&heard, text = std::string(40, 'x')](int n) {
        heard += n + static_cast<long>(text.size());
      });
      source.next(1);
    }
    belay::from({std::string("a"), std::string("b")}).subscribe([&heard](std::string_view text) {
      heard += static_cast<long>(text.size());
    });
    belay::just(check::tracked(1))
        .map([](const check::tracked &t) -> int {
          if (t.number == 1) throw belay::error(BELAY_ERANGE);
          return t.number;
        })
        .subscribe([](int) {}, [&heard](const belay::error &) { heard++; });
  }
  return heard;
}

}  // namespace

CASE(a_million_subscriptions) {
  const int count = 1000000;
  CHECK(round_of(count / 20) > 0);
  const long before = resident();
  for (int i = 0; i < 10; i++) round_of(count / 10);
  const long after = resident();
  std::printf("%ld KiB before, %ld KiB after %d subscriptions\n", before, after, count);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#if !defined(__has_feature)
#define __has_feature(x) 0
#endif
#if !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)
  CHECK(after <= before + 512);
#endif
#endif
}

CASE(threads_send_while_subscriptions_come_and_go) {
  constexpr int senders = 4, each = 2000;
  using sent = std::pair<int, std::string>;
  belay::loop loop;
  belay::subject<sent> source;
  std::array<int, senders> last = {};
  int heard = 0, rests = 0;
  // In the order of each sender, and none is lost.
  const belay::scoped_disposable counting = source.subscribe([&](const sent &value) {
    const int number = std::stoi(value.second);
    CHECK(number == last[std::size_t(value.first)] + 1);
    last[std::size_t(value.first)] = number;
    if (++heard == senders * each) loop.stop();
  });
  // Each value begins a subscription that the next one ends, by itself or by its owner's death.
  belay::serial_disposable latest;
  belay::owner keeper;
  const belay::scoped_disposable changing = source.subscribe([&](const sent &value) {
    const auto hear = [&rests, text = value.second](const sent &next) {
      rests += next.second == text ? 0 : 1;
    };
    if (value.first % 2) {
      latest.set(source.subscribe(hear));
    } else {
      keeper = belay::owner();
      source.subscribe(keeper, hear);
    }
  });
  const belay::scoped_disposable giving_up =
      loop.scheduler().after(std::chrono::minutes(4), [&loop] { loop.stop(); });
  std::vector<std::thread> threads;
  for (int i = 0; i < senders; i++)
    threads.emplace_back([&source, i] {
      for (int n = 1; n <= each; n++) {
        // The thread's own objects come and go beside it.
        const belay::property<int> own(n);
        while (!source.next(sent(i, std::to_string(n)))) std::this_thread::yield();
      }
    });
  loop.run();
  for (auto &thread : threads) thread.join();
  CHECK_EQUAL(heard, senders * each);
  CHECK(rests > 0);
}
