"""Writes the C source of libbelay._native: build_native.py DECLARATIONS OUT.c"""

import sys
from pathlib import Path

from cffi import FFI

declarations, out = map(Path, sys.argv[1:])
ffi = FFI()
ffi.cdef(declarations.read_text())
ffi.set_source("libbelay._native", '#include "shim.h"\n', py_limited_api=True)
ffi.emit_c_code(str(out))
