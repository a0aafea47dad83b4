import Testing

@_spi(Engine) @testable import Belay

/// A loop of the test's own: work waits until `turn`.
private final class OwnLoop: HostLoop, @unchecked Sendable {
  private let work = Locked<[HostWork]>([])
  private(set) var timer: HostWork?
  private(set) var delay = Duration.zero
  private(set) var cancels = 0
  var time: Instant = 0

  override func schedule(_ work: HostWork) { self.work.withLock { $0.append(work) } }
  override func start(_ work: HostWork, after delay: Duration) {
    timer = work
    self.delay = delay
  }
  override func cancel() {
    timer = nil
    cancels += 1
  }
  override var now: Instant { time }

  /// Drops the work that waits.
  func end() { work.withLock { $0.removeAll() } }

  func turn() {
    for work in work.withLock({ work in
      defer { work = [] }
      return work
    }) {
      work.run()
    }
    if let due = timer {
      timer = nil
      due.run()
    }
  }
}

/// Runs `body` on a thread of its own, whose home is `loop`.
private func withScheduler(
  _ loop: OwnLoop, _ body: @escaping @Sendable (OwnLoop, HostScheduler) throws -> Void
) throws {
  let failure = Locked<(any Error)?>(nil)
  inThread {
    do {
      let scheduler = try HostScheduler.bind(loop)
      try body(loop, scheduler)
      scheduler.close { _ in }
    } catch {
      failure.withLock { $0 = error }
    }
  }
  if let thrown = failure.withLock({ $0 }) { throw thrown }
}

extension CoreTests {
  @Suite struct HostSchedulers {
    @Test func workRunsAtTheLoopsTurn() throws {
      try withScheduler(OwnLoop()) { loop, scheduler in
        var seen: [Int] = []
        scheduler.schedule { seen.append(1) }
        scheduler.schedule { seen.append(2) }
        #expect(seen.isEmpty)
        #expect(Scheduler.current === scheduler)
        loop.turn()
        #expect(seen == [1, 2])
      }
    }

    @Test func timesAreTheLoops() throws {
      try withScheduler(OwnLoop()) { loop, scheduler in
        var seen: [Int] = []
        scheduler.schedule(after: .seconds(2)) { seen.append(2) }
        scheduler.schedule(after: .seconds(1)) { seen.append(1) }
        #expect(loop.delay == .seconds(1))
        #expect(loop.cancels == 1)
        loop.time = 1_500_000_000
        loop.turn()
        #expect(seen == [1])
        #expect(loop.delay == .milliseconds(500))
        loop.time = 2_000_000_000
        loop.turn()
        #expect(seen == [1, 2])
        #expect(loop.timer == nil)
      }
    }

    @Test func whatOtherThreadsSendArrivesThere() throws {
      try withScheduler(OwnLoop()) { loop, _ in
        let subject = PublishSubject<Int>()
        var seen: [Int] = []
        let subscription = subject.subscribe(next: { seen.append($0) })
        inThread { for value in 0..<10 { subject.next(value) } }
        #expect(seen.isEmpty)
        loop.turn()
        #expect(seen == Array(0..<10))
        inThread { subscription.dispose() }
        loop.turn()
        #expect(subscription.isDisposed)
      }
    }

    @Test func aCloseNamesAndEndsWhatIsThere() throws {
      try withScheduler(OwnLoop()) { loop, scheduler in
        loop.label = StaticSite("own")
        let subject = PublishSubject<Int>()
        var isDisposed = false
        let subscription = subject.subscribe(disposed: { isDisposed = true })
        let timer = scheduler.schedule(after: .seconds(1), label: "alarm") {}
        var open: [String] = []
        #expect(scheduler.close { open = $0.map(\.text) } == .ok)
        #expect(open == ["subscription", "timer alarm"])
        #expect(isDisposed && subscription.isDisposed && timer.isDisposed)
        #expect(loop.timer == nil)
        #expect(scheduler.close() == .closed)
        #expect(scheduler.schedule {}.isDisposed)
        loop.turn()
      }
    }

    @Test func aLoopThatDropsWorkHasEnded() throws {
      try withScheduler(OwnLoop()) { loop, scheduler in
        let work = scheduler.schedule { Issue.record("it runs") }
        loop.end()
        #expect(work.isDisposed)
        #expect(scheduler.schedule {}.isDisposed)
      }
    }

    @Test func aThreadHasOneLoop() throws {
      try withScheduler(OwnLoop()) { _, _ in
        #expect(throws: Failure.self) { try HostScheduler.bind(OwnLoop()) }
      }
    }
  }
}
