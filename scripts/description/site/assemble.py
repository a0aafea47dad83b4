"""Which pages the site has, where they stand, and how they are listed."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import Any

from .. import table
from ..reader import Refused
from . import operators, reference, signatures
from .directives import Directives
from .markdown import Pages, expand

_AUTHORED = "docs/site"
# The place of each page that is not written for the site.
_PLACES = {
    "README.md": "index.md",  # its links only
    "docs/glossary.md": "glossary.md",
    "docs/semantics.md": "rules/semantics.md",
    "docs/conventions.md": "rules/conventions.md",
    "docs/checked-builds.md": "tasks/checked-builds.md",
    "docs/tracing.md": "tasks/tracing.md",
    "docs/parity.md": "reference/parity.md",
    "docs/versions.md": "project/versions.md",
    "docs/concurrency.md": "languages/swift/concurrency.md",
    "docs/native-objects.md": "languages/swift/native-objects.md",
    "docs/c-tables.md": "languages/swift/c-tables.md",
    "docs/features.md": "project/features.md",
    "docs/architecture.md": "project/architecture.md",
    "CONTRIBUTING.md": "project/contributing.md",
    "CHANGELOG.md": "project/changelog.md",
    "SECURITY.md": "project/security.md",
    "Examples/README.md": "examples/index.md",
    "Examples/polyglot/README.md": "examples/polyglot.md",
    "Benchmarks/README.md": "project/benchmarks.md",
}
_TITLES = {
    "index.md": "Belay", "install.md": "Install", "tutorial.md": "Tutorial", "operators/index.md": "All operators",
    "notation.md": "Notation", "tasks/index.md": "Tasks", "coming-from/index.md": "Overview",
    "rules/semantics.md": "Rule book", "rules/conventions.md": "Conventions of the C API",
    "reference/parity.md": "In each language", "project/security.md": "Security",
    "languages/cpp/index.md": "C++", "languages/swift/index.md": "Swift",
    "languages/python/index.md": "Python", "languages/rust/index.md": "Rust", "languages/node/index.md": "Node",
}  # fmt: skip
_SUFFIXES = (".svg", ".css", ".js", ".png")


def places(root: Path) -> dict[str, str]:
    made = {page: place for page, place in _PLACES.items() if (root / page).exists()}
    for file in sorted((root / _AUTHORED).rglob("*.md")):
        path = str(file.relative_to(root))
        made[path] = path.removeprefix(_AUTHORED + "/")
    for file in sorted((root / "docs/operators").rglob("*.md")):
        path = str(file.relative_to(root))
        made[path] = path.removeprefix("docs/")
    for file in sorted((root / "bindings").glob("*/README.md")):
        made[f"bindings/{file.parent.name}/README.md"] = f"languages/{file.parent.name}/index.md"
    for file in sorted((root / "bindings").glob("*/docs/*.md")):
        made[str(file.relative_to(root))] = f"languages/{file.parts[-3]}/{file.name}"
    # Pictures keep their places beside their pages.
    for file in sorted((root / "docs").rglob("*")):
        if file.suffix in _SUFFIXES:
            path = str(file.relative_to(root))
            made[path] = path.removeprefix(_AUTHORED + "/").removeprefix("docs/")
    return made


def write(root: Path, api: dict[str, Any], out: Path) -> None:
    """The pages and their configuration, in the folder `out`, which it replaces."""
    where = places(root)
    pages = Pages(root, where, reference.places(api))
    languages = signatures.names(root)
    made = operators.generate(root, api, languages)
    _check_codes(root, api)
    directives = Directives(root, api)
    shutil.rmtree(out, ignore_errors=True)
    for source, place in where.items():
        target = out / "pages" / place
        target.parent.mkdir(parents=True, exist_ok=True)
        if Path(source).suffix in _SUFFIXES:
            shutil.copyfile(root / source, target)
        elif source != "README.md":
            text = made.get(source) or (root / source).read_text()
            if source.startswith(_AUTHORED):
                text = expand(text, directives.by_name(source), source)
            target.write_text(pages.convert(source, text))
    for place, text in reference.generate(api, languages).items():
        where[place] = place
        target = out / "pages" / place
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(pages.convert(place, text))
    configuration = (root / _AUTHORED / "mkdocs.yml").read_text()
    (out / "mkdocs.yml").write_text(configuration + _navigation(out / "pages", configuration))


def link_modules(out: Path, first: str) -> None:
    """Links the page on Swift to the pages that DocC has made."""
    page = out / "pages/languages/swift/index.md"
    link = f"**[Reference of the Swift modules]({first})**, which has to come from a server."
    head, _, rest = page.read_text().partition("\n\n")
    page.write_text(f"{head}\n\n{link}\n\n{rest}")


def _check_codes(root: Path, api: dict[str, Any]) -> None:
    """Every code that a call can answer has a section."""
    text = (root / _AUTHORED / "troubleshooting.md").read_text()
    sections = set(re.findall(r"^## (\w+)$", text, flags=re.M))
    codes = {
        item["name"]
        for item in api["items"]
        if item["header"] == "error.h" and item["kind"] == "constant"
    }
    missing = {code.removeprefix("BELAY_") for code in codes} - sections - {"OK"}
    if missing:
        raise Refused(f"docs/site/troubleshooting.md has no section {' '.join(sorted(missing))}")


def _navigation(pages: Path, configuration: str) -> str:
    """Every page in its group. A page that stands in none is refused, so that none is unreachable."""
    listed: list[str] = []

    def line(place: str, depth: int) -> str:
        listed.append(place)
        text = (pages / place).read_text()
        title = _TITLES.get(place) or next(
            each[2:] for each in text.split("\n") if each.startswith("# ")
        )
        return f'{"  " * depth}- "{title}": {place}\n'

    def group(title: str, depth: int, *entries: str) -> str:
        return f"{'  ' * depth}- {title}:\n" + "".join(entries)

    def folder(path: str, depth: int) -> str:
        found = sorted(
            (pages / path).glob("*.md"), key=lambda file: (file.name != "index.md", file.name)
        )
        return "".join(line(str(file.relative_to(pages)), depth) for file in found)

    families = "".join(
        group(family.capitalize(), 2, folder(f"operators/{family}", 3))
        for family in table.FAMILIES
        if (pages / "operators" / family).is_dir()
    )
    languages = [each for each in ("cpp", "swift", "python", "rust", "node")]
    out = "\nnav:\n"
    out += "".join(
        line(each, 1) for each in ("index.md", "install.md", "concepts.md", "tutorial.md")
    )
    out += group("Tasks", 1, folder("tasks", 2))
    out += group("Operators", 1, line("operators/index.md", 2), line("notation.md", 2), families,
                 group("Chains", 2, folder("operators/chains", 3)),
                 line("operators/subscribe.md", 2))  # fmt: skip
    titles = {"cpp": "C++", "node": "Node"}
    out += group("Languages", 1, *(group(titles.get(each, each.capitalize()), 2, folder(f"languages/{each}", 3))
                                   for each in languages))  # fmt: skip
    out += group("Coming from", 1, folder("coming-from", 2))
    out += group("Reference", 1, folder("reference", 2))
    out += group(
        "Rules", 1, line("troubleshooting.md", 2), line("glossary.md", 2), folder("rules", 2)
    )
    out += group("Project", 1, folder("project", 2), group("Examples", 2, folder("examples", 3)))
    every = {str(file.relative_to(pages)) for file in pages.rglob("*.md")}
    if missing := sorted(every - set(listed)):
        raise Refused(f"pages that stand in no group of the site: {' '.join(missing)}")
    return out
