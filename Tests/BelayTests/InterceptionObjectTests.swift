import Belay
import Testing

extension CoreTests {
  /// Methods of one C object, and the method that ends it.
  @Suite struct InterceptionObjects {
    /// The first argument of an object's methods.
    struct Thing {
      var number: Int32
      var table: UnsafePointer<ThingTable>?
    }

    struct ThingTable {
      var add: @convention(c) (UnsafeMutableRawPointer?, Int32) -> Int32 = { it, more in
        guard let thing = it?.assumingMemoryBound(to: Thing.self) else { return -1 }
        thing.pointee.number += more
        return thing.pointee.number
      }
      var close: @convention(c) (UnsafeMutableRawPointer?, Bool) -> Void = { it, _ in
        it?.assumingMemoryBound(to: Thing.self).pointee.number = -1
      }
    }

    let trace = Trace()
    let things: CInterface<ThingTable>
    let add: CMethod<ThingTable, Int32, Int32>
    let close: CMethod<ThingTable, NoResult, Bool>
    let table: Table<ThingTable>
    let objects = UnsafeMutablePointer<Thing>.allocate(capacity: 2)

    init() throws {
      things = try CInterface("things", tableOffset: MemoryLayout<Thing>.offset(of: \.table))
      add = try things.method("add", \.add) { $0 }
      close = try things.method("close", \.close, .endsObject) { $0 }
      table = Table(ThingTable(), things)
      for index in 0..<2 {
        (objects + index).initialize(to: Thing(number: 0, table: UnsafePointer(table.memory)))
      }
    }

    private func call(_ object: UnsafeMutablePointer<Thing>, _ number: Int32) -> Int32? {
      object.pointee.table?.pointee.add(object, number)
    }

    @Test func A1_11_oneObjectAloneIsIntercepted() throws {
      let owner = OwnerRecord.adopt(objects)
      let slot = try add.slot(of: owner)
      let watched = slot.invoked.watch(trace)
      #expect(objects.pointee.table != UnsafePointer(table.memory))
      #expect(call(objects, 5) == 5)
      #expect(trace.take() == "next (arguments: 5, result: 5)")
      #expect(call(objects + 1, 7) == 7)
      #expect(trace.take() == "")
      watched.dispose()
      #expect(objects.pointee.table == UnsafePointer(table.memory))
      let hook = try slot.around { $0.proceed() * 10 }
      #expect(call(objects, 1) == 60)
      #expect(OwnerRecord.end(objects) { trace.add("destroyed") } == .ok)
      #expect(trace.take() == "disposed | free | destroyed")
      #expect(slot.status == .dead)
      #expect(call(objects, 1) == 7)
      hook.dispose()
      objects.deallocate()
    }

    @Test func A1_22_theMethodThatEndsTheObjectTellsOfItsDeath() throws {
      let owner = OwnerRecord.adopt(objects)
      let slot = try close.slot(of: owner)
      slot.sent.watch(trace, "sent")
      slot.invoked.watch(trace, "invoked")
      try add.slot(of: owner).sent.watch(trace, "add")
      owner.add(
        AnonymousDisposable { [trace, objects] in trace.add("bound \(objects.pointee.number)") })
      objects.pointee.table?.pointee.close(objects, true)
      #expect(
        trace.take()
          == "sent next false | add completed | add disposed | add free | bound 0"
          + " | sent completed | sent disposed | sent free"
          + " | invoked next (arguments: false, result: ())"
          + " | invoked completed | invoked disposed | invoked free")
      #expect(objects.pointee.number == -1)
      #expect(objects.pointee.table == UnsafePointer(table.memory))
      let failure = #expect(throws: Failure.self) { try add.slot(of: owner) }
      #expect(failure?.code == .dead)
      objects.deallocate()
    }

    @Test func anInterfaceThatDoesNotSayWhereTheTableIsIsRefused() throws {
      let unplaced = try CInterface<ThingTable>("unplaced")
      let method = try unplaced.method("add", \.add) { $0 }
      let owner = OwnerRecord.adopt(objects)
      let failure = #expect(throws: Failure.self) { try method.slot(of: owner) }
      #expect(failure?.code == .invalid)
      #expect(failure?.message == "unplaced has no table_offset")
      OwnerRecord.end(objects) {}
      objects.deallocate()
    }
  }
}
