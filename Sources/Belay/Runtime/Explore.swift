import CBelayShim

/// The differences of the explorer's build (see "The explorer" in docs/architecture.md).
package enum Explore {
  /// A former fault of the core. The explorer must find it when it is switched on.
  package enum Fault {
    /// A disposal at home sets all phases before it knows that it has claimed the end.
    case raiseBeforeClaim
  }

  /// Whether a fault is switched on; false in every other build.
  @inline(__always)
  package static func has(_ fault: Fault) -> Bool {
    #if BELAY_EXPLORE
      switch fault {
      case .raiseBeforeClaim: belay_explore_has_fault(belay_explore_raise_before_claim)
      }
    #else
      false
    #endif
  }
}
