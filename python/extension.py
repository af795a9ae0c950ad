#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Write the C source of an extension module: `extension.py MODULE OUT CC FOLDERS HEADER...`."""
import sys
from pathlib import Path

import cffi
from declarations import declarations


def main() -> None:
    module, out, compiler, folders, headers = sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4], sys.argv[5:]
    maker = cffi.FFI()
    maker.cdef(declarations(compiler.split(), [Path(f) for f in folders.split(':')], headers))
    maker.set_source(module, ''.join(f'#include <{header}>\n' for header in headers))
    maker.emit_c_code(out)


if __name__ == '__main__':
    main()
