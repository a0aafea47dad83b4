@_spi(Engine) import Belay

/// An event of a run, or one that is expected.
package struct MarbleEvent<Value> {
  /// The kind of event.
  package enum Kind {
    case next(Value)
    case completed
    case failed(Failure?)
  }

  package let time: Int64
  package let kind: Kind
}

/// The values that the marks of a run stand for.
package struct MarbleAlphabet<Value> {
  /// The value of a letter or a digit.
  package let value: (UInt8) -> Value
  package let areEqual: (Value, Value) -> Bool
  package let describe: (Value) -> Text
  /// The letters that stand for values in this test.
  var defined: [UInt8] = []

  package init(
    value: @escaping (UInt8) -> Value, areEqual: @escaping (Value, Value) -> Bool,
    describe: @escaping (Value) -> Text
  ) {
    self.value = value
    self.areEqual = areEqual
    self.describe = describe
  }

  /// The mark of a value, or its description if it has no mark.
  private func label(_ seen: Value) -> [UInt8] {
    for mark in defined {
      let candidate = value(mark)
      defer { discard(candidate) }
      if areEqual(candidate, seen) { return [mark] }
    }
    return Array(describe(seen).utf8)
  }

  /// Draws events as a row.
  func draw(_ events: [MarbleEvent<Value>], _ name: Text, in drawing: MarbleDrawing) {
    let row = drawing.begin(.line, Array(name.utf8))
    for event in events {
      switch event.kind {
      case .next(let value): drawing.note(.next, on: row, at: event.time, label(value))
      case .completed: drawing.note(.completed, on: row, at: event.time, [])
      case .failed(let failure):
        drawing.note(
          .error, on: row, at: event.time, failure.map { Array($0.message.utf8) } ?? [])
      }
    }
  }

  /// Whether two runs are equal. An expected error without a failure matches any error.
  func areSame(_ seen: [MarbleEvent<Value>], _ expected: [MarbleEvent<Value>]) -> Bool {
    guard seen.count == expected.count else { return false }
    for (one, other) in zip(seen, expected) {
      guard one.time == other.time else { return false }
      switch (one.kind, other.kind) {
      case (.completed, .completed): break
      case (.failed(let a), .failed(let b)):
        if let a, let b, a.code != b.code { return false }
      case (.next(let a), .next(let b)): if !areEqual(a, b) { return false }
      default: return false
      }
    }
    return true
  }
}
