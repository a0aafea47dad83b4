import Belay

extension MarbleTest where Value: Equatable {
  /// - Parameter value: gives the value that a letter or a digit of the diagrams stands for.
  public convenience init(_ value: @escaping (Character) -> Value) {
    self.init(
      MarbleAlphabet(
        value: { value(Character(UnicodeScalar($0))) }, areEqual: { $0 == $1 },
        describe: { "\($0)" }))
  }
}
