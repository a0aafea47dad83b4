@_spi(Engine) import Belay
import BelayLoop
import Testing

extension LoopTests {
  /// Rule 1.2: where callbacks run, and how events get there.
  @Suite struct Homes {
    let trace = Trace()

    @Test func rule_1_2_aHomeIsFixedWhenItIsMade() throws {
      let early = PublishSubject<Int>()
      let loop = try Loop()
      let late = PublishSubject<Int>()
      inThread {
        #expect(early.next(1) == .noHome)
        #expect(late.next(1) == .queued)
      }
      try loop.turn()
      closeEmpty(loop)
    }

    @Test func rule_1_2_queuedOnceBeforeTheFirstOperator() throws {
      let loop = try Loop()
      let subject = PublishSubject<Int>()
      let calls = Counter()
      subject.map { value in
        if Loop.current === loop { calls.add() }
        return value
      }.filter { $0 > 98 }.watch(trace)
      inThread {
        for number in 1...100 { #expect(subject.next(number) == .queued) }
        #expect(subject.completed() == .queued)
      }
      #expect(calls.count == 0)
      try loop.turn()
      #expect(calls.count == 100)
      #expect(trace.take() == "next 99 | next 100 | completed | disposed | free")
      #expect(loop.core.queueHighWater == 100)
      closeEmpty(loop)
    }

    @Test func rule_1_2_atHomeNothingIsQueued() throws {
      let loop = try Loop()
      let subject = PublishSubject<Int>()
      let subscription = subject.watch(trace)
      #expect(subject.next(1) == .ok)
      subscription.dispose()
      #expect(trace.take() == "next 1 | disposed | free")
      #expect(loop.core.queueHighWater == 0)
      closeEmpty(loop)
    }

    private final class Node: Object, @unchecked Sendable {
      @Observed var next: Node?
      @Observed var number = 0
    }

    @Test func A3_45_aHopIsNotAtTheLoopOfWhoMadeAChange() throws {
      let root = Node()
      let subscription = root.observe(\.next?.number).subscribe(next: { [trace] number in
        trace.add(number.map { "\($0)" } ?? "nil")
      })
      inThread {
        guard let loop = try? Loop() else { return }
        root.next = Node()
        #expect(loop.core.queueHighWater == 0)
        closeEmpty(loop)
      }
      root.next?.number = 6
      #expect(trace.take() == "nil | 0 | 6")
      subscription.dispose()
    }

    @Test func rule_1_2_disposedElsewhereAtHomesNextTurn() throws {
      let loop = try Loop()
      let subject = PublishSubject<Int>()
      let subscription = subject.tap(trace, "stage").watch(trace)
      inThread { subscription.dispose() }
      #expect(subscription.isDisposed)
      subject.next(1)
      #expect(trace.take() == "")
      try loop.turn()
      #expect(trace.take() == "stage disposed | disposed | free")
      closeEmpty(loop)
    }

    @Test func rule_1_2_aFullQueueRefusesValuesNotEnds() throws {
      var options = LoopOptions()
      options.capacity = 4
      let loop = try Loop(options)
      let subject = PublishSubject<Int>()
      subject.watch(trace)
      let others = (0..<20).map { _ in subject.subscribe() }
      inThread {
        for number in 1...6 { #expect(subject.next(number) == (number <= 4 ? .queued : .again)) }
        for other in others { other.dispose() }
        #expect(subject.completed() == .queued)
      }
      try loop.turn()
      #expect(
        trace.take() == "next 1 | next 2 | next 3 | next 4 | completed | disposed | free")
      closeEmpty(loop)
    }

    @Test func aCapacityBelowZeroIsZero() throws {
      var options = LoopOptions()
      options.capacity = -1
      let loop = try Loop(options)
      let subject = PublishSubject<Int>()
      subject.watch(trace)
      inThread {
        #expect(subject.next(1) == .again)
        #expect(subject.completed() == .queued)
      }
      try loop.turn()
      #expect(trace.take() == "completed | disposed | free")
      closeEmpty(loop)
    }

    @Test func sendersWaitForRoom() throws {
      var options = LoopOptions()
      options.capacity = 2
      let loop = try Loop(options)
      let subject = PublishSubject<Int>()
      let wire = Wire<Int>(trace)
      let seen = Counter()
      let others = subject.merge(wire.signal).subscribe(next: { _ in seen.add() })
      let sender = Routine {
        for number in 0..<200 {
          #expect(subject.next(number, waitingAtMost: nil) == .queued)
          #expect(wire.next(number, waitingAtMost: .seconds(100)) == .queued)
        }
      }
      while seen.count < 400 { try loop.turn() }
      sender.join()
      inThread {
        for number in 0..<2 { #expect(subject.next(number, waitingAtMost: .zero) == .queued) }
        #expect(subject.next(2, waitingAtMost: .milliseconds(1)) == .timedOut)
        #expect(wire.next(2, waitingAtMost: .zero) == .timedOut)
        let own = try? Loop()
        #expect(subject.next(3, waitingAtMost: nil) == .deadlock)
        own?.close()
      }
      try loop.turn()
      others.dispose()
      #expect(trace.take() == "released")
      wire.drop()
      closeEmpty(loop)
    }

    @Test func rule_1_2_aSubscriberUsedOnAnotherThread() throws {
      let loop = try Loop()
      let wire = Wire<Int>(trace)
      wire.signal.watch(trace)
      inThread {
        #expect(wire.next(1) == .queued)
        #expect(wire.completed() == .queued)
      }
      #expect(trace.take() == "")
      try loop.turn()
      #expect(trace.take() == "next 1 | completed | disposed | released | free")
      wire.signal.watch(trace)
      inThread { wire.drop() }
      #expect(trace.take() == "")
      try loop.turn()
      #expect(trace.take() == "released | disposed | free")
      closeEmpty(loop)
    }

    // MARK: Two homes

    @Test func rule_1_2_subscribingAwayFromTheSourcesHome() throws {
      let there = Worker()
      let here = try Loop()
      let subject = PublishSubject<Int>(there.options)
      let calls = Counter()
      let subscription = subject.subscribe(
        next: { [trace] value in
          if Loop.current === here { calls.add() }
          trace.add("next \(value)")
        }, completed: { [trace] in trace.add("completed") })
      #expect(!subscription.isDisposed)
      there.meet()
      there.run {
        for number in 1...3 { #expect(subject.next(number) == .ok) }
        #expect(subject.completed() == .ok)
      }
      #expect(trace.take() == "")
      try here.turn()
      #expect(trace.take() == "next 1 | next 2 | next 3 | completed")
      #expect(calls.count == 3)
      there.stop()
      closeEmpty(here)
    }

    /// The third case of article 002: at the disposal nobody knows whether the producer has run.
    @Test func A3_09_disposedRightAfterSubscribing() throws {
      let there = Worker()
      let here = try Loop()
      let subject = PublishSubject<Int>(there.options)
      for _ in 0..<100 {
        let subscription = subject.watch(trace)
        subscription.dispose()
        #expect(trace.take() == "disposed | free")
      }
      there.run { subject.next(1) }
      try here.turn()
      #expect(trace.take() == "")
      there.run { #expect(subject.subscriberCount == 0) }
      there.stop()
      try here.turn()
      closeEmpty(here)
    }

    @Test func rule_1_2_theSubscriptionsQueueOverflowsWithAnError() throws {
      let there = Worker(capacity: 4)
      let here = try Loop()
      let subject = PublishSubject<Int>()
      there.run { [trace] in subject.watch(trace) }
      try here.turn()
      there.meet()
      let (inside, mayLeave) = (Gate(), Gate())
      there.loop.post {
        inside.open()
        mayLeave.wait()
      }
      inside.wait()
      for number in 1...10 { #expect(subject.next(number) == .ok) }
      mayLeave.open()
      there.meet()
      #expect(
        trace.take() == "next 1 | next 2 | next 3 | next 4 | error EAGAIN | disposed | free")
      try here.turn()
      there.stop()
      try here.turn()
      closeEmpty(here)
    }

    @Test func rule_1_2_pingPongBetweenTwoLoops() {
      let (a, b) = (Worker(), Worker())
      let toA = PublishSubject<Int>(a.options)
      let toB = PublishSubject<Int>(b.options)
      let (strayed, calls, over) = (Counter(), Counter(), Gate())
      a.run {
        toA.subscribe(next: { number in
          if Loop.current !== a.loop { strayed.add() }
          calls.add()
          if number == 1000 { over.open() } else { toB.next(number + 1) }
        })
      }
      b.run {
        toB.subscribe(next: { number in
          if Loop.current !== b.loop { strayed.add() }
          calls.add()
          toA.next(number + 1)
        })
      }
      #expect(toA.next(0) == .queued)
      over.wait()
      a.run { toA.completed() }
      b.run { toB.completed() }
      a.stop()
      b.stop()
      #expect(calls.count == 1001)
      #expect(strayed.count == 0)
    }

    @Test func rule_1_2_mergeOfTwoHomes() throws {
      let there = Worker()
      let here = try Loop()
      let (near, far) = (PublishSubject<Int>(), PublishSubject<Int>(there.options))
      near.merge(far).watch(trace)
      there.meet()
      near.next(1)
      there.run {
        far.next(2)
        far.completed()
      }
      near.completed()
      #expect(trace.take() == "next 1")
      try here.turn()
      #expect(trace.take() == "next 2 | completed | disposed | free")
      there.stop()
      closeEmpty(here)
    }

    // MARK: Values on their way

    private struct Large {
      var numbers = (0, 0, 0, 0, 0)
      var witness: Witness
    }

    @Test func rule_1_5_largeValuesAndObjectsCrossThreads() throws {
      let there = Worker()
      let here = try Loop()
      let large = PublishSubject<Large>(there.options)
      let objects = PublishSubject<Witness>()
      large.subscribe(next: { $0.witness.say("\($0.numbers.4)") })
      objects.subscribe(next: { $0.say("here") })
      there.meet()
      inThread { [trace] in
        #expect(objects.next(Witness(trace, "object")) == .queued)
        let value = Large(numbers: (1, 2, 3, 4, 5), witness: Witness(trace, "large"))
        #expect(large.next(value) == .queued)
      }
      there.meet()
      try here.turn()
      #expect(trace.take() == "object here | object free | large 5 | large free")
      // A value that is under way when its loop closes is released, too.
      inThread { [trace] in objects.next(Witness(trace, "left")) }
      #expect(here.close { _ in } == .ok)
      #expect(trace.take() == "left free")
      there.stop()
    }

    // MARK: Waiting

    @Test func rule_1_2_disposeSyncAcrossThreads() {
      let there = Worker()
      let subject = PublishSubject<Int>(there.options)
      let kept = Box<Disposable?>(nil)
      let (inside, mayLeave) = (Gate(), Gate())
      there.run { [trace] in
        let witness = Witness(trace, "")
        kept.value = subject.subscribe(
          next: { _ in
            witness.say("next")
            inside.open()
            mayLeave.wait()
            witness.say("next ends")
          }, disposed: { trace.add("disposed") })
      }
      subject.next(1)
      inside.wait()
      #expect(kept.value?.disposeSync(timeout: .zero) == .timedOut)
      #expect(trace.take() == "next")
      mayLeave.open()
      #expect(kept.value?.disposeSync() == .ok)
      #expect(trace.take() == "next ends | disposed | free")
      there.run { [trace] in kept.value = subject.watch(trace) }
      #expect(kept.value?.disposeSync(timeout: .seconds(60)) == .ok)
      #expect(trace.take() == "disposed | free")
      there.stop()
    }

    // MARK: Owners

    @Test func rule_1_4_noticesAreHeardAtTheSubscriptionsHome() throws {
      let loop = try Loop()
      let owner = Box<Owner?>(
        Owner(deinit: { [trace] in trace.add("deinit \(Loop.current == nil)") }))
      owner.value?.deallocated.subscribe(next: { [trace] in
        trace.add("heard \(Loop.current === loop)")
      })
      inThread { owner.value = nil }
      #expect(trace.take() == "deinit true")
      try loop.turn()
      #expect(trace.take() == "heard true")
      closeEmpty(loop)
    }

    @Test func rule_1_4_anOwnerWithALoopDiesThere() throws {
      final class Record: OwnerRecord, @unchecked Sendable {
        let trace: Trace
        init(_ trace: Trace, _ home: Home) {
          self.trace = trace
          super.init(home: home)
        }
        override func runDeinit() { trace.add("deinit \(Loop.current != nil)") }
        override func runDealloc() { trace.add("dealloc") }
      }
      let loop = try Loop()
      let record = Record(trace, loop.home)
      record.add(trace.action("bound"))
      inThread { record.releaseHandle() }
      #expect(trace.take() == "")
      try loop.turn()
      #expect(trace.take() == "bound | deinit true | dealloc")
      closeEmpty(loop)
    }

    @Test func anOwnerDiesAtTheHomeOfItsScheduler() throws {
      let loop = try Loop()
      let scheduler = loop.scheduler
      let owner = Box<Owner?>(
        try Owner(
          dyingAt: scheduler, label: "window",
          deinit: { [trace] in trace.add("deinit \(Loop.current != nil)") },
          dealloc: { [trace] in trace.add("dealloc") }))
      owner.value?.add(trace.action("bound"))
      inThread { owner.value = nil }
      #expect(trace.take() == "")
      try loop.turn()
      #expect(trace.take() == "bound | deinit true | dealloc")
      let left = try Owner(dyingAt: scheduler, label: "left")
      let code = loop.close { [trace] left in for each in left { trace.add(each.text) } }
      #expect(code == .ok)
      #expect(trace.take() == "owner left")
      withExtendedLifetime(left) {}
      let late = #expect(throws: Failure.self) { try Owner(dyingAt: scheduler) }
      #expect(late?.code == .closed)
      let nowhere = #expect(throws: Failure.self) { try Owner(dyingAt: ImmediateScheduler.shared) }
      #expect(nowhere?.code == .invalid)
    }

    @Test func rule_1_4_aDeathWaitsForACallbackOnALoop() {
      let there = Worker()
      let owner = Box<Owner?>(Owner(deinit: { [trace] in trace.add("deinit") }))
      let record = owner.value?.record
      let subject = PublishSubject<Int>(there.options)
      let held = Held(trace)
      there.run { held.listen(to: subject, boundTo: record) }
      subject.next(1)
      held.inside.wait()
      owner.value = nil
      #expect(trace.take() == "")
      held.mayLeave.open()
      there.meet()
      there.meet()
      #expect(trace.take() == "next ends | deinit")
      there.stop()
    }
  }
}
