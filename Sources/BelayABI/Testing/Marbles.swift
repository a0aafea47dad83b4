@_spi(Engine) import Belay
import BelayTesting
import CBelay

/// A marble test whose marks stand for values of the host's.
private final class ForeignMarbles: Entity, @unchecked Sendable {
  private let meanings: Meanings
  let test: MarbleTest<ForeignValue>

  /// The values for which marks were defined to stand.
  private final class Meanings {
    var values: [(mark: UInt8, value: Kept<ForeignValue>)] = []

    /// Another reference to the value of `mark`.
    func value(_ mark: UInt8) -> ForeignValue {
      if let known = values.last(where: { $0.mark == mark }) {
        keep(known.value.value)
        return known.value.value
      }
      if mark <= UInt8(ascii: "9") { return foreign(belay_int32(Int32(mark) - 48)) }
      return withUnsafeBytes(of: mark) { ForeignValue(taking: StringBox(copying: $0)) }
    }
  }

  override init() {
    let meanings = Meanings()
    self.meanings = meanings
    test = MarbleTest(
      MarbleAlphabet(
        value: { meanings.value($0) }, areEqual: { $0.isEqual(to: $1) }, describe: { $0.text }))
    super.init()
  }

  func define(_ mark: UInt8, _ value: ForeignValue) {
    meanings.values.append((mark, Kept(taking: value)))
    test.define(mark)
  }
}

private func marbles(_ handle: OpaquePointer?) -> ForeignMarbles? {
  object(handle, ForeignMarbles.self)
}

/// Runs `body`. Records what it throws, and answers the code.
private func attempting(_ body: () throws(Failure) -> Void) -> Int32 {
  do throws(Failure) {
    try body()
    return 0
  } catch {
    return fail(error)
  }
}

private func text(_ diagram: UnsafePointer<CChar>?) -> Text? {
  diagram.map { Text(cString: $0) }
}

@_cdecl("belay_marbles_create")
@implementation
public func belay_marbles_create() -> OpaquePointer! { give(ForeignMarbles()) }

@_cdecl("belay_marbles_release")
@implementation
public func belay_marbles_release(_ test: OpaquePointer!) { release(test) }

@_cdecl("belay_marbles_get_scheduler")
@implementation
public func belay_marbles_get_scheduler(_ test: OpaquePointer!) -> OpaquePointer! {
  marbles(test).map { lend($0.test.scheduler) } ?? failed(.missing)
}

@_cdecl("belay_marbles_define")
@implementation
public func belay_marbles_define(_ test: OpaquePointer!, _ mark: CChar, _ value: belay_value)
  -> Int32
{
  let character = UInt8(bitPattern: mark)
  guard let test = marbles(test), isalnum(character) else {
    discard(foreign(value))
    return fail(invalid(test))
  }
  test.define(character, foreign(value))
  return 0
}

func isalnum(_ character: UInt8) -> Bool {
  switch character {
  case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
    UInt8(ascii: "A")...UInt8(ascii: "Z"):
    true
  default: false
  }
}

private func source(
  _ test: OpaquePointer?, _ diagram: UnsafePointer<CChar>?,
  _ make: (MarbleTest<ForeignValue>, Text) throws(Failure) -> CSignal
) -> OpaquePointer? {
  guard let test = marbles(test), let diagram = text(diagram) else { return failed(invalid(test)) }
  var made: CSignal?
  _ = attempting { () throws(Failure) in made = try make(test.test, diagram) }
  return give(made)
}

@_cdecl("belay_marbles_cold")
@implementation
public func belay_marbles_cold(_ test: OpaquePointer!, _ diagram: UnsafePointer<CChar>!)
  -> OpaquePointer!
{
  source(test, diagram) { (test, diagram) throws(Failure) in try test.cold(diagram) }
}

@_cdecl("belay_marbles_hot")
@implementation
public func belay_marbles_hot(_ test: OpaquePointer!, _ diagram: UnsafePointer<CChar>!)
  -> OpaquePointer!
{
  source(test, diagram) { (test, diagram) throws(Failure) in try test.hot(diagram) }
}

@_cdecl("belay_marbles_expect")
@implementation
public func belay_marbles_expect(
  _ test: OpaquePointer!, _ signal: OpaquePointer!, _ subscription: UnsafePointer<CChar>!,
  _ diagram: UnsafePointer<CChar>!
) -> Int32 {
  let signal = take(signal, CSignal.self)
  guard let test = marbles(test), let signal, let diagram = text(diagram) else {
    return fail(signal == nil ? .missing : invalid(test))
  }
  let span = text(subscription) ?? ""
  return attempting { () throws(Failure) in
    try test.test.expect(signal, diagram, subscription: span)
  }
}

@_cdecl("belay_marbles_expect_subscriptions")
@implementation
public func belay_marbles_expect_subscriptions(
  _ test: OpaquePointer!, _ source: OpaquePointer!,
  _ subscriptions: UnsafePointer<UnsafePointer<CChar>?>!, _ count: Int
) -> Int32 {
  guard let test = marbles(test), let source = signal(source), count >= 0,
    count == 0 || subscriptions != nil
  else { return fail(invalid(test, source)) }
  var spans: [Text] = []
  for index in 0..<count {
    guard let span = text(subscriptions[index]) else { return fail(.invalid) }
    spans.append(span)
  }
  return attempting { () throws(Failure) in
    try test.test.expectSubscriptions(of: source, spans)
  }
}

@_cdecl("belay_marbles_run")
@implementation
public func belay_marbles_run(_ test: OpaquePointer!) -> Int32 {
  guard let test = marbles(test) else { return fail(invalid(test)) }
  return attempting { () throws(Failure) in
    try test.test.run()
  }
}
