@_spi(Engine) import Belay

/// One line of a drawing: its marks, in the order of time. It has flat arrays of bytes and numbers,
/// because each other type of array would add code.
final class MarbleRow: @unchecked Sendable {
  /// The content of a row.
  enum Kind {
    case line
    case box
    case spans
  }

  let kind: Kind
  let name: [UInt8]
  private(set) var times: [Int] = []
  private(set) var marks: [UInt8] = []
  private(set) var labels: [UInt8] = []
  private var ends: [Int] = []
  /// The spans of the subscription to this line, which are drawn below it.
  var spans: MarbleRow?
  /// The lines of the subscriptions after the first.
  var further: [MarbleRow] = []

  init(_ kind: Kind, _ name: [UInt8]) {
    self.kind = kind
    self.name = Self.clean(name)
  }

  /// Adds a mark. One that is earlier than the last mark gets the last mark's time.
  func add(_ mark: UInt8, at time: Int, _ label: [UInt8]) {
    // `.max` stands for a time that never comes.
    times.append(min(max(time, times.last ?? 0), .max - 1))
    marks.append(mark)
    labels += Self.clean(label)
    ends.append(labels.count)
  }

  /// The range in `labels` of a mark's label.
  func label(_ index: Int) -> Range<Int> { (index == 0 ? 0 : ends[index - 1])..<ends[index] }

  /// The number of characters of a mark's label.
  func length(_ index: Int) -> Int { Self.length(labels, label(index)) }

  static func length(_ text: [UInt8], _ range: Range<Int>) -> Int {
    var length = 0
    for index in range where text[index] & 0xC0 != 0x80 { length += 1 }
    return length
  }

  /// Whether nothing follows the last mark.
  var isOver: Bool {
    guard let last = marks.last else { return false }
    return last != MarbleDrawing.Mark.next.rawValue
      && last != MarbleDrawing.Mark.subscribed.rawValue
  }

  /// Cuts a text to the length that can be drawn, and replaces characters that XML forbids.
  private static func clean(_ text: [UInt8]) -> [UInt8] {
    var made: [UInt8] = []
    var length = 0
    for byte in text {
      if byte & 0xC0 != 0x80 { length += 1 }
      if length > 32 {
        made += [0xE2, 0x80, 0xA6]  // …
        break
      }
      made.append(byte < 0x20 || byte == 0x7F ? UInt8(ascii: "?") : byte)
      let count = made.count
      // C2 80 to C2 9F: U+0080 to U+009F.
      if byte & 0xE0 == 0x80, count > 1, made[count - 2] == 0xC2 {
        made.removeLast(2)
        made.append(UInt8(ascii: "?"))
      }
      // U+FFFE and U+FFFF.
      if byte & 0xFE == 0xBE, count > 2, made[count - 3] == 0xEF, made[count - 2] == 0xBF {
        made.removeLast(3)
        made.append(UInt8(ascii: "?"))
      }
    }
    return made
  }
}
