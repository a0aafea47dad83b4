import CBelayShim

/// Receives the events of a running subscription, at its home.
///
/// A source calls `deliver` and `deliverEnd`, which mark the whole subscription as running and drop
/// what comes after its end; a stage calls `next` and `end` of the sink below it.
open class Sink<Value>: Link, @unchecked Sendable {
  /// The subscription that this is a part of. Whoever is inside marks it as running.
  package var root: Link { self }

  /// Whether the whole subscription has been closed.
  @inline(__always)
  final var isPartOfClosed: Bool {
    let life = life
    // One that emitters call directly is the whole.
    return life.has(.callsDirectly) ? life.has(.closed) : root.isClosed
  }

  /// An event of the stage above.
  open func next(_ value: Value) {}

  /// The end, from the stage above.
  open func end(_ end: End) {}

  /// An event of a source that has no place for what it calls.
  package final func deliver(_ value: Value) {
    let record = Thread.record
    let place = CallPlace(record: record, index: belay_shim_begin_delivery(record))
    deliver(value, at: place)
    if belay_shim_end_delivery(record, place.index) { belay_shim_heed(record) }
  }

  /// An event of a source, which has a place for the subscription that this is a part of.
  package func deliver(_ value: Value, at place: CallPlace) {
    let root = root
    if root.beginDelivery(at: place) && !isClosed { next(value) }
    root.endDelivery(at: place)
  }

  /// The end of a source.
  package func deliverEnd(_ end: End) {
    let root = root
    let delivery = root.beginDelivery()
    if delivery.isOpen && !isClosed { self.end(end) }
    root.endDelivery(delivery)
  }
}
