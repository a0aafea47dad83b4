"""chat.py PROGRAM: drives the relay from outside, by sockets. Prints what is wrong."""

import contextlib
import os
import resource
import signal
import socket
import struct
import subprocess
import sys
import threading
import time

PROGRAM = sys.argv[1]
PATIENCE = 30  # seconds, which a test that is right never needs
failures = 0


def check(holds, what):
    global failures
    if not holds:
        failures += 1
        print("FAILED:", what)


class Relay:
    """The program, and its log."""

    def __init__(self, *options, files=None):
        def limit():
            if files:
                resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))

        self.log = []
        self.is_read = True
        self.changed = threading.Condition()
        self.process = subprocess.Popen(
            [PROGRAM, "--port", "0", *options],
            stdout=subprocess.PIPE,
            text=True,
            errors="replace",
            preexec_fn=limit,
        )
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()
        self.port = int(self.wait_for("listening at").rsplit(":", 1)[1])
        self.clients = []
        self.before = self.descriptors()

    def _read(self):
        for line in self.process.stdout:
            with self.changed:
                self.log.append(line.rstrip("\n"))
                self.changed.notify_all()
            if not self.is_read:
                return

    def wait_for(self, text):
        def found():
            return next((line for line in self.log if text in line), None)

        with self.changed:
            if not self.changed.wait_for(found, PATIENCE):
                raise TimeoutError(f"no {text!r} in the log: {self.log[-20:]}")
            return found()

    def client(self, **options):
        self.clients.append(Client(self.port, **options))
        return self.clients[-1]

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def memory(self):
        """Resident bytes; 0 under AddressSanitizer, which reserves terabytes and keeps what is freed."""
        with open(f"/proc/{self.process.pid}/statm") as statm:
            size, resident = (int(pages) * resource.getpagesize() for pages in statm.read().split()[:2])
        return resident if size < 1 << 40 else 0

    def stop(self, number=signal.SIGTERM):
        """Lets its clients go, which leave no descriptor, and then itself."""
        for client in self.clients:
            client.close()
        wait_until(lambda: self.descriptors() == self.before, "its descriptors are back")
        self.process.send_signal(number)
        return self.has_ended()

    def has_ended(self):
        code = self.process.wait(PATIENCE)
        self.reader.join(PATIENCE)
        self.process.stdout.close()
        check(code == 0, f"exit code {code}: {self.log[-5:]}")
        check(self.log[-1].endswith("nothing left alive"), f"the end: {self.log[-5:]}")
        check(not any("still open" in line for line in self.log), f"still open: {self.log}")


class Client:
    def __init__(self, port, receive_buffer=None):
        self.socket = socket.socket()
        if receive_buffer:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.socket.settimeout(PATIENCE)
        self.socket.connect(("127.0.0.1", port))
        self.file = self.socket.makefile("r", newline="\n")

    def say(self, *lines):
        self.socket.sendall("".join(line + "\n" for line in lines).encode())

    def line(self):
        return self.file.readline().rstrip("\n")

    def expect(self, *lines):
        for wanted in lines:
            line = self.line()
            check(line == wanted, f"{line!r} where {wanted!r} was expected")

    def until(self, text):
        """Reads to a line with this text, which it returns; "" at the end."""
        for line in self.file:
            if text in line:
                return line
        return ""

    def rest(self):
        return self.file.read().splitlines()

    def enter(self, name, room):
        self.until("hello")
        self.say(f"/nick {name}", f"/join {room}")
        self.until(f"{name} joined {room}")
        return self

    def close(self):
        self.file.close()
        self.socket.close()

    def reset(self):
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.close()


def wait_until(holds, what):
    end = time.monotonic() + PATIENCE
    while not holds():
        if time.monotonic() > end:
            check(False, what)
            return
        time.sleep(0.02)


def conversation():
    relay = Relay()
    ann, bob, carl = relay.client(), relay.client(), relay.client()
    ann.expect("* hello guest1")
    ann.say("hello?", "/nick ann", "/join rope", "/join")
    ann.expect("! join a room first: /join ROOM", "* you are now ann", "* ann joined rope", "! not a room: ")
    bob.enter("bob", "rope")
    carl.enter("carl", "other")
    ann.expect("* bob joined rope")
    ann.say("made fast")
    for one in (ann, bob):
        one.expect("ann: made fast")
    bob.say("/say and /called off", "/nick ann", "/nonsense", "/rooms", "/who", "/leave")
    bob.expect("bob: and /called off", "! there is a ann", "! no such command: /nonsense")
    bob.expect("* other: 1", "* rope: 2", "* 2 rooms", "* bob", "* ann", "* you left rope")
    ann.expect("bob: and /called off", "* bob left")
    carl.say("/nick c a r l", "/nick " + 40 * "x", "b\u00fctes \t", "/stats")
    carl.expect("! not a name: c a r l", "! not a name: " + 40 * "x", "carl: b\u00fctes \t")
    check("clients 3, rooms 2, connections 3" in carl.line(), "statistics on command")
    carl.say("/quit")
    carl.expect("* goodbye: as you like", "")
    # Without a line's end, then with the ends of other systems, and byte by byte.
    ann.socket.sendall(b"cut ")
    ann.socket.sendall(b"in two\r\n")
    ann.expect("ann: cut in two")
    relay.stop()


def names_are_unique():
    relay = Relay()
    ann = relay.client()
    ann.expect("* hello guest1")
    ann.say("/nick guest3", "/join rope")
    ann.expect("* you are now guest3", "* guest3 joined rope")
    others = [relay.client() for _ in range(3)]
    for other, number in zip(others, (2, 4, 5)):
        other.expect(f"* hello guest{number}")
        other.say("/nick guest3")
        other.expect("! there is a guest3")
    relay.stop()


def plain_text():
    relay = Relay()
    ann, bob = relay.client().enter("ann", "rope"), relay.client().enter("bob", "rope")
    ann.expect("* bob joined rope")
    refused = [b"a\0b", b"/who\0x", b"\x1b[2J", b"a\rb", b"\x7f", b"\xc2\x9b2J", b"\x9b2J", b"\xff", b"\xc2"]
    for line in refused:
        ann.socket.sendall(line + b"\n")
        ann.expect("! not UTF-8, or with control characters")
    for line in ["tab\t", "\u00e2\u00a0\u20ac\U0001f600"]:
        ann.say(line)
        bob.expect(f"ann: {line}")
    relay.stop()


def log_without_reader():
    relay = Relay("--stats", "0.05")
    ann = relay.client().enter("ann", "rope")
    relay.is_read = False
    relay.reader.join(PATIENCE)
    relay.process.stdout.close()
    for number in range(3):
        bob = relay.client().enter(f"bob{number}", "rope")
        ann.expect(f"* bob{number} joined rope")
        bob.close()
        ann.expect(f"* bob{number} left")
    relay.process.send_signal(signal.SIGTERM)
    check(ann.until("goodbye") == "* goodbye: the server stops\n", "it goes on without a reader")
    check(relay.process.wait(PATIENCE) == 0, "and ends well")


def half_close():
    relay = Relay()
    ann = relay.client()
    ann.until("hello")
    ann.say("/join rope", "last words")
    ann.socket.shutdown(socket.SHUT_WR)
    lines = ann.rest()
    check(lines[-2:] == ["guest1: last words", "* goodbye: you have ended"], f"half-closed: {lines}")
    ann.close()
    relay.wait_for("said goodbye")
    relay.stop()


def reset_by_peer():
    relay = Relay()
    ann, bob = relay.client().enter("ann", "rope"), relay.client().enter("bob", "rope")
    ann.expect("* bob joined rope")
    bob.reset()
    ann.expect("* bob left")
    relay.wait_for("bob 127.0.0.1")
    relay.wait_for("connection reset")
    relay.stop()


def idle():
    relay = Relay("--idle", "0.5")
    bob = relay.client()
    bob.until("hello")
    check(bob.rest() == ["* goodbye: idle"], "an idle client has to go")
    ann = relay.client().enter("ann", "rope")
    # Whoever goes on talking may stay.
    for number in range(20):
        ann.say(f"{number}")
        ann.until(f"ann: {number}")
        time.sleep(0.05)
    check(ann.rest() == ["* goodbye: idle"], "it has to go when it is silent")
    relay.stop()


def flood():
    relay = Relay("--rate", "5", "--stats", "0.2")
    ann = relay.client()
    ann.until("hello")
    ann.say("/join rope", *[f"line {number}" for number in range(50)])
    for number in range(4):
        ann.until(f"guest1: line {number}")
    ann.expect("! too fast: lines are dropped")
    relay.wait_for("refused 46")
    time.sleep(0.5)  # a token comes with time
    ann.say("again")
    ann.expect("guest1: again")
    ann.say(*["flood"] * 250)
    check(ann.until("goodbye") == "* goodbye: too many lines\n", "a flood ends")
    ann.close()
    bob = relay.client()
    bob.until("hello")
    bob.socket.sendall(b"x" * 5000)
    check(bob.until("goodbye") == "* goodbye: a line is too long\n", "a line without an end ends")
    bob.close()
    relay.stop()


def slow_reader():
    relay = Relay("--rate", "0")
    slow = relay.client(receive_buffer=4096).enter("slow", "rope")
    ann = relay.client().enter("ann", "rope")
    before = relay.memory()
    line = "x" * 900
    gone = False
    for _ in range(20000):  # 18 MB, which the system does not keep for a client
        ann.say(line)
        heard = ann.line()
        if heard == "* slow left":
            gone = True
            break
        check(heard == f"ann: {line}", f"the others go on, not {heard[:20]}")
    check(gone, "a client that never reads has to go")
    relay.wait_for("reads too slowly")
    check(relay.memory() - before < 4 << 20, f"memory grew by {relay.memory() - before} bytes")
    # It still gets what the system had, and then the end.
    slow.rest()
    slow.close()
    ann.close()
    relay.stop()


def graceful():
    relay = Relay("--grace", "1")
    clients = [relay.client() for _ in range(50)]
    for number, client in enumerate(clients):
        client.until("hello")
        client.say(f"/join room{number % 5}")
        client.until("joined")
    relay.process.send_signal(signal.SIGTERM)
    for client in clients:
        check(client.until("goodbye") == "* goodbye: the server stops\n", "told of the end")
        check(client.rest() == [], "and nothing after")
        client.close()
    relay.has_ended()
    check(sum("said goodbye" in line for line in relay.log) == 50, "none was cut off")


def graceful_without_readers():
    relay = Relay("--rate", "0", "--grace", "0.5", "--queue", "10000000")
    deaf = relay.client(receive_buffer=4096).enter("deaf", "rope")
    ann = relay.client().enter("ann", "rope")
    for _ in range(6000):
        ann.say("x" * 900)
        ann.until("ann: ")
    relay.process.send_signal(signal.SIGTERM)
    check(ann.until("goodbye") != "", "told of the end")
    relay.has_ended()
    check(any("deaf" in line and "gone" in line for line in relay.log), "not waited for any longer")
    deaf.close()
    ann.close()


def asked_twice():
    relay = Relay("--rate", "0", "--grace", "1000", "--queue", "10000000")
    deaf = relay.client(receive_buffer=4096).enter("deaf", "rope")
    ann = relay.client().enter("ann", "rope")
    for _ in range(6000):
        ann.say("x" * 900)
        ann.until("ann: ")
    relay.process.send_signal(signal.SIGINT)
    relay.wait_for("stopping with")
    relay.process.send_signal(signal.SIGINT)
    relay.has_ended()
    check(any("not waited for" in line for line in relay.log), "not waited for")
    deaf.close()
    ann.close()


def out_of_descriptors():
    relay = Relay(files=24)
    clients = [relay.client() for _ in range(40)]
    relay.wait_for("EMFILE")
    clients[0].until("hello")
    clients[0].say("/stats")
    check("clients" in clients[0].until("clients"), "those who are there go on")
    for client in clients[:30]:
        client.close()
    for client in clients[30:]:
        check(client.until("hello") != "", "the others come in when there is room")
        client.close()
    relay.stop()


def bad_port():
    with contextlib.closing(socket.socket()) as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        ended = subprocess.run([PROGRAM, "--port", port], capture_output=True, text=True, timeout=PATIENCE)
    check(ended.returncode == 1 and "address already in use" in ended.stderr, f"a taken port: {ended}")
    check("nothing left alive" in ended.stdout, f"a taken port: {ended}")


stories = [conversation, names_are_unique, plain_text, log_without_reader, half_close, reset_by_peer, idle]
stories += [flood, slow_reader, graceful, graceful_without_readers, asked_twice, out_of_descriptors, bad_port]
for story in stories:
    if len(sys.argv) > 2 and story.__name__ not in sys.argv[2:]:
        continue
    try:
        story()
    except Exception as error:
        check(False, f"{story.__name__}: {type(error).__name__}: {error}")
sys.exit(failures != 0)
