import Belay
import BelayIO
import BelayLoop
import Testing

extension Loop {
  /// Serves echoes at `listener`, says hello over `connection`, and hears that come back. Runs the loop.
  func expectEcho(
    from listener: Listener, over connection: Signal<Stream>,
    _ place: SourceLocation = #_sourceLocation
  ) throws {
    let trace = Trace()
    let serving = listener.connections.flatMap { stream in
      stream.write(all: stream.read()).finally { stream.shutDown() }
    }.subscribe()
    connection.flatMap { stream -> Signal<Bytes> in
      #expect(stream.write("hello") == .ok, sourceLocation: place)
      stream.shutDown()
      return stream.read()
    }.map { $0.text ?? "" }.subscribe(
      next: { trace.add($0) },
      completed: {
        trace.add("completed")
        serving.dispose()
      })
    try run()
    #expect(trace.take() == "hello | completed", sourceLocation: place)
  }
}
