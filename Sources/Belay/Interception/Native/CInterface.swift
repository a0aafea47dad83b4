/// What a C struct of function pointers looks like: a delegate, a vtable, an `ops` table.
///
/// Each method is described once, by its member; its types are those of the member, found by the
/// compiler from a closure that returns the function it is given, and that is never called:
///
///     let files = CInterface<file_ops>("file_ops")
///     let read = try files.method("read", \.read) { $0 }
///     let seek = try files.function("seek", \.seek) { $0 }
///
/// A `method` has an object to be called for, its first argument; a `function` has none. Describe
/// all of them before other threads use the interface.
public struct CInterface<Table>: Sendable {
  package let interface: Interface

  /// - Parameters:
  ///   - name: for messages.
  ///   - base: its methods are this one's, too: the table begins with one of that interface's.
  ///   - tableOffset: where an object keeps the pointer to its table.
  /// - Throws: `.invalid` for a table smaller than its base's.
  public init<Base>(
    _ name: StaticString, base: CInterface<Base>, tableOffset: Int? = nil
  ) throws(Failure) {
    interface = try Interface(
      StaticSite(name), tableSize: MemoryLayout<Table>.size, tableOffset: tableOffset,
      base: base.interface)
  }

  /// - Parameters:
  ///   - name: for messages.
  ///   - tableOffset: where an object keeps the pointer to its table.
  public init(_ name: StaticString, tableOffset: Int? = nil) throws(Failure) {
    interface = try Interface(
      StaticSite(name), tableSize: MemoryLayout<Table>.size, tableOffset: tableOffset, base: nil)
  }

  // MARK: Describing

  /// A method whose first argument is the object.
  ///
  /// - Throws: `.invalid` for a name or an offset that is there already, a member that is not
  ///   stored, a type whose shape is not its size; `.range` for more than 1024 methods.
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

  /// Says that a table's memory is going, or that nobody calls through it any more: its slots are
  /// put back first, if it can be written to, and end.
  ///
  /// - Returns: `.notFound` for a table without a slot; `.mismatch` when somebody else had written.
  @discardableResult
  public func isGone(_ table: UnsafeMutablePointer<Table>) -> Code {
    TableSlot.tableIsGone(table)
  }
}
