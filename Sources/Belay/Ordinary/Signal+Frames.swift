extension Signal where Value == Bytes {
  /// Sends the lines without their ends, "\n" or "\r\n". A line of more than `limit` bytes fails
  /// with `.tooLong`.
  public final func lines(limit: Int = 1 << 20) -> Signal<Bytes> {
    framed("lines", .lines(limit: Swift.max(1, limit), inPieces: false))
  }

  /// Sends what is between the delimiters, which are not empty. A frame of more than `limit` bytes
  /// fails with `.tooLong`.
  public final func frames(by delimiter: Bytes, limit: Int = 1 << 20) -> Signal<Bytes> {
    framed(
      "frames_delimited", .delimiter(delimiter.isEmpty ? [10] : Array(delimiter), limit: limit))
  }

  /// Sends frames of `size` bytes, which is at least 1. The last one may be shorter.
  public final func frames(of size: Int) -> Signal<Bytes> {
    framed("frames_fixed", .fixed(Swift.max(1, size)))
  }

  /// Sends frames that have their length in front, as a number of the type `Length`. A longer one
  /// than `limit` fails with `.tooLong`; an end inside of one with `.cutShort`. A limit below 0 is 0.
  public final func frames<Length: FixedWidthInteger & UnsignedInteger>(
    prefixedBy length: Length.Type, isLittleEndian: Bool = false, limit: Int = 1 << 20
  ) -> Signal<Bytes> {
    framed(
      "frames_prefixed",
      .prefixed(
        width: MemoryLayout<Length>.size, isLittleEndian: isLittleEndian, limit: limit))
  }

  /// Sends the text, a piece for each piece, with characters that were cut put together. Bytes that
  /// are not UTF-8 fail with `.notUTF8`. A text that waits in a queue counts as its bytes would.
  public final func utf8() -> Signal<String> { framed("utf8", .utf8).texts() }
}

extension Bytes: FrameValue {
  package var wholeBytes: BytesBox? { bytesBox }

  package static func frame(
    _ bytes: UnsafeRawBufferPointer, of whole: BytesBox, at frames: ByteSource?, isText: Bool
  ) -> Bytes { Bytes(taking: whole.part(bytes, as: .bytes, of: frames)) }
}
