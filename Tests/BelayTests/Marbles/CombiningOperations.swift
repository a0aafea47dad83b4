@testable import Belay

extension MarbleRun {
  fileprivate func sum(_ one: MarbleValue, _ two: MarbleValue) throws(Failure) -> MarbleValue {
    try enter(one, two)
    return .int(one.number + two.number)
  }

  fileprivate func sameParity(_ one: MarbleValue, _ two: MarbleValue) throws(Failure) -> Bool {
    try enter(one, two)
    return (one.number - two.number) % 2 == 0
  }

  fileprivate func flags(_ index: Int) -> Signal<Bool> { input(index).map { $0.flag } }
}

extension Signal where Value == Bool {
  fileprivate var asMarbles: Signal<MarbleValue> { map { .flag($0) } }
}

/// Signals combined by their values.
let combiningOperations: MarbleOperations = [
  "combine_latest_sum": { .combineLatest($0.input(0), $0.input(1), $0.sum) },
  "combine_latest_3": { run in
    run.input(0).combineLatest(run.input(1), run.input(2)).map { .list([$0.0, $0.1, $0.2]) }
  },
  "combine_latest_none": { _ in
    .combineLatest([Signal<MarbleValue>]()) { .list($0) }
  },
  "lift_sum": { run in
    Signal<MarbleValue>.lift(run.sum)(run.input(0), run.input(1))
  },
  "zip_sum": { .zip($0.input(0), $0.input(1), $0.sum) },
  "zip_3": { run in
    run.input(0).zip(run.input(1), run.input(2)).map { .list([$0.0, $0.1, $0.2]) }
  },
  "zip_none": { _ in .zip([Signal<MarbleValue>]()) { .list($0) } },
  "with_latest_from_sum": { $0.input(0).withLatestFrom($0.input(1), $0.sum) },
  "with_latest_from_2": { run in
    run.input(0).withLatestFrom([run.input(1), run.input(2)]) { .list($0) }
  },
  "race": { $0.input(0).race($0.input(1)) },
  "race_none": { _ in .race([]) },
  "start_with_7_8": { $0.input(0).startWith(.int(7), .int(8)) },
  "end_with_7_8": { $0.input(0).endWith(.int(7), .int(8)) },
  "sequence_equal": { $0.input(0).sequenceEqual($0.input(1)).asMarbles },
  "sequence_equal_parity": {
    $0.input(0).sequenceEqual($0.input(1), by: $0.sameParity).asMarbles
  },
  "if_then_else": { .ifThenElse($0.flags(0), $0.input(1), $0.input(2)) },
  "switch_on_1_else": { run in
    .switchOn(run.input(0), cases: [(.int(1), run.input(1))], default: run.input(2))
  },
  "switch_on_1_2": { run in
    .switchOn(run.input(0), cases: [(.int(1), run.input(1)), (.int(2), run.input(2))])
  },
  "and": { $0.flags(0).and($0.flags(1)).asMarbles },
  "or": { $0.flags(0).or($0.flags(1)).asMarbles },
  "not": { $0.flags(0).not().asMarbles },
  "reduce_each_sum": { run in
    run.input(0).map { ($0.list[0], $0.list[1]) }.reduceEach(run.sum)
  },
]
