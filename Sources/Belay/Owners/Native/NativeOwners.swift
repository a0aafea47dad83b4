import CBelayShim
import Synchronization

/// The records of observed native Swift objects by address. A record stays until the object's
/// memory is freed, so an object that is later made at that address does not inherit it.
enum NativeOwners {
  /// A part of the table, with a lock of its own.
  private final class Shard {
    private let lock = Lock()
    private var table = RecordTable()
    /// The table's count, which can be read without the lock to see that the table is empty.
    private let count = Atomic<Int>(0)

    func find(_ address: UInt) -> NativeOwnerRecord? {
      // A thread that observed this object did so before the object came to die.
      if count.load(ordering: .relaxed) == 0 { return nil }
      return lock.withLock { table[address]?.takeUnretainedValue() }
    }

    /// The record that is there already, or else `new`.
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

  // The array never changes, and each shard has its lock, because objects die on all threads.
  // References are not counted, because shards are never freed.
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

  /// The record of `object`, if it is observed.
  static func find(_ object: UnsafeMutableRawPointer) -> NativeOwnerRecord? {
    let address = UInt(bitPattern: object)
    return inShard(address) { $0.find(address) }
  }

  /// The record of `object`, which is alive. Made when first asked for.
  static func record(of object: UnsafeMutableRawPointer) -> NativeOwnerRecord {
    if let known = find(object) { return known }
    let made = NativeOwnerRecord(of: object)
    let address = UInt(bitPattern: object)
    let winner = inShard(address) { $0.winner(address, made) }
    if winner !== made { made.finishUnused() }
    return winner
  }

  /// Removes a record whose object's memory is about to be freed.
  static func forget(_ record: NativeOwnerRecord) {
    let address = UInt(bitPattern: record.object)
    inShard(address) { $0.remove(address) }?.release()
  }
}
