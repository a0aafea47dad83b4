// C knows one type of values. Another type in a signal would add a second copy, of some ten
// kilobytes, of every class that its events go through.

#if hasFeature(Embedded)
  /// A Bool, as the core's own signals carry it.
  public typealias BoolValue = ForeignValue
  /// A Failure, as the core's own signals carry it.
  public typealias FailureValue = ForeignValue
  /// The value of an event without one, as the core's own signals carry it.
  public typealias UnitValue = ForeignValue
#else
  /// A Bool, as the core's own signals carry it.
  public typealias BoolValue = Bool
  /// A Failure, as the core's own signals carry it.
  public typealias FailureValue = Failure
  /// The value of an event without one, as the core's own signals carry it.
  public typealias UnitValue = Void
#endif

extension Bool {
  /// The Bool as a value.
  package var ownValue: BoolValue {
    #if hasFeature(Embedded)
      ForeignValue(self)
    #else
      self
    #endif
  }

  /// The Bool in a value.
  package init(ownValue: BoolValue) {
    #if hasFeature(Embedded)
      self = ownValue.payload != 0
    #else
      self = ownValue
    #endif
  }
}

extension Failure {
  /// The failure as a value, which the caller discards.
  package final var ownValue: FailureValue {
    #if hasFeature(Embedded)
      ForeignValue(taking: self)
    #else
      self
    #endif
  }
}

/// The value of an event that has none.
package var unitValue: UnitValue {
  #if hasFeature(Embedded)
    .null
  #else
    ()
  #endif
}
