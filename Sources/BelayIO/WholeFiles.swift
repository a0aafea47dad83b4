@_spi(Engine) import Belay
@_spi(Engine) import BelayLoop
import CBelayShim
import CLibuv

/// The kind of an entry of a directory.
public enum EntryKind: Int32, Sendable {
  /// The file system does not tell.
  case unknown
  /// A file.
  case file
  /// A directory.
  case directory
  /// A symbolic link.
  case link
  /// A pipe with a name.
  case pipe
  /// A Unix socket.
  case socket
  /// A device that is read and written in order.
  case characterDevice
  /// A device that is read and written in blocks.
  case blockDevice
}

/// An entry of a directory.
public struct DirectoryEntry: Equatable, Sendable {
  /// Its name, without the directory's.
  public let name: Text
  /// The kind of the entry.
  public let kind: EntryKind
}

extension Loop {
  /// Sends all bytes of a file, then completes. A thread of libuv's pool reads them. A pipe fails
  /// with `.invalid`, and so does a device that is not empty, because reading it could occupy that
  /// thread without limit.
  public func fileBytes(_ path: Text) -> Signal<[UInt8]> {
    .trying { () throws(Failure) in user.fileBytes(try path.cText()) { Array($0) } }
  }

  /// Writes a whole file, then completes. Readers see the old file or all of the new one, because
  /// the bytes go to a file beside it that is renamed when they are on the disk. The new file has
  /// the old one's permissions; a first one has 0666, less the umask. A symbolic link is followed.
  /// A disposal before the pool has begun prevents it; one after that does not. Fails with
  /// `.invalid` where the path names something else than a file, and with libuv's `ENOENT` where a
  /// link leads nowhere.
  public func writeFile(_ path: Text, _ bytes: [UInt8]) -> Signal<Void> {
    .trying { () throws(Failure) in
      let path = try path.cText()
      return user.work { () throws(ClosureError) in
        var failure: Failure?
        bytes.withUnsafeBytes {
          do throws(Failure) { try FileCall.replace(path, by: $0) } catch { failure = error }
        }
        if let failure { throw failure }
      }
    }
  }

  /// Sends the entries of a directory, in the order of their names, then completes.
  public func directoryEntries(_ path: Text) -> Signal<[DirectoryEntry]> {
    .trying { () throws(Failure) in
      let path = try path.cText()
      return user.work { () throws(ClosureError) in
        var entries: [DirectoryEntry] = []
        try FileCall.list(path) {
          entries.append(DirectoryEntry(name: Text(cString: $0), kind: $1))
        }
        return entries
      }
    }
  }
}

extension LoopUser {
  /// `convert` makes the value, on the pool's thread.
  package func fileBytes<Value>(
    _ path: CText, convert: @escaping (UnsafeRawBufferPointer) -> Value
  ) -> Signal<Value> {
    work { () throws(ClosureError) in
      let bytes = try FileCall.read(path)
      defer { bytes.deallocate() }
      return convert(UnsafeRawBufferPointer(bytes))
    }
  }
}

/// libuv's calls on files, on the thread that makes them. Each throws libuv's code with the path.
package final class FileCall {
  private let request = UnsafeMutablePointer<uv_fs_t>.allocate(capacity: 1)
  private let path: CText

  /// A descriptor that libuv opens, also for a moment, must not take the number of a standard one.
  private init(_ path: CText) throws(Failure) {
    self.path = path
    let code = belay_shim_fill_standard()
    if code != 0 { throw .uv(code, path.text) }
  }

  deinit { request.deallocate() }

  /// Makes a call and clears the request, which keeps the status of a file.
  @discardableResult
  private func call(
    _ begin: (UnsafeMutablePointer<uv_fs_t>) -> Int32
  ) throws(Failure) -> Int {
    while true {
      let code = begin(request)
      uv_fs_req_cleanup(request)
      // libuv leaves it to its callers to repeat a read that a signal has interrupted.
      if code == UV_EINTR.rawValue { continue }
      if code < 0 { throw .uv(code, path.text) }
      return Int(code)
    }
  }

  /// The kind bits of the mode that the last `stat` found.
  private var mode: UInt64 { request.pointee.statbuf.st_mode }
  private func isMode(_ kind: Int32) -> Bool { mode & UInt64(S_IFMT) == UInt64(kind) }

  // MARK: Reading

  /// All bytes of a file. The caller deallocates them.
  package static func read(_ path: CText) throws(Failure) -> UnsafeMutableRawBufferPointer {
    let call = try FileCall(path)
    // Without NONBLOCK, a pipe without a writer would block the thread.
    let flags = UV_FS_O_RDONLY | UV_FS_O_NONBLOCK | UV_FS_O_NOCTTY
    let file = uv_file(try call.call { uv_fs_open(nil, $0, path.pointer, flags, 0, nil) })
    defer { belay_shim_close(file) }
    try call.call { uv_fs_fstat(nil, $0, file, nil) }
    if call.isMode(S_IFIFO) { throw Failure(.invalid, message: path.text + ": is a pipe") }
    // Only an empty device, as /dev/null, has an end that comes for certain.
    let isDevice = call.isMode(S_IFCHR)
    // A file of the system's may state that it is empty. The last read needs room to find the end.
    let stated = Int(clamping: call.request.pointee.statbuf.st_size)
    var size = max(4095, min(stated, 1 << 40)) + 1
    var bytes = try call.allocate(size)
    var used = 0
    do throws(Failure) {
      while true {
        let read = try call.read(file, UnsafeMutableRawBufferPointer(rebasing: bytes[used...]))
        if read == 0 { break }
        if isDevice { throw Failure(.invalid, message: path.text + ": is a device") }
        used += read
        if used < size { continue }
        size *= 2
        let larger = try call.allocate(size)
        larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[..<used]))
        bytes.deallocate()
        bytes = larger
      }
    } catch {
      bytes.deallocate()
      throw error
    }
    return UnsafeMutableRawBufferPointer(rebasing: bytes[..<used])
  }

  private func allocate(_ size: Int) throws(Failure) -> UnsafeMutableRawBufferPointer {
    // A file may be larger than the memory, which must then hold a copy in a value, too.
    if !belay_shim_has_room(2, size) { throw Failure(.noMemory, message: path.text) }
    return .allocate(byteCount: size, alignment: 16)
  }

  private func read(_ file: uv_file, _ room: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
    let count = belay_shim_read(file, BELAY_SHIM_OTHER, room.baseAddress, min(room.count, 1 << 30))
    if count < 0 { throw .uv(Int32(count), path.text) }
    return count
  }

  // MARK: Writing

  /// Replaces a file at once.
  package static func replace(
    _ path: CText, by bytes: UnsafeRawBufferPointer
  ) throws(Failure) {
    let call = try FileCall(path)
    let target = try call.target()
    var permissions: UInt64?
    do throws(Failure) {
      try call.call { uv_fs_stat(nil, $0, target.pointer, nil) }
      if !call.isMode(S_IFREG) { throw Failure(.invalid, message: path.text + ": is not a file") }
      // Not the bits that let it run as its owner: the new file is the writer's.
      permissions = call.mode & 0o777
    } catch {
      if error.code.rawValue != UV_ENOENT.rawValue { throw error }
    }
    let (file, name) = try call.makeTemporary(beside: target)
    do throws(Failure) {
      try call.write(file, bytes, permissions: permissions)
      try call.call { uv_fs_rename(nil, $0, name.pointer, target.pointer, nil) }
    } catch {
      belay_shim_unlink(name.pointer)
      throw error
    }
  }

  /// Where the path leads, so that a rename does not replace a symbolic link.
  private func target() throws(Failure) -> CText {
    // Not even a link that leads nowhere, which is an error.
    let isNothingThere = withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 2) {
      belay_shim_identify(path.pointer, $0.baseAddress) == UV_ENOENT.rawValue
    }
    if isNothingThere { return path }
    let code = uv_fs_realpath(nil, request, path.pointer, nil)
    defer { uv_fs_req_cleanup(request) }
    guard code >= 0, let found = request.pointee.ptr else { throw .uv(code, path.text) }
    return CText(copying: found.assumingMemoryBound(to: CChar.self))
  }

  /// Makes a file of a name that no file has.
  private func makeTemporary(beside target: CText) throws(Failure) -> (uv_file, CText) {
    var number = 0
    var beginning = target.text
    while true {
      let name = CText(beginning + ".~\(number)")
      let flags = UV_FS_O_WRONLY | UV_FS_O_CREAT | UV_FS_O_EXCL
      let code = uv_fs_open(nil, request, name.pointer, flags, 0o666, nil)
      uv_fs_req_cleanup(request)
      if code >= 0 { return (code, name) }
      if code == UV_ENAMETOOLONG.rawValue && number == 0 {
        beginning = target.split.directory.text + "/"
      } else if code != UV_EEXIST.rawValue {
        throw .uv(code, path.text)
      }
      number += 1
    }
  }

  /// Writes, and closes the file.
  private func write(
    _ file: uv_file, _ bytes: UnsafeRawBufferPointer, permissions: UInt64?
  ) throws(Failure) {
    defer { belay_shim_close(file) }
    if let permissions { try call { uv_fs_fchmod(nil, $0, file, Int32(permissions), nil) } }
    var rest = bytes
    while !rest.isEmpty {
      // Linux takes less than two GiB at once.
      let written = belay_shim_write(
        file, BELAY_SHIM_OTHER, rest.baseAddress, min(rest.count, 1 << 30))
      if written < 0 { throw .uv(Int32(written), path.text) }
      rest = UnsafeRawBufferPointer(rebasing: rest[written...])
    }
    try call { uv_fs_fsync(nil, $0, file, nil) }
  }

  // MARK: Directories

  /// Calls `body` with the name and the kind of each entry.
  package static func list(
    _ path: CText, _ body: (UnsafePointer<CChar>, EntryKind) -> Void
  ) throws(Failure) {
    let call = try FileCall(path)
    let code = uv_fs_scandir(nil, call.request, path.pointer, 0, nil)
    defer { uv_fs_req_cleanup(call.request) }
    if code < 0 { throw .uv(code, path.text) }
    var entry = uv_dirent_t()
    while uv_fs_scandir_next(call.request, &entry) >= 0 {
      body(entry.name, EntryKind(rawValue: Int32(entry.type.rawValue)) ?? .unknown)
    }
  }
}

extension uv_buf_t {
  /// The first GiB at most, because Linux takes less than two at once. libuv does not write to the bytes of what
  /// it sends.
  init(_ bytes: UnsafeRawBufferPointer) {
    self.init(
      base: UnsafeMutablePointer(mutating: bytes.baseAddress?.assumingMemoryBound(to: CChar.self)),
      len: min(bytes.count, 1 << 30))
  }
}
