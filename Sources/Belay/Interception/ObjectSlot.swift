import CBelayClosure

/// The slot of a method of one object, in the object's private copy of its table.
final class ObjectSlot: MethodSlot, @unchecked Sendable {
  private let table: ObjectTable
  /// The table's next slot. `writing` protects this and the fields below.
  var next: ObjectSlot?
  /// Whether our function is wanted in the copy.
  var isIn = false

  init(_ method: Method, _ table: ObjectTable) throws(Failure) {
    self.table = table
    try super.init(method)
  }

  override func putIn(_ function: belay_closure_function) -> Code { table.putIn(self) }
  override func takeOut() -> Code { table.takeOut(self) }
  override var isUntouched: Bool { table.isUntouched(at: method.offset, isIn ? function : nil) }
  override var endingOwner: OwnerRecord? { method.endsObject ? table.owner : nil }

  /// The object's memory is about to be freed, and its owner has not died.
  override func willEnd(_ object: UnsafeMutableRawPointer?) {
    if object == table.owner.address { table.end() }
  }
}

extension MethodSlot {
  /// The slot of a method of an object, made when first asked for.
  ///
  /// - Throws: `.invalid` for an interface without an offset of the table pointer, an owner without
  ///   an object, and an object without a table; `.dead`; `.mismatch` if the method is known with
  ///   another shape; `.noMemory`.
  package static func of(
    _ owner: OwnerRecord, _ method: Method, _ interface: Interface
  ) throws(Failure) -> MethodSlot {
    guard let offset = interface.tableOffset else {
      throw Failure(.invalid, message: interface.name.text + " has no table_offset")
    }
    if owner.isDying { throw Failure(.dead) }
    guard let object = owner.address, UInt(bitPattern: object) % 8 == 0 else {
      throw Failure(.invalid, message: "an owner without an object, or a misaligned one")
    }
    guard let table = ObjectTable.of(owner, object, offset) else { throw Failure(.dead) }
    return try table.slot(method, interface).checked(method)
  }

  /// This slot; throws if it has another shape than `method`.
  final func checked(_ method: Method) throws(Failure) -> MethodSlot {
    if self.method.shape.isSame(as: method.shape) { return self }
    throw Failure(
      .mismatch,
      message: method.name.text + " is known with the shape " + self.method.shape.text.text)
  }
}
