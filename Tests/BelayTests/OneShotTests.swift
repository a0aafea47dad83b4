import Belay
import Testing

extension CoreTests {
  /// `await` for one value: each way to wait, each ending. The continuation reports a second
  /// resumption. A missing one shows as a test that never ends.
  @Suite struct OneShots {
    enum Wanted: CaseIterable {
      case first, last, single, completion
    }

    let trace = Trace()

    /// The result of a task that waits, as a word.
    private func word(_ wanted: Wanted, _ signal: Signal<Int>) async -> String {
      do {
        switch wanted {
        case .first: return try await signal.firstValue().map { "\($0)" } ?? "nil"
        case .last: return try await signal.lastValue().map { "\($0)" } ?? "nil"
        case .single: return "\(try await signal.singleValue())"
        case .completion:
          try await signal.completion()
          return "end"
        }
      } catch is CancellationError {
        return "cancelled"
      } catch {
        return (error as? Failure)?.name ?? "\(error)"
      }
    }

    private func words(_ signal: Signal<Int>) async -> String {
      var words: [String] = []
      for wanted in Wanted.allCases { words.append(await word(wanted, signal)) }
      return words.joined(separator: " ")
    }

    @Test func endings_ofWhatComesAtOnce() async {
      #expect(await words(.from([1, 2, 3])) == "1 3 ERANGE end")
      #expect(await words(.just(1)) == "1 1 1 end")
      #expect(await words(.empty()) == "nil nil ENOENT end")
      #expect(await words(.error(Failure(.range))) == "ERANGE ERANGE ERANGE ERANGE")
      #expect(
        await words(.concat([.from([1]), .error(Failure(.busy))])) == "1 EBUSY EBUSY EBUSY")
    }

    /// Sent by another thread, once somebody waits; what a task cancels itself is an interruption.
    @Test(arguments: Wanted.allCases)
    func endings_ofWhatComesLater(_ wanted: Wanted) async {
      let expected: [Wanted: [String]] = [
        .first: ["1", "nil", "1", "ERANGE", "1", "ECANCELED"],
        .last: ["2", "nil", "EBUSY", "ERANGE", "ECANCELED", "ECANCELED"],
        .single: ["ERANGE", "ENOENT", "EBUSY", "ERANGE", "ECANCELED", "ECANCELED"],
        .completion: ["end", "end", "EBUSY", "ERANGE", "ECANCELED", "ECANCELED"],
      ]
      typealias Stream = AsyncThrowingStream<Int, any Error>.Continuation
      let endings: [@Sendable (Stream) -> Void] = [
        { stream in
          for value in 1...2 { stream.yield(value) }
          stream.finish()
        },
        { $0.finish() },
        { stream in
          stream.yield(1)
          stream.finish(throwing: Failure(.busy))
        },
        { $0.finish(throwing: Failure(.range)) },
        { stream in
          stream.yield(1)
          stream.finish(throwing: CancellationError())
        },
        { $0.finish(throwing: CancellationError()) },
      ]
      for (ending, expected) in zip(endings, expected[wanted] ?? []) {
        let (elements, stream) = AsyncThrowingStream<Int, any Error>.makeStream()
        let task = Task { await word(wanted, .from(elements)) }
        await until { Live.subscriptions.count == 1 }
        inThread { ending(stream) }
        #expect(await task.value == expected)
        await until { Live.subscriptions.count == 0 }
      }
    }

    @Test func endings_disposeOfTheSource() async throws {
      #expect(try await Signal.from([1, 2]).tap(trace, "a").firstValue() == 1)
      #expect(trace.take() == "a next 1 | a disposed")
      let never = Signal.concat([.from([1, 2]), .never()]).tap(trace, "b")
      #expect(await word(.single, never) == "ERANGE")
      #expect(trace.take() == "b next 1 | b next 2 | b disposed")
    }

    @Test func endings_whenItCannotBeSubscribedTo() async {
      let box = Box<PublishSubject<Int>?>(nil)
      inThread { box.value = PublishSubject() }
      #expect(await words(box.value.unsafelyUnwrapped) == "ENOHOME ENOHOME ENOHOME ENOHOME")
    }

    /// Also nil for the last and the completion: what is bound ends by completing.
    @Test func endings_theOwnersDeath() async {
      for wanted in Wanted.allCases {
        let subject = PublishSubject<Int>(.shared)
        var owner: Natives.Plain? = Natives.Plain(Trace())
        let bound = subject.take(during: owner.unsafelyUnwrapped)
        let task = Task { await word(wanted, bound) }
        await until { subject.subscriberCount == 1 }
        owner = nil
        let expected: [Wanted: String] = [
          .first: "nil", .last: "nil", .single: "ENOENT", .completion: "end",
        ]
        #expect(await task.value == expected[wanted])
        #expect(subject.subscriberCount == 0)
      }
    }

    // MARK: Cancellation

    @Test(arguments: Wanted.allCases)
    func cancelled_beforeNothingIsSubscribedTo(_ wanted: Wanted) async {
      let signal = Signal.from([1]).tap(trace, "a")
      let task = Task {
        await until { Task.isCancelled }
        return await word(wanted, signal)
      }
      task.cancel()
      #expect(await task.value == "cancelled")
      #expect(trace.take() == "")
    }

    @Test(arguments: Wanted.allCases)
    func cancelled_whileSubscribing(_ wanted: Wanted) async {
      let signal = Signal<Int>.create { _ in
        withUnsafeCurrentTask { $0?.cancel() }
        return self.trace.action("released")
      }
      #expect(await Task { await word(wanted, signal) }.value == "cancelled")
      #expect(trace.take() == "released")
    }

    @Test(arguments: Wanted.allCases)
    func cancelled_whileWaiting(_ wanted: Wanted) async {
      let subject = PublishSubject<Int>(.shared)
      let task = Task { await word(wanted, subject) }
      await until { subject.subscriberCount == 1 }
      task.cancel()
      #expect(await task.value == "cancelled")
      #expect(subject.subscriberCount == 0)
    }

    @Test(arguments: Wanted.allCases)
    func cancelled_afterTheEndIsTooLate(_ wanted: Wanted) async {
      let task = Task {
        let got = await word(wanted, .just(1))
        await until { Task.isCancelled }
        return got
      }
      task.cancel()
      let got = await task.value
      #expect(["1", "end", "cancelled"].contains(got))
      let late = Task { await word(wanted, .just(1)) }
      let early = await late.value
      late.cancel()
      #expect(early == (wanted == .completion ? "end" : "1"))
    }

    @Test func cancellationsRaceWithValuesAndEnds() async {
      for round in 0..<2000 {
        let wanted = Wanted.allCases[round % 4]
        let subject = PublishSubject<Int>(.shared)
        let task = Task { await word(wanted, subject) }
        if round % 3 != 0 { await until { subject.subscriberCount == 1 } }
        let routine = Routine {
          subject.next(1)
          subject.completed()
        }
        task.cancel()
        let got = await task.value
        routine.join()
        #expect(["cancelled", "1", "end", "nil", "ENOENT"].contains(got))
        #expect(subject.subscriberCount == 0)
      }
    }

    // MARK: Where

    /// A cold signal that sends later, from another thread, to the subscription of a task.
    @Test func aColdSignalThatSendsLaterAndElsewhere() async throws {
      for _ in 0..<200 {
        let signal = Signal<Int>.create { subscriber in
          let routine = Routine {
            subscriber.send(1)
            subscriber.send(2)
            subscriber.completed()
          }
          return AnonymousDisposable { routine.join() }
        }
        let joined = Signal.merge([signal, signal]).scan(0) { $0 + $1 }
        #expect(try await joined.lastValue() == 6)
      }
    }

    @Test func aHundredThousandAreFlat() async throws {
      let subject = BehaviorSubject(1, .shared)
      for _ in 0..<1000 { _ = try await subject.firstValue() }
      let before = residentKilobytes()
      for _ in 0..<100_000 { _ = try await subject.firstValue() }
      #expect(subject.subscriberCount == 0)
      #expect(residentKilobytes() - before < 4096)
    }
  }
}
