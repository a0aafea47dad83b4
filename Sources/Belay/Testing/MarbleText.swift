/// Draws a diagram, character by character.
struct MarbleText {
  private(set) var text = ""
  private var cursor: Int64 = 0
  /// Whether what was drawn can be read back: groups are longer than their moment.
  private(set) var isExact = true

  /// Adds what happens at `time`, a character or several.
  mutating func add(_ marks: String, at time: Int64) {
    passUntil(time)
    let isGroup = marks.utf8.count > 1
    text += isGroup ? "(" + marks + ")" : marks
    cursor += Int64(marks.utf8.count + (isGroup ? 2 : 0)) * MarbleDiagram.frame
  }

  private mutating func passUntil(_ time: Int64) {
    if time < cursor {
      isExact = false
      return
    }
    let frames = (time - cursor) / MarbleDiagram.frame
    if frames > 30 {
      text += " \(frames)ms "
    } else {
      for _ in 0..<frames { text += "-" }
    }
    cursor = time
  }
}

/// Something that was seen, or is expected.
package struct MarbleEvent<Value> {
  package enum Kind {
    case next(Value)
    case completed
    case failed(Failure?)
  }

  package let time: Int64
  package let kind: Kind
}

/// What the marks of a run stand for.
package struct MarbleAlphabet<Value> {
  /// The value of a letter or a digit.
  package let value: (UInt8) -> Value
  package let areEqual: (Value, Value) -> Bool
  package let describe: (Value) -> String
  /// The letters that were given a value.
  var defined: [UInt8] = []

  package init(
    value: @escaping (UInt8) -> Value, areEqual: @escaping (Value, Value) -> Bool,
    describe: @escaping (Value) -> String
  ) {
    self.value = value
    self.areEqual = areEqual
    self.describe = describe
  }

  /// The mark for a value that was seen; nil when it has none.
  private func mark(_ seen: Value) -> UInt8? {
    for mark in defined {
      let candidate = value(mark)
      defer { discard(candidate) }
      if areEqual(candidate, seen) { return mark }
    }
    return nil
  }

  /// Draws events; values without a mark are told after.
  func draw(_ events: [MarbleEvent<Value>]) -> String {
    var drawn = MarbleText()
    var legend = ""
    var index = 0
    while index < events.count {
      let time = events[index].time
      var marks = ""
      while index < events.count, events[index].time == time {
        switch events[index].kind {
        case .completed: marks += "|"
        case .failed(let failure):
          marks += "#"
          if let failure { legend += "  # = " + failure.message }
        case .next(let value):
          if let mark = mark(value) {
            marks += String(decoding: [mark], as: UTF8.self)
          } else {
            marks += "?"
            legend += "  ? = " + describe(value) + " at \(time / MarbleDiagram.frame) ms"
          }
        }
        index += 1
      }
      drawn.add(marks, at: time)
    }
    if !drawn.isExact { legend += "  (not to scale)" }
    return (events.isEmpty ? "(nothing)" : drawn.text) + legend
  }

  /// Whether two runs are the same; an error that is expected without saying which is any.
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
