// error: capture of 'note' with non-Sendable type 'Note' in a '@Sendable' closure
import Belay

final class Note { var text = "" }
actor Account {}

func follow(_ amounts: Signal<Int>, _ account: Account, _ note: Note) async {
  await amounts.subscribe(isolatedTo: account, next: { _, amount in note.text = "\(amount)" })
  note.text = ""
}
