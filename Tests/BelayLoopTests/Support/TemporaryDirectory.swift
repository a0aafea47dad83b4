import Glibc

/// A directory of its own.
final class TemporaryDirectory {
  let path: String

  init() {
    var template = Array("/tmp/belay-XXXXXX".utf8CString)
    path = template.withUnsafeMutableBufferPointer { buffer in
      String(cString: mkdtemp(buffer.baseAddress.unsafelyUnwrapped))
    }
  }

  deinit {
    for name in ["file", "other"] { unlink(path + "/" + name) }
    rmdir(path)
  }

  func write(_ name: String, _ content: String) {
    let file = open(path + "/" + name, O_WRONLY | O_CREAT | O_APPEND, 0o600)
    _ = content.withCString { Glibc.write(file, $0, strlen($0)) }
    close(file)
  }
}
