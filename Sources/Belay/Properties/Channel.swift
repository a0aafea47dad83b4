extension Property {
  /// Makes this and `other` follow each other, beginning with this one's value; what comes through
  /// the channel is not sent back. Until the result is disposed of, or one of them goes. Both have
  /// to be at home here, and two: else nil. (RACChannel.)
  public func channel(with other: Property<Value>) -> Disposable? {
    let home = emitter.ownHome
    guard home.isCurrent, other.emitter.ownHome === home, other !== self else { return nil }
    let (here, there) = (PropertyEnd(emitter), PropertyEnd(other.emitter))
    here.other = there
    there.other = here
    var code = there.hear(other.signal, startingFromOther: true)
    if !code.isFailure && !here.isClosed { code = here.hear(signal) }
    if code.isFailure { here.dispose() }
    return here
  }
}
