open class Sink<Value> {
  public init() {}
  #if WORKAROUND
    private final func unused(_ value: Value) -> Int { 1 }
  #else
    private func unused(_ value: Value) -> Int { 1 }
  #endif
  open func next(_ value: Value) -> Int { 2 }
}
