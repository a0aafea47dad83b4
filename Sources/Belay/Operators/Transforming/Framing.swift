/// A value that may be bytes, and that a frame of bytes can be. (Functions that the stage took for that
/// would be four words of each subscription.)
package protocol FrameValue {
  /// The bytes; nil for a value that is none.
  var wholeBytes: BytesBox? { get }
  /// A part of `whole` as a value of its own, which counts where that does, and at `frames`.
  static func frame(
    _ bytes: UnsafeRawBufferPointer, of whole: BytesBox, at frames: ByteSource?, isText: Bool
  ) -> Self
}

extension Signal where Value: FrameValue {
  /// `intoTexts`: each frame is known to be text.
  package final func framed(
    _ name: StaticString, _ framing: Framing, intoTexts: Bool = false
  ) -> Signal<Value> {
    lift(name) { FramingStage($0, Framer(framing), intoTexts) }
  }
}

/// Cuts the bytes of its source into frames.
///
/// A frame counts as bytes of its own: at the source of its last bytes, and at this stage. While too
/// many bytes of its frames are held, the stage stops, also within one value. For bytes that count it
/// has a budget. Input that comes meanwhile waits, and so does input from inside of a frame's
/// delivery.
private final class FramingStage<Value: FrameValue>: Stage<Value, Value>, @unchecked Sendable {
  private var framer: Framer
  private var isCutting = false
  private let intoTexts: Bool
  /// The last bytes, emptied, of which the last unfinished frame is to be a part. Nil while there
  /// is none.
  private var lastEmptied: BytesBox?
  /// Counts the frames, since one that counts was held after its delivery.
  private var frames: HeldFrames<Value>?
  /// The input that waits, since something has.
  private var late: LateInput<Value>?
  /// Counts the frames of bytes that count.
  private var budget = TurnBudget(since: .min)

  init(_ downstream: Sink<Value>, _ framer: Framer, _ intoTexts: Bool) {
    self.framer = framer
    self.intoTexts = intoTexts
    super.init(downstream)
  }

  override func next(_ value: Value) {
    if isBusy {
      keep(value)
      return madeLate.values.append(value)
    }
    start(value)
    cutWaiting()
  }

  private var isBusy: Bool { isCutting || frames?.isHeld ?? false }

  private var madeLate: LateInput<Value> {
    let made = late ?? LateInput()
    late = made
    return made
  }

  private func start(_ value: Value) {
    guard let box = value.wholeBytes else { return pass(end: .failed(Failure(.wrongKind))) }
    cut(box, box.bytes)
  }

  private func cut(_ box: BytesBox, _ bytes: UnsafeRawBufferPointer) {
    let source = box.byteSource
    if source != nil, let began = home?.turnStart, began != budget.began {
      budget = TurnBudget(since: began)
    }
    isCutting = true
    let code = framer.append(bytes) { send(box, $0, source) }
    isCutting = false
    if isClosed { return framer.reset() }
    if code.isFailure { return pass(end: .failed(Failure(code))) }
    if !framer.hasRest {
      lastEmptied = nil
    } else if lastEmptied?.valueKind != box.valueKind || lastEmptied?.byteSource !== box.byteSource
    {
      lastEmptied = box.emptied()
    }
    if let frames, frames.isHeld && framer.hasRest { frames.cutPartly = box }
  }

  /// Answers whether to continue.
  private func send(
    _ box: BytesBox, _ bytes: UnsafeRawBufferPointer, _ source: ByteSource?
  ) -> Bool {
    if isClosed { return false }
    let before = frames == nil ? source?.held ?? 0 : 0
    let output = Value.frame(bytes, of: box, at: frames, isText: intoTexts)
    pass(output)
    discard(output)
    if isClosed { return false }
    if let frames {
      frames.isHeld = frames.holdsBack()
      if frames.isHeld { return false }
    }
    guard let source, let home, home.acceptsMessages else { return true }
    if frames == nil && source.held > before {
      let made = HeldFrames<Value>(source, self, root, at: home)
      // The first one counts for ever, or nothing tells of its end. At most so much lets the stage go on.
      made.hold(min(source.held - before, made.marks.low))
      frames = made
    }
    // Another home than a loop has no turns.
    if home.turnStart == nil || !budget.isSpent() { return true }
    let frames = frames ?? HeldFrames<Value>(source, self, root, at: home)
    self.frames = frames
    frames.waitForTurn()
    return false
  }

  /// Goes on, because less of what was cut is held, or in the next turn.
  override func receive(_ message: inout Message, isCanceled: Bool) {
    delivering {
      // `isCutting`: a callback has run a turn.
      guard let frames, frames.isHeld, !isCutting else { return }
      frames.isHeld = frames.holdsBack()
      if frames.isHeld { return }
      if let box = frames.cutPartly.take() {
        cut(box, UnsafeRawBufferPointer(start: nil, count: 0))
      }
      cutWaiting()
    }
  }

  private func cutWaiting() {
    while !isBusy, let value = late?.values.popFirst() {
      start(value)
      discard(value)
    }
    if isBusy { outlive() } else if let end = late?.end.take() { finish(end) }
  }

  /// If the source has ended, and frames of it wait, they keep this going.
  private func outlive() {
    guard late?.end != nil, let frames, !frames.isWaiting else { return }
    outliveSource(at: frames.ownHome)
    frames.wait()
  }

  override func end(_ end: End) {
    if !isBusy { return finish(end) }
    madeLate.end = end
    outlive()
  }

  private func finish(_ end: End) {
    if case .completed = end, let lastEmptied {
      isCutting = true
      let code = framer.finish { send(lastEmptied, $0, nil) }
      isCutting = false
      if code.isFailure { return pass(end: .failed(Failure(code))) }
    }
    pass(end: end)
  }

  override func tearDown() {
    if !isCutting { framer.reset() }
    lastEmptied = nil
    late = nil
    frames?.leave()
    frames = nil
  }
}

/// The input that waits at a stage.
private final class LateInput<Value> {
  var values = FIFO<Value>()
  var end: End?

  deinit { values.discardAll() }
}

/// Counts the frames of a stage that are held, by the marks of the source of its bytes.
private final class HeldFrames<Value>: ByteSource, @unchecked Sendable {
  var isHeld = false
  /// Of which the framer has the rest.
  var cutPartly: BytesBox?
  let ownHome: Home
  private unowned(unsafe) let subscription: Link
  // The stage's end takes it out.
  private unowned(unsafe) var stage: Upstream?
  private(set) var isWaiting = false
  private let ownMarks: (high: Int, low: Int)

  init(_ source: ByteSource, _ stage: Upstream, _ subscription: Link, at home: Home) {
    self.stage = stage
    self.subscription = subscription
    ownHome = home
    ownMarks = source.marks
    super.init(countsGathered: source.countsGathered)
  }

  override var marks: (high: Int, low: Int) { ownMarks }

  override func goesOn() { if endHoldingBack() { goOnLater() } }

  /// Holds until the next turn.
  func waitForTurn() {
    isHeld = true
    goOnLater()
  }

  private func goOnLater() { _ = ownHome.post(Message(to: self, .work), reserved: true) }

  override func receive(_ message: inout Message, isCanceled: Bool) {
    guard let stage, !isCanceled else { return }
    withExtendedLifetime(stage) { stage.receive(&message, isCanceled: false) }
  }

  /// The source has ended, and its last frames wait. They keep the home alive, and end with it.
  func wait() {
    isWaiting = true
    ownHome.keepAlive(true)
    ownHome.list(self)
  }

  func leave() {
    stage = nil
    isHeld = false
    cutPartly = nil
    if !isWaiting { return }
    ownHome.keepAlive(false)
    ownHome.unlist(self)
  }

  override func terminate() {
    guard let stage else { return }
    Lost.lose(stage)
    subscription.dispose()
  }
}
