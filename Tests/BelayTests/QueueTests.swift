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

    @Test(arguments: 0..<10) func thousandsWait(_ number: Int) {
      let row = rows()[number]
      let subscription = follow(row.signal)
      send(1...1024, to: row)
      #expect(!subscription.isDisposed)
      source.next(1025)
      #expect(subscription.isDisposed)
      #expect(trace.take() == "EAGAIN")
    }

    @Test(arguments: 0..<6) func policies(_ number: Int) {
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

    @Test func noQueue() {
      #expect(source.setQueue(QueueOptions()) == .invalid)
      #expect(source.map { $0 }.setQueue(QueueOptions()) == .invalid)
      #expect(source.queueHighWater == 0)
    }
  }
}
