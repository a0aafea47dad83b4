@testable import Belay

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

  /// "10", "1.5", "true", "[1 2]", else text. Moves on.
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

/// What cases name, by name.
typealias MarbleOperations = [String: @Sendable (MarbleRun) throws -> Signal<MarbleValue>]

/// One case of a file: the test, its sources and the words of its operation.
final class MarbleRun {
  let test: MarbleTest<MarbleValue>
  private var sources: [Character: Signal<MarbleValue>] = [:]
  private var spans: [Character: [String]] = [:]
  private var words: [String] = []
  private var expected: String?
  private var subscription = ""

  struct Misunderstood: Error { let line: String }

  init(_ lines: [String]) throws {
    var meanings: [UInt8: MarbleValue] = [:]
    for line in lines where line.hasPrefix("with ") {
      var rest = line.dropFirst(5)
      while let mark = rest.first {
        rest.removeFirst()
        if mark == " " { continue }
        rest.removeFirst()
        meanings[mark.asciiValue ?? 0] = MarbleValue.parse(&rest)
      }
    }
    test = MarbleTest(
      MarbleAlphabet(
        value: { mark in
          meanings[mark]
            ?? (mark <= UInt8(ascii: "9")
              ? .int(Int(mark) - 48) : .text(String(UnicodeScalar(mark))))
        }, areEqual: { $0 == $1 }, describe: { "\($0)" }))
    for line in lines where !line.hasPrefix("with ") { try read(line) }
  }

  private func read(_ line: String) throws {
    if line.hasPrefix("run ") {
      words = line.split(separator: " ").dropFirst().map(String.init)
      return
    }
    guard let colon = line.firstIndex(of: ":") else { throw Misunderstood(line: line) }
    let rest = line[line.index(after: colon)...].trimming()
    let head = line[..<colon].trimming()
    switch (head.prefix { $0 != " " }, head.last) {
    case ("cold", let name?): sources[name] = try test.cold(rest)
    case ("hot", let name?): sources[name] = try test.hot(rest)
    case ("subs", let name?): spans[name, default: []] += rest == "none" ? [] : [rest]
    case ("expect", _): expected = rest
    case ("unsub", _): subscription = rest
    default: throw Misunderstood(line: line)
    }
  }

  var scheduler: VirtualScheduler { test.scheduler }

  /// The input that the word `index` after the operation names.
  func input(_ index: Int) -> Signal<MarbleValue> {
    sources[words[index + 1].first ?? " "] ?? .never()
  }

  /// The word `index` as a number.
  func number(_ index: Int) -> Int { Int(words[index + 1]) ?? 0 }

  /// Runs it; false when `operations` do not have what it names.
  func play(_ operations: MarbleOperations) throws -> Bool {
    guard let name = words.first, let expected, let make = operations[name] else { return false }
    try test.expect(try make(self), expected, subscription: subscription)
    for (name, spans) in spans {
      guard let source = sources[name] else { throw Misunderstood(line: "subs \(name)") }
      try test.expectSubscriptions(of: source, spans)
    }
    sources = [:]
    try test.run()
    return true
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
