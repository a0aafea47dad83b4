@_spi(Engine) import Belay
import CBelay

func interface(_ handle: OpaquePointer?) -> Interface? { object(handle, Interface.self) }

private func described(
  _ methods: UnsafePointer<belay_method>, at index: Int
) throws(Failure) -> Method {
  guard let given = known(methods, at: index) else {
    throw Failure(.invalid, message: "a method of a wrong size")
  }
  guard let name = StaticSite(at: given.name), name.pointer.pointee != 0 else {
    throw Failure(.invalid, message: "a method without a name")
  }
  guard let letters = StaticSite(at: given.shape),
    given.flags
      & ~(BELAY_METHOD_PERFORMANCE_SENSITIVE.rawValue | BELAY_METHOD_ENDS_OBJECT.rawValue) == 0
  else { throw Failure(.invalid, message: "\(name.text): no shape, or unknown flags") }
  let shape: Shape
  do throws(Failure) {
    shape = try Shape(letters)
  } catch {
    throw Failure(error.code, message: name.text + ": " + error.message)
  }
  return Method(
    name, at: Int(clamping: given.offset), shape,
    isPerformanceSensitive: given.flags & BELAY_METHOD_PERFORMANCE_SENSITIVE.rawValue != 0,
    endsObject: given.flags & BELAY_METHOD_ENDS_OBJECT.rawValue != 0,
    description: UnsafeRawPointer(methods) + index * given.size)
}

private func made(_ given: belay_interface_description) throws(Failure) -> Interface {
  // A size that is too large for Swift's Int is negative here.
  guard let name = StaticSite(at: given.name), given.methods != nil || given.method_count == 0,
    given.table_size >= 0, given.table_size <= Int32.max
  else { throw Failure(.invalid) }
  if UInt(bitPattern: given.method_count) > Interface.mostMethods {
    throw Interface.tooManyMethods
  }
  let (install, installed) = (given.install, given.installed)
  let made = try Interface(
    name, tableSize: Int(given.table_size),
    tableOffset: given.table_offset == Int(bitPattern: UInt.max) ? nil : Int(given.table_offset),
    base: interface(given.base),
    install: install.map { install in
      { object, table in LastFailure.tell { install(object, table) } }
    },
    installAddress: UInt(bitPattern: unsafeBitCast(install, to: UnsafeRawPointer?.self)),
    installed: installed.map { installed in
      { object in LastFailure.isolating { UnsafeMutableRawPointer(mutating: installed(object)) } }
    })
  for index in 0..<Int(given.method_count) { try made.add(described(given.methods, at: index)) }
  return made
}

@_cdecl("belay_interface_create")
@implementation
public func belay_interface_create(
  _ description: UnsafePointer<belay_interface_description>!
) -> OpaquePointer! {
  guard let given = known(description) else { return failed(.invalid) }
  return giving { () throws(Failure) in try made(given) }
}

@_cdecl("belay_interface_retain")
@implementation
public func belay_interface_retain(_ i: OpaquePointer!) -> OpaquePointer! { retain(i) }

@_cdecl("belay_interface_release")
@implementation
public func belay_interface_release(_ i: OpaquePointer!) { release(i) }

@_cdecl("belay_interface_name")
@implementation
public func belay_interface_name(_ i: OpaquePointer!) -> UnsafePointer<CChar>! {
  interface(i)?.name.pointer ?? StaticSite("").pointer
}

@_cdecl("belay_interface_method_count")
@implementation
public func belay_interface_method_count(_ i: OpaquePointer!) -> Int {
  interface(i)?.methods.count ?? 0
}

@_cdecl("belay_interface_method")
@implementation
public func belay_interface_method(
  _ i: OpaquePointer!, _ index: Int
) -> UnsafePointer<belay_method>! {
  guard let methods = interface(i)?.methods, methods.indices.contains(index) else { return nil }
  return methods[index].description?.assumingMemoryBound(to: belay_method.self)
}
