/// The answer of a call: 0, a positive note, or a negative error. The codes of errno and of libuv
/// are passed on unchanged. Belay's own begin at -20 000.
public struct Code: RawRepresentable, Equatable, Sendable {
  public let rawValue: Int32

  @inline(__always)
  public init(rawValue: Int32) { self.rawValue = rawValue }

  public static let ok = Code(rawValue: 0)
  /// The value was accepted, and is delivered later.
  public static let queued = Code(rawValue: 1)

  public static let notPermitted = Code(rawValue: -1)
  public static let noMemory = Code(rawValue: -12)
  public static let readOnly = Code(rawValue: -30)
  public static let unsupported = Code(rawValue: -95)
  public static let invalid = Code(rawValue: -22)
  public static let again = Code(rawValue: -11)
  public static let busy = Code(rawValue: -16)
  public static let canceled = Code(rawValue: -125)
  public static let deadlock = Code(rawValue: -35)
  public static let notUTF8 = Code(rawValue: -84)
  public static let inProgress = Code(rawValue: -115)
  public static let notFound = Code(rawValue: -2)
  public static let range = Code(rawValue: -34)
  public static let timedOut = Code(rawValue: -110)

  public static let noHome = Code(rawValue: -20_000)
  public static let wrongThread = Code(rawValue: -20_001)
  public static let wrongKind = Code(rawValue: -20_002)
  public static let ended = Code(rawValue: -20_003)
  public static let disposed = Code(rawValue: -20_004)
  public static let assigned = Code(rawValue: -20_005)
  public static let reentrant = Code(rawValue: -20_006)
  public static let dead = Code(rawValue: -20_007)
  public static let closed = Code(rawValue: -20_008)
  public static let released = Code(rawValue: -20_009)
  public static let bound = Code(rawValue: -20_010)
  public static let mismatch = Code(rawValue: -20_011)

  @inline(__always)
  public var isFailure: Bool { rawValue < 0 }

  /// Whether a source that has not ended refused a value, because a queue was full or sends were
  /// nested too deeply. An object that sends on for others must then end with this error, because a
  /// gap would go unseen.
  package var isRefusal: Bool { self == .again || self == .reentrant }
}
