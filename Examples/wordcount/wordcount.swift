// wordcount FILE: the ten most frequent words of a file that is read as a stream of lines. A word is
// a run of letters from A to Z, in any bytes. The same program, with the same output, stands beside
// this one in every language that Belay is bound to.
import Belay
import BelayIO
import BelayLoop
import Foundation

@main @MainActor struct WordCount {
  static func main() async throws {
    let loop = try Loop()
    let words = loop.fileLines(CommandLine.arguments.dropFirst().first ?? "")
      .concatMap { line in
        Signal.from(
          line.unicodeScalars.split { !$0.isASCII || !$0.properties.isAlphabetic }
            .map { String($0).lowercased() })
      }
      .collect()
    // This waits on the main actor, which also runs the loop's turns.
    async let running: Void = loop.runOnMainActor()
    do {
      try FileHandle.standardOutput.write(contentsOf: report(try await words.singleValue()))
    } catch {
      let message = (error as? Belay.Failure)?.message ?? "\(error)"
      FileHandle.standardError.write(Data("wordcount: \(message)\n".utf8))
      exit(1)
    }
    try await running
  }

  static func report(_ words: [String]) -> Data {
    let counts = words.reduce(into: [:]) { counts, word in counts[word, default: 0] += 1 }
    var text = "\(words.count) words, \(counts.count) different\n"
    let ranked = counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
    for (word, count) in ranked.prefix(10) {
      text += String(repeating: " ", count: max(0, 5 - "\(count)".count)) + "\(count) \(word)\n"
    }
    return Data(text.utf8)
  }
}
