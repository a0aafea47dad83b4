/// The reason why a signal failed: a code, a domain, a message, and perhaps a cause and a value. Any
/// thread may use it.
///
/// Where an error is thrown untyped (`Signal.values`, `firstValue`, `waitFirst`), a failure that
/// carries a Swift error is thrown as that error, so that `catch let error as MyError` finds it.
/// Where a `Failure` is thrown typed, and in the `error` closures of subscriptions, it is
/// `underlying`.
public final class Failure: Entity, Error, @unchecked Sendable {
  /// The kind of failure, within `domain`.
  public let code: Code
  /// Whose code it is: "belay", "swift", or a name of the program's.
  public let domain: Text
  /// The failure in words.
  public let message: Text
  /// The failure that led to this one.
  public var cause: Failure? { heldCause }
  private var heldCause: Failure?
  /// Whether it has nothing but its code.
  package let isPlain: Bool
  /// The value of another language that it carries. The failure keeps it.
  package let value: ForeignValue?
  #if !hasFeature(Embedded)
    /// The Swift error that this failure carries, if it came from one: it was thrown by a closure or
    /// a task, or passed to `error(_:)`.
    public let underlying: (any Error)?
  #endif

  /// - Parameters:
  ///   - code: a code of Belay's, or of `domain`.
  ///   - domain: nil means "belay".
  ///   - message: nil means the text of the code.
  ///   - cause: the failure that led to this one.
  public init(
    _ code: Code, domain: Text? = nil, message: Text? = nil, cause: Failure? = nil
  ) {
    self.code = code
    self.domain = domain ?? "belay"
    self.message = message ?? code.text
    heldCause = cause
    isPlain = domain == nil && message == nil && cause == nil
    value = nil
    #if !hasFeature(Embedded)
      underlying = nil
    #endif
    super.init()
    Live.errors.began()
  }

  // Not inlined, because failures are made in many places.

  /// Makes a failure with the code's own text.
  @inline(never)
  public convenience init(_ code: Code) {
    self.init(code, domain: nil, message: nil, cause: nil)
  }

  /// Makes a failure with a message of its own.
  @inline(never)
  public convenience init(_ code: Code, message: Text) {
    self.init(code, domain: nil, message: message, cause: nil)
  }

  /// Takes over the reference of `value`.
  package init(
    _ code: Code, domain: Text, message: Text, cause: Failure?, taking value: ForeignValue
  ) {
    self.code = code
    self.domain = domain
    self.message = message
    heldCause = cause
    isPlain = false
    self.value = value
    #if !hasFeature(Embedded)
      underlying = nil
    #endif
    super.init()
    Live.errors.began()
  }

  #if !hasFeature(Embedded)
    /// Carries a Swift error through signals.
    ///
    /// - Parameter message: nil means the description of the error.
    public init(_ error: any Error, message: Text? = nil) {
      code = .invalid
      domain = "swift"
      self.message = message ?? "\(error)"
      heldCause = nil
      isPlain = false
      value = nil
      underlying = error
      super.init()
      Live.errors.began()
    }
  #endif

  @_spi(Engine) public override var valueKind: ValueKind { .error }

  /// The texts as C strings, which live as long as the failure.
  package var domainCString: UnsafePointer<CChar> { texts.domain.pointer }
  package var messageCString: UnsafePointer<CChar> { texts.message.pointer }

  private var texts: (domain: CText, message: CText) {
    textsLock.withLock {
      if let madeTexts { return madeTexts }
      let made = (CText(domain), CText(message))
      madeTexts = made
      return made
    }
  }

  private let textsLock = Lock()
  private var madeTexts: (domain: CText, message: CText)?

  deinit {
    if let value { discard(value) }
    #if !hasFeature(Embedded)
      NestedEnds.letGo(of: &heldCause)
    #endif
    Live.errors.ended()
  }
}
