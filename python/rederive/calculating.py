# SPDX-License-Identifier: Apache-2.0
"""The calculations in a text, and whether they are right."""
from __future__ import annotations

from typing import Any, Literal, NamedTuple

from rederive._core import ffi, lib
from rederive.errors import error_of
from rederive.records import free_arena


class Calculation(NamedTuple):
    """One claimed equality, such as "12 * 48 = 586"."""

    kind: Literal['right', 'rounded', 'wrong', 'undecided']
    """"wrong": both sides are known and differ; "rounded": right to the digits shown. What a chain corrects in a later step,
    "self_corrected", and what its reply uses nothing of, "unused", only records of check() have."""
    begin: int
    """Where it begins in the text, as an index of the str."""
    end: int
    """The index after its end: text[begin:end] is the equality with both sides."""
    left: str
    """The left side as written."""
    right: str
    """The right side as written."""
    value: str | None
    """Of "wrong" and "rounded": what the left side really is, exactly ("10/3")."""
    note: str | None
    """Why it is undecided, or how it was read; None: there is nothing to add."""
    rule: str | None = None
    """Undecided by a rule of language: its id, as `rederive rules` lists it; None: there is none."""


def _str(text: Any) -> str | None:
    return bytes(ffi.buffer(text.p, text.len)).decode('utf-8', 'replace') if text.p else None


def calculations(text: str, question: str | None = None) -> list[Calculation]:
    """The calculations that can be read in `text`, in its order, each decided by exact arithmetic.

    Args:
        text: one step, or a whole solution.
        question: whose numbers and letters the text may use.

    Raises:
        Error: the text has more than half a million calculations.

    A text that looks like a calculation and is not listed was not read: nothing is known about it.
    Source: rdv_calculator_step() of rederive/math.h.

    >>> [c] = calculations('There are 12 * 48 = 586 in all.')
    >>> c.kind, c.value
    ('wrong', '576')
    """
    step = text.encode('utf-8', 'surrogatepass')
    asked = b'' if question is None else question.encode('utf-8', 'surrogatepass')
    kept = ffi.new('char[]', step), ffi.new('char[]', asked)
    arena = ffi.gc(lib.rdv_arena_new(0), free_arena)
    if not arena:
        raise MemoryError
    calculator = ffi.new('rdv_calculator **')
    calculator[0] = lib.rdv_calculator_new(arena, (kept[1] if question is not None else ffi.NULL, len(asked)))
    if not calculator[0]:
        raise MemoryError
    found, n, error = ffi.new('rdv_calc **'), ffi.new('size_t *'), ffi.new('rdv_error *')
    try:
        lib.binding_thread_begin()
        code = lib.rdv_calculator_step(calculator[0], (kept[0], len(step)), found, n, error)
        if code != 0:
            raise error_of(code, ffi.string(error.msg).decode('utf-8', 'replace'))
        return _all(found[0], n[0], step)
    finally:
        lib.rdv_calculator_free(calculator)


def _all(found: Any, n: int, step: bytes) -> list[Calculation]:
    index = _indices(step, sorted({at for i in range(n) for at in (found[i].begin, found[i].end)}))
    return [_calculation(found[i], index) for i in range(n)]


def _indices(step: bytes, places: list[int]) -> dict[int, int]:
    """The places of bytes, which rise, as indices of the str."""
    index: dict[int, int] = {}
    before = count = 0
    for at in places:
        count += len(step[before:at].decode('utf-8', 'surrogatepass'))
        index[at], before = count, at
    return index


def _calculation(calc: Any, index: dict[int, int]) -> Calculation:
    kind = ffi.string(lib.rdv_calc_name(calc.kind)).decode()
    return Calculation(kind, index[calc.begin], index[calc.end], _str(calc.lhs) or '', _str(calc.rhs) or '',
                       _str(calc.value), _str(calc.note), _str(calc.rule))
