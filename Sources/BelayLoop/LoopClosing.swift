import Belay
import CLibuv

/// Something that was still open on a loop when it was closed.
public struct OpenResource {
  /// "subscription", "timer", "uv_tcp", …
  public let kind: StaticSite
  public let label: StaticSite?
  public let site: StaticSite?
  public let address: UnsafeRawPointer
  /// The host's, and left as it is; else Belay's, ended by the close.
  public let isForeign: Bool

  /// One line for a report.
  public var text: Text {
    var text = kind.text
    if let label { text += " " + label.text }
    if let site { text += " at " + site.text }
    return text + (isForeign ? " (the host's)" : "")
  }
}

/// A close in progress.
final class LoopClosing {
  private let resources: [OpenResource]
  private let report: (([OpenResource]) -> Void)?

  init(_ resources: [OpenResource], _ report: (([OpenResource]) -> Void)?) {
    self.resources = resources
    self.report = report
  }

  /// libuv has closed the last of our handles.
  func handlesAreClosed(_ core: LoopCore) {
    core.finishClose()
    // The report and what it holds go when it has been made.
    core.closing = nil
    if let report {
      report(resources)
    } else {
      let name = core.label?.text ?? "loop"
      for resource in resources {
        ErrorOutput.print("belay: closing \(name): still alive: \(resource.text)")
      }
    }
  }
}

extension LoopCore {
  /// Ends everything of ours, then closes libuv's handles. Our own loop is run until that is done;
  /// inside a run, or on an adopted loop, it is done by a later turn.
  package func close(_ report: (([OpenResource]) -> Void)?) -> Code {
    if !isOpen { return .closed }
    if !isCurrent { return .wrongThread }
    let kept = Unmanaged.passRetained(self)
    defer { kept.release() }
    begin(LoopClosing(resources(), report))
    shutDown()
    if !isAdopted && !isRunning {
      runUntilClosed()
      disposeOfLoop()
    }
    return .ok
  }

  /// What is alive now: ours by source, time and strand, the host's by handle.
  private func resources() -> [OpenResource] {
    var found: [OpenResource] = []
    func note(_ kind: StaticString, _ entity: Entity, _ label: StaticSite?, _ site: StaticSite?) {
      found.append(
        OpenResource(
          kind: StaticSite(kind), label: label, site: site,
          address: UnsafeRawPointer(Unmanaged.passUnretained(entity).toOpaque()),
          isForeign: false))
    }
    func noteSubscriptions(at home: QueuedHome) {
      home.forEachResident { resident in
        let source = resident as? Source
        resident.describeSubscriptions { link in
          note(
            "subscription", link, link.origin.label ?? source?.label,
            link.origin.site ?? source?.site)
        }
      }
    }
    noteSubscriptions(at: self)
    for work in timers.all { note("timer", work, nil, nil) }
    for strand in allStrands() {
      // What is subscribed there cannot be looked at while a thread of the pool has it.
      if strand.isBusy { note("work", strand, nil, nil) } else { noteSubscriptions(at: strand) }
    }
    if isClosedByHost { return found }
    withUnsafeMutablePointer(to: &found) { found in
      var walk = Walk(core: self, found: found)
      withUnsafeMutablePointer(to: &walk) { walk in
        uv_walk(
          uv,
          { handle, context in
            guard let handle, let context else { return }
            context.assumingMemoryBound(to: Walk.self).pointee.visit(handle)
          }, walk)
      }
    }
    return found
  }

  /// Frees our own loop; one that the host still has handles on cannot be, and is left to them.
  func disposeOfLoop() {
    if uv_loop_close(uv) == 0 { uv.deallocate() }
  }
}

/// Finds the host's handles.
private struct Walk {
  let core: LoopCore
  let found: UnsafeMutablePointer<[OpenResource]>

  func visit(_ handle: UnsafeMutablePointer<uv_handle_t>) {
    if uv_is_closing(handle) != 0 || core.drives(with: handle) || core.watches(with: handle) {
      return
    }
    found.pointee.append(
      OpenResource(
        kind: handleKind(handle), label: nil, site: nil, address: UnsafeRawPointer(handle),
        isForeign: true))
  }

  private func handleKind(_ handle: UnsafeMutablePointer<uv_handle_t>) -> StaticSite {
    switch uv_handle_get_type(handle) {
    case UV_ASYNC: StaticSite("uv_async")
    case UV_CHECK: StaticSite("uv_check")
    case UV_FS_EVENT: StaticSite("uv_fs_event")
    case UV_FS_POLL: StaticSite("uv_fs_poll")
    case UV_IDLE: StaticSite("uv_idle")
    case UV_NAMED_PIPE: StaticSite("uv_pipe")
    case UV_POLL: StaticSite("uv_poll")
    case UV_PREPARE: StaticSite("uv_prepare")
    case UV_PROCESS: StaticSite("uv_process")
    case UV_SIGNAL: StaticSite("uv_signal")
    case UV_STREAM: StaticSite("uv_stream")
    case UV_TCP: StaticSite("uv_tcp")
    case UV_TIMER: StaticSite("uv_timer")
    case UV_TTY: StaticSite("uv_tty")
    case UV_UDP: StaticSite("uv_udp")
    default: StaticSite("uv_handle")
    }
  }
}
