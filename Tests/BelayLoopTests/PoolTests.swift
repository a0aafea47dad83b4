import Belay
import BelayLoop
import Testing

extension LoopTests {
  /// Work on threads of libuv's pool.
  @Suite struct Pool {
    let trace = Trace()

    @Test func A3_22_workRunsElsewhereInTheOrderOfScheduling() throws {
      let loop = try Loop()
      let pool = PoolScheduler(on: loop)
      let order = Box<[Int]>([])
      pool.schedule(after: .milliseconds(1)) { order.value.append(100) }
      for number in 0..<100 {
        pool.schedule {
          #expect(!loop.home.isCurrent)
          order.value.append(number)
        }
      }
      try loop.run()
      #expect(order.value == Array(0...100))
      closeEmpty(loop)
    }

    @Test func A3_20_A3_24_thePoolsSchedulerIsCurrentInside() throws {
      let loop = try Loop()
      let pool = PoolScheduler(on: loop)
      #expect(Scheduler.current != nil && Scheduler.current !== pool)
      pool.schedule {
        #expect(Scheduler.current === pool)
        ImmediateScheduler.shared.schedule {
          #expect(Scheduler.current === ImmediateScheduler.shared)
        }
        #expect(Scheduler.current === pool)
      }
      try loop.run()
      closeEmpty(loop)
      #expect(Scheduler.current == nil)
    }

    /// On a thread without a loop, which what runs elsewhere cannot reach.
    @Test func aClosedLoopsSchedulersAreCanceledEverywhere() throws {
      let trace = trace
      UnhandledErrorHook.install(
        UnhandledErrorHook { failure, _, _ in trace.add("\(failure.name)") })
      let loop = try Loop()
      let pool = PoolScheduler(on: loop)
      func subscribe() {
        inThread {
          loop.work { 1 }.subscribe()
          Signal.start(on: pool) { 1 }.subscribe()
          Signal<UInt64>.timer(after: .zero, on: loop.scheduler).subscribe()
          Signal<Int>.never().takeFor(.zero, on: loop.scheduler).subscribe()
        }
      }
      subscribe()
      #expect(trace.take() == "ENOHOME | ENOHOME | ENOHOME | ENOHOME")
      closeEmpty(loop)
      subscribe()
      #expect(trace.take() == "ECANCELED | ECANCELED | ECANCELED | ECANCELED")
      UnhandledErrorHook.install(nil)
    }

    @Test func A3_23_skippedWhenItIsDisposedBeforeItStarts() throws {
      let loop = try Loop()
      let pool = PoolScheduler(on: loop)
      let go = Gate()
      pool.schedule { go.wait() }
      let witness = Box<Witness?>(Witness(trace, "work"))
      let skipped = pool.schedule { [witness = witness.value] in witness?.say("run") }
      witness.value = nil
      skipped.dispose()
      #expect(trace.take() == "work free")
      go.open()
      try loop.run()
      #expect(trace.take() == "")
      closeEmpty(loop)
    }

    @Test func A3_57_repeatingWorkHasItsCurrentScheduler() throws {
      let loop = try Loop()
      let pool = PoolScheduler(on: loop)
      let repeating = SerialDisposable()
      let calls = Counter()
      repeating.set(
        pool.schedule(after: .milliseconds(5), every: .milliseconds(1)) {
          #expect(Scheduler.current === pool)
          calls.add()
          if calls.count == 3 { repeating.dispose() }
        })
      try loop.run()
      #expect(calls.count == 3)
      closeEmpty(loop)
    }

    @Test func A3_58_recursionKeepsTheThread() throws {
      let loop = try Loop()
      let pool = PoolScheduler(on: loop)
      let left = Box(100_000)
      pool.scheduleRecursive { recursion in
        left.value -= 1
        if left.value > 0 { recursion.again() }
      }
      try loop.run()
      #expect(left.value == 0)
      closeEmpty(loop)
    }

    @Test func rule_1_2_aPoolIsAHome() throws {
      let loop = try Loop()
      let pool = PoolScheduler(on: loop)
      let subject = PublishSubject<Int>()
      subject.observe(on: pool).map { "\($0) \(loop.home.isCurrent)" }.observe(on: loop.scheduler)
        .map { "\($0) \(loop.home.isCurrent)" }.watch(trace)
      subject.next(1)
      subject.completed()
      try loop.run()
      #expect(trace.take() == "next 1 false true | completed | disposed | free")
      Signal<Int>.create { subscriber in
        #expect(!loop.home.isCurrent)
        subscriber.send(2)
        subscriber.completed()
        return nil
      }.subscribe(on: pool).watch(trace)
      try loop.run()
      #expect(trace.take() == "next 2 | completed | disposed | free")
      closeEmpty(loop)
    }

    @Test func closeWaitsForWhatHasBegun() throws {
      let loop = try Loop()
      let pool = PoolScheduler(on: loop)
      let begun = Gate()
      pool.schedule { [trace] in
        begun.open()
        while loop.post({}) != .canceled {}
        trace.add("to its end")
      }
      begun.wait()
      var left: [String] = []
      #expect(loop.close { left = $0.map { $0.text } } == .ok)
      #expect(left == ["work"])
      #expect(trace.take() == "to its end")
      let late = pool.schedule { [trace] in trace.add("late") }
      #expect(late.isDisposed)
      #expect(trace.take() == "")
    }
  }
}
