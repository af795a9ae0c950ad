# SPDX-License-Identifier: Apache-2.0
"""What a value of Python or of a table is: a number as a text, or nothing."""
from __future__ import annotations

import numbers
from decimal import Decimal


def number_text(value: object) -> str | None:
    """A number as a text, also one of numpy's or of an enumeration, whose repr() is not the number's.

    None: it is none, as NaN is not.
    """
    if isinstance(value, bool) or value != value:
        return None
    if isinstance(value, float):
        return float.__repr__(value)
    try:
        return int.__repr__(value) if isinstance(value, int) else str(value) if isinstance(
            value, (numbers.Real, Decimal)) else None
    except ValueError:  # more digits than Python writes
        return None


def is_missing(value: object) -> bool:
    """None, NaN, or the NA and NaT of pandas: what a table has where there is nothing."""
    if value is None or type(value).__name__ in ('NAType', 'NaTType'):
        return True
    return isinstance(value, (numbers.Real, Decimal)) and bool(value != value)
