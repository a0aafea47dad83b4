import Foundation
import Testing

/// Lets other tasks run until `isTrue` says so. What has not come true after a minute fails the
/// test: one that waited for ever would end the whole run without a word about itself.
func until(
  isolation: isolated (any Actor)? = #isolation,
  sourceLocation: SourceLocation = #_sourceLocation, _ isTrue: () async -> Bool
) async {
  let limit = ContinuousClock.now + .seconds(60)
  while !(await isTrue()) {
    if ContinuousClock.now > limit {
      Issue.record("this has not come true in a minute", sourceLocation: sourceLocation)
      return
    }
    await Task.yield()
  }
}

/// How much of the process is in memory.
func residentKilobytes() -> Int {
  let status = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
  let pages = status.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
  return pages * 4
}
