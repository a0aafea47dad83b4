import Belay
import Testing

extension CoreTests {
  /// Things that hold another of their kind, which holds another.
  @Suite struct Nests {
    private static let many = 100_000

    @Test func nestedContainersAreDisposedOfAndReleasedWithoutStack() {
      let wraps: [@Sendable (Disposable) -> Disposable] = [
        { CompoundDisposable([$0]) },
        {
          let serial = SerialDisposable()
          serial.set($0)
          return serial
        },
        {
          let single = SingleAssignmentDisposable()
          single.set($0)
          return single
        },
        { BinaryDisposable($0, nil) }, { BinaryDisposable(nil, $0) }, { ScopedDisposable($0) },
        { RefCountedDisposable($0) }, { RefCountedDisposable($0).dependent() },
        { ScheduledDisposable(ImmediateScheduler.shared, $0) },
      ]
      for (kind, wrap) in wraps.enumerated() {
        for disposes in [true, false] {
          inThread {
            let ended = Counter()
            var nest: Disposable = AnonymousDisposable { ended.add() }
            for _ in 0..<Self.many { nest = wrap(nest) }
            if disposes { nest.dispose() }
            nest = NopDisposable.shared
            // A disposable in a scope ends with the scope. A dependent keeps its underlying
            // disposable.
            #expect(ended.count == (kind == 7 ? 0 : disposes || kind == 5 ? 1 : 0))
          }
        }
      }
    }

    @Test func signalsUponSignalsAreReleasedWithoutStack() {
      let operators: [@Sendable (Signal<Int>) -> Signal<Int>] = [
        { $0.skip(0) }, { $0.map { $0 } }, { .merge([$0, .never()]) }, { .merge([.never(), $0]) },
        { $0.takeUntil(Signal<Int>.never()) }, { Signal<Int>.never().takeUntil($0) },
        { $0.share() }, { $0.observe(on: ImmediateScheduler.shared) },
        { $0.flatMap { (value: Int) throws(Failure) -> Signal<Int> in .just(value) } },
      ]
      for put in operators {
        inThread {
          var chain: Signal<Int> = PublishSubject<Int>()
          for _ in 0..<Self.many { chain = put(chain) }
          chain = .never()
        }
      }
    }

    @Test func errorsWithCausesAreReleasedWithoutStack() {
      inThread {
        var failure = Failure(.invalid)
        for _ in 0..<Self.many { failure = Failure(.invalid, cause: failure) }
        failure = Failure(.canceled)
        #expect(failure.code == .canceled)
      }
    }
  }
}
