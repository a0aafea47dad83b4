@testable import Belay

/// What bindings of key paths are tested with: values of several keys, and setters that set them in
/// many ways. The setters stop where values go round.
final class Cell: Object, @unchecked Sendable {
  @Observed var x = 0
  @Observed var y = 0
  @Observed var flag = false
  @Observed var next: Cell?
  @Observed var opt: Int?
  @ObservedWeak var mate: Cell?
  @Observed var list: [Int] = []
  var plain = 0
  private(set) var calls = 0

  private func counted(_ set: () -> Void) {
    calls += 1
    if calls < 300 { set() }
  }
  func forgetCalls() { calls = 0 }

  /// Two keys, both read.
  var pair: [Int] {
    get { [x, y] }
    set { counted { (x, y) = (newValue[0], newValue[1]) } }
  }
  var batchedPair: [Int] {
    get { [x, y] }
    set { counted { batch { (x, y) = (newValue[0], newValue[1]) } } }
  }
  /// One key, set several times.
  var twice: Int {
    get { x }
    set {
      counted {
        x = 0
        x = newValue
      }
    }
  }
  var items: [Int] {
    get { list }
    set {
      counted {
        list.removeAll()
        for item in newValue { list.append(item) }
      }
    }
  }
  /// The key that is read changes.
  var buffered: Int {
    get { flag ? x : y }
    set {
      counted {
        if flag { y = newValue } else { x = newValue }
        flag.toggle()
      }
    }
  }
  var bufferedLate: Int {
    get { flag ? x : y }
    set {
      counted {
        flag.toggle()
        if flag { x = newValue } else { y = newValue }
      }
    }
  }
  var over: Int {
    get { opt ?? y }
    set {
      counted {
        opt = nil
        y = newValue
      }
    }
  }
  /// The setter reads a key.
  var sum: Int {
    get { x + y }
    set { counted { x = newValue - y } }
  }
  var mirroredSum: Int {
    get { y + x }
    set { counted { x = newValue - y } }
  }
}

/// Keys that several threads set.
final class SharedCell: Object, @unchecked Sendable {
  private let lock = Lock()
  private var first = 0
  private var second = 0

  var value: Int {
    get {
      access(\SharedCell.value)
      return lock.withLock { first }
    }
    set { changing(\SharedCell.value) { lock.withLock { first = newValue } } }
  }
  var other: Int {
    get {
      access(\SharedCell.other)
      return lock.withLock { second }
    }
    set { changing(\SharedCell.other) { lock.withLock { second = newValue } } }
  }
  var sum: Int {
    get { value + other }
    set { value = newValue - other }
  }
}

/// A key whose setter calls functions that announce changes of it, too.
final class Tray: Object, @unchecked Sendable {
  private var stored: [Int] = []

  var items: [Int] {
    get {
      access(\Tray.items)
      return stored
    }
    set {
      changing(\Tray.items) {
        clear()
        for item in newValue { add(item) }
      }
    }
  }
  func clear() { changing(\Tray.items) { stored = [] } }
  func add(_ item: Int) { changing(\Tray.items) { stored.append(item) } }
}
