/// Letters that wait on a thread, in a field of its record.
final class WaitingLetters {
  private var letters = LetterRow()

  @inline(never)
  static func append(_ letter: consuming Letter, to field: inout UnsafeMutableRawPointer?) {
    let waiting: WaitingLetters
    if let known = field {
      waiting = Unmanaged<WaitingLetters>.fromOpaque(known).takeUnretainedValue()
    } else {
      waiting = WaitingLetters()
      field = Unmanaged.passRetained(waiting).toOpaque()
    }
    waiting.letters.append(letter)
  }

  /// Takes out what waits; the field is as good as new.
  @inline(never)
  static func take(from field: inout UnsafeMutableRawPointer?) -> WaitingLetters? {
    guard let known = field else { return nil }
    field = nil
    return Unmanaged<WaitingLetters>.fromOpaque(known).takeRetainedValue()
  }

  func takeFirst() -> Letter? { letters.takeFirst() }
}
