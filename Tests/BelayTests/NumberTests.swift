import Belay
import Testing

extension CoreTests {
  /// Numbers that C's functions refuse, and Swift's take: they stand for the nearest one with a meaning.
  @Suite struct Numbers {
    let trace = Trace()

    private func hear<Value>(_ signal: Signal<Value>) -> Disposable {
      signal.subscribe(
        next: { [trace] in trace.add("\($0)") }, error: { [trace] in trace.add("\($0.name)") },
        completed: { [trace] in trace.add("completed") })
    }

    @Test func aReplayOfLessThanNothing() {
      let subject = ReplaySubject<Int>(count: -1)
      hear(subject).dispose()
      subject.next(1)
      hear(subject).dispose()
      #expect(trace.take() == "")
    }

    @Test func anElementBeforeTheFirst() {
      _ = hear(Signal.from([1, 2]).elementAt(-1))
      #expect(trace.take() == "ERANGE")
    }

    /// As in C.
    @Test func aPeriodWithoutLengthIsRefused() {
      for span in [Duration.zero, .seconds(-1)] {
        let time = VirtualScheduler()
        _ = hear(Signal<Int>.never().buffer(every: span, on: time))
        _ = hear(Signal<Int>.never().window(every: span, on: time).map { _ in "window" })
        time.advance(by: .nanoseconds(3))
        #expect(trace.take() == "EINVAL | EINVAL")
      }
    }

    /// The other side chooses the length.
    @Test func framesThatAreLongerThanMemory() {
      let longest: Bytes = [0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]
      _ = hear(Signal.just(longest).frames(prefixedBy: UInt64.self, limit: .max))
      #expect(trace.take() == "EMSGSIZE")
      _ = hear(Signal.just(longest).frames(prefixedBy: UInt64.self, limit: .max - 16))
      #expect(trace.take() == "EMSGSIZE")
      let nearly: Bytes = [0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xEF]
      _ = hear(Signal.just(nearly).frames(prefixedBy: UInt64.self, limit: .max))
      #expect(trace.take() == "EPROTO")
      _ = hear(Signal.just(nearly).frames(prefixedBy: UInt64.self, limit: -1))
      #expect(trace.take() == "EMSGSIZE")
      // A number of more than 64 bits.
      let wide = Bytes([UInt8](repeating: 1, count: 15) + [0])
      _ = hear(Signal.just(wide).frames(prefixedBy: UInt128.self, limit: .max))
      #expect(trace.take() == "EMSGSIZE")
    }
  }
}
