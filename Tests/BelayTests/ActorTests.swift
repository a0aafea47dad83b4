import Belay
import Testing

extension CoreTests {
  /// Deliveries on actors, with the main one among them, and actors as owners.
  @Suite struct Actors {
    /// Listens, and notes what it hears.
    actor Listener {
      private(set) var heard: [Int] = []
      private(set) var ends: [String] = []
      var batches: [Int] = []
      private let trace: Trace

      init(_ trace: Trace) { self.trace = trace }

      deinit { trace.add("deinit") }

      @discardableResult
      func listen(
        to signal: Signal<Int>, _ options: QueueOptions = QueueOptions()
      ) -> Disposable {
        let trace = trace
        return signal.subscribe(
          isolatedTo: self, options,
          next: { me, value in
            me.assertIsolated()
            me.heard.append(value)
          },
          error: { me, failure in me.ends.append(failure.name) },
          completed: { me in me.ends.append("completed") },
          disposed: { trace.add("disposed") })
      }

      /// Sends as soon as it has subscribed, without leaving the actor.
      func listenAndSend(_ subject: PublishSubject<Int>) {
        listen(to: subject)
        subject.next(1)
        #expect(heard == [])
      }

      /// Keeps the actor busy, so that nothing is delivered in between.
      func listenToMany(
        _ subject: PublishSubject<Int>, _ options: QueueOptions,
        of count: Int = 9, _ more: @Sendable (Signal<Int>) -> Void = { _ in }
      ) {
        listen(to: subject, options)
        more(subject)
        for value in 1...count { subject.next(value) }
      }

      func disposeAndCount(_ subscription: Disposable) async -> (Int, Int) {
        subscription.dispose()
        let before = heard.count
        for _ in 0..<100 { await Task.yield() }
        return (before, heard.count)
      }

      func observe(on signal: Signal<Int>) -> Disposable {
        signal.observe(on: .actor(self)).subscribe(next: { [weak self] value in
          self?.assumeIsolated { $0.heard.append(value) }
        })
      }

      func disposeSync(_ subscription: Disposable) -> Code { subscription.disposeSync() }
    }

    let trace = Trace()

    private func until(
      _ listener: Listener, sourceLocation: SourceLocation = #_sourceLocation,
      _ isTrue: (Listener) async -> Bool
    ) async {
      await BelayTests.until(sourceLocation: sourceLocation) { await isTrue(listener) }
    }

    @Test func valuesInTheirOrder_thenTheEnd() async {
      let listener = Listener(trace)
      let subject = PublishSubject<Int>(.shared)
      await listener.listen(to: subject, QueueOptions(capacity: 4000))
      let senders = (0..<4).map { sender in
        Routine {
          for value in 0..<1000 { while subject.next(sender * 1000 + value) == .again {} }
        }
      }
      for sender in senders { sender.join() }
      subject.completed()
      await until(listener) { await $0.ends == ["completed"] }
      let heard = await listener.heard
      #expect(heard.count == 4000)
      for sender in 0..<4 {
        #expect(heard.filter { $0 / 1000 == sender } == Array(sender * 1000..<(sender + 1) * 1000))
      }
      #expect(trace.take() == "disposed")
    }

    @Test func nothingIsMissedThatIsSentAfterTheCall() async {
      let listener = Listener(trace)
      let subject = PublishSubject<Int>(.shared)
      await listener.listenAndSend(subject)
      await until(listener) { await $0.heard == [1] }
      subject.completed()
      await until(listener) { await $0.ends == ["completed"] }
    }

    @Test func coldSignalsRunOnTheActor() async {
      let listener = Listener(trace)
      let signal = Signal.from([1, 2, 3]).do(next: { _ in listener.assertIsolated() })
      await listener.listen(to: signal)
      await until(listener) { await $0.ends == ["completed"] }
      #expect(await listener.heard == [1, 2, 3])
      await listener.listen(to: .error(Failure(.range)))
      await until(listener) { await $0.ends == ["completed", "ERANGE"] }
    }

    @Test func aColdSignalThatSendsElsewhere() async {
      let listener = Listener(trace)
      let wire = Wire<Int>(trace)
      await listener.listen(to: wire.signal.map { $0 * 2 })
      inThread { for value in 1...3 { wire.next(value) } }
      inThread { wire.completed() }
      await until(listener) { await $0.ends == ["completed"] }
      #expect(await listener.heard == [2, 4, 6])
      wire.drop()
    }

    @Test func whatComesWhileItIsBusyIsTakenTogetherThere() async {
      let listener = Listener(trace)
      let subject = PublishSubject<Int>(.shared)
      await listener.listenToMany(subject, QueueOptions()) { signal in
        signal.observe(on: .actor(listener)).subscribe(nextBatch: { values in
          listener.assertIsolated()
          let count = values.count
          listener.assumeIsolated { $0.batches.append(count) }
        })
      }
      await until(listener) { await $0.heard.count == 9 }
      await until(listener) { await $0.batches.reduce(0, +) == 9 }
      #expect(await listener.batches == [9])
      subject.completed()
      await until(listener) { await $0.ends == ["completed"] }
    }

    /// Between the parts, other jobs of the actor run.
    @Test func whatComesAndIsNotTakenQuicklyIsTakenInParts() async {
      let listener = Listener(trace)
      let subject = PublishSubject<Int>(.shared)
      await listener.listenToMany(subject, QueueOptions(), of: 300) { signal in
        signal.observe(on: .actor(listener)).do(next: { _ in
          let began = ContinuousClock.now
          while ContinuousClock.now - began < .microseconds(10) {}
        }).subscribe(nextBatch: { values in
          let count = values.count
          listener.assumeIsolated { $0.batches.append(count) }
        })
      }
      await until(listener) { await $0.heard.count == 300 }
      await until(listener) { await $0.batches.reduce(0, +) == 300 }
      #expect(await listener.batches.allSatisfy { $0 <= 128 })
      #expect(await listener.heard == Array(1...300))
    }

    @Test func anInterruptionIsADisposal() async {
      let listener = Listener(trace)
      var subject: PublishSubject<Int>? = PublishSubject(.shared)
      await listener.listen(to: subject.unsafelyUnwrapped)
      subject?.next(1)
      subject = nil
      await until(listener) { _ in trace.take() == "disposed" }
      #expect(await listener.heard == [1])
      #expect(await listener.ends == [])
    }

    @Test(arguments: [
      (QueuePolicy.error, [1, 2], ["EAGAIN"]), (.block, [1, 2], ["EAGAIN"]),
      (.dropOldest, [8, 9], []), (.dropNewest, [1, 2], []), (.latest, [9], []),
    ]) func whatFindsNoRoom(_ policy: QueuePolicy, _ heard: [Int], _ ends: [String]) async {
      let listener = Listener(trace)
      let subject = PublishSubject<Int>(.shared)
      await listener.listenToMany(subject, QueueOptions(policy, capacity: 2))
      await until(listener) { await $0.heard.count == heard.count }
      await until(listener) { await $0.ends.count == ends.count }
      #expect(await listener.heard == heard)
      #expect(await listener.ends == ends)
      subject.completed()
      await until(listener) { _ in Live.subscriptions.count == 0 }
    }

    @Test func nothingIsCalledOnTheActorAfterADisposalThere() async {
      let listener = Listener(trace)
      let subject = PublishSubject<Int>(.shared)
      for _ in 0..<100 {
        let subscription = await listener.listen(to: subject, QueueOptions(.dropOldest))
        let sender = Routine { for value in 0..<100 { subject.next(value) } }
        let (before, after) = await listener.disposeAndCount(subscription)
        #expect(before == after)
        sender.join()
      }
      await until(listener) { _ in subject.subscriberCount == 0 }
    }

    @Test func aWaitOnTheActorForWhatIsThereIsRefused() async {
      let listener = Listener(trace)
      let subject = PublishSubject<Int>(.shared)
      let subscription = await listener.observe(on: subject)
      #expect(await listener.disposeSync(subscription) == .inProgress)
      let other = await listener.observe(on: subject)
      #expect(await Task.detached { other.disposeSync() }.value == .ok)
      await until(listener) { _ in subject.subscriberCount == 0 }
    }

    // MARK: Actors as owners

    @Test func aSubscriptionEndsWithItsActor() async {
      let subject = PublishSubject<Int>(.shared)
      var listener: Listener? = Listener(trace)
      await listener?.listen(to: subject)
      subject.next(1)
      await until(listener.unsafelyUnwrapped) { await $0.heard == [1] }
      let life = listener.map { Lifetime.of($0) }
      listener = nil
      await BelayTests.until { life?.isOver == true }
      // What is bound goes before the deinit.
      #expect(trace.take() == "disposed | deinit")
      #expect(subject.subscriberCount == 0)
      subject.next(2)
    }

    @Test func whatOthersDisposeOfWhileTheActorDiesEndsAtHome() async {
      let subject = PublishSubject<Int>(.shared)
      let trace = trace
      let ended = Counter()
      var listener: Listener? = Listener(Trace())
      let second = SerialDisposable()
      if let listener {
        let signal = subject.observe(on: .actor(listener))
        signal.subscribe(disposed: {
          inThread { second.dispose() }
          trace.add("first")
          ended.add()
        })
        second.set(
          signal.subscribe(disposed: {
            trace.add("second")
            ended.add()
          }))
        await until(listener) { _ in subject.subscriberCount == 2 }
      }
      listener = nil
      await BelayTests.until { ended.count == 2 }
      #expect(trace.take() == "first | second")
    }

    @Test func anActorThatDiesWhileValuesCome() async {
      let subject = PublishSubject<Int>(.shared)
      let isOver = Counter()
      let sender = Routine {
        var value = 0
        while isOver.count == 0 {
          subject.next(value)
          value += 1
        }
      }
      for _ in 0..<50 {
        let listener = Listener(Trace())
        await listener.listen(to: subject, QueueOptions(.dropOldest, capacity: 8))
        await until(listener) { await $0.heard.count > 0 }
      }
      await BelayTests.until { subject.subscriberCount == 0 }
      isOver.add()
      sender.join()
    }

    @Test func whatIsBoundToAnActorsLifetime() async {
      let subject = PublishSubject<Int>(.shared)
      var listener: Listener? = Listener(trace)
      if let listener {
        subject.take(during: listener).watch(trace, "taken")
        AnonymousDisposable { trace.add("bound") }.disposed(with: listener)
      }
      listener = nil
      #expect(
        trace.take() == "taken completed | taken disposed | taken free | bound | deinit")
    }

    @Test func aDeadActorTakesNoWork() async {
      var listener: Listener? = Listener(trace)
      let scheduler = Scheduler.actor(listener.unsafelyUnwrapped)
      #expect(Scheduler.actor(listener.unsafelyUnwrapped) === scheduler)
      let timer = scheduler.schedule(after: .seconds(1000)) {}
      await until(listener.unsafelyUnwrapped) { _ in !timer.isDisposed }
      listener = nil
      await BelayTests.until { trace.take() == "deinit" }
      #expect(scheduler.schedule {}.isDisposed)
      #expect(scheduler.schedule(after: .seconds(1)) {}.isDisposed)
      await BelayTests.until { timer.isDisposed }
    }

    // MARK: Time

    @Test func timesOnAnActor() async throws {
      let listener = Listener(trace)
      let scheduler = Scheduler.actor(listener)
      let counted = Signal<UInt64>.interval(.milliseconds(2), on: scheduler).map {
        listener.assertIsolated()
        return Int($0)
      }
      await listener.listen(to: counted.take(3))
      await until(listener) { await $0.ends == ["completed"] }
      #expect(await listener.heard == [0, 1, 2])
      let ordered = Trace()
      for milliseconds in [9, 1, 5] {
        scheduler.schedule(after: .milliseconds(milliseconds)) { ordered.add("\(milliseconds)") }
      }
      let disposed = scheduler.schedule(after: .milliseconds(3)) { ordered.add("disposed") }
      disposed.dispose()
      try await Signal<UInt64>.timer(after: .milliseconds(20), on: scheduler).completion()
      #expect(ordered.take() == "1 | 5 | 9")
    }

    // MARK: The main actor

    @Test func main_deliversThereInOrder() async {
      let heard = Box<[Int]>([])
      let over = Counter()
      let subject = PublishSubject<Int>(.shared)
      let subscription = subject.observe(on: .main, QueueOptions(capacity: 4000)).subscribe(
        next: {
          MainActor.assertIsolated()
          heard.value.append($0)
        }, completed: { over.add() })
      let sender = Routine {
        for value in 0..<4000 { subject.next(value) }
        subject.completed()
      }
      await BelayTests.until { over.count == 1 }
      sender.join()
      #expect(heard.value == Array(0..<4000))
      #expect(subscription.isDisposed)
    }

    @MainActor private final class Window {
      var heard: [Int] = []
      var isOver = false
    }

    @Test @MainActor func main_subscribeOnMain() async {
      let window = Window()
      let subject = PublishSubject<Int>(.shared)
      subject.subscribeOnMain(
        next: { window.heard.append($0) }, completed: { window.isOver = true })
      subject.next(1)
      #expect(window.heard == [])
      inThread {
        subject.next(2)
        subject.completed()
      }
      await BelayTests.until { window.isOver }
      #expect(window.heard == [1, 2])
    }

    @Test func main_ofAColdSignalFromAnyTask() async throws {
      let window = Window()
      Signal<Int>.from { 1 }.map { $0 + 1 }.subscribeOnMain(
        next: { window.heard.append($0) }, completed: { window.isOver = true })
      await BelayTests.until { await window.isOver }
      #expect(await window.heard == [2])
    }

    @Test @MainActor func main_aDisposalThereIsTheLastOfIt() async {
      let subject = PublishSubject<Int>(.shared)
      let window = Window()
      let subscription = subject.subscribeOnMain(next: { window.heard.append($0) })
      inThread { for value in 1...3 { subject.next(value) } }
      subscription.dispose()
      for _ in 0..<100 { await Task.yield() }
      #expect(window.heard == [])
      #expect(subject.subscribe().disposeSync() == .ok)
      let other = subject.subscribeOnMain(next: { window.heard.append($0) })
      #expect(other.disposeSync() == .inProgress)
      await BelayTests.until { Live.subscriptions.count == 0 }
    }

    @Test @MainActor func main_timesAndOperators() async throws {
      let window = Window()
      Signal<UInt64>.interval(.milliseconds(1), on: .main).map {
        MainActor.assertIsolated()
        return Int($0)
      }.take(3).subscribeOnMain(
        next: { window.heard.append($0) }, completed: { window.isOver = true })
      await BelayTests.until { window.isOver }
      #expect(window.heard == [0, 1, 2])
      for try await value in Signal.from([1, 2]).observe(on: .main).values {
        window.heard.append(value)
      }
      #expect(window.heard == [0, 1, 2, 1, 2])
    }

    // MARK: What is at home at an actor

    /// The model of a window: what it has is set on the main actor and by other threads.
    @Test @MainActor func home_ofAPropertyOnTheMainActor() async {
      var options = SourceOptions()
      options.home = Scheduler.main.home
      let property = Property(0, options)
      let window = Window()
      let subscription = property.signal.subscribeOnMain(
        next: { window.heard.append($0) }, completed: { window.isOver = true })
      for value in 1...3 {
        // The job may go on on another thread.
        await Task.detached {}.value
        #expect(property.set(value) == .ok)
        #expect(property.value == value)
        #expect(property.modify { $0 * 10 } == .ok)
        #expect(property.value == value * 10)
      }
      await BelayTests.until { window.heard.last == 30 }
      inThread { #expect(property.set(4) == .queued) }
      #expect(property.modify { $0 + 1 } == .ok)
      #expect(property.value == 31)
      await BelayTests.until { window.heard.last == 4 }
      #expect(window.heard == [0, 1, 10, 2, 20, 3, 30, 31, 4])
      subscription.dispose()
    }

    @Test @MainActor func home_ofASubjectOnTheMainActor() async {
      var options = SourceOptions()
      options.home = Scheduler.main.home
      let subject = PublishSubject<Int>(options)
      let trace = Trace()
      subject.subscribe(
        next: {
          MainActor.assertIsolated()
          trace.add("\($0)")
          if $0 == 1 { #expect(subject.next(2) == .queued) }
        }, completed: { trace.add("completed") })
      await Task.detached {}.value
      subject.next(1)
      #expect(trace.take() == "1 | 2")
      inThread { #expect(subject.next(3) == .queued) }
      await BelayTests.until { !trace.isEmpty }
      #expect(trace.take() == "3")
      subject.completed()
      #expect(subject.next(4) == .ended)
      #expect(trace.take() == "completed")
    }

    private actor Ledger {
      private var command: Command<Int, Int>?
      private var request: Request<Int, Int>?
      private var heard: [Int] = []

      func begin() {
        let home = Scheduler.actor(self).home
        command = Command(home: home) { [unowned self] input in
          Signal.from([input, input + 1]).map { value in
            self.assumeIsolated { $0.heard.append(value) }
            return value
          }
        }
        request = Request(0, home: home) { $0 + $1 }
        request?.subscribe { [unowned self] question in
          self.assumeIsolated { question + $0.heard.count }
        }
      }

      func execute(_ input: Int) throws -> [Int] {
        _ = try command?.execute(input)
        return heard
      }

      func ask(_ question: Int) throws -> Int? { try request?.send(question) }

      nonisolated func parts() async -> (Command<Int, Int>?, Request<Int, Int>?) {
        await (command, request)
      }
    }

    @Test func home_ofACommandAndARequestOfAnActor() async throws {
      let ledger = Ledger()
      await ledger.begin()
      for input in 0..<100 {
        #expect(try await ledger.execute(input).suffix(2) == [input, input + 1])
        #expect(try await ledger.ask(1) == 2 * input + 3)
      }
      let (command, request) = await ledger.parts()
      inThread {
        #expect(throws: Failure.self) { try command?.execute(0) }
        #expect(throws: Failure.self) { try request?.send(0) }
      }
    }
  }
}
