import Belay
import Testing

extension CoreTests {
  /// Rules for every operator: ends, disposal inside each closure, and what closures capture.
  @Suite struct OperatorRules {
    let trace = Trace()

    /// One operator of each kind with one input, as Int to Int; `touch` is called by its closure.
    private static func lifted(
      _ signal: Signal<Int>, _ touch: @escaping () -> Void = {}
    ) -> [Signal<Int>] {
      [
        signal.map {
          touch()
          return $0
        },
        signal.filter { _ in
          touch()
          return true
        },
        signal.scan(0) {
          touch()
          return $1
        },
        signal.distinctUntilChanged { _, _ in
          touch()
          return false
        },
        signal.do(next: { _ in touch() }),
      ]
    }

    /// The kinds of operator without a closure.
    private static func plain(_ signal: Signal<Int>) -> [Signal<Int>] {
      [
        signal.take(9), signal.buffer(1).map { $0[0] }, signal.startWith(0),
        signal.takeUntil(Signal<Void>.never()),
      ]
    }

    @Test func rule_1_1_linearStagesPassAnInterruptionOn() {
      let wire = Wire<Int>(trace)
      for signal in Self.lifted(wire.signal) + Self.plain(wire.signal) {
        let subscription = signal.tap(trace, "below").watch(trace)
        wire.next(1)
        _ = trace.take()
        wire.drop()
        #expect(trace.take() == "released | below disposed | disposed | free", "\(signal.name)")
        #expect(subscription.isDisposed)
      }
    }

    @Test func rule_1_1_orderAtEveryEnd() {
      let wire = Wire<Int>(trace)
      for signal in Self.lifted(wire.signal) + Self.plain(wire.signal) {
        signal.tap(trace, "below").watch(trace)
        wire.next(1)
        _ = trace.take()
        wire.completed()
        #expect(
          trace.take() == "below completed | completed | disposed | below disposed | released | "
            + "free", "\(signal.name)")
        let subscription = signal.tap(trace, "below").watch(trace)
        _ = trace.take()
        subscription.dispose()
        #expect(
          trace.take() == "released | below disposed | disposed | free", "\(signal.name)")
      }
    }

    @Test func rule_1_1_disposalInsideEachClosure() {
      for kind in 0..<5 {
        let subject = PublishSubject<Int>()
        let subscription = SerialDisposable()
        let signal = Self.lifted(subject) { [trace] in
          trace.add("disposing")
          subscription.dispose()
          trace.add("disposed of")
        }[kind]
        subscription.set(signal.watch(trace))
        subject.next(1)
        if kind == 3 {
          #expect(trace.take() == "next 1")
          subject.next(2)
        }
        #expect(trace.take() == "disposing | disposed | disposed of | free", "kind \(kind)")
        #expect(subject.subscriberCount == 0)
        subject.next(3)
        #expect(trace.take() == "")
      }
    }

    @Test func rule_1_1_whatClosuresCaptureGoesWithSignalAndSubscriptions() {
      for kind in 0..<5 {
        let subject = PublishSubject<Int>()
        weak var captured: Witness?
        var signal: Signal<Int>?
        do {
          let witness = Witness(trace, "captured")
          captured = witness
          signal = Self.lifted(subject) { _ = witness }[kind]
        }
        let one = signal?.watch(trace)
        let other = signal?.watch(trace)
        subject.next(1)
        one?.dispose()
        signal = nil
        #expect(captured != nil)
        subject.next(2)
        other?.dispose()
        #expect(captured == nil, "kind \(kind)")
        _ = trace.take()
      }
    }

    @Test func rule_1_1_whatAProducerCapturesGoesWithSignalAndSubscriptions() {
      weak var captured: Witness?
      var signal: Signal<Int>?
      do {
        let witness = Witness(trace, "captured")
        captured = witness
        signal = .create { _ in
          _ = witness
          return nil
        }
      }
      signal?.watch(trace)
      #expect(captured != nil)
      signal = nil
      #expect(captured == nil)
    }

    /// In every ending the captures of all four closures are released, and the subscription is
    /// dropped.
    @Test func rule_1_1_whatSubscribersCaptureGoesInEveryEnding() {
      let endings: [(Wire<Int>, Disposable?, Box<Owner?>) -> Void] = [
        { wire, _, _ in wire.completed() }, { wire, _, _ in wire.error(.range) },
        { wire, _, _ in wire.drop() }, { _, subscription, _ in subscription?.dispose() },
        { _, subscription, _ in subscription?.disposeSync() }, { _, _, owner in owner.value = nil },
        { _, subscription, _ in inThread { [subscription] in subscription?.dispose() } },
      ]
      for (index, end) in endings.enumerated() {
        let wire = Wire<Int>(Trace())
        let owner = Box<Owner?>(Owner())
        weak var captured: Witness?
        weak var subscription: Disposable?
        do {
          let witness = Witness(trace, "captured")
          captured = witness
          subscription = wire.signal.map { $0 + 1 }.subscribe(
            owner: owner.value?.record, next: { _ in _ = witness }, error: { _ in _ = witness },
            completed: { _ = witness }, disposed: { _ = witness })
        }
        wire.next(1)
        #expect(captured != nil)
        end(wire, subscription, owner)
        #expect(captured == nil, "ending \(index)")
        wire.drop()
        #expect(subscription == nil, "ending \(index)")
      }
    }

    @Test func rule_1_1_aDroppedHandleEndsNothing() {
      let wire = Wire<Int>(trace)
      wire.signal.watch(trace)
      wire.next(1)
      #expect(trace.take() == "next 1")
      wire.completed()
      #expect(trace.take() == "completed | disposed | released | free")
    }

    @Test func rule_1_1_interruptionInsideNext() {
      let wire = Wire<Int>(trace)
      wire.signal.tap(trace, "stage").subscribe(
        next: { [trace] in
          trace.add("next \($0)")
          wire.drop()
          trace.add("dropped")
        }, disposed: { [trace] in trace.add("disposed") })
      wire.next(1)
      #expect(
        trace.take() == "stage next 1 | next 1 | dropped | released | stage disposed | disposed")
    }
  }
}
