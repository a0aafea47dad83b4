/// What a method of a table is besides its type.
public struct MethodTraits: OptionSet, Sendable {
  public let rawValue: UInt32
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// May not be intercepted: `.notPermitted`.
  public static let performanceSensitive = MethodTraits(rawValue: 1)
  /// The object is gone when the function has returned. (A destructor, a `close`.)
  public static let endsObject = MethodTraits(rawValue: 2)
}

/// A function of a C table, with its types: its arguments without the one that carries the
/// context. Made by a `CInterface`.
public struct CMethod<Table, Result: CResult, each Argument: CType>: Sendable {
  package let interface: Interface
  package let method: Method

  /// Adds the method to the interface. Throws `.invalid` where the place or a type's shape is
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

  public var name: String { method.name.text }

  /// The letters of its types, as C would describe it.
  public var shape: String { method.shape.text.text }

  /// The method in a table in memory, which every object with that table calls: the same slot on
  /// every ask.
  ///
  /// - Parameters:
  ///   - table: is kept where it is until `CInterface.isGone` has been told.
  ///   - unprotects: writes to memory that is read-only, and protects it again.
  /// - Throws: `.notPermitted` for a method that is performance-sensitive; `.mismatch` for one that
  ///   is known there with another shape; `.noMemory` where no function can be made at run time.
  ///   That the table is read-only is found when it has to be written to.
  public func slot(
    in table: UnsafeMutablePointer<Table>, unprotects: Bool = false
  ) throws(Failure) -> CSlot<Result, repeat each Argument> {
    try method.requireInterceptable()
    return CSlot(try TableSlot.at(method, in: table, unprotects: unprotects))
  }

  /// The method of one object, whose table pointer leads to a private copy of its table while it
  /// is intercepted: the same slot on every ask. It ends with the owner.
  ///
  /// - Throws: `.invalid` for an interface without `tableOffset`, an owner without an object, an
  ///   object without a table; `.dead` for one that is dying; else as in a table.
  public func slot(
    of owner: OwnerRecord
  ) throws(Failure) -> CSlot<Result, repeat each Argument> {
    try method.requireInterceptable()
    return CSlot(try MethodSlot.of(owner, method, interface))
  }
}
