import Foundation
import Testing

@testable import Belay

/// The operations that the cases of Tests/Marbles name, by family.
private let operations: MarbleOperations = [
  aggregatingOperations,
  chainsOperations,
  combiningOperations,
  creatingOperations,
  effectsOperations,
  filteringOperations,
  flatteningOperations,
  sharingOperations,
  timingOperations,
  transformingOperations,
  usualOperations,
].reduce(into: [:]) { all, family in all.merge(family) { $1 } }

struct MarbleCase {
  let title: String
  let lines: [String]

  /// The cases of all files.
  static func all() -> [MarbleCase] {
    let directory = URL(filePath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Marbles")
    let files = (try? FileManager.default.subpathsOfDirectory(atPath: directory.path)) ?? []
    return files.filter { $0.hasSuffix(".txt") }.sorted().flatMap { file -> [MarbleCase] in
      let place = directory.appending(path: file)
      let text = (try? String(contentsOf: place, encoding: .utf8)) ?? ""
      return cases(in: text, of: place.deletingPathExtension().lastPathComponent)
    }
  }

  private static func cases(in text: String, of file: String) -> [MarbleCase] {
    var cases: [(title: String, lines: [String])] = []
    for line in text.split(separator: "\n") {
      let line = line.trimmingCharacters(in: .whitespaces)
      if line.hasPrefix("==") {
        cases.append((file + ": " + line.dropFirst(2).trimmingCharacters(in: .whitespaces), []))
      } else if !line.hasPrefix("#"), !line.isEmpty, !cases.isEmpty {
        cases[cases.count - 1].lines.append(line)
      }
    }
    return cases.map { MarbleCase(title: $0.title, lines: $0.lines) }
  }
}

extension CoreTests {
  @Suite struct Marbles {
    // The cases are not arguments: a test that has to be alone cannot be several.
    @Test func diagrams() {
      let cases = MarbleCase.all()
      #expect(cases.count > 5)
      for one in cases {
        do {
          let complaints = try MarbleRun(one.lines).play(operations)
          #expect(complaints == [], "\(one.title)")
        } catch let failure as Failure {
          Issue.record("\(one.title): \(failure.message)")
        } catch {
          Issue.record("\(one.title): \(error)")
        }
      }
    }
  }
}
