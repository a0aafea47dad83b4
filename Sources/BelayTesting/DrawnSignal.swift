@_spi(Engine) import Belay

extension Signal {
  #if !hasFeature(Embedded)
    /// The same signal, whose subscriptions are drawn. Each has a line, which shows its events, its
    /// beginning and its end by the scheduler's clock.
    public final func drawn(
      in drawing: MarbleDrawing, _ name: Text, on scheduler: Scheduler
    ) -> Signal<Value> {
      drawn(in: drawing, Array(name.utf8), on: scheduler) { Array("\($0)".utf8) }
    }
  #endif

  package final func drawn(
    in drawing: MarbleDrawing, _ name: [UInt8], on scheduler: Scheduler,
    describe: @escaping (Value) -> [UInt8]
  ) -> Signal<Value> {
    let (row, origin) = drawing.begin(name, scheduler.now)
    return lift("drawn") {
      DrawnStage($0, drawing, row) { (value: Value?) in
        (scheduler.now - origin, value.map(describe) ?? [])
      }
    }
  }
}

/// Notes the events of one subscription in its row of the drawing.
private final class DrawnStage<Value>: Stage<Value, Value>, @unchecked Sendable {
  private let drawing: MarbleDrawing
  private var row: MarbleRow
  /// Answers the time, and the label of a value.
  private let look: (Value?) -> (Int64, [UInt8])

  init(
    _ downstream: Sink<Value>, _ drawing: MarbleDrawing, _ row: MarbleRow,
    _ look: @escaping (Value?) -> (Int64, [UInt8])
  ) {
    self.drawing = drawing
    self.row = row
    self.look = look
    super.init(downstream)
  }

  override func attach(to source: Signal<Value>, at home: Home) -> Code {
    row = drawing.subscribe(row, at: look(nil).0)
    let code = source.connect(self, at: home)
    if code.isFailure { tearDown() }
    return code
  }

  override func next(_ value: Value) {
    let (time, label) = look(value)
    drawing.note(.next, on: row, at: time, label)
    pass(value)
  }

  override func end(_ end: End) {
    switch end {
    case .completed: drawing.note(.completed, on: row, at: look(nil).0, [])
    case .failed(let failure):
      drawing.note(.error, on: row, at: look(nil).0, Array(failure.message.utf8))
    case .interrupted: break
    }
    pass(end: end)
  }

  override func tearDown() { drawing.note(.unsubscribed, on: row, at: look(nil).0, []) }
}
