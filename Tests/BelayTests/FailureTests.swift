import Belay
import Testing

extension CoreTests {
  /// Failures, codes, the hook for errors that nobody handles, and schedulers without a clock.
  @Suite struct Failures {
    let trace = Trace()

    private final class Cause: Error, CustomStringConvertible {
      let trace: Trace
      init(_ trace: Trace) { self.trace = trace }
      deinit { trace.add("cause gone") }
      var description: String { "a cause" }
    }

    @Test func aFailureCarriesASwiftError() {
      do {
        let failure = Failure(Cause(trace))
        #expect(failure.underlying is Cause)
        #expect(failure.message == "a cause")
        #expect(Failure(Cause(trace), message: "other").message == "other")
      }
      #expect(trace.take() == "cause gone | cause gone")
    }

    @Test func codesHaveNamesAndTexts() {
      #expect(Failure(.range).message == "out of range")
      #expect(Failure(.range).domain == "belay")
      #expect(Failure(.noHome).name == "ENOHOME")
      #expect(Code(rawValue: -12345).text == "error -12345")
      #expect(Code(rawValue: -12345).staticName == nil)
      #expect(!Code.queued.isFailure && !Code.ok.isFailure && Code.again.isFailure)
    }

    @Test func A2_13_theHookIsForWhatNobodyHandlesOnly() {
      UnhandledErrorHook.install(UnhandledErrorHook { [trace] _, signal, _ in trace.add(signal) })
      defer { UnhandledErrorHook.install(nil) }
      let subject = PublishSubject<Int>(SourceOptions(label: "taps"))
      subject.subscribe(error: { _ in })
      subject.take(2).subscribe().dispose()
      subject.subscribe()
      subject.filter { _ in true }.subscribe()
      subject.error(Failure(.range))
      #expect(trace.take() == "taps | taps.filter")
    }

    @Test func aHookIsLetGoOfWhenItIsReplaced() {
      weak var captured: Witness?
      do {
        let witness = Witness(trace, "hook")
        captured = witness
        UnhandledErrorHook.install(UnhandledErrorHook { _, _, _ in witness.say("called") })
      }
      Signal<Int>.error(Failure(.range)).subscribe()
      #expect(captured != nil)
      UnhandledErrorHook.install(nil)
      #expect(trace.take() == "hook called | hook free")
    }

    @Test func immediateRunsInTheCall() {
      let scheduler = ImmediateScheduler.shared
      let work = scheduler.schedule { [trace] in
        trace.add("outer")
        scheduler.schedule { trace.add("inner") }
        #expect(Scheduler.running === scheduler)
      }
      #expect(work.isDisposed)
      #expect(Scheduler.running == nil)
      #expect(trace.take() == "outer | inner")
    }

    @Test func A3_58_aTrampolineFlattensRecursion() {
      let left = Box(100_000)
      @Sendable func again() {
        left.value -= 1
        if left.value > 0 { TrampolineScheduler.shared.schedule { again() } }
      }
      TrampolineScheduler.shared.schedule { again() }
      #expect(left.value == 0)
    }

    @Test func A3_23_workIsSkippedWhenItIsDisposedBeforeItStarts() {
      TrampolineScheduler.shared.schedule { [trace] in
        let skipped = TrampolineScheduler.shared.schedule { trace.add("skipped") }
        TrampolineScheduler.shared.schedule { trace.add("run") }
        skipped.dispose()
      }
      #expect(trace.take() == "run")
    }

    @Test func withoutAClockADelayIsAnError() {
      let schedulers: [Scheduler] = [ImmediateScheduler.shared, TrampolineScheduler.shared]
      for scheduler in schedulers {
        let work = scheduler.schedule(after: .zero) { [trace] in trace.add("run") }
        #expect(work.isDisposed)
        Signal<UInt64>.timer(after: .seconds(1), on: scheduler).watch(trace)
        #expect(trace.take() == "error EINVAL | disposed | free")
      }
    }
  }
}
