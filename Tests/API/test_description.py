"""What scripts/api reads in headers; and the generated files that are committed are its own."""

import copy
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path
from typing import Any

from description import ownership, schema
from description.reader import Reader, Refused
from run import ROOT

HEADER = """/* What this header is about. */
#ifndef BELAY_BELAY_H
#define BELAY_BELAY_H

#include "base.h"

/* ---- numbers ---- */

#define BELAY_EODD (-20000) /* it is odd,
                               and so refused */
/* About both. */
#define BELAY_ONE 1u
#define BELAY_MOST ((size_t)-1)
/* Two things. */
#define BELAY_BOTH(a, b) ((a), (b))

/* As many as there are. */
#ifdef __cplusplus
#define BELAY_ALL(a) ((a))
#else
#define BELAY_ALL(...) (__VA_ARGS__)
#endif
/* All of them, like a function. */
#define belay_each(first, ...) BELAY_ALL(first, __VA_ARGS__)

/* Large. */
#define BELAY_LARGE UINT64_C(5000000000)
#define BELAY_EVERY ~0u
#define BELAY_WIDTH sizeof(int)
#define BELAY_NAME_ "private"
#define BELAY_NAME "a " BELAY_NAME_

/* What it may be. */
typedef enum belay_event {
  BELAY_EVENT_FIRST = 3, /* the first */
  /* The other. */
  BELAY_EVENT_SECOND
} belay_event;

/* ---- functions ---- */

/* Asks for
     an indented thing. */
typedef int (*belay_ask_fn)(void *ctx, const belay_value *values, size_t);
typedef belay_signal *(*belay_make_fn)(void *ctx, BELAY_TAKES belay_signal *source,
                                       belay_signal *other);

typedef struct belay_asked {
  size_t size;
  int (*next)(void *ctx, belay_value value); /* `value` is lent */
  /* Both. */
  const char *label, *site;
} belay_asked;

BELAY_EXPORT int belay_ask(belay_signal *signal, belay_ask_fn ask, void *ctx,
                           belay_free_fn ctx_free);
/* Makes it. */
BELAY_EXPORT belay_signal *belay_op_ask(belay_signal *const *signals, BELAY_BORROWS belay_op *op);
BELAY_EXPORT belay_signal *belay_op_answer(void);

/* Has nothing to do with what follows. */

BELAY_EXPORT BELAY_BORROWS belay_signal *belay_asks(BELAY_TAKES belay_signal *signal);
static inline int belay_is_asked(belay_value v) { return v.tag_ != 0; }
static inline int belay_private_(void) { return 0; }

#endif
"""
BASE = """/* The base. */
#ifndef BELAY_BASE_H
#define BELAY_BASE_H
#include <stddef.h>
#include <stdint.h>
#define BELAY_EXPORT __attribute__((visibility("default")))
#define BELAY_VERSION_MAJOR 1
#define BELAY_VERSION_MINOR 2
#define BELAY_VERSION_PATCH 3
typedef struct belay_signal belay_signal;
typedef struct belay_op belay_op;
typedef struct belay_value {
  unsigned long tag_;
} belay_value;
typedef void (*belay_free_fn)(void *ctx);
#endif
"""


def read(header: str) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as directory:
        include = Path(directory)
        (include / "belay").mkdir()
        (include / "belay/belay.h").write_text(header)
        (include / "belay/base.h").write_text(BASE)
        (include / "belay/kinds").mkdir()
        (include / "belay/kinds/beside.h").write_text(
            '/* For tests. */\n#include "../base.h"\n\nBELAY_EXPORT int belay_beside(void);\n'
        )
        return Reader(include).read()


ADVICE = "Run: scripts/api write"
MENDING = "Mend what is told here. Then run: scripts/api write"


def told(out: str, errors: str) -> str:
    """What `scripts/api check` has printed, cut, between two lines that say what to do."""
    lines = (errors + out).splitlines()
    cut = lines[:12] + ([f"and {len(lines) - 12} lines more"] if len(lines) > 12 else [])
    advice = MENDING if errors else ADVICE
    return "\n".join([advice, *cut, advice])


class Reading(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.api = read(HEADER)
        cls.items = {item["name"]: item for item in cls.api["items"]}

    def test_headers_come_after_those_that_they_include(self) -> None:
        self.assertEqual(self.api["version"], "1.2.3")
        headers = [(header["name"], header["comment"]) for header in self.api["headers"]]
        self.assertEqual(
            headers,
            [
                ("base.h", "The base."),
                ("belay.h", "What this header is about."),
                ("kinds/beside.h", "For tests."),
            ],
        )

    def test_what_the_umbrella_leaves_out_is_told_apart(self) -> None:
        beside = [header["name"] for header in self.api["headers"] if header["is_beside"]]
        self.assertEqual(beside, ["kinds/beside.h"])
        self.assertEqual(self.items["belay_beside"]["header"], "kinds/beside.h")

    def test_constants_have_a_type_and_a_value(self) -> None:
        def told(name: str) -> tuple[Any, ...]:
            item = self.items[name]
            return item["kind"], item["type"]["name"], item["value"], item["comment"]

        said = "it is odd,\nand so refused"
        self.assertEqual(told("BELAY_EODD"), ("constant", "int", -20000, said))
        self.assertEqual(told("BELAY_ONE"), ("constant", "unsigned int", 1, "About both."))
        self.assertEqual(told("BELAY_MOST"), ("constant", "unsigned long", 2**64 - 1, ""))
        self.assertEqual(self.items["BELAY_MOST"]["with"], "BELAY_ONE")
        self.assertEqual(self.items["BELAY_BOTH"]["kind"], "macro")
        self.assertEqual(self.items["BELAY_BOTH"]["text"], "#define BELAY_BOTH(a, b)")
        self.assertEqual(self.items["BELAY_EODD"]["section"], "numbers")
        self.assertEqual(self.items["BELAY_ALL"]["text"], "#define BELAY_ALL(...)")
        self.assertEqual(self.items["BELAY_ALL"]["comment"], "As many as there are.")
        self.assertEqual(self.items["belay_each"]["text"], "#define belay_each(first, ...)")
        self.assertEqual(self.items["belay_each"]["comment"], "All of them, like a function.")
        self.assertEqual(told("BELAY_LARGE"), ("constant", "unsigned long", 5000000000, "Large."))
        self.assertEqual(told("BELAY_EVERY"), ("constant", "unsigned int", 2**32 - 1, ""))
        self.assertEqual(told("BELAY_WIDTH"), ("constant", "unsigned long", 4, ""))
        self.assertNotIn("BELAY_NAME_", self.items)

    def test_enums_and_structs_have_members_with_comments(self) -> None:
        self.assertEqual(
            self.items["belay_event"]["constants"],
            [
                {"name": "BELAY_EVENT_FIRST", "value": 3, "comment": "the first"},
                {"name": "BELAY_EVENT_SECOND", "value": 4, "comment": "The other."},
            ],
        )
        fields = self.items["belay_asked"]["fields"]
        self.assertEqual([field["name"] for field in fields], ["size", "next", "label", "site"])
        comments = [field["comment"] for field in fields]
        self.assertEqual(comments, ["", "`value` is lent", "Both.", "Both."])
        called = fields[1]["type"]["to"]
        self.assertEqual([each["name"] for each in called["parameters"]], ["ctx", "value"])

    def test_functions_have_their_text_and_comment(self) -> None:
        self.assertEqual(self.items["belay_ask_fn"]["comment"], "Asks for\nan indented thing.")
        names = [each["name"] for each in self.items["belay_ask_fn"]["parameters"]]
        self.assertEqual(names, ["ctx", "values", ""])
        ask = self.items["belay_ask"]
        self.assertEqual(ask["comment"], "")
        self.assertNotIn("with", ask)
        text = "int belay_ask(belay_signal *signal, belay_ask_fn ask, void *ctx,\n"
        self.assertEqual(ask["text"], text + "              belay_free_fn ctx_free);")
        self.assertEqual(self.items["belay_op_answer"]["with"], "belay_op_ask")
        self.assertEqual(self.items["belay_asks"]["comment"], "")
        self.assertEqual(self.items["belay_asks"]["section"], "functions")
        self.assertEqual(self.items["belay_is_asked"]["kind"], "inline")
        self.assertNotIn("belay_private_", self.items)

    def test_ownership_is_the_rule_s_or_the_mark_s(self) -> None:
        def owned(name: str) -> list[str | None]:
            item = self.items[name]
            places = [item["result"], *item["parameters"]]
            return [each.get("ownership") for each in places]

        self.assertEqual(owned("belay_ask"), [None, "borrowed", None, "taken", None])
        self.assertEqual(owned("belay_op_ask"), ["given", "taken", "borrowed"])
        self.assertEqual(owned("belay_asks"), ["borrowed", "taken"])
        self.assertEqual(owned("belay_make_fn"), ["given", None, "taken", "borrowed"])
        self.assertNotIn("BELAY_", self.items["belay_asks"]["text"])
        self.assertNotIn("BELAY_", self.items["belay_make_fn"]["text"])

    def test_what_cannot_be_read_is_refused(self) -> None:
        with self.assertRaisesRegex(Refused, "neither exported nor inline"):
            read(HEADER.replace("BELAY_EXPORT int belay_ask(", "int belay_ask("))
        with self.assertRaisesRegex(Refused, "cannot read"):
            read(HEADER.replace("belay_ask_fn ask", "belay_unknown ask"))

    def test_what_is_not_described_is_refused(self) -> None:
        for declared, expected in {
            "BELAY_EXPORT int belay_any(int count, ...);": r"belay_any: .*not understood: int \(",
            "typedef int (*belay_any_fn)(int count, ...);": "belay_any_fn: .*not understood",
            "BELAY_EXPORT extern int belay_count;": "belay_count is a VarDecl",
            "typedef unsigned belay_id;": "belay_id is another name of unsigned int",
            "typedef struct belay_op belay_step;": "belay_step is another name of struct belay_op",
            "typedef union belay_either { int a; } belay_either;": "belay_either is a union",
            "typedef struct belay_many { int a[3]; } belay_many;": "belay_many: .*not understood",
            "typedef struct belay_bits { int a : 3; } belay_bits;": "belay_bits: a member",
            "typedef struct belay_in { union { int a; }; } belay_in;": "belay_in: a member",
            "typedef struct { int a; } belay_plain;": "without a name",
            "enum { BELAY_ALONE };": "without a name",
            "#define belay_number 1": "the macro belay_number",
            "#define Belay_call(a) (a)": "the macro Belay_call",
            "#define BELAY_MODERN": "the macro BELAY_MODERN",
            "#define BELAY_OLD __attribute__((deprecated))": "cannot read(.|\\n)*BELAY_OLD",
        }.items():
            with self.subTest(declared), self.assertRaisesRegex(Refused, expected):
                read(HEADER + declared + "\n")


class Headers(unittest.TestCase):
    """The public headers of this tree."""

    @classmethod
    def setUpClass(cls) -> None:
        with tempfile.TemporaryDirectory() as directory:
            file = Path(directory) / "api.json"
            run = [sys.executable, str(ROOT / "scripts/api"), "json", str(file)]
            subprocess.run(run, check=True)
            cls.api = json.loads(file.read_text())
        cls.schema = json.loads((ROOT / "scripts/api.schema.json").read_text())

    def test_what_is_written_fits_its_schema(self) -> None:
        self.assertEqual(schema.errors(self.schema, self.api), [])

    def test_the_schema_refuses_what_does_not_fit(self) -> None:
        def refuses(change: Any) -> None:
            changed = copy.deepcopy(self.api)
            change(changed, {item["name"]: item for item in changed["items"]})
            self.assertNotEqual(schema.errors(self.schema, changed), [])

        refuses(lambda api, items: api.pop("version"))
        refuses(lambda api, items: api.update(format=2))
        refuses(lambda api, items: api["headers"].clear())
        refuses(lambda api, items: items["belay_op_map"].pop("since"))
        refuses(lambda api, items: items["belay_op_map"].update(since="next"))
        refuses(lambda api, items: items["belay_op_map"].update(kind="operator"))
        refuses(lambda api, items: items["belay_op_map"].update(extra=1))
        refuses(lambda api, items: items["belay_op_map"].update(name="Belay.map"))
        refuses(lambda api, items: items["belay_op_map"]["result"].update(ownership="taken"))
        refuses(lambda api, items: items["belay_op_map"]["result"]["type"].pop("to"))
        refuses(lambda api, items: items["belay_observer"].pop("fields"))
        refuses(lambda api, items: items["belay_kind"]["constants"][0].update(value="0"))
        refuses(lambda api, items: items["BELAY_EINVAL"].update(line=0))

    def test_what_is_committed_is_what_the_headers_give(self) -> None:
        run = subprocess.run(
            [sys.executable, str(ROOT / "scripts/api"), "check"], capture_output=True, text=True
        )
        if run.returncode != 0 or run.stdout:
            self.fail(told(run.stdout, run.stderr))

    def test_what_differs_is_told_in_a_few_lines(self) -> None:
        paths = "".join(f"file {number}: run scripts/api write\n" for number in range(40))
        lines = told(paths, "").split("\n")
        self.assertEqual((lines[0], lines[-1]), (ADVICE, ADVICE))
        self.assertEqual(lines[-2], "and 28 lines more")
        self.assertEqual(len(lines), 15)
        lines = told("", "scripts/api: it lacks a name\n").split("\n")
        self.assertEqual(lines, [MENDING, "scripts/api: it lacks a name", MENDING])

    def test_every_public_function_says_what_it_does(self) -> None:
        known = {item["name"]: item for item in self.api["items"]}
        silent = [
            item["name"]
            for item in self.api["items"]
            if item["kind"] in ("function", "inline")
            and not known[item.get("with", item["name"])]["comment"]
        ]
        self.assertEqual(silent, [])
        # The comment of a function above does not say what these do.
        sharing = [
            item["name"]
            for item in self.api["items"]
            if item["name"].endswith(("_retain", "_release", "_label")) and "with" in item
        ]
        self.assertEqual(sharing, [])

    def test_a_handle_that_is_lent_is_said_to_be(self) -> None:
        known = {item["name"]: item for item in self.api["items"]}
        for item in self.api["items"]:
            pointee = item.get("result", {}).get("type", {}).get("to", {})
            if item["kind"] != "function" or pointee.get("kind") != "named":
                continue
            # What is said of a callback's arguments is something else.
            if any(each["type"].get("name", "").endswith("_fn") for each in item["parameters"]):
                continue
            said = known[item.get("with", item["name"])]["comment"]
            lent = "orrowed" in said or "Static." in said
            if known.get(pointee["name"], {}).get("kind") == "opaque":
                is_lent = item["result"]["ownership"] == "borrowed"
                self.assertEqual(is_lent, lent, item["text"])

    def test_marks_are_nothing_to_a_compiler(self) -> None:
        text = "#include <belay/belay.h>\n" + "".join(f"{mark}\n" for mark in ownership.MARKS)
        run = subprocess.run(
            ["cc", "-E", "-P", "-I", str(ROOT / "include"), "-"],
            input=text, capture_output=True, text=True, check=True,
        )  # fmt: skip
        self.assertFalse(set(run.stdout.split()) & ownership.MARKS.keys())
