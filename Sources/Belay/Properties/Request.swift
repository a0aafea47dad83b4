/// A source of questions that its listeners answer. Their answers are accumulated, and the sender
/// gets the result: votes on a veto, or a sum. (A GObject signal with an accumulator; the combiner
/// of Boost.Signals2.)
///
/// Its home is that of the thread that made it, or the one that it was made with. When its last
/// reference goes, its listeners end.
public final class Request<Question, Answer>: Entity, @unchecked Sendable {
  private let subject: PublishSubject<Question>
  private let answers: Answers<Answer>

  /// - Parameters:
  ///   - initial: the result when nobody listens.
  ///   - home: where the listeners are asked; nil: this thread's home. With an actor's
  ///     (`Scheduler.actor(_:).home`), the actor may send it on whatever thread it runs.
  ///   - accumulate: makes the next result of the one so far and an answer.
  public convenience init(
    _ initial: Answer, home: Home? = nil,
    _ accumulate: @escaping (Answer, Answer) throws(ClosureError) -> Answer
  ) {
    self.init(Kept(taking: initial), home: home, accumulate)
  }

  package init(
    _ initial: Kept<Answer>, home: Home? = nil,
    _ accumulate: @escaping (Answer, Answer) throws(ClosureError) -> Answer
  ) {
    var options = SourceOptions(label: "request")
    options.home = home
    // A question that a listener asks is answered before the call returns.
    options.reentrancy = .depthFirst
    subject = PublishSubject(options)
    answers = Answers(initial, accumulate)
  }

  /// Has `answer` answer each question at the request's home, after those that came before, until
  /// the result is disposed of or `owner` dies. If it throws, the request fails with that error. A
  /// listener that cannot start is reported, as one of a signal is.
  @discardableResult
  public func subscribe(
    owner: OwnerRecord? = nil,
    _ answer: @escaping (Question) throws(ClosureError) -> Answer
  ) -> Disposable {
    var code = Code.ok
    let listener = subscribe(owner: owner, &code, answer)
    subject.reportFailedStart(code)
    return listener
  }

  package func subscribe(
    owner: OwnerRecord? = nil, _ code: inout Code,
    _ answer: @escaping (Question) throws(ClosureError) -> Answer
  ) -> Disposable {
    let home = subject.emitter.ownHome
    // The listener must not retain the request, whose last release ends it.
    let answers = answers
    let listener = ClosureSubscription<Question>(
      { question in
        answers.add { () throws(ClosureError) -> Answer in try answer(question) }
      }, nil, nil, nil, home)
    code = subject.start(listener, owner: owner, at: home)
    return listener
  }

  /// Asks every listener, in the order in which they came. A listener may send the same request
  /// again, as another one.
  ///
  /// - Returns: the accumulated answers.
  /// - Throws: the first error of a listener or of `accumulate`, after which no other listener is
  ///   asked; `.wrongThread` on another thread than the home's; `.reentrant` beyond 1000 requests
  ///   inside each other; `.canceled` when the home has closed.
  public func send(_ question: Question) throws(Failure) -> Answer {
    let home = subject.emitter.ownHome
    if !home.isCurrent {
      let answer = try home.onActor { () throws(Failure) in try send(question) }
      guard let answer else { throw Failure(home.isOver ? .canceled : .wrongThread) }
      return answer
    }
    let outer = answers.begin()
    return try answers.end(subject.next(question), outer)
  }
}

/// The answers to the request in progress.
private final class Answers<Answer>: @unchecked Sendable {
  /// A request in progress: what its answers have made, or the error of one of them.
  struct Progress {
    var accumulated: Answer
    var failure: Failure?
  }

  private let initial: Kept<Answer>
  private let accumulate: (Answer, Answer) throws(ClosureError) -> Answer
  /// That of the innermost request.
  private var progress: Progress?

  init(
    _ initial: Kept<Answer>,
    _ accumulate: @escaping (Answer, Answer) throws(ClosureError) -> Answer
  ) {
    self.initial = initial
    self.accumulate = accumulate
  }

  /// Begins a request, and answers the one inside of which it is made.
  func begin() -> Progress? {
    defer {
      keep(initial.value)
      progress = Progress(accumulated: initial.value)
    }
    return progress
  }

  /// Adds an answer to the innermost request. While `answer` and `accumulate` run, others may begin
  /// and end inside.
  func add(_ answer: () throws(ClosureError) -> Answer) {
    guard let before = progress, before.failure == nil else { return }
    do throws(ClosureError) {
      let given = try answer()
      defer { discard(given) }
      let after = try accumulate(before.accumulated, given)
      progress?.accumulated = after
      discard(before.accumulated)
    } catch {
      progress?.failure = .carrying(error)
    }
  }

  /// Ends the innermost request, which was sent with `code`.
  func end(_ code: Code, _ outer: Progress?) throws(Failure) -> Answer {
    guard let ended = progress else { throw Failure(.canceled) }
    progress = outer
    guard let failure = ended.failure ?? (code.isFailure ? Failure(code) : nil) else {
      return ended.accumulated
    }
    discard(ended.accumulated)
    throw failure
  }
}
