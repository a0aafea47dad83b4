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

    @Test func aFailurePrintsItsCodeItsMessageAndItsCauses() {
      let timeout = Failure(.timedOut)
      #expect("\(timeout)" == "ETIMEDOUT (-110): timed out")
      // What the runtime prints for an error that nothing catches.
      #expect(String(reflecting: timeout as any Error) == "\(timeout)")
      let http = Failure(Code(rawValue: -503), domain: "http", message: "try later", cause: timeout)
      let last = Failure(.canceled, message: "gave up", cause: http)
      #expect(
        "\(last)"
          == "ECANCELED (-125): gave up, caused by http -503: try later, caused by \(timeout)")
      #expect("\(Failure(Boom(pressure: 3)))" == "swift EINVAL (-22): Boom(pressure: 3)")
      #expect(
        "\(Failure(Boom(pressure: 3), message: "it burst"))"
          == "swift EINVAL (-22): it burst, caused by Boom(pressure: 3)")
      #expect("\(Code(rawValue: -12345))" == "-12345")
      var long = timeout
      for _ in 0..<100_000 { long = Failure(.canceled, cause: long) }
      #expect("\(long)".hasSuffix("ECANCELED (-125): canceled, …"))
    }

    private struct Boom: Error, Equatable { var pressure: Int }

    private func burst(_ value: Int) throws -> Int {
      if value == 2 { throw Boom(pressure: value) }
      return value
    }

    @Test func aSwiftErrorArrivesAsItself() async throws {
      let numbers = Signal.from([1, 2, 3])
      let ways: [Signal<Int>] = [
        numbers.map { try burst($0) }, numbers.filter { try burst($0) > 0 },
        numbers.scan(0) { try burst($1) }, numbers.flatMap { .just(try burst($0)) },
        numbers.do(next: { _ = try burst($0) }), numbers.attempt { _ = try burst($0) },
        numbers.concat(.error(Boom(pressure: 2))),
        .create { subscriber in
          subscriber.error(Boom(pressure: 2))
          return nil
        },
        .defer { .just(try burst(2)) }, .from { try burst(2) },
        numbers.concat(.error(Failure(.range))).mapError { _ in Boom(pressure: 2) },
        numbers.map { try burst($0) }.catch { throw $0 },
      ]
      for (place, way) in ways.enumerated() {
        await #expect(throws: Boom(pressure: 2), "way \(place)") { try await way.lastValue() }
        await #expect(throws: Boom(pressure: 2), "way \(place)") {
          for try await _ in way.values {}
        }
      }
      var failure: Failure?
      ways[0].subscribe(error: { failure = $0 })
      #expect(failure?.underlying as? Boom == Boom(pressure: 2))
    }

    @Test func whatIsThrownToTheCaller() {
      let property = Property(1)
      #expect(throws: Boom(pressure: 2)) { try property.modify { try burst($0 + 1) } }
      #expect(property.value == 1)
      #expect(property.modify { $0 + 2 } == .ok)
      #expect(property.value == 3)
      let command = Command<Int, Int> { .just(try burst($0)) }
      let failure = #expect(throws: Failure.self) { try command.execute(2) }
      #expect(failure?.underlying as? Boom == Boom(pressure: 2))
    }

    @Test func aFailureThatIsThrownStaysItself() async {
      let failure = Failure(.notFound, message: "no file")
      let signal = Signal.just(1).map { (_: Int) throws -> Int in throw failure }
      let thrown = await #expect(throws: Failure.self) { try await signal.firstValue() }
      #expect(thrown === failure)
    }

    @Test func aCancellationInASignalIsNotTheTasks() async {
      let signal = Signal.just(1).map { (_: Int) throws -> Int in throw CancellationError() }
      let thrown = await #expect(throws: Failure.self) { try await signal.firstValue() }
      #expect(thrown?.underlying is CancellationError)
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

    @Test func theHookGetsWhatCannotStart() {
      UnhandledErrorHook.install(
        UnhandledErrorHook { [trace] failure, signal, _ in
          trace.add("\(signal) \(failure.name)")
        })
      defer { UnhandledErrorHook.install(nil) }
      let subject = PublishSubject<Int>(SourceOptions(label: "far"))
      let request = Request<Int, Int>(0) { $0 + $1 }
      inThread { [trace] in
        let ends = subject.map { $0 }.subscribe(
          next: { _ in trace.add("value") }, error: { _ in trace.add("error") },
          disposed: { trace.add("disposed") })
        #expect(ends.isDisposed)
        #expect(request.subscribe { $0 }.isDisposed)
      }
      #expect(trace.take() == "far.map ENOHOME | request ENOHOME")
    }

    @Test func F6_03_overlapsAreToldOnce() {
      OverlapHook.install(
        OverlapHook { [trace] overlap, source, sender, _ in
          if source == "fed back" {
            trace.add("\(overlap) \(sender ?? "-")")
            #expect(DeliveryStack.text == "fed back.take\n")
          }
        })
      defer { OverlapHook.install(nil) }
      let subject = PublishSubject<Int>(SourceOptions(label: "fed back"))
      subject.take(3).subscribe(next: { subject.next($0 + 1) })
      subject.next(0)
      #expect(trace.take() == "nested fed back.take")
    }

    @Test func D_15_slowCallbacksAreTold() {
      let work = ImmediateScheduler.shared
      SlowCallbackHook.install(
        SlowCallbackHook(from: .zero) { [trace] time, name, _ in
          #expect(time >= .zero)
          if name == "timed" || name == "timed.take" { trace.add("\(name)") }
        })
      defer { SlowCallbackHook.install(nil) }
      let subject = PublishSubject<Int>(SourceOptions(label: "timed"))
      subject.take(1).subscribe(next: { _ in work.schedule {} })
      subject.take(2).subscribe()
      subject.next(0)
      #expect(trace.take() == "timed | timed.take")
      SlowCallbackHook.install(SlowCallbackHook(from: .seconds(3600)) { _, name, _ in _ = name })
      subject.next(0)
      #expect(trace.take() == "")
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
