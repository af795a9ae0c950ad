# SPDX-License-Identifier: Apache-2.0
"""Chains in the formats of other tools."""
from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal

from rederive import _core
from rederive.commands import Results, arguments

Format = Literal['trl', 'prm800k', 'inspect', 'label-studio', 'phoenix', 'csv', 'jsonl']


def convert(chains: Mapping[str, Any] | bytes | Iterable[Mapping[str, Any] | bytes], to: Format, **options: object) -> str:
    """The chains as one text in the format of another tool, as `rederive convert` writes it.

    Args:
        chains: chains, or what `check` made of them.
        to: "trl" and "prm800k": lines of JSON, for training; "inspect": a log; "label-studio" and "phoenix": for
            annotation; "csv"; "jsonl": our records (docs/convert.md).
        options: those of `rederive convert`: unrelated="wrong".

    >>> chain = {'question': 'What is 3 + 4?', 'steps': ['3 + 4 = 8.', 'The answer is 8.'], 'label': 0}
    >>> convert([chain], 'trl')
    '{"prompt":"What is 3 + 4?","completions":["3 + 4 = 8."],"labels":[false]}\\n'
    """
    given = [chains] if isinstance(chains, (Mapping, bytes)) else chains
    return b''.join(Results(_core, 'convert', arguments({'to': to, **options}), given, 'raise').lines()).decode()
