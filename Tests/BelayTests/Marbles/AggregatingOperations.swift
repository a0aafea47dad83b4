@testable import Belay

private func isLess(_ one: MarbleValue, _ two: MarbleValue) throws(Failure) -> Bool {
  switch (one, two) {
  case (.int(let a), .int(let b)): return a < b
  case (.text(let a), .text(let b)): return a < b
  default: throw Failure(.wrongKind)
  }
}

private func integer(_ value: MarbleValue) throws(Failure) -> Int {
  guard case .int(let number) = value else { throw Failure(.wrongKind) }
  return number
}

extension MarbleRun {
  fileprivate func larger(_ one: MarbleValue, _ two: MarbleValue) throws(Failure) -> Bool {
    try enter(one, two)
    return one.number > two.number
  }
}

/// Operators that make one value of all.
let aggregatingOperations: MarbleOperations = [
  "contains_2": { $0.source.contains(.int(2)).map { .flag($0) } },
  "min": { $0.source.min(by: isLess) },
  "min_backwards": { $0.source.min(by: $0.larger) },
  "max": { $0.source.max(by: isLess) },
  "max_backwards": { $0.source.max(by: $0.larger) },
  "average": { $0.source.map(integer).average().map { .real($0) } },
  "sum": { $0.source.map(integer).sum().map { .int($0) } },
  "reduce_sum": { run in
    run.input(0).reduce(.int(0)) {
      (sum: MarbleValue, value: MarbleValue) throws(Failure) -> MarbleValue in
      try run.enter(value)
      return .int(sum.number + value.number)
    }
  },
]
