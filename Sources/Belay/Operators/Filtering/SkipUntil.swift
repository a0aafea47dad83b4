extension Signal {
  /// Drops values until `trigger` sends one; then disposes of the subscription to it. If `trigger`
  /// completes without a value, no value passes any more, only the source's end. An error of
  /// `trigger` is passed on. (drop(untilOutputFrom:) in Combine.)
  public final func skipUntil<Other>(_ trigger: Signal<Other>) -> Signal<Value> {
    lift(bounded: "skip_until", startsAnywhere: false, with: [trigger]) {
      UntilStage($0, trigger, takes: false, $1)
    }
  }
}
