@_spi(Engine) import Belay
@_spi(Engine) import BelayLoop
import CBelayShim
import CLibuv

extension LoopCore {
  /// `convert` makes the values; the signal takes over their references.
  package func fileLines<Value>(
    _ path: CText, _ options: FileLinesOptions,
    convert: @escaping (UnsafeRawBufferPointer) -> Value
  ) -> Signal<Value> {
    followFile("file_lines", path, options, convert)
  }

  /// The same for chunks.
  package func fileChunks<Value>(
    _ path: CText, _ options: FileLinesOptions,
    convert: @escaping (UnsafeRawBufferPointer) -> Value
  ) -> Signal<Value> {
    followFile("file_chunks", path, options.union(.inChunks), convert)
  }

  private func followFile<Value>(
    _ label: StaticString, _ path: CText, _ options: FileLinesOptions,
    _ convert: @escaping (UnsafeRawBufferPointer) -> Value
  ) -> Signal<Value> {
    .create(SourceOptions(label: label)) { [self] subscriber in
      FileTail(
        self, path, options,
        events: FileTail.Events(
          piece: { subscriber.send(giving: convert($0)) },
          failed: { subscriber.error($0) },
          completed: { subscriber.completed() })
      ).run()
    }
  }
}

/// Reads one file for one subscription, on the loop's thread, and follows it.
///
/// Reading is asynchronous. At the end of the file it examines what the path names now: the same
/// file, grown or shrunk; another file; or nothing. Then it waits until the directory changes. Once
/// a second it looks without a notice, because some changes come without one.
private final class FileTail: SourceAtLoop, DescriptorUser, @unchecked Sendable {
  struct Events {
    /// A line or a chunk.
    let piece: (UnsafeRawBufferPointer) -> Code
    let failed: (Failure) -> Void
    let completed: () -> Void
  }

  /// What is being done with the file at the moment.
  private enum Step {
    case idle, opening, examining, reading, looking, waiting, piping, stopped
  }

  private let path: CText
  private let options: FileLinesOptions
  private var events: Events?
  private var step = Step.idle
  private let request = UnsafeMutablePointer<uv_fs_t>.allocate(capacity: 1)
  private var isRequestOpen = false
  private let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 1)
  private var file: uv_file?
  /// Instead of `file`, what has no offset to read at.
  private var pipe: Descriptor?
  private var offset: Int64 = 0
  private var identity: (device: UInt64, inode: UInt64) = (0, 0)
  private var isFirstFile = true
  /// Cuts longer lines than this into pieces.
  private var framer = Framer(.lines(limit: 1 << 20, inPieces: true))
  private var directory: DirectoryWatch?
  private var lookTimer: Disposable?
  /// Whether something changed while a step was in progress.
  private var hasNews = false
  /// Whether the last read found the end of the file.
  private var isAtEnd = false

  init(_ core: LoopCore, _ path: CText, _ options: FileLinesOptions, events: Events) {
    self.path = path
    self.options = options
    self.events = events
    super.init(core)
  }

  deinit {
    request.deallocate()
    chunk.deallocate()
  }

  // MARK: Steps

  override func begin() { open() }

  override func end() {
    step = .stopped
    events = nil
    lookTimer?.dispose()
    lookTimer = nil
    directory?.stop()
    directory = nil
    closePipe()
    if isRequestOpen {
      LoopCore.cancel(request)
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
      return uv_fs_open(core.uv, request, path.pointer, flags, 0, callback)
    }
  }

  private func read() {
    guard let file else { return open() }
    step = .reading
    hasNews = false
    var buffer = uv_buf_init(
      chunk.baseAddress?.assumingMemoryBound(to: CChar.self), UInt32(chunk.count))
    submit { core, request, callback in
      uv_fs_read(core.uv, request, file, &buffer, 1, offset, callback)
    }
  }

  private func look() {
    step = .looking
    submit { core, request, callback in
      uv_fs_stat(core.uv, request, path.pointer, callback)
    }
  }

  private func wait() {
    step = .waiting
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
      lookTimer = core.scheduler.schedule(after: .seconds(1), every: .seconds(1)) {
        [unowned(unsafe) self] in changed()
      }
    }
  }

  private func changed() {
    if step == .waiting || step == .piping { look() } else { hasNews = true }
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
      Unmanaged<FileTail>.fromOpaque(request.pointee.data).takeRetainedValue().answered()
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
    core.dispatch { _ in handle(result) }
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
    case .idle, .waiting, .piping: break
    }
  }

  /// What the last request has found out about a file; its cleanup leaves that.
  private var status: uv_stat_t { request.pointee.statbuf }

  private var wasOpening: Bool { request.pointee.fs_type == UV_FS_OPEN }

  private func opened(_ result: Int) {
    if result < 0 {
      // A new file that does not exist yet, or cannot be opened yet, is waited for.
      if isFirstFile { fail(Int32(result)) } else { wait() }
      return
    }
    file = uv_file(result)
    step = .examining
    submit { core, request, callback in
      uv_fs_fstat(core.uv, request, uv_file(result), callback)
    }
  }

  private func examined(_ result: Int) {
    if result < 0 { return fail(Int32(result)) }
    identity = (status.st_dev, status.st_ino)
    if status.st_mode & UInt64(S_IFMT) == UInt64(S_IFIFO) { return readPipe() }
    offset = isFirstFile && options.contains(.fromEnd) ? Int64(status.st_size) : 0
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
      let pipe = try Descriptor(core, file, BELAY_SHIM_PIPE)
      self.pipe = pipe
      pipe.user = self
      pipe.wait(for: UV_READABLE)
    } catch {
      events?.failed(error)
      return
    }
    if options.contains(.follow) { lookNowAndThen() }
  }

  func came(_: Int32) {
    guard let pipe else { return }
    let count = belay_shim_read(pipe.fd, chunk.baseAddress, chunk.count)
    if count == Int(Code.again.rawValue) { return }
    if count < 0 { return fail(Int32(count)) }
    if count > 0 {
      Batch.begin()
      take(Int(count))
      Batch.end()
      return
    }
    // The last writer has gone.
    if options.contains(.follow) {
      closePipe()
      if !isRequestOpen { open() }
    } else {
      _ = framer.finish { emit($0) }
      if step != .stopped { events?.completed() }
    }
  }

  private func closePipe() {
    pipe?.close()
    pipe = nil
  }

  private func hasRead(_ result: Int) {
    if result == Int(UV_EINTR.rawValue) { return read() }
    if result < 0 { return fail(Int32(result)) }
    if result > 0 {
      isAtEnd = false
      offset += Int64(result)
      Batch.begin()
      take(result)
      Batch.end()
      if step != .stopped { read() }
    } else if options.contains(.follow) {
      isAtEnd = true
      look()
    } else {
      _ = framer.finish { emit($0) }
      if step != .stopped { events?.completed() }
    }
  }

  private func hasLooked(_ result: Int) {
    let isOurs = result >= 0 && (status.st_dev, status.st_ino) == identity
    if pipe != nil {
      step = .piping
      if isOurs { return }
      _ = framer.finish { emit($0) }
      if step == .stopped { return }
      closePipe()
    }
    // A file that was moved away may have grown since the last read.
    if file != nil && !isOurs && !isAtEnd { return read() }
    if result < 0 { return wait() }
    if file == nil { return open() }
    if !isOurs {
      // The file has been read to its end, and an unfinished line will stay unfinished.
      _ = framer.finish { emit($0) }
      if step == .stopped { return }
      closeFile()
      open()
    } else if Int64(status.st_size) < offset {
      framer.reset()
      offset = 0
      read()
    } else if Int64(status.st_size) > offset {
      read()
    } else {
      wait()
    }
  }

  /// Sends so many bytes of the chunk, or their lines.
  private func take(_ count: Int) {
    let bytes = UnsafeRawBufferPointer(rebasing: chunk[..<count])
    if options.contains(.inChunks) {
      _ = emit(bytes)
    } else {
      _ = framer.append(bytes) { emit($0) }
    }
  }

  /// Sends a line or a chunk. Answers whether to continue.
  private func emit(_ piece: UnsafeRawBufferPointer) -> Bool {
    guard let events else { return false }
    let code = events.piece(piece)
    if step == .stopped { return false }
    if code.isFailure {
      events.failed(
        Failure(code, message: "pieces of \(path.text) come faster than they are taken"))
      return false
    }
    return true
  }

  private func fail(_ code: Int32) { events?.failed(.uv(code, path.text)) }

  private func closeFile() {
    guard let file else { return }
    self.file = nil
    uv_fs_close(core.uv, request, file, nil)
    uv_fs_req_cleanup(request)
  }
}
