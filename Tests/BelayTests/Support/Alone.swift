import Belay
import Glibc
import Testing

/// Runs one test at a time in the whole process, and compares the live counts and the number of
/// descriptors before and after it.
///
/// The test targets share a process, but no module: what they lock is the program's own file.
struct Alone: SuiteTrait, TestTrait, TestScoping {
  var isRecursive: Bool { true }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    let lock = await Self.lockedProgram()
    defer { close(lock) }
    await Self.warmth.value
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

  /// Opens what the process keeps: Dispatch's timers, one for each clock, and what the target adds.
  private static let warmth = Task {
    try? await Task.sleep(nanoseconds: 1_000_000)
    try? await Task.sleep(for: .milliseconds(1))
    warmUp()
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
    counts["descriptors"] = descriptors()
    return counts
  }

  /// How many descriptors the process has, without those with which other targets' tests wait for
  /// the lock.
  private static func descriptors() -> Int {
    let program = target(of: "/proc/self/exe")
    guard let directory = opendir("/proc/self/fd") else { return -1 }
    defer { closedir(directory) }
    var count = 0
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if target(of: "/proc/self/fd/" + name) != program { count += 1 }
    }
    return count
  }

  private static func target(of link: String) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: 4096) { room, count in
      count = room.withMemoryRebound(to: CChar.self) {
        max(0, readlink(link, $0.baseAddress!, $0.count))
      }
    }
  }
}

extension Trait where Self == Alone {
  static var alone: Alone { Alone() }
}
