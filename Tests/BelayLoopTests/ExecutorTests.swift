import Belay
import BelayLoop
import Testing

extension LoopTests {
  /// Actors that live on loops, and a loop that the main actor drives.
  @Suite struct Executors {
    actor Session {
      nonisolated let executor: LoopExecutor
      nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
      }
      private(set) var heard: [Int] = []
      private var isInside = false

      init(_ executor: LoopExecutor) { self.executor = executor }

      func isAtItsLoop(_ loop: Loop) -> Bool { Loop.current === loop }

      /// Whether no other caller was inside at the same time.
      func visit(_ value: Int) -> Bool {
        if isInside { return false }
        isInside = true
        heard.append(value)
        for _ in 0..<100 { _ = Task.isCancelled }
        isInside = false
        return true
      }

      func listen(to signal: Signal<Int>) -> Disposable {
        signal.subscribe(isolatedTo: self, next: { me, value in me.heard.append(value) })
      }

      /// Delivered without a hop, for the actor lives where the subject does.
      func listenHere(to subject: PublishSubject<Int>) {
        subject.subscribe(next: { [unowned self] value in
          assumeIsolated { $0.heard.append(value) }
        })
        subject.next(1)
        #expect(heard == [1])
      }

      func close(_ loop: Loop, then afterwards: @escaping @Sendable () -> Void) {
        loop.close()
        afterwards()
        // A caller that was let in too early would be inside now.
        isInside = true
        for _ in 0..<100_000 { _ = Task.isCancelled }
        isInside = false
      }
    }

    @Test func anActorOnALoop_runsThere() async {
      let there = Worker()
      let session = Session(LoopExecutor(there.loop))
      #expect(await session.isAtItsLoop(there.loop))
      #expect(session.executor.isIsolatingCurrentContext() == false)
      there.run {
        #expect(session.executor.isIsolatingCurrentContext() == true)
        session.executor.checkIsolated()
        session.assertIsolated()
        session.assumeIsolated { #expect($0.heard == []) }
      }
      there.stop()
    }

    @Test func anActorOnALoop_oneAtATimeInOrder() async {
      let there = Worker()
      let session = Session(LoopExecutor(there.loop))
      await withTaskGroup(of: Bool.self) { group in
        for value in 0..<2000 { group.addTask { await session.visit(value) } }
        for await wasAlone in group { #expect(wasAlone) }
      }
      #expect(await session.heard.sorted() == Array(0..<2000))
      there.stop()
    }

    @Test func anActorOnALoop_hearsWhatIsThere() async {
      let there = Worker()
      let session = Session(LoopExecutor(there.loop))
      let subject = PublishSubject<Int>(there.options)
      await session.listenHere(to: subject)
      inThread { subject.next(2) }
      there.meet()
      #expect(await session.heard == [1, 2])
      // The actor's scheduler is the loop's, and none of its own.
      #expect(Scheduler.actor(session) === there.loop.scheduler)
      let subscription = await session.listen(to: subject.map { $0 * 10 })
      subject.next(3)
      await until { await session.heard.count == 4 }
      #expect(await session.heard == [1, 2, 3, 30])
      #expect(subscription.disposeSync() == .ok)
      #expect(subject.subscriberCount == 1)
      there.run { subject.completed() }
      there.stop()
    }

    @Test func anActorOnAWorker_keepsIt() async throws {
      weak var released: BelayLoop.Worker?
      do {
        let session = Session(LoopExecutor(try BelayLoop.Worker()))
        released = session.executor.worker
        #expect(await session.visit(1))
        #expect(await session.heard == [1])
        #expect(released != nil)
      }
      await until { released == nil && Live.loops.count == 0 }
    }

    @Test func anActorOnALoopThatCloses_goesOnAlone() async {
      for round in 0..<50 {
        let there = Worker()
        let session = Session(LoopExecutor(there.loop))
        let lateComers = Locked<[Task<Bool, Never>]>([])
        #expect(await session.visit(-1))
        await session.close(there.loop) {
          lateComers.withLock {
            $0 = (0..<20).map { value in Task { await session.visit(value) } }
          }
        }
        for task in lateComers.withLock({ $0 }) { #expect(await task.value) }
        #expect(await session.visit(100 + round))
        #expect(await session.heard.count == 22)
        there.join()
        #expect(session.executor.isIsolatingCurrentContext() == false)
      }
    }

    // MARK: The main actor drives a loop

    @Test @MainActor func main_drivesALoop() async throws {
      let loop = try Loop()
      var heard: [String] = []
      var others = 0
      // Ends once the main actor has run something else three times, or after ten thousand values.
      let interval = Signal<UInt64>.interval(.milliseconds(2), on: loop.scheduler)
      interval.take(10_000).takeWhile { $0 < 2 || others < 3 }.subscribe(
        next: {
          MainActor.assertIsolated()
          #expect(Loop.current === loop)
          heard.append("\($0)")
        }, completed: { heard.append("completed") })
      let other = Task { @MainActor in
        while !Task.isCancelled {
          others += 1
          try await Task.sleep(nanoseconds: 500_000)
        }
      }
      try await loop.runOnMainActor()
      other.cancel()
      _ = await other.result
      #expect(heard.starts(with: ["0", "1"]))
      #expect(heard.last == "completed")
      // The main actor ran other things meanwhile.
      #expect(others > 2)
      closeEmptyOnMain(loop)
    }

    @Test @MainActor func main_aDrivenLoopIsStopped() async throws {
      let loop = try Loop(persistent())
      let stopper = Routine { loop.stop() }
      try await loop.runOnMainActor()
      stopper.join()
      loop.post { loop.stop() }
      try await loop.runOnMainActor()
      closeEmptyOnMain(loop)
    }

    @Test @MainActor func main_aDrivenLoopIsCancelled() async throws {
      let loop = try Loop(persistent())
      let task = Task { @MainActor in try await loop.runOnMainActor() }
      await Task.yield()
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      // The loop may run again.
      var isDone = false
      loop.post {
        isDone = true
        loop.stop()
      }
      try loop.run()
      #expect(isDone)
      let late = Task { @MainActor in
        await until { Task.isCancelled }
        try await loop.runOnMainActor()
      }
      late.cancel()
      await #expect(throws: CancellationError.self) { try await late.value }
      closeEmptyOnMain(loop)
    }

    /// Also between two turns, and for another user of the loop.
    @Test @MainActor func main_aDrivenLoopIsNotDrivenTwice() async throws {
      let (loop, other) = (try Loop(persistent()), try Loop(persistent()))
      let hasRun = Box(false)
      loop.post { hasRun.value = true }
      let first = Task { @MainActor in try await loop.runOnMainActor() }
      await until { hasRun.value }
      await Task.yield()
      for again in [loop, other] {
        let failure = await #expect(throws: Failure.self) { try await again.runOnMainActor() }
        #expect(failure?.code == .busy)
      }
      loop.stop()
      try await first.value
      other.post { other.stop() }
      try await other.runOnMainActor()
      #expect(loop.bind() == .ok && other.close() == .ok)
      closeEmptyOnMain(loop)
    }

    /// A close between two turns, by another job of the main actor, or by a thread while the loop has
    /// another user, ends the drive.
    @Test(arguments: [false, true]) @MainActor
    func main_aDrivenLoopIsLeft(byAThread: Bool) async throws {
      let loop = try Loop(persistent())
      // A turn has run, and the next one waits.
      let hasRun = Box(false)
      loop.post { hasRun.value = true }
      let other = byAThread ? nil : try Loop(persistent())
      let closer = Task { @MainActor in
        await until { hasRun.value }
        await Task.yield()
        @Sendable func close() {
          #expect(loop.bind() == .ok)
          #expect(loop.close() == .ok)
        }
        if byAThread { inThread { close() } } else { close() }
      }
      try await loop.runOnMainActor()
      await closer.value
      #expect(loop.isClosed)
      if let other { closeEmptyOnMain(other) }
      let late = await #expect(throws: Failure.self) { try await loop.runOnMainActor() }
      #expect(late?.code == .closed)
    }

    @Test @MainActor func main_aDrivenLoopGetsWhatOthersSend() async throws {
      let loop = try Loop(persistent())
      var options = SourceOptions()
      options.home = loop.home
      let subject = PublishSubject<Int>(options)
      var heard: [Int] = []
      subject.subscribe(
        next: {
          MainActor.assertIsolated()
          heard.append($0)
        }, completed: { loop.stop() })
      let sender = Routine {
        for value in 0..<5000 { while subject.next(value) == .again {} }
        subject.completed()
      }
      try await loop.runOnMainActor()
      sender.join()
      #expect(heard == Array(0..<5000))
      closeEmptyOnMain(loop)
    }

    @Test @MainActor func main_aClosedLoopCannotBeDriven() async throws {
      let loop = try Loop()
      closeEmpty(loop)
      let failure = await #expect(throws: Failure.self) { try await loop.runOnMainActor() }
      #expect(failure?.code == .closed)
    }

    @Test @MainActor func main_aLoopThatRunsElsewhereCannotBeDriven() async throws {
      let there = Worker()
      there.meet()
      let other = await #expect(throws: Failure.self) { try await there.loop.runOnMainActor() }
      #expect(other?.code == .busy)
      there.stop()
    }

    /// A loop that blocks the main thread keeps the main actor from its own work. What is at home
    /// at the loop still runs on the main actor.
    @Test @MainActor func main_aLoopThatBlocksIsTheMainActors() throws {
      let loop = try Loop()
      var heard: [UInt64] = []
      Signal<UInt64>.timer(after: .milliseconds(1), on: loop.scheduler).subscribe(next: { value in
        MainActor.assumeIsolated { heard.append(value) }
      })
      try loop.run()
      #expect(heard == [0])
      closeEmpty(loop)
    }

    private func persistent() -> LoopOptions {
      var options = LoopOptions(label: "driven")
      options.isPersistent = true
      return options
    }
  }
}
