public struct Text {
  public var parts: [Int]
  public init(_ count: Int) { parts = Array(repeating: 1, count: count) }
}
