import CBelayShim

/// This thread's record: what is current on it, and its failures.
package enum Thread {
  @inline(__always)
  package static var id: UInt64 { belay_shim_thread_id() }

  @inline(__always)
  package static var record: UnsafeMutablePointer<belay_thread> { belay_shim_thread() }

  /// What only this thread reads or writes.
  @inline(__always)
  package static var own: UnsafeMutablePointer<belay_own> { belay_shim_own(record) }

  /// Runs once, before the first home is made: threads that end give back what they hold.
  package static let releasesWhenEnding: Void = belay_shim_on_thread_end { record in
    guard let record else { return }
    let own = belay_shim_own(record)!
    if let held = own.pointee.home {
      Unmanaged<Home>.fromOpaque(held).takeUnretainedValue().threadEnds()
    }
    release(&own.pointee.home)
    _ = LastFailure.takeKept()
    _ = LastFailure.takeKept()
  }

  private static func release(_ slot: inout UnsafeMutableRawPointer?) {
    guard let object = slot else { return }
    slot = nil
    Unmanaged<Entity>.fromOpaque(object).drop()
  }
}
