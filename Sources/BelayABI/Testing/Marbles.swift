@_spi(Engine) import Belay
import BelayTesting
import CBelay
import CBelayShim

/// A marble test whose marks stand for values of the host's.
private final class ForeignMarbles: Entity, @unchecked Sendable {
  private let meanings: Meanings
  private let thread = Thread.record.pointee.id
  let test: MarbleTest<ForeignValue>

  var isElsewhere: Bool { Thread.id != thread }

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

  func define(_ mark: UInt8, _ value: Kept<ForeignValue>) {
    meanings.values.append((mark, value))
    test.define(mark)
  }
}

/// The test. Throws `.wrongThread` on another thread than the one that has made it.
private func marbles(_ handle: OpaquePointer?) throws(Failure) -> ForeignMarbles {
  guard let test = object(handle, ForeignMarbles.self) else { throw Failure(invalid(handle)) }
  if test.isElsewhere { throw Failure(.wrongThread) }
  return test
}

/// Runs `body`. Records what it throws, and answers the code.
private func attempting(_ body: () throws(Failure) -> Void) -> Int32 {
  do throws(Failure) {
    try body()
    return 0
  } catch {
    // Where a handle is missing, the failure that waits says why.
    return error.code == .missing ? fail(.missing) : fail(error)
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
  guard let test = object(test, ForeignMarbles.self) else { return failed(.missing) }
  return lend(test.test.scheduler)
}

@_cdecl("belay_marbles_define")
@implementation
public func belay_marbles_define(_ test: OpaquePointer!, _ mark: CChar, _ value: belay_value)
  -> Int32
{
  let value = Kept(taking: foreign(value))
  return attempting { () throws(Failure) in
    let test = try marbles(test)
    let character = UInt8(bitPattern: mark)
    if !isalnum(character) { throw Failure(.invalid) }
    test.define(character, value)
  }
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
  var made: CSignal?
  _ = attempting { () throws(Failure) in
    let test = try marbles(test)
    guard let diagram = text(diagram) else { throw Failure(.invalid) }
    made = try make(test.test, diagram)
  }
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
  return attempting { () throws(Failure) in
    guard let signal else { throw Failure(.missing) }
    let test = try marbles(test)
    guard let diagram = text(diagram) else { throw Failure(.invalid) }
    try test.test.expect(signal, diagram, subscription: text(subscription) ?? "")
  }
}

@_cdecl("belay_marbles_expect_subscriptions")
@implementation
public func belay_marbles_expect_subscriptions(
  _ test: OpaquePointer!, _ source: OpaquePointer!,
  _ subscriptions: UnsafePointer<UnsafePointer<CChar>?>!, _ count: Int
) -> Int32 {
  attempting { () throws(Failure) in
    let test = try marbles(test)
    guard let source = signal(source), count >= 0, count == 0 || subscriptions != nil else {
      throw Failure(invalid(source))
    }
    var spans: [Text] = []
    for index in 0..<count {
      guard let span = text(subscriptions[index]) else { throw Failure(.invalid) }
      spans.append(span)
    }
    try test.test.expectSubscriptions(of: source, spans)
  }
}

@_cdecl("belay_marbles_run")
@implementation
public func belay_marbles_run(_ test: OpaquePointer!) -> Int32 {
  attempting { () throws(Failure) in
    let test = try marbles(test).test
    try LastFailure.isolating { () throws(Failure) in try test.run() }
  }
}
