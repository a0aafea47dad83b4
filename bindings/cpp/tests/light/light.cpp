// The program whose cost light.sh bounds.
#include <belay/belay.hpp>
#include <cstdio>

int main() {
  belay::subject<int> numbers;
  numbers.map([](int n) { return n * 2; })
      .filter([](int n) { return n > 2; })
      .subscribe([](int n) { std::printf("%d\n", n); });
  numbers.next(1);
  numbers.next(2);
}
