"""Writes the C source of libbelay._native: build_native.py DECLARATIONS SHIM.h OUT.c"""

import re
import sys
from pathlib import Path

from cffi import FFI

declarations, shim, out = map(Path, sys.argv[1:])
ffi = FFI()
ffi.cdef(declarations.read_text())
# The shim's own header needs no other reader: it has functions only.
ffi.cdef(re.sub(r"/\*.*?\*/|^#.*?$", "", shim.read_text(), flags=re.S | re.M))
ffi.set_source("libbelay._native", '#include "internal.h"\n', py_limited_api=True)
ffi.emit_c_code(str(out))
# A call raises the exception that a callback could not pass on. Where the result may be a
# reference, who takes that over raises it (Handle._own).
code, void = re.subn(
    r"Py_INCREF\(Py_None\);\n  return Py_None;", "return pb_returned(Py_NewRef(Py_None));",
    out.read_text(),
)  # fmt: skip
code, numbers = re.subn(
    r"(pyresult = _cffi_from_c_(?:int|double)\(.*\n(?:  if .*\n)?)  return pyresult;",
    r"\1  return pb_returned(pyresult);", code,
)  # fmt: skip
if not void or not numbers:
    raise SystemExit("cffi writes other code than this script knows")
out.write_text(code)
