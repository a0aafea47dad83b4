/// How a signal ends.
@_spi(Engine) public enum End {
  case completed
  case failed(Failure)
  /// The source has gone without an end: its subscriptions are disposed of, and their observers get
  /// no event.
  case interrupted
}
