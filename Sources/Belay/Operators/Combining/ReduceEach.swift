extension Signal {
  /// Calls `reduce` with the two parts of each value, and sends its result.
  public final func reduceEach<First, Second, Output>(
    _ reduce: @escaping (First, Second) throws(ClosureError) -> Output
  ) -> Signal<Output> where Value == (First, Second) {
    map(as: "reduce_each") { (parts) throws(ClosureError) -> Output in try reduce(parts.0, parts.1)
    }
  }

  /// The same for values of three parts.
  public final func reduceEach<First, Second, Third, Output>(
    _ reduce: @escaping (First, Second, Third) throws(ClosureError) -> Output
  ) -> Signal<Output> where Value == (First, Second, Third) {
    map(as: "reduce_each") { (parts) throws(ClosureError) -> Output in
      try reduce(parts.0, parts.1, parts.2)
    }
  }
}
