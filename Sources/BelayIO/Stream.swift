@_spi(Engine) import Belay
@_spi(Engine) import BelayLoop
import CBelayShim
import CLibuv

/// The options of streams and listeners.
public struct StreamOptions: Sendable {
  /// The name in reports, also of a listener's streams.
  public var label: StaticSite?
  /// The line of code that made it.
  public var site: StaticSite?
  /// So many bytes that a stream has sent may be held before it stops reading.
  public var readHigh = 1 << 16
  /// At most so many are held when it goes on reading.
  public var readLow = 1 << 15
  /// So many bytes may wait to be written before `write` refuses more.
  public var writeHigh = 1 << 16
  /// Whether small writes are sent at once (TCP).
  public var noDelay = false
  /// Seconds; see `keepAlive`.
  package var keepAliveSeconds: Int32 = 0
  /// How many connections wait to be accepted (listeners).
  public var backlog: Int32 = 511
  /// Whether several listeners may have the same port (TCP).
  public var reusesPort = false
  /// Whether a listener at an IPv6 address takes no IPv4 connections.
  public var isIPv6Only = false

  /// The usual options, under this name in reports.
  public init(label: StaticString? = nil) { self.label = label.map { StaticSite($0) } }

  var origin: Origin { Origin(label: label, site: site) }
  var marks: (high: Int, low: Int) { (readHigh, max(0, min(readLow, readHigh))) }
}

/// A stream of bytes in both directions: a connection, a pipe, a terminal.
///
/// Its home is a loop. `write`, `shutDown` and `close` may be called on any thread. When the last
/// reference goes, the stream is closed; its signals and their subscriptions have references.
public final class Stream: Entity, @unchecked Sendable {
  package let core: StreamCore

  package init(_ core: StreamCore) {
    self.core = core
    super.init()
    Live.disposables.began()
  }

  deinit {
    core.terminate()
    Live.disposables.ended()
  }

  @_spi(Engine) public override var valueKind: ValueKind { .stream }
}

/// The reader of a stream.
class StreamConsumer: SourceAtLoop, @unchecked Sendable {
  fileprivate final var isTold = false
  /// Whether it is the stream's reader.
  final var isReading = false

  /// The name of the subscription, if it is at the loop.
  var origin: Origin { Origin() }

  /// Called when there may be something to read.
  func arrived() {}
}

/// The object of a stream at its loop. A piece that it has sent counts here, and keeps it. So do the
/// loop's list and the descriptor until it is closed.
package final class StreamCore: StreamOutput, DescriptorUser, @unchecked Sendable {
  private(set) var isOpen = true

  // Reading.
  private var isHeld = false
  /// The result of the last read: 0 at the peer's end, or the failure; 1: bytes.
  private var readEnd: Int32 = 1
  private var reader: StreamConsumer?
  /// What ends with the stream beside its reader.
  private var watches: ReferenceArray<SourceAtLoop> = []

  package override var marks: (high: Int, low: Int) { ownMarks }
  private let ownMarks: (high: Int, low: Int)
  /// The address in messages.
  let name: CText
  private let label, site: StaticSite?
  /// The addresses, which are looked up when somebody asks.
  private lazy var local = address(belay_shim_own_address)
  private lazy var peer = namedIfSame(address(belay_shim_peer_address))

  /// Takes `descriptor` over. Called at the loop.
  package init(_ descriptor: Descriptor, _ name: CText, _ options: StreamOptions) {
    self.name = name
    label = options.label
    site = options.site
    ownMarks = options.marks
    super.init(descriptor, options.writeHigh)
    if descriptor.kind == BELAY_SHIM_SOCKET {
      belay_shim_set_tcp(descriptor.fd, options.noDelay ? 1 : 0, options.keepAliveSeconds)
    }
    descriptor.user = self
    loop.list(self)
  }

  /// The writing side.
  var output: StreamOutput { self }
  var loop: LoopCore { descriptor.core }
  var fd: Int32 { descriptor.fd }

  func came(_ events: Int32) {
    if events & Int32(UV_WRITABLE.rawValue) != 0 {
      goOn()
      stopUsersOfClosed()
    }
    // Also on an error, which has no event of its own.
    guard events & ~Int32(UV_WRITABLE.rawValue) != 0, let reader else { return }
    // A turn inside of what the reader sends. Its subscriber may leave before it gets more, which then is
    // another reader's.
    if reader.isTold { return descriptor.wait(for: UV_READABLE, false) }
    reader.isTold = true
    reader.arrived()
    reader.isTold = false
    waitForBytes()
  }

  // MARK: Reading

  /// Begins to read. A close stops the reader.
  func beginReading(by reader: StreamConsumer) -> Code {
    if !isOpen || !descriptor.isOpen { return .canceled }
    if self.reader != nil { return .busy }
    self.reader = reader
    waitForBytes()
    return .ok
  }

  /// Ends the writing after what waits.
  func shutDown() {
    shutDownOutput()
    stopUsersOfClosed()
  }

  /// The end of the writing may have closed the descriptor, which was only written.
  private func stopUsersOfClosed() {
    if descriptor.isOpen { return }
    reader?.stop()
    stopWatches()
  }

  /// Whether `watch` may go on until the stream ends, which stops it.
  func list(_ watch: SourceAtLoop) -> Bool {
    if !isOpen || !descriptor.isOpen { return false }
    watches.append(watch)
    return true
  }

  func unlist(_ watch: SourceAtLoop) { watches.remove(watch) }

  private func stopWatches() {
    while let watch = watches.popLast() { watch.stop() }
  }

  func endReading() {
    if reader == nil { return }
    reader = nil
    release()
    waitForBytes()
  }

  private func waitForBytes() {
    descriptor.wait(for: UV_READABLE, reader != nil && !isHeld)
  }

  /// Reads what there is. Answers the bytes, a failure of the system's, or 0 at the end.
  func read(into room: UnsafeMutableRawBufferPointer) -> Int {
    if readEnd <= 0 { return Int(readEnd) }
    var count = belay_shim_read(descriptor.fd, descriptor.kind, room.baseAddress, room.count)
    if count > 0 || count == Int(Code.again.rawValue) { return count }
    // The other end of a terminal has gone.
    if descriptor.kind == BELAY_SHIM_TERMINAL && count == Int(UV_EIO.rawValue) { count = 0 }
    // The system tells of a lost connection once, and calls it an end later. A write may have been told.
    if count == 0, lost != 0 { count = Int(lost) }
    readEnd = Int32(count)
    return count
  }

  /// Stops reading while too much of what was read is held.
  func holdBackIfFull() -> Bool {
    if !holdsBack() { return false }
    isHeld = true
    waitForBytes()
    loop.beginHold()
    return true
  }

  override package func goesOn() {
    loop.perform { [self] in
      release()
      waitForBytes()
    }
  }

  private func release() {
    if !endHoldingBack() && !isHeld { return }
    if isHeld { loop.endHold() }
    isHeld = false
  }

  // MARK: The end

  override package var kind: StaticString? { "stream" }
  override package var origin: Origin {
    Origin(label: label, site: site).or(reader?.origin ?? Origin())
  }
  override package func terminate() { loop.perform { [self] in closeHere() } }

  private func closeHere() {
    if !isOpen { return }
    isOpen = false
    if isListed { loop.unlist(self) }
    let reader = reader
    endReading()
    closeOutput()
    descriptor.close()
    reader?.stop()
    stopWatches()
  }

  // MARK: Addresses

  package var localName: UnsafePointer<CChar> { local.pointer }
  package var peerName: UnsafePointer<CChar> { peer.pointer }

  private func address(
    _ read: (Int32, UnsafeMutablePointer<belay_shim_address>) -> Int32
  ) -> CText {
    var address = belay_shim_address()
    return read(descriptor.fd, &address) < 0 ? CText("") : address.name
  }

  /// `name` if that is equal, as with a connection that a listener has accepted.
  private func namedIfSame(_ address: CText) -> CText {
    address.isSame(as: name.pointer) ? name : address
  }
}
