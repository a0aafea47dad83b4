import Synchronization

/// Counts events and work that are dropped after their sender was told that they were accepted. No
/// caller is left to get a code, so the first loss at each place is reported.
public enum Lost {
  private static let total = Atomic<Int>(0)

  /// How many there have been in this process.
  public static var count: Int { total.load(ordering: .relaxed) }

  private static let work = Counter()
  private static let bytes = Counter()

  /// Counts `work`, which waited for a home that has closed, or could not get there because of `code`.
  package static func lose(_ work: Entity, _ code: Code = .canceled) { Self.work.add(work, code) }

  /// Counts a buffer of another thread's that a stream does not take any more.
  package static func loseBytes(_ code: Code = .canceled) { bytes.add(nil, code) }

  /// Counts the losses of one receiver, and reports the first one only.
  struct Counter: ~Copyable {
    private let isReported = Atomic<Bool>(false)

    /// Counts `count` events or pieces of work that `receiver` does not get; nil: a stream.
    @inline(never)
    borrowing func add(_ receiver: Entity?, _ code: Code, count: Int = 1) {
      total.wrappingAdd(count, ordering: .relaxed)
      if isReported.exchange(true, ordering: .relaxed) { return }
      let source = receiver as? Source
      let name =
        (receiver as? Upstream)?.chainName ?? (receiver == nil ? "a stream" : "a loop or a pool")
      let site = source?.site.map { " at " + $0.text } ?? ""
      ErrorOutput.print(
        "belay: lost on the way to " + name + site + ": " + code.text
          + " (more are only counted)")
    }
  }
}

extension Link {
  /// Ends the subscription, because a scheduler has run its work on a thread from which nothing reaches
  /// `home`, and would not run it again.
  final func lose(_ code: Code, at home: Home) {
    Lost.lose(home, code)
    dispose()
  }
}
