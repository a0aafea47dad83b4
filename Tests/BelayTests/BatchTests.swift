import Belay
import Testing

extension CoreTests {
  /// Subscribers that take batches of values, and sources that send batches.
  @Suite struct Batches {
    let trace = Trace()

    private func gather(_ signal: Signal<Int>) -> Disposable {
      signal.subscribe(
        nextBatch: { [trace] in trace.add("batch \(Array($0))") },
        error: { [trace] in trace.add("error \($0.name)") },
        completed: { [trace] in trace.add("completed") },
        disposed: { [trace] in trace.add("disposed") })
    }

    @Test func aBatchComesTogetherAndASingleValueAlone() {
      let subject = PublishSubject<Int>()
      let subscription = gather(subject)
      subject.next(1)
      #expect(subject.next(contentsOf: [2, 3, 4]) == .ok)
      #expect(trace.take() == "batch [1] | batch [2, 3, 4]")
      subscription.dispose()
      #expect(trace.take() == "disposed")
    }

    @Test func synchronousSourcesSendBatchesAndTheEndFollows() {
      _ = gather(.from([1, 2]))
      #expect(trace.take() == "batch [1, 2] | completed | disposed")
      _ = gather(Signal.range(1, count: 3).map { $0 * 2 })
      #expect(trace.take() == "batch [2, 4, 6] | completed | disposed")
      _ = gather(Signal.from([1, 2]).concat(.error(Failure(.invalid))))
      #expect(trace.take() == "batch [1, 2] | error EINVAL | disposed")
    }

    @Test func aBatchHas256ValuesAtMost() {
      var sizes: [Int] = []
      Signal.range(1, count: 600).subscribe(nextBatch: { sizes.append($0.count) })
      #expect(sizes == [256, 256, 88])
    }

    @Test func aSignalComesAtOnce() {
      Signal.from([1, 2, 3]).window(2)
        .subscribe(nextBatch: { [trace] windows in
          for window in windows {
            trace.add("window of \(windows.count)")
            window.subscribe(next: { trace.add("\($0)") })
          }
        })
      #expect(trace.take() == "window of 1 | 1 | 2 | window of 1 | 3")
    }

    @Test func aDisposalDropsWhatHasGathered() {
      let subject = PublishSubject<Int>()
      let last = SerialDisposable()
      let first = subject.subscribe(nextBatch: { [trace] in
        trace.add("first \($0.count)")
        last.dispose()
      })
      last.set(gather(subject))
      subject.next(contentsOf: 1...3)
      #expect(trace.take() == "first 3 | disposed")
      first.dispose()
    }

    @Test func whatIsSentFromInsideFollows() {
      let subject = PublishSubject<Int>()
      let subscription = subject.subscribe(
        nextBatch: { [trace] batch in
          trace.add("batch \(Array(batch))")
          if batch[0] == 1 {
            subject.next(9)
            subject.completed()
            trace.add("sent")
          }
        }, completed: { [trace] in trace.add("completed") })
      subject.next(contentsOf: [1, 2])
      #expect(trace.take() == "batch [1, 2] | sent | batch [9] | completed")
      _ = subscription
    }

    @Test func aProducerSendsABatch() {
      let kept = Box<Subscriber<Int>?>(nil)
      let signal = Signal<Int>.create { subscriber in
        kept.value = subscriber
        return nil
      }
      let subscription = gather(signal)
      let subscriber = kept.value
      #expect(subscriber?.next(contentsOf: [1, 2, 3]) == .ok)
      #expect(subscriber?.next(contentsOf: []) == .ok)
      #expect(trace.take() == "batch [1, 2, 3]")
      subscription.dispose()
      #expect(subscriber?.next(contentsOf: [4, 5]) == .ended)
      #expect(trace.take() == "disposed")
      kept.value = nil
    }

    @Test func aRefusalStopsABatch() {
      let subject = PublishSubject<Int>()
      subject.completed()
      #expect(subject.next(contentsOf: [1, 2]) == .ended)
    }

    @Test func aRefusalStopsABatchWithoutAnEnd() {
      let subject = PublishSubject<Int>()
      let subscription = gather(subject.take(1))
      subject.completed()
      #expect(subject.next(contentsOf: 0...) == .ended)
      #expect(trace.take() == "completed | disposed")
      subscription.dispose()
      let first = gather(
        Signal<Int>.create { subscriber in
          #expect(subscriber.next(contentsOf: 0...) == .ended)
          return nil
        }.take(3))
      #expect(trace.take() == "batch [0, 1, 2] | completed | disposed")
      first.dispose()
    }
  }
}
