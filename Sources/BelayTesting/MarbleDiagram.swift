@_spi(Engine) import Belay

/// A marble diagram: events over time, in RxJS's notation.
///
/// `-` is a frame (a millisecond) without an event. A letter or a digit is a value, `|` the
/// completion, `#` an error. `(ab|)` is a group: all its events are in its first frame, and it
/// takes as many frames as it has characters. `^` is a subscription, and `!` its end. ` 10ms `, `
/// 1.5s ` and ` 1m `, with spaces around them, are time that passes. Other spaces only align.
package struct MarbleDiagram {
  /// The meaning of a character of a diagram.
  package enum Mark: Equatable {
    case value(UInt8)
    case completed
    case error
    case subscription
    case unsubscription
  }

  /// The length of a frame: a millisecond.
  package static let frame: Int64 = 1_000_000
  /// The sum of two such times can be told, too.
  private static let longest = Int64.max / 2

  /// The marks in the order of time. The times are in nanoseconds from the first frame.
  package private(set) var marks: [(time: Int64, mark: Mark)] = []

  /// Throws `.invalid` with the position of a mistake.
  package init(_ text: Text) throws(Failure) { try self.init(Array(text.utf8)) }

  package init(_ text: [UInt8]) throws(Failure) {
    var time: Int64 = 0
    var group: Int64?
    var index = 0
    while index < text.count {
      if time > Self.longest { throw Self.tooLong(index) }
      let character = text[index]
      if group == nil, let passed = try Self.passage(text, &index) {
        time += passed
        continue
      }
      switch character {
      case UInt8(ascii: " "):
        index += 1
        continue
      case UInt8(ascii: "-"): break
      case UInt8(ascii: "("):
        if group != nil { throw Self.failure("a group within a group", index) }
        group = time
      case UInt8(ascii: ")"):
        if group == nil { throw Self.failure("the end of no group", index) }
        group = nil
      default:
        guard let mark = Self.mark(character) else {
          throw Self.failure("a character that means nothing", index)
        }
        marks.append((group ?? time, mark))
      }
      time += Self.frame
      index += 1
    }
    if group != nil { throw Self.failure("a group without an end", index) }
  }

  private static func mark(_ character: UInt8) -> Mark? {
    switch character {
    case UInt8(ascii: "|"): .completed
    case UInt8(ascii: "#"): .error
    case UInt8(ascii: "^"): .subscription
    case UInt8(ascii: "!"): .unsubscription
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      .value(character)
    default: nil
    }
  }

  private static func isDigit(_ character: UInt8) -> Bool {
    character >= UInt8(ascii: "0") && character <= UInt8(ascii: "9")
  }

  /// The time that passes at `index`, such as "10ms", if it stands between spaces or ends.
  private static func passage(_ text: [UInt8], _ index: inout Int) throws(Failure) -> Int64? {
    guard isDigit(text[index]), index == 0 || text[index - 1] == UInt8(ascii: " ") else {
      return nil
    }
    var end = index
    var whole: Int64 = 0
    var scale: Int64 = 0
    var isLong = false
    while end < text.count, isDigit(text[end]) || text[end] == UInt8(ascii: ".") {
      if text[end] == UInt8(ascii: ".") {
        if scale != 0 { return nil }
        scale = 1
      } else {
        // Nine digits and the scale of ten: their products do not overflow. More may still be values.
        if whole > 100_000_000 || scale > 1_000_000_000 {
          isLong = true
        } else {
          whole = whole * 10 + Int64(text[end] - UInt8(ascii: "0"))
          scale *= 10
        }
      }
      end += 1
    }
    var unit: [UInt8] = []
    while end < text.count, text[end] != UInt8(ascii: " ") {
      unit.append(text[end])
      end += 1
    }
    let nanoseconds: Int64
    if unit == [UInt8(ascii: "m"), UInt8(ascii: "s")] {
      nanoseconds = 1_000_000
    } else if unit == [UInt8(ascii: "s")] {
      nanoseconds = 1_000_000_000
    } else if unit == [UInt8(ascii: "m")] {
      nanoseconds = 60_000_000_000
    } else {
      return nil
    }
    let (time, isTooLong) = whole.multipliedReportingOverflow(by: nanoseconds)
    if isLong || isTooLong || time > longest { throw tooLong(index) }
    index = end
    return time / max(1, scale)
  }

  private static func tooLong(_ index: Int) -> Failure {
    failure("a time that is too long", index)
  }

  private static func failure(_ what: Text, _ index: Int) -> Failure {
    Failure(.invalid, message: "marbles: " + what + ", at character \(index + 1)")
  }

  /// Checks the marks of a source, of what is expected, or of what is drawn: nothing comes after the end,
  /// and there is no subscription, but one `^` if the diagram may begin with what has happened before, and
  /// one `!` behind it if the diagram may go on with what happens after.
  func checkEvents(mayBegin: Bool, mayLeave: Bool = false) throws(Failure) {
    var (mayBegin, mayLeave, isOver) = (mayBegin, mayLeave, false)
    for (_, mark) in marks {
      if isOver { throw Failure(.invalid, message: "marbles: a mark behind the end") }
      switch mark {
      case .value: break
      case .completed, .error: isOver = true
      case .subscription:
        if !mayBegin { throw Failure(.invalid, message: "marbles: a ^ is not allowed here") }
        mayBegin = false
      case .unsubscription:
        if !mayLeave { throw Failure(.invalid, message: "marbles: a ! is not allowed here") }
        (mayBegin, mayLeave) = (false, false)
      }
    }
  }

  /// Reads the diagram as the span of a subscription: "--^---!--".
  package func span() throws(Failure) -> MarbleSpan {
    var span = MarbleSpan(subscribed: nil, unsubscribed: nil)
    for (time, mark) in marks {
      switch mark {
      case .subscription where span.subscribed == nil: span.subscribed = time
      case .unsubscription where span.unsubscribed == nil: span.unsubscribed = time
      default:
        throw Failure(.invalid, message: "marbles: a subscription has one ^ and one !, if any")
      }
    }
    if let begun = span.subscribed, let ended = span.unsubscribed, ended < begun {
      throw Failure(.invalid, message: "marbles: a ! before the ^")
    }
    return span
  }
}

/// The beginning and the end of a subscription.
package struct MarbleSpan: Equatable {
  package var subscribed: Int64?
  package var unsubscribed: Int64?
}
