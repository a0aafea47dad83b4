import Belay
import BelayLoop
import Testing

extension LoopTests {
  /// Timers, intervals, buffers by time, and scheduled work.
  @Suite struct Times {
    let trace = Trace()
    private let ending = "completed | disposed | free"

    @Test func timer_sendsOnce() throws {
      let loop = try Loop()
      Signal.timer(after: .milliseconds(2), on: loop.scheduler).watch(trace)
      Signal.timer(after: .zero, on: loop.scheduler).watch(trace, "at once")
      #expect(trace.take() == "")
      try loop.run()
      #expect(
        trace.take() == "at once next 0 | at once completed | at once disposed | at once free | "
          + "next 0 | \(ending)")
      closeEmpty(loop)
    }

    @Test func interval_counts() throws {
      let loop = try Loop()
      let interval = Signal.interval(.milliseconds(1), on: loop.scheduler)
      interval.map { $0 * 10 }.take(3).watch(trace)
      try loop.run()
      #expect(trace.take() == "next 0 | next 10 | next 20 | \(ending)")
      interval.take(1).watch(trace)
      try loop.run()
      #expect(trace.take() == "next 0 | \(ending)")
      Signal.interval(.zero, on: loop.scheduler).watch(trace)
      #expect(trace.take() == "error EINVAL | disposed | free")
      closeEmpty(loop)
    }

    @Test func timesThatAreRefused() throws {
      let loop = try Loop()
      let at = loop.scheduler
      let source = PublishSubject<Int>()
      func watch<Value>(_ signal: Signal<Value>) { signal.map { _ in 0 }.watch(trace) }
      let refused = "error EINVAL | disposed | free"
      for span in [Duration.zero, .seconds(-1), .seconds(Int64.min)] {
        for make in [
          { watch(Signal.interval(span, on: at)) }, { watch(source.sample(every: span, on: at)) },
          { watch(source.buffer(every: span, on: at)) },
          { watch(source.window(every: span, on: at)) },
          { watch(source.debounce(span, on: at)) },
          { watch(source.debounce(span, on: at) { _ in true }) },
          { watch(source.throttle(span, on: at)) }, { watch(source.audit(span, on: at)) },
          { watch(source.timeout(span, on: at)) },
        ] as [() -> Void] {
          make()
          #expect(trace.take() == refused)
        }
        let work = at.schedule(after: .zero, every: span) { [trace] in trace.add("run") }
        #expect(work.isDisposed)
      }
      for make in [
        { source.takeFor($0, on: at) }, { source.skipFor($0, on: at) },
        { source.takeLastFor($0, on: at) }, { source.skipLastFor($0, on: at) },
      ] as [(Duration) -> Signal<Int>] {
        watch(make(.nanoseconds(-1)))
        #expect(trace.take() == refused)
        make(.zero).subscribe().dispose()
      }
      // Less than a nanosecond is one.
      let brief = Duration(secondsComponent: 0, attosecondsComponent: 1)
      Signal.interval(brief, on: at).take(1).watch(trace)
      // A delay that is negative is none.
      Signal.timer(after: .seconds(-1), on: at).watch(trace, "timer")
      try loop.run()
      let all = trace.take()
      #expect(all.contains("next 0 | \(ending)") && all.contains("timer next 0"))
      closeEmpty(loop)
    }

    @Test func interval_disposedInsideNext() throws {
      let loop = try Loop()
      let subscription = SerialDisposable()
      let witness = Box<Witness?>(Witness(trace, ""))
      subscription.set(
        Signal.interval(.milliseconds(1), on: loop.scheduler).subscribe(
          next: { [witness = witness.value] value in
            witness?.say("next \(value)")
            if value == 1 { subscription.dispose() }
          }))
      witness.value = nil
      try loop.run()
      #expect(trace.take() == "next 0 | next 1 | free")
      closeEmpty(loop)
    }

    @Test func buffer_byTime() throws {
      let loop = try Loop()
      let subject = PublishSubject<Int>()
      subject.buffer(every: .milliseconds(2), on: loop.scheduler).take(2).watch(trace)
      subject.next(1)
      subject.next(2)
      #expect(trace.take() == "")
      try loop.run()
      #expect(trace.take() == "next [1, 2] | next [] | \(ending)")
      #expect(subject.subscriberCount == 0)
      closeEmpty(loop)
    }

    @Test func buffer_byTimeAndCount() throws {
      let loop = try Loop()
      let subject = PublishSubject<Int>()
      subject.buffer(every: .milliseconds(2), count: 2, on: loop.scheduler).take(3).watch(trace)
      for number in 1...3 { subject.next(number) }
      #expect(trace.take() == "next [1, 2]")
      try loop.run()
      #expect(trace.take() == "next [3] | next [] | \(ending)")
      closeEmpty(loop)
    }

    @Test func buffer_byTimeAtTheEnds() throws {
      let loop = try Loop()
      let wire = Wire<Int>(trace)
      let buffered = wire.signal.buffer(every: .seconds(1000), on: loop.scheduler)
      buffered.watch(trace)
      wire.next(1)
      wire.completed()
      #expect(trace.take() == "next [1] | completed | disposed | released | free")
      buffered.watch(trace)
      wire.next(1)
      wire.error(.range)
      #expect(trace.take() == "error ERANGE | disposed | released | free")
      let subscription = buffered.watch(trace)
      wire.next(1)
      subscription.dispose()
      #expect(trace.take() == "released | disposed | free")
      try loop.run()
      closeEmpty(loop)
    }

    @Test func rule_1_2_bufferByTimeIsFedFromElsewhere() throws {
      let loop = try Loop()
      let subject = PublishSubject<Int>()
      subject.buffer(every: .seconds(1000), count: 2, on: loop.scheduler).map { values in
        "\(values) \(Loop.current === loop)"
      }.watch(trace)
      inThread {
        for number in 1...3 { subject.next(number) }
        subject.completed()
      }
      try loop.run()
      #expect(trace.take() == "next [1, 2] true | next [3] true | \(ending)")
      closeEmpty(loop)
    }

    // MARK: Work

    @Test func A3_22_workRunsInTheOrderOfScheduling() throws {
      let loop = try Loop()
      let order = Box<[Int]>([])
      let scheduler = loop.scheduler
      for number in 0..<100 { scheduler.schedule { order.value.append(number) } }
      scheduler.schedule(after: .milliseconds(3)) { order.value.append(102) }
      scheduler.schedule(after: .milliseconds(1)) { order.value.append(100) }
      scheduler.schedule(after: .milliseconds(1)) { order.value.append(101) }
      #expect(order.value == [])
      try loop.run()
      #expect(order.value == Array(0..<103))
      closeEmpty(loop)
    }

    @Test func A3_23_workIsSkippedWhenItIsDisposedBeforeItStarts() throws {
      let loop = try Loop()
      let witness = Box<Witness?>(Witness(trace, "work"))
      let skipped = [
        loop.scheduler.schedule { [witness = witness.value] in witness?.say("run") },
        loop.scheduler.schedule(after: .seconds(1000)) { [witness = witness.value] in
          witness?.say("run")
        },
      ]
      witness.value = nil
      skipped[0].dispose()
      inThread { skipped[1].dispose() }
      #expect(trace.take() == "work free")
      try loop.run()
      #expect(trace.take() == "")
      closeEmpty(loop)
    }

    @Test func A3_24_theSchedulerIsCurrentWhileItsWorkRuns() throws {
      let loop = try Loop()
      loop.scheduler.schedule { [trace] in
        trace.add("\(Scheduler.running === loop.scheduler)")
        ImmediateScheduler.shared.schedule {
          trace.add("\(Scheduler.running === ImmediateScheduler.shared)")
        }
        trace.add("\(Scheduler.running === loop.scheduler)")
      }
      try loop.run()
      #expect(Scheduler.running == nil)
      #expect(trace.take() == "true | true | true")
      closeEmpty(loop)
    }

    @Test func everyRepeatsUntilItIsDisposed() throws {
      let loop = try Loop()
      let repeating = SerialDisposable()
      let calls = Counter()
      repeating.set(
        loop.scheduler.schedule(after: .zero, every: .milliseconds(1), leeway: .milliseconds(1)) {
          calls.add()
          if calls.count == 5 { repeating.dispose() }
        })
      try loop.run()
      #expect(calls.count == 5)
      closeEmpty(loop)
    }

    @Test func A2_26_scheduledDisposalRunsAtTheLoop() throws {
      let there = Worker()
      let over = Gate()
      let scheduled = ScheduledDisposable(
        there.loop.scheduler,
        AnonymousDisposable { [trace] in
          trace.add("\(Loop.current === there.loop)")
          over.open()
        })
      scheduled.dispose()
      scheduled.dispose()
      over.wait()
      #expect(scheduled.disposeSync() == .ok)
      there.meet()
      #expect(trace.take() == "true")
      there.stop()
    }
  }
}
