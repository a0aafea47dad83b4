"""supervise.py PROGRAM: drives runall from outside. Prints what is wrong."""

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

PROGRAM = sys.argv[1]
PATIENCE = 30  # seconds, which a test that is right never needs
LAST = "last: echo up; exec sleep 1000\n"
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
        self.is_read = True
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
            if not self.is_read:
                return

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

    def count(self, text):
        return sum(text in line for line in self.lines)

    def reload(self, number=1):
        self.process.send_signal(signal.SIGHUP)
        self.wait_for("reads the file again", number)

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.process.pid}/fd"))

    def settles(self):
        """With one command left it has as many descriptors as a program that never had another."""
        with tempfile.TemporaryDirectory() as folder:
            other = RunAll(folder, LAST)
            other.wait_for("last | up")
            wanted = other.descriptors()
            other.stop()
        self.write(LAST)
        self.wait_for("last | up")
        wait_until(lambda: self.descriptors() == wanted, f"{wanted} descriptors again")

    def stop(self, number=signal.SIGTERM):
        self.process.send_signal(number)
        self.ends(0)


def wait_until(holds, what):
    end = time.monotonic() + PATIENCE
    while not holds() and time.monotonic() < end:
        time.sleep(0.01)
    check(holds(), what)


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
    # The second of three runs is long, so that the third failure is the second one in a row.
    script = "a: echo x >>runs; [ $(wc -l <runs) -ne 2 ] || sleep 3.2; exit 1\n".replace("runs", folder + "/runs")
    run = RunAll(folder, script, "--wait", "0", "--stable", "3", "--attempts", "2")
    run.ends(1)
    check(run.count("a * started") == 3, f"a long run begins a new row: {run.lines}")
    # Nor does a long run let the wait after it be left out.
    run = RunAll(folder, "a: exit 1\n", "--wait", "1000", "--max-wait", "1000", "--stable", "0")
    run.wait_for("a * exited with 1")
    run.reload()
    check(run.count("a * started") == 1, f"it waits: {run.lines}")
    run.settles()
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
    # It is killed by then, and closes its files before it is gone.
    wait_until(lambda: not is_alive(child), "its child is gone, too")
    run.settles()
    run.stop()


def output_held_open(folder):
    """What has left the group lives on, but its hold on the output does not count."""
    # It does not exit before the other one has left the group.
    script = "a: rm -f up; setsid sh -c 'echo held by $$; : >up; exec sleep 1000' & "
    script = (script + "until [ -e up ]; do sleep 0.01; done; %s\n").replace("up", folder + "/up")
    run = RunAll(folder, script % "exit 1", "--wait", "0", "--attempts", "2")
    holders = [int(run.wait_for("a | held by", number).split()[-1]) for number in (1, 2)]
    run.ends(1)
    check(run.lines.count("a * exited with 1") == 2, f"its exits are told: {run.lines}")
    run = RunAll(folder, script % "wait", "--grace", "1000")
    holders.append(int(run.wait_for("a | held by").split()[-1]))
    pid = run.pid("a")
    run.process.send_signal(signal.SIGTERM)
    wait_until(lambda: not os.path.exists(f"/proc/{pid}"), "it ends")
    run.stop()
    run = RunAll(folder, script % "exit 1")
    holders.append(int(run.wait_for("a | held by").split()[-1]))
    pid = run.pid("a")
    wait_until(lambda: not os.path.exists(f"/proc/{pid}"), "it ends")
    run.stop()
    check("a * exited with 1" in run.lines, f"output is waited for also when it stops: {run.lines}")
    for holder in holders:
        os.kill(holder, signal.SIGKILL)


def without_reader(folder):
    run = RunAll(folder, "a: echo up; while :; do sleep 0.02; echo more; done\nb: kill -PIPE $$; echo on\n")
    run.wait_for("a | up")
    run.wait_for("b * ended by Broken pipe")  # a command has what it expects
    pid = run.pid("a")
    run.is_read = False
    run.reader.join(PATIENCE)
    run.process.stdout.close()
    check(is_alive(pid), "it goes on")
    run.process.send_signal(signal.SIGTERM)
    check(run.process.wait(PATIENCE) == 1, "it tells that the output could not be written")
    check(not is_alive(pid), "and nothing is left")


def signals_while_it_stops(folder):
    run = RunAll(folder, "a: trap '' TERM; echo up; while :; do sleep 1000; done\n", "--grace", "1000")
    run.wait_for("a | up")
    run.process.send_signal(signal.SIGTERM)
    run.wait_for("runall * stops")
    run.process.send_signal(signal.SIGHUP)
    run.stop(signal.SIGQUIT)
    check(not is_alive(run.pid("a")), "it ends with the program")


def cannot_be_started(folder):
    run = RunAll(folder, "a: echo " + 200000 * "x" + "\n", "--wait", "0", "--attempts", "2", "--stable", "0")
    run.ends(1)
    told = [line for line in run.lines if "a * cannot be started" in line]
    check(len(told) == 2 and "argument list too long" in told[0], f"told each time: {told}")
    check(run.count("a * given up") == 1, "and given up")


def last_words(folder):
    run = RunAll(folder, "a: trap 'echo bye; exit 0' TERM; echo up; while :; do sleep 0.02; done\n")
    run.wait_for("a | up")
    run.stop()
    check(run.lines[-2:] == ["a | bye", "a * exited with 0"], f"last words: {run.lines}")


def renamed_while_it_waits(folder):
    run = RunAll(folder, "a: exit 1\n", "--wait", "1000", "--max-wait", "1000")
    run.wait_for("a * exited with 1")
    run.write("b: exec sleep 1000\n")
    pid = run.pid("b")
    run.write("c: echo up; exec sleep 1000\n")
    run.wait_for("c | up")
    run.wait_for("b * ended by")
    check(not is_alive(pid), "the file is still watched")
    run.settles()
    run.stop()


def done_is_done(folder):
    run = RunAll(folder, "a: exit 0\nb: exit 3\nc: exec sleep 1000\n", "--attempts", "1")
    run.wait_for("a * exited with 0")
    run.wait_for("b * given up")
    run.reload()
    run.write("a: exit 0\nb: echo new; exit 0\nc: exec sleep 1000\nd: echo up; exec sleep 1000\n")
    run.wait_for("b | new")
    run.wait_for("d | up")
    check(run.count("a * started") == 1 and run.count("b * started") == 2, f"who starts: {run.lines}")
    run.process.send_signal(signal.SIGTERM)
    run.ends(1)


def emptied(folder):
    run = RunAll(folder, "a: echo up; exec sleep 1000\n")
    run.wait_for("a | up")
    with open(run.path, "w"):
        pass
    run.wait_for("no command")
    run.write("a: echo up; exec sleep 1000\nb: echo up; exec sleep 1000\n")
    run.wait_for("b | up")
    check(run.count("a * started") == 1, "what ran goes on")
    run.settles()
    run.stop()


def without_folder(folder):
    inner = os.path.join(folder, "inner")
    os.mkdir(inner)
    run = RunAll(inner, "a: echo up; exec sleep 1000\n")
    run.wait_for("a | up")
    shutil.rmtree(inner)
    run.wait_for("changes are not seen")
    run.reload()
    run.wait_for("No such file")
    run.stop()


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
    for number in range(10):
        run.write(f"keep: exec sleep 1000\ngo: echo number {number}; exec sleep 1000\n")
        run.wait_for(f"go | number {number}")
    check(is_alive(keep), "it goes on")
    run.settles()
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
stories += [output_held_open, without_reader, signals_while_it_stops, cannot_be_started, last_words]
stories += [renamed_while_it_waits, done_is_done, emptied, without_folder, reload, much]
for story in stories:
    if len(sys.argv) > 2 and story.__name__ not in sys.argv[2:]:
        continue
    with tempfile.TemporaryDirectory() as folder:
        try:
            story(folder)
        except Exception as error:
            check(False, f"{story.__name__}: {type(error).__name__}: {error}")
sys.exit(failures != 0)
