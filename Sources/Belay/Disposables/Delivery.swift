import CBelayShim

/// A place that this thread has taken in its record, for what it calls one after the other.
package struct CallPlace {
  let record: UnsafeMutablePointer<belay_thread>
  let index: UInt32

  /// Publishes `entity`, in the place of what was called before.
  @inline(__always)
  func publish(_ entity: Entity) {
    belay_shim_publish(record, index, Unmanaged.passUnretained(entity).toOpaque())
  }

  /// Nothing is being called in the place; answers whether something was noted.
  @inline(__always)
  func withdraw() -> Bool { belay_shim_withdraw(record, index) }
}

/// A delivery in progress: this thread's record says what it is calling, so that whoever disposes
/// elsewhere can find out.
///
/// The thread stores what it calls, then looks at its phase. Whoever disposes elsewhere stores the
/// phase, notes it in every record, issues the barrier, and then reads the records. One of the two
/// sees the other, though the thread that delivers has no fence: these are hazard pointers with an
/// asymmetric barrier. A thread that leaves what it has called looks whether something was noted,
/// and if so sees to what was left to it.
package struct Delivery {
  let record: UnsafeMutablePointer<belay_thread>
  let place: UInt32
  /// False when no callback may begin.
  package let isOpen: Bool

  /// Whether this thread is inside of `entity`.
  @inline(__always)
  static func isHere(in entity: Entity) -> Bool {
    belay_shim_calls(Thread.record, Unmanaged.passUnretained(entity).toOpaque())
  }

  /// Whether this thread is inside of anything.
  package static var isAnyHere: Bool { Thread.record.pointee.entered > 0 }

  /// Whether some thread is inside of `entity`. Without a barrier before: as far as this thread
  /// can know.
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

  /// Whoever leaves something on this thread looks after what it has left.
  @inline(__always)
  static func noteHere() { belay_shim_note_here(Thread.record) }

  /// The same on all threads; and what they have published by now can be read.
  @inline(never)
  static func noteEverywhere() { belay_shim_note_all() }
}

extension Disposable {
  /// Publishes that this thread is inside; `endDelivery` follows in any case.
  ///
  /// - Parameter isStart: it is being started, and no callback runs.
  @inline(__always)
  package final func beginDelivery(isStart: Bool = false) -> Delivery {
    let record = Thread.record
    let place = belay_shim_begin_delivery(record)
    let address = Unmanaged.passUnretained(self).toOpaque()
    belay_shim_publish(record, place, isStart ? address + 1 : address)
    return Delivery(
      record: record, place: place, isOpen: !lifecycle.stateInDelivery.has(.closed))
  }

  @inline(__always)
  package final func endDelivery(_ delivery: Delivery) {
    if !delivery.isOpen { return endDeliveryVisibly(delivery.record, delivery.place) }
    if belay_shim_end_delivery(delivery.record, delivery.place) { heedNote(delivery.record) }
  }

  /// The same in a place that was taken before; `endDelivery` follows in any case. False when no callback may
  /// begin.
  @inline(__always)
  final func beginDelivery(at place: CallPlace) -> Bool {
    place.publish(self)
    return !lifecycle.stateInDelivery.has(.closed)
  }

  @inline(__always)
  final func endDelivery(at place: CallPlace) {
    if place.withdraw() || isClosed { endDeliveryVisibly(at: place) }
  }

  /// It was closed, or something was noted. What was closed before this thread was inside is left as
  /// another thread can see.
  @inline(never)
  final func endDeliveryVisibly(at place: CallPlace) {
    belay_shim_fence()
    heedNote(place.record)
  }

  /// Leaves what was closed before this thread was inside. Another thread may have taken it for
  /// somebody who would see to the rest, and so it has to.
  @inline(never)
  package final func endDeliveryVisibly(
    _ record: UnsafeMutablePointer<belay_thread>, _ place: UInt32
  ) {
    _ = belay_shim_end_delivery(record, place)
    belay_shim_fence()
    heedNote(record)
  }

  /// Something was noted while this thread was inside.
  @inline(never)
  package final func heedNote(_ record: UnsafeMutablePointer<belay_thread>) {
    belay_shim_heed(record)
    let life = life
    if life.has(.closed) || life.has(.deferred) { leftAfterClose() }
  }
}
