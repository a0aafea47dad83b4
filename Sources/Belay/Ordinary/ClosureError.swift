/// The error that closures of operators may throw. A `Failure` becomes the signal's error as it is;
/// any other error is carried by one, as its `underlying`.
public typealias ClosureError = any Error

extension Failure {
  /// The failure with which a signal ends when a closure has thrown `error`.
  @inline(never)
  package static func carrying(_ error: ClosureError) -> Failure {
    error as? Failure ?? Failure(error)
  }

  /// The error to throw where any may be: the Swift error that this carries, or else this.
  ///
  /// A `CancellationError` that is thrown says that the task was cancelled. So one that a signal
  /// carries stays in its failure.
  package var thrown: any Error {
    guard let underlying, !(underlying is CancellationError) else { return self }
    return underlying
  }
}

extension Failure: CustomStringConvertible {
  /// The code, the message, and the causes, for people to read:
  /// `ETIMEDOUT (-110): timed out, caused by http 503: try later`.
  public var description: String {
    var text = ownDescription
    var next = cause
    // A chain that C has made may be of any length.
    for _ in 0..<16 {
      guard let cause = next else { return text }
      text += ", caused by " + cause.ownDescription
      next = cause.cause
    }
    return next == nil ? text : text + ", …"
  }

  private var ownDescription: String {
    let number =
      domain == "belay"
      ? code.description
      : domain == "swift" ? "swift \(code)" : "\(domain) \(code.rawValue)"
    guard let underlying, message != "\(underlying)" else { return "\(number): \(message)" }
    return "\(number): \(message), caused by \(underlying)"
  }
}

extension Code: CustomStringConvertible {
  /// The name of the constant in C with the number: `EAGAIN (-11)`.
  public var description: String {
    staticName.map { "\($0) (\(rawValue))" } ?? "\(rawValue)"
  }
}
