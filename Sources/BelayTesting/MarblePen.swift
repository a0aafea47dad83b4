@_spi(Engine) import Belay

/// Writes a drawing as text or as SVG. Both walk along the rows in the same way.
struct MarblePen {
  private let isText: Bool
  private let frame: Int
  private let layout: MarbleLayout
  private var bytes: [UInt8] = []
  /// Where the time begins and where the rows end, in characters or in pixels.
  private var left = 0
  private var right = 0
  /// The middle of the row, in pixels.
  private var y = 20

  static func drawing(_ rows: [MarbleRow], frame: Int, asText isText: Bool) -> [UInt8] {
    var pen = MarblePen(
      isText: isText, frame: frame,
      layout: MarbleLayout(rows, frame: frame, unit: isText ? 1 : MarbleLayout.pixels))
    pen.draw(rows)
    return pen.bytes
  }

  private init(isText: Bool, frame: Int, layout: MarbleLayout) {
    self.isText = isText
    self.frame = frame
    self.layout = layout
  }

  private mutating func draw(_ rows: [MarbleRow]) {
    if isText {
      duration()
      // The name of the axis may be the longest.
      left = max(layout.nameWidth, bytes.count) + 2
    } else {
      left = 44 + 8 * max(3, layout.nameWidth)
      right = left + layout.width + 20
      var height = y + 20
      for row in rows { height += 2 * Self.half(row) }
      put("<svg xmlns='http://www.w3.org/2000/svg' width='%' height='%' ", right + 10, height)
      put("font-family='sans-serif' font-size='12' stroke='#333'>\n")
      put("<rect width='%' height='%' fill='#fff' stroke='none'/>\n", right + 10, height)
      put("<text x='8' y='20' font-size='9' fill='#777' stroke='none'>")
      duration()
      put("</text>\n")
    }
    drawAxis()
    for row in rows {
      y += Self.half(row)
      draw(row)
      y += Self.half(row)
    }
    if !isText { put("</svg>\n") }
  }

  private static func half(_ row: MarbleRow) -> Int { row.kind == .spans ? 8 : 22 }

  /// Writes the times, in frames, where there is room for them.
  private mutating func drawAxis() {
    var room = 0
    var shown = -1
    for moment in layout.times.indices {
      let x = left + layout.places[moment]
      let number = layout.times[moment] / frame
      if number == shown || x < room { continue }
      if isText {
        fill(UInt8(ascii: " "), x - bytes.count)
        put("%", number)
        room = bytes.count + 1
      } else {
        put("<text x='%' y='20' font-size='9' fill='#777' stroke='none' ", x)
        put("text-anchor='middle'>%</text>\n", number)
        room = x + (number < 10_000 ? 28 : 80)
      }
      shown = number
    }
    if isText { put("\n") }
  }

  // MARK: Rows

  private mutating func draw(_ row: MarbleRow) {
    let name = row.name
    if row.kind == .box {
      if isText {
        fill(UInt8(ascii: " "), left)
        put("[ ")
      } else {
        put("<rect x='%' y='%' width='%' height='30' ", left - 20, y - 15, right - left + 20)
        put("fill='#eef'/>\n<text x='%' y='%' ", (left + right - 20) / 2, y + 4)
        put("text-anchor='middle' stroke='none'>")
      }
      write(name, name.indices)
      put(isText ? " ]\n" : "</text>\n")
      return
    }
    if isText {
      write(name, name.indices)
      fill(UInt8(ascii: " "), left - MarbleRow.length(name, name.indices))
    } else if row.kind == .line {
      put("<text x='8' y='%' stroke='none'>", y + 4)
      write(name, name.indices)
      put("</text>\n<path d='M% %H%l-6 -4v8l6 -4' fill='#333'/>\n", left - 20, y, right)
    }
    let end = drawMarks(row)
    if isText {
      if !row.isOver { fill(UInt8(ascii: "-"), max(1, layout.width) - end) }
      for index in row.marks.indices
      where row.marks[index] == MarbleDrawing.Mark.error.rawValue && !row.label(index).isEmpty {
        put("  # = ")
        write(row.labels, row.label(index))
      }
      put("\n")
    } else if row.kind == .spans, !row.isOver {
      dash(from: end, to: right)
    }
  }

  /// Returns the column after the last mark; in a row of spans, the position of the last mark.
  private mutating func drawMarks(_ row: MarbleRow) -> Int {
    var index = 0
    var moment = 0
    var before = isText ? 0 : left
    while index < row.times.count {
      while layout.times[moment] != row.times[index] { moment += 1 }
      let (end, width) = layout.cell(row, index)
      let isGroup = end - index > 1
      let place = layout.places[moment]
      if isText {
        fill(UInt8(ascii: "-"), place - before)
        before = place + width
        if isGroup { put("(") }
      } else if isGroup, row.kind == .line {
        put("<rect x='%' y='%' width='%' height='34' ", left + place - 15, y - 17, width)
        put("rx='17' fill='#eee' stroke='none'/>\n")
      }
      var x = left + place
      while index < end {
        if isText {
          writeMark(row, index)
        } else if row.kind == .line {
          x += drawMark(row, index, x - 15)
        } else {
          put("<path d='M% %v8' stroke='#777'/>\n", x, y - 4)
          if row.marks[index] == MarbleDrawing.Mark.unsubscribed.rawValue {
            dash(from: before, to: x)
          }
          before = x
        }
        index += 1
      }
      if isText, isGroup { put(")") }
    }
    return before
  }

  private mutating func dash(from start: Int, to end: Int) {
    put("<path d='M% %H%' stroke='#777' stroke-dasharray='4 3'/>\n", start, y, end)
  }

  private mutating func writeMark(_ row: MarbleRow, _ index: Int) {
    switch MarbleDrawing.Mark(rawValue: row.marks[index]) {
    case .error: put("#")
    case .completed: put("|")
    case .subscribed: put("^")
    case .unsubscribed: put("!")
    default:
      let isPlain = MarbleLayout.isPlain(row, index)
      if !isPlain { put("{") }
      write(row.labels, row.label(index))
      if !isPlain { put("}") }
    }
  }

  /// Returns the width of the mark.
  private mutating func drawMark(_ row: MarbleRow, _ index: Int, _ x: Int) -> Int {
    let width = layout.width(row, index)
    let middle = x + width / 2
    var below = y + 4
    switch MarbleDrawing.Mark(rawValue: row.marks[index]) {
    case .completed: put("<path d='M% %v30' stroke-width='2'/>\n", middle, y - 15)
    case .error:
      put("<path d='M% %l16 16m0 -16l-16 16' stroke='#b00' ", middle - 8, y - 8)
      put("stroke-width='2'/>\n")
      below = y + 20
    default:
      // A circle, if the label is short.
      put("<rect x='%' y='%' width='%' height='26' rx='13' ", x + 2, y - 13, width - 4)
      put("fill='#fff'/>\n")
    }
    if !row.label(index).isEmpty {
      put("<text x='%' y='%' text-anchor='middle' stroke='none'>", middle, below)
      write(row.labels, row.label(index))
      put("</text>\n")
    }
    return width
  }

  // MARK: Bytes

  @inline(never)
  private mutating func add(_ byte: UInt8) { bytes.append(byte) }

  /// Appends `template`, and replaces each `%` by the next number.
  @inline(never)
  private mutating func put(_ template: StaticString, _ a: Int = 0, _ b: Int = 0, _ c: Int = 0) {
    var (next, later) = (a, b)
    for byte in UnsafeBufferPointer(start: template.utf8Start, count: template.utf8CodeUnitCount) {
      if byte == UInt8(ascii: "%") {
        put(next)
        (next, later) = (later, c)
      } else {
        add(byte)
      }
    }
  }

  /// Appends a number in decimal digits.
  private mutating func put(_ number: Int) {
    if number > 9 { put(number / 10) }
    add(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10))
  }

  private mutating func fill(_ byte: UInt8, _ count: Int) {
    for _ in 0..<max(0, count) { add(byte) }
  }

  /// Appends a part of a text, escaped for SVG.
  private mutating func write(_ text: [UInt8], _ range: Range<Int>) {
    for index in range {
      let byte = text[index]
      switch byte {
      case UInt8(ascii: "&") where !isText: put("&amp;")
      case UInt8(ascii: "<") where !isText: put("&lt;")
      case UInt8(ascii: ">") where !isText: put("&gt;")
      case UInt8(ascii: "\"") where !isText: put("&quot;")
      case UInt8(ascii: "'") where !isText: put("&#39;")
      default: add(byte)
      }
    }
  }

  /// Appends the length of a frame, in the largest unit in which it is a whole number.
  private mutating func duration() {
    var number = frame
    var unit = 0
    while unit < 3, number % 1000 == 0 {
      number /= 1000
      unit += 1
    }
    put("%", number)
    if unit < 3 { add([UInt8(ascii: "n"), UInt8(ascii: "u"), UInt8(ascii: "m")][unit]) }
    put("s")
  }
}
