@_spi(Engine) import Belay
import Testing

extension CoreTests {
  /// Every kind of disposable: A2-03 to A2-05, A2-08, A2-20, A2-23 to A2-26, A3-10, A3-11.
  @Suite struct Disposables {
    let trace = Trace()

    @Test func A2_03_actionRunsOnce() {
      let itself = SerialDisposable()
      let witness = Box<Witness?>(Witness(trace, ""))
      let disposable = AnonymousDisposable { [trace, witness = witness.value] in
        witness?.say("action")
        itself.dispose()
        trace.add("end")
      }
      witness.value = nil
      itself.set(disposable)
      #expect(!disposable.isDisposed)
      for _ in 0..<5 { disposable.dispose() }
      #expect(trace.take() == "action | end | free")
    }

    @Test func A2_03_actionRunsOnceForManyThreads() {
      for _ in 0..<100 {
        let trace = Trace()
        let disposable = trace.witnessed("d")
        let routines = (0..<4).map { _ in Routine { disposable.dispose() } }
        for routine in routines { routine.join() }
        #expect(trace.take() == "d action | d free")
      }
    }

    @Test func A2_04_disposedBeforeTheActionHasRun() {
      let itself = Box<Disposable?>(nil)
      itself.value = AnonymousDisposable { [trace] in
        trace.add("action")
        // This would not return if the second disposal waited for the action.
        inThread {
          itself.value?.dispose()
          trace.add("\(itself.value?.isDisposed == true)")
        }
        trace.add("end")
      }
      itself.value?.dispose()
      #expect(trace.take() == "action | true | end")
    }

    /// RxSwift has a word of two bits for this, Belay a word of flags. In both the end and the
    /// arrival of the teardown meet once, in either order.
    @Test func A2_05_endAndTeardownMeetOnce() {
      let wire = Wire<Int>(trace)
      let late = wire.signal.watch(trace)
      late.dispose()
      late.dispose()
      #expect(trace.take() == "released | disposed | free")
      Signal<Int>.create { [trace] subscriber in
        subscriber.completed()
        subscriber.add(trace.action("added"))
        return trace.action("returned")
      }.watch(trace)
      #expect(trace.take() == "completed | disposed | added | returned | free")
    }

    @Test func A2_08_binaryDisposesFirstThenSecond() {
      let binary = BinaryDisposable(trace.action("1"), trace.action("2"))
      #expect(!binary.isDisposed)
      binary.dispose()
      binary.dispose()
      #expect(trace.take() == "1 | 2")
      #expect(binary.isDisposed)
      BinaryDisposable(nil, trace.action("2")).dispose()
      BinaryDisposable(nil, nil).dispose()
      #expect(trace.take() == "2")
    }

    @Test func A2_20_everyKindIsDisposedOnce() {
      let inner = trace.action("inner")
      let kinds: [Disposable] = [
        AnonymousDisposable {}, BooleanDisposable(), BinaryDisposable(inner, nil),
        CompoundDisposable(), SerialDisposable(), SingleAssignmentDisposable(),
        RefCountedDisposable(inner), ScopedDisposable(inner),
        ScheduledDisposable(ImmediateScheduler.shared, inner),
      ]
      for kind in kinds {
        #expect(!kind.isDisposed)
        kind.dispose()
        #expect(kind.isDisposed)
        kind.dispose()
        #expect(kind.disposeSync() == .ok)
      }
      #expect(trace.take() == "inner")
      #expect(NopDisposable.shared.isDisposed)
    }

    @Test func A2_23_serialDisposesThePrevious() {
      let serial = SerialDisposable()
      serial.set(trace.action("1"))
      #expect(trace.take() == "")
      serial.set(trace.action("2"))
      #expect(trace.take() == "1")
      serial.set(nil)
      #expect(trace.take() == "2")
      serial.set(trace.action("3"))
      serial.dispose()
      #expect(trace.take() == "3")
      serial.set(trace.action("4"))
      #expect(trace.take() == "4")
    }

    @Test func A3_55_serialSwapHandsTheOldOneBack() {
      let serial = SerialDisposable()
      let (one, two) = (trace.action("1"), trace.action("2"))
      #expect(serial.swap(one) == nil)
      #expect(serial.swap(two) === one)
      #expect(!one.isDisposed)
      serial.dispose()
      #expect(trace.take() == "2")
      #expect(serial.swap(one) == nil)
      #expect(trace.take() == "1")
    }

    /// RxSwift ends with a fatal error here; Belay answers with a code.
    @Test func A2_24_singleAssignmentRefusesTheSecond() {
      let single = SingleAssignmentDisposable()
      let second = trace.action("2")
      #expect(single.set(trace.action("1")) == .ok)
      #expect(single.set(second) == .assigned)
      #expect(trace.take() == "")
      single.dispose()
      #expect(trace.take() == "1")
      #expect(single.set(second) == .assigned)
      #expect(!second.isDisposed)
      let disposed = SingleAssignmentDisposable()
      disposed.dispose()
      #expect(disposed.set(second) == .ok)
      #expect(trace.take() == "2")
    }

    @Test func A2_25_refCountedWaitsForAll() {
      let counted = RefCountedDisposable(trace.action("inner"))
      let (one, two) = (counted.dependent(), counted.dependent())
      one.dispose()
      one.dispose()
      counted.dispose()
      counted.dispose()
      #expect(counted.isDisposed)
      let late = counted.dependent()
      two.dispose()
      #expect(trace.take() == "")
      late.dispose()
      #expect(trace.take() == "inner")
      #expect(counted.dependent().isDisposed)
      RefCountedDisposable(trace.action("alone")).dispose()
      #expect(trace.take() == "alone")
    }

    @Test func A2_26_scheduledEnqueuesOnce() {
      let scheduler = HandScheduler()
      let scheduled = ScheduledDisposable(scheduler, trace.action("inner"))
      for _ in 0..<3 { scheduled.dispose() }
      #expect(scheduled.isDisposed)
      #expect(scheduler.waiting.count == 1)
      #expect(trace.take() == "")
      #expect(scheduled.disposeSync(timeout: .zero) == .timedOut)
      scheduler.runAll()
      #expect(trace.take() == "inner")
      #expect(scheduled.disposeSync() == .ok)
    }

    @Test func A2_26_aSchedulerThatTakesNothingEndsItAllTheSame() {
      ScheduledDisposable(Scheduler(), trace.action("inner")).dispose()
      #expect(trace.take() == "inner")
      let scheduler = HandScheduler()
      ScheduledDisposable(scheduler, trace.action("inner")).dispose()
      scheduler.waiting = []
      #expect(trace.take() == "inner")
    }

    /// ReactiveObjC has one word for this, Belay flags and a closure: live with an action, live
    /// without one, disposed.
    @Test func A3_10_liveWithActionLiveWithoutDisposed() {
      let (with, without) = (trace.witnessed("d"), BooleanDisposable())
      #expect(!with.isDisposed && !without.isDisposed)
      with.dispose()
      without.dispose()
      #expect(with.isDisposed && without.isDisposed)
      #expect(trace.take() == "d action | d free")
    }

    @Test func A3_11_droppingDoesNotDispose() {
      _ = trace.witnessed("plain")
      #expect(trace.take() == "plain free")
      let inner = trace.action("inner")
      _ = BinaryDisposable(inner, inner)
      _ = RefCountedDisposable(inner)
      _ = ScheduledDisposable(ImmediateScheduler.shared, inner)
      SerialDisposable().set(inner)
      SingleAssignmentDisposable().set(inner)
      CompoundDisposable().add(inner)
      #expect(trace.take() == "")
      #expect(!inner.isDisposed)
    }

    @Test func A3_11_aScopedOneDoes() {
      let inner = trace.action("inner")
      var scoped: ScopedDisposable? = ScopedDisposable(inner)
      #expect(scoped?.isDisposed == false)
      scoped = nil
      #expect(trace.take() == "inner")
      #expect(inner.isDisposed)
    }
  }
}

/// A scheduler that runs its work when it is told to.
private final class HandScheduler: Scheduler, @unchecked Sendable {
  var waiting: [Work] = []

  override func submit(_ work: Work) -> Code {
    work.scheduler = self
    waiting.append(work)
    return .ok
  }

  func runAll() {
    let works = waiting
    waiting = []
    for work in works { run(work) }
  }
}
