// An initialiser throws before all fields are set: the object's memory is not freed.
// applies: program wrong
import Core

@_silgen_name("toolchain_blocks") func blocks() -> Int32

final class Link<Value>: Node {
  let held: Node
  init(_ value: Value, isCanceled: Bool) throws(Refusal) {
    #if WORKAROUND
      held = Node()
      super.init()
      if isCanceled { throw .refused }
    #else
      if isCanceled { throw .refused }
      held = Node()
      super.init()
    #endif
  }
}

@inline(never) func make(_ isCanceled: Bool) -> Bool {
  do throws(Refusal) {
    _ = try Link(1, isCanceled: isCanceled)
    return true
  } catch { return false }
}

@main struct Main {
  static func main() {
    _ = make(false)
    let before = blocks()
    for _ in 0..<10 { _ = make(true) }
    print(blocks() == before ? "right" : "wrong")
  }
}
