/// The keys that are read at a key path, each with the version that it had before it was read. A
/// binding compares the versions of its two sides (`KeyState`).
struct KeyVersions: Sendable {
  struct Key: Sendable, Equatable {
    let record: OwnerRecord
    let name: CText
    fileprivate(set) var version: UInt64 = 0

    static func == (one: Key, other: Key) -> Bool {
      one.isSame(other) && one.version == other.version
    }

    fileprivate func isSame(_ other: Key) -> Bool { record === other.record && name === other.name }

    /// The version that a change of it has claimed last.
    fileprivate var claimed: UInt64 {
      defer { record.unlock() }
      return record.lockObject()?.state(name)?.claimed ?? 0
    }
  }

  private(set) var keys: [Key] = []
  /// The version of the value: the highest of its keys', unless it has got one of its own.
  private(set) var version: UInt64 = 0
  private(set) var isRenumbered = false

  init() {}

  /// Those of a property's value, which has no keys.
  init(number: UInt64) { version = number }

  func contains(_ key: Key) -> Bool { keys.contains { $0.isSame(key) } }

  /// Notes that a key is about to be read.
  mutating func add(_ key: Key) {
    var key = key
    key.version = key.record.version(of: key.name)
    keys.append(key)
    version = max(version, key.version)
  }

  /// Makes the value the newest of all. Its keys keep their versions.
  mutating func renumber() {
    version = ValueNumbers.next()
    isRenumbered = true
  }

  /// Whether a key is changing. A report follows then.
  var isChanging: Bool { keys.contains { $0.version == .max } }

  /// Whether the keys have the versions that they had before they were read.
  var isPresent: Bool { keys.allSatisfy { $0.record.version(of: $0.name) == $0.version } }

  /// The versions that keys which `other` has, too, have got since that was read.
  func versions(since other: KeyVersions) -> [UInt64] {
    keys.filter { other.contains($0) && !other.keys.contains($0) }.map(\.version)
  }

  /// Whether the last key is one of the same object as that of `other`.
  func leads(where other: KeyVersions) -> Bool { keys.last?.record === other.keys.last?.record }

  /// The highest version that a change of the value has claimed.
  var claimed: UInt64 { keys.map(\.claimed).max() ?? 0 }

  /// The same without the keys that `other` has, too, unless it has all of them.
  func claimed(apartFrom other: KeyVersions) -> UInt64 {
    var own = KeyVersions()
    own.keys = keys.filter { !other.contains($0) }
    return own.keys.isEmpty ? claimed : own.claimed
  }

  /// The keys that `object` reads at `keyPath`.
  static func read<Root, Value>(_ keyPath: KeyPath<Root, Value>, of object: Root) -> KeyVersions {
    let reading = Reading()
    reading.during { _ = object[keyPath: keyPath] }
    return reading.keys
  }

  private final class Reading: KeyPathTracking, @unchecked Sendable {
    var keys = KeyVersions()
    override func note(_ record: OwnerRecord, _ name: CText) {
      let key = Key(record: record, name: name)
      if !keys.contains(key) { keys.add(key) }
    }
  }
}
