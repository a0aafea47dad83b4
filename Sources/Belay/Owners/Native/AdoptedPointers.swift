extension OwnerRecord {
  /// The owner of any pointer, a C object's: made at the first ask, the same one until its end is
  /// declared, or found by a method that ends the object (`MethodTraits.endsObject`). Any thread.
  public static func adopt(_ object: UnsafeMutableRawPointer) -> OwnerRecord {
    AdoptedOwners.adopt(object, AdoptionOptions())
  }

  /// Declares the end of an adopted pointer: what is bound is disposed of, `destroy` runs as step
  /// 4 of the death, then the rest. Waits for callbacks bound to it that run on other threads.
  ///
  /// - Returns: `.ok`, also for a pointer that nobody adopted: then only `destroy` runs; `.dead`
  ///   when its end has begun already; `.wrongThread` for one with a loop that is another
  ///   thread's, and then `destroy` has not run.
  @discardableResult
  public static func end(
    _ object: UnsafeMutableRawPointer, _ destroy: () -> Void
  ) -> Code {
    let address = UInt(bitPattern: object)
    let code = AdoptedOwners.willEnd(address)
    if code.isFailure { return code }
    destroy()
    _ = AdoptedOwners.didEnd(address)
    return .ok
  }
}
