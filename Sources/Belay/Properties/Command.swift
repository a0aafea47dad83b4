import Synchronization

/// An action that runs once at a time, and that may be disabled. (RACCommand; ReactiveSwift's
/// Action.)
///
/// Its home is that of the thread that made it, or the one that it was made with. Its signals
/// complete when its last reference has gone and the last execution has ended.
public final class Command<Input, Value>: Entity, @unchecked Sendable {
  private let state: CommandState<Value>
  private let makeExecution: (Input) throws(ClosureError) -> Signal<Value>
  private var allowing: Disposable?

  /// - Parameters:
  ///   - enabled: whether it may be executed while it is not executing; nil: always.
  ///   - home: where its executions run; nil: this thread's home. With an actor's
  ///     (`Scheduler.actor(_:).home`), the actor may execute it on whatever thread it runs.
  ///   - execute: makes the signal of an execution, which is subscribed to at once.
  public init(
    enabled: Signal<BoolValue>? = nil, home: Home? = nil,
    _ execute: @escaping (Input) throws(ClosureError) -> Signal<Value>
  ) {
    state = CommandState(home ?? .current)
    makeExecution = execute
    super.init()
    let state = state
    allowing = enabled?.subscribe(next: { state.allow(Bool(ownValue: $0)) })
  }

  deinit { allowing?.dispose() }

  /// Whether it is executing: the present state, then every change.
  public var executing: Signal<BoolValue> { state.executing.signal }
  /// Whether it may be executed: the present state, then every change.
  public var enabled: Signal<BoolValue> {
    if state.home.isCurrent { state.update() } else { _ = state.home.onActor { state.update() } }
    return state.enabled.signal
  }
  /// The values of all executions.
  public var values: Signal<Value> { state.valueSignal }
  /// The errors of all executions, as values.
  public var errors: Signal<FailureValue> { state.errorSignal }

  /// Begins an execution. The execution is over before its end is sent, so an observer of the end
  /// may begin another one.
  ///
  /// - Returns: the events of the execution, for later subscribers its last 1024 values and its end.
  ///   The execution goes on without subscribers.
  /// - Throws: `Code.busy` while it is executing or not enabled; `.wrongThread` on another thread
  ///   than its home's; whatever `execute` throws.
  @discardableResult
  public func execute(_ input: Input) throws(Failure) -> Signal<Value> {
    let home = state.home
    if !home.isCurrent {
      let begun = try home.onActor { () throws(Failure) in try execute(input) }
      guard let begun else { throw Failure(.wrongThread) }
      return begun
    }
    if state.isExecuting { throw Failure(.busy, message: "the command is executing") }
    if !state.isAllowed.load(ordering: .acquiring) {
      throw Failure(.busy, message: "the command is not enabled")
    }
    state.setExecuting(true)
    let execution: Signal<Value>
    do throws(ClosureError) {
      execution = try makeExecution(input)
    } catch {
      state.setExecuting(false)
      throw .carrying(error)
    }
    var options = SourceOptions(label: "execution")
    options.home = home
    let results = ReplaySubject<Value>(ReplayLimits(), options)
    let answer = HotSignal(results.emitter, "execution")
    let state = state
    let code = execution.lift("execute") { ExecutionStage($0, results, state) }
      .start(ForwardSubscription<Value>(at: home), owner: nil, at: home)
    if code.isFailure {
      state.setExecuting(false)
      throw Failure(code)
    }
    return answer
  }
}

/// The state that a command and its executions share.
private final class CommandState<Value>: @unchecked Sendable {
  let home: Home
  let executing: Property<BoolValue>
  let enabled: Property<BoolValue>
  private let values: PublishSubject<Value>
  private let errors: PublishSubject<FailureValue>
  let valueSignal: Signal<Value>
  let errorSignal: Signal<FailureValue>
  /// Stored on the thread on which `enabled` sends, which may be any if that is shared.
  let isAllowed = Atomic<Bool>(true)
  /// Whether an update is on its way home, which will see the latest answer.
  private let isUpdating = Atomic<Bool>(false)
  private(set) var isExecuting = false

  init(_ home: Home) {
    self.home = home
    var options = SourceOptions()
    options.home = home
    values = PublishSubject(options)
    // An execution is the program's, so none of its changes or errors is refused for lack of room.
    options.capacity = .max
    executing = Property(false.ownValue, options)
    enabled = Property(true.ownValue, options)
    errors = PublishSubject(options)
    valueSignal = HotSignal(values.emitter, "values")
    errorSignal = HotSignal(errors.emitter, "errors")
  }

  deinit {
    values.completed()
    errors.completed()
  }

  func setExecuting(_ now: Bool) {
    isExecuting = now
    executing.set(now.ownValue)
    update()
  }

  /// Stores the answer of `enabled`. It is evaluated at home, together with `isExecuting`.
  func allow(_ now: Bool) {
    isAllowed.store(now, ordering: .releasing)
    if home.isCurrent { return update() }
    if isUpdating.exchange(true, ordering: .acquiringAndReleasing) { return }
    let code = home.perform {
      _ = self.isUpdating.exchange(false, ordering: .acquiringAndReleasing)
      self.update()
    }
    // A home without a loop looks when somebody asks there.
    if code.isFailure { _ = isUpdating.exchange(false, ordering: .acquiringAndReleasing) }
  }

  func update() {
    let now = isAllowed.load(ordering: .acquiring) && !isExecuting
    if now != Bool(ownValue: enabled.value) { enabled.set(now.ownValue) }
  }

  func send(_ value: Value) -> Code { values.next(value) }
  func send(_ failure: Failure) {
    let value = failure.ownValue
    errors.next(value)
    discard(value)
  }
}

/// Copies the events of an execution to its replay and to the command's signals.
private final class ExecutionStage<Value>: Stage<Value, Value>, @unchecked Sendable {
  private let results: ReplaySubject<Value>
  private let state: CommandState<Value>

  init(_ downstream: Sink<Value>, _ results: ReplaySubject<Value>, _ state: CommandState<Value>) {
    self.results = results
    self.state = state
    super.init(downstream)
  }

  override func next(_ value: Value) {
    var code = results.next(value)
    if !code.isRefusal { code = state.send(value) }
    if code.isRefusal { end(.failed(Failure(code))) }
  }

  override func end(_ end: End) {
    state.setExecuting(false)
    if case .failed(let failure) = end { state.send(failure) }
    _ = results.emit(end)
    pass(end: end)
  }
}
