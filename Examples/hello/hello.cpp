// hello: a window listens to numbers, and a timer closes the window. The same program, with the
// same output, stands beside this one in every language that Belay is bound to.
#include <belay/belay.hpp>
#include <cstdio>
#include <memory>

using namespace belay::operators;

struct main_window : belay::owner_base {
  explicit main_window(const belay::signal<int> &numbers) {
    numbers.subscribe(*this, [](int n) { std::printf("window sees %d\n", n); });
  }
  ~main_window() {
    end_bindings();
    std::puts("window is closed");
  }
};

int main() {
  belay::loop loop;
  belay::subject<int> numbers;
  auto squares = numbers | filter([](int n) { return n % 2 == 0; }) |
                 map([](int n) { return n * n; });
  auto shown = std::make_unique<main_window>(squares);

  for (int i = 1; i <= 4; i++) numbers.next(i);
  loop.scheduler().after(belay::seconds(0.1), [&] { shown.reset(); });
  loop.run();  // the window goes, and its subscription with it
  std::printf("%zu are listening\n", numbers.count());
}
