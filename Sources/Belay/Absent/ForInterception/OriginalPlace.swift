/// Without interception no object has a copy of its table.
@inline(__always)
func replacing<Function, Result>(
  at place: UnsafeMutablePointer<Function>,
  _ replace: (UnsafeMutablePointer<Function>) -> Result
) -> Result { replace(place) }
