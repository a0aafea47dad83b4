@_spi(Engine) import Belay
import Testing

extension CoreTests {
  /// How a cold signal begins and ends: A2-01, A2-02, A2-09 to A2-13, A3-01 to A3-06, A3-09.
  @Suite struct Ends {
    let trace = Trace()

    // MARK: The four programs of article 001

    private func program(completes: Bool, keeps: Bool) -> (Signal<Int>, Box<Subscriber<Int>?>) {
      let kept = Box<Subscriber<Int>?>(nil)
      let signal = Signal<Int>.create { [trace] subscriber in
        if keeps { kept.value = subscriber }
        subscriber.send(1)
        if completes { subscriber.completed() }
        return trace.action("released")
      }
      return (signal, kept)
    }

    /// Belay ends a subscription that nobody can send to any more; RxSwift leaves it hanging.
    @Test func A2_program1_neitherCompletedNorDisposed() {
      program(completes: false, keeps: false).0.watch(trace)
      trace.add("end")
      #expect(trace.take() == "next 1 | released | disposed | free | end")
    }

    @Test func A2_program2_disposed() {
      let (signal, kept) = program(completes: false, keeps: true)
      let subscription = signal.watch(trace)
      trace.add("end")
      subscription.dispose()
      #expect(trace.take() == "next 1 | end | released | disposed | free")
      kept.value = nil
    }

    @Test func A2_program3_completesInsideCreate() {
      program(completes: true, keeps: false).0.watch(trace)
      trace.add("end")
      #expect(trace.take() == "next 1 | completed | disposed | released | free | end")
    }

    @Test func A2_program4_completesThenDisposedTwice() {
      let subscription = program(completes: true, keeps: false).0.watch(trace)
      #expect(trace.take() == "next 1 | completed | disposed | released | free")
      subscription.dispose()
      subscription.dispose()
      #expect(trace.take() == "")
      #expect(subscription.isDisposed)
    }

    // MARK: The rows

    @Test func A2_01_threeWaysToEnd() {
      let wire = Wire<Int>(trace)
      var subscription = wire.signal.watch(trace)
      #expect(wire.completed() == .ok)
      #expect(trace.take() == "completed | disposed | released | free")
      #expect(subscription.isDisposed)

      subscription = wire.signal.watch(trace)
      subscription.dispose()
      #expect(trace.take() == "released | disposed | free")

      var bag: DisposeBag? = DisposeBag()
      if let bag { wire.signal.watch(trace).disposed(by: bag) }
      #expect(trace.take() == "")
      bag = nil
      #expect(trace.take() == "released | disposed | free")

      var owner: Owner? = Owner()
      wire.signal.watch(trace, owner: owner)
      owner = nil
      #expect(trace.take() == "released | disposed | free")
    }

    @Test func A2_02_orderAtATerminalEvent() {
      let wire = Wire<Int>(trace)
      wire.signal.tap(trace, "a").tap(trace, "b").watch(trace)
      wire.next(1)
      #expect(trace.take() == "a next 1 | b next 1 | next 1")
      wire.completed()
      #expect(
        trace.take() == "a completed | b completed | completed | disposed | b disposed | "
          + "a disposed | released | free")
    }

    @Test func A2_02_orderAtAnExplicitDisposal() {
      let wire = Wire<Int>(trace)
      wire.signal.tap(trace, "a").tap(trace, "b").watch(trace).dispose()
      #expect(trace.take() == "released | a disposed | b disposed | disposed | free")
    }

    @Test func A2_02_orderAtADisposalInsideNext() {
      let wire = Wire<Int>(trace)
      let witness = Box<Witness?>(Witness(trace, ""))
      let subscription = SerialDisposable()
      subscription.set(
        wire.signal.tap(trace, "a").subscribe(
          next: { [trace, witness = witness.value] in
            witness?.say("next \($0)")
            subscription.dispose()
            trace.add("after")
          }, disposed: { [trace] in trace.add("disposed") }))
      witness.value = nil
      #expect(wire.next(1) == .ok)
      #expect(
        trace.take() == "a next 1 | next 1 | released | a disposed | disposed | after | free")
      #expect(wire.next(2) == .ended)
      #expect(trace.take() == "")
    }

    @Test func A2_09_endedBeforeTheProducerHasReturned() {
      for end in [End.completed, .failed(Failure(.range))] {
        Signal<Int>.create { [trace] subscriber in
          switch end {
          case .failed(let failure): subscriber.error(failure)
          default: subscriber.completed()
          }
          trace.add("returning")
          return trace.action("released")
        }.watch(trace)
      }
      #expect(
        trace.take() == "completed | disposed | returning | released | free | "
          + "error ERANGE | disposed | returning | released | free")
    }

    @Test func A2_10_nothingAfterATerminalEvent() {
      let wire = Wire<Int>(trace)
      wire.signal.tap(trace, "stage").watch(trace)
      wire.completed()
      _ = trace.take()
      #expect(wire.next(2) == .ended)
      #expect(wire.error(.range) == .ended)
      #expect(wire.completed() == .ended)
      #expect(trace.take() == "")
    }

    @Test func A2_11_whatIsSentAfterDisposeIsDropped() {
      let wire = Wire<Int>(trace)
      wire.signal.watch(trace).dispose()
      #expect(trace.take() == "released | disposed | free")
      #expect(wire.subscriber?.isDisposed == true)
      #expect(wire.next(2) == .ended)
      #expect(wire.completed() == .ended)
      #expect(trace.take() == "")
    }

    /// Belay subscribes at once, nested or not. For a trampoline one asks for its scheduler.
    @Test func A2_12_subscribingRunsAtOnceAndATrampolineIsAskedFor() {
      Signal.just(1).subscribe(next: { [trace] in
        trace.add("outer \($0)")
        Signal.just(2).watch(trace, "inner")
        trace.add("outer ends")
      })
      #expect(
        trace.take() == "outer 1 | inner next 2 | inner completed | inner disposed | inner free | "
          + "outer ends")
      TrampolineScheduler.shared.schedule { [trace] in
        TrampolineScheduler.shared.schedule { trace.add("inner work") }
        trace.add("outer work ends")
      }
      #expect(trace.take() == "outer work ends | inner work")
    }

    @Test func A2_13_anErrorWithoutAHandlerGoesToTheHook() {
      UnhandledErrorHook.install(
        UnhandledErrorHook { [trace] failure, signal, _ in
          trace.add("hook \(failure.name) in \(signal)")
        })
      defer { UnhandledErrorHook.install(nil) }
      let wire = Wire<Int>(trace)
      wire.signal.map { $0 }.subscribe(disposed: { [trace] in trace.add("disposed") })
      wire.error(.range)
      #expect(trace.take() == "hook ERANGE in create.map | disposed | released")
      wire.signal.watch(trace)
      wire.error(.range)
      #expect(trace.take() == "error ERANGE | disposed | released | free")
    }

    // MARK: Article 002

    @Test func A3_01_theProducerRunsOncePerSubscriber() {
      let signal = Signal<Int>.create { [trace] subscriber in
        trace.add("run")
        subscriber.completed()
        return nil
      }
      #expect(trace.take() == "")
      signal.watch(trace)
      signal.watch(trace)
      #expect(
        trace.take()
          == "run | completed | disposed | free | run | completed | disposed | free")
    }

    @Test func A3_02_everyEventAsksFirstWhetherItIsDisposed() {
      let subject = PublishSubject<Int>()
      let subscription = subject.tap(trace, "stage").watch(trace)
      subject.next(1)
      #expect(trace.take() == "stage next 1 | next 1")
      subscription.dispose()
      #expect(trace.take() == "stage disposed | disposed | free")
      subject.next(2)
      subject.error(Failure(.range))
      #expect(trace.take() == "")
    }

    /// Belay has RxSwift's order and not ReactiveObjC's: the handler first, then the release.
    @Test func A3_03_theHandlerComesBeforeTheRelease() {
      let wire = Wire<Int>(trace)
      wire.signal.watch(trace)
      wire.error(.range)
      #expect(trace.take() == "error ERANGE | disposed | released | free")
    }

    @Test func A3_04_nothingIsDeliveredAfterTheEnd() {
      let subject = PublishSubject<Int>()
      subject.watch(trace)
      #expect(subject.error(Failure(.range)) == .ok)
      #expect(trace.take() == "error ERANGE | disposed | free")
      #expect(subject.next(1) == .ended)
      #expect(subject.error(Failure(.range)) == .ended)
      #expect(subject.completed() == .ended)
      #expect(trace.take() == "")
    }

    @Test func A3_05_theProducersLastReferenceIsTheEnd() {
      let wire = Wire<Int>(trace)
      let subscription = wire.signal.watch(trace)
      wire.next(1)
      wire.drop()
      #expect(trace.take() == "next 1 | released | disposed | free")
      #expect(subscription.isDisposed)
    }

    @Test func A3_06_aKeptSubscriberKeepsTheSubscription() {
      var wire: Wire<Int>? = Wire(trace)
      weak var subscription: Disposable?
      subscription = wire?.signal.watch(trace)
      #expect(subscription?.isDisposed == false)
      wire?.next(1)
      #expect(trace.take() == "next 1")
      wire = nil
      #expect(trace.take() == "released | disposed | free")
      #expect(subscription == nil)
    }

    /// BelayLoop's tests try this on a loop of another thread.
    @Test func A3_09_disposedWhileTheProducerRuns() {
      let owner = Owner()
      Signal<Int>.create { [trace] subscriber in
        trace.add("came")
        owner.record.compound.dispose()
        #expect(subscriber.isDisposed)
        #expect(subscriber.next(1) == .ended)
        return trace.action("released")
      }.watch(trace, owner: owner)
      #expect(trace.take() == "came | disposed | released | free")
    }
  }
}
