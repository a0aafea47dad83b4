import Belay
import Testing

extension CoreTests {
  /// Operators with several inputs: merge and takeUntil. A3-08.
  @Suite struct Joins {
    let trace = Trace()
    private let a = PublishSubject<Int>()
    private let b = PublishSubject<Int>()

    @Test func merge_passesValuesAsTheyCome() {
      a.merge(b).watch(trace)
      a.next(1)
      b.next(2)
      a.completed()
      b.next(3)
      b.completed()
      #expect(
        trace.take() == "next 1 | next 2 | next 3 | completed | disposed | free")
      Signal.merge([Signal.from([1, 2]), .just(3)]).watch(trace)
      #expect(trace.take() == "next 1 | next 2 | next 3 | completed | disposed | free")
      Signal<Int>.merge([]).watch(trace)
      #expect(trace.take() == "completed | disposed | free")
    }

    /// Several inputs feed one subscriber. The first error ends all of them; inputs that come later
    /// are not even subscribed to.
    @Test func A3_08_whenOneFailsAllAreDisposed() {
      let wire = Wire<Int>(trace)
      Signal.merge([wire.signal, a, b]).watch(trace)
      a.error(Failure(.range))
      #expect(trace.take() == "error ERANGE | disposed | released | free")
      #expect(b.subscriberCount == 0)
      Signal.merge([a, wire.signal, b]).watch(trace)
      #expect(trace.take() == "error ERANGE | disposed | free")
      #expect(b.subscriberCount == 0)
    }

    @Test func A3_08_oneThatEndsLeavesTheOthers() {
      let owner = Owner()
      let merged = Signal.merge([a, b]).watch(trace, owner: owner)
      for _ in 0..<100 { Signal.just(1).subscribe(owner: owner.record) }
      #expect(owner.record.memberCount == 1)
      a.completed()
      b.next(1)
      merged.dispose()
      #expect(owner.record.memberCount == 0)
      #expect(trace.take() == "next 1 | disposed | free")
    }

    @Test func rule_1_1_aJoinPassesAnInterruptionOnWhenNoInputIsLeft() {
      let (x, y) = (Wire<Int>(Trace()), Wire<Int>(Trace()))
      Signal.merge([x.signal, y.signal]).watch(trace)
      x.drop()
      y.next(1)
      #expect(trace.take() == "next 1")
      y.completed()
      #expect(trace.take() == "disposed | free")
    }

    @Test func rule_1_2_mergeQueuesWhatIsSentFromInside() {
      a.merge(b).subscribe(
        next: { [trace, b] value in
          trace.add("next \(value)")
          if value == 1 {
            b.next(2)
            b.completed()
            trace.add("sent")
          }
        }, completed: { [trace] in trace.add("completed") })
      a.next(1)
      a.completed()
      #expect(trace.take() == "next 1 | sent | next 2 | completed")
    }

    @Test func merge_isDisposedOfInsideNext() {
      let subscription = SerialDisposable()
      subscription.set(
        a.merge(b).subscribe(next: { [trace, b] in
          trace.add("next \($0)")
          b.next(2)
          subscription.dispose()
        }))
      a.next(1)
      #expect(trace.take() == "next 1")
      #expect(a.subscriberCount == 0 && b.subscriberCount == 0)
    }

    @Test func takeUntil_aValue() {
      a.takeUntil(b).watch(trace)
      a.next(1)
      b.next(9)
      #expect(trace.take() == "next 1 | completed | disposed | free")
      #expect(a.subscriberCount == 0 && b.subscriberCount == 0)
    }

    @Test func takeUntil_completedChangesNothingAnErrorDoes() {
      a.takeUntil(b).watch(trace)
      let failing = PublishSubject<String>()
      a.takeUntil(failing).watch(trace, "other")
      b.completed()
      a.next(1)
      failing.error(Failure(.range))
      #expect(
        trace.take() == "next 1 | other next 1 | other error ERANGE | other disposed | other free")
      a.completed()
      #expect(trace.take() == "completed | disposed | free")
    }

    @Test func takeUntil_atOnceDoesNotSubscribe() {
      let wire = Wire<Int>(trace)
      wire.signal.takeUntil(Signal.just(())).watch(trace)
      #expect(wire.subscriber == nil)
      #expect(trace.take() == "completed | disposed | free")
    }

    @Test func rule_1_2_takeUntilTriggeredFromInside() {
      a.takeUntil(b).subscribe(
        next: { [trace, b] in
          trace.add("next \($0)")
          b.next(9)
          trace.add("sent")
        }, completed: { [trace] in trace.add("completed") })
      a.next(1)
      #expect(trace.take() == "next 1 | sent | completed")
    }

    @Test func takeUntil_anOwnerBeginsToDie() {
      var owner: Owner? = Owner(deinit: { [trace] in trace.add("deinit") })
      let signal = owner.map { a.take(during: $0.record) }
      signal?.watch(trace)
      a.next(1)
      owner = nil
      #expect(trace.take() == "next 1 | completed | disposed | free | deinit")
      signal?.watch(trace, "late")
      #expect(trace.take() == "late completed | late disposed | late free")
      #expect(a.subscriberCount == 0)
    }
  }
}
