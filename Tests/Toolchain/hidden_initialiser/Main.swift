// An internal class stands between an open class and private ones, and hides its base's initialiser.
// The thunk for that initialiser calls itself, which is a warning, and so an error of ours.
// applies: compiler function call causes an infinite recursion
import Core

@main struct Main {
  static func main() {
    makeInput(Sink<Bool>()).end()
    print("right")
  }
}
