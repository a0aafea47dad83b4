extension Signal {
  #if !hasFeature(Embedded)
    /// Prints each event, and the end of each subscription, as a line like "file:line: label: next
    /// 1", to stderr or to `sink`. (debug, print and logEvents in other libraries.)
    public final func log(
      _ label: Text? = nil, file: StaticString = #fileID, line: UInt = #line,
      to sink: ((Text) -> Void)? = nil
    ) -> Signal<Value> {
      log(label, at: "\(file):\(line)", describe: { "\($0)" }, to: sink)
    }
  #endif

  package final func log(
    _ label: Text?, at site: Text?, describe: @escaping (Value) -> Text,
    to sink: ((Text) -> Void)?
  ) -> Signal<Value> {
    var prefix: Text = ""
    if let site { prefix = site + ": " }
    // Without a label, the name is the signal's down to this operator.
    prefix += (label ?? name) + ": "
    let write = sink ?? { ErrorOutput.print($0) }
    return lift("log") { [prefix] in LogStage($0, prefix, describe, write) }
  }
}

/// Writes a line for each event before it passes the event on.
private final class LogStage<Value>: Stage<Value, Value>, @unchecked Sendable {
  private let prefix: Text
  private let describe: (Value) -> Text
  private let write: (Text) -> Void

  init(
    _ downstream: Sink<Value>, _ prefix: Text, _ describe: @escaping (Value) -> Text,
    _ write: @escaping (Text) -> Void
  ) {
    self.prefix = prefix
    self.describe = describe
    self.write = write
    super.init(downstream)
  }

  override func next(_ value: Value) {
    write(prefix + "next " + describe(value))
    pass(value)
  }

  override func end(_ end: End) {
    switch end {
    case .completed: write(prefix + "completed")
    case .failed(let failure): write(prefix + "error " + failure.message)
    case .interrupted: break
    }
    pass(end: end)
  }

  override func tearDown() { write(prefix + "disposed") }
}
