import CBelayShim

/// The calling thread's record: what is current on the thread, and its failures.
package enum Thread {
  @inline(__always)
  package static var id: UInt64 { belay_shim_thread_id() }

  @inline(__always)
  package static var record: UnsafeMutablePointer<belay_thread> { belay_shim_thread() }

  /// The part of the record that only this thread reads or writes.
  @inline(__always)
  package static var own: UnsafeMutablePointer<belay_own> { belay_shim_own(record) }

  /// Evaluated before the first home is made: registers a function that releases what a thread's
  /// record holds when the thread ends.
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

  private static func release(_ variable: inout UnsafeMutableRawPointer?) {
    guard let object = variable else { return }
    variable = nil
    Unmanaged<Entity>.fromOpaque(object).drop()
  }
}
