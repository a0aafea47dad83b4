@_spi(Engine) import Belay
@_spi(Engine) import BelayLoop

#if !hasFeature(Embedded)
  extension Stream {
    /// Sends what comes, in pieces. Completes when the peer ends its side.
    ///
    /// A subscription begins to read, and its disposal stops that. There is one at a time: another
    /// one fails with `.busy`. While more than `StreamOptions.readHigh` bytes of what was sent are
    /// held, in queues or by the program, the stream does not read.
    public func read() -> Signal<Bytes> { read { Bytes(taking: $0) } }

    /// Completes when at most `limit` of the bytes that wait at its beginning are left. Fails if
    /// that cannot be any more. Bytes that are written later do not delay it.
    public func drained(to limit: Int = 0) -> Signal<Bytes> {
      drained(max(0, limit)) as Signal<Bytes>
    }

    /// Writes each value. Completes after `source`, when its values have been written.
    ///
    /// A piece of a stream is never refused here: it counts at that stream, which stops reading.
    /// Other values are refused with `.again` above `StreamOptions.writeHigh`.
    public func write(all source: Signal<Bytes>) -> Signal<Bytes> {
      writeAll(source) { $0.bytesBox }
    }
  }
#endif

extension Stream {
  /// `convert` makes the values; the signal takes over their references.
  package func read<Value>(convert: @escaping (BytesBox) -> Value) -> Signal<Value> {
    core.loop.source("stream_read") { [self] subscriber in
      StreamReader(self, subscriber, convert)
    }
  }

  /// `bytes` answers nil for a value of another kind.
  package func writeAll<Value>(
    _ source: Signal<Value>, bytes: @escaping (Value) -> BytesBox?
  ) -> Signal<Value> {
    let sent = source.attempt { [self] (value: Value) throws(ClosureError) in
      let code = bytes(value).map { send($0) } ?? .wrongKind
      if code.isFailure { throw Failure.uv(code.rawValue, core.name.text) }
    }
    return sent.ignoreElements().then(drained(0))
  }

  package func drained<Value>(_ limit: Int) -> Signal<Value> {
    core.loop.source("stream_drained") { [self] subscriber in
      DrainedWait(
        self, limit,
        tell: { [core] code in
          subscriber.end(with: code.isFailure ? .uv(code.rawValue, core.name.text) : nil)
        }
      )
    }
  }
}

/// Reads a stream for one subscription.
private final class StreamReader<Value>: StreamConsumer, @unchecked Sendable {
  /// The largest piece. A few may be held without the stream falling silent.
  private static var largest: Int { 1 << 14 }
  /// How many pieces are read before other sources have their turn.
  private static var most: Int { 4 }

  private let stream: Stream
  private var subscriber: Subscriber<Value>?
  private let convert: (BytesBox) -> Value

  init(
    _ stream: Stream, _ subscriber: Subscriber<Value>, _ convert: @escaping (BytesBox) -> Value
  ) {
    self.stream = stream
    self.subscriber = subscriber
    self.convert = convert
    super.init(stream.core.loop)
  }

  override func begin() {
    let code = stream.core.beginReading(by: self)
    isReading = code == .ok
    // A stream that has been closed interrupts.
    if code == .canceled { stop() } else if code.isFailure { failed(code, "is being read") }
  }

  override var origin: Origin { subscriber?.origin ?? Origin() }

  override func arrived() {
    Batch.begin()
    defer { Batch.end() }
    for _ in 0..<Self.most {
      let room = UnsafeMutableRawBufferPointer(rebasing: core.room()[..<Self.largest])
      let count = stream.core.read(into: room)
      if count == Int(Code.again.rawValue) { return }
      if count <= 0 { return end(with: count) }
      let bytes = UnsafeRawBufferPointer(rebasing: room[..<count])
      let code = subscriber?.next(giving: convert(CountedBytes(copying: bytes, from: stream.core)))
      guard subscriber != nil, let code else { return }
      if code.isFailure { return failed(code, "comes faster than it is taken") }
      if stream.core.holdBackIfFull() || count < room.count { return }
    }
  }

  private func end(with code: Int) {
    leave()
    subscriber?.end(with: code == 0 ? nil : .uv(Int32(code), stream.core.name.text))
  }

  private func failed(_ code: Code, _ what: Text) {
    leave()
    subscriber?.error(Failure(code, message: stream.core.name.text + " " + what))
  }

  private func leave() {
    if isReading { stream.core.endReading() }
    isReading = false
  }

  override func end() {
    leave()
    subscriber = nil
  }
}

/// Waits for a stream's queue of writes.
private final class DrainedWait: SourceAtLoop, @unchecked Sendable {
  private let stream: Stream
  private let limit: Int
  private var tell: ((Code) -> Void)?
  private var waiter: StreamOutput.Waiter?

  init(_ stream: Stream, _ limit: Int, tell: @escaping (Code) -> Void) {
    self.stream = stream
    self.limit = limit
    self.tell = tell
    super.init(stream.core.loop)
  }

  override func begin() {
    // It waits for what is on its way from other threads, too, which this comes behind.
    if stream.core.output.isAnnounced {
      _ = core.post({ [self] in wait() }, orElse: {})
    } else {
      wait()
    }
  }

  private func wait() {
    if tell == nil { return }
    let waiter = StreamOutput.Waiter(limit) { self.tell?($0) }
    self.waiter = waiter
    stream.core.output.wait(waiter)
  }

  override func end() {
    if let waiter { stream.core.output.leave(waiter) }
    waiter = nil
    tell = nil
  }
}
