@_spi(Engine) import Belay

/// The positions of the moments in a drawing, which are the same for all rows. Moments are as far
/// apart as their times, unless the marks of one need more room. A long silence is cut short.
struct MarbleLayout {
  /// The distance of two frames in pixels; in text it is a character.
  static let pixels = 30
  private static let longest = 30

  private let unit: Int
  private(set) var times: [Int] = []
  private(set) var places: [Int] = []
  private(set) var width = 0
  private(set) var nameWidth = 0

  init(_ rows: [MarbleRow], frame: Int, unit: Int) {
    self.unit = unit
    var cursors = [Int](repeating: 0, count: rows.count)
    var time = 0
    var place = 0
    while true {
      var next = Int.max
      for index in rows.indices where cursors[index] < rows[index].times.count {
        next = min(next, rows[index].times[cursors[index]])
      }
      if next == .max { break }
      place += max(width, min((next - time) / frame, Self.longest) * unit)
      width = 0
      for index in rows.indices {
        let row = rows[index]
        if cursors[index] < row.times.count, row.times[cursors[index]] == next {
          let cell = cell(row, cursors[index])
          cursors[index] = cell.end
          width = max(width, cell.width)
        }
      }
      time = next
      times.append(time)
      places.append(place)
    }
    width += place
    for row in rows where row.kind != .box {
      nameWidth = max(nameWidth, MarbleRow.length(row.name, row.name.indices))
    }
  }

  /// The marks of a row from `index` on that share a moment: the index behind them, and their
  /// width.
  func cell(_ row: MarbleRow, _ index: Int) -> (end: Int, width: Int) {
    var end = index
    var width = 0
    while end < row.times.count, row.times[end] == row.times[index] {
      width += self.width(row, end)
      end += 1
    }
    // In text, a group has parentheses.
    return (end, unit == 1 && end - index > 1 ? width + 2 : width)
  }

  func width(_ row: MarbleRow, _ index: Int) -> Int {
    if row.marks[index] != MarbleDrawing.Mark.next.rawValue { return unit }
    let length = row.length(index)
    if unit == 1 { return Self.isPlain(row, index) ? 1 : length + 2 }
    return length > 2 ? 8 * length + 16 : unit
  }

  /// Whether a label is one letter or digit, or one character outside of ASCII.
  static func isPlain(_ row: MarbleRow, _ index: Int) -> Bool {
    guard row.length(index) == 1 else { return false }
    switch row.labels[row.label(index).lowerBound] {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"), 0x80...0xFF:
      return true
    default: return false
    }
  }
}
