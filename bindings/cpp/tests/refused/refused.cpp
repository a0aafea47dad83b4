// None of this compiles. Each statement that ends in a comment `refused:` makes the compiler say
// exactly one error, which contains that text; refused.sh compares.
#include <belay/belay.hpp>
#include <belay/object.hpp>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

using namespace belay::operators;

enum plain_number { one };
enum class color { red };
struct point {
  long x, y;
};

// ---- values that would not arrive whole ----

void send() {
  const long many = 5000000000;
  belay::subject<std::int64_t>().next("three");                 // refused: cannot be sent here
  belay::subject<int>().next(5000000000);                       // refused: cannot be sent here
  belay::subject<int>().next({5000000000});                     // refused: narrowing|cannot be narrowed
  belay::subject<short>().next(1);                              // refused: cannot be sent here
  belay::subject<unsigned>().next(-1);                          // refused: cannot be sent here
  belay::subject<std::uint64_t>().next(1);                      // refused: cannot be sent here
  belay::subject<float>().next(0.5);                            // refused: cannot be sent here
  belay::subject<float>().next(1);                              // refused: cannot be sent here
  belay::subject<double>().next(many);                          // refused: cannot be sent here
  belay::subject<int>().next(2.5);                              // refused: cannot be sent here
  belay::subject<bool>().next("yes");                           // refused: cannot be sent here
  belay::subject<bool>().next(2);                               // refused: cannot be sent here
  belay::subject<color>().next(0);                              // refused: cannot be sent here
  belay::subject<int>().next(color::red);                       // refused: cannot be sent here
  belay::subject<std::string>().next(nullptr);                  // refused: cannot be sent here
  belay::subject<std::string>().next('c');                      // refused: cannot be sent here
  belay::subject<std::vector<int>>().next(5);                   // refused: cannot be sent here
  belay::subject<std::pair<int, int>>().next(std::pair(1, 2L)); // refused: cannot be sent here
  belay::subject<std::tuple<short>>().next(std::tuple(1));      // refused: cannot be sent here
  belay::subject<std::optional<short>>().next(many);            // refused: cannot be sent here
  belay::subject<int *>().next("three");                        // refused: cannot be sent here
  belay::subject<char>().next_all(std::vector<int>{1});         // refused: cannot be sent here
  belay::behavior_subject<char>(2L);                            // refused: cannot be sent here
  belay::property<char>('c').set(2LL);                          // refused: cannot be sent here
  static_cast<void>(belay::property<char>(2U));                 // refused: cannot be sent here
}

void make(const belay::signal<short> &numbers, belay::property<short> property) {
  const long many = 1;
  belay::create<short>([](const belay::subscriber<short> &to) { to.next(1UL); }); // refused: cannot be sent here
  numbers.start_with(short(1), many);                    // refused: cannot be sent here
  numbers.end_with(1LL);                                 // refused: cannot be sent here
  numbers.default_if_empty(1U);                          // refused: cannot be sent here
  numbers.catch_to(1.5);                                 // refused: cannot be sent here
  numbers.contains(1.5f);                                // refused: cannot be sent here
  numbers.scan(1, [](int all, short n) { return all * 1UL * n; });  // refused: cannot be sent here
  numbers.reduce(1, [](int all, short) { return all + 0.5f; });      // refused: cannot be sent here
  property.modify([](short n) { return n * 1.0L; });                   // refused: cannot be sent here
  belay::generate(1, [](int) { return true; }, [](int n) { return n + 1LL; });  // refused: cannot be sent here
  static_cast<void>(belay::event<short>::next(1));       // refused: cannot be used here
}

// ---- receivers that would not get all ----

void receive(const belay::signal<std::int64_t> &numbers) {
  signed char small = 0;
  numbers.subscribe([](int) {});                         // refused: cannot hold every value
  numbers.map([](double x) { return x; });               // refused: cannot hold every value
  numbers.filter([](bool keep) { return keep; });        // refused: cannot hold every value
  numbers.scan(0L, [](long, int n) { return long(n); }); // refused: cannot hold every value
  numbers.bind(small);                                   // refused: cannot hold every value
}

// ---- signals of another type ----

void join(const belay::signal<int> &numbers, const belay::signal<std::string> &words) {
  numbers.merge(words);                                          // refused: send different types
  belay::concat(words, numbers);                                 // refused: send different types
  belay::race(belay::just(1.0), numbers);                        // refused: send different types
  numbers.expand([](int) { return belay::just("x"); });          // refused: signals of the same type
}

// ---- counts that are no integers ----

void count(const belay::signal<int> &numbers, belay::loop &loop) {
  belay::source_options source;
  source.capacity = 1.5L;                                // refused: an integer has to be given here
  numbers.take(2.5);                                     // refused: an integer has to be given here
  numbers.skip(true);                                    // refused: an integer has to be given here
  numbers.element_at('a');                               // refused: an integer has to be given here
  numbers.element_at_or(color::red, 1);                  // refused: an integer has to be given here
  numbers.buffer(1.0f);                                  // refused: an integer has to be given here
  numbers.window(2, L'a');                               // refused: an integer has to be given here
  numbers.repeat(one);                                   // refused: an integer has to be given here
  belay::range(0.5L, 3);                                 // refused: an integer has to be given here
  belay::posix_signal(loop, u'a');                       // refused: an integer has to be given here
}

// ---- callables of another type ----

void call(const belay::signal<int> &numbers, const belay::signal<std::string> &words) {
  numbers.map([](const std::string &text) { return text; });     // refused: cannot be called with what the signal sends
  numbers.filter([](point p) { return p.x > 0; });               // refused: cannot be called with what the signal sends
  numbers.filter([](int n) { return std::to_string(n); });       // refused: must return a bool
  numbers.subscribe([](const std::string &) {});                 // refused: cannot be called with what the signal sends
  numbers.subscribe([](int, int) {});                            // refused: cannot be called with what the signal sends
  numbers.tap([] {});                                            // refused: cannot be called with what the signal sends
  numbers.flat_map([](int n) { return n; });                     // refused: must return a signal
  numbers.scan(0, [](int all) { return all; });                  // refused: cannot be called with what the signal sends
  words.distinct_until_changed([](int, int) { return true; });   // refused: cannot be called with what the signal sends
  words.group_by([](int n) { return n; });                       // refused: cannot be called with what the signal sends
  words.map_error([](int) { return belay::error(-1); });         // refused: cannot be called with what it is given here
  words.map_error([](const belay::error &) { return 1; });       // refused: must return something else
  words.catch_error([](const belay::error &) { return belay::just(1); });  // refused: must return something else
  belay::combine_latest([](int, int) { return 0; }, numbers, words);  // refused: cannot be called with what the signal sends
  belay::defer([](int) { return belay::just(1); });              // refused: cannot be called with what the signal sends
  belay::defer([] { return 1.0; });                              // refused: must return a signal
  belay::create<int>([](int) {});                                // refused: cannot be called with what it is given here
  belay::scheduler::immediate().schedule([](int) {});            // refused: cannot be called with what it is given here
  words.subscribe([](std::string_view) {}, [](int) {});          // refused: on_error takes
}

// ---- views that would outlive their texts, and copies of what cannot be copied ----

void read(const belay::value &kept, const belay::owner &object) {
  kept.as<std::pair<std::string_view, int>>();                   // refused: would outlive the value
  kept.as<std::optional<std::string_view>>();                    // refused: would outlive the value
  kept.as<const char *>();                                       // refused: would outlive the value
  belay::value("x").as<std::string_view>();                      // refused: would outlive the value
  kept.as<const std::vector<int> &>();                           // refused: would outlive the value
  belay::value(point()).as<const point &>();                     // refused: would outlive the value
  belay::get_path<std::tuple<std::string_view>>(object, "name"); // refused: would outlive the value
  belay::get_path<const std::string &>(object, "name");          // refused: would outlive the value
  belay::just(std::vector<std::string_view>());                  // refused: a vector of views
  belay::just(std::pair(std::unique_ptr<int>(), 2)).map([](const auto &) { return 1; });     // refused: cannot be copied
  belay::just(std::optional<std::unique_ptr<int>>()).map([](const auto &) { return 1; });    // refused: cannot be copied
}

void give(std::unique_ptr<int> kept) {
  belay::just(kept);                                             // refused: no copy of this can be made
  belay::just(1).map([&](int) -> const auto & { return kept; }); // refused: no copy of this can be made
}

// ---- fields of other classes ----

struct named {
  int age;
  std::string_view view;
};
struct person : belay::owner_base, named {};
struct shared : virtual named {};
struct ghost : virtual belay::owner_base {
  int age;
};
const belay_field raw[] = {belay::field<&person::age>("age")};   // refused: write belay::field_of
const belay::field_of<point> of_another[] = {belay::field<&person::age>("age")};  // refused: a field of another class
const belay::field_of<shared> of_shared[] = {belay::field<&shared::age>("age")};  // refused: has no fixed place
const belay::field_of<ghost> of_ghost[] = {belay::field<&ghost::age>("age")};     // refused: one owner_base, which is public
const belay::field_of<named> of_view[] = {belay::field<&named::view>("view")};    // refused: that is set would keep no text
