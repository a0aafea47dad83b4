@_spi(Engine) import Belay
import CBelay

private let versionText: StaticString = "0.1.0"

@_cdecl("belay_version")
@implementation
public func belay_version() -> UnsafePointer<CChar>! { StaticSite(versionText).pointer }
