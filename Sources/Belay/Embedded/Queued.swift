/// A value in a queue. It keeps itself what must be kept.
typealias Queued<Value> = Value

@inline(__always)
func queued<Value>(_ value: Value) -> Queued<Value> { value }

/// Calls `body` with a value that has waited.
@inline(__always)
func hand<Value>(_ queued: Queued<Value>, to body: (Value) -> Void) { body(queued) }
