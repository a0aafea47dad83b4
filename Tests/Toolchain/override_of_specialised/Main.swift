// A class that is not generic overrides a method of a specialised generic class. The caller passes a
// value, and the override takes it for the value's address.
// applies: program killed|wrong
import Core

#if WORKAROUND
  final class LastOne<Value>: Sink<Value> {
    var value: Value?
    override func next(_ value: Value) { self.value = value }
  }
  typealias Last = LastOne<Int>
#else
  final class Last: Sink<Int> {
    var value: Int?
    override func next(_ value: Int) { self.value = value }
  }
#endif

@main struct Main {
  static func main() {
    let source = Source<Int>()
    let sink = Last()
    source.add(sink)
    source.send(7)
    print(sink.value == 7 ? "right" : "wrong")
  }
}
