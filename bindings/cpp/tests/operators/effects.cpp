// What is done beside the flow.
#include "../support/sources.hpp"

using check::events;
using check::numbers;
using namespace belay::operators;
using namespace std::chrono_literals;

CASE(effects) {
  check::trace seen;
  events(numbers(2) | tap([&](int n) { seen("tap", n); }) | finally([&] { seen("finally"); }) |
         initially([&] { seen("initially"); }));
  CHECK_EQUAL(seen.take(), "initially | tap 1 | tap 2 | finally");
  events(numbers(1) | tap(belay::observe([&](int n) {
                            seen("next", n);
                          }).on_completed([&] {
                              seen("completed");
                            }).on_disposed([&] { seen("disposed"); })));
  CHECK_EQUAL(seen.take(), "next 1 | completed | disposed");
  events(numbers(1).named("n") |
         log_to([&](std::string_view line) { seen(line); }, nullptr, "here:1"));
  CHECK_EQUAL(seen.take(), "here:1: n: next 1 | here:1: n: completed | here:1: n: disposed");
  CHECK_EQUAL(events(numbers(1) | breakpoint([](int) { return false; },
                                             [](const belay::error &) { return false; },
                                             [] { return false; })),
              "1 | completed");
  CHECK_EQUAL(events(numbers(1) | breakpoint_on_error()), "1 | completed");
}

CASE(a_drawing) {
  belay::drawing drawing(1ms);
  drawing.diagram("keys", "--a--b-|");
  drawing.box("count");
  drawing.row("all");
  drawing.mark(BELAY_MARK_NEXT, 7ms, "2");
  drawing.mark(BELAY_MARK_COMPLETED, 7ms);
  CHECK(drawing.text().find("keys") != std::string::npos);
  CHECK(drawing.svg().find("<svg") != std::string::npos);
  const belay::virtual_time time;
  CHECK_EQUAL(check::events(drawing.record(belay::just(1), "one", time)), "1 | completed");
}
