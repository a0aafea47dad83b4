/// A binding with a key path at one side at least. Its two directions compare the versions of their
/// values; so the sides differ only as long as one of the directions has something to hear.
final class KeyPathExchange: @unchecked Sendable {
  let isTwoWay: Bool
  /// The last copy at a side: the version, and the keys of that side before it was set.
  private struct Copied {
    var version: UInt64 = 0
    var keys = KeyVersions()
  }
  private let lock = Lock()
  private var copiedHere = Copied()
  private var copiedThere = Copied()

  init(isTwoWay: Bool) { self.isTwoWay = isTwoWay }

  /// Whether the value of one side is to be set at the other. Both ways, it is set if it is newer; one
  /// way, if it did not come from there. The copy that was set last at the first side does not go back.
  ///
  /// - Parameters:
  ///   - there: the value goes to the second side.
  ///   - claimed: the version of the value that the other side has, or that is being set there.
  func passes(_ source: inout KeyVersions, there: Bool, to claimed: UInt64) -> Bool {
    let copied = lock.withLock { there ? copiedHere : copiedThere }
    if source.version == copied.version {
      // Unless a key has changed while another was being set.
      let changed = source.versions(since: copied.keys)
      if changed.allSatisfy({ $0 == copied.version }) { return false }
      source.renumber()
    }
    return isTwoWay ? source.version > claimed : source.version != claimed
  }

  /// A value with `version` is being set at one side, whose keys are `keys` so far.
  func note(_ version: UInt64, _ keys: KeyVersions, there: Bool) {
    let copied = Copied(version: version, keys: keys)
    lock.withLock { if there { copiedThere = copied } else { copiedHere = copied } }
  }
}

/// Reaches the observation at one side of a binding.
final class KeyPathReminder: @unchecked Sendable {
  private let lock = Lock()
  private weak var observation: SerialObservation?

  func set(_ observation: SerialObservation) { lock.withLock { self.observation = observation } }

  /// Makes the observation send its value again.
  func remind() { lock.withLock { observation }?.hear(Reminder()) }

  final class Reminder: Attachment, @unchecked Sendable {}
}

/// A value of one side of a binding, which is being set at a key path at the other side.
final class KeyPathCopy: @unchecked Sendable {
  @TaskLocal static var current: KeyPathCopy?

  private let version: UInt64
  /// The keys that are read at the key path that is set.
  private let keys: KeyVersions
  private let isTwoWay: Bool
  /// A task that the setter starts has this as its current one, too, and is no part of it.
  private let thread = Thread.record.pointee.id
  private var isOver = false

  private init(_ version: UInt64, _ keys: KeyVersions, isTwoWay: Bool) {
    self.version = version
    self.keys = keys
    self.isTwoWay = isTwoWay
  }

  /// Sets a key path to a value that has the versions `source` on the other side, if `exchange`
  /// passes it. Answers false if both ways a newer value is there, or is being set. `there`: this
  /// is the second side of the binding.
  static func set<Root: KeyPathObservable, Value>(
    _ keyPath: ReferenceWritableKeyPath<Root, Value>, of object: Root, from source: KeyVersions,
    in exchange: KeyPathExchange, there: Bool, _ value: () -> Value
  ) -> Bool {
    if current != nil {
      return $current.withValue(nil) {
        set(keyPath, of: object, from: source, in: exchange, there: there, value)
      }
    }
    var (source, keys) = (source, KeyVersions())
    func passes() -> Bool {
      keys = KeyVersions.read(keyPath, of: object)
      return exchange.passes(&source, there: there, to: keys.claimed(apartFrom: source))
    }
    func isNewest() -> Bool {
      !exchange.isTwoWay || source.version >= keys.claimed(apartFrom: source)
    }
    if !passes() { return isNewest() }
    // This may set the key path.
    let value = value()
    if !passes() { return isNewest() }
    exchange.note(source.version, keys, there: there)
    let copy = KeyPathCopy(source.version, keys, isTwoWay: exchange.isTwoWay)
    // Changes that a setter makes step by step are told at its end.
    keys.batch {
      $current.withValue(copy) { object[keyPath: keyPath] = value }
      copy.isOver = true
    }
    return true
  }

  /// Makes a change of a key. If it is a part of the copy that is being set, it has the copy's version;
  /// both ways it is left out if a newer value is being set by now.
  static func change(_ name: CText, of record: OwnerRecord, _ body: () -> Void) {
    guard let copy = current, let version = copy.version(of: name, record) else {
      return make(name, record, 0, body, mayBeLeftOut: false)
    }
    if version == 0 && copy.isTwoWay { return }
    make(name, record, version, body, mayBeLeftOut: copy.isTwoWay)
  }

  private static func make(
    _ name: CText, _ record: OwnerRecord, _ copied: UInt64, _ body: () -> Void, mayBeLeftOut: Bool
  ) {
    report { record.change(name, .begins, copied: copied) }
    let enters = copied == 0 || record.entersSetter(name, copied)
    let isMade = enters || !mayBeLeftOut
    if isMade { body() }
    report { record.change(name, isMade ? .ends : .fails, copied: enters ? copied : 0) }
  }

  /// Calls observers, whose changes are not those of the binding that may be setting this.
  static func report(_ call: () -> Void) {
    if current == nil { return call() }
    $current.withValue(nil) { call() }
  }

  /// The version of a key that this sets, claimed; 0 if a newer one has been claimed. Nil: the change is
  /// none of this, or a part of one that is.
  private func version(of name: CText, _ record: OwnerRecord) -> UInt64? {
    guard thread == Thread.record.pointee.id, !isOver,
      keys.contains(KeyVersions.Key(record: record, name: name))
    else { return nil }
    defer { record.unlock() }
    guard let state = record.lockObject()?.madeState(name), !state.isCopiedHere else { return nil }
    return state.claimed == version || state.claim(version) ? version : 0
  }
}

extension KeyVersions {
  /// Runs `body`, and reports the changes of the keys' objects at the end.
  fileprivate func batch(_ body: () -> Void) {
    var records: [OwnerRecord] = []
    for key in keys where !records.contains(where: { $0 === key.record }) {
      if !key.record.beginBatch().isFailure { records.append(key.record) }
    }
    body()
    for record in records { _ = record.endBatch() }
  }
}
