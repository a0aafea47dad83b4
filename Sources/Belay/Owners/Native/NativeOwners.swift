import CBelayShim
import Synchronization

/// The records of native Swift objects that somebody observes, by address, until the object's
/// memory is given back: an object that comes to stand there later inherits nothing.
enum NativeOwners {
  private final class Shard {
    private let lock = Lock()
    private var table = RecordTable()
    /// The table's count, for who only wants to know that it is empty.
    private let count = Atomic<Int>(0)

    func find(_ address: UInt) -> NativeOwnerRecord? {
      // Whoever observed this object did so before it came to die.
      if count.load(ordering: .relaxed) == 0 { return nil }
      return lock.withLock { table[address]?.takeUnretainedValue() }
    }

    /// The record that is there already, or `new`.
    func winner(_ address: UInt, _ new: NativeOwnerRecord) -> NativeOwnerRecord {
      lock.withLock {
        if let known = table[address] { return known.takeUnretainedValue() }
        table.insert(.passRetained(new))
        count.store(table.count, ordering: .relaxed)
        return new
      }
    }

    func remove(_ address: UInt) -> Unmanaged<NativeOwnerRecord>? {
      lock.withLock {
        let removed = table.remove(address)
        count.store(table.count, ordering: .relaxed)
        return removed
      }
    }
  }

  private static let shardBits = 6

  // Never changed, and locked one by one, for deaths come on all threads. Not counted: they stay.
  nonisolated(unsafe) private static let shards: UnsafeMutablePointer<Unmanaged<Shard>> = {
    let shards = UnsafeMutablePointer<Unmanaged<Shard>>.allocate(capacity: 1 << shardBits)
    for index in 0..<(1 << shardBits) {
      (shards + index).initialize(to: .passRetained(Shard()))
    }
    return shards
  }()

  @inline(__always)
  private static func inShard<Result>(_ address: UInt, _ body: (Shard) -> Result) -> Result {
    let place = Int((address &* 0x9E37_79B9_7F4A_7C15) >> UInt(UInt.bitWidth - shardBits))
    return shards[place]._withUnsafeGuaranteedRef(body)
  }

  /// The record of `object`, if anybody observes it.
  static func find(_ object: UnsafeMutableRawPointer) -> NativeOwnerRecord? {
    let address = UInt(bitPattern: object)
    return inShard(address) { $0.find(address) }
  }

  /// The record of `object`, which is alive; made at the first ask.
  static func record(of object: UnsafeMutableRawPointer) -> NativeOwnerRecord {
    if let known = find(object) { return known }
    let made = NativeOwnerRecord(of: object)
    let address = UInt(bitPattern: object)
    let winner = inShard(address) { $0.winner(address, made) }
    if winner !== made { made.finishUnused() }
    return winner
  }

  /// Its object's memory is about to be given back.
  static func forget(_ record: NativeOwnerRecord) {
    let address = UInt(bitPattern: record.object)
    inShard(address) { $0.remove(address) }?.release()
  }
}
