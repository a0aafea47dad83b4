@testable import Belay

/// What key paths are observed of.
final class Person: Object, @unchecked Sendable {
  @Observed var name = "Ann"
  @Observed var age: Int
  @Observed var boss: Person?
  @ObservedWeak var mate: Person?
  var computedMate: Person? { hidden }
  var hidden: Person?

  var title: String { "\(name) (\(age))" }

  init(_ age: Int = 20) {
    self.age = age
    super.init()
  }
}
