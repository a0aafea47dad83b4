extension Signal {
  /// Sends a window for each value of `openings`. It has the values that come until the signal that
  /// `closing` returns for that value sends one. Several windows may be open at once. The
  /// completion of `openings`, or of a closing signal, has no effect. Windows end with the source,
  /// with an error of any of the signals, and with one that `closing` throws. They are interrupted
  /// when this subscription is disposed of. Values without a subscriber are dropped. (bufferToggle
  /// in other libraries is this with `flatMap { $0.collect() }`.)
  public final func windowToggle<Opening, Closing>(
    _ openings: Signal<Opening>,
    _ closing: @escaping (Opening) throws(Failure) -> Signal<Closing>
  ) -> Signal<Signal<Value>> {
    typealias Element = OneOf<Opening, Value, Closing>
    return windowToggle(
      [Port(openings, at: 0) { .first($0) }, Port(self, at: 1) { .second($0) }],
      closing: { (opening, place) throws(Failure) -> Port<Element, Signal<Value>> in
        Port(try closing(opening.first).take(1), at: place) { .third($0) }
      },
      with: openings, gather: { window in window.map { $0.second } })
  }

  /// The same for signals of one type.
  package final func windowToggle<Output>(
    _ openings: Signal<Value>, _ closing: @escaping (Value) throws(Failure) -> Signal<Value>,
    gather: @escaping (Signal<Value>) -> Output
  ) -> Signal<Output> {
    windowToggle(
      [Port(openings, at: 0), Port(self, at: 1)],
      closing: { (opening, place) throws(Failure) -> Port<Value, Output> in
        Port(try closing(opening).take(1), at: place)
      }, with: openings, gather: gather)
  }

  private final func windowToggle<Element, Output>(
    _ ports: [Port<Element, Output>],
    closing: @escaping (Element, Int) throws(Failure) -> Port<Element, Output>,
    with openings: AnySignal, gather: @escaping (Signal<Element>) -> Output
  ) -> Signal<Output> {
    JunctionSignal("window_toggle", below: self, with: [openings]) {
      WindowToggleJunction($0, ports, at: $1, closing, gather)
    }
  }
}

/// Index 0 is the openings', and index 1 the source's. The index of a closing signal is the address
/// of its window, which is retained until that signal sends its one value.
private final class WindowToggleJunction<Element, Output>: IndexedJunction<Element, Output>,
  @unchecked Sendable
{
  private let closing: (Element, Int) throws(Failure) -> Port<Element, Output>
  private let gather: (Signal<Element>) -> Output
  private var options = SourceOptions(label: "window")
  /// The open windows, the oldest first.
  private var windows: [PublishSubject<Element>] = []
  /// Whether the openings were interrupted.
  private var opensNoMore = false

  init(
    _ downstream: Sink<Output>, _ ports: [Port<Element, Output>], at home: Home,
    _ closing: @escaping (Element, Int) throws(Failure) -> Port<Element, Output>,
    _ gather: @escaping (Signal<Element>) -> Output
  ) {
    self.closing = closing
    self.gather = gather
    options.home = home
    super.init(downstream, ports, at: home)
  }

  override func take(_ value: Element, at place: Int) {
    if place == 0 { return open(value) }
    if place > 1 { return close(place) }
    for window in windows where !isClosed { window.pass(value) }
  }

  override func take(_ end: End, at place: Int) {
    switch end {
    case .failed: endWindowsAndPass(end)
    case .completed: if place == 1 { endWindowsAndPass(end) }
    case .interrupted:
      // A window without its closing signal ends with the source.
      if place == 1 { endWindowsAndPass(end) }
      if place == 0 {
        opensNoMore = true
        endIfIdle()
      }
    }
  }

  private func open(_ value: Element) {
    let window = PublishSubject<Element>(options)
    do throws(Failure) {
      let port = try closing(value, Int(bitPattern: Unmanaged.passUnretained(window).toOpaque()))
      if isClosed { return }
      windows.append(window)
      let output = gather(window)
      pass(output)
      discard(output)
      if !isClosed { port.attach(self) }
    } catch {
      endWindowsAndPass(.failed(error))
    }
  }

  private func close(_ place: Int) {
    let address = UnsafeMutableRawPointer(bitPattern: place)
    for index in windows.indices
    where Unmanaged.passUnretained(windows[index]).toOpaque() == address {
      windows.remove(at: index).completed()
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
