@_spi(Engine) import Belay
import CBelay

// Objects are guarded in libbelay-testing alone. The functions are those of Testing/Guard.swift that the rest calls.

@inline(__always)
func announced(_ owner: OwnerRecord, _ key: UnsafePointer<CChar>, _ code: Code) -> Code { code }

@inline(__always)
func revoked(_ owner: OwnerRecord, _ key: UnsafePointer<CChar>, _ name: CText) -> CText { name }

@inline(__always)
func beginStore(in object: UnsafeMutableRawPointer?) {}

@inline(__always)
func endStore(in object: UnsafeMutableRawPointer?) {}

@inline(__always)
func settleGuard(of object: UnsafeMutableRawPointer?) {}
