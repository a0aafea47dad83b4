extension Signal {
  /// Sends the values of the signals that come, of at most `limit` at a time. 1024 later
  /// ones may wait, unless `setQueue` says otherwise; then this ends with `.again`. (flatten in other libraries.)
  public final func mergeAll<Inner>(limit: Int = .max) -> Signal<Inner>
  where Value == Signal<Inner> {
    mergeAll(limit: limit) { (inner: Signal<Inner>) throws(ClosureError) in inner }
  }

  /// Sends the values of the signals that come, one signal after the other.
  public final func concatAll<Inner>() -> Signal<Inner> where Value == Signal<Inner> {
    concatAll { (inner: Signal<Inner>) throws(ClosureError) in inner }
  }

  /// Sends the values of the signal that came last. (switchLatest, switchOnNext in other
  /// libraries.)
  public final func switchToLatest<Inner>() -> Signal<Inner> where Value == Signal<Inner> {
    switchToLatest { (inner: Signal<Inner>) throws(ClosureError) in inner }
  }

  /// The same for values that contain signals, which `open` takes out.
  package final func mergeAll<Output>(
    limit: Int, _ open: @escaping (Value) throws(ClosureError) -> Signal<Output>
  ) -> Signal<Output> {
    flattened("merge_all", .merge(limit: limit), open)
  }

  package final func concatAll<Output>(
    _ open: @escaping (Value) throws(ClosureError) -> Signal<Output>
  ) -> Signal<Output> {
    flattened("concat_all", .merge(limit: 1), open)
  }

  package final func switchToLatest<Output>(
    _ open: @escaping (Value) throws(ClosureError) -> Signal<Output>
  ) -> Signal<Output> {
    flattened("switch_to_latest", .latest, open)
  }
}
