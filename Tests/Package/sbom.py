"""The bill of materials fits the archive, file by file, and is what SPDX 2.3 asks for.

usage: sbom.py DOCUMENT ARCHIVE
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
import tarfile
from pathlib import Path


def check(document: Path, archive: Path) -> None:
    bill = json.loads(document.read_text())
    assert bill["spdxVersion"] == "SPDX-2.3" and bill["dataLicense"] == "CC0-1.0"
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", bill["creationInfo"]["created"])
    packages = {each["name"]: each for each in bill["packages"]}
    assert packages.keys() == {"belay", "swift-embedded-runtime", "libuv", "libffi"}
    belay = packages["belay"]
    sums = {each["algorithm"]: each["checksumValue"] for each in belay["checksums"]}
    assert sums["SHA256"] == hashlib.sha256(archive.read_bytes()).hexdigest()

    listed = {each["fileName"]: each for each in bill["files"]}
    with tarfile.open(archive) as tar:
        members = [each for each in tar if each.isfile()]
        assert len(members) == len(listed) == len(bill["files"]), (len(members), len(listed))
        for member in members:
            found = {
                each["algorithm"]: each["checksumValue"]
                for each in listed["./" + member.name.partition("/")[2]]["checksums"]
            }
            stream = tar.extractfile(member)
            assert stream is not None
            assert found["SHA256"] == hashlib.sha256(stream.read()).hexdigest(), member.name
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


if __name__ == "__main__":
    check(Path(sys.argv[1]), Path(sys.argv[2]))
