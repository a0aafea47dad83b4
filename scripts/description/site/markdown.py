"""Pages of the repository as pages of the site: links, names of C, blocks of code."""

from __future__ import annotations

import os
import re
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path

from ..reader import Refused

_FENCE = re.compile(r"^( *)```[^\n]*\n.*?^\1```[ \t]*$", re.S | re.M)
_LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\(([^()\s]+)\)|`[^`]+`|^#+ .*$", re.M)
# Code of a header's comment calls Belay. Columns may name a function, as `belay_owner_is_dying()`.
_CALL = re.compile(r"\b(?:belay|BELAY)_\w+\([^)]")
_NAME = re.compile(r"^`((?:belay|BELAY)_\w+)(?:\(\))?`$")


class Pages:
    """Where each page of the repository stands on the site, and where each name of C is described."""

    def __init__(self, root: Path, places: dict[str, str], names: dict[str, str]) -> None:
        self.root, self.places, self.names = root, places, names

    def convert(self, source: str, text: str) -> str:
        """The text of the page `source` as it stands on the site."""
        made, end = "", 0
        for fence in _FENCE.finditer(text):
            made += self._prose(source, text[end : fence.start()]) + _block(fence[0])
            end = fence.end()
        return made + self._prose(source, text[end:])

    def _prose(self, source: str, text: str) -> str:
        return _LINK.sub(lambda found: self._linked(source, found), text)

    def _linked(self, source: str, found: re.Match[str]) -> str:
        here = self.places[source]
        if found[0].startswith("#"):
            return found[0]
        if found[0].startswith("`"):
            name = _NAME.match(found[0])
            place = name and self.names.get(name[1])
            return f"[{found[0]}]({relative(here, place)})" if place else found[0]
        target, _, anchor = found[3].partition("#")
        if re.match(r"https?:", target):
            return found[0]
        if "::" in target or not target and "::" in anchor:  # rustdoc's
            return found[2]
        if not target or here == source:  # A page that is made for the site links to others there.
            return found[0]
        path = os.path.normpath(os.path.join(os.path.dirname(source), target))
        if not (self.root / path).exists():
            raise Refused(f"{source} links to {target}, which does not exist")
        for each in (path, f"{path}/README.md", f"{path}/index.md"):
            if each in self.places:
                anchor = anchor and "#" + anchor
                return f"{found[1]}[{found[2]}]({relative(here, self.places[each])}{anchor})"
        # A file of the sources is not on the site.
        return found[2]


def relative(here: str, there: str) -> str:
    page, _, anchor = there.partition("#")
    path = os.path.relpath(page, os.path.dirname(here) or ".")
    return path + (f"#{anchor}" if anchor else "")


def _block(fence: str) -> str:
    """A block in the words of the site's highlighter, without the lines that rustdoc hides."""
    head, _, body = fence.partition("\n")
    language = head.strip().removeprefix("```")
    if language == "python" and body.lstrip().startswith(">>>"):
        language = "pycon"
    elif language in ("rust", "compile", "compile_fail", "ignore"):
        language, body = "rust", re.sub(r"^# ?.*\n", "", body, flags=re.M)
    return f"{head[: head.index('`')]}```{language or 'text'}\n{body}"


def blocks(text: str) -> Iterator[tuple[str, str]]:
    """The language and the content of each block."""
    for fence in _FENCE.finditer(text):
        head, _, body = fence[0].partition("\n")
        yield head.strip().removeprefix("```"), body.rpartition("\n")[0] + "\n"


def section(text: str, title: str) -> str:
    """What stands under a heading, without the heading."""
    found = re.search(rf"^(#+) {re.escape(title)}\n(.*?)(?=^#{{1,6}} |\Z)", text, flags=re.S | re.M)
    if not found:
        raise Refused(f"no section {title!r}")
    return found[2].strip("\n") + "\n"


def moved(text: str, page: str, to: str) -> str:
    """The text of `page` with links that lead from `to` to the same places."""

    def link(found: re.Match[str]) -> str:
        if not found[3] or re.match(r"https?:|#", found[3]):
            return found[0]
        target = os.path.join(os.path.dirname(page), found[3])
        return f"{found[1]}[{found[2]}]({os.path.relpath(target, os.path.dirname(to) or '.')})"

    return _LINK.sub(link, text)


def escaped(comment: str) -> str:
    """A comment of a header as Markdown: its stars and angles are plain; indented lines are code, or a table."""
    made = []
    for kind, text in parts(comment):
        made.append(_plain(text) if kind == "prose" else f"```{kind}\n{text}\n```")
    return "\n\n".join(made)


def parts(comment: str) -> Iterator[tuple[str, str]]:
    """The paragraphs of a header's comment: "prose", "text" that stands in columns, or "c"."""
    for paragraph in re.split(r"\n\s*\n", comment):
        for run in re.findall(r"(?:^ {2,}\S.*\n?)+|(?:^(?! {2,}\S).*\n?)+", paragraph, flags=re.M):
            if not run.strip():
                continue
            if not run.startswith("  "):
                yield "prose", run.rstrip("\n")
            else:
                kind = "c" if _CALL.search(run) else "text"
                yield kind, textwrap.dedent(run).rstrip("\n")


def _plain(text: str) -> str:
    def outside(found: re.Match[str]) -> str:
        if found[0].startswith("`"):
            return found[0]
        return {"*": r"\*", "<": "&lt;", "[": r"\[", "]": r"\]"}[found[0]]

    text = re.sub(r"`[^`]+`|[*<\[\]]", outside, text)
    # A name of C that stands in running text is code, too.
    parts = re.split(r"(`[^`]+`)", text)
    name = re.compile(r"\b(?:belay|BELAY)_\w+(?:\(\))?")
    parts[::2] = [name.sub(lambda found: f"`{found[0]}`", part) for part in parts[::2]]
    text = "".join(parts)
    # A line that begins with a number or a dash makes no list.
    return re.sub(r"^(\d+)([.)]) ", r"\1\\\2 ", text, flags=re.M)


Directive = Callable[[list[str]], str]


def expand(text: str, directives: dict[str, Directive], source: str) -> str:
    """Replaces each line `{{ name "word" … }}`, which may be indented."""

    def made(found: re.Match[str]) -> str:
        words = [a or b for a, b in re.findall(r'"([^"]*)"|(\S+)', found[2])]
        if words[0] not in directives:
            raise Refused(f"{source}: no directive {words[0]}")
        try:
            text = directives[words[0]](words[1:])
        except Refused as refused:
            raise Refused(f"{source}: {refused}") from refused
        return re.sub(r"^(?=.)", found[1], text.rstrip("\n"), flags=re.M)

    return re.sub(r"^( *)\{\{ (.*) \}\}$", made, text, flags=re.M)
