/// The root of everything that has a handle. Each may be sent letters.
open class Entity: @unchecked Sendable {
  public init() {}

  /// What it is as a foreign value.
  open var valueKind: ValueKind { .null }

  /// Opens a letter, at the home it was posted to.
  open func receive(_ letter: inout Letter) {}

  /// Gives back what a letter carries that nobody will open.
  open func refuse(_ letter: inout Letter) {}
}
