import Belay
import BelayExchange
import BelayLoop
import CBelay
import Glibc
import Testing

/// The C library whose file BELAY_OTHER_COPY names, with symbols of its own.
private struct OtherCopy {
  static let path = getenv("BELAY_OTHER_COPY").map { String(cString: $0) }
  private typealias Import =
    @convention(c) (UnsafePointer<belay_exchange>) -> OpaquePointer?
  private typealias Export =
    @convention(c) (OpaquePointer?, UnsafeMutablePointer<belay_exchange>) -> Int32
  private typealias Release = @convention(c) (OpaquePointer?) -> Void
  private let importing: Import
  private let exporting: Export
  private let releasing: Release

  init() throws {
    let path = try #require(Self.path)
    let library = try #require(dlopen(path, RTLD_NOW | RTLD_LOCAL))
    importing = unsafeBitCast(
      try #require(dlsym(library, "belay_signal_import")), to: Import.self)
    exporting = unsafeBitCast(
      try #require(dlsym(library, "belay_signal_export")), to: Export.self)
    releasing = unsafeBitCast(
      try #require(dlsym(library, "belay_signal_release")), to: Release.self)
  }

  /// `signal` as it comes back from that copy.
  func passed<Result: ExchangedValue>(
    _ exchange: Exchange, as type: Result.Type
  ) throws -> Signal<Result> {
    let there = exchange.withStruct { importing($0) }
    defer { releasing(there) }
    var raw = belay_exchange()
    #expect(exporting(there, &raw) == 0)
    return try Exchange(adopting: raw).signal(of: type)
  }
}

@Suite(
  .enabled(if: OtherCopy.path != nil, "BELAY_OTHER_COPY names no other copy"), .serialized, .alone)
struct OtherCopyTests {
  private let other: OtherCopy
  init() throws { other = try OtherCopy() }

  private func check<Value: ExchangedValue & Equatable>(_ values: [Value]) throws {
    let back = heard(try other.passed(Signal.from(values).exported(), as: Value.self))
    #expect(back.values == values)
    #expect(back.end == "completed")
  }

  @Test func valuesComeBack() throws {
    try check([1, -2, Int.max])
    try check([UInt64.max, 0])
    try check([Int8.min, 5])
    try check([1.5, -0.25])
    try check([Float(0.5)])
    try check([true, false])
    try check(["", "löwe", "a\0b"])
    try check([ExchangedBytes([0, 255]), ExchangedBytes([])])
    try check([[["a"], []], []])
    try check([1, nil])
  }

  @Test func aValueOfAnotherKindEndsTheSubscription() throws {
    #expect(
      heard(try other.passed(Signal.from(["a"]).exported(), as: Int.self)).end.contains("EKIND"))
    #expect(
      heard(try other.passed(Signal.from([300]).exported(), as: Int8.self)).end.contains("ERANGE"))
  }

  @Test func anErrorPassesWithItsCauses() throws {
    let failure = Failure(
      .canceled, domain: "test", message: "gave up", cause: Failure(.timedOut))
    let signal = Signal<Int>.error(failure)
    #expect(heard(try other.passed(signal.exported(), as: Int.self)).end == "\(failure)")
  }

  @Test func aDisposalReachesTheSource() throws {
    let subject = PublishSubject<Int>()
    let back = try other.passed(subject.exported(), as: Int.self)
    var values: [Int] = []
    let subscription = back.subscribe(next: { values.append($0) })
    #expect(subject.subscriberCount == 1)
    subject.next(1)
    subscription.dispose()
    #expect(subject.subscriberCount == 0)
    subject.next(2)
    #expect(values == [1])
  }

  @Test func anEndFromInsideStopsTheSource() throws {
    let numbers = try other.passed(Signal.from(Array(0..<1000)).exported(), as: Int.self)
    #expect(heard(numbers.take(2)).values == [0, 1])
  }

  @Test func subscriptionsComeAndGoWhileThreadsSend() throws {
    // What other threads send needs a loop here.
    let loop = try Loop()
    let subject = SharedSubject<Int>()
    let back = try other.passed(subject.exported(), as: Int.self)
    let isOver = Flag()
    let senders = (0..<2).map { _ in
      Routine { while !isOver.isSet { if subject.next(1) == .again { sched_yield() } } }
    }
    var received = 0
    // A queue that fills up ends the subscription, which the others do not notice.
    func subscribe() -> Disposable {
      back.subscribe(next: { received += $0 }, error: { #expect($0.code == .again) })
    }
    for _ in 0..<100 {
      let subscription = subscribe()
      try loop.run(.nowait)
      subscription.dispose()
    }
    let last = subscribe()
    let before = received
    while received == before { try loop.run(.nowait) }
    isOver.set()
    for sender in senders { sender.join() }
    last.dispose()
    try loop.run(.nowait)
    #expect(subject.subscriberCount == 0)
    #expect(loop.close() == .ok)
  }
}

@Suite(.alone) struct OwnCopyTests {
  @Test func theSignalItselfComesBack() throws {
    let signal = Signal.just(1)
    #expect(try signal.exported().signal(of: Int.self) === signal)
    #expect(heard(try signal.exported().signal(of: Int64.self)).values == [1])
  }

  @Test func aSharedSubjectsValuesComeByTheLoop() throws {
    let subject = SharedSubject<Int>()
    inThread {
      do {
        let loop = try Loop()
        let values = Values()
        try subject.exported().signal(of: Int.self).subscribe(next: { values.list.append($0) })
        inThread { #expect(subject.next(1) == .ok) }
        #expect(values.list == [])
        try loop.run(.nowait)
        #expect(values.list == [1])
        #expect(loop.close() == .ok)
      } catch { Issue.record(error) }
    }
  }

  @Test func whatOtherThreadsSendWithoutALoopIsLostAndEndsTheSubscription() throws {
    let subject = SharedSubject<Int>()
    inThread {
      let values = Values()
      let signal = try? subject.exported().signal(of: Int.self)
      signal?.subscribe(next: { values.list.append($0) })
      #expect(subject.subscriberCount == 1)
      let lost = Lost.count
      inThread { #expect(subject.next(1) == .ok) }
      #expect(subject.subscriberCount == 0)
      #expect(Lost.count > lost)
      #expect(values.list == [])
    }
  }

  @Test func aMillionStringsTakeLittleStack() throws {
    let strings = [String](repeating: "löwe", count: 1_000_000)
    inThread(stack: 256 << 10) {
      let there = try? Signal.just(strings).exported().signal(of: [String?].self)
      #expect(there.map { heard($0).values.first?.count } == 1_000_000)
    }
  }

  @Test func deeplyNestedArraysAreRefused() throws {
    let deepest = heard(try Signal.just(Nest(depth: 100)).exported().signal(of: Nest?.self))
    #expect(deepest.values.first??.depth == 100)
    let deeper = heard(try Signal.just(Nest(depth: 101)).exported().signal(of: Nest?.self))
    #expect(deeper.end.contains("ERANGE"))
  }

  @Test func aBadStructIsRefused() {
    #expect(throws: Failure.self) {
      try Exchange(adopting: belay_exchange()).signal(of: Int.self)
    }
  }
}

/// Opens what the process keeps from its first loop.
func warmUp() { _ = try? Loop().close { _ in } }
