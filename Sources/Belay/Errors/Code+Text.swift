extension Code {
  /// Names and texts of Belay's own codes, and of others that it answers itself.
  private static let table: [(code: Code, name: StaticString, text: StaticString)] = [
    (.ok, "OK", "no error"),
    (.queued, "QUEUED", "taken, delivered later"),
    (.notPermitted, "EPERM", "not permitted"),
    (.noMemory, "ENOMEM", "not enough memory"),
    (.readOnly, "EROFS", "read-only memory"),
    (.unsupported, "ENOTSUP", "not supported by this build or system"),
    (.invalid, "EINVAL", "invalid argument"),
    (Code(rawValue: -10), "ECHILD", "waited for elsewhere"),
    (.again, "EAGAIN", "a queue is full, try again"),
    (.busy, "EBUSY", "busy: the loop is running"),
    (.canceled, "ECANCELED", "canceled"),
    (.deadlock, "EDEADLK", "waiting would deadlock"),
    (.tooLong, "EMSGSIZE", "message too long"),
    (.cutShort, "EPROTO", "protocol error"),
    (.notUTF8, "EILSEQ", "not UTF-8"),
    (.inProgress, "EINPROGRESS", "called from inside the callback it waits for"),
    (.notFound, "ENOENT", "not found"),
    (.range, "ERANGE", "out of range"),
    (.timedOut, "ETIMEDOUT", "timed out"),
    (.noHome, "ENOHOME", "sent from elsewhere to a home without a loop"),
    (.wrongThread, "EWRONGTHREAD", "called on the wrong thread"),
    (.wrongKind, "EKIND", "a value or handle of another kind"),
    (.ended, "EENDED", "the signal has ended"),
    (.disposed, "EDISPOSED", "disposed already"),
    (.assigned, "EASSIGNED", "assigned already"),
    (.reentrant, "EREENTRANT", "sent from inside its own delivery"),
    (.dead, "EDEAD", "the owner is dying or dead"),
    (.closed, "ECLOSED", "the loop is closed"),
    (.released, "ERELEASED", "released already"),
    (.bound, "EBOUND", "the thread or the loop is bound already"),
    (.mismatch, "EMISMATCH", "not what was expected"),
  ]

  /// The name of the code's constant in C, if it is in the table.
  package var staticName: StaticString? { Self.table.first { $0.code == self }?.name }

  /// The text of the code, if it is in the table.
  package var staticText: StaticString? { Self.table.first { $0.code == self }?.text }

  /// The meaning of the code, in English.
  public var text: Text {
    if let known = staticText { return known.string }
    return "error \(rawValue)"
  }
}

extension StaticString {
  /// The string as text.
  package var string: Text {
    withUTF8Buffer { Text(decoding: $0, as: UTF8.self) }
  }
}
