// Qt: a QSocketNotifier. A callback may run a QEventLoop, as a modal dialogue does.
#include <QCoreApplication>
#include <QEventLoop>
#include <QSocketNotifier>
#include <vector>

// Qt defines `signals`, `slots`, `emit` and `forever` as macros, which the headers do not mind.
#include <belay/testing.h>

#include "guest.h"

using loops = std::vector<QEventLoop *>;

static void enter(void *ctx) {
  auto *running = static_cast<loops *>(ctx);
  QEventLoop loop;
  running->push_back(&loop);
  loop.exec();
  running->pop_back();
}

static void leave(void *ctx) { static_cast<loops *>(ctx)->back()->quit(); }

int main(int argc, char **argv) {
  QCoreApplication application(argc, argv);
  loops running;
  host_loop host = {&running, enter, leave};
  guest *visitor = guest_begin(&host);
  {
    QSocketNotifier notifier(guest_fd(visitor), QSocketNotifier::Read);
    QObject::connect(&notifier, &QSocketNotifier::activated, [visitor] { guest_turn(visitor); });
    enter(&running);
  }
  return guest_end(visitor);
}
