import Foundation

/// Lets other tasks run until `isTrue` says so.
func until(
  isolation: isolated (any Actor)? = #isolation, _ isTrue: () -> Bool
) async { while !isTrue() { await Task.yield() } }

/// How much of the process is in memory.
func residentKilobytes() -> Int {
  let status = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
  let pages = status.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
  return pages * 4
}
