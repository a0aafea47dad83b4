import CBelayShim

extension Delivery {
  /// The subscriptions whose callbacks run on this thread, the innermost first.
  static var stack: ReferenceArray<Link> {
    let record = Thread.record
    var found: ReferenceArray<Link> = []
    for index in (0..<Int(record.pointee.entered)).reversed() {
      // An odd address is being started, and no callback of it runs.
      guard let called = record.pointee.calling[index], UInt(bitPattern: called) & 1 == 0 else {
        continue
      }
      let entity = Unmanaged<Entity>.fromOpaque(called).takeUnretainedValue()
      if let link = entity as? Link { found.append(link) }
    }
    return found
  }
}

/// The deliveries in progress, which a call stack does not tell: a callback is called by the loop, or
/// by a source that does not know the sender.
public enum DeliveryStack {
  /// A line for each subscription whose callback runs on this thread, the innermost first: its name,
  /// and the line of code that subscribed, if it is known. Empty outside of callbacks.
  public static var text: Text {
    var text: Text = ""
    for link in Delivery.stack {
      text = text + link.reportName
      if let site = link.origin.site { text = text + " subscribed at " + site.text }
      text = text + "\n"
    }
    return text
  }
}
