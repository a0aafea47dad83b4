/// The counted bytes that the value in hand was made of. A queue that takes the value keeps them, so
/// that they count as long as the value waits: a String cannot keep them itself.
private final class BytesBehind: @unchecked Sendable {
  @TaskLocal static var current: BytesBehind?
  private let thread = Thread.record.pointee.id
  private var bytes: BytesBox?

  init(_ bytes: BytesBox) { self.bytes = bytes }

  /// Those of the value in hand. A task that a callback starts inherits `current`, and has no value in
  /// hand.
  static var here: BytesBox? {
    guard let current, current.thread == Thread.id else { return nil }
    return current.bytes
  }

  func during(_ body: () -> Void) {
    Self.$current.withValue(self, operation: body)
    bytes = nil
  }
}

/// A value in a queue, with the bytes behind it.
struct Queued<Value> {
  let value: Value
  fileprivate let bytes: BytesBox?
}

func queued<Value>(_ value: Value) -> Queued<Value> {
  Queued(value: value, bytes: BytesBehind.here)
}

/// Calls `body` with a value that has waited.
func hand<Value>(_ queued: Queued<Value>, to body: (Value) -> Void) {
  withBytes(queued.bytes) { body(queued.value) }
}

/// Calls `body`, which delivers a value, with the bytes behind the value.
private func withBytes(_ bytes: BytesBox?, _ body: () -> Void) {
  if let bytes { BytesBehind(bytes).during(body) } else { body() }
}

extension FIFO {
  /// Discards the values, which are kept, and frees the memory.
  mutating func discardAll<Value>() where Element == Queued<Value> {
    while let queued = popFirst() { discard(queued.value) }
    removeAll()
  }
}

extension Signal where Value == Bytes {
  /// The bytes as text, which counts in queues as the bytes do.
  package final func texts() -> Signal<String> {
    lift("texts") {
      BytesMapStage($0, bytes: { $0.bytesBox }) { String(decoding: $0.bytes, as: UTF8.self) }
    }
  }
}

private final class BytesMapStage<Value, Output>: Stage<Value, Output>, @unchecked Sendable {
  private let bytes: (Value) -> BytesBox
  private let map: (BytesBox) -> Output

  init(
    _ downstream: Sink<Output>, bytes: @escaping (Value) -> BytesBox,
    map: @escaping (BytesBox) -> Output
  ) {
    self.bytes = bytes
    self.map = map
    super.init(downstream)
  }

  override func next(_ value: Value) {
    let bytes = bytes(value)
    withBytes(bytes) { pass(map(bytes)) }
  }
}
