// A test program is a list of cases. Each must leave the live counts, the objects that it tracked,
// and the number of descriptors, as it found them.
#ifndef CHECK_HPP
#define CHECK_HPP

#include <dirent.h>
#include <unistd.h>
#include <atomic>
#include <belay/belay.hpp>
#include <belay/diagnostics.hpp>
#include <belay/marbles.hpp>

#include <cstdio>
#include <cstring>
#include <initializer_list>
#include <string>
#include <vector>

namespace check {

struct test_case {
  const char *name;
  void (*run)();
};
inline std::vector<test_case> cases;
inline std::atomic<int> failures{0};
inline int add(const char *name, void (*run)()) {
  cases.push_back({name, run});
  return 0;
}

inline void failed(const char *file, int line, const std::string &what) {
  std::fprintf(stderr, "%s:%d: %s\n", file, line, what.c_str());
  failures++;
}

// Functions of few types, because each instantiation is compiled in each program.
inline std::string shown(const std::string &text) { return text; }
inline std::string shown(const char *text) { return text; }
inline std::string shown(std::string_view text) { return std::string(text); }
inline std::string shown(bool is) { return is ? "true" : "false"; }
inline std::string shown_number(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", x);
  return text;
}
template <class T, class = std::enable_if_t<std::is_arithmetic_v<T> || std::is_enum_v<T>>>
std::string shown(T x) {
  if constexpr (std::is_floating_point_v<T>) return shown_number(static_cast<double>(x));
  else if constexpr (std::is_enum_v<T>) return std::to_string(static_cast<long long>(x));
  else return std::to_string(x);
}
// Appends a word, or an entry.
inline void append(std::string &text, const std::string &more, const char *between = " ") {
  if (!text.empty()) text += between;
  text += more;
}
template <class T>
std::string shown(const std::vector<T> &all) {
  std::string text;
  for (const auto &each : all) append(text, shown(each));
  return std::string("[") + text + "]";
}
template <class A, class B>
std::string shown(const std::pair<A, B> &both) {
  return std::string("(") + shown(both.first) + " " + shown(both.second) + ")";
}
template <class... A>
std::string shown(const std::tuple<A...> &all) {
  std::string text;
  std::apply([&](const auto &...each) { (append(text, shown(each)), ...); }, all);
  return std::string("(") + text + ")";
}

inline void unequal(const char *file, int line, const char *text, const std::string &actual,
                    const std::string &expected) {
  failed(file, line, std::string(text) + " is " + actual + ", expected " + expected);
}
inline void equal(const char *file, int line, const char *text, const std::string &actual,
                  const char *expected) {
  if (actual != expected) unequal(file, line, text, actual, expected);
}
template <class A, class B, class = std::enable_if_t<!std::is_convertible_v<B, const char *>>>
void equal(const char *file, int line, const char *text, const A &actual, const B &expected) {
  if (!(actual == expected)) unequal(file, line, text, shown(actual), shown(expected));
}

// An object that is counted, can be copied and moved, and is no struct of C's.
struct tracked {
  static inline std::atomic<int> alive{0};
  static inline std::atomic<int> copies{0};
  explicit tracked(int n = 0) : number(n) { alive++; }
  tracked(const tracked &other) : number(other.number) { alive++, copies++; }
  tracked(tracked &&other) noexcept : number(other.number) { alive++; }
  tracked &operator=(const tracked &) = default;
  ~tracked() { alive--; }
  bool operator==(const tracked &other) const { return number == other.number; }
  bool operator<(const tracked &other) const { return number < other.number; }
  int number;
};

// What happened, in order, joined by " | ". For any thread.
class trace {
 public:
  template <class... A>
  void operator()(const A &...all) {
    add({shown(all)...});
  }
  void add(std::initializer_list<std::string> words) {
    std::string entry;
    for (const std::string &word : words) append(entry, word);
    append(text_, entry, " | ");
  }
  std::string take() { return std::exchange(text_, std::string()); }

 private:
  std::string text_;
};

// All events of a signal that ends at once.
template <class T>
std::string events(const belay::signal<T> &signal) {
  trace seen;
  signal.subscribe([&](const T &x) { seen(x); },
                   [&](const belay::error &e) { seen("error", e.name()); },
                   [&] { seen("completed"); });
  return seen.take();
}

inline int descriptors() {
  int count = 0;
  DIR *all = opendir("/proc/self/fd");
  while (all && readdir(all)) count++;
  if (all) closedir(all);
  return count;
}
// How many descriptors more there are than `before`. Another thread may be about to give back what
// it has, such as that of a lookup.
inline int left_descriptors(int before) {
  for (int i = 0; descriptors() != before && i < 10000; i++) usleep(1000);
  return descriptors() - before;
}

inline int run(int argc, char **argv) {
  int passed = 0, bad = 0;
  // libuv keeps the descriptors that the first loop opens.
  belay::loop().close();
  for (const test_case &each : cases) {
    if (argc > 1 && !std::strstr(each.name, argv[1])) continue;
    std::size_t before[BELAY_LIVE_KINDS];
    failures = 0;
    belay_last_error();
    belay_last_error();  // the first one's error is given back here
    for (int kind = 0; kind < BELAY_LIVE_KINDS; kind++)
      before[kind] = belay_live_count(static_cast<belay_live_kind>(kind));
    const int objects = tracked::alive;
    const int open = descriptors();
    tracked::copies = 0;
    try {
      each.run();
    } catch (const std::exception &thrown) {
      failed(each.name, 0, std::string("threw ") + thrown.what());
    }
    belay_last_error();
    belay_last_error();
    // Slots in static tables keep their closures, and classes their hooks.
    for (int kind = 0; kind < BELAY_LIVE_CLOSURES; kind++) {
      const std::size_t after = belay_live_count(static_cast<belay_live_kind>(kind));
      if (after != before[kind])
        failed(each.name, 0,
               std::string("left ") +
                   shown(static_cast<long long>(after) - static_cast<long long>(before[kind])) +
                   " " + belay_live_kind_name(static_cast<belay_live_kind>(kind)));
    }
    if (const int left = left_descriptors(open))
      failed(each.name, 0, std::string("left ") + shown(left) + " descriptors");
    if (tracked::alive != objects)
      failed(each.name, 0, std::string("left ") + shown(tracked::alive - objects) + " objects");
    std::printf("%s %s\n", failures ? "FAILED" : "ok    ", each.name);
    (failures ? bad : passed)++;
  }
  std::printf("%d passed, %d failed\n", passed, bad);
  return bad != 0;
}

}  // namespace check

#define CASE(name)                                                          \
  static void name();                                                       \
  [[maybe_unused]] static const int added_##name = check::add(#name, name); \
  static void name()
#define CHECK(condition) ((condition) ? void() : check::failed(__FILE__, __LINE__, #condition))
#define CHECK_EQUAL(actual, expected) \
  check::equal(__FILE__, __LINE__, #actual, (actual), (expected))
// The expression throws that type; its value is what `with` gets.
#define CHECK_THROWS(expression, type, with)                                   \
  do {                                                                         \
    try {                                                                      \
      static_cast<void>(expression);                                           \
      check::failed(__FILE__, __LINE__, #expression " throws nothing");        \
    } catch (const type &caught) {                                             \
      with;                                                                    \
    } catch (...) {                                                            \
      check::failed(__FILE__, __LINE__, #expression " throws something else"); \
    }                                                                          \
  } while (0)
#define CHECK_ERROR(expression, expected) \
  CHECK_THROWS(expression, belay::error, CHECK_EQUAL(caught.code(), expected))

int main(int argc, char **argv) { return check::run(argc, argv); }

#endif
