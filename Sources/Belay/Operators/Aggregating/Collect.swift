extension Signal {
  /// Sends all values as one array at completion. On an error, the values are dropped. (toArray in
  /// other libraries.) It holds every value until then.
  public final func collect() -> Signal<[Value]> { collect { $0 } }

  /// `gather` takes over the references of the array's values.
  package final func collect<Output>(gather: @escaping ([Value]) -> Output) -> Signal<Output> {
    lift("collect") { CollectStage($0, .max, 1, gather) }
  }

  /// Sends arrays of `count` values. Every `skip`th value begins an array: arrays overlap if `skip`
  /// is less than `count`, and values between arrays are dropped if it is more. At completion, the
  /// arrays that have begun are sent as they are; on an error they are dropped. It holds `count`
  /// values.
  public final func buffer(_ count: Int, skip: Int) -> Signal<[Value]> {
    buffer(count, skip: skip) { $0 }
  }

  package final func buffer<Output>(
    _ count: Int, skip: Int, gather: @escaping ([Value]) -> Output
  ) -> Signal<Output> {
    lift("buffer") {
      CollectStage($0, Swift.min(Swift.max(1, count), .max - 1), Swift.max(1, skip), gather)
    }
  }
}

/// With a `count` of `.max`, sends one array at completion, even if it is empty.
private final class CollectStage<Value, Output>: Stage<Value, Output>, @unchecked Sendable {
  private let count: Int
  private let skip: Int
  private let gather: ([Value]) -> Output
  /// The values from the beginning of the oldest array that is not full.
  private var values: [Value] = []
  /// How many values to drop before the next array.
  private var gap = 0

  init(
    _ downstream: Sink<Output>, _ count: Int, _ skip: Int, _ gather: @escaping ([Value]) -> Output
  ) {
    self.count = count
    self.skip = skip
    self.gather = gather
    super.init(downstream)
  }

  override func next(_ value: Value) {
    if gap > 0 {
      gap -= 1
      return
    }
    keepGathered(value)
    values.append(value)
    guard values.count == count else { return }
    let full = values
    let begun = min(skip, count)
    leave(begun)
    gap = skip - begun
    send(full)
  }

  /// Keeps what is behind the first `count` values, which an array has. (For `removeFirst` the compiler
  /// would copy all of `replaceSubrange`.)
  private func leave(_ count: Int) {
    var left: [Value] = []
    for index in count..<values.count {
      let value = values[index]
      keep(value)
      left.append(value)
    }
    values = left
  }

  private func send(_ full: [Value]) {
    let output = gather(full)
    pass(output)
    discard(output)
  }

  override func end(_ end: End) {
    if case .completed = end { sendRest() }
    pass(end: end)
  }

  private func sendRest() {
    if count == .max {
      let all = values
      values = []
      return send(all)
    }
    while !values.isEmpty {
      let rest = values
      leave(min(skip, rest.count))
      send(rest)
    }
  }

  override func tearDown() {
    let rest = values
    values = []
    for value in rest { discard(value) }
  }
}
