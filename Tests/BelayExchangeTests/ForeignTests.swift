@_spi(Engine) import Belay
import BelayExchange
import CBelay
import Testing

private typealias Content = belay_exchange_value

/// Another program's source, which keeps to the rules of calls but not to those of contents.
private final class Source {
  let send: (belay_exchange_observer) -> Void
  let fillsIn: Bool

  /// A signal whose subscriptions call `send`.
  static func signal<Value: ExchangedValue>(
    of type: Value.Type, fillsIn: Bool = true, _ send: @escaping (belay_exchange_observer) -> Void
  ) throws -> Signal<Value> {
    let source = Source(fillsIn, send)
    return try Exchange(
      adopting: belay_exchange(
        version: 1, signal: Unmanaged.passRetained(source).toOpaque(),
        retain: { _ = Source.at($0).retain() }, release: { Source.at($0).release() },
        name: { _ in nil },
        subscribe: { signal, observer, subscription in
          guard let observer = observer?.pointee, let subscription else { return -22 }
          Source.at(signal).takeUnretainedValue().subscribe(observer, subscription)
          return 0
        })
    ).signal(of: type)
  }

  private init(_ fillsIn: Bool, _ send: @escaping (belay_exchange_observer) -> Void) {
    self.fillsIn = fillsIn
    self.send = send
  }

  private static func at(_ pointer: UnsafeMutableRawPointer?) -> Unmanaged<Source> {
    .fromOpaque(pointer.unsafelyUnwrapped)
  }

  private func subscribe(
    _ observer: belay_exchange_observer,
    _ subscription: UnsafeMutablePointer<belay_exchange_subscription>
  ) {
    if fillsIn {
      subscription.pointee.object = Unmanaged.passRetained(self).toOpaque()
      subscription.pointee.dispose = { _ in }
      subscription.pointee.release = { Source.at($0).release() }
    }
    send(observer)
    observer.released(observer.ctx)
  }
}

private func content(_ kind: ValueKind, _ data: UnsafeRawPointer?, _ size: Int) -> Content {
  var content = Content()
  content.kind = kind.rawValue
  content.data = data
  content.size = size
  return content
}

@Suite(.alone) struct ForeignTests {
  /// How a subscription ends that gets `content`.
  private func end<Value: ExchangedValue>(
    _ content: Content, _ type: Value.Type
  ) throws -> String {
    heard(
      try Source.signal(of: type) { observer in
        withUnsafePointer(to: content) { observer.next(observer.ctx, $0) }
      }
    ).end
  }

  @Test func wrongContentEndsTheSubscription() throws {
    let data = UnsafeMutablePointer<UInt8>.allocate(capacity: 1)
    data.initialize(to: 0xFF)
    defer { data.deallocate() }
    let wrong: [(UnsafeMutablePointer<UInt8>?, Int)] = [(nil, 1), (data, -1), (data, 1 << 41)]
    for (start, size) in wrong {
      #expect(try end(content(.string, start, size), String.self).contains("EINVAL"))
      #expect(try end(content(.bytes, start, size), ExchangedBytes.self).contains("EINVAL"))
      #expect(try end(content(.array, start, size), [Int].self).contains("EINVAL"))
    }
    #expect(try end(content(.array, data, 1 << 35), [Int].self).contains("EINVAL"))
    #expect(try end(content(.string, data, 1), String.self).contains("EILSEQ"))
    var unknown = Content()
    unknown.kind = .max
    #expect(try end(unknown, Int?.self).contains("EKIND"))
    #expect(try end(unknown, [Int].self).contains("EKIND"))
  }

  @Test func deeplyNestedContentIsRefused() throws {
    let levels = UnsafeMutablePointer<Content>.allocate(capacity: 102)
    defer { levels.deallocate() }
    levels.initialize(to: Content())
    for depth in 1...101 {
      (levels + depth).initialize(to: content(.array, levels + depth - 1, 1))
    }
    #expect(try end(levels[100], Nest.self) == "none")
    #expect(try end(levels[101], Nest.self).contains("ERANGE"))
  }

  @Test func eventsWithoutContentEndTheSubscription() throws {
    let value = try Source.signal(of: Int.self) { $0.next($0.ctx, nil) }
    #expect(heard(value).end.contains("EINVAL"))
    let error = try Source.signal(of: Int.self) { $0.error($0.ctx, nil) }
    #expect(heard(error).end.contains("EINVAL"))
  }

  @Test func aSubscriptionThatCannotBeEndedIsRefused() throws {
    let signal = try Source.signal(of: Int.self, fillsIn: false) { _ in }
    var end = "none"
    signal.subscribe(error: { end = "\($0)" })
    #expect(end.contains("EINVAL"))
  }

  @Test func anErrorArrivesWithoutWhatCannotPass() throws {
    var payload = Content()
    payload.kind = .max
    let message: StaticString = "gave up"
    let signal = try Source.signal(of: Int.self) { observer in
      withUnsafePointer(to: payload) { payload in
        var error = belay_exchange_error()
        error.code = Code.timedOut.rawValue
        error.message = UnsafeRawPointer(message.utf8Start).assumingMemoryBound(to: CChar.self)
        error.payload = payload
        // A chain without an end.
        withUnsafeMutablePointer(to: &error) {
          $0.pointee.cause = UnsafePointer($0)
          observer.error(observer.ctx, $0)
        }
      }
    }
    var failures: [Failure] = []
    signal.subscribe(error: { failures.append($0) })
    var last = try #require(failures.first)
    #expect(last.code == .timedOut && "\(last.message)" == "gave up")
    while let cause = last.cause {
      failures.append(cause)
      last = cause
    }
    #expect(failures.count == 100)
  }
}

/// Another program's observer of a signal of this one.
private final class Listener {
  var errors = 0
  var released = 0

  var observer: belay_exchange_observer {
    belay_exchange_observer(
      ctx: Unmanaged.passUnretained(self).toOpaque(), next: { _, _ in },
      error: { ctx, error in
        var next = error
        while let error = next {
          Listener.at(ctx).errors += 1
          next = error.pointee.cause
        }
      }, completed: { _ in }, released: { Listener.at($0).released += 1 })
  }

  private static func at(_ ctx: UnsafeMutableRawPointer?) -> Listener {
    Unmanaged<Listener>.fromOpaque(ctx.unsafelyUnwrapped).takeUnretainedValue()
  }

  func subscribe<Value: ExchangedValue>(
    to signal: Signal<Value>, _ change: (inout belay_exchange_observer) -> Void
  ) -> Int32 {
    var observer = observer
    change(&observer)
    var subscription = belay_exchange_subscription()
    let code = signal.exported().withStruct {
      $0.pointee.subscribe($0.pointee.signal, &observer, &subscription)
    }
    if let object = subscription.object { subscription.release(object) }
    return code
  }
}

@Suite(.alone) struct ForeignObserverTests {
  @Test func anObserverThatLacksAFunctionIsRefused() {
    let changes: [(inout belay_exchange_observer) -> Void] = [
      { $0.next = nil }, { $0.error = nil }, { $0.completed = nil },
    ]
    for change in changes {
      let listener = Listener()
      #expect(listener.subscribe(to: Signal.just(1), change) == Code.invalid.rawValue)
      #expect(listener.released == 1)
    }
    let listener = Listener()
    #expect(
      listener.subscribe(to: Signal.just(1)) { $0.released = nil } == Code.invalid.rawValue)
  }

  @Test func anErrorPassesWithItsFirst99Causes() {
    var failure = Failure(.timedOut)
    for _ in 0..<150 { failure = Failure(.canceled, cause: failure) }
    let listener = Listener()
    #expect(listener.subscribe(to: Signal<Int>.error(failure)) { _ in } == 0)
    #expect(listener.errors == 100 && listener.released == 1)
  }
}
