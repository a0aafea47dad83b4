"""Listens to the signal that the host gives, for as long as the listener lives."""

from libbelay import import_signal


class Listener:
    def __init__(self, errors):
        self.heard = 0
        import_signal(errors).subscribe(self.hear, owner=self)

    def hear(self, line):
        self.heard += 1
        print(f"python heard: {line}", flush=True)


listener = None
lengths = []


def start(errors):
    global listener
    listener = Listener(errors)


def stop():
    """The listener dies here, and its subscription with it."""
    global listener
    listener = None


def add_up(numbers):
    """Hears of the thread's samples, on the loop's thread."""
    import_signal(numbers).subscribe(lengths.append, on_completed=lambda: lengths.append("completed"))


def tell():
    *numbers, end = lengths
    print(f"python heard: {len(numbers)} numbers, {sum(numbers)} in all, {end}", flush=True)
