import CBelayClosure

/// Finds an object's functions for methods that are sent to it. (Message forwarding.)
@_spi(Engine) open class Responder: Attachment, @unchecked Sendable {
  private final let interface: Interface?
  private final let table: UnsafeMutableRawPointer?
  private final let lock = Lock()
  /// The list of methods that were resolved. The lock protects it.
  private final var resolved: ResolvedMethod?

  /// `table` has the interface's methods, and must live as long as the object.
  package init(_ interface: Interface?, _ table: UnsafeMutableRawPointer?) {
    self.interface = interface
    self.table = table
    super.init()
  }

  // MARK: For subclasses

  /// A function with the method's shape; nil if there is none. It is remembered.
  open func resolve(
    _ object: UnsafeMutableRawPointer, _ method: StaticSite
  ) -> (@convention(c) () -> Void)? { nil }
  /// Another owner to which the invocation is sent.
  open func target(_ object: UnsafeMutableRawPointer, _ method: StaticSite) -> OwnerRecord? {
    nil
  }
  /// Handles the whole invocation. Answers `.notFound` if it did not.
  open func forward(_ object: UnsafeMutableRawPointer, _ invocation: Invocation) -> Code {
    .notFound
  }

  // MARK: Finding

  /// The function of a method: from the table, or one that was resolved, now or before. The code is
  /// `.ok`, or `.wrongKind` if the function has another shape than `method`, or `.notFound`.
  /// Without `method` the shape is not checked.
  fileprivate final func find(
    _ object: UnsafeMutableRawPointer, _ name: StaticSite, _ method: Method?
  ) -> (function: belay_closure_function?, code: Code) {
    let described = interface?.method(name.pointer)
    if let described, let table {
      let word = (table + described.offset).assumingMemoryBound(
        to: UnsafeMutableRawPointer?.self)
      if let found = belay_word_load(word) {
        return Self.checked(
          unsafeBitCast(found, to: belay_closure_function.self), described, method)
      }
    }
    var known = lock.withLock { resolved }
    while let candidate = known {
      if candidate.method.name.isEqual(to: name) {
        return Self.checked(candidate.function, candidate.method, method)
      }
      known = candidate.next
    }
    guard let found = resolve(object, name) else { return (nil, .notFound) }
    let answer = Self.checked(found, described ?? method, method)
    if let method, !answer.code.isFailure {
      lock.withLock { resolved = ResolvedMethod(method, found, resolved) }
    }
    return answer
  }

  private static func checked(
    _ function: belay_closure_function, _ found: Method?, _ wanted: Method?
  ) -> (function: belay_closure_function?, code: Code) {
    if let found, let wanted, !found.shape.isSame(as: wanted.shape) { return (nil, .wrongKind) }
    return (function, .ok)
  }

  // MARK: By object

  /// Tells this from other attachments of an owner.
  fileprivate static let name: UInt = 2

  public final override func isNamed(_ name: UInt, _ other: UInt) -> Bool { name == Self.name }
}

/// A method that a responder has resolved, and the list of earlier ones.
private final class ResolvedMethod {
  let method: Method
  let function: belay_closure_function
  let next: ResolvedMethod?

  init(_ method: Method, _ function: @escaping belay_closure_function, _ next: ResolvedMethod?) {
    self.method = method
    self.function = function
    self.next = next
  }
}

extension OwnerRecord {
  /// Sets the object's responder, and replaces an earlier one. Answers `.invalid` without an
  /// object, or `.dead`.
  package final func set(_ responder: Responder) -> Code {
    if isDying { return .dead }
    return address == nil ? .invalid : replace(with: responder, .other, Responder.name, 0)
  }

  fileprivate final var responder: Responder? {
    find(.other, Responder.name, 0).map { unsafeDowncast($0, to: Responder.self) }
  }

  /// Whether the object has a function for the method, or an object to which it sends the method
  /// has.
  package final func responds(to name: StaticSite, hops: Int = 0) -> Bool {
    guard hops < Invocation.mostHops, retainHandleIfAlive() else { return false }
    defer { releaseHandle() }
    guard let responder, let object = address else { return false }
    if responder.find(object, name, nil).function != nil { return true }
    return responder.target(object, name)?.responds(to: name, hops: hops + 1) ?? false
  }
}

extension Invocation {
  /// How many objects may send an invocation on, one after the other.
  static let mostHops = 64

  /// Sends the invocation to an object, which becomes its context and is asked for the method.
  ///
  /// - Throws: `.notFound` if no object has the method; `.wrongKind` if it has another shape;
  ///   `.dead`; `.deadlock` if too many objects send it on; the code of a responder.
  package func send(to owner: OwnerRecord) throws(Failure) {
    told = nil
    let code = pass(to: owner)
    if !code.isFailure { return }
    if let told, told.code == code { throw told }
    var message: Text?
    if code == .notFound { message = "nobody has the method " + method.name.text }
    if code == .wrongKind { message = method.name.text + " has another shape there" }
    throw Failure(code, message: message)
  }

  private func pass(to owner: OwnerRecord) -> Code {
    if hops == Self.mostHops { return .deadlock }
    // The handle keeps the object alive during the call.
    guard owner.retainHandleIfAlive() else { return .dead }
    hops += 1
    defer {
      hops -= 1
      owner.releaseHandle()
    }
    guard let responder = owner.responder, let object = owner.address else { return .notFound }
    _ = setContext(object)
    let (function, code) = responder.find(object, method.name, method)
    if let function {
      LastFailure.isolating { call(function) }
      return .ok
    }
    if code != .notFound { return code }
    if let target = responder.target(object, method.name) {
      let code = pass(to: target)
      if code != .notFound { return code }
      _ = setContext(object)
    }
    return responder.forward(object, self)
  }
}
