extension Signal {
  /// Sends the values of all `signals` as they come. An error waits until the others have ended;
  /// the first of several is passed on.
  public static func mergeDelayError(_ signals: [Signal<Value>]) -> Signal<Value> {
    JunctionSignal("merge_delay_error", beside: AnySignal.all(signals)) {
      MergeJunction($0, signals, at: $1, delaysError: true)
    }
  }

  /// Sends the values of this signal and of `others` as they come. An error waits until all have
  /// ended.
  public final func mergeDelayError(_ others: Signal<Value>...) -> Signal<Value> {
    .mergeDelayError([self] + others)
  }
}
