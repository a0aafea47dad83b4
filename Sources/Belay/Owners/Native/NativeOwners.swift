#if !hasFeature(Embedded)
  import CBelayShim
  import Synchronization

  /// The records of native Swift objects that somebody observes, by address, until the object's
  /// memory is given back: an object that comes to stand there later inherits nothing.
  enum NativeOwners {
    private struct Shard: ~Copyable {
      let lock = Lock()
      var table = RecordTable()
      /// The table's count, for who only wants to know that it is empty.
      let count = Atomic<Int>(0)
    }

    private static let shardBits = 6

    // Locked one by one, for deaths come on all threads.
    nonisolated(unsafe) private static let shards: UnsafeMutablePointer<Shard> = {
      let shards = UnsafeMutablePointer<Shard>.allocate(capacity: 1 << shardBits)
      for index in 0..<(1 << shardBits) { (shards + index).initialize(to: Shard()) }
      return shards
    }()

    private static func shard(of address: UInt) -> UnsafeMutablePointer<Shard> {
      shards + Int((address &* 0x9E37_79B9_7F4A_7C15) >> (UInt(UInt.bitWidth - shardBits)))
    }

    /// The record of `object`, if anybody observes it.
    static func find(_ object: UnsafeMutableRawPointer) -> NativeOwnerRecord? {
      let address = UInt(bitPattern: object)
      let shard = shard(of: address)
      // Whoever observed this object did so before it came to die.
      if shard.pointee.count.load(ordering: .relaxed) == 0 { return nil }
      return shard.pointee.lock.withLock { shard.pointee.table[address]?.takeUnretainedValue() }
    }

    /// The record of `object`, which is alive; made at the first ask.
    static func record(of object: UnsafeMutableRawPointer) -> NativeOwnerRecord {
      if let known = find(object) { return known }
      let made = NativeOwnerRecord(of: object)
      let address = UInt(bitPattern: object)
      let shard = shard(of: address)
      let winner = shard.pointee.lock.withLock { () -> NativeOwnerRecord in
        if let known = shard.pointee.table[address] { return known.takeUnretainedValue() }
        shard.pointee.table.insert(.passRetained(made))
        shard.pointee.count.store(shard.pointee.table.count, ordering: .relaxed)
        return made
      }
      if winner !== made { made.finishUnused() }
      return winner
    }

    /// Its object's memory is about to be given back.
    static func forget(_ record: NativeOwnerRecord) {
      let address = UInt(bitPattern: record.object)
      let shard = shard(of: address)
      let removed = shard.pointee.lock.withLock { () -> Unmanaged<NativeOwnerRecord>? in
        let removed = shard.pointee.table.remove(address)
        shard.pointee.count.store(shard.pointee.table.count, ordering: .relaxed)
        return removed
      }
      removed?.release()
    }
  }
#endif
