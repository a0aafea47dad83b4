/// Describes a C struct of function pointers: a delegate, a vtable, an `ops` table.
///
/// Each method is described once, by its member. The compiler finds the method's types from a
/// closure that returns the function that it gets. The closure is never called:
///
/// ```swift
/// let files = try CInterface<file_ops>("file_ops")
/// let read = try files.method("read", \.read) { $0 }
/// let seek = try files.function("seek", \.seek) { $0 }
/// ```
///
/// A `method` is called for an object, which is its first argument; a `function` is not. Describe
/// all of them before other threads use the interface.
public struct CInterface<Table>: Sendable {
  package let interface: Interface

  /// - Parameters:
  ///   - name: the name in messages.
  ///   - base: the interface with which the table begins. Its methods are this one's, too.
  ///   - tableOffset: the offset in an object of the pointer to its table.
  /// - Throws: `.invalid` for a table that is smaller than its base's.
  public init<Base>(
    _ name: StaticString, base: CInterface<Base>, tableOffset: Int? = nil
  ) throws(Failure) {
    interface = try Interface(
      StaticSite(name), tableSize: MemoryLayout<Table>.size, tableOffset: tableOffset,
      base: base.interface)
  }

  /// - Parameters:
  ///   - name: the name in messages.
  ///   - tableOffset: the offset in an object of the pointer to its table.
  public init(_ name: StaticString, tableOffset: Int? = nil) throws(Failure) {
    interface = try Interface(
      StaticSite(name), tableSize: MemoryLayout<Table>.size, tableOffset: tableOffset, base: nil)
  }

  // MARK: Describing

  /// A method whose first argument is the object.
  ///
  /// - Throws: `.invalid` for a name or an offset that is taken, a member that is not stored, a
  ///   type whose size is not that of its shape; `.range` for more than 1024 methods.
  public func method<Function, Context: CPointer, Result: CType, each Argument: CType>(
    _ name: StaticString, _ member: KeyPath<Table, Function>, _ traits: MethodTraits = [],
    _ type: (Function) -> ((Context?, repeat each Argument) -> Result)
  ) throws(Failure) -> CMethod<Table, Result, repeat each Argument> {
    try CMethod(name, member, Function.self, context: "@", traits, of: interface)
  }

  /// A method that returns nothing.
  public func method<Function, Context: CPointer, each Argument: CType>(
    _ name: StaticString, _ member: KeyPath<Table, Function>, _ traits: MethodTraits = [],
    _ type: (Function) -> ((Context?, repeat each Argument) -> Void)
  ) throws(Failure) -> CMethod<Table, NoResult, repeat each Argument> {
    try CMethod(name, member, Function.self, context: "@", traits, of: interface)
  }

  /// A method that may be NULL.
  public func method<Function, Context: CPointer, Result: CType, each Argument: CType>(
    _ name: StaticString, _ member: KeyPath<Table, Function?>, _ traits: MethodTraits = [],
    _ type: (Function) -> ((Context?, repeat each Argument) -> Result)
  ) throws(Failure) -> CMethod<Table, Result, repeat each Argument> {
    try CMethod(name, member, Function.self, context: "@", traits, of: interface)
  }

  /// A method that may be NULL and returns nothing.
  public func method<Function, Context: CPointer, each Argument: CType>(
    _ name: StaticString, _ member: KeyPath<Table, Function?>, _ traits: MethodTraits = [],
    _ type: (Function) -> ((Context?, repeat each Argument) -> Void)
  ) throws(Failure) -> CMethod<Table, NoResult, repeat each Argument> {
    try CMethod(name, member, Function.self, context: "@", traits, of: interface)
  }

  /// A function without an object.
  public func function<Function, Result: CType, each Argument: CType>(
    _ name: StaticString, _ member: KeyPath<Table, Function>, _ traits: MethodTraits = [],
    _ type: (Function) -> ((repeat each Argument) -> Result)
  ) throws(Failure) -> CMethod<Table, Result, repeat each Argument> {
    try CMethod(name, member, Function.self, context: "", traits, of: interface)
  }

  /// A function without an object that returns nothing.
  public func function<Function, each Argument: CType>(
    _ name: StaticString, _ member: KeyPath<Table, Function>, _ traits: MethodTraits = [],
    _ type: (Function) -> ((repeat each Argument) -> Void)
  ) throws(Failure) -> CMethod<Table, NoResult, repeat each Argument> {
    try CMethod(name, member, Function.self, context: "", traits, of: interface)
  }

  /// A function without an object that may be NULL.
  public func function<Function, Result: CType, each Argument: CType>(
    _ name: StaticString, _ member: KeyPath<Table, Function?>, _ traits: MethodTraits = [],
    _ type: (Function) -> ((repeat each Argument) -> Result)
  ) throws(Failure) -> CMethod<Table, Result, repeat each Argument> {
    try CMethod(name, member, Function.self, context: "", traits, of: interface)
  }

  /// A function without an object that may be NULL and returns nothing.
  public func function<Function, each Argument: CType>(
    _ name: StaticString, _ member: KeyPath<Table, Function?>, _ traits: MethodTraits = [],
    _ type: (Function) -> ((repeat each Argument) -> Void)
  ) throws(Failure) -> CMethod<Table, NoResult, repeat each Argument> {
    try CMethod(name, member, Function.self, context: "", traits, of: interface)
  }

  // MARK: The end of a table

  /// Call this before a table's memory is freed, or when nothing calls through the table any more.
  /// It puts the originals back if the table can be written to, and ends the table's slots.
  ///
  /// - Returns: `.notFound` for a table without a slot; `.mismatch` if other code had written
  ///   there.
  @discardableResult
  public func isGone(_ table: UnsafeMutablePointer<Table>) -> Code {
    TableSlot.tableIsGone(table)
  }
}
