"""What stands between {{ and }} in the pages of docs/site: pieces of files that the tests compile and run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ..reader import Refused
from . import reference
from .elsewhere import Names
from .markdown import Directive, blocks, moved, section

_LANGUAGES = {
    "c": "c",
    "h": "c",
    "cpp": "cpp",
    "swift": "swift",
    "py": "python",
    "rs": "rust",
    "js": "js",
    "txt": "text",
}


class Directives:
    def __init__(self, root: Path, api: dict[str, Any]) -> None:
        self.root, self.api, self.names = root, api, Names(root)

    def by_name(self, source: str) -> dict[str, Directive]:
        def section_of(words: list[str]) -> str:
            """section PAGE TITLE: what stands there."""
            text = section(self._read(words[0]), " ".join(words[1:]))
            return moved(text, words[0], source)

        return {
            "code": self._code,
            "block": self._block,
            "section": section_of,
            "names": lambda words: self.names.listed(words[0]),
            "answering": self._answering,
        }

    def _read(self, path: str) -> str:
        if not (self.root / path).is_file():
            raise Refused(f"there is no {path}")
        return (self.root / path).read_text()

    def _code(self, words: list[str]) -> str:
        """code FILE [from TEXT to TEXT]: the lines from one that begins so to one that begins so."""
        path, *rest = words
        lines = self._read(path).rstrip("\n").split("\n")
        if rest:
            options = dict(zip(rest[::2], rest[1::2], strict=True))
            first = _find(lines, options["from"], 0, path)
            last = _find(lines, options["to"], first, path) if "to" in options else len(lines) - 1
            lines = lines[first : last + 1]
            while not lines[-1]:
                lines.pop()
        language = _LANGUAGES[path.rsplit(".", 1)[-1]]
        title = "" if language == "text" else f' title="{path}"'
        return f"```{language}{title}\n" + "\n".join(lines) + "\n```"

    def _block(self, words: list[str]) -> str:
        """block PAGE LANGUAGE NUMBER: a block of another page."""
        path, language, number = words
        found = [text for kind, text in blocks(self._read(path)) if kind == language]
        if len(found) < int(number):
            raise Refused(f"{path} has {len(found)} blocks of {language}")
        text = found[int(number) - 1]
        if language == "rust":
            text = "".join(f"{line}\n" for line in text.splitlines() if not line.startswith("# "))
        return f"```{language}\n{text}```"

    def _answering(self, words: list[str]) -> str:
        names = reference.answering(self.api, words[0])
        if not names:
            return "No function of the reference names it."
        return "Named by " + ", ".join(f"`{name}`" for name in names) + "."


def _find(lines: list[str], text: str, start: int, path: str) -> int:
    for number in range(start, len(lines)):
        if lines[number].startswith(text):
            return number
    raise Refused(f"{path} has no line that begins with {text!r}")
