@_spi(Engine) import Belay
@_spi(Engine) import BelayLoop
import CBelayShim
import CLibuv

/// The size of a terminal's window, in characters.
public struct WindowSize: Equatable, Sendable {
  /// How many characters a line has.
  public var columns: Int
  /// How many lines there are.
  public var rows: Int

  /// A size of so many columns and rows.
  public init(columns: Int, rows: Int) {
    self.columns = columns
    self.rows = rows
  }
}

extension Stream {
  /// Turns a terminal's line editing, echo and signal keys off; false, and the close, restore what
  /// was there. On the loop's thread. Another stream is the failure ENOTTY.
  public func setRaw(_ isRaw: Bool) throws(Failure) {
    try check(isHere ? core.setRaw(isRaw) : .wrongThread)
  }

  /// The size of a terminal's window. On the loop's thread. Another stream is the failure ENOTTY.
  public func windowSize() throws(Failure) -> WindowSize {
    if !isHere { try check(.wrongThread) }
    let (code, size) = core.windowSize()
    try check(code)
    return size
  }

  private func check(_ code: Code) throws(Failure) {
    if code.isFailure { throw .uv(code.rawValue, core.name.text) }
  }

  /// Sends the size of a terminal's window at the beginning, and again when it has changed.
  ///
  /// A subscription waits for SIGWINCH, as `Loop.posixSignal` does. The system sends this to the
  /// processes in the foreground of their controlling terminal. A change of another terminal is told
  /// with the next SIGWINCH. Another stream is the failure ENOTTY.
  public func windowSizes() -> Signal<WindowSize> { windowSizes { $0 } }

  /// `convert` makes the values; the signal takes over their references.
  package func windowSizes<Value>(
    convert: @escaping (WindowSize) -> Value
  ) -> Signal<Value> {
    core.loop.source("stream_window_sizes") { [self] subscriber in
      WindowWatch(self, Events(subscriber, convert))
    }
  }
}

extension StreamCore {
  package func setRaw(_ isRaw: Bool) -> Code {
    isOpen ? Code(rawValue: descriptor.setRaw(isRaw)) : .closed
  }

  package func windowSize() -> (code: Code, size: WindowSize) {
    if !isOpen { return (.closed, WindowSize(columns: 0, rows: 0)) }
    var (columns, rows): (Int32, Int32) = (0, 0)
    let code = belay_shim_window_size(fd, &columns, &rows)
    return (Code(rawValue: code), WindowSize(columns: Int(columns), rows: Int(rows)))
  }
}

/// Looks at the size of a window after each SIGWINCH, until the stream's end.
private final class WindowWatch: SignalWatch, @unchecked Sendable {
  private let stream: Stream
  private var events: Events<WindowSize>?
  private var last: WindowSize?

  init(_ stream: Stream, _ events: Events<WindowSize>) {
    self.stream = stream
    self.events = events
    super.init(stream.core.loop, SIGWINCH)
  }

  override func begin() {
    if !stream.core.list(self) { return stop() }
    super.begin()
    received()
  }

  override func received() {
    guard let events else { return }
    let (code, size) = stream.core.windowSize()
    if code.isFailure { return failed(.uv(code.rawValue, stream.core.name.text)) }
    if size == last { return }
    last = size
    events.send(size)
  }

  override func failed(_ failure: Failure) { events?.failed(failure) }

  override func end() {
    super.end()
    stream.core.unlist(self)
    events = nil
  }
}
