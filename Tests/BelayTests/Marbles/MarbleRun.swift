@testable import Belay
import BelayTesting

/// A value as the cases of Tests/Marbles write it.
enum MarbleValue: Equatable {
  case int(Int)
  case real(Double)
  case text(String)
  case flag(Bool)
  case list([MarbleValue])
  indirect case signal(Signal<MarbleValue>)

  var number: Int { if case .int(let number) = self { number } else { -1 } }
  var flag: Bool { self == .flag(true) }
  var list: [MarbleValue] { if case .list(let list) = self { list } else { [] } }

  static func == (one: MarbleValue, other: MarbleValue) -> Bool {
    switch (one, other) {
    case (.int(let a), .int(let b)): a == b
    case (.real(let a), .real(let b)): a == b
    case (.int(let a), .real(let b)), (.real(let b), .int(let a)): Double(a) == b
    case (.text(let a), .text(let b)): a == b
    case (.flag(let a), .flag(let b)): a == b
    case (.list(let a), .list(let b)): a == b
    case (.signal(let a), .signal(let b)): a === b
    default: false
    }
  }

  /// Reads "10", "1.5", "true", "[1 2]", else text, and moves on.
  static func parse(_ text: inout Substring) -> MarbleValue {
    if text.first == "[" {
      var items: [MarbleValue] = []
      text.removeFirst()
      while let next = text.first, next != "]" {
        if next == " " { text.removeFirst() } else { items.append(parse(&text)) }
      }
      if !text.isEmpty { text.removeFirst() }
      return .list(items)
    }
    let word = text.prefix { $0 != " " && $0 != "]" }
    text = text[word.endIndex...]
    if word == "true" || word == "false" { return .flag(word == "true") }
    return Int(word).map { .int($0) } ?? Double(word).map { .real($0) } ?? .text(String(word))
  }
}

/// The operations that cases name, by name.
typealias MarbleOperations = [String: @Sendable (MarbleRun) throws -> Signal<MarbleValue>]

/// One case of a file: the test, its sources and the words of its operation.
final class MarbleRun {
  let test: MarbleTest<MarbleValue>
  private var sources: [Character: Signal<MarbleValue>] = [:]
  private var spans: [Character: [String]] = [:]
  private var words: [String] = []
  private var listeners = [Listener(), Listener()]
  private var inside: String?
  private var kept: [Character: KeptSource] = [:]
  private var interrupts = false
  private var meanings: [UInt8: MarbleValue] = [:]
  /// The mark of the value at which a callback has to fail; "*" means always.
  private var failing: Character?

  private struct Listener {
    var expected: String?
    var subscription = ""
  }

  struct Misunderstood: Error { let line: String }

  /// `*` stands for a source that goes without an end, and for what follows from that.
  static let interruption: (mark: Character, value: MarbleValue) =
    ("Z", .text("interrupted"))

  init(_ lines: [String]) throws {
    var meanings = [
      Self.interruption.mark.asciiValue ?? 0: Self.interruption.value
    ]
    for line in lines where line.hasPrefix("with ") {
      var rest = line.dropFirst(5)
      while let mark = rest.first {
        rest.removeFirst()
        if mark == " " { continue }
        rest.removeFirst()
        meanings[mark.asciiValue ?? 0] = MarbleValue.parse(&rest)
      }
    }
    self.meanings = meanings
    test = MarbleTest(
      MarbleAlphabet(
        value: { Self.value($0, meanings) }, areEqual: { $0 == $1 }, describe: { "\($0)" }))
    for line in lines where !line.hasPrefix("with ") { try read(line) }
  }

  private static func value(_ mark: UInt8, _ meanings: [UInt8: MarbleValue]) -> MarbleValue {
    meanings[mark]
      ?? (mark <= UInt8(ascii: "9")
        ? .int(Int(mark) - 48) : .text(String(UnicodeScalar(mark))))
  }

  private func read(_ line: String) throws {
    if line.hasPrefix("run ") {
      words = line.split(separator: " ").dropFirst().map(String.init)
      failing = words.first { $0.hasPrefix("fail=") }?.last
      words.removeAll { $0.hasPrefix("fail=") }
      return
    }
    guard let colon = line.firstIndex(of: ":") else { throw Misunderstood(line: line) }
    let rest = line[line.index(after: colon)...].trimming()
    let head = line[..<colon].trimming()
    switch (head.prefix { $0 != " " }, head.last) {
    case ("cold", let name?): sources[name] = try test.cold(rest)
    case ("hot", let name?): sources[name] = try test.hot(rest)
    case ("kept", let name?):
      let source = KeptSource(
        try test.hot(withInterruptions(rest)), interruption: Self.interruption.value)
      kept[name] = source
      sources[name] = source.signal
    case ("subs", let name?): spans[name, default: []] += rest == "none" ? [] : [rest]
    case ("expect", _): listeners[0].expected = withInterruptions(rest)
    case ("unsub", _): listeners[0].subscription = rest
    case ("expect2", _): listeners[1].expected = withInterruptions(rest)
    case ("sub2", _): listeners[1].subscription = rest
    case ("inside", _): inside = rest
    default: throw Misunderstood(line: line)
    }
  }

  private func withInterruptions(_ diagram: String) -> String {
    interrupts = interrupts || diagram.contains("*")
    return diagram.replacing("*", with: String(Self.interruption.mark))
  }

  /// Every callback begins with it: it throws if the case says so of a callback with one of
  /// `values`.
  func enter(_ values: MarbleValue...) throws(Failure) {
    guard let failing else { return }
    let value = Self.value(failing.asciiValue ?? 0, meanings)
    if failing == "*" || values.contains(value) { throw Failure(.notUTF8, message: "as asked") }
  }

  var scheduler: VirtualScheduler { test.scheduler }

  /// The input that the word `index` after the operation names.
  func input(_ index: Int) -> Signal<MarbleValue> {
    sources[words[index + 1].first ?? " "] ?? .never()
  }

  /// The word `index` as a number.
  func number(_ index: Int) -> Int { Int(words[index + 1]) ?? 0 }

  /// The same for a count; "all" leaves it without a limit.
  func count(_ index: Int) -> Int { words[index + 1] == "all" ? .max : number(index) }

  /// Runs the case. Answers what went wrong beside what was expected.
  func play(_ operations: MarbleOperations) throws -> [String] {
    guard let name = words.first, listeners[0].expected != nil, let make = operations[name] else {
      return ["no such operation, or nothing expected"]
    }
    var signal = try make(self)
    let listener = InsideListener(inside ?? "", kept) { [meanings] in
      Self.value($0.asciiValue ?? 0, meanings)
    }
    if inside != nil || interrupts { signal = listener.listening(to: signal) }
    for one in listeners {
      guard let expected = one.expected else { continue }
      try test.expect(signal, expected, subscription: one.subscription)
    }
    for (name, spans) in spans {
      guard let source = sources[name] else { throw Misunderstood(line: "subs \(name)") }
      try test.expectSubscriptions(of: source, spans)
    }
    sources = [:]
    defer { for source in kept.values { source.close() } }
    try test.run()
    return listener.complaints + kept.filter { $0.value.openCount != 0 }.map { "\($0.key) is open" }
  }
}

extension StringProtocol {
  fileprivate func trimming() -> String {
    var text = Substring(self)
    while text.first == " " { text.removeFirst() }
    while text.last?.isWhitespace ?? false { text.removeLast() }
    return String(text)
  }
}
