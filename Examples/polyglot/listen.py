"""Listens to the signal that the host gives, for as long as the listener lives."""

from libbelay import Signal, import_signal


class Listener:
    def __init__(self, errors: object) -> None:
        self.heard = 0
        lines: Signal[str] = import_signal(errors)
        lines.subscribe(self.hear, owner=self)

    def hear(self, line: str) -> None:
        self.heard += 1
        print(f"python heard: {line}", flush=True)


listener: Listener | None = None
lengths: list[float] = []
ends: list[str] = []


def start(errors: object) -> None:
    global listener
    listener = Listener(errors)


def stop() -> None:
    """The listener dies here, and its subscription with it."""
    global listener
    listener = None


def add_up(numbers: object) -> None:
    """Hears of the thread's samples, on the loop's thread."""
    samples: Signal[float] = import_signal(numbers)
    samples.subscribe(lengths.append, on_completed=lambda: ends.append("completed"))


def tell() -> None:
    (end,) = ends
    print(f"python heard: {len(lengths)} numbers, {sum(lengths)} in all, {end}", flush=True)
