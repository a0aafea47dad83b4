// Tables of functions of C, intercepted.
#include <belay/interception.hpp>

#include <stdexcept>

#include "support/check.hpp"

namespace {

struct stream;
struct ops {
  int (*add)(stream *self, int a, long b);
  void (*close)(stream *self);
  double (*half)(double number);
  void (*tell)(const char *text, stream *self, char *buffer);
};
struct stream {
  const ops *table;
  const ops *delegate;
  int sum;
};

int add(stream *self, int a, long b) { return self->sum = a + static_cast<int>(b); }
void close(stream *self) { self->sum = -1; }
double half(double number) { return number / 2; }
void tell(const char *, stream *self, char *) { self->sum = 7; }
const ops full = {add, close, half, tell};

const belay_method methods[] = {
    belay::method<&ops::add>("add"),
    belay::method<&ops::close>("close"),
    belay::method<&ops::half>("half"),
    belay::method<&ops::tell, 1>("tell"),
};
void install(stream *of, const ops *table) { of->delegate = table; }
const ops *installed(stream *of) { return of->delegate; }

belay::interface<ops> the_interface() {
  belay::interface_options options =
      belay::interface<ops>::delegate<stream, &install, &installed>();
  options.table_offset = offsetof(stream, table);
  return belay::interface<ops>("ops", methods, options);
}

}  // namespace

CASE(an_interface_tells_its_methods) {
  const belay::interface<ops> interface = the_interface();
  CHECK_EQUAL(std::string(interface.name()), "ops");
  CHECK_EQUAL(interface.methods().size(), 4u);
  CHECK_EQUAL(std::string(interface.methods()[0].shape), "i@iq");
  CHECK_EQUAL(std::string(interface.methods()[2].shape), "dd");
  CHECK_EQUAL(std::string(interface.methods()[3].shape), "v*@p");
  CHECK_ERROR((interface.method_name<&ops::tell, 2>()), BELAY_EKIND);
}

CASE(a_table_inside_of_another_begins_where_that_begins) {
  struct first {
    void (*begin)(stream *self);
  };
  struct both : first, ops {};
  const belay_method all[] = {belay::method<&both::close>("close")};
  const belay::interface<both> interface("both", all);
  CHECK_ERROR(interface.method_name<&both::close>(), BELAY_EINVAL);
}

CASE(calls_of_a_table_are_seen_and_changed) {
  check::trace seen;
  ops table = full;
  stream it = {&table, nullptr, 0};
  const belay::interface<ops> interface = the_interface();
  const auto slot = interface.slot<&ops::add>(table);
  {
    const belay::scoped_disposable sent = slot.sent().subscribe(
        [&](const std::tuple<int, long> &arguments) { seen("sent", arguments); });
    const belay::scoped_disposable invoked = slot.invoked().subscribe(
        [&](const std::tuple<int, long, int> &all) { seen("invoked", all); });
    const belay::scoped_disposable connected =
        slot.connect([&, kept = check::tracked()](int a, long b) { seen("connected", a, b); });
    const belay::scoped_disposable around = slot.around([&](auto &call) {
      CHECK(call.object() == &it);
      call.template set<0>(call.template argument<0>() * 10);
      call.proceed();
      call.set_result(call.result() + 1);
    });
    CHECK_EQUAL(table.add(&it, 1, 2), 13);
  }
  CHECK_EQUAL(check::tracked::alive.load(), 0);
  CHECK_EQUAL(seen.take(), "sent (1 2) | connected 1 2 | invoked (1 2 13)");
  CHECK(table.add == add);
  CHECK(slot.original() == &add);
  CHECK(slot.status());

  const auto closing = interface.slot<&ops::close>(table);
  const belay::scoped_disposable closed =
      closing.sent().subscribe([&](belay::unit) { seen("close"); });
  table.close(&it);
  const auto halving = interface.slot<&ops::half>(table);
  const belay::scoped_disposable halved =
      halving.connect([&](double number) { seen("half of", number); });
  CHECK_EQUAL(table.half(3), 1.5);
  const auto telling = interface.slot<&ops::tell, 1>(table);
  const belay::scoped_disposable told =
      telling.invoked().subscribe([&](const std::tuple<std::optional<std::string>, void *> &all) {
        seen(std::get<0>(all).value_or("null"), std::get<1>(all) == nullptr);
      });
  table.tell("text", &it, nullptr);
  table.tell(nullptr, &it, nullptr);
  CHECK_EQUAL(seen.take(), "close | half of 3 | text true | null true");
  belay::table_gone(&table);
  CHECK_EQUAL(slot.status().code(), BELAY_EDEAD);
}

CASE(an_exception_of_an_interceptor_is_recorded) {
  ops table = full;
  const belay::interface<ops> interface = the_interface();
  const auto slot = interface.slot<&ops::half>(table);
  const belay::scoped_disposable around =
      slot.around([](auto &) { throw std::out_of_range("veto"); });
  CHECK_EQUAL(table.half(3), 0.0);
  CHECK_EQUAL(belay::error::last().code(), BELAY_ERANGE);
  belay::table_gone(&table);
}

CASE(a_proxy_answers_for_a_delegate) {
  check::trace seen;
  stream it = {&full, nullptr, 0};
  {
    const belay::owner owner(&it, nullptr, nullptr);
    const belay::proxy<ops> proxy(owner, the_interface());
    const auto slot = proxy.slot<&ops::add>();
    CHECK(!it.delegate || !it.delegate->add);
    const belay::disposable one =
        slot.respond([](auto &call) { return call.template argument<0>(); });
    const belay::disposable other = slot.respond([](auto &) { return 5; });
    slot.set_combiner([](const std::vector<int> &answers) {
      int sum = 0;
      for (const int each : answers) sum += each;
      return sum;
    });
    CHECK(it.delegate == proxy.table());
    CHECK_EQUAL(it.delegate->add(&it, 1, 2), 6);
    slot.set_combiner(nullptr);
    CHECK_EQUAL(it.delegate->add(&it, 1, 2), 1);
    one.dispose();
    other.dispose();
    slot.set_default(9);
    const belay::disposable seen_by =
        slot.sent().subscribe([&](const std::tuple<int, long> &all) { seen(all); });
    CHECK_EQUAL(it.delegate->add(&it, 3, 4), 9);
    proxy.forward_to(&full);
    CHECK_EQUAL(it.delegate->add(&it, 3, 4), 7);
    {
      const belay::scoped_disposable all = proxy.around([&](const belay::any_invocation &call) {
        seen(call.method(), call.count(), call.context() == &it);
        call.proceed();
      });
      CHECK_EQUAL(it.delegate->add(&it, 3, 4), 7);
    }
    proxy.forward_to(nullptr);
  }
  CHECK_EQUAL(seen.take(), "(3 4) | (3 4) | (3 4) | add 2 true");
  CHECK(it.delegate == nullptr);
}

CASE(an_object_that_throws_when_it_is_asked_for_its_table) {
  struct shy {
    const ops *delegate;
    void install(const ops *table) { delegate = table; }
    const ops *installed() const { throw std::runtime_error("not now"); }
  };
  check::trace seen;
  belay::on_unhandled_error([&](const belay::error &failure, const char *, const char *) {
    seen(failure.what());
  });
  shy it = {nullptr};
  {
    const belay::owner owner(&it, nullptr, nullptr);
    const belay::interface<ops> interface(
        "ops", methods, belay::interface<ops>::delegate<shy, &shy::install, &shy::installed>());
    const belay::proxy<ops> proxy(owner, interface);
    CHECK(it.delegate == proxy.table());
    CHECK_EQUAL(seen.take().substr(0, 7), "not now");
  }
  belay::on_unhandled_error(nullptr);
}

CASE(a_delegate_of_an_object_with_an_owner_base) {
  struct window : belay::owner_base {
    virtual ~window() { end_bindings(); }
    void install(const ops *table) { delegate = table; }
    const ops *installed() { return delegate; }
    int before = 7;
    const ops *delegate = nullptr;
  };
  window it;
  CHECK(it.owner().object() != &it);
  const auto options =
      belay::interface<ops>::delegate<window, &window::install, &window::installed>();
  const belay::proxy<ops> proxy(it, belay::interface<ops>("ops", methods, options));
  const belay::disposable half = proxy.slot<&ops::half>().respond([](auto &) { return 0.5; });
  CHECK(it.delegate == proxy.table());
  CHECK_EQUAL(it.delegate->half(3), 0.5);
  half.dispose();
  CHECK_EQUAL(it.before, 7);
}

CASE(calls_are_made_sent_and_forwarded) {
  check::trace seen;
  const belay::interface<ops> interface = the_interface();
  stream it = {&full, nullptr, 0}, other = {&full, nullptr, 0};
  const belay::owner owner(&it, nullptr, nullptr), target(&other, nullptr, nullptr);
  auto call = interface.invocation<&ops::add>();
  CHECK_EQUAL(std::string(call.method()), "add");
  CHECK_EQUAL(call.count(), 2u);
  call.set<0>(20);
  call.set<1>(22L);
  call.set_context(&it);
  call.call(&add);
  CHECK_EQUAL(call.result(), 42);
  CHECK_EQUAL(it.sum, 42);
  belay::responder().table(interface, full).set(target);
  belay::responder()
      .resolve([](const char *) -> belay_function { return nullptr; })
      .target([&target](const char *method) {
        return std::string(method) == "add" ? &target : nullptr;
      })
      .forward([&seen, kept = check::tracked()](belay::any_invocation &forwarded) {
        seen("forwarded", std::string(forwarded.method()));
        return std::string(forwarded.method()) == "close";
      })
      .set(owner);
  CHECK(belay::responds(owner, "add"));
  CHECK(!belay::responds(owner, "close"));
  call.send(owner);
  CHECK_EQUAL(other.sum, 42);
  interface.invocation<&ops::close>().send(owner);
  CHECK_ERROR(interface.invocation<&ops::half>().send(owner), BELAY_ENOENT);
  CHECK_EQUAL(seen.take(), "forwarded close | forwarded half");
  call.retain_arguments();
}

CASE(the_slot_of_one_object_leaves_the_others) {
  ops table = full;
  stream it = {&table, nullptr, 0}, other = {&table, nullptr, 0};
  const belay::owner owner(&it, nullptr, nullptr);
  const auto slot = the_interface().slot<&ops::add>(owner);
  const belay::disposable vetoed = slot.around([](auto &call) { call.set_result(-1); });
  CHECK_EQUAL(it.table->add(&it, 1, 2), -1);
  CHECK_EQUAL(other.table->add(&other, 1, 2), 3);
  vetoed.dispose();
  CHECK_EQUAL(it.table->add(&it, 1, 2), 3);
}
