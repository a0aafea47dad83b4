"""What a user has of the wheel, in an environment where nothing else is: programs run, the libraries
inside are the ones in use, and the wheel's tag is true.

usage: try_wheel.py WHEEL ROOT
"""

import platform
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import libbelay
from libbelay import interception, testing

wheel, root = Path(sys.argv[1]), Path(sys.argv[2])

seen: list[int] = []
libbelay.of(1, 2, 3).map(lambda n: n * n).filter(libbelay.it > 1).subscribe(seen.append)
assert seen == [4, 9], seen
with libbelay.Loop() as loop:
    assert libbelay.interval(0.001).take(3).collect().wait_last(loop) == [0, 1, 2]
assert testing and interception

script = root / "Examples/wordcount"
printed = subprocess.run(
    [sys.executable, script / "wordcount.py", script / "input.txt"], capture_output=True, text=True
)
assert printed.stdout == (script / "expected.txt").read_text(), printed

# libuv and libffi come out of the wheel.
here = Path(libbelay.__file__).resolve().parent.parent
mapped = set(
    re.findall(
        r"\S*/(?:libuv|libffi|libbelay|_native)[^/\n]*\.so[^\n]*",
        Path("/proc/self/maps").read_text(),
    )
)
own = {path for path in mapped if path.startswith(str(here))}
outside = {
    path for path in mapped - own if "libffi" not in path
}  # Python's ctypes may have its own libffi.
assert any("libuv" in path for path in own) and any("libffi" in path for path in own), mapped
assert not outside, outside

# The tag names the oldest glibc, and no symbol inside wants a newer one.
tag = re.search(r"-cp311-abi3-manylinux_2_(\d+)_(\w+)\.whl$", wheel.name)
assert tag, wheel.name
assert tag[2] == platform.machine()
assert int(platform.libc_ver()[1].split(".")[1]) >= int(tag[1])
with zipfile.ZipFile(wheel) as archive:
    names = archive.namelist()
    licences = {Path(name).name for name in names if "/licences/" in name}
    assert licences >= {"Belay", "Swift"}, licences
    objects = [name for name in names if re.search(r"\.so(\.|$)", name)]
    newest = max(
        int(minor)
        for name in objects
        for minor in re.findall(rb"GLIBC_2\.(\d+)(?:\.\d+)?\0", archive.read(name))
    )
    assert newest == int(tag[1]), (newest, tag[1])
    assert "libbelay/licences/Belay" in names, names
    assert not any(str(root).encode() in archive.read(name) for name in objects)
print(f"{wheel.name}: {len(objects)} libraries, glibc 2.{newest}")
