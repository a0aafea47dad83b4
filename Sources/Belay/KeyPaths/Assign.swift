extension Signal {
  /// Sets `keyPath` of `object` to each value. It does not retain the object: the subscription ends
  /// with the first value after the object's death, or with `owner`. An error goes to the hook for
  /// unhandled errors. (Combine's assign(to:on:), ReactiveObjC's setKeyPath:onObject:.)
  @discardableResult
  public final func assign<Root: AnyObject>(
    to keyPath: ReferenceWritableKeyPath<Root, Value>, on object: Root,
    owner: OwnerRecord? = nil
  ) -> Disposable {
    takeWhile { [weak object] (value: Value) throws(Failure) -> Bool in
      object?[keyPath: keyPath] = value
      return object != nil
    }.subscribe(owner: owner)
  }
}
