// LLVM inlines the test whether a reference is the only one, and moves a retain behind it. An array that
// somebody else has is then changed in place.
// applies: program wrong
// workaround: -Xllvm -force-attribute=swift_isUniquelyReferenced_native:noinline -Xllvm -force-attribute=swift_isUniquelyReferenced_nonNull_native:noinline
import Core

@inline(never) func changed(_ parts: [Int]) -> [Int] {
  var copy = parts
  copy[0] = 9
  return copy
}

@main struct Main {
  static func main() {
    let text = Text(3)
    _ = changed(text.parts)
    print(text.parts[0] == 1 ? "right" : "wrong")
  }
}
