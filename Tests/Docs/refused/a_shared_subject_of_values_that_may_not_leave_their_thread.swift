// error: type 'Note' does not conform to the 'Sendable' protocol
import Belay

final class Note { var text = "" }

let notes = SharedSubject<Note>()
