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
ffi.set_source("libbelay._native", '#include "shim.h"\n', py_limited_api=True)
ffi.emit_c_code(str(out))
