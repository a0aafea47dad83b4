extension Signal {
  /// Makes a signal of each value and sends the values of all these signals as they come. At most
  /// `limit` run at a time; later ones wait: 1024 values unless
  /// `setQueue` says otherwise, then this ends with `.again`. Completes with the last of them. Ends
  /// with the first error, also one that `transform` throws. (flattenMap in ReactiveObjC.)
  public final func flatMap<Output>(
    limit: Int = .max, _ transform: @escaping (Value) throws(ClosureError) -> Signal<Output>
  ) -> Signal<Output> {
    flattened("flat_map", .merge(limit: limit), transform)
  }

  /// Makes a signal of each value, and sends the values of one signal after the other. 1024
  /// values may wait for their turn, unless `setQueue` says otherwise; then this ends with `.again`.
  public final func concatMap<Output>(
    _ transform: @escaping (Value) throws(ClosureError) -> Signal<Output>
  ) -> Signal<Output> {
    flattened("concat_map", .merge(limit: 1), transform)
  }

  /// Makes a signal of each value, and sends the values of the latest one. The one before is
  /// disposed of. (flatMapLatest in other libraries.)
  public final func switchMap<Output>(
    _ transform: @escaping (Value) throws(ClosureError) -> Signal<Output>
  ) -> Signal<Output> {
    flattened("switch_map", .latest, transform)
  }

  /// Makes a signal of a value, and drops the values that come while that signal runs.
  /// (flatMapFirst in other libraries.)
  public final func exhaustMap<Output>(
    _ transform: @escaping (Value) throws(ClosureError) -> Signal<Output>
  ) -> Signal<Output> {
    flattened("exhaust_map", .first, transform)
  }

  final func flattened<Output>(
    _ name: StaticString, _ flattening: Flattening,
    _ transform: @escaping (Value) throws(ClosureError) -> Signal<Output>
  ) -> Signal<Output> {
    JunctionSignal(name, below: self) {
      FlattenJunction($0, self, flattening, at: $1, transform)
    }
  }
}
