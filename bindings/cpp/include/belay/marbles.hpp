// Marble tests under virtual time, and drawings of runs: for tests, and for looking at a run
// afterwards. See marbles.h and drawing.h. Both are in libbelay-testing: see testing.h.
#ifndef BELAY_MARBLES_HPP
#define BELAY_MARBLES_HPP

#include <belay/drawing.h>
#include <belay/marbles.h>
#include <belay/scheduler.hpp>
#include <belay/signal.hpp>
#include <initializer_list>
#include <string>
#include <utility>

namespace belay {

// A marble test. It belongs to the thread that makes it. A source belongs to the run that follows.
class marbles {
 public:
  marbles() : handle_(detail::made(belay_marbles_create())) {}
  marbles(const marbles &) = delete;
  marbles &operator=(const marbles &) = delete;
  // Ends everything that still runs.
  ~marbles() { belay_marbles_release(handle_); }

  // The test, borrowed, for functions of C.
  belay_marbles *get() const noexcept { return handle_; }
  // Its virtual time.
  belay::scheduler scheduler() const {
    return belay::scheduler::retain(belay_marbles_get_scheduler(handle_));
  }
  // Gives a letter or digit of the diagrams a meaning.
  template <class T>
  void define(char mark, T &&item) const {
    detail::check(belay_marbles_define(handle_, mark, detail::give(std::forward<T>(item))));
  }
  // A signal that sends the diagram to each subscription, from its beginning on. A digit is an int,
  // a letter a std::string, unless defined otherwise.
  template <class T = int>
  signal<T> cold(const char *diagram) const {
    return signal<T>::adopt(detail::made(belay_marbles_cold(handle_, diagram)));
  }
  // A signal whose events happen even without subscriptions. The test begins at `^`.
  template <class T = int>
  signal<T> hot(const char *diagram) const {
    return signal<T>::adopt(detail::made(belay_marbles_hot(handle_, diagram)));
  }
  // Expects a signal to do what the diagram says; `subscription`, "^---!", tells when it is
  // listened to.
  template <class T>
  void expect(const signal<T> &signal, const char *diagram,
              const char *subscription = nullptr) const {
    detail::check(belay_marbles_expect(handle_, signal.retained(), subscription, diagram));
  }
  // Expects these subscriptions to `source`, one of this test's.
  template <class T>
  void expect_subscriptions(const signal<T> &source,
                            std::initializer_list<const char *> subscriptions) const {
    detail::check(belay_marbles_expect_subscriptions(handle_, source.get(), subscriptions.begin(),
                                                     subscriptions.size()));
  }
  // Lets an hour pass and compares. Throws BELAY_EMISMATCH, whose what() draws both.
  void run() const { detail::check(belay_marbles_run(handle_)); }

 private:
  belay_marbles *handle_;
};

// A run, as rows of marbles.
class drawing
    : public detail::handle<drawing, belay_drawing, belay_drawing_retain, belay_drawing_release> {
 public:
  explicit drawing(seconds frame) : handle(detail::made(belay_drawing_create(frame.count()))) {}
  explicit drawing(empty) noexcept {}

  // Begins a line.
  void row(const char *name) const { detail::check(belay_drawing_row(get(), name)); }
  // Adds a mark to it, `time` after the beginning.
  void mark(belay_mark kind, seconds time, const char *label = "") const {
    detail::check(belay_drawing_mark(get(), kind, time.count(), label));
  }
  // A box with an operator's name.
  void box(const char *text) const { detail::check(belay_drawing_box(get(), text)); }
  // A line that a diagram tells; define() gives its letters labels.
  void diagram(const char *name, const char *marks) const {
    detail::check(belay_drawing_diagram(get(), name, marks));
  }
  void define(char mark, const char *label) const {
    detail::check(belay_drawing_define(get(), mark, label));
  }
  // Begins a line, and gives the same signal, whose subscriptions are drawn there.
  template <class T>
  signal<T> record(const signal<T> &signal, const char *name,
                   const scheduler &clock = scheduler::current()) const {
    return belay::signal<T>::adopt(
        detail::made(belay_drawing_record(get(), clock.get(), signal.retained(), name)));
  }
  // The drawing, as text and as SVG.
  std::string text() const { return written(belay_drawing_text); }
  std::string svg() const { return written(belay_drawing_svg); }

 private:
  std::string written(std::size_t (*write)(belay_drawing *, char *, std::size_t)) const {
    std::string all(write(get(), nullptr, 0), '\0');
    write(get(), all.data(), all.size() + 1);
    return all;
  }
};

}  // namespace belay

#endif
