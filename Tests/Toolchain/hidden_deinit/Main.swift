// A generic struct that cannot be copied has a deinit and is not public. A generic class of the same module
// holds it. Without optimisation, another module cannot specialise that class: the compiler does not find
// the deinit there.
// applies: compiler deinit of non-copyable type not visible in the current module
// flags: -Onone
import Core

@main struct Main {
  static func main() { print(Holder<Int>(7).element == 7 ? "right" : "wrong") }
}
