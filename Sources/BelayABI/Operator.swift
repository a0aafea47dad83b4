@_spi(Engine) import Belay
import CBelay

// Operators are data (OperatorCall.swift), but C needs a function for each. So the functions of the families' files
// look alike: each repeats its declaration, which the compiler compares with the header's, and gives its kind.

@_cdecl("belay_signal_chain_n")
@implementation
public func belay_signal_chain_n(
  _ source: OpaquePointer!, _ ops: UnsafePointer<OpaquePointer?>!, _ count: Int
) -> OpaquePointer! {
  var current = take(source, CSignal.self)
  if current == nil { fail(.missing) }
  if !isArray(ops, count) { return failed(invalid(source)) }
  var steps: ReferenceArray<ForeignStep> = []
  @inline(never)
  func run(_ source: CSignal) -> CSignal {
    if steps.isEmpty { return source }
    defer { steps = [] }
    if let longer = (source as? ProgramSignal<ForeignValue>)?.extended(by: steps) { return longer }
    return ProgramSignal(source, ForeignProgram(steps))
  }
  for index in 0..<count {
    let handle = ops[index]
    let op = take(handle, Operator.self)
    let isRight = op?.use() ?? false
    guard let before = current else { continue }
    guard let op, isRight else {
      current = nil
      fail(invalid(handle))
      continue
    }
    if let step = op.step { steps.append(step) } else { current = op.apply(to: run(before)) }
  }
  let made = current.map(run)
  if made.map({ !$0.isShortEnough }) ?? false {
    return failed(.range, "a chain of more operators than there may be")
  }
  return give(made)
}

@_cdecl("belay_op_release")
@implementation
public func belay_op_release(_ op: OpaquePointer!) { release(op) }

@_cdecl("belay_op_with_queue")
@implementation
public func belay_op_with_queue(
  _ op: OpaquePointer!, _ options: UnsafePointer<belay_queue_options>!
) -> OpaquePointer! {
  guard let inner = take(op, Operator.self), inner.use(), inner.step == nil,
    let queue = queueOptions(options)
  else { return failed(invalid(op)) }
  return operation { source in
    guard let made = inner.apply(to: source) else { return nil }
    let code = made.setQueue(queue)
    if code.isFailure {
      fail(code)
      return nil
    }
    return made
  }
}
