extension OwnerRecord {
  /// The owner of a pointer, such as a C object. It is made when first asked for, and remains the
  /// pointer's owner until the object's end is declared, or found by a method that ends it
  /// (`MethodTraits.endsObject`). Any thread may call this.
  public static func adopt(_ object: UnsafeMutableRawPointer) -> OwnerRecord {
    AdoptedOwners.adopt(object, AdoptionOptions())
  }

  /// Declares the end of an adopted pointer: disposes of what is bound, runs `destroy` as step 4 of
  /// the death, then the other steps. Waits until bound callbacks on other threads have returned.
  ///
  /// - Returns: `.ok`, also for a pointer that was not adopted: then only `destroy` runs; `.dead`
  ///   when its end has begun already; `.wrongThread` when the owner has a loop on another thread,
  ///   and then `destroy` has not run.
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
