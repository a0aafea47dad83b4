// A private method that nobody uses is removed, and a function that traps takes its place in the table
// of each class below.
// applies: ir N" = .*@swift_deletedMethodError
import Core

final class Last<Value>: Sink<Value> {
  override func next(_ value: Value) -> Int { 3 }
}

@inline(never) func make<Value>(_: Value.Type) -> Sink<Value> { Last<Value>() }

@main struct Main {
  static func main() { print(make(Int.self).next(1) == 3 ? "right" : "wrong") }
}
