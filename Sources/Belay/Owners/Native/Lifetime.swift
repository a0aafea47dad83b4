import CBelayShim

/// The life of an object: what ends with it, and the news of its end.
///
/// `Lifetime.of(object)` is that of any Swift object, whatever its class: nothing need be
/// inherited, declared or kept, and the object is kept neither alive nor from dying. Its deinit
/// and its members go at step 4 of the death (`OwnerRecord`), its memory at step 8. See
/// docs/native-objects.md. (ReactiveSwift's `Lifetime`, RxSwift's `rx`.)
public struct Lifetime: Sendable {
  private enum Content {
    case known(OwnerRecord)
    case unavailable(Failure)
  }

  /// A member whose own deinit ends the lifetime: the plain way, for classes of one's own. What
  /// is bound goes with the object's members, after the body of its deinit.
  public typealias Token = Owner

  private let content: Content

  /// The lifetime of the object that `record` stands for.
  public init(_ record: OwnerRecord) { content = .known(record) }

  private init(unavailable failure: Failure) { content = .unavailable(failure) }

  /// The lifetime of `object`; that of what it stands for, if it is an `Owner`. Any thread.
  ///
  /// - Returns: one that is over already, for an object whose deinit is running and that nobody
  ///   has observed before. Where the object cannot be observed, one whose `failure` says why:
  ///   `.unsupported`; `.mismatch` when others have replaced the destroy function of its class
  ///   since Belay did.
  // Not to be inlined: an object that is seen not to escape may be put on the stack, and then its
  // class's destroy function is not what ends it.
  @inline(never)
  @_semantics("optimize.no.crossmodule")
  public static func of(_ object: AnyObject) -> Lifetime {
    of(object, isOffered: NativeHook.isOffered)
  }

  /// The same, with the trial's outcome given.
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

  /// What stands for the object, and outlives it; nil where it cannot be observed.
  public var record: OwnerRecord? {
    if case .known(let record) = content { record } else { nil }
  }

  /// Why the object cannot be observed; nil if it can.
  public var failure: Failure? {
    if case .unavailable(let failure) = content { failure } else { nil }
  }

  /// Whether the object's death has begun.
  public var isOver: Bool { record?.isDying ?? false }

  // MARK: The news of its end

  /// Sends once when the death begins, with the object intact; completes after its deinit. Late
  /// subscribers get what has been sent. Sends `failure` where there is one. (RxSwift's
  /// `rx.deallocating`.)
  ///
  /// Who is called here must not take a reference to the object that lasts beyond the call.
  public var deallocating: Signal<Void> { signal { $0.deallocating } }

  /// Sends once and completes after the object's deinit. Late subscribers get both. Sends
  /// `failure` where there is one. (RxSwift's `rx.deallocated`.)
  public var deallocated: Signal<Void> { signal { $0.deallocated } }

  private func signal(_ phase: (OwnerRecord) -> Signal<Void>) -> Signal<Void> {
    switch content {
    case .known(let record): phase(record)
    case .unavailable(let failure): .error(failure)
    }
  }

  // MARK: What ends with it

  /// Binds `disposable`: it is disposed when the death begins, at once when it has begun.
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

  /// What is bound, as a container of which members can be taken out again; nil where there is a
  /// `failure`.
  public var bag: CompoundDisposable? { record?.compound }

  /// Binds `child`, which dies whole when this ends, whoever holds it. Answers as `add` does.
  @discardableResult
  public func add(child: Owner) -> Code { tell { $0.addChild(child.record) } }

  /// Has `tell` called at step 5 of the death, with the name, what was given as `userInfo`, and
  /// where the object is: its members are gone, its memory is not. A second one of a name takes
  /// the place of the first, which is never called. (RFDestroyNotify.)
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

  /// Takes a notification back. `.notFound` when there is none of that name.
  @discardableResult
  public func removeNotification(_ name: String) -> Code {
    tell { $0.removeNotification(name) }
  }

  /// Associates `object` under the address `key`, in the place of what had it; nil: takes that
  /// out. Let go of, in the order of associating, at step 6 of the death.
  ///
  /// - Returns: `.dead` from then on, or the code of `failure`.
  @discardableResult
  public func associate(
    _ object: AnyObject?, with key: UnsafeRawPointer, kind: UnsafeRawPointer? = nil,
    policy: AssociationPolicy = .retain
  ) -> Code {
    tell { $0.associate(object, with: key, kind: kind, policy: policy) }
  }

  /// What is associated under `key` and `kind`.
  public func associated(
    with key: UnsafeRawPointer, kind: UnsafeRawPointer? = nil
  ) -> AnyObject? {
    record?.associated(with: key, kind: kind)
  }
}

extension Owner {
  /// The life of the object that it stands for.
  public var lifetime: Lifetime { Lifetime(record) }
}
