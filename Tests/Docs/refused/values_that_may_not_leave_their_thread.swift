// error: type 'Note' does not conform to the 'Sendable' protocol
import Belay

final class Note { var text = "" }

func read(_ notes: Signal<Note>) async throws {
  for try await note in notes.values { print(note.text) }
}
