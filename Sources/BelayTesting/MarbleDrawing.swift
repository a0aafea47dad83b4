@_spi(Engine) import Belay

/// Draws runs as marble diagrams, in text and in SVG. A line is a recorded signal, a diagram, or
/// marks that the program adds; boxes with operators' names stand between lines.
///
/// It stores every mark, so it is for tests and for demonstration. Any thread may use it.
public final class MarbleDrawing: Entity, @unchecked Sendable {
  /// The kind of an event of a line.
  public enum Mark: UInt8, Sendable {
    /// A value.
    case next
    /// A failure.
    case error
    /// A completion.
    case completed
    /// A subscription began.
    case subscribed
    /// A subscription ended.
    case unsubscribed
  }

  /// The time of one character of text.
  private let frame: Int
  private let lock = Lock()
  private var rows: [MarbleRow] = []
  /// The labels that letters stand for in diagrams.
  private let meanings = MarbleRow(.line, [])
  /// The time at which the first signal was recorded.
  private var origin: Int64?

  /// - Parameter frame: the time of one character of text, above 0.
  public convenience init(frame: Duration = .milliseconds(1)) { self.init(frame.nanoseconds) }

  package init(_ frame: Int64) {
    self.frame = max(1, Int(frame))
    super.init()
  }

  // MARK: Content

  /// Begins a line.
  public func row(_ name: Text) { row(Array(name.utf8)) }

  package func row(_ name: [UInt8]) { _ = begin(.line, name) }

  /// Adds a box with an operator's name.
  public func box(_ text: Text) { box(Array(text.utf8)) }

  package func box(_ text: [UInt8]) { _ = begin(.box, text) }

  func begin(_ kind: MarbleRow.Kind, _ name: [UInt8]) -> MarbleRow {
    let row = MarbleRow(kind, name)
    lock.withLock { rows.append(row) }
    return row
  }

  /// Adds a mark to the newest line. Answers `.notFound` if there is none.
  ///
  /// - Parameters:
  ///   - mark: what happened.
  ///   - time: the time since the beginning. A mark with an earlier time than the line's last mark
  ///     is drawn at the last mark's time.
  ///   - label: what a value is drawn as.
  @discardableResult
  public func add(_ mark: Mark, at time: Duration, _ label: Text = "") -> Code {
    add(mark, at: time.nanoseconds, Array(label.utf8))
  }

  package func add(_ mark: Mark, at time: Int64, _ label: [UInt8]) -> Code {
    guard let row = lock.withLock({ rows.last(where: { $0.kind == .line }) }) else {
      return .notFound
    }
    note(mark, on: row, at: time, label)
    return .ok
  }

  /// Sets the label of a letter or digit in the diagrams that follow.
  public func define(_ mark: Unicode.Scalar, _ label: Text) {
    define(UInt8(truncatingIfNeeded: mark.value), Array(label.utf8))
  }

  package func define(_ mark: UInt8, _ label: [UInt8]) {
    lock.withLock { meanings.add(mark, at: 0, label) }
  }

  /// Adds a line with the marks of a diagram. A subscription in the diagram is drawn below the
  /// line.
  public func diagram(_ name: Text, _ marbles: Text) throws(Failure) {
    try diagram(Array(name.utf8), Array(marbles.utf8))
  }

  package func diagram(_ name: [UInt8], _ marbles: [UInt8]) throws(Failure) {
    let diagram = try MarbleDiagram(marbles)
    try diagram.checkEvents(mayBegin: true, mayLeave: true)
    let row = begin(.line, name)
    for (time, mark) in diagram.marks {
      switch mark {
      case .value(let letter): note(.next, on: row, at: time, meaning(letter))
      case .completed: note(.completed, on: row, at: time, [])
      case .error: note(.error, on: row, at: time, [])
      case .subscription: note(.subscribed, on: row, at: time, [])
      case .unsubscription: note(.unsubscribed, on: row, at: time, [])
      }
    }
  }

  private func meaning(_ letter: UInt8) -> [UInt8] {
    lock.withLock {
      var label: [UInt8] = []
      guard let index = meanings.marks.lastIndex(of: letter) else { return [letter] }
      for place in meanings.label(index) { label.append(meanings.labels[place]) }
      return label
    }
  }

  // MARK: Recording

  /// Adds a line for a signal. Also answers the time at which all recorded lines begin.
  func begin(_ name: [UInt8], _ now: Int64) -> (row: MarbleRow, origin: Int64) {
    let row = begin(.line, name)
    return lock.withLock {
      let first = origin ?? now
      origin = first
      return (row, first)
    }
  }

  /// The line of a further subscription to a recorded signal. The first subscription has `row`
  /// itself.
  func subscribe(_ row: MarbleRow, at time: Int64) -> MarbleRow {
    let line = lock.withLock {
      var line = row
      if row.spans != nil {
        line = MarbleRow(.line, row.name)
        row.further.append(line)
      }
      // From now on the line is taken.
      line.spans = MarbleRow(.spans, [])
      return line
    }
    note(.subscribed, on: line, at: time, [])
    return line
  }

  func note(_ mark: Mark, on row: MarbleRow, at time: Int64, _ label: [UInt8]) {
    lock.withLock {
      var line = row
      if row.kind == .line, mark == .subscribed || mark == .unsubscribed {
        line = row.spans ?? MarbleRow(.spans, [])
        row.spans = line
      }
      line.add(mark.rawValue, at: Int(time), label)
    }
  }

  /// Adds subscriptions, a row each, which all have the same name.
  func draw(_ spans: [MarbleSpan], _ name: Text) {
    if spans.isEmpty { _ = begin(.spans, Array(name.utf8)) }
    for span in spans {
      let row = begin(.spans, Array(name.utf8))
      if let time = span.subscribed { note(.subscribed, on: row, at: time, []) }
      if let time = span.unsubscribed { note(.unsubscribed, on: row, at: time, []) }
    }
  }

  // MARK: Drawing

  var isEmpty: Bool { lock.withLock { rows.isEmpty } }

  /// The drawing as text: a line with the time in frames, then each row, such as "--1--{10}(23|)",
  /// with "--^--!" below it for a subscription.
  public var text: Text { Text(decoding: drawn(asText: true), as: UTF8.self) }

  /// The drawing as a picture, in SVG.
  public var svg: Text { Text(decoding: drawn(asText: false), as: UTF8.self) }

  package func drawn(asText isText: Bool) -> [UInt8] {
    lock.withLock {
      var all: [MarbleRow] = []
      func add(_ row: MarbleRow) {
        all.append(row)
        if let spans = row.spans { all.append(spans) }
      }
      for row in rows {
        add(row)
        for more in row.further { add(more) }
      }
      return MarblePen.drawing(all, frame: frame, asText: isText)
    }
  }
}
