# SPDX-License-Identifier: Apache-2.0
"""The methods of checking."""
from __future__ import annotations

from itertools import count
from typing import NamedTuple

from rederive._core import ffi, lib


class Method(NamedTuple):
    """One way to check a chain of steps."""

    name: str
    summary: str
    asks_model: bool
    """It may ask a model; `perplexity` and `math` can do without one."""


def methods() -> list[Method]:
    """All methods; the first is the default of `check`.

    >>> methods()[0].name
    'calculations'
    """
    found: list[Method] = []
    for i in count():
        method = lib.rdv_method_at(i)
        if not method:
            return found
        found.append(Method(ffi.string(method.name).decode(), ffi.string(method.summary).decode(),
                            bool(method.asks_model)))
    return found
