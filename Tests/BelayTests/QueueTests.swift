@testable @_spi(Engine) import Belay
import Testing

extension CoreTests {
  /// The queues of operators; Tests/C/Operators/queues.c checks the same through C.
  @Suite struct OperatorQueues {
    private let source = PublishSubject<Int>()
    private let other = PublishSubject<Int>()
    private let clock = VirtualScheduler()
    private let trace = Trace()

    /// A signal whose queue fills with what `source` sends, after a 0 where `begins`.
    private struct Row {
      let name: String
      let signal: Signal<Int>
      var begins = false
      /// Lets what waits be sent; nil: the queue cannot drop.
      var release: (() -> Void)?
    }

    private func held(_ value: Int) -> Signal<Int> { value == 0 ? other : .just(value) }

    private func rows() -> [Row] {
      let (source, other, clock) = (source, other, clock)
      let follow = { _ = other.completed() }
      let wait = { _ = clock.advance(by: .seconds(2)) }
      return [
        Row(
          name: "zip",
          signal: Signal<Int>.zip(source, other) { (one, _) throws(ClosureError) in one },
          release: { for number in 0..<5 { other.next(number) } }),
        Row(
          name: "concat_map",
          signal: source.concatMap { (it) throws(ClosureError) in self.held(it) },
          begins: true, release: follow),
        Row(
          name: "flat_map",
          signal: source.flatMap(limit: 1) { (it) throws(ClosureError) in self.held(it) },
          begins: true, release: follow),
        Row(
          name: "merge_all",
          signal: source.map { (it) in self.held(it) }.mergeAll(limit: 1),
          begins: true, release: follow),
        Row(
          name: "concat_all",
          signal: source.map { (it) in self.held(it) }.concatAll(),
          begins: true, release: follow),
        Row(
          name: "expand",
          signal: source.expand(limit: 1) { (it) throws(ClosureError) in it == 0 ? other : .empty()
          },
          begins: true, release: follow),
        Row(name: "delay", signal: source.delay(.seconds(1), on: clock), release: wait),
        Row(
          name: "take_last_for", signal: source.takeLastFor(.seconds(100), on: clock),
          release: { _ = source.completed() }),
        Row(
          name: "sequence_equal", signal: source.sequenceEqual(other).map { _ in 0 }),
        Row(name: "delay_when", signal: source.delayWhen { _ in Signal<Int>.never() }),
        Row(name: "group_by", signal: source.groupBy { $0 }.map { _ in 0 }),
        Row(
          name: "window_toggle",
          signal: other.windowToggle(source) { _ in Signal<Int>.never() }.map { _ in 0 }),
      ]
    }

    private func follow(_ signal: Signal<Int>) -> Disposable {
      signal.subscribe(
        next: { [trace] in if $0 != 0 { trace.add("\($0)") } },
        error: { [trace] in trace.add("\($0.name)") })
    }

    private func send(_ numbers: ClosedRange<Int>, to row: Row) {
      if row.begins { source.next(0) }
      for number in numbers { source.next(number) }
    }

    @Test(arguments: 0..<12) func thousandsWait(_ number: Int) {
      let row = rows()[number]
      let subscription = follow(row.signal)
      send(1...1024, to: row)
      #expect(!subscription.isDisposed)
      source.next(1025)
      #expect(subscription.isDisposed)
      #expect(trace.take() == "EAGAIN")
    }

    @Test(arguments: 0..<8) func policies(_ number: Int) {
      let expected: [(QueuePolicy, Int, String)] = [
        (.dropOldest, 3, "3 | 4 | 5"), (.dropNewest, 3, "1 | 2 | 3"), (.latest, 3, "5"),
        (.error, 3, "EAGAIN"), (.error, 5, "1 | 2 | 3 | 4 | 5"),
      ]
      for (policy, capacity, text) in expected {
        let fresh = OperatorQueues()
        let it = fresh.rows()[number]
        let mark = HighWaterMark()
        #expect(
          it.signal.setQueue(QueueOptions(policy, capacity: capacity, highWaterMark: mark)) == .ok)
        let subscription = fresh.follow(it.signal)
        fresh.send(1...5, to: it)
        it.release?()
        #expect(fresh.trace.take() == text, "\(it.name), \(policy)")
        #expect(mark.value == (policy == .latest ? 1 : capacity))
        #expect(it.signal.queueHighWater == mark.value)
        #expect(it.signal.setQueue(QueueOptions()) == .busy)
        subscription.dispose()
      }
    }

    /// What the subscriber sends from inside its first value, waits in the operator.
    @Test(arguments: 0..<8) func valuesFromInside(_ number: Int) {
      for (capacity, sent) in [(3, 3), (3, 4), (2000, 1500), (1024, 1025)] {
        var options = SourceOptions()
        options.reentrancy = .depthFirst
        let source = PublishSubject<Int>(options)
        let clock = VirtualScheduler()
        let long = Duration.seconds(1_000_000)
        let signals: [Signal<Void>] = [
          source.takeUntil(Signal<Int>.never()).map { _ in },
          source.skipUntil(Signal<Int>.just(1)).map { _ in },
          source.takeFor(long, on: clock).map { _ in },
          source.buffer(1).map { _ in },
          source.buffer(every: long, count: 1, on: clock).map { _ in },
          source.window(every: long, count: 1, on: clock).skip(1).map { _ in },
          source.debounce(.seconds(1), on: clock).map { _ in },
          source.delaySubscription(.seconds(1), on: clock).map { _ in },
        ]
        let signal = number == 5 ? signals[number].below?.below : signals[number].below
        let mark = HighWaterMark()
        if capacity != 1024 {
          let bound = QueueOptions(.dropOldest, capacity: capacity, highWaterMark: mark)
          #expect(signal?.setQueue(bound) == .ok)
        }
        var passed = 0
        var failure: Code?
        let subscription = signals[number].subscribe(
          next: {
            passed += 1
            if passed > 1 { return }
            for _ in 0..<sent {
              source.next(2)
              clock.advance(by: .seconds(1))
            }
          }, error: { failure = $0.code })
        clock.advance(by: .seconds(2))
        source.next(1)
        clock.advance(by: .seconds(2))
        #expect(passed == 1 + min(sent, capacity))
        #expect(failure == (sent > capacity ? .again : nil))
        #expect(signal?.queueHighWater == min(sent, capacity))
        if capacity != 1024 { #expect(mark.value == min(sent, capacity)) }
        subscription.dispose()
      }
    }

    @Test func sourcesHaveAMark() {
      let property = Property(0)
      var codes: [Code] = []
      var options = SourceOptions()
      options.capacity = 2
      let subject = PublishSubject<Int>(options)
      let sending = subject.subscribe(next: {
        if $0 == 0 { codes = (1...3).map { subject.next($0) } }
      })
      subject.next(0)
      #expect(codes == [.queued, .queued, .again])
      #expect(subject.queueHighWater == 2)
      sending.dispose()
      let setting = property.signal.subscribe(next: {
        if $0 == 1 { (2...5).forEach { property.set($0) } }
      })
      property.set(1)
      #expect(property.signal.queueHighWater == 4)
      setting.dispose()
    }

    /// Nothing is kept without a bound, unless nil asks for that.
    @Test func replaysKeep1024Values() {
      func kept(_ make: (Signal<Int>) -> Signal<Int>) -> Int {
        let subject = PublishSubject<Int>()
        let shared = make(subject)
        let first = shared.subscribe(next: { _ in })
        for number in 0..<3000 { subject.next(number) }
        var count = 0
        shared.subscribe(next: { _ in count += 1 }).dispose()
        first.dispose()
        return count
      }
      #expect(kept { $0.shareReplay() } == 1024)
      #expect(kept { $0.shareReplay(count: nil) } == 3000)
      #expect(kept { $0.replay().refCount() } == 1024)
      #expect(kept { $0.replay(count: nil).refCount() } == 3000)
      #expect(kept { $0.multicast(ReplaySubject()).refCount() } == 1024)
      #expect(kept { $0.multicast(ReplaySubject(count: nil)).refCount() } == 3000)
    }

    @Test func noQueue() {
      #expect(source.setQueue(QueueOptions()) == .invalid)
      #expect(source.map { $0 }.setQueue(QueueOptions()) == .invalid)
      #expect(source.queueHighWater == 0)
    }
  }
}
