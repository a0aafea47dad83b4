@_spi(Engine) import Belay
import BelayIO
@_spi(Engine) import BelayLoop
import CBelay

@_cdecl("belay_process")
@implementation
public func belay_process(
  _ l: OpaquePointer!, _ options: UnsafePointer<belay_process_options>!
) -> OpaquePointer! {
  guard let options = known(options), let plan = plan(options) else { return failed(invalid(l)) }
  guard let loop = open(l) else { return nil }
  return give(
    loop.core.process(plan) {
      switch $0 {
      case .started(let process):
        ForeignValue(
          taking: ArrayBox(taking: [
            int32Value(process.pid), value(process.input), value(process.output),
            value(process.error),
          ]))
      case .exited(let status, let signal):
        twoValues(
          ForeignValue(scalar: UInt64(bitPattern: status), .int64), int32Value(signal))
      }
    })
}

private func value(_ stream: BelayIO.Stream?) -> ForeignValue {
  stream.map { ForeignValue(taking: $0) } ?? .null
}

private func int32Value(_ number: Int32) -> ForeignValue {
  ForeignValue(scalar: UInt64(bitPattern: Int64(number)), .int32)
}

private func plan(_ options: belay_process_options) -> ProcessPlan? {
  guard let arguments = texts(options.args), !arguments.isEmpty,
    options.flags & ~UInt32(BELAY_PROCESS_DETACHED | BELAY_PROCESS_SET_UID | BELAY_PROCESS_SET_GID)
      == 0, min(options.input, options.output, options.error) >= BELAY_STDIO_PIPE,
    let grace = nanoseconds(options.grace)
  else { return nil }
  let plan = ProcessPlan(arguments)
  plan.environment = texts(options.env)
  plan.directory = options.cwd.map { CText(copying: $0) }
  plan.streams = [stream(options.input), stream(options.output), stream(options.error)]
  plan.isDetached = options.flags & UInt32(BELAY_PROCESS_DETACHED) != 0
  if options.flags & UInt32(BELAY_PROCESS_SET_UID) != 0 { plan.user = options.uid }
  if options.flags & UInt32(BELAY_PROCESS_SET_GID) != 0 { plan.group = options.gid }
  switch options.disposal {
  case BELAY_PROCESS_TERMINATE: if grace != 0 { plan.farewell.grace = max(-1, grace) }
  case BELAY_PROCESS_KILL: plan.farewell = ProcessPlan.kill
  case BELAY_PROCESS_LEAVE: plan.farewell = ProcessPlan.leave
  default: return nil
  }
  return plan
}

/// Copies of texts that NULL ends; nil for NULL.
func texts(_ list: UnsafePointer<UnsafePointer<CChar>?>?) -> ReferenceArray<CText>? {
  guard var next = list else { return nil }
  var texts: ReferenceArray<CText> = []
  while let text = next.pointee {
    texts.append(CText(copying: text))
    next += 1
  }
  return texts
}

private func stream(_ number: Int32) -> ChildStream {
  switch number {
  case BELAY_STDIO_IGNORE: .ignore
  case BELAY_STDIO_INHERIT: .inherit
  case BELAY_STDIO_PIPE: .pipe
  default: .descriptor(number)
  }
}
