/// The error that closures of operators may throw. Embedded Swift has no `any Error`.
public typealias ClosureError = Failure

extension Failure {
  /// The failure with which a signal ends when a closure has thrown `error`.
  @inline(__always)
  package static func carrying(_ error: ClosureError) -> Failure { error }
}
