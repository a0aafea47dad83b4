@_spi(Engine) import Belay
@_spi(Engine) import BelayLoop
import CBelayShim
import CLibuv

extension LoopCore {
  /// Sends what a reader of the file reads.
  func followFile<Value>(
    _ label: StaticString, _ path: CText, _ options: FileLinesOptions,
    _ convert: @escaping (UnsafeRawBufferPointer, ByteSource) -> Value
  ) -> Signal<Value> {
    source(label) { [self] subscriber in
      FileTail(
        self, path, options,
        events: FileTail.Events(
          piece: { subscriber.next(giving: convert($0, $1)) },
          end: { subscriber.end(with: $0) })
      )
    }
  }
}

/// Reads one file for one subscription, on the loop's thread, and follows it.
///
/// Reading is asynchronous. At the end of the file it examines what the path names now: the same
/// file, grown or shrunk; another file; or nothing. Then it waits until the directory changes. Once
/// a second it looks without a notice, because some changes come without one.
private final class FileTail: NamedSource, DescriptorUser, @unchecked Sendable {
  struct Events {
    /// A line or a chunk.
    let piece: (UnsafeRawBufferPointer, ByteSource) -> Code
    /// Nil: it completes.
    let end: (Failure?) -> Void
  }

  /// The step at which the file is at the moment.
  private enum Step {
    case idle, opening, examining, reading, looking, waiting, piping, held, stopped
  }

  private let path: CText
  private let options: FileLinesOptions
  private var events: Events?
  private var step = Step.idle
  private let request = UnsafeMutablePointer<uv_fs_t>.allocate(capacity: 1)
  private var isRequestOpen = false
  /// Where the next read goes to; nil while what was read is sent.
  private var chunk: UnsafeMutableRawBufferPointer?
  private var isSending = false
  private var file: uv_file?
  /// In the place of `file`: a descriptor that has no offsets.
  private var pipe: Descriptor?
  /// A pipe whose last writer has gone. It stays open until its path has been opened anew, because bytes
  /// that a writer brings meanwhile are in it; and in the new one, too, if that is of the same FIFO.
  private var formerPipe: Descriptor?
  /// Whether the path names another file than `pipe`, which is read to its end.
  private var isPipeLeft = false
  /// Whether `file` is that other file, which is examined again when the pipe has been left.
  private var isFileNext = false
  private var offset: Int64 = 0
  /// As the system told them last. That is not the true size of files in /proc and /sys.
  private var size: Int64 = 0
  private var changeTime: (Int, Int) = (0, 0)
  /// Whether the last read has found nothing.
  private var isAtEnd = false
  private var identity: (device: UInt64, inode: UInt64) = (0, 0)
  private var isFirstFile = true
  /// Cuts longer lines than this into pieces.
  private var framer = Framer(.lines(limit: 1 << 20, inPieces: true))
  private var directory: DirectoryWatch?
  private var lookTimer: Disposable?
  /// Whether something changed while a step was in progress.
  private var hasNews = false
  /// Whether the file has been read to its end since the path was seen not to be its own.
  private var isReadOut = false

  init(_ core: LoopCore, _ path: CText, _ options: FileLinesOptions, events: Events) {
    self.path = path
    self.options = options
    self.events = events
    super.init(core)
  }

  deinit { request.deallocate() }

  // MARK: Steps

  override func begin() {
    if step == .idle { return open() }
    if step != .held { return }
    core.endHold()
    step = pipe == nil ? .reading : .piping
    send(0)
    goOn()
  }

  override func end() {
    if step == .held { core.endHold() }
    step = .stopped
    events = nil
    lookTimer?.dispose()
    lookTimer = nil
    directory?.stop()
    directory = nil
    closePipe()
    if isRequestOpen {
      // libuv may have answered, and its loop may be gone.
      if request.pointee.data != nil { LoopCore.cancel(request) }
    } else {
      closeFile()
    }
  }

  private func open() {
    step = .opening
    submit { core, request, callback in
      // Without NONBLOCK, a pipe without a writer would block a thread of the pool, and so the
      // loop's close.
      let flags = UV_FS_O_RDONLY | UV_FS_O_NONBLOCK | UV_FS_O_NOCTTY
      // Later requests find the threads that this one has.
      let code = min(belay_shim_fill_standard(), belay_shim_find_threads())
      if code != 0 { return code }
      return uv_fs_open(core.uv, request, path.pointer, flags, 0, callback)
    }
  }

  private func read() {
    guard let file else { return open() }
    step = .reading
    hasNews = false
    var buffer = uv_buf_t(UnsafeRawBufferPointer(room()))
    submit { core, request, callback in
      uv_fs_read(core.uv, request, file, &buffer, 1, offset, callback)
    }
  }

  private func room() -> UnsafeMutableRawBufferPointer {
    let room = chunk ?? .allocate(byteCount: 1 << 16, alignment: 1)
    chunk = room
    return room
  }

  private func look() {
    step = .looking
    submit { core, request, callback in
      uv_fs_stat(core.uv, request, path.pointer, callback)
    }
  }

  private func wait() {
    step = .waiting
    isReadOut = false
    isAtEnd = false
    if hasNews {
      hasNews = false
      return look()
    }
    lookNowAndThen()
  }

  private func lookNowAndThen() {
    if lookTimer == nil {
      directory = DirectoryWatch(core, path) { [unowned(unsafe) self] in changed() }
      let work = ClosureWork(origin) { [unowned(unsafe) self] in changed() }
      _ = core.scheduler.submit(work, after: 1_000_000_000, every: 1_000_000_000)
      lookTimer = work
    }
  }

  private func changed() {
    if step == .waiting || step == .piping && !isRequestOpen { look() } else { hasNews = true }
  }

  // MARK: Requests

  private func submit(
    _ begin: (LoopCore, UnsafeMutablePointer<uv_fs_t>, uv_fs_cb?) -> Int32
  ) {
    request.pointee.data = Unmanaged.passRetained(self).toOpaque()
    isRequestOpen = true
    core.requestBegan()
    let code = begin(core, request) { request in
      guard let request else { return }
      let tail = Unmanaged<FileTail>.fromOpaque(request.pointee.data).takeRetainedValue()
      request.pointee.data = nil
      let answer = {
        if !tail.core.isOpen { tail.stop() }
        tail.answered()
      }
      if tail.core.tell(answer, orElse: answer).isFailure { answer() }
    }
    if code < 0 {
      request.pointee.result = Int(code)
      Unmanaged.passUnretained(self).release()
      isRequestOpen = false
      core.requestEnded()
      fail(Int32(code))
    } else {
      core.noteNewWatcher()
    }
  }

  private func answered() {
    let result = request.pointee.result
    isRequestOpen = false
    uv_fs_req_cleanup(request)
    handle(result)
    core.requestEnded()
  }

  private func handle(_ result: Int) {
    switch step {
    case .stopped:
      // An open request was in progress when this was stopped.
      if file == nil && result >= 0 && wasOpening { file = uv_file(result) }
      closeFile()
    case .opening: opened(result)
    case .examining: examined(result)
    case .reading: hasRead(result)
    case .looking: hasLooked(result)
    case .piping:
      // The last writer has gone during a look whose answer had to wait.
      if pipe == nil { open() }
    case .idle, .waiting, .held: break
    }
  }

  /// The answer of the last request about a file; its cleanup leaves that.
  private var status: uv_stat_t { request.pointee.statbuf }
  private var toldChangeTime: (Int, Int) { (status.st_ctim.tv_sec, status.st_ctim.tv_nsec) }

  private var wasOpening: Bool { request.pointee.fs_type == UV_FS_OPEN }

  private func opened(_ result: Int) {
    if result < 0 {
      if result == Int(UV_ENOENT.rawValue) && formerPipe != nil { return takePipeBack() }
      // A new file that does not exist yet, or cannot be opened yet, is waited for.
      if isFirstFile { fail(Int32(result)) } else { wait() }
      return
    }
    file = uv_file(result)
    examine()
  }

  private func examine() {
    guard let file else { return open() }
    step = .examining
    isFileNext = false
    submit { core, request, callback in uv_fs_fstat(core.uv, request, file, callback) }
  }

  private func examined(_ result: Int) {
    if result < 0 { return fail(Int32(result)) }
    let found = (status.st_dev, status.st_ino)
    if found != identity {
      if formerPipe != nil {
        // It stays open: its writer may have been waiting for that.
        isFileNext = true
        return takePipeBack()
      }
      if !finishLine() { return }
    }
    identity = found
    if status.st_mode & UInt64(S_IFMT) == UInt64(S_IFIFO) { return readPipe() }
    closePipe()
    (size, changeTime) = (Int64(status.st_size), toldChangeTime)
    offset = isFirstFile && options.contains(.fromEnd) ? size : 0
    isFirstFile = false
    read()
  }

  /// A read of a pipe on the pool could take any time. So the loop waits for it.
  private func readPipe() {
    guard let file else { return }
    self.file = nil
    isFirstFile = false
    step = .piping
    do throws(Failure) {
      let pipe = try Descriptor(core, belay_shim_above_standard(file), BELAY_SHIM_PIPE, path)
      closePipe()
      self.pipe = pipe
      pipe.wait(for: UV_READABLE, as: self)
    } catch {
      return end(with: error)
    }
    if options.contains(.follow) { lookNowAndThen() }
  }

  func came(_: Int32) { readPiece(isSecond: false) }

  private func readPiece(isSecond: Bool) {
    // A callback of the piece that is being sent may run this turn, and reads on afterwards.
    guard let pipe, !isSending else { return }
    let room = room()
    let count = belay_shim_read(pipe.fd, pipe.kind, room.baseAddress, room.count)
    if count == Int(Code.again.rawValue) {
      if isPipeLeft { leavePipe() }
      return
    }
    if count < 0 { return fail(Int32(count)) }
    // A callback may run a turn, which must not read.
    pipe.wait(for: UV_READABLE, false)
    if count > 0 {
      send(Int(count))
      if !isPipeLeft || step != .piping || count == room.count {
        goOn()
      } else if isSecond {
        leavePipe()
      } else {
        // Something may have come while that was sent.
        readPiece(isSecond: true)
      }
    } else if isPipeLeft {
      leavePipe()
    } else if options.contains(.follow) {
      // The last writer has gone.
      formerPipe = pipe
      self.pipe = nil
      if !isRequestOpen { open() }
    } else {
      _ = framer.finish { emit($0) }
      if step != .stopped { events?.end(nil) }
    }
  }

  /// Reads on in the former pipe, because the path names another file.
  private func takePipeBack() {
    pipe = formerPipe
    formerPipe = nil
    step = .piping
    isPipeLeft = true
    came(0)
  }

  /// Called when a pipe that is no longer the path's has been read to its end. Goes on with the path's file.
  private func leavePipe() {
    let left = pipe
    pipe = nil
    isPipeLeft = false
    // Nothing begins another look in a turn inside of this; one may be on its way, and goes on from here.
    step = .looking
    let goesOn = finishLine()
    left?.close()
    if goesOn && step == .looking && !isRequestOpen { goToNextFile() }
  }

  private func goToNextFile() { if isFileNext { examine() } else { open() } }

  /// Sends an unfinished line. Answers whether to continue.
  private func finishLine() -> Bool {
    _ = framer.finish { emit($0) }
    return step != .stopped
  }

  private func closePipe() {
    pipe?.close()
    pipe = nil
    formerPipe?.close()
    formerPipe = nil
  }

  private func hasRead(_ result: Int) {
    if result == Int(UV_EINTR.rawValue) { return read() }
    if result < 0 { return fail(Int32(result)) }
    if result > 0 {
      offset += Int64(result)
      send(result)
      goOn()
    } else if options.contains(.follow) {
      isAtEnd = true
      look()
    } else {
      _ = framer.finish { emit($0) }
      if step != .stopped { events?.end(nil) }
    }
  }

  private func hasLooked(_ result: Int) {
    let isOurs = result >= 0 && (status.st_dev, status.st_ino) == identity
    if pipe != nil {
      step = .piping
      // A callback of the piece that is being sent may run this turn. The next look is soon.
      if isSending { return }
      isPipeLeft = !isOurs
      if isPipeLeft { came(0) }
      return
    }
    if isFileNext { return examine() }
    // A file that was moved away may have grown before, since the last read.
    if file != nil && !isOurs && !isReadOut {
      isReadOut = true
      return read()
    }
    isReadOut = false
    if result < 0 && formerPipe == nil { return wait() }
    if file == nil { return open() }
    if !isOurs {
      // The file has been read to its end, and an unfinished line will stay unfinished.
      if !finishLine() { return }
      closeFile()
      return open()
    }
    let isSame = Int64(status.st_size) == size
    let hasChanged = toldChangeTime != changeTime
    (size, changeTime) = (Int64(status.st_size), toldChangeTime)
    if size < offset && (!isSame || hasChanged && size > 0) {  // It has shrunk.
      if !finishLine() { return }
      offset = 0
      read()
    } else if size > offset && !(isAtEnd && isSame) {
      read()
    } else {
      wait()
    }
  }

  /// Sends so many bytes of the chunk, or their lines and those that were held back.
  private func send(_ count: Int) {
    Batch.begin()
    isSending = true
    let chunk = chunk
    self.chunk = nil
    let bytes = UnsafeRawBufferPointer(start: chunk?.baseAddress, count: count)
    if !options.contains(.inChunks) {
      var budget = core.turnStart.map { TurnBudget(since: $0) }
      _ = framer.append(bytes) {
        if !emit($0) || holdsBack() { return false }
        let isSpent = budget?.isSpent() ?? false
        if isSpent { waitForTurn() }
        return !isSpent
      }
    } else if count > 0 {
      _ = emit(bytes) && holdsBack()
    }
    chunk?.deallocate()
    isSending = false
    Batch.end()
  }

  /// Reads on, unless something has come between, which may have read on already.
  private func goOn() {
    if step == .reading {
      if !isRequestOpen { read() }
    } else if step == .piping || step == .looking {
      if !isPipeLeft {
        pipe?.wait(for: UV_READABLE)
        return
      }
      // In the next turn. No event would tell that it is empty.
      _ = core.post({ [self] in if isPipeLeft && step != .held { came(0) } }, orElse: {})
    }
  }

  /// Stops reading while too much of what was read is held.
  private func holdsBack() -> Bool {
    guard let pieces, pieces.holdsBack() else { return false }
    hold()
    return true
  }

  /// Sends and reads nothing more in this turn.
  private func waitForTurn() {
    hold()
    _ = core.post({ [self] in begin() }, orElse: {})
  }

  private func hold() {
    step = .held
    core.beginHold()
    pipe?.wait(for: UV_READABLE, false)
  }

  /// Sends a line or a chunk. Answers whether to continue.
  private func emit(_ piece: UnsafeRawBufferPointer) -> Bool {
    guard let events, let pieces else { return false }
    let code = events.piece(piece, pieces)
    if step == .stopped { return false }
    if code.isFailure {
      end(with: Failure(code, message: "pieces of \(path.text) come faster than they are taken"))
      return false
    }
    return true
  }

  private func fail(_ code: Int32) { end(with: .uv(code, path.text)) }

  /// Fails. Nothing is read any more, also while the subscription's home has not heard of it.
  private func end(with failure: Failure) {
    events?.end(failure)
    stop()
  }

  private func closeFile() {
    // Not by `deinit`: what was sent may stay, and keeps this.
    if step == .stopped { chunk?.deallocate() }
    guard let file else { return }
    self.file = nil
    belay_shim_close(file)
  }
}
