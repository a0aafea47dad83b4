import CBelayShim

/// A place that this thread has taken in its record, in which it publishes what it calls, one after
/// the other.
package struct CallPlace {
  let record: UnsafeMutablePointer<belay_thread>
  let index: UInt32

  /// Publishes `entity` instead of what was called before.
  @inline(__always)
  func publish(_ entity: Entity) {
    belay_shim_publish(record, index, Unmanaged.passUnretained(entity).toOpaque())
  }

  /// Publishes that nothing is being called. Answers whether something was noted meanwhile.
  @inline(__always)
  func withdraw() -> Bool { belay_shim_withdraw(record, index) }
}

/// A delivery in progress. This thread's record says what the thread is calling, so that a thread
/// that disposes elsewhere can find out.
///
/// The thread that delivers stores what it calls, then reads the callee's phase. The thread that
/// disposes stores the phase, puts a note into every record, issues the barrier, and then reads the
/// records. One of the two sees the other's store, though the thread that delivers has no fence:
/// these are hazard pointers with an asymmetric barrier. When a thread leaves what it has called,
/// it checks whether something was noted, and then does what was left to it.
package struct Delivery {
  let record: UnsafeMutablePointer<belay_thread>
  let place: UInt32
  /// Whether callbacks may run. False if the callee was closed before.
  package let isOpen: Bool

  /// Whether this thread is inside of `entity`.
  @inline(__always)
  static func isHere(in entity: Entity) -> Bool {
    belay_shim_calls(Thread.record, Unmanaged.passUnretained(entity).toOpaque())
  }

  /// Whether this thread is inside of any delivery.
  package static var isAnyHere: Bool { Thread.record.pointee.entered > 0 }

  /// Whether some thread is inside of `entity`. Unless a barrier was issued before, the answer may
  /// miss a delivery that has just begun.
  @inline(never)
  static func isAnywhere(in entity: Entity) -> Bool {
    belay_shim_caller(Unmanaged.passUnretained(entity).toOpaque(), nil) != nil
  }

  /// The threads that are inside of `entity`.
  static func threads(in entity: Entity) -> [UInt64] {
    var threads: [UInt64] = []
    var found: UnsafeMutablePointer<belay_thread>?
    while true {
      found = belay_shim_caller(Unmanaged.passUnretained(entity).toOpaque(), found)
      guard let found else { return threads }
      threads.append(belay_shim_id(found))
    }
  }

  /// Makes this thread check, when it leaves a delivery, whether something was left to it.
  @inline(__always)
  static func noteHere() { belay_shim_note_here(Thread.record) }

  /// Makes all threads check when they leave, and makes everything that they have published visible
  /// here.
  @inline(never)
  static func noteEverywhere() { belay_shim_note_all() }
}

extension Disposable {
  /// Publishes that this thread is inside. The caller must call `endDelivery`, whatever the answer
  /// is.
  ///
  /// - Parameter isStart: the subscription is being started, and no callback runs.
  @inline(__always)
  package final func beginDelivery(isStart: Bool = false) -> Delivery {
    let record = Thread.record
    let place = belay_shim_begin_delivery(record)
    let address = Unmanaged.passUnretained(self).toOpaque()
    belay_shim_publish(record, place, isStart ? address + 1 : address)
    return Delivery(
      record: record, place: place, isOpen: !lifecycle.stateInDelivery.has(.closed))
  }

  /// Publishes that this thread is inside while it frees what this holds, so that a wait finds the
  /// thread. The caller must end the delivery.
  @inline(__always)
  package final func publish(in record: UnsafeMutablePointer<belay_thread>) -> UInt32 {
    let place = belay_shim_begin_delivery(record)
    belay_shim_publish(record, place, Unmanaged.passUnretained(self).toOpaque())
    return place
  }

  @inline(__always)
  package final func endDelivery(_ delivery: Delivery) {
    if !delivery.isOpen { return endDeliveryVisibly(delivery.record, delivery.place) }
    if belay_shim_end_delivery(delivery.record, delivery.place) {
      heedAfterCallbacks(delivery.record)
    }
  }

  /// The same in a place that the thread has taken before. Answers false if no callback may run.
  /// The caller must call `endDelivery`, whatever the answer is.
  @inline(__always)
  final func beginDelivery(at place: CallPlace) -> Bool {
    place.publish(self)
    return !lifecycle.stateInDelivery.has(.closed)
  }

  @inline(__always)
  final func endDelivery(at place: CallPlace) {
    if place.withdraw() || isClosed { endDeliveryVisibly(at: place) }
  }

  /// `endDelivery` for a callee that was closed, or when something was noted. If it was closed
  /// before this thread was inside, other threads must be able to see that the thread has left.
  @inline(never)
  final func endDeliveryVisibly(at place: CallPlace) {
    belay_shim_fence()
    heedNote(place.record)
  }

  /// Leaves a callee that was closed before this thread was inside. Another thread may have counted
  /// this one as inside, and have left the rest of the end to it.
  @inline(never)
  package final func endDeliveryVisibly(
    _ record: UnsafeMutablePointer<belay_thread>, _ place: UInt32
  ) {
    _ = belay_shim_end_delivery(record, place)
    belay_shim_fence()
    heedNote(record)
  }

  /// Handles a note that came while this thread was inside.
  @inline(never)
  package final func heedNote(_ record: UnsafeMutablePointer<belay_thread>) {
    belay_shim_heed(record)
    let life = life
    if life.has(.closed) || life.has(.deferred) { leftAfterClose() }
  }

  /// `heedNote` behind callbacks: further ones may follow here, of ends that had to wait.
  @inline(never)
  package final func heedAfterCallbacks(_ record: UnsafeMutablePointer<belay_thread>) {
    heedNote(record)
    if record.pointee.own.ends.waiting != nil { NestedEnds.runWaiting() }
  }
}
