@_spi(Engine) import Belay
import CLibuv

extension Code {
  /// A name or a text that libuv has for the code, as `make` answers it; nil if libuv does not know
  /// the code.
  package func libuvText(_ make: (Int32) -> UnsafePointer<CChar>?) -> StaticSite? {
    // libuv allocates the text for a code that it does not know, and calls that "Unknown" here.
    let isKnown = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 2) {
      let name = uv_err_name_r(rawValue, $0.baseAddress, 2).unsafelyUnwrapped
      return name.pointee != CChar(UInt8(ascii: "U"))
    }
    return isKnown ? StaticSite(at: make(rawValue)) : nil
  }
}

extension Failure {
  /// A failure of what libuv or the system does, or of a call of ours inside of that.
  package static func uv(_ code: Int32, _ what: Text) -> Failure {
    let code = Code(rawValue: code)
    let text = code.libuvText(uv_strerror)?.text ?? code.text
    return Failure(code, domain: "libuv", message: what + ": " + text)
  }
}
