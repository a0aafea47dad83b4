/// The root of everything that has a handle. Each may be sent messages.
open class Entity: @unchecked Sendable {
  public init() {}

  /// What it is as a foreign value.
  open var valueKind: ValueKind { .null }

  /// Opens a message, at the home it was posted to; one that `isCanceled` nobody will open: gives back
  /// what it carries.
  open func receive(_ message: inout Message, isCanceled: Bool) {}
}
