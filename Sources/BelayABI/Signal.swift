@_spi(Engine) import Belay
@_spi(Engine) import BelayLoop
import CBelay
import Synchronization

// The exported functions repeat the header's declarations, which `@implementation` compares.

func signal(_ handle: OpaquePointer?) -> CSignal? { object(handle, CSignal.self) }

/// Records a failed call's code, and answers NULL.
@inline(never)
@_optimize(none)
func failed(_ code: Code) -> OpaquePointer? {
  fail(code)
  return nil
}

/// The same with a message.
@inline(never)
func failed(_ code: Code, _ message: Text) -> OpaquePointer? {
  fail(code, message)
  return nil
}

@_cdecl("belay_signal_retain")
@implementation
public func belay_signal_retain(_ s: OpaquePointer!) -> OpaquePointer! { retain(s) }

@_cdecl("belay_signal_release")
@implementation
public func belay_signal_release(_ s: OpaquePointer!) { release(s) }

@_cdecl("belay_signal_name")
@implementation
public func belay_signal_name(_ s: OpaquePointer!) -> UnsafePointer<CChar>! {
  signal(s)?.nameCString ?? StaticSite("").pointer
}

@_cdecl("belay_signal_set_name")
@implementation
public func belay_signal_set_name(_ s: OpaquePointer!, _ name: UnsafePointer<CChar>!) -> Int32 {
  guard let signal = signal(s) else { return fail(invalid(s)) }
  if let name { signal.name = Text(cString: name) } else { signal.resetName() }
  return 0
}

@_cdecl("belay_signal_set_queue")
@implementation
public func belay_signal_set_queue(
  _ s: OpaquePointer!, _ options: UnsafePointer<belay_queue_options>!
) -> Int32 {
  guard let signal = signal(s), let made = queueOptions(options) else { return fail(invalid(s)) }
  return answer(signal.setQueue(made))
}

@_cdecl("belay_signal_queue_high_water")
@implementation
public func belay_signal_queue_high_water(_ s: OpaquePointer!) -> Int {
  signal(s)?.queueHighWater ?? 0
}

/// The core's form of C's options; nil if they are wrong.
func queueOptions(_ options: UnsafePointer<belay_queue_options>?) -> QueueOptions? {
  var made = QueueOptions()
  guard let options else { return made }
  guard let given = known(options),
    let policy = QueuePolicy(rawValue: Int32(bitPattern: given.policy.rawValue))
  else { return nil }
  made.policy = policy
  if given.capacity != 0 { made.capacity = given.capacity < 0 ? .max : given.capacity }
  if let word = given.high_water { made.highWaterMark = HighWaterMark(copyingTo: word) }
  return made
}

@_cdecl("belay_signal_subscribe")
@implementation
public func belay_signal_subscribe(
  _ s: OpaquePointer!, _ observer: UnsafePointer<belay_observer>!,
  _ disposable: UnsafeMutablePointer<OpaquePointer?>!
) -> Int32 {
  disposable?.pointee = nil
  // An observer of this version's size is not copied, so this function needs no room for a copy.
  if let observer, observer.pointee.size == MemoryLayout<belay_observer>.size {
    return subscribe(s, observer, disposable)
  }
  return subscribeKnown(s, observer, disposable)
}

/// The same for an observer of another version: with the members that this version knows.
@inline(never)
private func subscribeKnown(
  _ s: OpaquePointer?, _ observer: Observer?, _ disposable: UnsafeMutablePointer<OpaquePointer?>?
) -> Int32 {
  reading(observer, orElse: nil) { subscribe(s, $0, disposable) } ?? fail(invalid(s))
}

private func subscribe(
  _ s: OpaquePointer?, _ observer: Observer, _ disposable: UnsafeMutablePointer<OpaquePointer?>?
) -> Int32 {
  if observer.pointee.next != nil && observer.pointee.next_batch != nil {
    freeUnused(observer)
    return s == nil ? fail(.missing) : fail(.invalid, "either next or next_batch")
  }
  let owner = owner(observer.pointee.owner)
  // A checked build finds no owner behind a handle that was released.
  let isMissing = owner == nil && observer.pointee.owner != nil
  let code = using(isMissing ? nil : s, CSignal.self, orElse: Int32?.none) {
    subscribe(to: $0, owner, observer, disposable)
  }
  if let code { return code }
  freeUnused(observer)
  return fail(.missing)
}

// Not inlined, because it would be optimised for size there, like its caller.
@inline(never)
@_optimize(speed)
func subscribe(
  to signal: CSignal, _ owner: OwnerRecord?, _ observer: Observer,
  _ disposable: UnsafeMutablePointer<OpaquePointer?>?
) -> Int32 {
  if let nextBatch = observer.pointee.next_batch {
    return start(batches(of: signal, nextBatch, observer), owner, observer, disposable)
  }
  guard owner == nil, observer.pointee.loop == nil, signal.form == .publishSubject else {
    return start(signal, owner, observer, disposable)
  }
  let subject = unsafeDowncast(signal, to: PublishSubject<ForeignValue>.self)
  guard subject.isSourceHere else { return start(signal, owner, observer, disposable) }
  let made = Unmanaged.passRetained(observation(observer, home: nil))
  made._withUnsafeGuaranteedRef { subject.startHere($0) }
  // This function's reference becomes the caller's.
  if let disposable { disposable.pointee = handle(for: made.toOpaque()) } else { made.drop() }
  return 0
}

/// The signal with a stage below it that calls `next_batch`. The subscription frees the context.
@inline(never)
private func batches(of signal: CSignal, _ nextBatch: @escaping NextBatch, _ observer: Observer)
  -> CSignal
{
  let ctx = observer.pointee.ctx
  return signal.batched(isUrgent: { $0.kind == .signal }) { values in
    values.withMemoryRebound(to: belay_value.self) { items in
      LastFailure.isolating {
        nextBatch(ctx, items.baseAddress, items.count)
        return LastFailure.takeDeliberate()
      }
    }
  }
}

private typealias NextBatch =
  @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<belay_value>?, Int) -> Void

/// An observer that several subscriptions call. Their context is a reference to it.
private struct SharedObserver: ~Copyable {
  let observer: belay_observer
  private let references = Atomic<Int>(1)

  init(_ observer: belay_observer) { self.observer = observer }

  /// The observer that was shared. The subscription keeps it during its callbacks.
  @inline(__always)
  static func of(_ ctx: UnsafeMutableRawPointer?) -> Observer {
    UnsafePointer(ctx.unsafelyUnwrapped.assumingMemoryBound(to: belay_observer.self))
  }

  static func retain(_ ctx: UnsafeMutableRawPointer) {
    at(ctx).pointee.references.wrappingAdd(1, ordering: .relaxed)
  }

  static let release: FreeFunction = { ctx in
    let shared = at(ctx.unsafelyUnwrapped)
    let left = shared.pointee.references.wrappingSubtract(1, ordering: .acquiringAndReleasing)
      .newValue
    if left != 0 { return }
    Context.free(shared.pointee.observer.ctx, shared.pointee.observer.ctx_free)
    shared.deinitialize(count: 1)
    shared.deallocate()
  }

  private static func at(
    _ ctx: UnsafeMutableRawPointer
  ) -> UnsafeMutablePointer<SharedObserver> {
    ctx.assumingMemoryBound(to: SharedObserver.self)
  }
}

@_cdecl("belay_observer_share")
@implementation
public func belay_observer_share(_ observer: UnsafeMutablePointer<belay_observer>!) -> Int32 {
  guard let observer else { return fail(.invalid) }
  if observer.pointee.size >= belay_observer.firstSize, isShared(observer) { return 0 }
  guard let given = known(UnsafePointer(observer)) else { return fail(.invalid) }
  let shared = UnsafeMutablePointer<SharedObserver>.allocate(capacity: 1)
  shared.initialize(to: SharedObserver(given))
  observer.pointee.ctx = UnsafeMutableRawPointer(shared)
  observer.pointee.ctx_free = SharedObserver.release
  if given.next != nil {
    observer.pointee.next = {
      let given = SharedObserver.of($0)
      given.pointee.next(given.pointee.ctx, $1)
    }
  }
  if given.error != nil {
    observer.pointee.error = {
      let given = SharedObserver.of($0)
      given.pointee.error(given.pointee.ctx, $1)
    }
  }
  if given.completed != nil {
    observer.pointee.completed = {
      let given = SharedObserver.of($0)
      given.pointee.completed(given.pointee.ctx)
    }
  }
  if given.disposed != nil {
    observer.pointee.disposed = {
      let given = SharedObserver.of($0)
      given.pointee.disposed(given.pointee.ctx)
    }
  }
  // An older observer does not have this member.
  if given.next_batch != nil {
    observer.pointee.next_batch = {
      let given = SharedObserver.of($0)
      given.pointee.next_batch(given.pointee.ctx, $1, $2)
    }
  }
  return 0
}

@_cdecl("belay_observer_retain")
@implementation
public func belay_observer_retain(
  _ observer: UnsafePointer<belay_observer>!
) -> UnsafePointer<belay_observer>! {
  guard let shared = sharedContext(observer) else { return nil }
  SharedObserver.retain(shared)
  return observer
}

@_cdecl("belay_observer_release")
@implementation
public func belay_observer_release(_ observer: UnsafePointer<belay_observer>!) {
  if let shared = sharedContext(observer) { SharedObserver.release(shared) }
}

@inline(never)
private func isShared(_ observer: Observer) -> Bool {
  let release = unsafeBitCast(SharedObserver.release, to: UInt.self)
  return unsafeBitCast(observer.pointee.ctx_free, to: UInt.self) == release
}

/// The reference in an observer that has been shared; otherwise nil, with a failure.
private func sharedContext(_ observer: Observer?) -> UnsafeMutableRawPointer? {
  if let observer, isShared(observer) { return observer.pointee.ctx }
  fail(.missing)
  return nil
}

/// Frees the context of an observer that no subscription has.
private func freeUnused(_ observer: Observer) {
  _ = Context(observer.pointee.ctx, observer.pointee.ctx_free)
}

private func start(
  _ signal: CSignal, _ owner: OwnerRecord?, _ observer: Observer,
  _ disposable: UnsafeMutablePointer<OpaquePointer?>?
) -> Int32 {
  // What a signal calls before this returns may release the last reference to it.
  let kept = Unmanaged.passRetained(signal)
  defer { kept.release() }
  let loop = object(observer.pointee.loop, Loop.self)
  if loop?.isClosed ?? false {
    freeUnused(observer)
    return fail(.closed)
  }
  let home = signal.subscriptionHome(loop?.home, isNamed: true)
  // With an owner it needs a home from the start: the owner may dispose of it on any thread before it is
  // attached to a signal with a home.
  if owner == nil && home.isCurrent && signal.hangsDirectly(at: home) {
    return start(signal, by: observation(observer, home: nil), nil, at: home, loop, disposable)
  }
  // From now on the subscription retains the home.
  let known = Unmanaged.passUnretained(home)
  let subscription = observation(observer, home: consume home)
  return known._withUnsafeGuaranteedRef {
    start(signal, by: subscription, owner, at: $0, loop, disposable)
  }
}

/// Subscribes at a home that was found.
func start(
  _ signal: CSignal, _ observer: Observer, at home: Home,
  _ disposable: UnsafeMutablePointer<OpaquePointer?>?
) -> Int32 {
  start(signal, by: observation(observer, home: home), nil, at: home, nil, disposable)
}

/// Subscribes at the loop of this thread, if it has one, also to a shared source.
func subscribeHere(
  to signal: CSignal, _ owner: OwnerRecord?, _ observer: Observer,
  _ disposable: UnsafeMutablePointer<OpaquePointer?>?
) -> Int32 {
  let home = signal.homeHere
  return start(signal, by: observation(observer, home: home), owner, at: home, nil, disposable)
}

@inline(__always)
private func start(
  _ signal: CSignal, by subscription: ForeignSubscription<ForeignValue>, _ owner: OwnerRecord?,
  at home: Home, _ loop: Loop?, _ disposable: UnsafeMutablePointer<OpaquePointer?>?
) -> Int32 {
  // An operator or a producer may have something to call.
  if !signal.route.isSource { subscription.endsSilently = false }
  disposable?.pointee = give(subscription)
  if let loop { loop.user.members.add(subscription) }
  let code = explained {
    signal.start(subscription, owner: owner, at: home, from: loop?.home)
  }
  if code < 0 {
    if let handle = disposable?.pointee { release(handle) }
    disposable?.pointee = nil
  }
  return code
}

/// The core's form of the C options. Records the failure, and answers nil, if they are wrong.
func sourceOptions(_ options: UnsafePointer<belay_source_options>?) -> SourceOptions? {
  var made = SourceOptions()
  guard let options else { return made }
  guard let given = known(options),
    let reentrancy = Reentrancy(rawValue: Int32(bitPattern: given.reentrancy.rawValue))
  else {
    fail(.invalid)
    return nil
  }
  made.label = StaticSite(at: given.label)
  made.site = StaticSite(at: given.site)
  made.reentrancy = reentrancy
  if given.capacity != 0 { made.capacity = given.capacity < 0 ? .max : given.capacity }
  made.isShared = given.shared != 0
  if let loop = object(given.loop, Loop.self) {
    if loop.isClosed || made.isShared {
      fail(made.isShared ? .invalid : .closed)
      return nil
    }
    made.home = loop.home
  }
  return made
}

// MARK: Subscribers

private func subscriber(_ handle: OpaquePointer?) -> CSubscriber? {
  object(handle, CSubscriber.self)
}

@_cdecl("belay_subscriber_retain")
@implementation
public func belay_subscriber_retain(_ s: OpaquePointer!) -> OpaquePointer! { retain(s) }

@_cdecl("belay_subscriber_release")
@implementation
public func belay_subscriber_release(_ s: OpaquePointer!) { release(s) }

@_cdecl("belay_subscriber_next")
@implementation
public func belay_subscriber_next(_ s: OpaquePointer!, _ value: belay_value) -> Int32 {
  let value = foreign(value)
  let code = using(s, CSubscriber.self, orElse: .missing) { subscriber in
    LastFailure.isolating { subscriber.next(value) }
  }
  discard(value)
  return answer(code)
}

@_cdecl("belay_subscriber_next_wait")
@implementation
public func belay_subscriber_next_wait(
  _ s: OpaquePointer!, _ value: belay_value, _ timeout: Double
) -> Int32 {
  sendWaiting(s, CSubscriber.self, value, timeout) { subscriber, value, limit in
    subscriber.next(value, nanoseconds: limit)
  }
}

@_cdecl("belay_subscriber_next_batch")
@implementation
public func belay_subscriber_next_batch(
  _ s: OpaquePointer!, _ items: UnsafePointer<belay_value>!, _ count: Int
) -> Int32 {
  sendBatch(s, items, count, by: belay_subscriber_next)
}

@_cdecl("belay_subscriber_error")
@implementation
public func belay_subscriber_error(_ s: OpaquePointer!, _ error: OpaquePointer!) -> Int32 {
  guard let subscriber = subscriber(s), let failure = failure(error) else {
    return fail(invalid(s, error))
  }
  return answer(LastFailure.isolating { subscriber.error(failure) })
}

@_cdecl("belay_subscriber_completed")
@implementation
public func belay_subscriber_completed(_ s: OpaquePointer!) -> Int32 {
  answer(
    using(s, CSubscriber.self, orElse: .missing) { subscriber in
      LastFailure.isolating { subscriber.completed() }
    })
}

@_cdecl("belay_subscriber_add")
@implementation
public func belay_subscriber_add(_ s: OpaquePointer!, _ d: OpaquePointer!) -> Int32 {
  guard let subscriber = subscriber(s), let disposable = disposable(d) else {
    return fail(invalid(s, d))
  }
  subscriber.add(disposable)
  return 0
}

@_cdecl("belay_subscriber_is_disposed")
@implementation
public func belay_subscriber_is_disposed(_ s: OpaquePointer!) -> Int32 {
  subscriber(s)?.isDisposed ?? true ? 1 : 0
}
