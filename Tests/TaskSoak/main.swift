// task-soak [COUNT]: each bridge between signals and tasks is crossed COUNT times, a million unless
// told otherwise, and a fifth of that by several tasks while threads and tasks send into what they
// subscribe to. Prints how the resident size has grown since a warm-up, and fails when it has, when
// an object is left, and when a value that was sent is lost or out of order.
import Belay
import BelayLoop
import Foundation

let count = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 1_000_000
/// In KB.
let limit = 4096

/// Waits until the tasks that are on their way out have ended, so that nothing is alive but what goes
/// on all the time.
func settled(_ resting: Int) async -> Bool {
  for _ in 0..<10_000 {
    if Live.total <= resting { return true }
    try? await Task.sleep(nanoseconds: 1_000_000)
  }
  return false
}

actor Listener {
  var heard = 0
  func listen(_ signal: SharedSignal<Sent>) -> Disposable {
    signal.subscribe(isolatedTo: self, next: { me, value in me.heard += value.number })
  }
}

typealias Round = @Sendable () async throws -> Void

let current = SharedSubject(.current(Sent(sender: 0, number: 1)))
let worker = try Worker()
let listener = Listener()
let alone: [(String, Round)] = [
  ("firstValue", { _ = try await current.firstValue() }),
  ("firstValue of a cold signal", { _ = try await Signal.just(1).map { $0 + 1 }.firstValue() }),
  ("for try await", { for try await _ in current.values { break } }),
  ("for try await, cold", { for try await _ in Signal.from([1, 2]).map({ $0 }).values {} }),
  (
    "firstValue at a loop",
    { _ = try await Signal<Int>.just(1).firstValue(on: worker.scheduler) }
  ),
  ("from a closure", { _ = try await Signal<Int>.from { 1 }.firstValue() }),
  (
    "cancelled",
    {
      let task = Task { try await Signal<Int>.never().firstValue() }
      task.cancel()
      _ = await task.result
    }
  ),
  (
    "a task's disposable",
    {
      let task = Task {}
      task.disposable.dispose()
      await task.value
    }
  ),
  ("on an actor", { await listener.listen(current).dispose() }),
  (
    "an actor that ends",
    {
      let listener = Listener()
      _ = await listener.listen(current)
    }
  ),
]

/// The senders send into it, and the rounds subscribe to it.
let sent = SharedSubject<Sent>()
let senders = Senders()
let amidst: [(String, Round)] = [
  ("firstValue", { _ = try await sent.firstValue() }),
  (
    "for try await",
    {
      var rest = 3
      for try await _ in sent.values(QueueOptions(.dropOldest)) {
        rest -= 1
        if rest == 0 { break }
      }
    }
  ),
  (
    "a chain",
    {
      let mine = sent.chain { $0.filter { $0.sender > 0 }.map { $0.number }.take(2) }
      _ = try await mine.lastValue()
    }
  ),
  (
    "at a loop",
    { _ = try await sent.observe(on: worker.scheduler).take(2).lastValue() }
  ),
  (
    "cancelled",
    {
      let task = Task { for try await _ in sent.values(QueueOptions(.latest)) {} }
      if Bool.random() { await Task.yield() }
      task.cancel()
      _ = await task.result
    }
  ),
  ("disposed at once", { sent.subscribe(next: { _ in }).dispose() }),
  (
    "on an actor",
    {
      await listener.listen(sent).dispose()
      // Its end is a job of the actor's, which three tasks would else outrun.
      _ = await listener.heard
    }
  ),
  (
    "an actor that ends",
    {
      let listener = Listener()
      _ = await listener.listen(sent)
      await Task.yield()
    }
  ),
  (
    "a lent subscriber",
    {
      let lent = Signal<Sent>.create { subscriber in
        senders.lend(subscriber)
        return nil
      }
      _ = try await lent.take(2).lastValue()
    }
  ),
]

var failed = 0

@MainActor func tell(_ isRight: Bool, _ text: String) {
  print("\(isRight ? "flat  " : "GROWN ") \(text)")
  if isRight { return }
  failed += 1
  print("alive: \(Live.allCases.filter { $0.count > 0 }.map { "\($0.count) \($0)" })")
}

/// Crosses `round` COUNT times, by `width` tasks at once. What waits for a busy machine is no leak: it
/// grows once, and a leak each time.
@MainActor func soak(
  _ name: String, _ count: Int, by width: Int, resting: Int, _ round: @escaping Round
) async throws {
  @Sendable func cross(_ count: Int) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<width { group.addTask { for _ in 0..<(count / width) { try await round() } } }
      try await group.waitForAll()
    }
  }
  try await cross(max(1000, count / 50))
  _ = await settled(resting)
  var isSettled = true, grown = limit, each = 0
  for _ in 0..<5 where isSettled && grown >= limit {
    let before = residentKilobytes()
    let start = ContinuousClock.now
    try await cross(count)
    each = Int((ContinuousClock.now - start) / .nanoseconds(1)) / count
    isSettled = await settled(resting)
    grown = residentKilobytes() - before
  }
  tell(
    isSettled && grown < limit && current.subscriberCount == 0,
    "\(grown) KB, \(each) ns each: \(name)")
}

_ = try await Signal<Int>.just(1).firstValue(on: worker.scheduler)
// The listener keeps what its end would end. Its next job comes after the disposal.
await listener.listen(current).dispose()
_ = await listener.heard
let idle = Live.total
for (name, round) in alone { try await soak(name, count, by: 1, resting: idle, round) }
let listening = senders.start(sent)
let resting = Live.total
for (name, round) in amidst {
  try await soak("\(name), amidst sends", count / 5, by: 3, resting: resting, round)
}
await senders.stop()
tell(senders.complaint == nil, "\(senders.total) values sent: \(senders.complaint ?? "each came")")
listening.dispose()
let isEmpty = await settled(idle)
tell(
  isEmpty && sent.subscriberCount == 0,
  "\(Live.total - idle) left, \(sent.subscriberCount) subscribed")
let rounds = alone.count + amidst.count + 2
print("\(rounds - failed) passed, \(failed) failed")
exit(failed == 0 ? 0 : 1)
