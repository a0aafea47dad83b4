import CBelayShim

/// Receives the events of a running subscription, at its home.
///
/// A source calls `deliver` and `deliverEnd`, which mark the whole subscription as running and drop
/// events that come after its end. A stage calls `next` and `end` of the sink below it directly.
@_spi(Engine) open class Sink<Value>: Link, @unchecked Sendable {
  /// The subscription that this is a part of. A thread that is inside marks it as running.
  package var root: Link { self }

  /// Whether the whole subscription has been closed.
  @inline(__always)
  final var isPartOfClosed: Bool {
    let life = life
    // A sink that emitters call directly is the subscription itself.
    return life.has(.callsDirectly) ? life.has(.closed) : root.isClosed
  }

  /// Whether this or the whole subscription has been closed. A part may be left while the subscription
  /// goes on, and another thread closes the whole first.
  @inline(never)
  final var takesNoMore: Bool { isClosed || root.isClosed }

  /// Receives a value from the stage above.
  open func next(_ value: Value) {}

  /// Receives the end from the stage above.
  open func end(_ end: End) {}

  /// Receives a value from a source that has taken no place for it in the record.
  package final func deliver(_ value: Value) {
    let record = Thread.record
    let place = CallPlace(record: record, index: belay_shim_begin_delivery(record))
    deliver(value, at: place)
    if belay_shim_end_delivery(record, place.index) { belay_shim_heed(record) }
  }

  /// Receives a value from a source that has taken a place, in which this publishes `root`.
  package func deliver(_ value: Value, at place: CallPlace) {
    let root = root
    if root.beginDelivery(at: place) && !isClosed { next(value) }
    root.endDelivery(at: place)
  }

  /// Receives the end from a source.
  package func deliverEnd(_ end: End) {
    let root = root
    let delivery = root.beginDelivery()
    if delivery.isOpen && !isClosed { self.end(end) }
    root.endDelivery(delivery)
  }
}
