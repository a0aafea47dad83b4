"""Every block of code on every page is tried. Most languages have a test of their own, which reads the pages that are
listed here; this one tries the others: commands, CMake, TOML, a build script.

Environment: SOURCE, PREFIX (an installed Belay), WORK, CC.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import textwrap
import tomllib
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

ROOT = Path(os.environ["SOURCE"])
WORK = Path(os.environ["WORK"]) / "blocks"
PREFIX = Path(os.environ["PREFIX"])

# Without the pages of operators: scripts/operator-pages writes them from what tests run.
PAGES = [
    "*.md", "docs/*.md", "docs/operators/*.md", "docs/site/*.md", "docs/site/*/*.md", "bindings/*/*.md",
    "bindings/*/docs/*.md", "Examples/*.md", "Examples/*/*.md", "Benchmarks/*.md", "packaging/*/*.md",
    "Sources/*/*.docc/*.md",
]  # fmt: skip
# The pages whose blocks of a language another test compiles and runs, and where that test is.
TESTED = {
    "c": ["README.md", "docs/*.md", "docs/operators/*.md", "docs/site/*.md", "docs/site/*/*.md"],  # c_blocks.sh
    "swift": [
        "README.md", "docs/native-objects.md", "docs/c-tables.md", "docs/concurrency.md", "bindings/swift/README.md",
        "Sources/Belay/Belay.docc/*.md",
    ],  # swift_blocks.sh
    "cpp": ["bindings/cpp/README.md"],  # bindings/cpp/tests/readme.sh
    "python": ["bindings/python/README.md", "bindings/python/docs/*.md"],  # test_pages.py
    "js": ["bindings/node/README.md", "bindings/node/docs/tutorial.md"],  # package.test.js
    "rust": ["bindings/rust/README.md"],  # rustdoc: the page is the crate's
    "compile": ["bindings/rust/README.md"],
    "compile_fail": ["bindings/rust/README.md"],
}  # fmt: skip
# The pages with commands that are only parsed here, apart from those that compile a program: why, or what runs them.
PARSED = {
    "CONTRIBUTING.md": "builds of minutes to hours; .ci/run runs most of them",
    "README.md": ".ci/run runs what is made here; the rest installs what the other pages do",
    "docs/checked-builds.md": "a build of its own; scripts/test makes it",
    "docs/tracing.md": "bpftrace needs root and a kernel that lets it; Tests/Package/probes.sh reads the probes",
    "docs/site/install.md": "needs a fresh system: Tests/Package/release.sh, scripts/test-deb, wheel and npm-pack do it",
    "bindings/node/README.md": "scripts/npm-pack installs the package",
    "bindings/python/README.md": "bindings/python/test.sh installs the package so",
    "bindings/rust/README.md": "scripts/crates builds a program of a user's with the library, and with the release",
    "packaging/release/README.md": "a page of the source release; Tests/Package/release.sh does what it says there",
}


def blocks(text: str) -> Iterator[tuple[str, str, bool]]:
    """The language, the content, and whether the block is indented, as in a tab."""
    for found in re.finditer(r"^( *)```([^\n]*)\n(.*?)^\1```[ \t]*$", text, flags=re.S | re.M):
        yield found[2].strip(), textwrap.dedent(found[3]), bool(found[1])


def is_of(page: str, pattern: str) -> bool:
    """As a shell has it, whose star stands for no slash."""
    return page.count("/") == pattern.count("/") and fnmatch(page, pattern)


def run(command: list[str], where: Path, **environment: str) -> str:
    """What a command that fails has printed."""
    done = subprocess.run(
        command, cwd=where, env={**os.environ, **environment}, capture_output=True, text=True
    )  # fmt: skip
    return done.stdout + done.stderr if done.returncode else ""


class Commands:
    """Blocks of commands: they parse, what they name exists, and a program that they compile runs."""

    def __init__(self) -> None:
        self.targets = set(
            re.findall(r"^([a-z0-9-]+):", (ROOT / "Makefile").read_text(), flags=re.M)
        )
        self.targets |= {"-C", "-s"}
        presets = json.loads((ROOT / "CMakePresets.json").read_text())["configurePresets"]
        self.presets = {each["name"] for each in presets if not each.get("hidden")}
        self.folder = WORK / "commands"
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        for example in ("hello/hello.c", "marbles/marbles.c"):
            shutil.copy(ROOT / "Examples" / example, self.folder)
        self.parsed = set[str]()

    def check(self, page: str, text: str) -> Iterator[str]:
        if said := run(["sh", "-n", "-c", text], ROOT):
            yield said
        plain = re.sub(r"#.*", "", text)
        commands = [each for each in plain.splitlines() if each.strip()]
        if page.startswith("packaging/") or not all(each.startswith("cc -o ") for each in commands):
            self.parsed.add(page)
            if page not in PARSED:
                yield "nothing runs this: PARSED in Tests/Docs/blocks.py says why"
        is_here = not page.startswith("packaging/")
        for target in re.findall(r"(?:^|&& )make ([a-z][a-z0-9-]*)", plain, flags=re.M):
            if is_here and target not in self.targets:
                yield f"make has no {target}"
        for preset in re.findall(r"--preset (\S+)", plain):
            if preset not in self.presets:
                yield f"no preset {preset}"
        for path in re.findall(
            r"(?<![\w/.])((?:scripts|Tests|bindings|Examples|Benchmarks)/[\w./-]+)", plain
        ):
            if not (ROOT / path).exists():
                yield f"there is no {path}"
        for line in plain.splitlines():
            if is_here and re.match(r"cc -o ", line):
                yield from self._compile(line)

    def _compile(self, line: str) -> Iterator[str]:
        library = next(PREFIX.rglob("libbelay.so")).parent
        line = re.sub(r"^cc\b", os.environ.get("CC", "cc"), line)
        # pkg-config quotes for a shell.
        line = 'eval "' + line + '"'
        program = re.search(r"-o (\w+)", line)
        settings = {"PKG_CONFIG_PATH": str(library / "pkgconfig"), "LD_LIBRARY_PATH": str(library)}
        said = run(["sh", "-ec", line], self.folder, **settings)
        if said or not program:
            yield said or f"names no program: {line}"
        else:
            name = program[1]
            printed = subprocess.run(
                [self.folder / name], capture_output=True, text=True, env={**os.environ, **settings}
            ).stdout
            if printed != (ROOT / "Examples" / name / "expected.txt").read_text():
                yield f"{name} prints something else than its expected.txt"


def check_cmake(number: int, text: str) -> Iterator[str]:
    """A project with this block builds the first program."""
    target = re.search(r"target_link_libraries\((\w+) ", text)
    if not target:
        yield "links nothing"
        return
    folder = WORK / f"cmake-{number}"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    suffix = "cpp" if "belay::cpp" in text else "c"
    (folder / f"app.{suffix}").write_text(
        "#include <belay/belay.h>\nint main() { return belay_version() == 0; }\n"
        if suffix == "c"
        else "#include <belay/belay.hpp>\nint main() { return belay::just(1).get() == nullptr; }\n"
    )
    (folder / "CMakeLists.txt").write_text(
        "cmake_minimum_required(VERSION 3.22)\nproject(app LANGUAGES C CXX)\n"
        f"add_executable({target[1]} app.{suffix})\n{text}"
    )
    library = next(PREFIX.rglob("libbelay.so")).parent
    steps = f'cmake -S . -B build "-DCMAKE_PREFIX_PATH={PREFIX}" && cmake --build build && build/{target[1]}'
    yield run(["sh", "-c", steps], folder, LD_LIBRARY_PATH=str(library))


def check_toml(text: str) -> Iterator[str]:
    """It names crates and features that there are. scripts/crates builds a program of what a release has packed."""
    tables = tomllib.loads(text)
    tables |= tables.pop("patch", {})
    for table in tables.values():
        for dependency in table.values():
            packed = re.fullmatch(r"(\w+(?:-\w+)*)-([\d.]+)", dependency["path"])
            folder = f"bindings/rust/{packed[1]}" if packed else re.sub(r"^\.\.\./", "", dependency["path"])
            path = ROOT / folder / "Cargo.toml"
            if not path.exists():
                yield f"there is no {dependency['path']}"
                continue
            cargo = tomllib.loads(path.read_text())
            if packed and packed[2] != cargo["package"]["version"]:
                yield f"{packed[1]} is {cargo['package']['version']}"
            features = cargo.get("features", {})
            yield from (
                f"no feature {each}"
                for each in dependency.get("features", [])
                if each not in features
            )


def main() -> int:
    commands, count, failed, cmake = Commands(), 0, 0, 0
    for pattern in PAGES:
        for file in sorted(ROOT.glob(pattern)):
            page = str(file.relative_to(ROOT))
            for language, text, is_indented in blocks(file.read_text()):
                count += 1
                if language == "text":
                    continue  # what a program prints, compared where it stands behind one; a drawing
                if language in TESTED and not is_indented:
                    is_read = any(is_of(page, each) for each in TESTED[language])
                    wrong = iter(() if is_read else (f"no test reads the {language} of this page",))
                elif language == "sh":
                    wrong = commands.check(page, text)
                elif language == "cmake":
                    cmake += 1
                    wrong = check_cmake(cmake, text)
                elif language == "toml":
                    wrong = check_toml(text)
                elif language == "ignore":
                    is_used = text == (ROOT / "bindings/rust/consumer/build.rs").read_text()
                    wrong = iter(
                        () if is_used else ("this is not bindings/rust/consumer/build.rs",)
                    )
                else:
                    wrong = iter((f"nothing tries {language or 'a block without a language'}",))
                for each in filter(None, wrong):
                    failed += 1
                    print(f"{page}: {each}\n{textwrap.indent(text, '    ')}")
    for page in PARSED.keys() - commands.parsed:
        failed += 1
        print(f"{page}: PARSED in Tests/Docs/blocks.py names it, and all its commands are run")
    print(f"{count} blocks, {failed} failures")
    return failed > 0 or count < 100


if __name__ == "__main__":
    sys.exit(main())
