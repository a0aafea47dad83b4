// error: capture of 'note' with non-Sendable type 'Note' in a '@Sendable' closure
import Belay

final class Note { var text = "" }

func titled(_ numbers: SharedSubject<Int>, _ note: Note) -> SharedSignal<String> {
  numbers.chain { $0.map { "\(note.text) \($0)" } }
}
