/// Whether an emitter is busy or has ended, and what it must handle after the delivery in progress.
struct EmitterState: OptionSet {
  let rawValue: UInt32
  static let busy = EmitterState(rawValue: 1)
  static let ended = EmitterState(rawValue: 2)
  /// Something must be handled after the delivery in progress.
  static let attention = EmitterState(rawValue: 4)
  /// The source must be interrupted after the delivery in progress.
  static let abandoned = EmitterState(rawValue: 8)
  /// An end waits for the delivery in progress, and further events are refused.
  static let ending = EmitterState(rawValue: 16)
  /// The emitter is shared, so events of other threads may wait that an event must not overtake. Not set
  /// while the event that is next is accepted.
  static let shared = EmitterState(rawValue: 32)
}
