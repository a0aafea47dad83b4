extension Signal {
  /// What `gather` makes of the owner and each value, which it borrows, until the owner begins to
  /// die, which completes. Keeps it not but while `gather` runs. (withUnretained elsewhere.)
  package final func withOwner<Output>(
    _ owner: OwnerRecord, gather: @escaping (OwnerRecord, Value) -> Output
  ) -> Signal<Output> {
    take(during: owner).lift("with_owner") {
      CompactMapStage($0) { (value: Value) throws(Failure) -> Output? in
        if !owner.retainHandleIfAlive() { return nil }
        let gathered = gather(owner, value)
        owner.releaseHandle()
        return gathered
      }
    }
  }

  #if !hasFeature(Embedded)
    /// The object and each value, as long as somebody else keeps the object: completes with the
    /// first value that finds it gone. (RxSwift.)
    public final func withUnretained<Object: AnyObject>(
      _ object: Object
    ) -> Signal<(object: Object, value: Value)> {
      takeWhile { [weak object] (_: Value) throws(Failure) -> Bool in object != nil }
        .compactMap { [weak object] value in object.map { (object: $0, value: value) } }
    }
  #endif
}
