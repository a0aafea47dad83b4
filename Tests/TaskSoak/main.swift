// task-soak [COUNT]: each bridge between signals and tasks is crossed COUNT times, a million unless
// told otherwise; prints how the resident size has grown since a warm-up, and fails when it has.
import Belay
import BelayLoop
import Foundation

let count = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 1_000_000
let limit = 4096

/// Waits until the tasks that are on their way out have ended, so that nothing is alive any more.
func settled() async {
  for _ in 0..<10_000
  where Live.subscriptions.count + Live.subscribers.count + Live.disposables.count > 0 {
    try? await Task.sleep(nanoseconds: 1_000_000)
  }
}

actor Listener {
  var heard = 0
  func listen(_ signal: SharedSignal<Int>) -> Disposable {
    signal.subscribe(isolatedTo: self, next: { me, value in me.heard += value })
  }
}

/// The rounds subscribe to it and send into it, on any thread.
let subject = SharedSubject(.current(1))
let worker = try Worker()
let listener = Listener()
let rounds: [(String, () async throws -> Void)] = [
  ("firstValue", { _ = try await subject.firstValue() }),
  ("firstValue of a cold signal", { _ = try await Signal.just(1).map { $0 + 1 }.firstValue() }),
  ("for try await", { for try await _ in subject.values { break } }),
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
  ("on an actor", { await listener.listen(subject).dispose() }),
  (
    "an actor that ends",
    {
      let listener = Listener()
      _ = await listener.listen(subject)
    }
  ),
]

var failed = 0
for (name, round) in rounds {
  for _ in 0..<max(1000, count / 50) { try await round() }
  await settled()
  let before = residentKilobytes()
  let start = ContinuousClock.now
  for _ in 0..<count { try await round() }
  let each = Int((ContinuousClock.now - start) / .nanoseconds(1)) / count
  await settled()
  let grown = residentKilobytes() - before
  let isFlat = grown < limit && Live.subscriptions.count == 0 && subject.subscriberCount == 0
  if !isFlat { failed += 1 }
  print("\(isFlat ? "flat  " : "GROWN ") \(grown) KB, \(each) ns each: \(name)")
}
print("\(rounds.count - failed) passed, \(failed) failed")
exit(failed == 0 ? 0 : 1)
