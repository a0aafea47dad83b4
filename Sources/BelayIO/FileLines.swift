@_spi(Engine) import Belay
@_spi(Engine) import BelayLoop
import CLibuv

/// Options of `fileLines`.
public struct FileLinesOptions: OptionSet, Sendable {
  public let rawValue: UInt32
  public init(rawValue: UInt32) { self.rawValue = rawValue }
  /// Continues as the file grows, also after truncation and rotation.
  public static let follow = FileLinesOptions(rawValue: 1)
  /// Begins with the lines that are appended.
  public static let fromEnd = FileLinesOptions(rawValue: 2)
  /// Sends bytes as they are read.
  static let inChunks = FileLinesOptions(rawValue: 4)
}

#if !hasFeature(Embedded)
  extension Loop {
    /// Sends the lines of a file, without their ends. Bytes that are not UTF-8 are replaced.
    ///
    /// Completes at the end of the file. With `.follow` it waits for more instead. A file that shrank
    /// is read again from its beginning. A file that was replaced is read to its end, and then the
    /// new one. A file that vanished is waited for. If the file cannot be opened at first, or cannot
    /// be read, the signal fails with libuv's code and a message with the path. A FIFO is read
    /// until its last writer has gone, without an occupied thread. A line longer than 1 MiB comes in pieces.
    ///
    /// While some 500 lines, or what was made of them, wait for `values` or behind `observe(on:)`, the
    /// file is not read.
    public func fileLines(_ path: String, _ options: FileLinesOptions = []) -> Signal<String> {
      .trying { () throws(Failure) in
        core.fileLines(try path.cText(), options) {
          Bytes(taking: CountedBytes(copying: $0, from: $1))
        }
        .texts()
      }
    }

    /// Sends the bytes of a file in values of at most 64 KiB. Everything else is as in `fileLines`.
    ///
    /// While much of what was sent is held, in queues or by the program, the file is not read: a
    /// slow subscriber at another home slows it. A piece that is kept for good should be copied.
    public func fileChunks(
      _ path: String, _ options: FileLinesOptions = []
    ) -> Signal<Bytes> {
      .trying { () throws(Failure) in
        core.fileChunks(try path.cText(), options) {
          Bytes(taking: CountedBytes(copying: $0, from: $1))
        }
      }
    }
  }
#endif

extension LoopCore {
  /// `convert` makes the values, which may count at the source; the signal takes over their references.
  package func fileLines<Value>(
    _ path: CText, _ options: FileLinesOptions,
    convert: @escaping (UnsafeRawBufferPointer, ByteSource) -> Value
  ) -> Signal<Value> {
    followFile("file_lines", path, options, convert)
  }

  /// The same for chunks.
  package func fileChunks<Value>(
    _ path: CText, _ options: FileLinesOptions,
    convert: @escaping (UnsafeRawBufferPointer, ByteSource) -> Value
  ) -> Signal<Value> {
    followFile("file_chunks", path, options.union(.inChunks), convert)
  }
}
