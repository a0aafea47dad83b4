/// The answer of a call: 0, a positive note, or a negative error. The codes of errno and of libuv
/// are passed on unchanged. Belay's own begin at -20 000.
public struct Code: RawRepresentable, Equatable, Sendable {
  /// The number, as C has it.
  public let rawValue: Int32

  /// A code of Belay's, of errno's, negated, or of libuv's.
  @inline(__always)
  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// Done.
  public static let ok = Code(rawValue: 0)
  /// The value was accepted, and is delivered later.
  public static let queued = Code(rawValue: 1)

  /// The system does not permit it.
  public static let notPermitted = Code(rawValue: -1)
  /// There is not enough memory.
  public static let noMemory = Code(rawValue: -12)
  /// The memory cannot be written to.
  public static let readOnly = Code(rawValue: -30)
  /// This build or system cannot do it.
  public static let unsupported = Code(rawValue: -95)
  /// An argument is wrong.
  public static let invalid = Code(rawValue: -22)
  /// A queue is full. The value was dropped, and may be sent again.
  public static let again = Code(rawValue: -11)
  /// It is running already.
  public static let busy = Code(rawValue: -16)
  /// It was interrupted: its source has gone, or its home has closed.
  public static let canceled = Code(rawValue: -125)
  /// Waiting for it would never end.
  public static let deadlock = Code(rawValue: -35)
  /// A frame is longer than it may be.
  public static let tooLong = Code(rawValue: -90)
  /// The end came inside of a frame.
  public static let cutShort = Code(rawValue: -71)
  /// The bytes are not UTF-8.
  public static let notUTF8 = Code(rawValue: -84)
  /// The call came from inside the callback that it would wait for.
  public static let inProgress = Code(rawValue: -115)
  /// There is none.
  public static let notFound = Code(rawValue: -2)
  /// A number is out of range, or too much was nested.
  public static let range = Code(rawValue: -34)
  /// The time is over.
  public static let timedOut = Code(rawValue: -110)

  /// Sent on another thread to a home that has no loop, so that nothing could be delivered.
  public static let noHome = Code(rawValue: -20_000)
  /// Called on another thread than the one it must be called on.
  public static let wrongThread = Code(rawValue: -20_001)
  /// A value or an object is of another kind.
  public static let wrongKind = Code(rawValue: -20_002)
  /// The signal has ended already. The event was dropped.
  public static let ended = Code(rawValue: -20_003)
  /// It was disposed of already.
  public static let disposed = Code(rawValue: -20_004)
  /// It was assigned already, and cannot be again.
  public static let assigned = Code(rawValue: -20_005)
  /// Sent from inside its own delivery where that is refused, or nested too deeply.
  public static let reentrant = Code(rawValue: -20_006)
  /// The owner is dying or dead.
  public static let dead = Code(rawValue: -20_007)
  /// The loop is closed.
  public static let closed = Code(rawValue: -20_008)
  /// The last reference has gone already.
  public static let released = Code(rawValue: -20_009)
  /// The thread or the loop is bound already.
  public static let bound = Code(rawValue: -20_010)
  /// It is not what was expected.
  public static let mismatch = Code(rawValue: -20_011)

  /// Whether it is an error: neither `ok` nor a note.
  @inline(__always)
  public var isFailure: Bool { rawValue < 0 }

  /// Whether a source that has not ended refused a value, because a queue was full or sends were
  /// nested too deeply. An object that sends on for others must then end with this error, because a
  /// gap would go unseen.
  package var isRefusal: Bool { self == .again || self == .reentrant }
}
