import Belay
import Testing

extension CoreTests {
  /// `disposeSync`, disposal from elsewhere without a loop, and the second trap of 2.6.
  @Suite struct Waits {
    let trace = Trace()
    private let inside = Gate()
    private let mayLeave = Gate()

    private func blockingAction() -> AnonymousDisposable {
      AnonymousDisposable { [trace, inside, mayLeave] in
        trace.add("action")
        inside.open()
        mayLeave.wait()
        trace.add("end")
      }
    }

    @Test func rule_1_2_nothingToWaitFor() {
      let disposable = trace.witnessed("d")
      #expect(disposable.disposeSync() == .ok)
      #expect(trace.take() == "d action | d free")
      #expect(disposable.disposeSync(timeout: .zero) == .ok)
      #expect(disposable.disposeSync(timeout: .seconds(-1)) == .ok)
      #expect(disposable.disposeSync(nanoseconds: -1) == .ok)
      let subject = PublishSubject<Int>()
      #expect(subject.watch(trace).disposeSync() == .ok)
      #expect(trace.take() == "disposed | free")
    }

    @Test func rule_1_2_waitsForAnActionOnAnotherThread() {
      let holders: [(Disposable) -> Disposable] = [
        { $0 }, { BinaryDisposable(nil, $0) }, { CompoundDisposable([$0]) },
        { ScopedDisposable($0) }, { RefCountedDisposable($0) },
      ]
      for hold in holders {
        let disposable = hold(blockingAction())
        let routine = Routine { disposable.dispose() }
        inside.wait()
        #expect(disposable.disposeSync(timeout: .zero) == .timedOut)
        #expect(disposable.isDisposed)
        #expect(trace.take() == "action")
        mayLeave.open()
        #expect(disposable.disposeSync() == .ok)
        #expect(trace.take() == "end")
        routine.join()
      }
    }

    @Test func rule_1_2_waitsForACallbackOfASubscription() {
      let kept = Box<Disposable?>(nil)
      let routine = Routine { [trace, inside, mayLeave] in
        let subject = PublishSubject<Int>()
        let witness = Witness(trace, "")
        kept.value = subject.subscribe(next: { _ in
          witness.say("next")
          inside.open()
          mayLeave.wait()
          trace.add("next ends")
        })
        subject.next(1)
        subject.next(2)
      }
      inside.wait()
      #expect(kept.value?.disposeSync(timeout: .zero) == .timedOut)
      #expect(kept.value?.isDisposed == true)
      #expect(trace.take() == "next")
      mayLeave.open()
      #expect(kept.value?.disposeSync() == .ok)
      routine.join()
      #expect(trace.take() == "next ends | free")
    }

    @Test func rule_1_2_inProgressInsideItsOwnCallback() {
      let itself = Box<Disposable?>(nil)
      let ask: () -> Void = { [trace] in
        trace.add("\(itself.value?.disposeSync() == .inProgress)")
      }
      itself.value = AnonymousDisposable { ask() }
      itself.value?.dispose()
      #expect(trace.take() == "true")
      itself.value = CompoundDisposable([AnonymousDisposable { ask() }])
      itself.value?.dispose()
      #expect(trace.take() == "true")
      let subject = PublishSubject<Int>()
      itself.value = subject.map { $0 }.subscribe(
        next: { _ in ask() }, disposed: { [trace] in trace.add("disposed") })
      subject.next(1)
      #expect(trace.take() == "disposed | true")
      itself.value = nil
    }

    @Test func rule_1_2_aCycleOfWaitsIsADeadlock() {
      for _ in 0..<30 {
        let (first, second) = (Box<Disposable?>(nil), Box<Disposable?>(nil))
        let answers = Box<[Code]>([.ok, .ok])
        let (firstIn, secondIn) = (Gate(), Gate())
        first.value = AnonymousDisposable {
          firstIn.open()
          secondIn.wait()
          answers.value[0] = second.value?.disposeSync() ?? .invalid
        }
        second.value = AnonymousDisposable {
          secondIn.open()
          firstIn.wait()
          answers.value[1] = first.value?.disposeSync() ?? .invalid
        }
        let routine = Routine { first.value?.dispose() }
        second.value?.dispose()
        routine.join()
        #expect(Set(answers.value.map { $0.rawValue }) == [0, Code.deadlock.rawValue])
        first.value = nil
        second.value = nil
      }
    }

    // MARK: Disposal from elsewhere, where home has no loop

    @Test func rule_1_2_disposedElsewhereOnTheCaller() {
      let subject = PublishSubject<Int>()
      let subscription = subject.tap(trace, "stage").watch(trace)
      inThread { subscription.dispose() }
      #expect(trace.take() == "stage disposed | disposed | free")
      subject.next(1)
      #expect(trace.take() == "")
      #expect(subject.subscriberCount == 0)
    }

    @Test func rule_1_2_disposedElsewhereWhileACallbackRuns() {
      let subject = PublishSubject<Int>()
      let subscription = Box<Disposable?>(nil)
      subscription.value = subject.subscribe(
        next: { [trace] _ in
          trace.add("next")
          inThread { subscription.value?.dispose() }
          trace.add("next ends")
        }, disposed: { [trace] in trace.add("disposed") })
      subject.next(1)
      #expect(trace.take() == "next | next ends | disposed")
      subject.next(2)
      #expect(trace.take() == "")
    }

    /// When it has returned, the caller may free what the callback uses.
    @Test func rule_1_2_afterItTheContextMayGo() {
      for _ in 0..<200 {
        let subject = PublishSubject<Int>()
        let buffer = UnsafeMutablePointer<Int>.allocate(capacity: 1)
        buffer.initialize(to: 0)
        let address = UInt(bitPattern: buffer)
        let subscription = subject.subscribe(next: { buffer.pointee += $0 })
        race {
          #expect(subscription.disposeSync() == .ok)
          UnsafeMutablePointer<Int>(bitPattern: address)?.deallocate()
        } _: {
          for _ in 0..<100 { subject.next(1) }
        }
      }
    }

    // MARK: Trap 2

    /// OpenCombine's cancel ran its closure five times when it was re-entered, and crashed on two
    /// threads.
    @Test func trap2_cancelInsideItselfAndOnTwoThreads() {
      let itself = Box<Disposable?>(nil)
      itself.value = AnonymousDisposable { [trace] in
        trace.add("action")
        for _ in 0..<5 { itself.value?.dispose() }
      }
      itself.value?.dispose()
      #expect(trace.take() == "action")
      itself.value = nil
      for _ in 0..<500 {
        let calls = Counter()
        let subject = PublishSubject<Int>()
        let ends: [Disposable] = [
          AnonymousDisposable { calls.add() }, subject.subscribe(disposed: { calls.add() }),
        ]
        for end in ends { race({ end.dispose() }, { end.dispose() }) }
        for end in ends { #expect(end.disposeSync() == .ok) }
        #expect(calls.count == 2)
      }
    }
  }
}
