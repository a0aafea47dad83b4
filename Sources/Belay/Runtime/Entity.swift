import CBelayShim

/// The root of everything that has a handle. Each may be sent letters.
open class Entity: @unchecked Sendable {
  public init() {}

  /// What it is as a foreign value.
  open var valueKind: ValueKind { .null }

  /// Opens a letter, at the home it was posted to; one that `isRefused` nobody will open: gives back
  /// what it carries.
  open func receive(_ letter: inout Letter, isRefused: Bool) {}

  /// Whether no other thread can reach this, so that nothing of it need be atomic: the process has
  /// one thread, or whoever asks has the only reference. (An ordinary Swift object cannot tell.)
  @inline(__always)
  final var isUnshared: Bool {
    if belay_shim_is_alone() { return true }
    #if hasFeature(Embedded)
      return belay_shim_has_one_reference(Unmanaged.passUnretained(self).toOpaque())
    #else
      return false
    #endif
  }
}
