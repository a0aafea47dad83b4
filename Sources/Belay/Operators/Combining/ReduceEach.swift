extension Signal {
  /// Calls `reduce` with the parts of each value, a pair, and sends what it returns.
  public final func reduceEach<First, Second, Output>(
    _ reduce: @escaping (First, Second) throws(Failure) -> Output
  ) -> Signal<Output> where Value == (First, Second) {
    map(as: "reduce_each") { (parts) throws(Failure) -> Output in try reduce(parts.0, parts.1) }
  }

  /// The same with three parts.
  public final func reduceEach<First, Second, Third, Output>(
    _ reduce: @escaping (First, Second, Third) throws(Failure) -> Output
  ) -> Signal<Output> where Value == (First, Second, Third) {
    map(as: "reduce_each") { (parts) throws(Failure) -> Output in
      try reduce(parts.0, parts.1, parts.2)
    }
  }
}
