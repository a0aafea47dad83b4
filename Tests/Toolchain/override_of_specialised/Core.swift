open class Sink<Value> {
  public init() {}
  open func next(_ value: Value) {}
}

public final class Source<Value> {
  var sinks: [Sink<Value>] = []
  public init() {}
  public func add(_ sink: Sink<Value>) { sinks.append(sink) }
  public func send(_ value: Value) { for sink in sinks { sink.next(value) } }
}
