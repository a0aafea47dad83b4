"""The comments of a header: which belongs to which declaration, and what it says.

clang's own comment nodes lose the lines of a comment and read `\\` and `@` in it as commands. Clang
says where a declaration is; the text is taken from the file.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

_COMMENT = re.compile(r'/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.S)


def inner(comment: str) -> str:
    """The text of a comment, without its marks, common indentation and stars of its lines."""
    lines = comment[2:-2].strip().split("\n")
    rest = [line for line in lines[1:] if line.strip()]
    if rest and all(line.lstrip().startswith("*") for line in rest):
        lines[1:] = [re.sub(r"^\s*\* ?", "", line) for line in lines[1:]]
    else:
        margin = min((len(line) - len(line.lstrip()) for line in rest), default=0)
        lines[1:] = [line[margin:] for line in lines[1:]]
    return "\n".join(line.rstrip() for line in lines).strip()


@dataclass
class Source:
    """A header's text, with the places of its comments."""

    path: Path
    text: str = ""
    comments: list[tuple[int, int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        # clang counts bytes.
        self.text = self.path.read_bytes().decode("latin-1")
        found = _COMMENT.finditer(self.text)
        self.comments = [each.span() for each in found if each[0].startswith("/*")]

    def said(self, span: tuple[int, int]) -> str:
        """The text of the comment at `span`."""
        return inner(self.text[span[0] : span[1]].encode("latin-1").decode("utf-8"))

    def line_begin(self, at: int) -> int:
        return self.text.rfind("\n", 0, at) + 1

    def line(self, at: int) -> int:
        return self.text.count("\n", 0, at) + 1

    def above(self, at: int) -> tuple[int, int] | None:
        """The comment that ends right above the line of `at`, without an empty line between."""
        begin = self.line_begin(at)
        for span in reversed(self.comments):
            if span[1] <= begin:
                is_alone = not self.text[self.line_begin(span[0]) : span[0]].strip()
                is_next = self.text[span[1] : begin].strip(" ") == "\n"
                return span if is_next and is_alone else None
        return None

    def behind(self, at: int) -> tuple[int, int] | None:
        """The comment that begins behind `at`, on its line."""
        end = self.text.find("\n", at)
        for span in self.comments:
            if at <= span[0] < end and not re.search(r"[^\s,;]", self.text[at : span[0]]):
                return span
        return None

    def condition(self, at: int) -> int | None:
        """Where the #if begins that `at` is in; the header's guard does not count."""
        open_at: list[int] = []
        for found in re.finditer(r"^#\s*(if|endif)[^\n]*", self.text[:at], flags=re.M):
            if found[1] == "if":
                open_at.append(found.start())
            else:
                open_at.pop()
        return open_at[1] if len(open_at) > 1 else None

    def opening(self) -> str:
        """The comment that the header begins with."""
        if self.comments and not self.text[: self.comments[0][0]].strip():
            return self.said(self.comments[0])
        return ""

    def section(self, at: int) -> str:
        """The heading, `---- text ----`, that stands above `at`."""
        heading = ""
        for span in self.comments:
            if span[1] > at:
                break
            if self.text[span[0] : span[1]].startswith("/* ----"):
                heading = self.said(span)
        return re.sub(r"\s+", " ", re.sub(r"-{4}", "", heading)).strip()
