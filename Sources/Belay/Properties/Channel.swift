extension Property {
  /// Makes two properties follow each other, beginning with this one's value. A value that came
  /// through the channel is not sent back. The channel lasts until the result is disposed of, or
  /// one of the properties goes. Answers nil unless both are at home on this thread and are
  /// different. (RACChannel.)
  public func channel(with other: Property<Value>) -> Disposable? {
    let home = emitter.ownHome
    guard home.isCurrent, other.emitter.ownHome === home, other !== self else { return nil }
    let (here, there) = (BoundEnd(at: home, emitter), BoundEnd(at: home, other.emitter))
    here.tie(to: there)
    if !there.hear(other.signal, startingFromOther: true).isFailure {
      emitter.numberValuesAnew()
      _ = here.hear(signal)
    }
    return here
  }
}
