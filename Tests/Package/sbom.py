"""The bill of materials fits the archive, file by file, and is what SPDX 2.3 asks for.

usage: sbom.py DOCUMENT ARCHIVE, which is a source release, a wheel, npm's package, a Debian package or a crate
"""

from __future__ import annotations

import hashlib
import io
import json
import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path


def contents(archive: Path) -> dict[str, bytes]:
    """The files by the names that the bill has."""
    if archive.suffix == ".whl":
        with zipfile.ZipFile(archive) as wheel:
            return {f"./{each.filename}": wheel.read(each) for each in wheel.infolist() if not each.is_dir()}
    made = {}
    data = archive.read_bytes()
    is_debian = archive.suffix == ".deb"
    if is_debian:
        data = subprocess.run(["dpkg-deb", "--fsys-tarfile", archive], capture_output=True, check=True).stdout
    with tarfile.open(fileobj=io.BytesIO(data)) as tar:
        for member in tar:
            if member.isfile():
                stream = tar.extractfile(member)
                assert stream is not None
                # The others have one folder, with all in it.
                name = member.name.removeprefix("./") if is_debian else member.name.partition("/")[2]
                made["./" + name] = stream.read()
    return made


def check(document: Path, archive: Path) -> None:
    bill = json.loads(document.read_text())
    assert bill["spdxVersion"] == "SPDX-2.3" and bill["dataLicense"] == "CC0-1.0"
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", bill["creationInfo"]["created"])
    packages = {each["name"]: each for each in bill["packages"]}
    # What is inside, what is needed, and a binary, of a crate a source.
    swift = "swift-embedded-runtime"
    inside, outside, binary = {
        ".xz": ({swift}, {"libuv", "libffi"}, None),
        ".whl": ({swift, "libuv", "libffi"}, {"cffi"}, "./libbelay/_native.abi3.so"),
        ".tgz": ({swift, "libffi"}, {"node"}, "./prebuilds/linux-x64/libbelay.node"),
        ".crate": (set(), {"libbelay"} if archive.name.startswith("belay-sys") else {"belay-sys"}, "./src/lib.rs"),
        ".deb": (set() if "-glib" in archive.name else {swift}, None, None),
    }[archive.suffix]
    title = re.split(r"_" if archive.suffix == ".deb" else r"-(?=\d)", archive.name)[0]
    belay = packages[title]
    needed = packages.keys() - {title, *inside}
    if outside is None:
        wanted = subprocess.run(["dpkg-deb", "-f", archive, "Depends"], capture_output=True, text=True, check=True)
        outside = {re.split(r"[ :]", each)[0] for each in wanted.stdout.strip().split(", ")}
    assert needed == outside and inside <= packages.keys(), packages.keys()
    sums = {each["algorithm"]: each["checksumValue"] for each in belay["checksums"]}
    assert sums["SHA256"] == hashlib.sha256(archive.read_bytes()).hexdigest()

    listed = {each["fileName"]: each for each in bill["files"]}
    found = contents(archive)
    assert found.keys() == listed.keys() and len(listed) == len(bill["files"]), found.keys() ^ listed.keys()
    for name, data in found.items():
        sums = {each["algorithm"]: each["checksumValue"] for each in listed[name]["checksums"]}
        assert sums["SHA256"] == hashlib.sha256(data).hexdigest(), name
    every = sorted(each["checksums"][0]["checksumValue"] for each in bill["files"])
    code = belay["packageVerificationCode"]["packageVerificationCodeValue"]
    assert code == hashlib.sha1("".join(every).encode()).hexdigest()

    names = [each["SPDXID"] for each in [bill, *bill["packages"], *bill["files"]]]
    assert len(names) == len(set(names))
    assert all(re.fullmatch(r"SPDXRef-[A-Za-z0-9.-]+", name) for name in names)
    for each in bill["relationships"]:
        assert {each["spdxElementId"], each["relatedSpdxElement"]} <= set(names), each
    contained = {
        each["relatedSpdxElement"] for each in bill["relationships"] if each["relationshipType"] == "CONTAINS"
    }  # fmt: skip
    assert {each["SPDXID"] for each in bill["files"]} <= contained
    assert {name for name, each in packages.items() if each["SPDXID"] in contained} == inside
    assert all(re.match(r"\d", packages[name]["versionInfo"]) for name in inside)
    binaries = [each["fileName"] for each in bill["files"] if each["fileTypes"] == ["BINARY"]]
    if archive.suffix == ".crate":
        binaries = [each["fileName"] for each in bill["files"] if each["fileTypes"] == ["SOURCE"]]
    assert binary is None or binary in binaries, binaries
    # A wheel brings its libraries along.
    assert archive.suffix != ".whl" or len(binaries) == 3, binaries


if __name__ == "__main__":
    check(Path(sys.argv[1]), Path(sys.argv[2]))
