import CBelayShim
import Synchronization

/// An overlap: an event came to a source during another one. The source serialises them, so its
/// subscribers see nothing of it. It may still be a mistake: a loop of feedback, or a thread that
/// should not send.
public enum Overlap: Int32, Sendable {
  /// It was sent from inside the delivery of the other one, on the same thread.
  case nested = 1
  /// Another thread was delivering.
  case threads = 2
}

/// The hook that gets the overlaps, each once. (RxSwift's SynchronizationTracker.)
public final class OverlapHook: Entity, @unchecked Sendable {
  /// Called with the name of the source, the name of the subscription whose callback has sent, and
  /// the line of code that made the source. The last two are nil where there is none.
  public typealias Handler = (
    Overlap, _ source: Text, _ sender: Text?, _ site: StaticSite?
  ) -> Void

  private let handler: Handler

  /// `handler` is called on the thread that sends, in its send.
  public init(_ handler: @escaping Handler) { self.handler = handler }

  private static let lock = Lock()
  nonisolated(unsafe) private static var installed: OverlapHook?
  private static let isInstalled = Atomic<Bool>(false)
  /// The hashes of what was told.
  nonisolated(unsafe) private static var told: [UInt64] = []
  /// So many different ones are told.
  private static var most: Int { 1024 }

  /// Sets the hook of the process. The new one is also told of overlaps that the one before was
  /// told of. Nil: overlaps are not looked for.
  public static func install(_ hook: OverlapHook?) {
    let old = lock.withLock {
      let old = installed
      installed = hook
      told = []
      isInstalled.store(hook != nil, ordering: .relaxed)
      return old
    }
    extendLifetime(old)  // released outside the lock
  }

  @inline(__always)
  static func note(_ overlap: Overlap, in source: Source) {
    if isInstalled.load(ordering: .relaxed) { report(overlap, in: source) }
  }

  @inline(never)
  private static func report(_ overlap: Overlap, in source: Source) {
    let name = source.chainName
    let sender = Delivery.stack.first?.reportName
    let hash = (name + "\n" + (sender ?? "")).fnv1a &+ UInt64(overlap.rawValue)
    let hook = lock.withLock { () -> OverlapHook? in
      if told.count == most || told.contains(hash) { return nil }
      told.append(hash)
      return installed
    }
    hook?.handler(overlap, name, sender, source.site)
  }
}

extension Text {
  fileprivate var fnv1a: UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    withCString { text in
      var rest = text
      while rest.pointee != 0 {
        hash = (hash ^ UInt64(UInt8(bitPattern: rest.pointee))) &* 0x100_0000_01b3
        rest += 1
      }
    }
    return hash
  }
}
