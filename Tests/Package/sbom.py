"""The bill of materials fits the archive, file by file, and is what SPDX 2.3 asks for.

usage: sbom.py DOCUMENT ARCHIVE, which is a source release or a wheel
"""

from __future__ import annotations

import hashlib
import json
import re
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
    with tarfile.open(archive) as tar:
        for member in tar:
            if member.isfile():
                stream = tar.extractfile(member)
                assert stream is not None
                made["./" + member.name.partition("/")[2]] = stream.read()
    return made


def check(document: Path, archive: Path) -> None:
    bill = json.loads(document.read_text())
    assert bill["spdxVersion"] == "SPDX-2.3" and bill["dataLicense"] == "CC0-1.0"
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", bill["creationInfo"]["created"])
    packages = {each["name"]: each for each in bill["packages"]}
    is_wheel = archive.suffix == ".whl"
    others = {"swift-embedded-runtime", "libuv", "libffi", *(["cffi"] if is_wheel else [])}
    title = "libbelay" if is_wheel else "belay"
    assert packages.keys() == {title, *others}, packages.keys()
    belay = packages[title]
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
    # A wheel brings its libraries along.
    inside = {name for name, each in packages.items() if each["SPDXID"] in contained}
    assert inside == (others - {"cffi"} if is_wheel else {"swift-embedded-runtime"}), inside
    if is_wheel:
        binaries = [each["fileName"] for each in bill["files"] if each["fileTypes"] == ["BINARY"]]
        assert len(binaries) == 3 and "./libbelay/_native.abi3.so" in binaries, binaries
        assert all(re.match(r"\d", packages[name]["versionInfo"]) for name in ("libuv", "libffi"))


if __name__ == "__main__":
    check(Path(sys.argv[1]), Path(sys.argv[2]))
