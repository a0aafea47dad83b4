import Synchronization

/// Counts calls that were wrong.
public enum Misuse {
  private static let total = Atomic<Int>(0)

  /// Misuse seen so far in the process.
  public static var count: Int { total.load(ordering: .relaxed) }

  static func note(_ code: Code) {
    switch code {
    case .invalid, .wrongKind, .wrongThread, .released, .assigned, .bound, .closed, .busy:
      total.add(1, ordering: .relaxed)
    default: break
    }
  }
}
