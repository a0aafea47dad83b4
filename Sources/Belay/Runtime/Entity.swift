/// The root of everything that has a handle. An entity can receive messages.
open class Entity: @unchecked Sendable {
  @_spi(Engine) public init() {}

  #if BELAY_CHECKED
    deinit { HandleLedger.goes(self) }
  #endif

  /// The kind of this, as a foreign value.
  @_spi(Engine) open var valueKind: ValueKind { .null }

  /// Handles a message, at the home to which it was posted. If `isCanceled`, the message was
  /// refused, and this only gives back what it carries.
  @_spi(Engine) open func receive(_ message: inout Message, isCanceled: Bool) {}
}
