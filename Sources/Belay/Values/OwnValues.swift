// C knows one type of values. Any other type that a signal carries would be a second copy of every
// class that its events go through, some ten kilobytes each.

#if hasFeature(Embedded)
  /// A Bool, as what the core's own signals carry.
  public typealias BoolValue = ForeignValue
  /// A Failure, as what the core's own signals carry.
  public typealias FailureValue = ForeignValue
  /// Nothing but the event, as what the core's own signals carry.
  public typealias UnitValue = ForeignValue
#else
  /// A Bool, as what the core's own signals carry.
  public typealias BoolValue = Bool
  /// A Failure, as what the core's own signals carry.
  public typealias FailureValue = Failure
  /// Nothing but the event, as what the core's own signals carry.
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

  /// The Bool of a value that is one.
  package init(ownValue: BoolValue) {
    #if hasFeature(Embedded)
      self = ownValue.payload != 0
    #else
      self = ownValue
    #endif
  }
}

extension Failure {
  /// The failure as a value, which is the caller's to discard.
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
