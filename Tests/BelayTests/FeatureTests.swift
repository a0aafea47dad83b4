import Belay
import Testing

extension CoreTests {
  /// Decisions of ReactiveObjC (A3-50 and after), as Belay makes them: the cases of
  /// Tests/C/API/features.c and properties.c that no other suite here has.
  @Suite struct Features {
    let trace = Trace()
    private let ending = "completed | disposed | free"

    @Test func A3_50_aDeathIsToldBeforeTheDeinitAndToWhoComesLate() {
      let trace = trace
      var owner: Owner? = Owner { trace.add("deinit") }
      let deallocating = owner?.deallocating
      deallocating?.subscribe(
        next: { _ in trace.add("notice") }, completed: { trace.add("completed") })
      owner = nil
      #expect(trace.take() == "notice | deinit | completed")
      deallocating?.mapTo(1).watch(trace)
      #expect(trace.take() == "next 1 | \(ending)")
    }

    @Test func A3_51_whatIsBoundGoesBeforeTheDeinitAndANoticeComesAfter() {
      let trace = trace
      var owner: Owner? = Owner { trace.add("deinit") }
      owner?.deallocated.mapTo(1).watch(trace, "after")
      Signal<Int>.never().watch(trace, "bound", owner: owner)
      owner = nil
      #expect(
        trace.take() == "bound disposed | bound free | deinit | after next 1 | after completed | "
          + "after disposed | after free")
    }

    @Test func A3_52_aSubjectThatGoesInterruptsWhoListens() {
      var subject: PublishSubject<Int>? = PublishSubject()
      subject?.watch(trace)
      subject?.next(1)
      subject = nil
      #expect(trace.take() == "next 1 | disposed | free")
    }

    @Test func A3_52_whoComesAfterTheEndDoesNotWaitForEver() {
      let subject = PublishSubject<Int>()
      subject.completed()
      subject.watch(trace)
      #expect(trace.take() == ending)
    }

    @Test func A3_53_aReplayIsValuesThenTheEndABehaviorTheEndAlone() {
      let replay = ReplaySubject<Int>(count: 2)
      let behavior = BehaviorSubject(0)
      for value in 1...3 {
        replay.next(value)
        behavior.next(value)
      }
      behavior.take(1).watch(trace)
      #expect(trace.take() == "next 3 | \(ending)")
      replay.completed()
      behavior.completed()
      replay.watch(trace)
      #expect(trace.take() == "next 2 | next 3 | \(ending)")
      behavior.watch(trace)
      #expect(trace.take() == ending)
    }

    @Test func A3_53_aReplayStopsWhenDisposedMidway() {
      let subject = ReplaySubject<Int>()
      for value in 1...5 { subject.next(value) }
      subject.take(2).watch(trace)
      #expect(trace.take() == "next 1 | next 2 | \(ending)")
      #expect(subject.subscriberCount == 0)
    }

    @Test func A3_54_nilIsAValueWhereverValuesAreKept() {
      let subject = ReplaySubject<Int?>(count: 9)
      for value in [nil, 1, nil] { subject.next(value) }
      subject.completed()
      subject.map { $0 ?? 0 }.watch(trace)
      #expect(trace.take() == "next 0 | next 1 | next 0 | \(ending)")
      subject.buffer(3).map { $0.map { $0 ?? 0 } }.watch(trace)
      #expect(trace.take() == "next [0, 1, 0] | \(ending)")
      subject.takeLast(1).map { $0 ?? 0 }.watch(trace)
      #expect(trace.take() == "next 0 | \(ending)")
      Signal<Bool>.zip(subject, .just(Int?.none)) { $0 == nil && $1 == nil }.watch(trace)
      #expect(trace.take() == "next true | \(ending)")
    }

    @Test func A3_56_aConnectionIsOneUntilItIsDisposedAndThenAnother() {
      let source = PublishSubject<Int>()
      let shared = source.publish()
      let first = shared.connect()
      #expect(shared.connect() === first)
      #expect(source.subscriberCount == 1)
      first.dispose()
      #expect(source.subscriberCount == 0)
      let listener = shared.watch(trace)
      let other = shared.connect()
      #expect(other !== first)
      #expect(source.subscriberCount == 1)
      source.next(1)
      #expect(trace.take() == "next 1")
      listener.dispose()
      #expect(trace.take() == "disposed | free")
      other.dispose()
    }

    @Test func A3_56_autoConnectDoesNotConnectAgain() {
      let source = PublishSubject<Int>()
      let shared = source.publish().autoConnect()
      for _ in 1...2 {
        shared.watch(trace).dispose()
        #expect(source.subscriberCount == 1)
      }
      #expect(trace.take() == "disposed | free | disposed | free")
      source.completed()
    }

    @Test func A3_63_theCodesOfTheThreeErrors() {
      let time = VirtualScheduler()
      Signal<Int>.never().timeout(.seconds(1), on: time).watch(trace)
      time.advance(by: .seconds(1))
      #expect(trace.take() == "error ETIMEDOUT | disposed | free")
      Signal<Int>.switchOn(.just(2), cases: [(1, .never())]).watch(trace)
      #expect(trace.take() == "error EINVAL | disposed | free")
      let command = Command<Int, Int>(enabled: .just(false)) { _ in .empty() }
      let refusal = #expect(throws: Failure.self) { try command.execute(1) }
      #expect(refusal?.code == .busy)
    }

    @Test func A3_65_aChannelHasNoEcho() {
      let (a, b) = (Property(1), Property(2))
      let channel = a.channel(with: b)
      #expect(b.value == 1)
      a.signal.subscribe(next: { [trace] in trace.add("a \($0)") })
      b.signal.subscribe(next: { [trace] in trace.add("b \($0)") })
      _ = trace.take()
      a.set(3)
      #expect(trace.take() == "b 3 | a 3")
      b.set(4)
      #expect(trace.take() == "a 4 | b 4")
      channel?.dispose()
      a.set(5)
      #expect(b.value == 4)
    }

    @Test func A3_65_oneExecutionAtATime() throws {
      let source = PublishSubject<Int>()
      let command = Command<Int, Int> { [trace] input in
        trace.add("run \(input)")
        return source.take(2)
      }
      command.executing.subscribe(next: { [trace] in trace.add("executing \($0)") })
      command.enabled.subscribe(next: { [trace] in trace.add("enabled \($0)") })
      #expect(trace.take() == "executing false | enabled true")
      let execution = try command.execute(1)
      #expect(trace.take() == "executing true | enabled false | run 1")
      #expect(throws: Failure.self) { try command.execute(2) }
      source.next(5)
      execution.watch(trace)
      source.next(6)
      #expect(
        trace.take() == "next 5 | next 6 | executing false | enabled true | completed | "
          + "disposed | free")
    }

    @Test func A3_65_aCommandThatIsNotEnabled() throws {
      let enabled = BehaviorSubject(false)
      let command = Command<Int, Int>(enabled: enabled) { _ in .just(1) }
      let refusal = #expect(throws: Failure.self) { try command.execute(1) }
      #expect(refusal?.code == .busy)
      enabled.next(true)
      try command.execute(1).watch(trace)
      #expect(trace.take() == "next 1 | \(ending)")
    }

    @Test func A3_65_aCommandsErrors() throws {
      let command = Command<Int, Int> { (input: Int) throws(Failure) -> Signal<Int> in
        if input < 0 { throw Failure(.range) }
        return .error(Failure(.notFound))
      }
      command.errors.subscribe(next: { [trace] in trace.add("errors \($0.name)") })
      let thrown = #expect(throws: Failure.self) { try command.execute(-1) }
      #expect(thrown?.code == .range)
      #expect(trace.take() == "")
      try command.execute(1).watch(trace)
      #expect(trace.take() == "errors ENOENT | error ENOENT | disposed | free")
    }

    @Test func A3_65_aSequenceIsPulledAnEventIsAValueATupleATuple() {
      var number = 0
      Signal<Int>.fromIterator { [trace] () throws(Failure) -> Int? in
        trace.add("pulled")
        number += 1
        return number <= 2 ? number : nil
      }.take(1).watch(trace)
      #expect(trace.take() == "pulled | next 1 | \(ending)")
      Signal<(Int, String)>.zip(.just(1), .just("one")) { ($0, $1) }.watch(trace)
      #expect(trace.take() == "next (1, \"one\") | \(ending)")
      Signal.just(1).materialize().map { event in
        if case .next(let value) = event { "value \(value)" } else { "end" }
      }.watch(trace)
      #expect(trace.take() == "next value 1 | next end | \(ending)")
    }
  }
}
