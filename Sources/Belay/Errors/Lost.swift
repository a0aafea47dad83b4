import Synchronization

/// Counts what is dropped after its sender was told that it was taken: a value, an end, a piece of
/// work. Nobody is left to be told, so the first one at each place is reported.
public enum Lost {
  private static let total = Atomic<Int>(0)

  /// How many there have been in the process.
  public static var count: Int { total.load(ordering: .relaxed) }

  private static let work = Place()

  /// `work`, which waited for a home, is not run there.
  package static func lose(_ work: Entity) { Self.work.lose(work, .canceled) }

  /// Where things may be lost.
  struct Place: ~Copyable {
    private let isReported = Atomic<Bool>(false)

    /// `receiver` does not get `count` events or pieces of work.
    @inline(never)
    borrowing func lose(_ receiver: Entity, _ code: Code, count: Int = 1) {
      total.add(count, ordering: .relaxed)
      if isReported.exchange(true, ordering: .relaxed) { return }
      let source = receiver as? Source
      let name = (receiver as? Upstream)?.chainName ?? "a loop or a pool"
      let site = source?.site.map { " at " + $0.text } ?? ""
      ErrorOutput.print(
        "belay: lost on the way to " + name + site + ": " + code.text
          + " (more are only counted)")
    }
  }
}
