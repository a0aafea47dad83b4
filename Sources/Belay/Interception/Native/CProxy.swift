/// The table that a C object is given as its delegate's, whose methods are slots in front of the
/// functions of the delegate that was there. See include/belay/proxy.h. Any thread.
public struct CProxy<Table>: Sendable {
  package let proxy: DelegateProxy

  /// What the object was given. Only Belay writes to it.
  public var table: UnsafePointer<Table> {
    UnsafePointer(proxy.table.assumingMemoryBound(to: Table.self))
  }

  /// Forwards to `table`, which is borrowed, until it is taken away by nil or `delegate` dies.
  ///
  /// - Throws: `.invalid` for a table of the object's own proxies; `.assigned` when there is one,
  ///   which has to be taken away first; `.dead` when the object or `delegate` is dying. What
  ///   `install` answers is thrown, but it is forwarded to all the same.
  public func forward(
    to table: UnsafePointer<Table>?, of delegate: OwnerRecord? = nil
  ) throws(Failure) {
    let code = proxy.forward(to: table.map { UnsafeRawPointer($0) }, of: delegate)
    if code.isFailure { throw Failure(code) }
  }
}

extension CInterface {
  /// For objects that are given a table.
  ///
  /// - Parameters:
  ///   - install: hands a table to an object as its delegate's, nil to take it away. Called
  ///     without a lock, one call at a time, whenever it changes which methods there are.
  ///   - installed: the table that the object has from somebody else. Nil: it cannot be asked.
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

  /// The object's proxy, made and installed at the first ask; the same one however often it is
  /// asked for. It lives with the object.
  ///
  /// - Throws: `.invalid` for an owner without an object, or an interface without `install`;
  ///   `.dead`; what `install` answers, and then the next ask is a first one.
  public func proxy(of owner: OwnerRecord) throws(Failure) -> CProxy<Table> {
    CProxy(proxy: try DelegateProxy.of(owner, interface))
  }
}

extension CMethod {
  /// The method of a proxy, the same slot on every ask. It is in the table only while somebody
  /// wants it or the original has it.
  ///
  /// - Throws: `.notPermitted` for a method that is performance-sensitive; `.dead`; `.noMemory`.
  public func slot(
    of proxy: CProxy<Table>
  ) throws(Failure) -> CSlot<Result, repeat each Argument> {
    try method.requireInterceptable()
    return CSlot(try proxy.proxy.slot(of: method))
  }
}
