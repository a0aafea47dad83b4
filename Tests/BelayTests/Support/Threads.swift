import Belay
import Glibc
import Synchronization

/// A thread of its own, to be joined.
final class Routine: @unchecked Sendable {
  private var thread = pthread_t()
  private var body: (@Sendable () -> Void)?

  /// - Parameter stack: its size in bytes.
  init(stack: Int = 1 << 23, _ body: @escaping @Sendable () -> Void) {
    self.body = body
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    precondition(pthread_attr_setstacksize(&attributes, stack) == 0)
    let code = pthread_create(
      &thread, &attributes,
      { opaque in
        Unmanaged<Routine>.fromOpaque(opaque.unsafelyUnwrapped).takeRetainedValue().run()
        return nil
      }, Unmanaged.passRetained(self).toOpaque())
    precondition(code == 0)
  }

  private func run() {
    body?()
    body = nil
  }

  func join() { pthread_join(thread, nil) }
  func detach() { pthread_detach(thread) }
}

/// Runs `body` on another thread, and waits for it.
func inThread(stack: Int = 1 << 23, _ body: @escaping @Sendable () -> Void) {
  Routine(stack: stack, body).join()
}

/// Runs both at the same time, the first on another thread.
func race(_ one: @escaping @Sendable () -> Void, _ other: () -> Void) {
  let start = Gate()
  let routine = Routine {
    start.open()
    one()
  }
  start.wait()
  other()
  routine.join()
}

/// A counting semaphore.
final class Gate: @unchecked Sendable {
  private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

  init() { sem_init(semaphore, 0, 0) }

  deinit {
    sem_destroy(semaphore)
    semaphore.deallocate()
  }

  func open() { sem_post(semaphore) }
  func wait() { while sem_wait(semaphore) != 0 {} }
}

/// Counts on any thread.
final class Counter: Sendable {
  private let total = Atomic(0)

  var count: Int { total.load(ordering: .acquiring) }
  func add() { total.add(1, ordering: .acquiringAndReleasing) }
}

/// Says once, on any thread, that something has happened.
final class Flag: Sendable {
  private let value = Atomic(false)

  var isSet: Bool { value.load(ordering: .acquiring) }
  func set() { value.store(true, ordering: .releasing) }
}

/// A variable under a lock. ThreadSanitizer cannot follow that of `Mutex`: where threads meet, it is
/// taken inside the runtime, whose accesses the sanitizer does not see.
final class Locked<Value>: @unchecked Sendable {
  private let lock = Lock()
  private var value: Value

  init(_ value: Value) { self.value = value }

  func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    lock.acquire()
    defer { lock.release() }
    return try body(&value)
  }
}
