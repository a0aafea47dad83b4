extension Signal {
  /// Sends the values of the signal that `select` returns for the latest of `keys`; the one before
  /// is disposed of. Completes when `keys` and the latest signal have completed. Ends with the
  /// first error, also one that `select` throws.
  package static func switchOn<Key>(
    _ name: StaticString, _ keys: Signal<Key>,
    _ select: @escaping (Key) throws(ClosureError) -> Signal<Value>
  ) -> Signal<Value> {
    JunctionSignal(name, below: keys) { SwitchOnJunction($0, keys, at: $1, select) }
  }

  /// Sends the values of the signal in `cases` for the latest of `keys`, or else those of
  /// `fallback`. Without a fallback, a key without a case is the error `.invalid`.
  /// (switch:cases:default: in ReactiveObjC.)
  public static func switchOn<Key: Equatable>(
    _ keys: Signal<Key>, cases: [(Key, Signal<Value>)], default fallback: Signal<Value>? = nil
  ) -> Signal<Value> {
    switchOn(keys, cases: cases, default: fallback) { $0 == $1 }
  }

  package static func switchOn<Key>(
    _ keys: Signal<Key>, cases: [(Key, Signal<Value>)], default fallback: Signal<Value>?,
    by areEqual: @escaping (Key, Key) -> Bool
  ) -> Signal<Value> {
    switchOn("switch_on", keys) { (key: Key) throws(ClosureError) -> Signal<Value> in
      for (known, signal) in cases where areEqual(known, key) { return signal }
      guard let fallback else { throw Failure(.invalid, message: "no case for this key") }
      return fallback
    }
  }

  /// Sends the values of `yes` while the latest of `condition` is true, and those of `no` while it
  /// is false. Each value of `condition`, also a repeated one, subscribes anew. (if:then:else: in
  /// ReactiveObjC.)
  public static func ifThenElse(
    _ condition: Signal<Bool>, _ yes: Signal<Value>, _ no: Signal<Value>
  ) -> Signal<Value> {
    switchOn("if_then_else", condition) { (isTrue: Bool) throws(ClosureError) -> Signal<Value> in
      isTrue ? yes : no
    }
  }
}

/// Has an input for the keys, and one for the signal of the latest key.
private final class SwitchOnJunction<Key, Value>: Junction<Value>, @unchecked Sendable {
  private var keys: Signal<Key>?
  private var select: ((Key) throws(ClosureError) -> Signal<Value>)?
  private var current: Input<Value>?
  /// The number of the latest signal, the one whose values are sent.
  private var number = 0
  private var isFollowing = false
  private var keysEnd: End?
  private var lastEnd = End.completed

  init(
    _ downstream: Sink<Value>, _ keys: Signal<Key>, at home: Home,
    _ select: @escaping (Key) throws(ClosureError) -> Signal<Value>
  ) {
    self.keys = keys
    self.select = select
    super.init(downstream, at: home)
  }

  override func start() {
    // Drop the signal now: subscribers must not retain a subject, whose last release interrupts.
    guard let keys = self.keys.take() else { return }
    connect(keys, next: { self.change($0) }, end: { self.keysEnded($0) })
  }

  private func change(_ key: Key) {
    guard let select else { return }
    do throws(ClosureError) {
      let signal = try select(key)
      if !isClosed { follow(signal) }
    } catch {
      send(end: .failed(.carrying(error)))
    }
  }

  private func follow(_ signal: Signal<Value>) {
    number += 1
    let number = number
    let before = current
    current = nil
    before?.dispose()
    guard number == self.number && !isClosed else { return }
    isFollowing = true
    let input = connect(
      signal,
      next: { if number == self.number { self.send($0) } },
      end: { if number == self.number { self.currentEnded($0) } })
    // During `connect`, the signal may have changed the key.
    if number != self.number || isClosed { input.dispose() } else if isFollowing { current = input }
  }

  private func currentEnded(_ end: End) {
    isFollowing = false
    current = nil
    if case .failed = end { return send(end: end) }
    lastEnd = end
    if case .some = keysEnd { endTogether() }
  }

  private func keysEnded(_ end: End) {
    if case .failed = end { return send(end: end) }
    keysEnd = end
    select = nil
    if !isFollowing { endTogether() }
  }

  private func endTogether() {
    if case .interrupted? = keysEnd { return send(end: .interrupted) }
    send(end: lastEnd)
  }

  override func tearDown() {
    number += 1
    current = nil
    select = nil
    keys = nil
  }
}
