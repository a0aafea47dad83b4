/// The arguments of a call, as a slot's signals send them, and the object that was called.
package final class CallBox: ArrayBox, @unchecked Sendable {
  package let object: UnsafeMutableRawPointer?

  /// Takes over the references of the items.
  init(taking items: [ForeignValue], of object: UnsafeMutableRawPointer?) {
    self.object = object
    super.init(taking: items)
  }
}
