extension Signal {
  /// Sets what `keyPath` names of `object` to each value. Does not keep the object: the
  /// subscription ends with the first value that finds it gone, or with `owner`. An error is one
  /// that nobody handles. (assign(to:on:), setKeyPath:onObject: elsewhere.)
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
