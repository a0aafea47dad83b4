extension Signal {
  #if !hasFeature(Embedded)
    /// Prints each event and the end of each subscription as a line "file:line: label: next 1", to
    /// stderr or to `sink`. (debug, print and logEvents elsewhere.)
    public final func log(
      _ label: String? = nil, file: StaticString = #fileID, line: UInt = #line,
      to sink: ((String) -> Void)? = nil
    ) -> Signal<Value> {
      log(label, at: "\(file):\(line)", describe: { "\($0)" }, to: sink)
    }
  #endif

  package final func log(
    _ label: String?, at site: String?, describe: @escaping (Value) -> String,
    to sink: ((String) -> Void)?
  ) -> Signal<Value> {
    var prefix = ""
    if let site { prefix = site + ": " }
    // The chain has a name of its own for this place.
    prefix += (label ?? name) + ": "
    let write = sink ?? { ErrorOutput.print($0) }
    return lift("log") { [prefix] in LogStage($0, prefix, describe, write) }
  }
}

private final class LogStage<Value>: Stage<Value, Value>, @unchecked Sendable {
  private let prefix: String
  private let describe: (Value) -> String
  private let write: (String) -> Void

  init(
    _ downstream: Sink<Value>, _ prefix: String, _ describe: @escaping (Value) -> String,
    _ write: @escaping (String) -> Void
  ) {
    self.prefix = prefix
    self.describe = describe
    self.write = write
    super.init(downstream)
  }

  override func next(_ value: Value) {
    write(prefix + "next " + describe(value))
    if !isDisposed { downstream.next(value) }
  }

  override func end(_ end: End) {
    switch end {
    case .completed: write(prefix + "completed")
    case .failed(let failure): write(prefix + "error " + failure.message)
    case .interrupted: break
    }
    downstream.end(end)
  }

  override func tearDown() { write(prefix + "disposed") }
}
