import Testing

@testable import Belay

extension CoreTests {
  @Suite struct Depth {
    @Test func nothingIsSentAfterWhatIsBelowHasEnded() {
      let source = PublishSubject<Int>()
      var asked = 0
      var failures = 0
      let verdict = source.isEmpty().scan(0) { (_, _) throws(Failure) -> Int in
        asked += 1
        throw Failure(.invalid)
      }
      Signal<[Int]>.combineLatest([.just(1), verdict])
        .subscribe(error: { _ in failures += 1 })
      source.completed()
      #expect(asked == 1)
      #expect(failures == 1)
    }

    @Test func windowsWhoseTimePassesInside() {
      let time = VirtualScheduler()
      var depth = 0
      var deepest = 0
      var count = 0
      let subscription = Signal<Int>.never().window(every: .seconds(1), on: time)
        .subscribe(next: { _ in
          depth += 1
          deepest = max(deepest, depth)
          count += 1
          if count < 6 { time.advance(by: .seconds(3)) }
          depth -= 1
        })
      time.advance(by: .seconds(10))
      subscription.dispose()
      #expect(deepest == 1)
      #expect(count > 1)
    }

    @Test func channelsInARing() {
      let all = (0..<4).map { Property($0) }
      var heard = 0
      for place in all.indices {
        _ = all[place].channel(with: all[(place + 1) % all.count])
      }
      for property in all { property.signal.subscribe(next: { _ in heard += 1 }) }
      heard = 0
      for (value, property) in all.enumerated() {
        property.set(10 + value)
        #expect(all.allSatisfy { $0.value == 10 + value })
      }
      #expect(heard == 16)
    }

    @Test func aChainHasAThousandOperatorsAtMost() {
      for count in [999, 1001] {
        let source = PublishSubject<Int>()
        var chain: Signal<Int> = source
        for _ in 0..<count { chain = chain.skip(0) }
        var heard = 0
        let subscription = chain.subscribe(next: { heard += $0 })
        source.next(1)
        subscription.dispose()
        #expect(heard == (count < 1000 ? 1 : 0))
      }
    }

    @Test func signalsThatMakeSignalsWithoutEnd() {
      func again() -> Signal<Int> {
        Signal<Int>.just(1).flatMap { (_: Int) throws(Failure) -> Signal<Int> in again() }
      }
      var code: Code?
      again().subscribe(error: { code = $0.code })
      #expect(code == .range)
    }
  }
}
