extension Shape {
  /// The shape of a function with these types; `context`, "@" or nothing, comes before the
  /// arguments. Throws `.invalid` for wrong letters, and for a shape whose sizes are not those of
  /// the types.
  convenience init<Result: CResult, each Argument: CType>(
    of result: Result.Type, _ context: String, _ arguments: repeat (each Argument).Type
  ) throws(Failure) {
    var letters = Result.shape + context
    for letter in repeat (each Argument).shape { letters += letter }
    try self.init(ShapeTexts.site(letters))
    var index = context.isEmpty ? 0 : 1
    var isRight = isVoid || self.result.size == MemoryLayout<Result.Returned>.size
    for size in repeat MemoryLayout<each Argument>.size {
      isRight = isRight && index < count && argument(index).size == size
      index += 1
    }
    if !isRight || index != count {
      throw Failure(.invalid, message: "the shape \(letters) has other sizes than its types")
    }
  }
}

/// The texts of shapes. They are never freed: there are as many as there are types of functions.
private enum ShapeTexts {
  private static let lock = Lock()
  nonisolated(unsafe) private static var texts: [String: CText] = [:]

  static func site(_ letters: String) -> StaticSite {
    lock.withLock {
      let text = texts[letters] ?? CText(letters)
      texts[letters] = text
      return StaticSite(at: text.pointer)
    }
  }
}
