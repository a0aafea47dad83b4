import Belay
import CLibuv

/// How `fileLines` reads.
public struct FileLinesOptions: OptionSet, Sendable {
  public let rawValue: UInt32
  public init(rawValue: UInt32) { self.rawValue = rawValue }
  /// Goes on as the file grows, through truncation and rotation.
  public static let follow = FileLinesOptions(rawValue: 1)
  /// Begins with what is appended.
  public static let fromEnd = FileLinesOptions(rawValue: 2)
}

extension Loop {
  /// The lines of a file, without their ends; bytes that are not UTF-8 are replaced.
  ///
  /// Completes at the end of the file; with `.follow` it waits for more instead: a file that shrank
  /// is read anew, one that was replaced is read to its end, then its successor; one that vanished
  /// is waited for. A file that cannot be opened at the start, or read, is an error with libuv's
  /// code and the path in its message; a pipe is one with `.invalid`. A line longer than 1 MiB comes in pieces.
  public func fileLines(_ path: Text, _ options: FileLinesOptions = []) -> Signal<Text> {
    core.fileLines(CText(path), options) { Text(decoding: $0, as: UTF8.self) }
  }
}

extension LoopCore {
  /// `convert` makes the values, which are given away.
  package func fileLines<Value>(
    _ path: CText, _ options: FileLinesOptions,
    convert: @escaping (UnsafeRawBufferPointer) -> Value
  ) -> Signal<Value> {
    .create(SourceOptions(label: "file_lines")) { [self] subscriber in
      FileTail(
        self, path, options,
        events: FileTail.Events(
          line: { subscriber.send(giving: convert($0)) },
          failed: { subscriber.error($0) },
          completed: { subscriber.completed() })
      ).run()
    }
  }
}
