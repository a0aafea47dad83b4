import Belay
import Testing

extension CoreTests {
  /// Signals as asynchronous sequences.
  @Suite struct Async {
    let trace = Trace()

    @Test func values_inTheirOrder_thenTheEnd() async throws {
      var seen: [Int] = []
      for try await value in Signal.from([1, 2, 3]).values { seen.append(value) }
      #expect(seen == [1, 2, 3])
    }

    @Test func values_eachIterationSubscribes() async throws {
      let values = Signal.from([1, 2]).tap(trace, "a").values
      #expect(trace.take() == "")
      for _ in 1...2 {
        for try await _ in values {}
        #expect(trace.take() == "a next 1 | a next 2 | a completed | a disposed")
      }
    }

    @Test func values_whatCameBeforeAnErrorComesBeforeIt() async throws {
      var iterator = Signal.concat([.from([1]), .error(Failure(.range))]).values.makeAsyncIterator()
      #expect(try await iterator.next() == 1)
      let failure = await #expect(throws: Failure.self) { try await iterator.next() }
      #expect(failure?.code == .range)
      #expect(try await iterator.next() == nil)
    }

    @Test func values_afterTheEndThereIsNone() async throws {
      var iterator = Signal.just(1).values.makeAsyncIterator()
      #expect(try await iterator.next() == 1)
      for _ in 1...3 { #expect(try await iterator.next() == nil) }
    }

    @Test func values_anInterruptionIsCanceled() async throws {
      var subject: PublishSubject<Int>? = shared()
      var iterator = subject?.values.makeAsyncIterator()
      subject?.next(1)
      subject = nil
      #expect(try await iterator?.next() == 1)
      let failure = await #expect(throws: Failure.self) { try await iterator?.next() }
      #expect(failure?.code == .canceled)
    }

    @Test func values_aSignalThatCannotBeSubscribedTo() async {
      let box = Box<PublishSubject<Int>?>(nil)
      inThread { box.value = PublishSubject() }
      let failure = await #expect(throws: Failure.self) {
        for try await _ in box.value.unsafelyUnwrapped.values {}
      }
      #expect(failure?.code == .noHome)
    }

    @Test func values_leavingTheLoopDisposes() async throws {
      let subject = shared()
      let values = subject.tap(trace, "a").values
      var iterator: AsyncValues<Int>.Iterator? = values.makeAsyncIterator()
      let copy = iterator
      #expect(subject.subscriberCount == 1)
      subject.next(1)
      #expect(try await iterator?.next() == 1)
      iterator = nil
      #expect(subject.subscriberCount == 1)
      withExtendedLifetime(copy) {}
      _ = consume copy
      #expect(subject.subscriberCount == 0)
      #expect(trace.take() == "a next 1 | a disposed")
      for try await _ in Signal.concat([.from([1, 2]), .never()]).tap(trace, "b").values { break }
      #expect(trace.take() == "b next 1 | b next 2 | b disposed")
    }

    @Test(arguments: [
      (QueuePolicy.error, "1 2 EAGAIN"), (.block, "1 2 EAGAIN"), (.dropOldest, "3 4 end"),
      (.dropNewest, "1 2 end"), (.latest, "4 end"),
    ]) func values_thatFindNoRoom(_ policy: QueuePolicy, _ expected: String) async {
      let subject = shared()
      let mark = HighWaterMark()
      let options = QueueOptions(policy, capacity: 2, highWaterMark: mark)
      var iterator = subject.values(options).makeAsyncIterator()
      for value in 1...4 { subject.next(value) }
      #expect(mark.value == (policy == .latest ? 1 : 2))
      #expect(subject.subscriberCount == (expected.hasSuffix("EAGAIN") ? 0 : 1))
      subject.completed()
      var seen: [String] = []
      do {
        while let value = try await iterator.next() { seen.append("\(value)") }
        seen.append("end")
      } catch {
        seen.append((error as? Failure)?.name ?? "\(error)")
      }
      #expect(seen.joined(separator: " ") == expected)
    }

    @Test func values_manyDoNotGrowWithoutBound() async throws {
      let mark = HighWaterMark()
      let many = Signal.range(0, count: 1_000_000)
      var seen = 0
      let failure = await #expect(throws: Failure.self) {
        for try await _ in many.values(QueueOptions(highWaterMark: mark)) { seen += 1 }
      }
      #expect(failure?.code == .again)
      #expect(seen == 1024 && mark.value == 1024)
      var last: [Int] = []
      for try await value in many.values(QueueOptions(.latest)) { last.append(value) }
      #expect(last == [999_999])
      seen = 0
      let all = QueueOptions(capacity: .max, highWaterMark: mark)
      for try await value in many.values(all) {
        #expect(value == seen)
        seen += 1
      }
      #expect(seen == 1_000_000 && mark.value == 1_000_000)
    }

    @Test func values_whoAsksWhileAnotherWaitsIsRefused() async throws {
      let subject = shared()
      let iterator = Box(subject.values.makeAsyncIterator())
      let answers = (1...2).map { _ in
        Task {
          do {
            // A copy: they are one iterator, and each is asked by one task.
            var copy = iterator.value
            let value = try await copy.next()
            trace.add("\(value ?? 0)")
          } catch {
            trace.add((error as? Failure)?.name ?? "\(error)")
          }
        }
      }
      var seen = ""
      await until {
        seen += trace.take()
        return seen == "EBUSY"
      }
      subject.next(1)
      for answer in answers { await answer.value }
      #expect(trace.take() == "1")
    }

    // MARK: Cancellation

    @Test func values_cancelledWhileWaiting() async {
      let subject = shared()
      let task = Task { for try await value in subject.values { trace.add("\(value)") } }
      await until { subject.subscriberCount == 1 }
      subject.next(1)
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect(subject.subscriberCount == 0)
    }

    @Test func values_cancelledBefore() async {
      let task = Task { () async throws in
        await until { Task.isCancelled }
        var iterator = Signal.from([1, 2]).values.makeAsyncIterator()
        await #expect(throws: CancellationError.self) { try await iterator.next() }
        #expect(try await iterator.next() == nil)
      }
      task.cancel()
      await #expect(throws: Never.self) { try await task.value }
    }

    /// The continuation reports a second resumption. A missing one shows as a test that never ends.
    @Test func values_cancellationsRaceWithValuesAndEnds() async {
      for round in 0..<1000 {
        let subject = shared()
        let task = Task {
          var sum = 0
          for try await value in subject.values { sum += value }
          return sum
        }
        if round % 4 != 0 { await until { subject.subscriberCount == 1 } }
        let routine = Routine {
          for value in 1...3 { subject.next(value) }
          if round % 3 == 0 { subject.completed() }
          if round % 3 == 1 { subject.error(Failure(.range)) }
        }
        task.cancel()
        switch await task.result {
        case .success(let sum): #expect(round % 3 == 0 && sum <= 6)
        case .failure(let error):
          #expect(error is CancellationError || (error as? Failure)?.code == .range)
        }
        routine.join()
        #expect(subject.subscriberCount == 0)
      }
    }

    @Test func values_fromSeveralThreads() async throws {
      let subject = shared()
      var iterator = subject.values(QueueOptions(capacity: 4000)).makeAsyncIterator()
      let senders = (0..<4).map { sender in
        Routine {
          for value in 0..<1000 { while subject.next(sender * 1000 + value) == .again {} }
        }
      }
      var last = [-1, -1, -1, -1]
      for _ in 0..<4000 {
        let value = try #require(await iterator.next())
        #expect(last[value / 1000] == value % 1000 - 1)
        last[value / 1000] = value % 1000
      }
      for sender in senders { sender.join() }
      #expect(last == [999, 999, 999, 999])
    }

    // MARK: Signals of sequences

    @Test func from_elementsAndTheEnd() async throws {
      let numbers = AsyncStream<Int> { stream in
        for number in 1...3 { stream.yield(number) }
        stream.finish()
      }
      var seen: [Int] = []
      for try await value in Signal.from(numbers).map({ $0 * 2 }).values { seen.append(value) }
      #expect(seen == [2, 4, 6])
    }

    @Test func from_whatItThrows() async {
      struct Mishap: Error, Equatable {}
      await #expect(throws: Failure.self) { try await first(failing: Failure(.range)) }
      await #expect(throws: Mishap()) { try await first(failing: Mishap()) }
      let interrupted = await #expect(throws: Failure.self) {
        try await first(failing: CancellationError())
      }
      #expect(interrupted?.code == .canceled)
    }

    private func first(failing error: any Error) async throws {
      let sequence = AsyncThrowingStream<Int, any Error> { $0.finish(throwing: error) }
      for try await _ in Signal.from(sequence).values {}
    }

    @Test func from_aDisposalCancelsTheTask() async {
      let (sequence, stream) = AsyncStream<Int>.makeStream()
      let trace = trace
      stream.onTermination = { trace.add("\($0)") }
      let subscription = Signal.from(sequence).watch(trace)
      stream.yield(1)
      var seen = ""
      await until {
        seen += trace.take()
        return seen == "next 1"
      }
      subscription.dispose()
      seen = ""
      await until {
        seen += trace.take() + " "
        return seen.contains("cancelled")
      }
      #expect(seen.contains("disposed"))
      #expect(!seen.contains("completed"))
      await until { Live.subscribers.count == 0 }
    }

    @Test func from_disposalsRaceWithElements() async {
      for round in 0..<1000 {
        let (sequence, stream) = AsyncStream<Int>.makeStream()
        let ended = Counter()
        let subscription = Signal.from(sequence).subscribe(disposed: { ended.add() })
        let routine = Routine {
          stream.yield(1)
          if round % 2 == 0 { stream.finish() }
        }
        subscription.dispose()
        routine.join()
        await until { ended.count == 1 }
        stream.finish()
      }
      await until { Live.subscribers.count == 0 && Live.subscriptions.count == 0 }
    }

    @Test func from_aCancelledLoopCancelsTheSequencesTask() async {
      let (sequence, stream) = AsyncStream<Int>.makeStream()
      let over = Counter()
      stream.onTermination = { if case .cancelled = $0 { over.add() } }
      let task = Task { for try await _ in Signal.from(sequence).values {} }
      await until { Live.subscriptions.count > 0 }
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      await until { over.count == 1 && Live.subscribers.count == 0 }
    }

    /// A subject for sends and subscriptions on several threads.
    private func shared() -> PublishSubject<Int> { PublishSubject(.shared) }
  }
}
