/// How a signal ends.
public enum End {
  case completed
  case failed(Failure)
  /// The source went without an end: subscribers are disposed of, and get no event.
  case interrupted
}
