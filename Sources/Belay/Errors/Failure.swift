/// Why a signal failed: a code, a domain and a message, and what came with it.
public final class Failure: Entity, Error, @unchecked Sendable {
  public let code: Code
  public let domain: Text
  public let message: Text
  public var cause: Failure? { heldCause }
  private var heldCause: Failure?
  /// Whether its code says all.
  let isPlain: Bool
  /// A value of another language that came with it; kept.
  package let value: ForeignValue?
  #if !hasFeature(Embedded)
    /// The Swift error that this failure carries, if it came from one.
    public let underlying: (any Error)?
  #endif

  /// - Parameters:
  ///   - domain: nil is "belay".
  ///   - message: nil is the code's.
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

  // Made in so many places that each is only a call.

  /// With the code's own message.
  @inline(never)
  public convenience init(_ code: Code) {
    self.init(code, domain: nil, message: nil, cause: nil)
  }

  @inline(never)
  public convenience init(_ code: Code, message: Text) {
    self.init(code, domain: nil, message: message, cause: nil)
  }

  /// Takes over `value`, whose references are counted by hand.
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

  public override var valueKind: ValueKind { .error }

  /// The texts for C; they live as long as the failure.
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
