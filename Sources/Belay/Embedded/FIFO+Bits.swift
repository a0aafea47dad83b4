extension FIFO {
  /// Whether an element keeps its bits when it is moved. All of the library's own do: none has a weak reference.
  static var movesBits: Bool { true }
}
