import Synchronization

/// Counts wrong calls.
public enum Misuse {
  private static let total = Atomic<Int>(0)

  /// How many there have been in this process.
  public static var count: Int { total.load(ordering: .relaxed) }

  static func note(_ code: Code) {
    switch code {
    case .invalid, .wrongKind, .wrongThread, .released, .assigned, .bound, .closed, .busy:
      total.wrappingAdd(1, ordering: .relaxed)
    default: break
    }
  }
}
