import Belay
import BelayLoop
import Testing

extension LoopTests {
  /// Loops on one side, tasks on the other.
  @Suite struct Async {
    @Test func values_ofALoopsTime() async throws {
      let there = Worker()
      let scheduler = there.loop.scheduler
      var seen: [UInt64] = []
      for try await value in Signal<UInt64>.interval(.milliseconds(1), on: scheduler)
        .values(on: scheduler)
      {
        seen.append(value)
        if seen.count == 3 { break }
      }
      #expect(seen == [0, 1, 2])
      there.stop()
    }

    @Test func values_ofASubjectAtALoopAreSubscribedToThere() async throws {
      let there = Worker()
      let subject = PublishSubject<Int>(there.options)
      var iterator = subject.values.makeAsyncIterator()
      there.run {
        #expect(subject.subscriberCount == 1)
        subject.next(1)
        subject.completed()
      }
      #expect(try await iterator.next() == 1)
      #expect(try await iterator.next() == nil)
      there.stop()
    }

    @Test func values_ofALoopThatCloses() async {
      let there = Worker()
      let subject = PublishSubject<Int>(there.options)
      var iterator = subject.values.makeAsyncIterator()
      there.meet()
      there.stop()
      let failure = await #expect(throws: Failure.self) { try await iterator.next() }
      #expect(failure?.code == .canceled)
    }

    @Test func values_cancellationsRaceWithALoop() async {
      let there = Worker()
      let subject = PublishSubject<Int>(there.options)
      for _ in 0..<1000 {
        let task = Task { for try await _ in subject.values {} }
        subject.next(1)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
      }
      there.run { #expect(subject.subscriberCount == 0) }
      there.stop()
    }

    @Test func from_aSequenceComesAtTheSubscriptionsLoop() {
      let there = Worker()
      let calls = Counter()
      let over = Gate()
      let numbers = AsyncStream<Int> { stream in
        for number in 1...3 { stream.yield(number) }
        stream.finish()
      }
      there.run {
        Signal.from(numbers).subscribe(
          next: { _ in if Loop.current === there.loop { calls.add() } },
          completed: { over.open() })
      }
      over.wait()
      #expect(calls.count == 3)
      there.stop()
    }
  }
}
