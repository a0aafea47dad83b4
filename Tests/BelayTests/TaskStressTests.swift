import Belay
import Glibc
import Testing

extension CoreTests {
  /// All of it at once, with random cancellations: nothing is resumed twice, and nothing is left.
  @Suite struct TaskStress {
    private struct Random: RandomNumberGenerator {
      var state: UInt64
      mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ (state >> 33)
      }
    }

    private actor Listener {
      private(set) var count = 0
      func listen(to signal: Signal<Int>) -> Disposable {
        signal.subscribe(
          isolatedTo: self, QueueOptions(.dropOldest, capacity: 16),
          next: { me, _ in
            me.assertIsolated()
            me.count += 1
          })
      }
    }

    /// BELAY_SEED=… repeats a run.
    @Test func randomCancellations() async {
      let seed =
        getenv("BELAY_SEED").flatMap { UInt64(String(cString: $0)) }
        ?? UInt64(clock() &* 2_654_435_761)
      var random = Random(state: seed)
      let subject = BehaviorSubject(0, .shared)
      let isOver = Counter()
      let sender = Routine {
        var value = 0
        while isOver.count == 0 {
          value += 1
          subject.next(value)
          sched_yield()
        }
      }
      let strange = Trace()
      var asked = Array(repeating: 0, count: 8)
      let played = asked.map { _ in Counter() }
      for _ in 0..<3000 {
        let kind = Int.random(in: 0..<8, using: &random)
        asked[kind] += 1
        let task = Task {
          defer { played[kind].add() }
          do {
            try await play(kind, subject)
          } catch is CancellationError {
          } catch let failure as Failure where failure.code == .canceled {
          } catch {
            strange.add("\(kind): \(error)")
          }
        }
        for _ in 0..<Int.random(in: 0..<6, using: &random) { await Task.yield() }
        if kind >= 4 || Bool.random(using: &random) { task.cancel() }
        if Int.random(in: 0..<4, using: &random) == 0 { await task.value }
      }
      // Also for tasks that have not begun yet: the sender must not stop before they have ended.
      var patience = 20_000
      while patience > 0
        && (played.map(\.count) != asked || subject.subscriberCount > 0
          || Live.subscriptions.count > 0)
      {
        try? await Task.sleep(nanoseconds: 1_000_000)
        patience -= 1
      }
      if patience == 0 {
        strange.add("left: \(zip(asked, played).map { $0 - $1.count })")
        strange.add(
          "\(subject.subscriberCount) \(Live.subscriptions.count) \(Live.subscribers.count)")
      }
      isOver.add()
      sender.join()
      #expect(strange.take() == "", "BELAY_SEED=\(seed)")
    }

    /// Kinds from 4 on end only by a cancellation, or take long.
    private func play(_ kind: Int, _ subject: BehaviorSubject<Int>) async throws {
      switch kind {
      case 0: _ = try await subject.firstValue()
      case 1: _ = try await subject.map { $0 + 1 }.take(3).lastValue()
      case 2:
        for try await value in subject.values(QueueOptions(.latest)) where value % 4 == 0 { break }
      case 3:
        let listener = Listener()
        let subscription = await listener.listen(to: subject)
        await Task.yield()
        if Task.isCancelled { subscription.dispose() }
      case 4: _ = try await Signal.merge([subject, Signal<Int>.from { 1 }]).completion()
      case 5:
        let inner = Signal<Int>.from {
          await until { Task.isCancelled }
          throw CancellationError()
        }
        _ = try await inner.singleValue()
      case 6:
        let (elements, stream) = AsyncStream<Int>.makeStream()
        stream.yield(1)
        for try await _ in Signal.from(elements).observe(on: .main).values {}
      default:
        for try await _ in Signal.from(subject.values(QueueOptions(.dropOldest))).values(
          QueueOptions(.dropNewest, capacity: 4))
        {}
      }
    }
  }
}
