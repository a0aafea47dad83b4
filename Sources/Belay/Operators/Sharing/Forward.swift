/// Sends all events into a subject, for connections and bindings.
final class ForwardStage<Value>: Stage<Value, Value>, @unchecked Sendable {
  private var subject: Subject<Value>?
  private let run: SharedRun<Value>?

  init(_ downstream: Sink<Value>, to subject: Subject<Value>, for run: SharedRun<Value>?) {
    self.subject = subject
    self.run = run
    super.init(downstream)
  }

  override func next(_ value: Value) {
    if let code = subject?.emit(value), code.isRefusal {
      end(.failed(Failure(code, message: "the subject took no more values")))
    }
  }

  override func end(_ end: End) {
    let subject = subject
    run?.sourceEnded(end)
    if case .interrupted = end, run == nil {
      // A binding's subject is not interrupted, because the program may go on sending into it.
    } else {
      _ = subject?.emit(end)
    }
    pass(end: end)
  }

  override func tearDown() {
    let subject = subject
    self.subject = nil
    run?.connectionEnded()
    extendLifetime(subject)  // perhaps the last reference, so nothing may be half done
  }
}

/// The subscription below a `ForwardStage`.
final class ForwardSubscription<Value>: Subscription<Value>, @unchecked Sendable {
  private let ownHome: Home
  private var run: SharedRun<Value>?

  init(at home: Home, for run: SharedRun<Value>? = nil) {
    ownHome = home
    self.run = run
    super.init()
  }

  /// The run is told here, too, because a disposal may come before there is a `ForwardStage`.
  override func freeContext() {
    let run = run
    self.run = nil
    run?.connectionEnded()
  }

  override var fixedHome: Unmanaged<Home>? { .passUnretained(ownHome) }
  // The subject has got the error.
  override func onError(_ failure: Failure) -> Bool { !(run?.hasUnheardError ?? false) }
}

extension Signal {
  /// Sends all values, and the error or the completion, into `subject`, until the result is
  /// disposed of. It retains the subject. (RxSwift's `bind(to:)`; ReactiveObjC's `subscribe:`.)
  @discardableResult
  public final func bind(to subject: Subject<Value>) -> Disposable { bound(to: subject).disposable }

  package final func bound(to subject: Subject<Value>) -> (code: Code, disposable: Disposable) {
    if subject === self { return (.invalid, NopDisposable.shared) }
    let home = subject.emitter.ownHome
    let subscription = ForwardSubscription<Value>(at: home)
    let code = lift("bind") { ForwardStage($0, to: subject, for: nil) }
      .start(subscription, owner: nil, at: home)
    return (code, subscription)
  }
}
