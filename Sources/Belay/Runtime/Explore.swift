import CBelayShim

/// What differs in the explorer's build (see "The explorer" in docs/architecture.md).
package enum Explore {
  /// A fault that was mended, and that the explorer must find when it is switched on.
  package enum Fault {
    /// A disposal at home raises all of its flags before it knows that the end is its own.
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
