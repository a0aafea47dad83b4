/// One function of a table.
package final class Method: @unchecked Sendable {
  package let name: StaticSite
  let offset: Int
  let shape: Shape
  package let isPerformanceSensitive: Bool
  let endsObject: Bool
  /// The description that C has given.
  package let description: UnsafeRawPointer?

  package init(
    _ name: StaticSite, at offset: Int, _ shape: Shape, isPerformanceSensitive: Bool = false,
    endsObject: Bool = false, description: UnsafeRawPointer? = nil
  ) {
    self.name = name
    self.offset = offset
    self.shape = shape
    self.isPerformanceSensitive = isPerformanceSensitive
    self.endsObject = endsObject
    self.description = description
  }

  /// Throws `.notPermitted` if the method may not be intercepted.
  package func requireInterceptable() throws(Failure) {
    if isPerformanceSensitive {
      throw Failure(.notPermitted, message: name.text + " is performance-sensitive")
    }
  }
}

/// Describes a struct of function pointers, and how an object gets one.
package final class Interface: Entity, @unchecked Sendable {
  /// The largest number of methods of a table.
  package static let mostMethods = 1024

  package let name: StaticSite
  let tableSize: Int
  let base: Interface?
  /// The offset in an object of the pointer to its table.
  let tableOffset: Int?
  package private(set) var methods: ReferenceArray<Method>
  package typealias Install =
    (UnsafeMutableRawPointer, UnsafeMutableRawPointer?) -> Code
  package typealias Installed = (UnsafeMutableRawPointer) -> UnsafeMutableRawPointer?
  private let ownInstall: Install?
  /// The address of a C function that is `ownInstall`, or 0.
  private let installAddress: UInt
  private let ownInstalled: Installed?

  /// Makes an interface with the methods of its base.
  package init(
    _ name: StaticSite, tableSize: Int, tableOffset: Int?, base: Interface?,
    install: Install? = nil, installAddress: UInt = 0, installed: Installed? = nil
  ) throws(Failure) {
    self.name = name
    self.tableSize = tableSize
    self.tableOffset = tableOffset ?? base?.tableOffset
    self.base = base
    methods = base?.methods ?? []
    ownInstall = install
    self.installAddress = installAddress
    ownInstalled = installed
    super.init()
    // Checked only now, because a failure before the object is complete would leak it in Embedded
    // Swift.
    if tableSize < (base?.tableSize ?? 0) {
      throw Failure(.invalid, message: name.text + ": the table is smaller than its base's")
    }
    if let tableOffset, tableOffset < 0 || tableOffset % MemoryLayout<UInt>.size != 0 {
      throw Failure(.invalid, message: name.text + ": the table's offset is misaligned")
    }
  }

  package static var tooManyMethods: Failure {
    Failure(.range, message: "more than 1024 methods")
  }

  /// Adds a method, before other threads know this interface.
  package func add(_ method: Method) throws(Failure) {
    if let wrong = objection(to: method) {
      throw Failure(.invalid, message: name.text + "." + method.name.text + ": " + wrong)
    }
    if methods.count == Self.mostMethods { throw Self.tooManyMethods }
    methods.append(method)
  }

  private func objection(to method: Method) -> Text? {
    let size = MemoryLayout<UInt>.size
    if method.offset % size != 0 { return "the offset is misaligned" }
    if method.offset < 0 || method.offset > tableSize - size {
      return "the offset is outside of the table"
    }
    if method.endsObject && method.shape.context == nil {
      return "it ends its object, and no argument is that"
    }
    for other in methods {
      if other.name.isEqual(to: method.name) { return "there are two of that name" }
      if other.offset == method.offset { return "the offset is another method's" }
    }
    return nil
  }

  package func method(_ name: UnsafePointer<CChar>) -> Method? {
    for method in methods where method.name.isEqual(to: StaticSite(at: name)) { return method }
    return nil
  }

  /// `install` of this interface, or else of its nearest base that has one.
  var install: Install? { installing?.ownInstall }
  private var installing: Interface? { ownInstall == nil ? base?.installing : self }
  /// Whether both have the same `install`.
  func isInstalled(like other: Interface) -> Bool {
    guard let mine = installing, let its = other.installing else { return false }
    return mine === its || (mine.installAddress != 0 && mine.installAddress == its.installAddress)
  }
  var installed: Installed? { ownInstalled ?? base?.installed }
}
