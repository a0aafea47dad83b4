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
      closing: { (opening, _, index) throws(ClosureError) -> Port<Element, Signal<Value>> in
        Port(try closing(opening.first).take(1), at: index) { .third($0) }
      },
      with: [openings], gather: { (window: Window<Element>) in window.map { $0.second } })
  }

  /// The same for signals of one type.
  package final func windowToggle<Output>(
    _ openings: Signal<Value>, _ closing: @escaping (Value) throws(ClosureError) -> Signal<Value>,
    gather: @escaping (Signal<Value>) -> Output
  ) -> Signal<Output> {
    windows(
      "window_toggle", [Port(openings, at: 0), Port(self, at: 1)],
      closing: { (opening, _, index) throws(ClosureError) -> Port<Value, Output> in
        Port(try closing(opening).take(1), at: index)
      }, with: [openings], gather: { (window: Window<Value>) in gather(window) })
  }

  /// Sends windows that follow each other: one begins at the subscription, and one with every value of
  /// `notifier`, which ends the one before. The completion of `notifier` has no effect. Windows end as
  /// those of `windowToggle` do. (window in RxJS.)
  public final func windowBy<Other>(_ notifier: Signal<Other>) -> Signal<Signal<Value>> {
    windows(
      "window_by",
      [
        Port(Signal<Value?>.just(nil), at: 0), Port(self, at: 1) { $0 },
        Port(notifier, at: 0) { _ in nil },
      ], with: [notifier], gather: { (window: Window<Value?>) in window.compactMap { $0 } })
  }

  /// The same for signals of one type. `first` is what begins the first window.
  package final func windowBy<Output>(
    _ notifier: Signal<Value>, first: Kept<Value>, gather: @escaping (Signal<Value>) -> Output
  ) -> Signal<Output> {
    keep(first.value)
    let beginning = JustSignal(taking: first.value)
    return windows(
      "window_by", [Port(beginning, at: 0), Port(self, at: 1), Port(notifier, at: 0)],
      with: [notifier], gather: { (window: Window<Value>) in gather(window) })
  }

  /// Sends the values that came as an array with each value of `notifier`, and at the completion, also
  /// when there were none. The completion of `notifier` has no effect. On an error, the values are
  /// dropped. (buffer in RxJS.)
  public final func bufferBy<Other>(_ notifier: Signal<Other>) -> Signal<[Value]> {
    windowBy(notifier).flatMap { $0.collect() }
  }

  /// Sends groups as `groupBy(_:)` does. A group completes when the signal that `until` returns for it
  /// sends a value or completes. It is forgotten then, and the next value with its key begins another
  /// group. An error of that signal, and one that `until` throws, ends the groups and this signal. A
  /// key is compared with those of the open groups, one by one. (groupBy with a duration in RxJS,
  /// group_by_until in reactivex.)
  public final func groupBy<Key: Equatable, Other>(
    _ key: @escaping (Value) throws(ClosureError) -> Key,
    until: @escaping (GroupedSignal<Key, Value>) throws(ClosureError) -> Signal<Other>
  ) -> Signal<GroupedSignal<Key, Value>> {
    groupBy(
      key, areEqual: { $0 == $1 },
      until: { (group) throws(ClosureError) -> Signal<Value> in
        try until(group).take(1).compactMap { _ in nil as Value? }
      }, gather: { $0 })
  }

  /// The junction takes over the results of `key`.
  package final func groupBy<Key, Output>(
    _ key: @escaping (Value) throws(ClosureError) -> Key, areEqual: @escaping (Key, Key) -> Bool,
    until: @escaping (Output) throws(ClosureError) -> Signal<Value>,
    gather: @escaping (GroupedSignal<Key, Value>) -> Output
  ) -> Signal<Output> {
    windows(
      "group_by_until", [Port(self, at: 1)], key, areEqual,
      closing: { (_, group, index) throws(ClosureError) -> Port<Value, Output> in
        Port(try until(group).take(1), at: index)
      }, gather: gather)
  }

  private final func windows<Element, Key, Output>(
    _ operatorName: StaticString, _ ports: [Port<Element, Output>],
    _ key: ((Element) throws(ClosureError) -> Key)? = nil,
    _ areEqual: @escaping (Key, Key) -> Bool = { (_, _) in false },
    closing: ((Element, Output, Int) throws(ClosureError) -> Port<Element, Output>)? = nil,
    with openings: [AnySignal] = [], gather: @escaping (GroupedSignal<Key, Element>) -> Output
  ) -> Signal<Output> {
    JunctionSignal(operatorName, below: self, with: openings) {
      WindowsJunction($0, ports, at: $1, key, areEqual, closing, gather)
    }
  }
}

/// A window that is no group. The type of its key is that of its values, because in Embedded mode a
/// group's is, too.
private typealias Window<Element> = GroupedSignal<Element, Element>

/// Index 0 is the openings', and index 1 the source's. The index of a closing signal is the address
/// of its window. One event of that signal closes the window, which is retained until then: the value;
/// for a group the completion, which follows the value. Without closing signals, each opening ends the
/// window before it. With keys, a value goes into the window that has its key, and opens that window if
/// it is not there.
private final class WindowsJunction<Element, Key, Output>: IndexedJunction<Element, Output>,
  @unchecked Sendable
{
  private let keyOf: ((Element) throws(ClosureError) -> Key)?
  private let areEqual: (Key, Key) -> Bool
  private let closing: ((Element, Output, Int) throws(ClosureError) -> Port<Element, Output>)?
  private let gather: (GroupedSignal<Key, Element>) -> Output
  private var options: SourceOptions
  /// The open windows, the oldest first.
  private var windows: ReferenceArray<GroupedSignal<Key, Element>> = []
  /// Whether the openings were interrupted.
  private var opensNoMore = false

  init(
    _ downstream: Sink<Output>, _ ports: [Port<Element, Output>], at home: Home,
    _ keyOf: ((Element) throws(ClosureError) -> Key)?, _ areEqual: @escaping (Key, Key) -> Bool,
    _ closing: ((Element, Output, Int) throws(ClosureError) -> Port<Element, Output>)?,
    _ gather: @escaping (GroupedSignal<Key, Element>) -> Output
  ) {
    self.keyOf = keyOf
    self.areEqual = areEqual
    self.closing = closing
    self.gather = gather
    options = SourceOptions(label: keyOf == nil ? "window" : "group")
    options.home = home
    super.init(downstream, ports, at: home)
  }

  override func handle(_ value: Element, at index: Int) {
    if index == 0 { return open(value, nil) }
    guard let keyOf else {
      if index > 1 { return close(index) }
      for window in windows where !isClosed { window.subject.pass(value) }
      return
    }
    if index > 1 { return }
    do throws(ClosureError) {
      let key = Kept(taking: try keyOf(value))
      if isClosed { return }
      for window in windows where areEqual(window.key, key.value) {
        return window.subject.pass(value)
      }
      open(value, key)
    } catch {
      endWindowsAndPass(.failed(.carrying(error)))
    }
  }

  override func handle(_ end: End, at index: Int) {
    if index == 1 { return endWindowsAndPass(end) }
    switch end {
    case .failed: endWindowsAndPass(end)
    // A group ends with its signal, however that completes.
    case .completed: if keyOf != nil { close(index) }
    case .interrupted:
      // A window without its closing signal ends with the source.
      if index == 0 {
        opensNoMore = true
        endIfIdle()
      }
    }
  }

  private func open(_ value: Element, _ key: Kept<Key>?) {
    let window = GroupedSignal<Key, Element>(key, options)
    let output = gather(window)
    defer { discard(output) }
    do throws(ClosureError) {
      let port = try closing?(
        value, output, Int(bitPattern: Unmanaged.passUnretained(window).toOpaque()))
      if closing == nil { endWindows(.completed) }
      if isClosed { return }
      if limit.refuses(after: windows.count) {
        return endWindowsAndPass(limit.refusal)
      }
      windows.append(window)
      pass(output)
      if let port, !isClosed { port.attach(self) }
      if key != nil && !isClosed { window.subject.pass(value) }
    } catch {
      endWindowsAndPass(.failed(.carrying(error)))
    }
  }

  /// Completes the window whose closing signal has `index`.
  private func close(_ index: Int) {
    let address = UnsafeMutableRawPointer(bitPattern: index)
    for number in windows.indices
    where Unmanaged.passUnretained(windows[number]).toOpaque() == address {
      _ = windows.remove(at: number).subject.emit(.completed)
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
    for window in windows.takeAll() { _ = window.subject.emit(end) }
  }

  override func empty() { endWindows(.interrupted) }
}
