@_spi(Engine) import Belay
@_spi(Engine) import BelayLoop
import CBelayShim
import CLibuv

/// The standard input, output or error of a child.
public enum ChildStream: Equatable, Sendable {
  /// Nothing: `/dev/null`.
  case ignore
  /// That of this process.
  case inherit
  /// A descriptor of this process, of which the child gets a copy. It stays the caller's.
  case descriptor(Int32)
  /// A pipe, whose other end is a stream of `StartedProcess`.
  case pipe
}

/// The treatment of a child whose subscription ends while it runs.
public enum ChildDisposal: Equatable, Sendable {
  /// It gets SIGTERM, and SIGKILL if it is still there after that time; nil: never.
  case terminate(killAfter: Duration?)
  /// It gets SIGKILL.
  case kill
  /// It goes on.
  case leave
}

/// How a child is made.
public struct ProcessOptions: Sendable {
  /// The program, which is looked for in `PATH`, and its arguments.
  public var arguments: [Text]
  /// Texts "NAME=value"; nil: those of this process.
  public var environment: [Text]?
  /// Where it starts; nil: where this process is.
  public var directory: Text?
  /// Its standard input.
  public var input = ChildStream.ignore
  /// Its standard output.
  public var output = ChildStream.inherit
  /// Its standard error.
  public var error = ChildStream.inherit
  /// Whether it leads a session and a process group of its own. Signals go to the whole group then.
  public var isDetached = false
  /// The number of the user that it runs as; nil: that of this process.
  public var user: UInt32?
  /// The number of the group that it runs as; nil: that of this process.
  public var group: UInt32?
  /// The treatment of the child when its subscription ends before it does.
  public var disposal = ChildDisposal.terminate(killAfter: .seconds(5))

  /// - Parameter arguments: the program, and its arguments.
  public init(_ arguments: [Text]) { self.arguments = arguments }
}

/// A process that runs, and the ends of its pipes.
///
/// A pipe is closed when nobody has its stream any more: keep the stream, or subscribe to one of its
/// signals.
public struct StartedProcess: Sendable {
  /// Its number.
  public let pid: Int32
  /// Where its standard input is written, if that is a pipe.
  public let input: Stream?
  /// Where its standard output is read, if that is a pipe.
  public let output: Stream?
  /// Where its standard error is read, if that is a pipe.
  public let error: Stream?
}

/// The events of a process.
public enum ProcessEvent: Sendable {
  /// It runs.
  case started(StartedProcess)
  /// It has ended: with a status, or by a signal, which is 0 otherwise.
  case exited(status: Int64, signal: Int32)
}

extension Loop {
  /// Starts a process for each subscription. Sends that it has started and that it has exited, then
  /// completes. A program that cannot be run fails with libuv's code and the program's name. Fails
  /// with the system's ECHILD if something else has taken the exit status: `waitpid(-1, …)`, or an
  /// ignored SIGCHLD.
  ///
  /// When the subscription ends before the process, the options tell what happens to it. The same
  /// happens when the loop closes. It leaves no zombie, unless the system gives no thread and the
  /// child may live on.
  public func process(_ options: ProcessOptions) -> Signal<ProcessEvent> {
    .trying { () throws(Failure) in core.process(try ProcessPlan(options)) { $0 } }
  }
}

/// The options, as libuv takes them.
package final class ProcessPlan {
  package let arguments: ReferenceArray<CText>
  package var environment: ReferenceArray<CText>?
  package var directory: CText?
  package var streams: [3 of ChildStream] = [.ignore, .inherit, .inherit]
  package var isDetached = false
  package var user: UInt32?
  package var group: UInt32?
  /// The signal for a child whose subscription has ended, or 0, and the nanoseconds until SIGKILL,
  /// or less than 0.
  package var farewell: (signal: Int32, grace: Int64) = (SIGTERM, 5_000_000_000)

  package static var kill: (Int32, Int64) { (SIGKILL, -1) }
  package static var leave: (Int32, Int64) { (0, -1) }

  /// - Parameter arguments: one at least, the program.
  package init(_ arguments: ReferenceArray<CText>) { self.arguments = arguments }

  convenience init(_ options: ProcessOptions) throws(Failure) {
    if options.arguments.isEmpty {
      throw Failure(.invalid, message: "a process without a program")
    }
    self.init(try options.arguments.cTexts())
    environment = try options.environment?.cTexts()
    directory = try options.directory?.cText()
    streams = [options.input, options.output, options.error]
    isDetached = options.isDetached
    user = options.user
    group = options.group
    switch options.disposal {
    case .terminate(let killAfter): farewell = (SIGTERM, killAfter.map { $0.nanoseconds } ?? -1)
    case .kill: farewell = Self.kill
    case .leave: farewell = Self.leave
    }
  }
}

extension LoopCore {
  /// `convert` makes the values; the signal takes over their references.
  package func process<Value>(
    _ plan: ProcessPlan, convert: @escaping (ProcessEvent) -> Value
  ) -> Signal<Value> {
    source("process") { [self] subscriber in
      ProcessSource(self, plan, Events(subscriber, convert), subscriber.origin)
    }
  }
}

private final class ProcessSource: HandleSource, DescriptorUser, @unchecked Sendable {
  private let plan: ProcessPlan
  private var events: Events<ProcessEvent>?
  /// The name of the subscription, which its streams have, too.
  private let label, site: StaticSite?
  /// The process, while it runs.
  private var pid: Int32?
  /// Tells its end, also where libuv's handler of SIGCHLD is not called. Nil: only that handler
  /// tells.
  private var watch: Descriptor?
  /// Takes its place for one that has ended and is traced: tells when somebody has let it go.
  private var changes: Descriptor?
  /// Whether this has ended while libuv had the child in hand, and `exit_cb` closes the handle.
  private var isLeft = false
  /// The ends of its pipes at this process, and its own ends until it has them; -1 for others.
  private var near: [3 of Int32] = [-1, -1, -1]
  private var far: [3 of Int32] = [-1, -1, -1]

  init(
    _ core: LoopCore, _ plan: ProcessPlan, _ events: Events<ProcessEvent>, _ origin: Origin
  ) {
    (label, site) = (origin.label, origin.site)
    self.plan = plan
    self.events = events
    super.init(core)
  }

  override func begin() {
    var code = openPipes()
    if code == 0 {
      // uv_spawn makes the handle, also when it fails.
      code = open(
        { _ in 0 }, { spawn($0.assumingMemoryBound(to: uv_process_t.self)) })
    }
    Self.close(far)
    if code < 0 {
      Self.close(near)
      fail(code)
    } else if let pid {
      watch = try? Descriptor(core, belay_shim_watch_child(pid), BELAY_SHIM_OTHER)
      watch?.wait(for: UV_READABLE, as: self)
      started(pid)
      // A host may have been quicker: one that waits for every child.
      if watch == nil { came(0) }
    }
  }

  private func fail(_ code: Int32) { events?.failed(.uv(code, plan.arguments[0].text)) }

  /// Whether libuv has waited for the child, and has not called `exit_cb` yet. Then this is called
  /// from another child's `exit_cb`. libuv looks at the handle next, so no turn may release it
  /// before.
  private var isInHand: Bool {
    guard pid != nil, let room else { return false }
    return belay_uv_waits_for(room.assumingMemoryBound(to: uv_process_t.self)) == 0
  }

  func came(_: Int32) {
    if isInHand {
      watch?.wait(for: UV_READABLE, false)
      changes?.wait(for: UV_READABLE, false)
      return
    }
    // The subscriber may have left, or libuv have told.
    guard let pid else { return }
    if let changes { belay_shim_forget_changes(changes.fd) }
    let status = belay_shim_take_child(pid)
    if status == UV_EAGAIN.rawValue {
      // The child of somebody who traces it stays ready.
      if changes == nil, let watch {
        watch.wait(for: UV_READABLE, false)
        changes = try? Descriptor(core, belay_shim_watch_changes(watch.fd), BELAY_SHIM_OTHER)
        changes?.wait(for: UV_READABLE, as: self)
      }
    } else {
      self.pid = nil
      exited(Int64(status < 0 ? status : status >> 8), status & 127)
    }
  }

  private static func close(_ ends: [3 of Int32]) {
    for index in ends.indices where ends[index] >= 0 { belay_shim_close(ends[index]) }
  }

  private func openPipes() -> Int32 {
    for index in 0..<3 where plan.streams[index] == .pipe {
      var ends: (Int32, Int32) = (-1, -1)
      let code = withUnsafeMutableBytes(of: &ends) {
        belay_shim_pipe($0.baseAddress?.assumingMemoryBound(to: Int32.self))
      }
      if code < 0 { return code }
      near[index] = index == 0 ? ends.1 : ends.0
      far[index] = index == 0 ? ends.0 : ends.1
    }
    return 0
  }

  private func started(_ pid: Int32) {
    var streams = [3 of Stream?](repeating: nil)
    var failure: Int32 = 0
    var options = StreamOptions()
    (options.label, options.site) = (label, site)
    for index in 0..<3 where near[index] >= 0 {
      do throws(Failure) {
        streams[index] = try core.openStream(near[index], plan.arguments[0], options)
      } catch {
        failure = error.code.rawValue
      }
    }
    if failure < 0 {
      fail(failure)
    } else {
      events?.send(
        .started(
          StartedProcess(pid: pid, input: streams[0], output: streams[1], error: streams[2])))
    }
  }

  private func spawn(_ handle: UnsafeMutablePointer<uv_process_t>) -> Int32 {
    var options = uv_process_options_t()
    options.exit_cb = { handle, status, signal in
      guard let source = HandleSource.of(handle) as? ProcessSource else { return }
      // libuv has taken the child, so its number may be another one's.
      source.pid = nil
      if source.isLeft {
        source.closeHandle()
        source.core.requestEnded()
      } else {
        source.core.tell { source.exited(status, signal) }
      }
    }
    var flags: UInt32 = 0
    if plan.isDetached { flags |= UV_PROCESS_DETACHED.rawValue }
    if let user = plan.user {
      flags |= UV_PROCESS_SETUID.rawValue
      options.uid = user
    }
    if let group = plan.group {
      flags |= UV_PROCESS_SETGID.rawValue
      options.gid = group
    }
    options.flags = flags
    options.cwd = plan.directory?.pointer
    var streams: [3 of uv_stdio_container_t] = [container(0), container(1), container(2)]
    let arguments = Self.list(plan.arguments)
    let environment = Self.list(plan.environment ?? [])
    options.args = arguments
    options.file = plan.arguments[0].pointer
    if plan.environment != nil { options.env = environment }
    let code = withUnsafeMutableBytes(of: &streams) {
      options.stdio = $0.baseAddress?.assumingMemoryBound(to: uv_stdio_container_t.self)
      options.stdio_count = 3
      return uv_spawn(core.uv, handle, &options)
    }
    arguments.deallocate()
    environment.deallocate()
    if code == 0 { pid = handle.pointee.pid }
    return code
  }

  /// Texts as C has them, with NULL at the end. libuv does not write to them.
  private static func list(_ texts: ReferenceArray<CText>) -> UnsafeMutablePointer<
    UnsafeMutablePointer<CChar>?
  > {
    let list = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(
      capacity: texts.count + 1)
    for index in texts.indices {
      list[index] = UnsafeMutablePointer(mutating: texts[index].pointer)
    }
    list[texts.count] = nil
    return list
  }

  private func container(_ index: Int) -> uv_stdio_container_t {
    let stream = plan.streams[index]
    var container = uv_stdio_container_t()
    container.flags = stream == .ignore ? UV_IGNORE : UV_INHERIT_FD
    switch stream {
    case .ignore: break
    case .inherit: container.data.fd = Int32(index)
    case .descriptor(let descriptor): container.data.fd = descriptor
    case .pipe: container.data.fd = far[index]
    }
    return container
  }

  /// Called when the child has been waited for. Its number may be another one's, of which libuv must
  /// not hear. A negative status is an error.
  private func exited(_ status: Int64, _ signal: Int32) {
    closeHandle()
    closeDescriptors()
    if status < 0 {
      fail(Int32(truncatingIfNeeded: status))
    } else {
      events?.send(.exited(status: status, signal: signal))
      events?.completed()
    }
  }

  private func closeDescriptors() {
    watch?.close()
    changes?.close()
  }

  override func end() {
    closeDescriptors()
    events = nil
    if isInHand {
      pid = nil
      isLeft = true
      // The loop's close waits for `exit_cb`.
      core.requestBegan()
      return
    }
    super.end()
    guard let pid else { return }
    self.pid = nil
    belay_shim_leave_child(pid, plan.isDetached, plan.farewell.signal, plan.farewell.grace)
  }
}
