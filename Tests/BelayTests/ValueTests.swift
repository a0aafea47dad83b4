import Belay
import Testing

/// A value that is larger than one or two words.
private struct Large: Equatable {
  var numbers = (0, 0, 0, 0, 0, 0)
  var token: Token

  init(_ number: Int, _ token: Token) {
    numbers = (number, number, number, number, number, number)
    self.token = token
  }

  static func == (one: Large, other: Large) -> Bool {
    one.numbers == other.numbers && one.token === other.token
  }
}

/// A value whose reference the system may have to know the place of.
private struct Glance {
  weak var token: Token?
}

/// An object that is counted.
private final class Token: Sendable {
  let counter: Counter
  let number: Int
  init(_ counter: Counter, _ number: Int = 0) {
    self.counter = counter
    self.number = number
  }
  deinit { counter.add() }
}

extension CoreTests {
  /// Swift's own values: objects, large structs, optionals; and how long they are kept.
  @Suite struct Values {
    let trace = Trace()
    /// How many tokens have gone.
    private let gone = Counter()

    @Test func rule_1_5_anObjectPassesAChainAndGoes() {
      let subject = PublishSubject<Token>()
      let numbers = Box<[Int]>([])
      subject.filter { $0.number >= 0 }.map { Token(gone, $0.number + 1) }.do()
        .subscribe(next: { numbers.value.append($0.number) })
      for number in 0..<3 { subject.next(Token(gone, number)) }
      #expect(numbers.value == [1, 2, 3])
      #expect(gone.count == 6)
    }

    @Test func rule_1_5_scanKeepsTheLast() {
      let subject = PublishSubject<Large>()
      let subscription = subject.scan(Large(0, Token(gone))) {
        Large($0.numbers.5 + $1.numbers.0, $1.token)
      }.subscribe(next: { [trace] in trace.add("\($0.numbers.3)") })
      subject.next(Large(1, Token(gone)))
      subject.next(Large(2, Token(gone)))
      #expect(trace.take() == "1 | 3")
      // The seed went with the signal and its place, the first sum with the second.
      #expect(gone.count == 2)
      subscription.dispose()
      #expect(gone.count == 3)
    }

    @Test func rule_1_5_bufferKeepsUntilItIsFull() {
      let subject = PublishSubject<Large>()
      subject.buffer(2).subscribe(next: { [trace] in trace.add("\($0.map { $0.numbers.2 })") })
      for number in 0..<3 { subject.next(Large(number, Token(gone))) }
      #expect(trace.take() == "[0, 1]")
      #expect(gone.count == 2)
      subject.completed()
      #expect(trace.take() == "[2]")
      #expect(gone.count == 3)
    }

    @Test func rule_1_5_startWithKeepsForEachSubscription() {
      var signal: Signal<Large>? = Signal.just(Large(2, Token(gone))).startWith(
        Large(1, Token(gone)))
      for _ in 0..<2 { signal?.subscribe(next: { [trace] in trace.add("\($0.numbers.0)") }) }
      #expect(trace.take() == "1 | 2 | 1 | 2")
      #expect(gone.count == 0)
      signal = nil
      #expect(gone.count == 2)
    }

    @Test func rule_1_5_distinctUntilChangedKeepsTheLast() {
      let subject = PublishSubject<Large>()
      let subscription = subject.distinctUntilChanged { $0.numbers == $1.numbers }
        .subscribe(next: { [trace] in trace.add("\($0.numbers.0)") })
      for number in [1, 1, 2] { subject.next(Large(number, Token(gone))) }
      #expect(trace.take() == "1 | 2")
      #expect(gone.count == 2)
      subscription.dispose()
      #expect(gone.count == 3)
    }

    /// Through the queue of a delivery, and through the queue of a shared subject.
    @Test(arguments: [false, true])
    func rule_1_5_queuedValuesAreKept(isShared: Bool) {
      var options = SourceOptions()
      options.isShared = isShared
      let subject = PublishSubject<Large>(options)
      subject.subscribe(next: { [trace, gone] value in
        trace.add("\(value.numbers.0)")
        if value.numbers.0 < 3 { subject.next(Large(value.numbers.0 + 1, Token(gone))) }
      })
      subject.next(Large(1, Token(gone)))
      #expect(trace.take() == "1 | 2 | 3")
      #expect(gone.count == 3)
      subject.completed()
    }

    @Test func rule_1_5_weakReferencesWaitInAQueue() {
      let subject = PublishSubject<Glance>()
      let clock = VirtualScheduler()
      var tokens = (0..<100).map { Token(gone, $0) }
      let seen = Box<[Int]>([])
      subject.delay(.seconds(1), on: clock)
        .subscribe(next: { seen.value.append($0.token?.number ?? -1) })
      // The oldest leave meanwhile, so that the queue is a ring when it grows.
      for token in tokens[..<6] { subject.next(Glance(token: token)) }
      clock.advance(by: .seconds(1))
      for token in tokens[6...] { subject.next(Glance(token: token)) }
      tokens.removeLast(40)
      clock.advance(by: .seconds(1))
      #expect(seen.value == Array(0..<60) + Array(repeating: -1, count: 40))
    }

    @Test func rule_1_5_whatIsNotTakenIsDropped() {
      let subject = PublishSubject<Large>()
      subject.completed()
      #expect(subject.next(Large(1, Token(gone))) == .ended)
      #expect(gone.count == 1)
      let homeless = PublishSubject<Token>()
      inThread { [gone] in #expect(homeless.next(Token(gone)) == .noHome) }
      #expect(gone.count == 2)
    }

    @Test func rule_1_5_aQueueThatIsLeftBehindIsEmptied() {
      let subject = PublishSubject<Token>()
      subject.take(1).subscribe(next: { [gone] _ in subject.next(Token(gone, 1)) })
      subject.next(Token(gone))
      #expect(gone.count == 2)
      let (a, b) = (PublishSubject<Token>(), PublishSubject<Token>())
      let subscription = SerialDisposable()
      subscription.set(
        a.merge(b).subscribe(next: { [gone] _ in
          b.next(Token(gone))
          subscription.dispose()
        }))
      a.next(Token(gone))
      #expect(gone.count == 4)
    }

    @Test func rule_1_5_optionalsAndTuplesAreValuesLikeAnyOther() {
      Signal.from([1, nil, 3]).map { $0.map { $0 * 2 } }.watch(trace)
      #expect(
        trace.take() == "next Optional(2) | next nil | next Optional(6) | completed | disposed | "
          + "free")
      Signal.just((1, "one")).map { "\($1) \($0)" }.watch(trace)
      #expect(trace.take() == "next one 1 | completed | disposed | free")
    }

    /// RxSwift has one nameless counter, in some builds only. Belay has a count for each kind,
    /// always.
    @Test func A2_31_liveCounts() {
      let before = Live.allCases.map { $0.count }
      let total = Live.total
      var owner: Owner? = Owner()
      let subject = PublishSubject<Int>()
      let subscription = subject.subscribe(owner: owner?.record)
      #expect(Live.owners.count == before[Int(Live.owners.rawValue)] + 1)
      #expect(Live.signals.count == before[Int(Live.signals.rawValue)] + 1)
      #expect(Live.subscriptions.count == before[Int(Live.subscriptions.rawValue)] + 1)
      #expect(Live.total > total)
      subscription.dispose()
      #expect(Live.subscriptions.count == before[Int(Live.subscriptions.rawValue)])
      owner = nil
      #expect(Live.owners.count == before[Int(Live.owners.rawValue)])
      inThread { #expect(Live.signals.count == before[Int(Live.signals.rawValue)] + 1) }
      withExtendedLifetime(subject) {}
    }

    @Test func durationsAreHeldWithinAnInstant() {
      #expect(Duration.seconds(2).nanoseconds == 2_000_000_000)
      #expect(Duration.milliseconds(-3).nanoseconds == -3_000_000)
      #expect(Duration.nanoseconds(7).nanoseconds == 7)
      #expect(
        Duration(secondsComponent: 1, attosecondsComponent: 999_999_999).nanoseconds
          == 1_000_000_000)
      #expect(Duration.seconds(Int64.max).nanoseconds == .max)
      #expect(Duration.seconds(Int64.min).nanoseconds == .min)
      #expect(Duration.seconds(9_223_372_036).nanoseconds == 9_223_372_036_000_000_000)
      #expect(Duration.seconds(9_223_372_037).nanoseconds == .max)
    }
  }
}
