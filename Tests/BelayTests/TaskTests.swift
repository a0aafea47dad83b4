import Belay
import Testing

extension CoreTests {
  /// Tasks as signals, as disposables, and bound.
  @Suite struct Tasks {
    struct Mishap: Error, Equatable {}

    let trace = Trace()

    // MARK: A task's result as a signal

    @Test func from_theResultThenTheEnd() async throws {
      let signal = Signal<Int>.from {
        await Task.yield()
        return 7
      }
      #expect(try await signal.singleValue() == 7)
      // Each subscription has a task of its own.
      let count = Counter()
      let counted = Signal<Int>.from {
        count.add()
        return count.count
      }
      #expect(count.count == 0)
      #expect(try await counted.firstValue() == 1)
      #expect(try await counted.firstValue() == 2)
    }

    @Test func from_whatItThrows() async {
      let failing = Signal<Int>.from { throw Failure(.range) }
      var failure = await #expect(throws: Failure.self) { try await failing.firstValue() }
      #expect(failure?.code == .range)
      let mishap = Signal<Int>.from { throw Mishap() }
      await #expect(throws: Mishap.self) { try await mishap.firstValue() }
      let cancelled = Signal<Int>.from { throw CancellationError() }
      failure = await #expect(throws: Failure.self) { try await cancelled.firstValue() }
      #expect(failure?.code == .canceled)
    }

    @Test func from_aDisposalCancelsTheTask() async {
      let isRunning = Counter()
      let signal = Signal<Int>.from { [trace] in
        isRunning.add()
        await until { Task.isCancelled }
        trace.add("cancelled")
        return 1
      }
      let subscription = signal.watch(trace)
      await until { isRunning.count == 1 }
      subscription.dispose()
      await until { Live.subscribers.count == 0 }
      let seen = trace.take()
      #expect(seen.contains("disposed") && seen.contains("cancelled"))
      #expect(!seen.contains("next") && !seen.contains("completed"))
    }

    @Test func from_aCancellationGoesUpAndDown() async {
      let isCancelled = Counter()
      let inner = Signal<Int>.from {
        await until { Task.isCancelled }
        isCancelled.add()
        try Task.checkCancellation()
        return 1
      }
      let outer = Signal<Int>.from { try await inner.map { $0 + 1 }.singleValue() }
      let task = Task { try await outer.firstValue() }
      await until { Live.subscribers.count == 2 }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      await until { isCancelled.count == 1 && Live.subscribers.count == 0 }
    }

    @Test func from_disposalsRaceWithResults() async {
      for _ in 0..<1000 {
        let ended = Counter()
        let subscription = Signal<Int>.from { 1 }.subscribe(disposed: { ended.add() })
        await Task.yield()
        subscription.dispose()
        await until { ended.count == 1 }
      }
      await until { Live.subscribers.count == 0 && Live.subscriptions.count == 0 }
    }

    // MARK: A task as a disposable

    private func endless() -> Task<Void, Never> {
      Task { [trace] in
        await until { Task.isCancelled }
        trace.add("cancelled")
      }
    }

    @Test func disposable_cancels() async {
      let task = endless()
      let disposable = task.disposable
      #expect(!disposable.isDisposed && !task.isCancelled)
      disposable.dispose()
      #expect(task.isCancelled)
      await task.value
      #expect(trace.take() == "cancelled")
    }

    @Test func disposable_isOverWithTheTask() async {
      let disposable = Task { 1 }.disposable
      await until { disposable.isDisposed }
    }

    @Test func boundToABag_andLeavesItWhenItIsOver() async {
      var bag: DisposeBag? = DisposeBag()
      let task = endless()
      bag.map { task.disposed(by: $0) }
      Task {}.disposed(by: bag.unsafelyUnwrapped)
      await until { bag?.count == 1 }
      #expect(!task.isCancelled)
      bag = nil
      #expect(task.isCancelled)
      await task.value
    }

    @Test func boundToAnObject_andToAnOwner() async {
      var object: Natives.Plain? = Natives.Plain(Trace())
      let task = endless()
      #expect(object.map { task.disposed(with: $0) } == .ok)
      #expect(!task.isCancelled)
      object = nil
      #expect(task.isCancelled)
      var owner: Owner? = Owner()
      let other = endless()
      #expect(owner.map { other.disposed(by: $0.lifetime) } == .ok)
      owner = nil
      #expect(other.isCancelled)
      await task.value
      await other.value
      // A task that is bound to a dead owner is cancelled at once.
      let ended = Owner()
      let life = ended.lifetime
      _ = consume ended
      let late = endless()
      late.disposed(by: life)
      #expect(late.isCancelled)
      await late.value
    }
  }
}
