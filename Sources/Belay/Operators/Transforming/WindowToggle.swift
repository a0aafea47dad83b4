extension Signal {
  /// Sends a window for each value of `openings`. It has the values that come until the signal that
  /// `closing` returns for that value sends one. Several windows may be open at once. The
  /// completion of `openings`, or of a closing signal, has no effect. Windows end with the source,
  /// with an error of any of the signals, and with one that `closing` throws. They are interrupted
  /// when this subscription is disposed of. Values without a subscriber are dropped. (bufferToggle
  /// in other libraries is this with `flatMap { $0.collect() }`.)
  public final func windowToggle<Opening, Closing>(
    _ openings: Signal<Opening>,
    _ closing: @escaping (Opening) throws(ClosureError) -> Signal<Closing>
  ) -> Signal<Signal<Value>> {
    typealias Element = OneOf<Opening, Value, Closing>
    return windows(
      "window_toggle", [Port(openings, at: 0) { .first($0) }, Port(self, at: 1) { .second($0) }],
      closing: { (opening, index) throws(ClosureError) -> Port<Element, Signal<Value>> in
        Port(try closing(opening.first).take(1), at: index) { .third($0) }
      },
      with: openings, gather: { window in window.map { $0.second } })
  }

  /// The same for signals of one type.
  package final func windowToggle<Output>(
    _ openings: Signal<Value>, _ closing: @escaping (Value) throws(ClosureError) -> Signal<Value>,
    gather: @escaping (Signal<Value>) -> Output
  ) -> Signal<Output> {
    windows(
      "window_toggle", [Port(openings, at: 0), Port(self, at: 1)],
      closing: { (opening, index) throws(ClosureError) -> Port<Value, Output> in
        Port(try closing(opening).take(1), at: index)
      }, with: openings, gather: gather)
  }

  /// Sends windows that follow each other: one begins at the subscription, and one with every value of
  /// `notifier`, which ends the one before. The completion of `notifier` has no effect. Windows end as
  /// those of `windowToggle` do. (window in RxJS.)
  public final func windowBy<Other>(_ notifier: Signal<Other>) -> Signal<Signal<Value>> {
    let openings = notifier.mapTo(nil as Value?).startWith(nil)
    return windows(
      "window_by", [Port(openings, at: 0), Port(self, at: 1) { $0 }], with: openings,
      gather: { window in window.compactMap { $0 } })
  }

  /// The same for signals of one type. `first` is what begins the first window.
  package final func windowBy<Output>(
    _ notifier: Signal<Value>, first: Kept<Value>, gather: @escaping (Signal<Value>) -> Output
  ) -> Signal<Output> {
    let openings = notifier.startWith([first])
    return windows(
      "window_by", [Port(openings, at: 0), Port(self, at: 1)], with: openings, gather: gather)
  }

  /// Sends the values that came as an array with each value of `notifier`, and at the completion, also
  /// when there were none. The completion of `notifier` has no effect. On an error, the values are
  /// dropped. (buffer in RxJS.)
  public final func bufferBy<Other>(_ notifier: Signal<Other>) -> Signal<[Value]> {
    windowBy(notifier).flatMap { $0.collect() }
  }

  private final func windows<Element, Output>(
    _ operatorName: StaticString, _ ports: [Port<Element, Output>],
    closing: ((Element, Int) throws(ClosureError) -> Port<Element, Output>)? = nil,
    with openings: AnySignal, gather: @escaping (Signal<Element>) -> Output
  ) -> Signal<Output> {
    JunctionSignal(operatorName, below: self, with: [openings]) {
      WindowToggleJunction($0, ports, at: $1, closing, gather)
    }
  }
}

/// Index 0 is the openings', and index 1 the source's. The index of a closing signal is the address
/// of its window, which is retained until that signal sends its one value. Without closing signals,
/// each opening ends the window before it.
private final class WindowToggleJunction<Element, Output>: IndexedJunction<Element, Output>,
  @unchecked Sendable
{
  private let closing: ((Element, Int) throws(ClosureError) -> Port<Element, Output>)?
  private let gather: (Signal<Element>) -> Output
  private var options = SourceOptions(label: "window")
  /// The open windows, the oldest first.
  private var windows: [PublishSubject<Element>] = []
  /// Whether the openings were interrupted.
  private var opensNoMore = false

  init(
    _ downstream: Sink<Output>, _ ports: [Port<Element, Output>], at home: Home,
    _ closing: ((Element, Int) throws(ClosureError) -> Port<Element, Output>)?,
    _ gather: @escaping (Signal<Element>) -> Output
  ) {
    self.closing = closing
    self.gather = gather
    options.home = home
    super.init(downstream, ports, at: home)
  }

  override func handle(_ value: Element, at index: Int) {
    if index == 0 { return open(value) }
    if index > 1 { return close(index) }
    for window in windows where !isClosed { window.pass(value) }
  }

  override func handle(_ end: End, at index: Int) {
    switch end {
    case .failed: endWindowsAndPass(end)
    case .completed: if index == 1 { endWindowsAndPass(end) }
    case .interrupted:
      // A window without its closing signal ends with the source.
      if index == 1 { endWindowsAndPass(end) }
      if index == 0 {
        opensNoMore = true
        endIfIdle()
      }
    }
  }

  private func open(_ value: Element) {
    let window = PublishSubject<Element>(options)
    do throws(ClosureError) {
      let port = try closing?(value, Int(bitPattern: Unmanaged.passUnretained(window).toOpaque()))
      if closing == nil { endWindows(.completed) }
      if isClosed { return }
      if limit.refuses(after: windows.count) {
        return endWindowsAndPass(limit.refusal)
      }
      windows.append(window)
      let output = gather(window)
      pass(output)
      discard(output)
      if let port, !isClosed { port.attach(self) }
    } catch {
      endWindowsAndPass(.failed(.carrying(error)))
    }
  }

  /// Completes the window whose closing signal has `index`.
  private func close(_ index: Int) {
    let address = UnsafeMutableRawPointer(bitPattern: index)
    for number in windows.indices
    where Unmanaged.passUnretained(windows[number]).toOpaque() == address {
      windows.remove(at: number).completed()
      return endIfIdle()
    }
  }

  /// Ends if nothing can be sent any more.
  private func endIfIdle() { if opensNoMore && windows.isEmpty { endWindowsAndPass(.interrupted) } }

  private func endWindowsAndPass(_ end: End) {
    endWindows(end)
    pass(end: end)
  }

  private func endWindows(_ end: End) {
    let open = windows
    windows = []
    for window in open { _ = window.emit(end) }
  }

  override func empty() { endWindows(.interrupted) }
}
