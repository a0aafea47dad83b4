/// Properties of a method besides its type.
public struct MethodTraits: OptionSet, Sendable {
  public let rawValue: UInt32
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// The method may not be intercepted; attempts throw `.notPermitted`.
  public static let performanceSensitive = MethodTraits(rawValue: 1)
  /// The object has gone when the function returns. (A destructor, a `close`.)
  public static let endsObject = MethodTraits(rawValue: 2)
}

/// A function of a C table, with its types. The argument with the context is not among them. A
/// `CInterface` makes it.
public struct CMethod<Table, Result: CResult, each Argument: CType>: Sendable {
  package let interface: Interface
  package let method: Method

  /// Adds the method to the interface. Throws `.invalid` if the offset or the shape of a type is
  /// wrong.
  init<Function>(
    _ name: StaticString, _ member: PartialKeyPath<Table>, _ function: Function.Type,
    context: String, _ traits: MethodTraits, of interface: Interface
  ) throws(Failure) {
    let label = "\(interface.name.text).\(name)"
    try requireCFunction(function, label)
    guard let offset = MemoryLayout<Table>.offset(of: member) else {
      throw Failure(.invalid, message: label + " is not stored in the table")
    }
    let shape = try Shape(of: Result.self, context, repeat (each Argument).self)
    method = Method(
      StaticSite(name), at: offset, shape,
      isPerformanceSensitive: traits.contains(.performanceSensitive),
      endsObject: traits.contains(.endsObject))
    self.interface = interface
    try interface.add(method)
  }

  /// The name of the function in the table, as it was declared.
  public var name: String { method.name.text }

  /// The letters of its types, as C would write them.
  public var shape: String { method.shape.text.text }

  /// The slot of the method in a table in memory, which all objects with that table call. Further
  /// calls return the same slot.
  ///
  /// - Parameters:
  ///   - table: must stay in place until the call of `CInterface.isGone`.
  ///   - unprotects: makes read-only memory writable for each write.
  /// - Throws: `.notPermitted` for a performance-sensitive method; `.mismatch` if the method is
  ///   known there with another shape; `.noMemory` if no function can be made at run time. That the
  ///   table is read-only is found out only when it has to be written to.
  public func slot(
    in table: UnsafeMutablePointer<Table>, unprotects: Bool = false
  ) throws(Failure) -> CSlot<Result, repeat each Argument> {
    try method.requireInterceptable()
    return CSlot(try TableSlot.at(method, in: table, unprotects: unprotects))
  }

  /// The slot of the method for one object. While it is intercepted, the object's table pointer
  /// leads to a private copy of its table. Further calls return the same slot, which ends with the
  /// owner.
  ///
  /// - Throws: `.invalid` for an interface without `tableOffset`, an owner without an object, and
  ///   an object without a table; `.dead` for a dying owner; otherwise as for a table.
  public func slot(
    of owner: OwnerRecord
  ) throws(Failure) -> CSlot<Result, repeat each Argument> {
    try method.requireInterceptable()
    return CSlot(try MethodSlot.of(owner, method, interface))
  }
}
