/// The path at an end of a binding. At a property there is no path, and its end has the emitter; then
/// the other end has a path.
final class BoundPath: Sendable {
  let record: OwnerRecord?
  private let path: PathKey?
  let isTwoWay: Bool

  init(_ record: OwnerRecord?, _ path: PathKey?, isTwoWay: Bool) {
    self.record = record
    self.path = path
    self.isTwoWay = isTwoWay
  }

  /// Called when `end` has heard something. Only the versions tell what there is to do: the value of
  /// the side with the higher one is passed to the other side. So the sides differ only as long as
  /// one of the ends has something to hear.
  func exchange(_ end: BoundEnd<ForeignValue>) {
    guard let there = end.other, let other = there.boundPath else { return }
    // At a property: of what it is sending.
    let own = record == nil ? end.liveEmitter?.deliveredNumber ?? .max : version(at: end)
    let known = other.version(at: there)
    if own == .max || own == known { return }
    if own > known || known == .max {
      // If the other side is changing, this value may still be newer than what comes of that.
      if pass(own, by: end) != .queued || known == .max { return }
    } else if known <= version(at: end) {
      return
    }
    // The other side is newer. Its end is to pass that here, in a delivery of its own.
    other.remind(there)
  }

  private func remind(_ end: BoundEnd<ForeignValue>) {
    if let record, let path { return record.remind(path) }
    guard let value = end.liveEmitter?.keptShown else { return }
    end.deliver(value)
    discard(value)
  }

  /// Makes the present value newer than the one at `far`, because it is to replace that. If no other
  /// binding has the path at `far`, the value there is made the oldest instead: a value that is on its
  /// way here from another binding must stay newer than the present one.
  func begin(_ here: BoundEnd<ForeignValue>, facing far: BoundEnd<ForeignValue>) {
    if let boundPath = far.boundPath, let record = boundPath.record, let path = boundPath.path {
      record.outdate(path)
    }
    let known = far.boundPath?.version(at: far) ?? 0
    if let record, let path { return record.renew(path, unlessAfter: known) }
    guard let emitter = here.liveEmitter, emitter.acceptedNumber <= known else { return }
    emitter.numberValuesAnew()
  }

  /// The version of the present value. While a path changes, this is higher than all versions, and
  /// `end` will hear of the change. At a property it is the number of the value accepted last.
  @inline(never)
  private func version(at end: BoundEnd<ForeignValue>) -> UInt64 {
    if let record, let path { return record.version(at: path) }
    // A property that cannot be reached from this thread refuses the value.
    guard let emitter = end.liveEmitter, emitter.ownHome.isCurrent else { return 0 }
    return emitter.acceptedNumber
  }

  /// Passes the present value on. If it has another version by now, `end` is told again, because
  /// nobody is told of an equal value.
  private func pass(_ version: UInt64, by end: BoundEnd<ForeignValue>) -> Code {
    guard let record, let path else {
      guard let emitter = end.liveEmitter else { return .ok }
      let value = emitter.keptShown
      defer { discard(value) }
      return end.pass(value, version)
    }
    let present = record.reading(at: path)
    defer { discard(present.value) }
    // Where the path fails, its observation fails. A dead object is passed on as null.
    let isPassedOn =
      (present.code == .ok || present.code == .dead) && !(present.value.entity is FailureBox)
    if !isPassedOn { return .ok }
    if record.version(at: path) == version { return end.pass(present.value, version) }
    remind(end)
    return .ok
  }

  /// - Parameter number: in a binding both ways, the version; one way, see `BoundEnd`.
  func set(_ record: OwnerRecord, _ value: ForeignValue, _ number: UInt64) -> Code {
    guard let path else { return .invalid }
    // One way, each value is set; but one that is there already only gets its version.
    var copied = number
    if !isTwoWay && !record.has(value, at: path) {
      copied = 0
    } else if number == 0 {
      copied = ValueNumbers.next()
    }
    let code = record.set(path, value, copied: copied)
    // A path with a null hop may lead somewhere later, so the binding goes on.
    return code == .dead && !record.isDying ? .ok : code
  }
}
