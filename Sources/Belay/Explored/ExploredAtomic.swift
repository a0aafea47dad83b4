import CBelayShim
import Synchronization

/// The explorer's atomics replace the standard ones, under the same names. Each operation is a step
/// before which another thread may run.
package typealias Atomic = ExploredAtomic

/// A type that an explored atomic can hold.
public protocol ExploredValue: AtomicRepresentable {
  var exploredBits: UInt64 { get }
  init(exploredBits: UInt64)
  static var exploredIsSigned: Bool { get }
}

extension Bool: ExploredValue {
  public var exploredBits: UInt64 { self ? 1 : 0 }
  public init(exploredBits: UInt64) { self = exploredBits & 1 != 0 }
  public static var exploredIsSigned: Bool { false }
}

extension ExploredValue where Self: FixedWidthInteger {
  public var exploredBits: UInt64 { UInt64(truncatingIfNeeded: self) }
  public init(exploredBits: UInt64) { self.init(truncatingIfNeeded: exploredBits) }
  public static var exploredIsSigned: Bool { isSigned }
}

extension UInt8: ExploredValue {}
extension UInt16: ExploredValue {}
extension UInt32: ExploredValue {}
extension UInt64: ExploredValue {}
extension Int: ExploredValue {}

/// The orderings of the standard atomics, in one type for all operations.
public enum ExploredOrdering: UInt32 {
  // In the order of `belay_explore_order`.
  case relaxed, acquiring, releasing, acquiringAndReleasing, sequentiallyConsistent
}

/// An atomic with the interface of the standard one. Each operation is a step of the explorer. The
/// standard type has a function for each operation, and so has this, although they differ in little.
public struct ExploredAtomic<Value: ExploredValue>: ~Copyable, @unchecked Sendable {
  // A standard atomic, so that the word keeps its address.
  private let word: Synchronization.Atomic<Value>

  public init(_ value: Value) { word = Synchronization.Atomic(value) }

  @discardableResult
  @inline(never)
  private borrowing func step(
    _ kind: belay_explore_kind, _ operand: Value, expected: UInt64 = 0,
    _ ordering: ExploredOrdering, _ file: StaticString, _ line: UInt32
  ) -> Value {
    let step = withUnsafePointer(to: word) { word in
      belay_explore_step(
        kind: kind, order: belay_explore_order(ordering.rawValue),
        size: Int32(MemoryLayout<Value>.size), isSigned: Value.exploredIsSigned, isCount: false,
        word: UnsafeMutableRawPointer(mutating: word), operand: operand.exploredBits,
        expected: expected, limit: 0,
        file: UnsafeRawPointer(file.utf8Start).assumingMemoryBound(to: CChar.self),
        line: Int32(line))
    }
    return Value(exploredBits: belay_explore_take(step))
  }

  public borrowing func load(
    ordering: ExploredOrdering, _ file: StaticString = #filePath, _ line: UInt32 = #line
  ) -> Value {
    step(belay_explore_load, Value(exploredBits: 0), ordering, file, line)
  }

  public borrowing func store(
    _ value: Value, ordering: ExploredOrdering, _ file: StaticString = #filePath,
    _ line: UInt32 = #line
  ) {
    step(belay_explore_store, value, ordering, file, line)
  }

  @discardableResult
  public borrowing func exchange(
    _ value: Value, ordering: ExploredOrdering, _ file: StaticString = #filePath,
    _ line: UInt32 = #line
  ) -> Value {
    step(belay_explore_exchange, value, ordering, file, line)
  }

  @discardableResult
  public borrowing func compareExchange(
    expected: Value, desired: Value, ordering: ExploredOrdering,
    _ file: StaticString = #filePath, _ line: UInt32 = #line
  ) -> (exchanged: Bool, original: Value) {
    let original = step(
      belay_explore_compare_exchange, desired, expected: expected.exploredBits, ordering, file,
      line)
    return (original.exploredBits == expected.exploredBits, original)
  }

  @discardableResult
  public borrowing func compareExchange(
    expected: Value, desired: Value, successOrdering: ExploredOrdering,
    failureOrdering: ExploredOrdering, _ file: StaticString = #filePath, _ line: UInt32 = #line
  ) -> (exchanged: Bool, original: Value) {
    compareExchange(
      expected: expected, desired: desired, ordering: successOrdering, file, line)
  }

  /// Never fails spuriously.
  @discardableResult
  public borrowing func weakCompareExchange(
    expected: Value, desired: Value, ordering: ExploredOrdering,
    _ file: StaticString = #filePath, _ line: UInt32 = #line
  ) -> (exchanged: Bool, original: Value) {
    compareExchange(expected: expected, desired: desired, ordering: ordering, file, line)
  }
}

extension ExploredAtomic where Value: FixedWidthInteger {
  @discardableResult
  public borrowing func add(
    _ operand: Value, ordering: ExploredOrdering, _ file: StaticString = #filePath,
    _ line: UInt32 = #line
  ) -> (oldValue: Value, newValue: Value) {
    let old = step(belay_explore_add, operand, ordering, file, line)
    return (old, old &+ operand)
  }

  @discardableResult
  public borrowing func subtract(
    _ operand: Value, ordering: ExploredOrdering, _ file: StaticString = #filePath,
    _ line: UInt32 = #line
  ) -> (oldValue: Value, newValue: Value) {
    let old = step(belay_explore_subtract, operand, ordering, file, line)
    return (old, old &- operand)
  }

  @discardableResult
  public borrowing func wrappingAdd(
    _ operand: Value, ordering: ExploredOrdering, _ file: StaticString = #filePath,
    _ line: UInt32 = #line
  ) -> (oldValue: Value, newValue: Value) {
    add(operand, ordering: ordering, file, line)
  }

  @discardableResult
  public borrowing func wrappingSubtract(
    _ operand: Value, ordering: ExploredOrdering, _ file: StaticString = #filePath,
    _ line: UInt32 = #line
  ) -> (oldValue: Value, newValue: Value) {
    subtract(operand, ordering: ordering, file, line)
  }

  @discardableResult
  public borrowing func bitwiseOr(
    _ operand: Value, ordering: ExploredOrdering, _ file: StaticString = #filePath,
    _ line: UInt32 = #line
  ) -> (oldValue: Value, newValue: Value) {
    let old = step(belay_explore_or, operand, ordering, file, line)
    return (old, old | operand)
  }

  @discardableResult
  public borrowing func bitwiseAnd(
    _ operand: Value, ordering: ExploredOrdering, _ file: StaticString = #filePath,
    _ line: UInt32 = #line
  ) -> (oldValue: Value, newValue: Value) {
    let old = step(belay_explore_and, operand, ordering, file, line)
    return (old, old & operand)
  }

  @discardableResult
  public borrowing func bitwiseXor(
    _ operand: Value, ordering: ExploredOrdering, _ file: StaticString = #filePath,
    _ line: UInt32 = #line
  ) -> (oldValue: Value, newValue: Value) {
    let old = step(belay_explore_xor, operand, ordering, file, line)
    return (old, old ^ operand)
  }

  @discardableResult
  public borrowing func max(
    _ operand: Value, ordering: ExploredOrdering, _ file: StaticString = #filePath,
    _ line: UInt32 = #line
  ) -> (oldValue: Value, newValue: Value) {
    let old = step(belay_explore_max, operand, ordering, file, line)
    return (old, Swift.max(old, operand))
  }

  @discardableResult
  public borrowing func min(
    _ operand: Value, ordering: ExploredOrdering, _ file: StaticString = #filePath,
    _ line: UInt32 = #line
  ) -> (oldValue: Value, newValue: Value) {
    let old = step(belay_explore_min, operand, ordering, file, line)
    return (old, Swift.min(old, operand))
  }
}
