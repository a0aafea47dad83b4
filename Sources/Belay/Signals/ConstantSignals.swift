/// Sends the values that it holds, then completes.
final class SequenceSignal<Value>: Signal<Value>, @unchecked Sendable {
  private let values: ReferenceArray<Kept<Value>>
  private let kind: StaticString

  init(_ values: ReferenceArray<Kept<Value>>, _ kind: StaticString) {
    self.values = values
    self.kind = kind
    super.init()
  }

  override var builtName: Text { kind.string }

  override func attach(_ sink: Sink<Value>, at home: Home) -> Code {
    let source = SilentSource(kind, home)
    sink.upstream = source
    Batch.begin()
    for kept in values where !sink.takesNoMore { sink.deliver(kept.value) }
    Batch.end()
    sink.deliverEnd(.completed)
    return .ok
  }
}

/// Sends one value, then completes.
final class JustSignal<Value>: Signal<Value>, @unchecked Sendable {
  let value: Value

  /// Takes over the caller's reference to `value`.
  init(taking value: Value) {
    self.value = value
    super.init()
    form = .just
  }

  deinit { discard(value) }

  override var builtName: Text { "just" }

  override func attach(_ sink: Sink<Value>, at home: Home) -> Code {
    sink.upstream = SilentSource("just", home)
    sink.deliver(value)
    sink.deliverEnd(.completed)
    return .ok
  }
}

/// Sends `outcome` at once; without an outcome, never sends anything.
final class EndSignal<Value>: Signal<Value>, @unchecked Sendable {
  private let outcome: End?
  private let kind: StaticString

  init(_ outcome: End?, _ kind: StaticString) {
    self.outcome = outcome
    self.kind = kind
    super.init()
  }

  override var builtName: Text { kind.string }

  override func attach(_ sink: Sink<Value>, at home: Home) -> Code {
    guard let outcome else {
      // An emitter, which the home lists. So the subscription ends when the home closes.
      var options = SourceOptions(label: kind)
      options.home = home
      return Emitter<Value>(options, room: 1).attach(sink, at: home)
    }
    sink.upstream = SilentSource(kind, home)
    sink.deliverEnd(outcome)
    return .ok
  }
}

/// The upstream of a sink whose events `attach` itself sends. It only knows a home and a name.
final class SilentSource: Upstream, @unchecked Sendable {
  private let kind: StaticString
  private let ownHome: Home

  @inline(never)
  init(_ kind: StaticString, _ home: Home) {
    self.kind = kind
    ownHome = home
    super.init()
  }

  override var home: Home? { ownHome }
  override var chainName: Text { kind.string }
}

/// A value that is discarded when the last reference to this goes.
package final class Kept<Value>: @unchecked Sendable {
  package let value: Value

  /// Takes over the caller's reference to `value`.
  package init(taking value: Value) { self.value = value }

  deinit { discard(value) }
}

/// The values, whose references this takes over.
package func kept<Value>(_ values: [Value]) -> ReferenceArray<Kept<Value>> {
  var all: ReferenceArray<Kept<Value>> = []
  for value in values { all.append(Kept(taking: value)) }
  return all
}

extension Signal {
  /// Sends one value, then completes.
  public static func just(_ value: Value) -> Signal<Value> { JustSignal(taking: value) }

  /// Sends the values, then completes.
  public static func from(_ values: [Value]) -> Signal<Value> {
    SequenceSignal(kept(values), "from")
  }

  /// Completes at once.
  public static func empty() -> Signal<Value> { EndSignal(.completed, "empty") }

  /// Never sends anything.
  public static func never() -> Signal<Value> { EndSignal(nil, "never") }

  /// Fails at once.
  public static func error(_ failure: Failure) -> Signal<Value> {
    EndSignal(.failed(failure), "error")
  }

  /// The signal that `make` answers, or one that fails with what it throws.
  package static func trying(_ make: () throws(Failure) -> Signal<Value>) -> Signal<Value> {
    do throws(Failure) { return try make() } catch { return .error(error) }
  }

  #if !hasFeature(Embedded)
    /// Fails at once with a Swift error, which a `Failure` carries as its `underlying`.
    public static func error(_ error: any Error) -> Signal<Value> { .error(.carrying(error)) }
  #endif
}
