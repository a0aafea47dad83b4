"""supervise.py PROGRAM: drives runall from outside. Prints what is wrong."""

import os
import re
import signal
import subprocess
import sys
import tempfile
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


class RunAll:
    """The program, its file and what it prints."""

    def __init__(self, folder, text, *options):
        self.path = os.path.join(folder, "commands")
        self.write(text)
        self.lines = []
        self.changed = threading.Condition()
        self.process = subprocess.Popen(
            [PROGRAM, *options, self.path],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            errors="replace",
        )
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()

    def write(self, text):
        """Writes the file as an editor does: another file takes its place."""
        with open(self.path + ".new", "w") as file:
            file.write(text)
        os.rename(self.path + ".new", self.path)

    def _read(self):
        for line in self.process.stdout:
            with self.changed:
                self.lines.append(re.sub(" +([|*] )", r" \1", line.rstrip("\n")))
                self.changed.notify_all()

    def wait_for(self, text, count=1):
        """Waits for so many lines with the text, and returns the last one."""

        def found():
            with_text = [line for line in self.lines if text in line]
            return with_text[count - 1] if len(with_text) >= count else None

        with self.changed:
            if not self.changed.wait_for(found, PATIENCE):
                raise TimeoutError(f"no {count} of {text!r}: {self.lines[-20:]}")
            return found()

    def pid(self, name, count=1):
        return int(self.wait_for(f"{name} * started as", count).split()[-1])

    def ends(self, code):
        found = self.process.wait(PATIENCE)
        self.reader.join(PATIENCE)
        self.process.stdout.close()
        check(found == code, f"exit code {found}, not {code}: {self.lines[-10:]}")
        for line in self.lines:
            check("still open" not in line and "left alive" not in line, line)

    def stop(self, number=signal.SIGTERM):
        self.process.send_signal(number)
        self.ends(0)


def is_alive(pid):
    try:
        with open(f"/proc/{pid}/stat") as stat:
            return stat.read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def success(folder):
    run = RunAll(folder, "# two\n\na: echo one; echo two >&2; printf unfinished\n b :  x\n")
    run.ends(1)
    check("name that is not" in run.lines[-1], f"a wrong file: {run.lines}")
    run = RunAll(folder, "# two\n\na: echo one; echo two >&2; printf unfinished\nb-2:  exec sleep 0.1\n")
    run.ends(0)
    said = sorted(line for line in run.lines if line.startswith("a |"))
    check(said == ["a | one", "a | two", "a | unfinished"], f"its lines: {said}")
    check("b-2 * exited with 0" in run.lines, f"its exit: {run.lines}")
    about = [line for line in run.lines if line.startswith("a ")]
    check(about[-1] == "a * exited with 0", f"the exit comes last: {about}")


def back_off(folder):
    begin = time.monotonic()
    run = RunAll(folder, "bad: echo try; exit 3\ngood: sleep 0.1\n", "--wait", "0.2", "--attempts", "4")
    run.ends(1)
    took = time.monotonic() - begin
    check(run.lines.count("bad | try") == 4, f"four attempts: {run.lines}")
    check("bad * given up: exited with 3" in run.lines, f"given up: {run.lines}")
    check(took > 0.9 * (0.2 + 0.4 + 0.8), f"longer and longer waits, not {took} s")
    check(sum("good * started" in line for line in run.lines) == 1, "success is no failure")


def killed_from_outside(folder):
    run = RunAll(folder, "a: echo up; exec sleep 1000\n", "--wait", "0")
    run.wait_for("a | up")
    os.kill(run.pid("a"), signal.SIGSEGV)
    run.wait_for("a * ended by Segmentation fault")
    run.wait_for("a | up", 2)
    run.stop(signal.SIGINT)
    check(not is_alive(run.pid("a", 2)), "it ends with the program")


def anew_after_a_long_run(folder):
    run = RunAll(folder, "a: echo up; sleep 0.3; exit 1\n", "--wait", "1000", "--stable", "0.1")
    run.wait_for("a | up", 4)
    run.stop()


def stubborn(folder):
    script = "a: trap '' TERM; echo up; while :; do sleep 1000; done\n"
    run = RunAll(folder, script, "--grace", "0.3")
    run.wait_for("a | up")
    run.stop()
    check("a * killed" in run.lines and "a * ended by Killed" in run.lines, f"killed: {run.lines}")
    run = RunAll(folder, script, "--grace", "1000")
    run.wait_for("a | up")
    run.process.send_signal(signal.SIGTERM)
    run.wait_for("runall * stops")
    run.stop()
    check("a * ended by Killed" in run.lines, f"killed when asked twice: {run.lines}")


def with_children(folder):
    """What a command has left in its group goes with it, and does not hold its output open."""
    run = RunAll(folder, "a: sleep 1000 & echo child $!; exit 1\n", "--wait", "1000")
    child = int(run.wait_for("a | child").split()[-1])
    run.wait_for("a * exited with 1")
    end = time.monotonic() + PATIENCE  # it is killed by then, and closes its files before it is gone
    while is_alive(child) and time.monotonic() < end:
        time.sleep(0.01)
    check(not is_alive(child), "its child is gone, too")
    run.stop()


def last_words(folder):
    run = RunAll(folder, "a: trap 'echo bye; exit 0' TERM; echo up; while :; do sleep 0.02; done\n")
    run.wait_for("a | up")
    run.stop()
    check(run.lines[-2:] == ["a | bye", "a * exited with 0"], f"last words: {run.lines}")


def count_descriptors(run):
    return len(os.listdir(f"/proc/{run.process.pid}/fd"))


def reload(folder):
    run = RunAll(folder, "keep: exec sleep 1000\nold: exec sleep 1000\nchange: echo one; exec sleep 1000\n")
    keep, old, change = run.pid("keep"), run.pid("old"), run.pid("change")
    run.wait_for("change | one")
    run.write("keep: exec sleep 1000\nchange: echo two; exec sleep 1000\nnew: echo new; exec sleep 1000\n")
    run.wait_for("change | two")
    run.wait_for("new | new")
    run.wait_for("old * ended by")
    check(is_alive(keep) and not is_alive(old) and not is_alive(change), "who is left")
    run.write("this is wrong\n")
    run.wait_for("line 1 is not")
    os.remove(run.path)
    run.wait_for("No such file")
    check(is_alive(keep), "a wrong file changes nothing")
    run.write("keep: exec sleep 1000\n")
    run.wait_for("new * ended by")
    run.process.send_signal(signal.SIGHUP)
    run.wait_for("reads the file again", 5)
    check(sum("keep * started" in line for line in run.lines) == 1, "it goes on")
    # It says that it reads the file before it has it open: count where it has acted on that.
    run.write("keep: exec sleep 1000\ngo: echo first; exec sleep 1000\n")
    run.wait_for("go | first")
    run.write("keep: exec sleep 1000\n")
    run.wait_for("go * ended by")
    descriptors = count_descriptors(run)
    for number in range(10):
        run.write(f"keep: exec sleep 1000\ngo: echo number {number}; exec sleep 1000\n")
        run.wait_for(f"go | number {number}")
    run.write("keep: exec sleep 1000\n")
    run.wait_for("go * ended by", 11)
    after = count_descriptors(run)
    check(after == descriptors, f"{after} descriptors, not {descriptors}")
    run.stop()


def much(folder):
    script = "a: i=0; while [ $i -lt 20000 ]; do echo line $i; i=$((i+1)); done\n"
    script += "b: head -c 300000 /dev/zero | tr '\\0' x; echo; echo after\n"
    run = RunAll(folder, script)
    run.ends(0)
    said = [line for line in run.lines if line.startswith("a | ")]
    check(said == [f"a | line {number}" for number in range(20000)], f"{len(said)} lines")
    cut = [line.removeprefix("b | ") for line in run.lines if line.startswith("b | x")]
    check("".join(cut) == "x" * 300000 and max(map(len, cut)) == 65536, "a long line is cut")
    check("b | after" in run.lines, "it goes on after a line that is too long")


stories = [success, back_off, killed_from_outside, anew_after_a_long_run, stubborn, with_children]
stories += [last_words, reload, much]
for story in stories:
    if len(sys.argv) > 2 and story.__name__ not in sys.argv[2:]:
        continue
    with tempfile.TemporaryDirectory() as folder:
        try:
            story(folder)
        except Exception as error:
            check(False, f"{story.__name__}: {type(error).__name__}: {error}")
sys.exit(failures != 0)
