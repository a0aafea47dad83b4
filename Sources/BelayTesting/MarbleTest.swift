@_spi(Engine) import Belay

/// A test under virtual time: sources from marble diagrams, and the expected behaviour of signals
/// made of them. (RxJS's TestScheduler in run mode.)
///
/// Make the sources, state what is expected, then call `run`. A test belongs to one thread, and a
/// source to the run that follows, or in which it was made.
public final class MarbleTest<Value>: Entity, @unchecked Sendable {
  /// The time of the test. Pass it to operators that take a scheduler.
  public let scheduler = VirtualScheduler()
  package private(set) var alphabet: MarbleAlphabet<Value>
  private var sources: [MarbleSource<Value>] = []
  private var expectations: [Expectation] = []
  private var spans: [(source: MarbleSource<Value>, expected: [MarbleSpan])] = []
  private var isRunning = false
  /// The work of a run.
  private var work = CompoundDisposable()
  /// The work that subscriptions to cold sources wait for. It goes with the test.
  private let playing = CompoundDisposable()
  private let strays = MarbleStrays()

  /// A signal under test, the events that are expected of it, and those that it has sent.
  private final class Expectation {
    let signal: Signal<Value>
    let span: MarbleSpan
    let expected: [MarbleEvent<Value>]
    // Another thread that runs the scheduler's work may subscribe after the test is over.
    let subscription = SingleAssignmentDisposable()
    // Any thread may bring an event. The lock protects those that have come.
    private let lock = Lock()
    private var seen: [MarbleEvent<Value>] = []

    init(_ signal: Signal<Value>, _ span: MarbleSpan, _ expected: [MarbleEvent<Value>]) {
      self.signal = signal
      self.span = span
      self.expected = expected
    }

    deinit { for event in seen + expected { event.giveBack() } }

    func record(_ event: MarbleEvent<Value>) { lock.withLock { seen.append(event) } }

    /// The events that have come by now. This keeps their values.
    var seenByNow: [MarbleEvent<Value>] { lock.withLock { seen } }
  }

  package init(_ alphabet: MarbleAlphabet<Value>) {
    self.alphabet = alphabet
    super.init()
  }

  deinit {
    tearDown()
    playing.dispose()
  }

  // MARK: Sources

  /// A signal that sends the diagram's events to each subscription, counted from its beginning.
  public func cold(_ marbles: Text) throws(Failure) -> Signal<Value> {
    try source(marbles, isHot: false)
  }

  /// A signal whose events happen even without subscribers. `^` is the moment at which the test
  /// begins; events before it have happened already.
  ///
  /// - Throws: `.invalid` for a malformed diagram; `.busy` inside of a run.
  public func hot(_ marbles: Text) throws(Failure) -> Signal<Value> {
    try refuseInside()
    return try source(marbles, isHot: true)
  }

  private func source(_ marbles: Text, isHot: Bool) throws(Failure) -> Signal<Value> {
    let diagram = try MarbleDiagram(marbles)
    try diagram.checkEvents(mayBegin: isHot)
    var start: Int64 = 0
    for (time, mark) in diagram.marks where mark == .subscription { start = time }
    let made = MarbleSource<Value>(
      events(diagram, from: start), isHot: isHot, on: scheduler, playing, strays)
    sources.append(made)
    return made.signal
  }

  // MARK: Expectations

  /// Expects `signal`, subscribed to at the beginning, to behave like `marbles`.
  ///
  /// - Parameters:
  ///   - signal: made of the test's sources.
  ///   - marbles: the events that are expected of it.
  ///   - subscription: other times to subscribe and to dispose: "--^----!".
  /// - Throws: `.invalid` for a malformed diagram; `.busy` inside of a run.
  public func expect(
    _ signal: Signal<Value>, _ marbles: Text, subscription: Text = ""
  ) throws(Failure) {
    try refuseInside()
    let diagram = try MarbleDiagram(marbles)
    try diagram.checkEvents(mayBegin: false)
    let span = try MarbleDiagram(subscription).span()
    expectations.append(Expectation(signal, span, events(diagram, from: 0)))
  }

  /// Expects the subscriptions to `source`, which is one of this test's, to be these, in order.
  public func expectSubscriptions(
    of source: Signal<Value>, _ marbles: [Text]
  ) throws(Failure) {
    guard let known = sources.first(where: { $0.signal === source }) else {
      throw Failure(.notFound, message: "marbles: not a source of this test")
    }
    var expected: [MarbleSpan] = []
    for text in marbles { expected.append(try MarbleDiagram(text).span()) }
    spans.append((known, expected))
  }

  /// Lets a letter or digit stand for its value in reports. The letters of diagrams do so already.
  package func define(_ mark: UInt8) {
    if !alphabet.defined.contains(mark) { alphabet.defined.append(mark) }
  }

  private func events(_ diagram: MarbleDiagram, from start: Int64) -> [MarbleEvent<Value>] {
    var events: [MarbleEvent<Value>] = []
    for (time, mark) in diagram.marks {
      switch mark {
      case .value(let letter):
        define(letter)
        events.append(MarbleEvent(time: time - start, kind: .next(alphabet.value(letter))))
      case .completed: events.append(MarbleEvent(time: time - start, kind: .completed))
      case .error: events.append(MarbleEvent(time: time - start, kind: .failed(nil)))
      case .subscription, .unsubscription: break
      }
    }
    return events
  }

  // MARK: Running

  /// Advances the time until nothing happens any more, or by `limit`, and compares. Times count from
  /// the beginning of the run. Events that another thread brings count if they have come by then.
  ///
  /// - Throws: `.mismatch`, with a drawing as its message, if something differs; `.again` if something
  ///   goes on at one moment without end; `.notFound` if a source of an earlier run was subscribed to;
  ///   `.busy` inside of a run, and while another thread runs the scheduler's work. The test is over
  ///   in every case but inside of a run.
  public func run(atMost limit: Duration = .seconds(3600)) throws(Failure) {
    try refuseInside()
    isRunning = true
    defer {
      tearDown()
      isRunning = false
    }
    let start = scheduler.now
    _ = strays.take()
    for expectation in expectations { schedule(expectation, from: start) }
    for source in sources { if let events = source.play() { work.add(events) } }
    let code = scheduler.advance(by: limit)
    if code == .again { throw Failure(code, message: "marbles: work without end at one moment") }
    if code.isFailure {
      throw Failure(code, message: "marbles: another thread runs the scheduler's work")
    }
    if strays.take() {
      throw Failure(.notFound, message: "marbles: a source of an earlier run was subscribed to")
    }
    let drawing = MarbleDrawing(MarbleDiagram.frame)
    for expectation in expectations {
      let seen = expectation.seenByNow
      if !alphabet.areSame(seen, expectation.expected) {
        alphabet.draw(expectation.expected, "expected", in: drawing)
        alphabet.draw(seen, "actual", in: drawing)
      }
    }
    for (source, expected) in spans {
      let seen = source.spans(from: start)
      if seen == expected { continue }
      drawing.draw(expected, "expected subscriptions")
      drawing.draw(seen, "actual subscriptions")
    }
    if drawing.isEmpty { return }
    var report = drawing.drawn(asText: true)
    report.removeLast()  // the end of the last line
    throw Failure(
      .mismatch, message: "marbles differ\n" + Text(decoding: report, as: UTF8.self))
  }

  /// A run does only what it has found at its beginning.
  private func refuseInside() throws(Failure) {
    if isRunning { throw Failure(.busy, message: "marbles: a run is in progress") }
  }

  @inline(never)
  private func schedule(_ expectation: Expectation, from start: Instant) {
    let begin = ClosureWork { [scheduler] in
      func record(_ kind: MarbleEvent<Value>.Kind) {
        expectation.record(MarbleEvent(time: scheduler.now - start, kind: kind))
      }
      expectation.subscription.set(
        expectation.signal.subscribe(
          next: {
            keep($0)
            record(.next($0))
          }, error: { record(.failed($0)) }, completed: { record(.completed) }))
    }
    submit(begin, after: expectation.span.subscribed ?? 0)
    guard let end = expectation.span.unsubscribed else { return }
    submit(ClosureWork { expectation.subscription.dispose() }, after: end)
  }

  private func submit(_ one: Work, after time: Int64) {
    work.add(one)
    _ = scheduler.submit(one, after: time)
  }

  /// Disposes of everything, because the test is over. A callback from here may make sources of the
  /// next.
  @inline(never)
  private func tearDown() {
    let (ended, sources, work) = (expectations, sources, work)
    (expectations, spans, self.sources) = ([], [], [])
    self.work = CompoundDisposable()
    work.dispose()
    for expectation in ended { expectation.subscription.dispose() }
    for source in sources { source.stop() }
  }
}

extension MarbleEvent {
  fileprivate func giveBack() { if case .next(let value) = kind { discard(value) } }
}

/// Whether a source was subscribed to after its run. Any thread may subscribe.
final class MarbleStrays: @unchecked Sendable {
  private let lock = Lock()
  private var areThere = false

  func note() { lock.withLock { areThere = true } }

  /// Answers it for the time since the last call.
  func take() -> Bool {
    lock.withLock {
      defer { areThere = false }
      return areThere
    }
  }
}

/// One source of a test, and the spans of the subscriptions to it.
final class MarbleSource<Value>: @unchecked Sendable {
  private let events: [MarbleEvent<Value>]
  private let scheduler: VirtualScheduler
  /// Where the subscriptions to a cold source are disposed of with the test.
  private let playing: CompoundDisposable
  private let strays: MarbleStrays
  private var subject: PublishSubject<Value>?
  // Threads may subscribe at once.
  private let lock = Lock()
  private var spans: [MarbleSpan] = []
  private var isOver = false
  private var made: Signal<Value>?

  var signal: Signal<Value> { made.unsafelyUnwrapped }

  init(
    _ events: [MarbleEvent<Value>], isHot: Bool, on scheduler: VirtualScheduler,
    _ playing: CompoundDisposable, _ strays: MarbleStrays
  ) {
    self.events = events
    self.scheduler = scheduler
    self.playing = playing
    self.strays = strays
    if isHot { subject = PublishSubject() }
    let hot: Signal<Value>? = subject
    let source =
      hot
      ?? .create(SourceOptions(label: "cold")) { [unowned(unsafe) self] subscriber in
        // The test retains this source until it is over.
        let events = self.play { event in
          switch event.kind {
          case .next(let value): subscriber.send(value)
          case .completed: subscriber.completed()
          case .failed(let failure): subscriber.error(failure ?? Self.failure)
          }
        }
        // Kept until the test is over, so that a diagram without an end is not an interruption.
        events.add(AnonymousDisposable { extendLifetime(subscriber) })
        self.playing.add(events)
        return events
      }
    made = source.lift("logged") { MarbleLog($0, self) }
  }

  deinit { for event in events { if case .next(let value) = event.kind { discard(value) } } }

  static var failure: Failure { Failure(.range, message: "marble") }

  /// Sends a hot source's events at their times, until the answer is disposed of.
  func play() -> Disposable? {
    guard let subject else { return nil }
    return play { event in
      switch event.kind {
      case .next(let value): subject.next(value)
      case .completed: subject.completed()
      case .failed(let failure): subject.error(failure ?? Self.failure)
      }
    }
  }

  private func play(_ send: @escaping (MarbleEvent<Value>) -> Void) -> CompoundDisposable {
    let all = CompoundDisposable()
    for event in events where event.time >= 0 {
      let work = ClosureWork { send(event) }
      all.add(work)
      _ = scheduler.submit(work, after: event.time)
    }
    return all
  }

  /// Ends the subscriptions to a hot source, which sends nothing after a run.
  func stop() {
    lock.withLock { isOver = true }
    subject?.emitter.interrupt()
    subject = nil
    made = nil
  }

  func began() -> Int {
    let now = scheduler.now
    return lock.withLock {
      if isOver { strays.note() }
      spans.append(MarbleSpan(subscribed: now, unsubscribed: nil))
      return spans.count - 1
    }
  }

  func ended(_ place: Int) {
    let now = scheduler.now
    lock.withLock { spans[place].unsubscribed = now }
  }

  /// The subscriptions, with times that count from `start`.
  func spans(from start: Instant) -> [MarbleSpan] {
    lock.withLock {
      spans.map {
        MarbleSpan(
          subscribed: $0.subscribed.map { $0 - start },
          unsubscribed: $0.unsubscribed.map { $0 - start })
      }
    }
  }
}

/// Notes when a subscription begins and ends.
private final class MarbleLog<Value>: Stage<Value, Value>, @unchecked Sendable {
  private let source: MarbleSource<Value>
  private var place = 0

  init(_ downstream: Sink<Value>, _ source: MarbleSource<Value>) {
    self.source = source
    super.init(downstream)
  }

  override func attach(to signal: Signal<Value>, at home: Home) -> Code {
    place = source.began()
    return signal.connect(self, at: home)
  }

  override func next(_ value: Value) { pass(value) }
  override func tearDown() { source.ended(place) }
}
