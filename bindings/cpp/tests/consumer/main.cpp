// Somebody else's program.
#include <belay/belay.hpp>

int main() {
  using namespace belay::operators;
  belay::loop loop;
  const int sum =
      (belay::from({1, 2, 3}) | map([](int n) { return n * n; }) | reduce(0, [](int a, int b) {
         return a + b;
       })).wait_first(loop);
  return sum == 14 ? 0 : 1;
}
