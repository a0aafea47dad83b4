/// A closure that travels to a home, and perhaps another one that runs if it is refused on its way.
final class PostedClosure: Entity, @unchecked Sendable {
  private let lock = Lock()
  private var work: (() -> Void)?
  private var refusal: (() -> Void)?
  private var isPosted = false
  private var isCanceled = false

  /// - Parameter refusal: runs when the home closes while this is on its way. If the home refuses
  ///   at once, only the code that `post` answers says so.
  init(_ work: @escaping () -> Void, orElse refusal: (() -> Void)? = nil) {
    self.work = work
    self.refusal = refusal
    super.init()
  }

  /// Queues it by `queue`. If the answer is a failure, neither closure has run.
  func post(by queue: (Message) -> Code) -> Code {
    let code = queue(Message(to: self, .work))
    let isLate = lock.withLock {
      isPosted = !code.isFailure
      return isPosted && isCanceled
    }
    if isLate { take().refusal?() } else if code.isFailure { _ = take() }
    return code
  }

  public override func receive(_ message: inout Message, isCanceled: Bool) {
    if !isCanceled {
      take().work?()
      return
    }
    let isUnderWay = lock.withLock {
      self.isCanceled = true
      return isPosted
    }
    if isUnderWay { take().refusal?() }
  }

  private func take() -> (work: (() -> Void)?, refusal: (() -> Void)?) {
    lock.withLock {
      defer { (work, refusal) = (nil, nil) }
      return (work, refusal)
    }
  }
}

extension Mailbox {
  /// As `Home.post`, for a mailbox that is no home's queue.
  package func post(_ work: @escaping () -> Void, orElse refusal: @escaping () -> Void) -> Code {
    PostedClosure(work, orElse: refusal).post { post($0, reserved: true) }
  }
}
