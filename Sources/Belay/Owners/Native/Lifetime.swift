import CBelayShim

/// The life of an object: what ends with it, and signals of its end.
///
/// `Lifetime.of(object)` works for any Swift object. Its class need not inherit or declare
/// anything. The lifetime neither keeps the object alive nor delays its death. The deinit runs and
/// the stored properties go at step 4 of the death (`OwnerRecord`), and the memory at step 8. See
/// docs/native-objects.md. (ReactiveSwift's `Lifetime`, RxSwift's `rx`.)
public struct Lifetime: Sendable {
  /// The object's owner, or the reason why there is none.
  private enum Content {
    case known(OwnerRecord)
    case unavailable(Failure)
  }

  /// A stored property whose own deinit ends the lifetime: the simple way, for your own classes.
  /// A bound disposable ends when the object's properties do, after the body of its deinit.
  public typealias Token = Owner

  private let content: Content

  /// The lifetime of the object that `record` stands for.
  public init(_ record: OwnerRecord) { content = .known(record) }

  private init(unavailable failure: Failure) { content = .unavailable(failure) }

  /// The lifetime of `object`, or, if it is an `Owner`, of the object that it stands for. Any
  /// thread may call this.
  ///
  /// - Returns: a lifetime that is over, for an object whose deinit is running and that was not
  ///   observed before. If the object cannot be observed, a lifetime whose `failure` says why:
  ///   `.unsupported`; `.mismatch` when other code has replaced the destroy function of its class
  ///   since Belay did.
  // Not inlined: the compiler may put an object that does not escape on the stack, and then the
  // destroy function of its class does not end it.
  @inline(never)
  @_semantics("optimize.no.crossmodule")
  public static func of(_ object: AnyObject) -> Lifetime {
    of(object, isOffered: NativeHook.isOffered)
  }

  /// The same, with the result of the trial as an argument.
  package static func of(_ object: AnyObject, isOffered: Bool) -> Lifetime {
    if let owner = object as? Owner { return Lifetime(owner.record) }
    if !isOffered {
      return Lifetime(
        unavailable: Failure(.unsupported, message: "objects cannot be observed here"))
    }
    let pointer = Unmanaged.passUnretained(object).toOpaque()
    if let known = NativeOwners.find(pointer) { return Lifetime(known) }
    if belay_native_is_dying(pointer) { return Lifetime(NativeOwnerRecord.ended()) }
    if let failure = NativeHook.install(on: object) { return Lifetime(unavailable: failure) }
    return Lifetime(NativeOwners.record(of: pointer))
  }

  // MARK: What it is

  /// The owner that stands for the object and outlives it; nil if the object cannot be observed.
  public var record: OwnerRecord? {
    if case .known(let record) = content { record } else { nil }
  }

  /// Why the object cannot be observed; nil if it can.
  public var failure: Failure? {
    if case .unavailable(let failure) = content { failure } else { nil }
  }

  /// Whether the object's death has begun.
  public var isOver: Bool { record?.isDying ?? false }

  // MARK: Signals of its end

  /// Sends once when the death begins, while the object is intact, and completes after its deinit.
  /// Late subscribers get what has been sent. If there is a `failure`, the signal fails with it.
  /// (RxSwift's `rx.deallocating`.)
  ///
  /// A callback must not take a reference to the object that outlasts the call.
  public var deallocating: Signal<Void> { signal { $0.deallocating } }

  /// Sends once and completes after the object's deinit. Late subscribers get both events. If there
  /// is a `failure`, the signal fails with it. (RxSwift's `rx.deallocated`.)
  public var deallocated: Signal<Void> { signal { $0.deallocated } }

  private func signal(_ phase: (OwnerRecord) -> Signal<Void>) -> Signal<Void> {
    switch content {
    case .known(let record): phase(record)
    case .unavailable(let failure): .error(failure)
    }
  }

  // MARK: What ends with it

  /// Binds `disposable`: it is disposed of when the death begins, or at once if it has begun.
  ///
  /// - Returns: `.ok`, or the code of `failure`; then `disposable` is left as it is.
  @discardableResult
  public func add(_ disposable: Disposable) -> Code {
    tell {
      $0.add(disposable)
      return .ok
    }
  }

  private func tell(_ word: (OwnerRecord) -> Code) -> Code {
    switch content {
    case .known(let record): word(record)
    case .unavailable(let failure): failure.code
    }
  }

  /// The bound disposables as a container, from which members can be taken out; nil if there is a
  /// `failure`.
  public var bag: CompoundDisposable? { record?.compound }

  /// Binds `child`, which dies when this lifetime ends, even if it has handles. Answers as `add`
  /// does.
  @discardableResult
  public func add(child: Owner) -> Code { tell { $0.addChild(child.record) } }

  /// Calls `tell` at step 5 of the death, with the name, `userInfo`, and the object's address; its
  /// properties have gone, and its memory is still there. A second notification with one name
  /// replaces the first, which will not be called. (RFDestroyNotify.)
  ///
  /// - Returns: `.dead` from step 5 on, or the code of `failure`.
  @discardableResult
  public func notify(
    _ name: String, userInfo: AnyObject? = nil,
    _ tell:
      @escaping (_ name: String, _ userInfo: AnyObject?, _ address: UnsafeMutableRawPointer?)
      -> Void
  ) -> Code {
    self.tell { $0.notify(name, userInfo: userInfo, tell) }
  }

  /// Removes a notification. Answers `.notFound` if there is none with that name.
  @discardableResult
  public func removeNotification(_ name: String) -> Code {
    tell { $0.removeNotification(name) }
  }

  /// Associates `object` with the address `key`, and replaces an earlier one; nil only removes
  /// that. Associated objects are released at step 6 of the death, in the order in which they were
  /// associated.
  ///
  /// - Returns: `.dead` from then on, or the code of `failure`.
  @discardableResult
  public func associate(
    _ object: AnyObject?, with key: UnsafeRawPointer, kind: UnsafeRawPointer? = nil,
    policy: AssociationPolicy = .retain
  ) -> Code {
    tell { $0.associate(object, with: key, kind: kind, policy: policy) }
  }

  /// The object that is associated under `key` and `kind`.
  public func associated(
    with key: UnsafeRawPointer, kind: UnsafeRawPointer? = nil
  ) -> AnyObject? {
    record?.associated(with: key, kind: kind)
  }
}

extension Owner {
  /// The life of the object that the owner stands for.
  public var lifetime: Lifetime { Lifetime(record) }
}
