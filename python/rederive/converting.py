# SPDX-License-Identifier: Apache-2.0
"""Chains in the formats of other tools."""
from __future__ import annotations

from typing import Any, Literal, Unpack

from rederive import _core
from rederive.commands import Results, arguments
from rederive.given import Many, Record
from rederive.options import ConvertOptions

Format = Literal['trl', 'prm800k', 'inspect', 'label-studio', 'phoenix', 'csv', 'jsonl']


def convert(chains: Record | Many, to: Format, **options: Unpack[ConvertOptions]) -> str:
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
    made: Results[Any] = Results(_core, 'convert', arguments('convert', {'to': to, **options}), chains, 'raise')
    return b''.join(made.lines()).decode()
