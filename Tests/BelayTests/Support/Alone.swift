import Belay
import Glibc
import Testing

/// Runs one test at a time in the whole process, and compares the live counts before and after it.
///
/// The test targets share a process, but no module: what they lock is the program's own file.
struct Alone: SuiteTrait, TestTrait, TestScoping {
  var isRecursive: Bool { true }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let lock = await Self.lockedProgram()
    defer { close(lock) }
    let before = Self.counts()
    try await function()
    // A task that has ended may still be going away.
    var patience = 2000
    while Self.counts() != before && patience > 0 {
      try? await Task.sleep(nanoseconds: 1_000_000)
      patience -= 1
    }
    #expect(Self.counts() == before, "what is alive after the test")
  }

  /// Waits on a thread of its own, for there are few threads that run tests.
  private static func lockedProgram() async -> Int32 {
    await withCheckedContinuation { continuation in
      Routine {
        let file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC)
        while flock(file, LOCK_EX) != 0 {}
        continuation.resume(returning: file)
      }
      .detach()
    }
  }

  private static func counts() -> [String: Int] {
    var counts: [String: Int] = [:]
    // Slots in static tables keep their closures, and classes their hooks.
    for kind in Live.allCases where kind.rawValue < Live.closures.rawValue {
      counts["\(kind)"] = kind.count
    }
    return counts
  }
}

extension Trait where Self == Alone {
  static var alone: Alone { Alone() }
}
