/// The table that a C object is given as its delegate's. Its methods are slots, which call the
/// functions of the delegate that was there before. See include/belay/proxy.h. Any thread may use
/// it.
public struct CProxy<Table>: Sendable {
  package let proxy: DelegateProxy

  /// The table that the object was given. Only Belay writes to it.
  public var table: UnsafePointer<Table> {
    UnsafePointer(proxy.table.assumingMemoryBound(to: Table.self))
  }

  /// Forwards calls to `table`, which is borrowed, until nil replaces it or `delegate` dies.
  ///
  /// - Throws: `.invalid` for a table of one of the object's own proxies; `.assigned` if there is
  ///   another table, which must be removed first; `.dead` if the object or `delegate` is dying.
  ///   The code of `install` is thrown, too, but calls are forwarded all the same.
  public func forward(
    to table: UnsafePointer<Table>?, of delegate: OwnerRecord? = nil
  ) throws(Failure) {
    let code = proxy.forward(to: table.map { UnsafeRawPointer($0) }, of: delegate)
    if code.isFailure { throw Failure(code) }
  }
}

extension CInterface {
  /// Describes a table that objects are given.
  ///
  /// - Parameters:
  ///   - name: the name of the type in reports.
  ///   - tableOffset: where in an object the pointer to its table is, in bytes; nil: nowhere.
  ///   - install: gives an object a table as its delegate's; nil takes it away. It is called
  ///     without a lock, one call at a time, whenever methods have come or gone.
  ///   - installed: the table that the object has from other code; nil: the object cannot be asked.
  public init<Object>(
    _ name: StaticString, tableOffset: Int? = nil,
    install: @escaping (UnsafeMutablePointer<Object>, UnsafePointer<Table>?) -> Code,
    installed: ((UnsafeMutablePointer<Object>) -> UnsafePointer<Table>?)? = nil
  ) throws(Failure) {
    interface = try Interface(
      StaticSite(name), tableSize: MemoryLayout<Table>.size, tableOffset: tableOffset, base: nil,
      install: { object, table in
        install(
          object.assumingMemoryBound(to: Object.self),
          table.map { UnsafePointer($0.assumingMemoryBound(to: Table.self)) })
      },
      installed: installed.map { installed in
        { object in
          UnsafeMutableRawPointer(
            mutating: installed(object.assumingMemoryBound(to: Object.self)))
        }
      })
  }

  /// The object's proxy, made and installed when first asked for. It lives with the object.
  ///
  /// - Throws: `.invalid` for an owner without an object, or an interface without `install`;
  ///   `.dead`; the code of `install`, and then the next call tries again.
  public func proxy(of owner: OwnerRecord) throws(Failure) -> CProxy<Table> {
    CProxy(proxy: try DelegateProxy.of(owner, interface))
  }
}

extension CMethod {
  /// The slot of the method in a proxy. Further calls return the same slot. Its function is in the
  /// table only while the slot is wanted or the original has the method.
  ///
  /// - Throws: `.notPermitted` for a performance-sensitive method; `.dead`; `.noMemory`.
  public func slot(
    of proxy: CProxy<Table>
  ) throws(Failure) -> CSlot<Result, repeat each Argument> {
    try method.requireInterceptable()
    return CSlot(try proxy.proxy.slot(of: method))
  }
}
