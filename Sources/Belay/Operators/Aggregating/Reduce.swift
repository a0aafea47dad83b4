extension Signal {
  /// At completion sends what `step` has made of all values, beginning with `seed`: of none the
  /// seed itself. What `step` throws ends the signal. (aggregate, accumulate elsewhere.)
  public final func reduce<Output>(
    _ seed: Output, _ step: @escaping (Output, Value) throws(Failure) -> Output
  ) -> Signal<Output> {
    reduce(Kept(taking: seed), step)
  }

  package final func reduce<Output>(
    _ seed: Kept<Output>, _ step: @escaping (Output, Value) throws(Failure) -> Output
  ) -> Signal<Output> {
    lift("reduce") { FoldStage($0, seed, sendsEach: false, step) }
  }
}
