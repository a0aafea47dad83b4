extension FIFO {
  /// Whether an element keeps its bits when it is moved.
  static var movesBits: Bool { _isBitwiseTakable(Element.self) }
}
