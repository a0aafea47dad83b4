/// The root of everything that has a handle. Each may be sent letters.
open class Entity: @unchecked Sendable {
  public init() {}

  /// What it is as a foreign value.
  open var valueKind: ValueKind { .null }

  /// Opens a letter, at the home it was posted to; one that `isRefused` nobody will open: gives back
  /// what it carries.
  open func receive(_ letter: inout Letter, isRefused: Bool) {}
}
