import Belay
import Testing

extension CoreTests {
  /// Every operator that has one input, on values, ends and failures.
  @Suite struct Operators {
    let trace = Trace()
    private let ending = "completed | disposed | free"

    private func numbers(_ count: Int) -> Signal<Int> { .from(Array(1...count)) }

    @Test func map_values() {
      numbers(3).map { $0 * 10 }.map { "<\($0)>" }.watch(trace)
      #expect(trace.take() == "next <10> | next <20> | next <30> | \(ending)")
    }

    @Test func filter_values() {
      numbers(5).filter { $0 % 2 == 1 }.watch(trace)
      #expect(trace.take() == "next 1 | next 3 | next 5 | \(ending)")
    }

    @Test func rule_1_1_take_completesThenEndsItsSource() {
      let wire = Wire<Int>(trace)
      wire.signal.take(2).watch(trace)
      wire.next(1)
      wire.next(2)
      #expect(trace.take() == "next 1 | next 2 | completed | disposed | released | free")
      #expect(wire.next(3) == .ended)
    }

    @Test func take_none() {
      let wire = Wire<Int>(trace)
      wire.signal.take(0).watch(trace)
      wire.signal.take(-1).watch(trace)
      #expect(wire.subscriber == nil)
      #expect(trace.take() == "\(ending) | \(ending)")
      numbers(2).take(9).watch(trace)
      #expect(trace.take() == "next 1 | next 2 | \(ending)")
    }

    @Test func take_countsWhatIsSentFromInside() {
      var options = SourceOptions()
      options.reentrancy = .depthFirst
      let subject = PublishSubject<Int>(options)
      subject.take(2).subscribe(next: { [trace] value in
        trace.add("\(value)")
        subject.next(value + 1)
      })
      subject.next(1)
      #expect(trace.take() == "1 | 2")
      #expect(subject.subscriberCount == 0)
    }

    @Test func scan_accumulates() {
      let sums = numbers(3).scan("") { "\($0)\($1)" }
      sums.watch(trace)
      sums.watch(trace)
      let all = "next 1 | next 12 | next 123 | \(ending)"
      #expect(trace.take() == "\(all) | \(all)")
    }

    @Test func buffer_count() {
      numbers(5).buffer(2).watch(trace)
      #expect(trace.take() == "next [1, 2] | next [3, 4] | next [5] | \(ending)")
      numbers(4).buffer(2).watch(trace)
      #expect(trace.take() == "next [1, 2] | next [3, 4] | \(ending)")
      numbers(2).buffer(0).watch(trace)
      #expect(trace.take() == "next [1] | next [2] | \(ending)")
      Signal<Int>.empty().buffer(2).watch(trace)
      #expect(trace.take() == ending)
    }

    @Test func buffer_dropsTheRestOnAnError() {
      let wire = Wire<Int>(trace)
      wire.signal.buffer(2).watch(trace)
      wire.next(1)
      wire.error(.notFound)
      #expect(trace.take() == "error ENOENT | disposed | released | free")
    }

    @Test func distinctUntilChanged_values() {
      Signal.from([1, 1, 2, 2, 1]).distinctUntilChanged().watch(trace)
      #expect(trace.take() == "next 1 | next 2 | next 1 | \(ending)")
      Signal.from([1, 3, 2, 4]).distinctUntilChanged { $0 % 2 == $1 % 2 }.watch(trace)
      #expect(trace.take() == "next 1 | next 2 | \(ending)")
    }

    @Test func startWith_values() {
      numbers(1).startWith(8, 9).watch(trace)
      #expect(trace.take() == "next 8 | next 9 | next 1 | \(ending)")
      let wire = Wire<Int>(trace)
      wire.signal.startWith(8, 9).take(1).watch(trace)
      #expect(wire.subscriber == nil)
      #expect(trace.take() == "next 8 | \(ending)")
    }

    @Test func do_isCalledBefore() {
      numbers(1).tap(trace, "do").watch(trace)
      #expect(
        trace.take() == "do next 1 | next 1 | do completed | completed | disposed | do disposed | "
          + "free")
      Signal<Int>.error(Failure(.range)).tap(trace, "do").watch(trace)
      #expect(
        trace.take() == "do error ERANGE | error ERANGE | disposed | do disposed | free")
      numbers(1).do().watch(trace)
      #expect(trace.take() == "next 1 | \(ending)")
    }

    @Test func do_endsWithWhatItThrows() {
      let source = numbers(3).do(next: { (value: Int) throws(Failure) in
        if value == 2 { throw Failure(.range) }
      })
      source.watch(trace)
      #expect(trace.take() == "next 1 | error ERANGE | disposed | free")
      numbers(1).do(completed: { () throws(Failure) in throw Failure(.busy) }).watch(trace)
      #expect(trace.take() == "next 1 | error EBUSY | disposed | free")
      Signal<Int>.error(Failure(.range))
        .do(error: { (_: Failure) throws(Failure) in throw Failure(.busy) }).watch(trace)
      #expect(trace.take() == "error EBUSY | disposed | free")
    }

    @Test func constantSignals() {
      let just = Signal.just("once")
      just.watch(trace, "a")
      just.watch(trace, "b")
      #expect(
        trace.take() == "a next once | a completed | a disposed | a free | "
          + "b next once | b completed | b disposed | b free")
      Signal<Int>.from([]).watch(trace)
      Signal<Int>.empty().watch(trace)
      #expect(trace.take() == "\(ending) | \(ending)")
      Signal<Int>.error(Failure(.notFound)).watch(trace)
      #expect(trace.take() == "error ENOENT | disposed | free")
    }

    @Test func rule_1_1_neverIsNotInterrupted() {
      let subscription = Signal<Int>.never().watch(trace)
      #expect(!subscription.isDisposed)
      #expect(trace.take() == "")
      subscription.dispose()
      #expect(trace.take() == "disposed | free")
    }

    @Test func namesAreBuiltFromTheChain() {
      let lines = Signal<Int>.create(SourceOptions(label: "lines")) { _ in nil }
      #expect(lines.filter { _ in true }.map { $0 }.take(1).name == "lines.filter.map.take")
      let subject = PublishSubject<Int>()
      #expect(subject.scan(0) { $0 + $1 }.buffer(2).name == "subject.scan.buffer")
      #expect(subject.merge(subject).startWith(1).name == "subject.merge.start_with")
      subject.name = "clicks"
      #expect(subject.distinctUntilChanged().do().name == "clicks.distinct_until_changed.do")
      subject.resetName()
      #expect(subject.takeUntil(lines).name == "subject.take_until")
    }

    // MARK: Failures

    private enum Problem: Error, Equatable { case tooLarge(Int) }

    private func check(_ value: Int) throws(Failure) -> Int {
      if value > 1 { throw Failure(Problem.tooLarge(value)) }
      return value
    }

    /// An error that a closure throws becomes the error event, and carries the Swift error.
    @Test func rule_1_5_whatAnOperatorThrowsEndsTheSignal() {
      let signals: [Signal<Int>] = [
        numbers(3).map { value throws(Failure) in try check(value) },
        numbers(3).filter { value throws(Failure) in try check(value) > 0 },
        numbers(3).scan(0) { _, value throws(Failure) in try check(value) },
        numbers(3).distinctUntilChanged { _, value throws(Failure) in try check(value) < 0 },
      ]
      for signal in signals {
        signal.tap(trace, "below").subscribe(
          next: { [trace] in trace.add("next \($0)") },
          error: { [trace] failure in
            #expect(failure.underlying as? Problem == .tooLarge(2))
            #expect(failure.domain == "swift")
            trace.add(failure.message)
          })
        #expect(
          trace.take() == "below next 1 | next 1 | below error EINVAL | tooLarge(2) | "
            + "below disposed")
      }
    }

    @Test func rule_1_5_errorsPassThrough() {
      let failure = Failure(.notFound, domain: "test", message: "gone", cause: Failure(.busy))
      let failing = Signal<Int>.error(failure)
      failing.map { $0 }.filter { _ in true }.take(3).scan(0) { $0 + $1 }.distinctUntilChanged()
        .startWith(7).buffer(1).subscribe(error: { [trace] in
          #expect($0 === failure)
          trace.add("\($0.domain) \($0.message) \($0.cause?.name ?? "")")
        })
      #expect(trace.take() == "test gone EBUSY")
    }
  }
}
