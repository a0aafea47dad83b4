extension Property {
  /// Makes this and `other` follow each other, beginning with this one's value; what comes through
  /// the channel is not sent back. Until the result is disposed of, or one of them goes. Both have
  /// to be at home here, and two: else nil. (RACChannel.)
  public func channel(with other: Property<Value>) -> Disposable? {
    let home = emitter.ownHome
    guard home.isCurrent, other.emitter.ownHome === home, other !== self else { return nil }
    let (here, there) = (BoundEnd(at: home, emitter), BoundEnd(at: home, other.emitter))
    here.tie(to: there)
    if !there.hear(other.signal, startingFromOther: true).isFailure { _ = here.hear(signal) }
    return here
  }
}
