/// Receives the events of a running subscription, at its home.
///
/// A source calls `enter` and `enterEnd`, which mark the whole subscription as running and drop
/// what comes after its end; a stage calls `next` and `end` of the sink below it.
open class Sink<Value>: Link, @unchecked Sendable {
  /// The subscription that this is a part of. Whoever is inside marks it as running.
  package var root: Link { self }

  /// An event of the stage above.
  open func next(_ value: Value) {}

  /// The end, from the stage above.
  open func end(_ end: End) {}

  /// An event of a source.
  open func enter(_ value: Value) {
    let root = root
    let delivery = root.beginDelivery()
    if delivery.isOpen && !isClosed { next(value) }
    root.endDelivery(delivery)
  }

  /// The end of a source.
  package func enterEnd(_ end: End) {
    let root = root
    let delivery = root.beginDelivery()
    if delivery.isOpen && !isClosed { self.end(end) }
    root.endDelivery(delivery)
  }
}
