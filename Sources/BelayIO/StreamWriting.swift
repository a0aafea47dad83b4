@_spi(Engine) import Belay
@_spi(Engine) import BelayLoop
import CBelayShim

extension Stream {
  /// Writes the bytes, or keeps them until that is possible.
  ///
  /// - Returns: `.ok` when the system has them; `.queued` when they wait; `.again` when as many wait
  ///   as may (`StreamOptions.writeHigh`), and these do not; `.ended` after `shutDown`; the code with
  ///   which the stream has failed. On another thread than the loop's, they are written there later.
  package func write(_ box: BytesBox) -> Code {
    if let refusal { return refusal }
    // It counts here from now on. Otherwise one slow reader of what many get would stop its writer.
    (box as? CountedBytes)?.settle()
    return send(box)
  }

  /// Why nothing more may wait.
  private var refusal: Code? { core.output.refusal ?? (core.output.mayTake ? nil : .again) }

  /// The same without a mark. A piece that counts at another stream still does.
  package func send(_ box: BytesBox) -> Code {
    let refusal = (box as? CountedBytes) == nil ? refusal : core.output.refusal
    if let refusal { return refusal }
    if core.loop.isCurrent { return core.output.write(box) }
    if box.bytes.isEmpty { return .ok }
    let (output, loop) = (core.output, core.loop)
    output.announce(box)
    let code = loop.perform(
      {
        let code = output.writeAnnounced(box)
        if code.isFailure { Lost.loseBytes(code) }
      },
      orElse: {
        output.retract(box)
        Lost.loseBytes()
      })
    if !code.isFailure { return .queued }
    output.retract(box)
    return code
  }

  /// How many bytes wait to be written. Any thread may ask.
  public var waitingToWrite: Int { core.output.count }
  /// How many bytes of what was read are held, with some for each piece. Any thread may ask.
  public var heldBytes: Int { core.held }

  /// Ends the writing side after what waits. The peer sees the end, and may still write. A stream
  /// that is only written, such as a child's input, is closed by it.
  public func shutDown() { core.loop.perform { [core] in core.shutDown() } }

  /// Closes the stream at once. Bytes that wait to be written are dropped. A reader is interrupted.
  public func close() { core.terminate() }

  /// A disposable that closes the stream.
  public func asDisposable() -> Disposable { AnonymousDisposable { [core] in core.terminate() } }

  /// The address of this side: "127.0.0.1:80", "[::1]:80", the path of a Unix socket; "" if there is
  /// none, and on another thread than the loop's. Ask while the stream is open.
  public var localAddress: Text { isHere ? Text(cString: core.localName) : "" }
  /// The address of the other side.
  public var peerAddress: Text { isHere ? Text(cString: core.peerName) : "" }

  #if !hasFeature(Embedded)
    /// Writes the bytes, or keeps them until that is possible.
    ///
    /// - Returns: `.ok` when the system has them; `.queued` when they wait; `.again` when as many
    ///   wait as may (`StreamOptions.writeHigh`), and these do not; `.ended` after `shutDown`; the
    ///   code with which the stream has failed. On another thread they are written later.
    public func write(_ bytes: Bytes) -> Code { write(bytes.bytesBox) }

    /// The same for a text, in UTF-8.
    public func write(_ text: String) -> Code { write(Bytes(text)) }
  #endif
}

extension belay_shim_address {
  /// The address as text; empty if there is none.
  var name: CText {
    var address = self
    return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) {
      let start = $0.baseAddress.unsafelyUnwrapped
      belay_shim_address_text(&address, start, 128)
      return CText(copying: start)
    }
  }
}
