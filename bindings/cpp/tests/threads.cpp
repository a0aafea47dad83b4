// Homes: what is sent from other threads, and what ends meanwhile.
#include <pthread.h>
#include <sys/resource.h>
#include <belay/host_loop.hpp>
#include <atomic>
#include <mutex>
#include <thread>

#include "support/check.hpp"

using check::tracked;
using namespace std::chrono_literals;

namespace {

// Runs a loop on a thread of its own until this goes. That thread has the last reference to it.
class background {
 public:
  background() {
    std::atomic<bool> ready{false};
    thread_ = std::thread([this, &ready] {
      belay::loop_options options;
      options.persistent = true;
      loop_ = belay::loop(options);
      ready = true;
      loop_.run();
      while (!stopped_) std::this_thread::yield();
      loop_ = belay::loop::adopt(nullptr);
    });
    while (!ready) std::this_thread::yield();
  }
  ~background() {
    loop_.stop();
    stopped_ = true;
    thread_.join();
  }
  const belay::loop &loop() const { return loop_; }

 private:
  belay::loop loop_ = belay::loop::adopt(nullptr);
  std::atomic<bool> stopped_{false};
  std::thread thread_;
};

// A loop of the program's own: a queue and one timer.
class own_loop : public belay::host_loop {
 public:
  void schedule(belay::host_work work) override {
    const std::lock_guard<std::mutex> guard(lock_);
    work_.push_back(std::move(work));
  }
  void *after(belay::seconds delay, belay::host_work work) override {
    due_ = std::chrono::steady_clock::now() +
           std::chrono::duration_cast<std::chrono::steady_clock::duration>(delay);
    timer_.emplace(std::move(work));
    return &timer_;
  }
  void cancel(void *timer) override {
    CHECK(timer == &timer_);
    timer_.reset();
  }
  // Runs what has come by now, and the timer if it is due.
  void turn() {
    std::vector<belay::host_work> work;
    {
      const std::lock_guard<std::mutex> guard(lock_);
      work.swap(work_);
    }
    for (const belay::host_work &each : work) each();
    if (timer_ && due_ <= std::chrono::steady_clock::now()) {
      const belay::host_work timer = std::move(*timer_);
      timer_.reset();
      timer();
    }
  }

 private:
  std::mutex lock_;
  std::vector<belay::host_work> work_;
  std::optional<belay::host_work> timer_;
  std::chrono::steady_clock::time_point due_;
  tracked alive_;
};

}  // namespace

CASE(values_from_other_threads_come_home) {
  belay::loop loop;
  belay::subject<int> numbers;
  const auto home = std::this_thread::get_id();
  int sum = 0, heard = 0;
  numbers.subscribe([&](int n) {
    CHECK(std::this_thread::get_id() == home);
    sum += n;
    if (++heard == 400) loop.stop();
  });
  const auto keep_running = loop.scheduler().after(60s, [] {});
  std::vector<std::thread> senders;
  for (int i = 0; i < 4; i++)
    senders.emplace_back([&] {
      for (int n = 1; n <= 100; n++)
        while (!numbers.next(n)) std::this_thread::yield();
    });
  loop.run();
  for (auto &sender : senders) sender.join();
  keep_running.dispose();
  CHECK_EQUAL(sum, 4 * 5050);
}

CASE(objects_cross_threads_and_go_once) {
  belay::loop loop;
  belay::subject<tracked> objects;
  int sum = 0;
  objects.subscribe([&](const tracked &object) {
    sum += object.number;
    if (sum == 5050) loop.stop();
  });
  const auto keep_running = loop.scheduler().after(60s, [] {});
  std::thread sender([&] {
    for (int n = 1; n <= 100; n++) CHECK(objects.next(tracked(n)));
  });
  loop.run();
  sender.join();
  keep_running.dispose();
  CHECK_EQUAL(sum, 5050);
  CHECK_EQUAL(tracked::alive.load(), 0);
  CHECK_EQUAL(tracked::copies.load(), 0);
}

CASE(a_disposal_from_another_thread_waits_for_the_callback) {
  background other;
  std::atomic<int> entered{0}, left{0};
  std::atomic<bool> met{false};
  belay::source_options options;
  options.loop = other.loop();
  belay::subject<int> numbers(options);
  belay::disposable end;
  end = numbers.subscribe(belay::observe([&, kept = tracked()](int) {
                            entered++;
                            while (!end.is_disposed()) std::this_thread::yield();
                            left++;
                          }).at(other.loop()));
  for (int i = 0; i < 20; i++) numbers.next(i);
  while (entered == 0) std::this_thread::yield();
  CHECK(end.dispose_sync(60s));
  CHECK_EQUAL(left.load(), 1);
  CHECK_EQUAL(tracked::alive.load(), 0);
  numbers.next(99);
  // The other thread has seen the number before this.
  CHECK(bool(other.loop().post([&] { met = true; })));
  while (!met) std::this_thread::yield();
  CHECK_EQUAL(entered.load(), 1);
}

namespace {
// Its callbacks run elsewhere and use its members.
class remote_listener : public belay::owner_base {
 public:
  remote_listener(const belay::signal<int> &numbers, const belay::loop &home) {
    numbers.subscribe(*this, belay::observe([this](int n) {
                               for (int &place : places_) place = n;
                               std::this_thread::yield();
                               for (const int place : places_) CHECK_EQUAL(place, n);
                             }).at(home));
  }
  ~remote_listener() {
    end_bindings();
    for (int &place : places_) place = -1;
  }

 private:
  int places_[64] = {};
};
}  // namespace

CASE(senders_wait_for_room) {
  belay::loop_options options;
  options.capacity = 2;
  belay::loop loop(options);
  belay::subject<int> numbers;
  int count = 0;
  const auto heard = numbers.subscribe([&count](int n) { CHECK_EQUAL(n, count++); });
  std::atomic<bool> done{false};
  std::thread sender([&] {
    for (int n = 0; n < 100; n++) CHECK(numbers.next_wait(n).queued());
    done = true;
  });
  while (!done) loop.run_nowait();
  sender.join();
  loop.run_nowait();
  CHECK_EQUAL(count, 100);
  std::thread([&] {
    for (int n = 0; n < 2; n++) CHECK(numbers.next_wait(count + n, 0s).queued());
    CHECK_EQUAL(numbers.next_wait(0, 1ms).code(), BELAY_ETIMEDOUT);
    belay::loop own;
    CHECK_EQUAL(numbers.next_wait({1}).code(), BELAY_EDEADLK);
  }).join();
}

CASE(an_owner_s_destructor_waits_for_callbacks_elsewhere) {
  background other;
  belay::source_options options;
  options.loop = other.loop();
  belay::subject<int> numbers(options);
  std::atomic<bool> over{false};
  std::thread sender([&] {
    for (int n = 0; !over; n++)
      if (!numbers.next(n)) std::this_thread::yield();
  });
  for (int i = 0; i < 50; i++) {
    remote_listener one(numbers, other.loop());
    std::this_thread::sleep_for(200us);
  }
  over = true;
  sender.join();
}

CASE(exceptions_on_another_thread_come_home_as_errors) {
  belay::loop loop;
  const belay::worker worker;
  try {
    belay::just(1)
        .observe_on(worker)
        .map([](int) -> int { throw std::out_of_range("elsewhere"); })
        .observe_on(loop)
        .wait_first(loop, 60s);
    CHECK(!"reached");
  } catch (const std::out_of_range &caught) {
    CHECK_EQUAL(std::string(caught.what()), "elsewhere");
  }
}

CASE(a_subscription_does_not_keep_its_loop) {
  check::trace seen;
  {
    belay::loop_options options;
    options.quiet = true;
    const belay::loop loop(options);
    belay::interval(1s).subscribe(
        belay::observe([](std::uint64_t) {}).on_disposed([&] { seen("disposed"); }).at(loop));
    CHECK_EQUAL(seen.take(), "");
  }
  CHECK_EQUAL(seen.take(), "disposed");
  CHECK(!belay_loop_current());
}

CASE(a_shared_subject_has_no_home) {
  belay::source_options options;
  options.shared = true;
  belay::subject<int> numbers(options);
  std::atomic<int> sum{0};
  numbers.subscribe([&](int n) { sum += n; });
  std::vector<std::thread> senders;
  for (int i = 0; i < 4; i++)
    senders.emplace_back([&] {
      for (int n = 0; n < 100; n++) CHECK(numbers.next(1));
    });
  for (auto &sender : senders) sender.join();
  CHECK_EQUAL(sum.load(), 400);
}

CASE(work_on_a_pool_and_a_worker) {
  belay::loop loop;
  const auto here = std::this_thread::get_id();
  std::thread::id ran;
  const int found = belay::start(
                        [&] {
                          ran = std::this_thread::get_id();
                          return 7;
                        },
                        belay::scheduler::pool(loop))
                        .wait_first(loop, 60s);
  CHECK_EQUAL(found, 7);
  CHECK(ran != here);
  std::atomic<int> done{0};
  {
    const belay::worker worker("one");
    worker.scheduler().schedule([&, kept = tracked()] { done++; });
    worker.scheduler().recursive([&](const belay::recursion &again) {
      if (++done < 5) again.again();
    });
    while (done < 5) std::this_thread::yield();
  }
  CHECK_EQUAL(tracked::alive.load(), 0);
  CHECK(belay::scheduler::subscription(belay::scheduler::immediate()).now() >= 0s);
}

CASE(a_worker_has_options) {
  belay::loop_options options;
  options.label = "helper";
  options.capacity = 2;
  std::atomic<bool> runs{false}, goes{false};
  check::trace seen;
  {
    const belay::worker worker(options, 19);
    const belay::scheduler scheduler = worker.scheduler();
    scheduler.schedule([&] {
      char name[16] = "";
      pthread_getname_np(pthread_self(), name, sizeof name);
      seen(name, getpriority(PRIO_PROCESS, 0));
      runs = true;
      while (!goes) std::this_thread::yield();
    });
    while (!runs) std::this_thread::yield();
    const belay::disposable one = scheduler.schedule([] {}), other = scheduler.schedule([] {});
    CHECK_ERROR(scheduler.schedule([] {}), BELAY_EAGAIN);
    one.dispose();
    other.dispose();
    goes = true;
  }
  CHECK_EQUAL(seen.take(), "helper 19");
}

CASE(loops) {
  check::trace seen;
  {
    belay::loop loop;
    CHECK(belay::loop::current() == loop);
    {
      belay::loop_options options;
      options.quiet = true;
      const belay::loop other(options);
      CHECK(other.uv() == loop.uv());
      CHECK(belay::loop::current() == loop);
      other.post([&] { seen("never"); });
      const auto held = belay::value_at(other, tracked());
      std::thread([held] {}).join();
      CHECK_EQUAL(tracked::alive.load(), 1);
    }
    CHECK_EQUAL(tracked::alive.load(), 0);
    belay::loop_options of_another_libuv;
    of_another_libuv.uv_version = 0x20000;
    CHECK_ERROR(belay::loop(of_another_libuv), BELAY_ENOTSUP);
    loop.post([&] { seen("posted"); });
    loop.run();
    const auto timer = loop.scheduler().every(0s, 1ms, [&] { seen("tick"); });
    CHECK(loop.alive());
    while (loop.run_once() && seen.take().empty()) {
    }
    CHECK(loop.fd() >= 0);
    CHECK(loop.backend_fd() >= 0);
    CHECK(loop.uv() != nullptr);
    CHECK(loop.turns() > 0);
    loop.close(
        [&](const std::vector<belay::open_resource> &left) { seen("left", left.size(), left[0].kind); });
    CHECK(!loop.post([&, kept = tracked()] { seen("never"); }));
    CHECK_EQUAL(seen.take(), "left 1 timer");
    CHECK_ERROR(loop.run(), BELAY_ECLOSED);
  }
  CHECK(!belay::loop::current());
}

CASE(a_loop_of_the_programs_own_is_a_home) {
  check::trace seen;
  {
    auto made = std::make_unique<own_loop>();
    own_loop &loop = *made;
    const belay::host_scheduler scheduler(std::move(made));
    CHECK(belay::scheduler::current() == scheduler);
    CHECK_ERROR(belay::host_scheduler(std::make_unique<own_loop>()), BELAY_EBOUND);
    belay::subject<int> numbers;
    const auto home = std::this_thread::get_id();
    int sum = 0;
    numbers.subscribe([&](int n) {
      CHECK(std::this_thread::get_id() == home);
      sum += n;
    });
    std::thread([&] {
      for (int n = 1; n <= 100; n++) CHECK(numbers.next(n));
    }).join();
    CHECK_EQUAL(sum, 0);
    loop.turn();
    CHECK_EQUAL(sum, 5050);
    bool is_over = false;
    scheduler.after(1ms, [&] { is_over = true; });
    while (!is_over) loop.turn();
    const belay::disposable timer = scheduler.every(1h, 1h, [] {});
    timer.set_label("alarm", BELAY_HERE);
    scheduler.close([&](const std::vector<belay::open_resource> &left) {
      seen(left.size(), left[1].kind, left[1].label);
    });
    CHECK_EQUAL(seen.take(), "2 timer alarm");
    CHECK_ERROR(scheduler.schedule([] {}), BELAY_ECANCELED);
    CHECK_ERROR(scheduler.close(), BELAY_ECLOSED);
  }
  CHECK_EQUAL(tracked::alive.load(), 0);
}
