extension Signal {
  /// Sends the result of `gather` for the owner and each value, which `gather` borrows. Completes
  /// when the owner begins to die. Retains the owner only while `gather` runs. (withUnretained in
  /// RxSwift.)
  package final func withOwner<Output>(
    _ owner: OwnerRecord, gather: @escaping (OwnerRecord, Value) -> Output
  ) -> Signal<Output> {
    take(during: owner).lift("with_owner") {
      CompactMapStage($0) { (value: Value) throws(ClosureError) -> Output? in
        if !owner.retainHandleIfAlive() { return nil }
        let gathered = gather(owner, value)
        owner.releaseHandle()
        return gathered
      }
    }
  }

  #if !hasFeature(Embedded)
    /// Sends the object with each value, and does not retain it. Completes with the first value
    /// after the object's death. (RxSwift.)
    public final func withUnretained<Object: AnyObject>(
      _ object: Object
    ) -> Signal<(object: Object, value: Value)> {
      takeWhile { [weak object] (_: Value) throws(ClosureError) -> Bool in object != nil }
        .compactMap { [weak object] value in object.map { (object: $0, value: value) } }
    }
  #endif
}
