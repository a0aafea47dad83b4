/// How a signal ends.
public enum End {
  case completed
  case failed(Failure)
  /// The source has gone without an end: its subscriptions are disposed of, and their observers get
  /// no event.
  case interrupted
}
