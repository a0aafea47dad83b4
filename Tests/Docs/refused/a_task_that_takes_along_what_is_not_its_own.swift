// error: capture of 'note' with non-Sendable type 'Note' in a '@Sendable' closure
import Belay

final class Note { var text = "" }

func title(of note: Note) -> Signal<String> {
  Signal.from { note.text }
}
