import Belay
import Glibc

/// Objects of every sort, none of which knows of Belay.
enum Natives {
  class Base {
    let trace: Trace
    let scalar: Int
    init(_ trace: Trace, scalar: Int = 7) {
      self.trace = trace
      self.scalar = scalar
    }
    deinit { trace.add("deinit") }
  }

  class Derived: Base, @unchecked Sendable {
    let more = [1, 2, 3]
    deinit { trace.add("derived") }
  }

  /// Adds a line when its members are destroyed.
  final class Plain {
    let member: Witness
    init(_ trace: Trace) { member = Witness(trace, "member") }
  }

  class Generic<Element> {
    let trace: Trace
    var elements: [Element]
    init(_ trace: Trace, _ elements: Element...) {
      self.trace = trace
      self.elements = elements
    }
    deinit { trace.add("deinit of \(Element.self)") }
  }

  final class Texts: Generic<String> {}

  actor Counter {
    let trace: Trace
    private(set) var count = 0
    init(_ trace: Trace) { self.trace = trace }
    func add() { count += 1 }
    deinit { trace.add("deinit") }
  }

  /// Its deinit runs on its actor, on whichever thread the last reference goes.
  @Elsewhere final class Isolated {
    private let trace: Trace
    nonisolated init(_ trace: Trace) { self.trace = trace }
    isolated deinit { trace.add("deinit") }
  }

  @globalActor actor Elsewhere {
    static let shared = Elsewhere()
  }

  class Failing {
    let member: Witness
    init(_ trace: Trace, observe: (Failing) -> Void) throws {
      member = Witness(trace, "member")
      observe(self)
      throw Failure(.invalid)
    }
  }

  final class FailingBelow: Failing {
    let own = [1]
  }
}

/// Whether a sanitizer's allocator keeps freed memory from being used again.
let keepsFreedMemory = dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil

/// Where an object is.
func address(of object: AnyObject) -> UInt {
  UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
}

/// Names the calling thread.
func currentThread() -> UInt { pthread_self() }

extension Lifetime {
  /// Traces the news of its end, without the noise of disposals.
  func follow(_ trace: Trace) {
    trace.follow(deallocating, deallocated)
  }

  static let end = "deallocating completed | deallocated next | deallocated completed"
}
