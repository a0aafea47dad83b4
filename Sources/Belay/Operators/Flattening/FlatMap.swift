extension Signal {
  /// Makes a signal of each value and sends the values of all of them, as they come. Of more than
  /// `limit` at a time the later ones wait, without bound. Completes with the last of them, ends with the first error; what `transform` throws is one. (flattenMap elsewhere.)
  public final func flatMap<Output>(
    limit: Int = .max, _ transform: @escaping (Value) throws(Failure) -> Signal<Output>
  ) -> Signal<Output> {
    flattened("flat_map", .merge(limit: limit), transform)
  }

  /// Makes a signal of each value, and sends the values of one after the other. Values wait for
  /// their turn, without bound.
  public final func concatMap<Output>(
    _ transform: @escaping (Value) throws(Failure) -> Signal<Output>
  ) -> Signal<Output> {
    flattened("concat_map", .merge(limit: 1), transform)
  }

  /// Makes a signal of each value, and sends the values of the latest: the one before is left.
  /// (flatMapLatest elsewhere.)
  public final func switchMap<Output>(
    _ transform: @escaping (Value) throws(Failure) -> Signal<Output>
  ) -> Signal<Output> {
    flattened("switch_map", .latest, transform)
  }

  /// Makes a signal of a value, and drops what comes while that signal runs. (flatMapFirst
  /// elsewhere.)
  public final func exhaustMap<Output>(
    _ transform: @escaping (Value) throws(Failure) -> Signal<Output>
  ) -> Signal<Output> {
    flattened("exhaust_map", .first, transform)
  }

  final func flattened<Output>(
    _ name: StaticString, _ flattening: Flattening,
    _ transform: @escaping (Value) throws(Failure) -> Signal<Output>
  ) -> Signal<Output> {
    JunctionSignal(name, below: self) {
      FlattenJunction($0, self, flattening, at: $1, transform)
    }
  }
}
