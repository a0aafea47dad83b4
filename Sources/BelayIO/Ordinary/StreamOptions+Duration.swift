extension StreamOptions {
  /// After so long a silence the peer is asked whether it is there; nil: never (TCP). Linux knows
  /// whole seconds from 1 to 32767, so anything else becomes the next of these.
  public var keepAlive: Duration? {
    get { keepAliveSeconds == 0 ? nil : .seconds(keepAliveSeconds) }
    set {
      guard let time = newValue?.components else { return keepAliveSeconds = 0 }
      let seconds = time.seconds.addingReportingOverflow(time.attoseconds > 0 ? 1 : 0)
      keepAliveSeconds = Int32(seconds.overflow ? 32767 : min(max(1, seconds.partialValue), 32767))
    }
  }
}
