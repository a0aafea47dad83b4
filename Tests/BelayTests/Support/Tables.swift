import Belay
import Glibc

/// A table of C functions as a library might have it: an object's methods, its context first.
struct Ops {
  var read: @convention(c) (UnsafeMutableRawPointer?, UnsafeMutablePointer<UInt8>?, Int) -> Int32 =
    {
      it, buffer, size in
      say(it, "read \(size)")
      for index in 0..<size { buffer?[index] = 120 }
      return Int32(size)
    }
  var moved: (@convention(c) (UnsafeMutableRawPointer?, Double, Double) -> Void)? = { it, x, y in
    say(it, "moved \(x) \(y)")
  }
  var rename:
    @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?) -> UnsafePointer<CChar>? = {
      it, name in
      say(it, "rename \(name.map { String(cString: $0) } ?? "nil")")
      return name
    }
  var absent: (@convention(c) (UnsafeMutableRawPointer?, Int32) -> Int32)?
  var plain: @convention(c) (Int32, Int32) -> Int32 = { $0 * $1 }
  var fast: @convention(c) (UnsafeMutableRawPointer?) -> Void = { _ in }
}

/// What an object's methods find behind their context: a trace, or nobody.
private func say(_ it: UnsafeMutableRawPointer?, _ line: String) {
  if let it { Unmanaged<Trace>.fromOpaque(it).takeUnretainedValue().add(line) }
}

extension Trace {
  /// Itself as a C object.
  var object: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }
}

/// The description of `Ops`.
struct OpsInterface {
  let ops: CInterface<Ops>
  let read: CMethod<Ops, Int32, UnsafeMutablePointer<UInt8>?, Int>
  let moved: CMethod<Ops, NoResult, Double, Double>
  let rename: CMethod<Ops, UnsafePointer<CChar>?, UnsafePointer<CChar>?>
  let absent: CMethod<Ops, Int32, Int32>
  let plain: CMethod<Ops, Int32, Int32, Int32>
  let fast: CMethod<Ops, NoResult>

  init() throws {
    ops = try CInterface<Ops>("ops")
    read = try ops.method("read", \.read) { $0 }
    moved = try ops.method("moved", \.moved) { $0 }
    rename = try ops.method("rename", \.rename) { $0 }
    absent = try ops.method("absent", \.absent) { $0 }
    plain = try ops.function("plain", \.plain) { $0 }
    fast = try ops.method("fast", \.fast, .performanceSensitive) { $0 }
  }
}

/// A table in memory that stays where it is, and is declared gone with this.
final class Table<Functions> {
  let interface: CInterface<Functions>
  let memory = UnsafeMutablePointer<Functions>.allocate(capacity: 1)

  init(_ functions: Functions, _ interface: CInterface<Functions>) {
    self.interface = interface
    memory.initialize(to: functions)
  }

  deinit {
    interface.isGone(memory)
    memory.deinitialize(count: 1)
    memory.deallocate()
  }

  /// The bits of a function pointer, to be compared.
  func bits<Function>(_ member: KeyPath<Functions, Function>) -> UInt {
    withUnsafeBytes(of: memory.pointee[keyPath: member]) { $0.loadUnaligned(as: UInt.self) }
  }
}
