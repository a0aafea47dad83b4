import CBelayShim

/// A point in time on the monotonic clock, in nanoseconds.
public typealias Instant = Int64

/// The monotonic clock of the machine. Loops read it once a turn.
package enum MonotonicClock {
  package static var now: Instant { belay_shim_monotonic() }
}

extension Duration {
  /// The duration in whole nanoseconds, limited to the range of `Instant`.
  package var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    if overflow { return seconds < 0 ? Int64.min : Int64.max }
    return product.addingSaturated(attoseconds / 1_000_000_000)
  }
}

extension Int64 {
  /// The sum, limited to the range of the type.
  package func addingSaturated(_ other: Int64) -> Int64 {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other < 0 ? .min : .max) : sum
  }
}
