/// Messages that wait on a thread. A field of the thread's record refers to them.
final class WaitingMessages {
  private var messages = MessageQueue()

  @inline(never)
  static func append(_ message: consuming Message, to field: inout UnsafeMutableRawPointer?) {
    let waiting: WaitingMessages
    if let known = field {
      waiting = Unmanaged<WaitingMessages>.fromOpaque(known).takeUnretainedValue()
    } else {
      waiting = WaitingMessages()
      field = Unmanaged.passRetained(waiting).toOpaque()
    }
    waiting.messages.append(message)
  }

  /// Takes out what waits, and leaves the field empty.
  @inline(never)
  static func take(from field: inout UnsafeMutableRawPointer?) -> WaitingMessages? {
    guard let known = field else { return nil }
    field = nil
    return Unmanaged<WaitingMessages>.fromOpaque(known).takeRetainedValue()
  }

  func takeFirst() -> Message? { messages.takeFirst() }
}
