#if !hasFeature(Embedded)
  extension Signal where Value == Bytes {
    /// Sends the lines without their ends, "\n" or "\r\n". A line of more than `limit` bytes fails
    /// with `.tooLong`.
    public final func lines(limit: Int = 1 << 20) -> Signal<Bytes> {
      framed("lines", .lines(limit: Swift.max(1, limit), inPieces: false))
    }

    /// Sends what is between the delimiters, which are not empty. A frame of more than `limit` bytes
    /// fails with `.tooLong`.
    public final func frames(by delimiter: Bytes, limit: Int = 1 << 20) -> Signal<Bytes> {
      framed(
        "frames_delimited", .delimiter(delimiter.isEmpty ? [10] : Array(delimiter), limit: limit))
    }

    /// Sends frames of `size` bytes, which is at least 1. The last one may be shorter.
    public final func frames(of size: Int) -> Signal<Bytes> {
      framed("frames_fixed", .fixed(Swift.max(1, size)))
    }

    /// Sends frames that have their length in front, as a number of the type `Length`. A longer one
    /// than `limit` fails with `.tooLong`; an end inside of one with `.cutShort`.
    public final func frames<Length: FixedWidthInteger & UnsignedInteger>(
      prefixedBy length: Length.Type, isLittleEndian: Bool = false, limit: Int = 1 << 20
    ) -> Signal<Bytes> {
      framed(
        "frames_prefixed",
        .lengthPrefixed(
          width: MemoryLayout<Length>.size, isLittleEndian: isLittleEndian, limit: limit))
    }

    /// Sends the text, a piece for each piece, with characters that were cut put together. Bytes that
    /// are not UTF-8 fail with `.notUTF8`.
    public final func utf8() -> Signal<String> {
      framed("utf8", .utf8, read: { $0.bytesBox }) { String(decoding: $1, as: UTF8.self) }
    }

    private func framed(_ name: StaticString, _ framing: Framing) -> Signal<Bytes> {
      framed(name, framing, read: { $0.bytesBox }) { Bytes(taking: $0.part($1)) }
    }
  }
#endif

extension Signal {
  /// `read` answers nil for a value that is no bytes. `make` makes a frame of a part of bytes that
  /// came with the given box; the stage takes over its reference.
  package final func framed<Output>(
    _ name: StaticString, _ framing: Framing, read: @escaping (Value) -> BytesBox?,
    make: @escaping (BytesBox, UnsafeRawBufferPointer) -> Output
  ) -> Signal<Output> {
    lift(name) { FramingStage($0, Framer(framing), read, make) }
  }
}

/// Cuts the bytes of its source into frames.
///
/// A frame counts where the last bytes of it did, as bytes of its own.
private final class FramingStage<Value, Output>: Stage<Value, Output>, @unchecked Sendable {
  private var framer: Framer
  private var isCutting = false
  /// Whether the last bytes were a string's.
  private var isText = false
  private let read: (Value) -> BytesBox?
  private let make: (BytesBox, UnsafeRawBufferPointer) -> Output

  init(
    _ downstream: Sink<Output>, _ framer: Framer, _ read: @escaping (Value) -> BytesBox?,
    _ make: @escaping (BytesBox, UnsafeRawBufferPointer) -> Output
  ) {
    self.framer = framer
    self.read = read
    self.make = make
    super.init(downstream)
  }

  override func next(_ value: Value) {
    guard let box = read(value) else { return pass(end: .failed(Failure(.wrongKind))) }
    isText = box.valueKind == .string
    isCutting = true
    let code = framer.append(box.bytes) { send(box, $0) }
    isCutting = false
    if isClosed { return framer.reset() }
    if code.isFailure { pass(end: .failed(Failure(code))) }
  }

  private func send(_ box: BytesBox, _ bytes: UnsafeRawBufferPointer) -> Bool {
    if isClosed { return false }
    let output = make(box, bytes)
    pass(output)
    discard(output)
    return !isClosed
  }

  override func end(_ end: End) {
    if case .completed = end {
      let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
      let empty = isText ? StringBox(copying: nothing) : BytesBox(copying: nothing)
      isCutting = true
      let code = framer.finish { send(empty, $0) }
      isCutting = false
      if code.isFailure { return pass(end: .failed(Failure(code))) }
    }
    pass(end: end)
  }

  override func tearDown() { if !isCutting { framer.reset() } }
}
