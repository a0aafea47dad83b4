extension Signal {
  /// Combines all values by `step`, beginning with `seed`, and sends the result at completion: the
  /// seed itself if there were no values. An error that `step` throws ends the signal. (aggregate,
  /// accumulate in other libraries.)
  public final func reduce<Output>(
    _ seed: Output, _ step: @escaping (Output, Value) throws(ClosureError) -> Output
  ) -> Signal<Output> {
    reduce(Kept(taking: seed), step)
  }

  // The same shape as `scan`: both are the fold of `FoldStage`.
  package final func reduce<Output>(
    _ seed: Kept<Output>, _ step: @escaping (Output, Value) throws(ClosureError) -> Output
  ) -> Signal<Output> {
    lift("reduce") { FoldStage($0, seed, sendsEach: false, step) }
  }
}
