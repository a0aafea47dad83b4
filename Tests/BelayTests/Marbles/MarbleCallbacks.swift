@testable import Belay

/// Callbacks and words that operations of several families use.
extension MarbleRun {
  func odd(_ value: MarbleValue) throws(Failure) -> Bool {
    try enter(value)
    return value.number % 2 == 1
  }

  func doubled(_ value: MarbleValue) throws(Failure) -> MarbleValue {
    try enter(value)
    return .int(value.number * 2)
  }

  /// The first input.
  var source: Signal<MarbleValue> { input(0) }
  /// The word after it, in milliseconds.
  var span: Duration { .milliseconds(number(1)) }
}
