import Synchronization

extension Signal {
  /// Makes a resource for each subscription, and sends the events of the signal that `signal` makes
  /// of it. The resource is disposed of at the end of the subscription, or when `signal` returns if
  /// that is later. An error that a closure throws is the subscription's.
  public static func using<Resource: Disposable>(
    _ resource: @escaping () throws(ClosureError) -> Resource,
    _ signal: @escaping (Resource) throws(ClosureError) -> Signal<Value>
  ) -> Signal<Value> {
    UsingSignal(
      { () throws(ClosureError) -> (Disposable, Resource) in
        let made = try resource()
        return (made, made)
      }, signal)
  }

  /// The same for a resource that another object disposes of.
  package static func using<Resource>(
    paired resource: @escaping () throws(ClosureError) -> (Disposable, Resource),
    _ signal: @escaping (Resource) throws(ClosureError) -> Signal<Value>
  ) -> Signal<Value> {
    UsingSignal(resource, signal)
  }
}

/// Makes a resource, and a stage that ends it, for each subscription.
private final class UsingSignal<Value, Resource>: Signal<Value>, @unchecked Sendable {
  private let makeResource: () throws(ClosureError) -> (Disposable, Resource)
  private let makeSignal: (Resource) throws(ClosureError) -> Signal<Value>

  init(
    _ makeResource: @escaping () throws(ClosureError) -> (Disposable, Resource),
    _ makeSignal: @escaping (Resource) throws(ClosureError) -> Signal<Value>
  ) {
    self.makeResource = makeResource
    self.makeSignal = makeSignal
    super.init()
  }

  override var builtName: Text { "using" }

  override func attach(_ sink: Sink<Value>, at home: Home) -> Code {
    let makeSignal = makeSignal
    do throws(ClosureError) {
      let (disposable, resource) = try makeResource()
      if sink.isClosed {
        disposable.dispose()
        return .ok
      }
      let stage = UsingStage(sink, disposable)
      sink.upstream = stage
      stage.connect(at: home) { () throws(ClosureError) -> Signal<Value> in try makeSignal(resource)
      }
      return .ok
    } catch {
      return sink.refuse(.carrying(error), "using", at: home)
    }
  }
}

/// Disposes of the resource when it is torn down, but not while the closure uses it that makes the
/// signal.
private final class UsingStage<Value>: Stage<Value, Value>, @unchecked Sendable {
  private let resource: Disposable
  /// The subscription and the call of the closure.
  private let users = Atomic<Int>(2)

  init(_ downstream: Sink<Value>, _ resource: Disposable) {
    self.resource = resource
    super.init(downstream)
  }

  private func letGo() {
    if users.wrappingSubtract(1, ordering: .acquiringAndReleasing).newValue == 0 {
      resource.dispose()
    }
  }

  func connect(at home: Home, _ makeSignal: () throws(ClosureError) -> Signal<Value>) {
    upstream = SilentSource("using", home)
    let signal: Signal<Value>
    do throws(ClosureError) {
      defer { letGo() }
      signal = try makeSignal()
    } catch {
      return deliverEnd(.failed(.carrying(error)))
    }
    if isDisposed { return }
    let code = signal.connect(self, at: home)
    if code.isFailure { deliverEnd(.failed(Failure(code))) }
  }

  override func next(_ value: Value) { pass(value) }

  override func tearDown() { letGo() }
}
