# SPDX-License-Identifier: Apache-2.0
"""The figures of an evaluation, as people look at them."""
from __future__ import annotations

import html
from collections.abc import Iterator, Mapping
from typing import Any

_SHOWN = 40  # lines


class Evaluation(dict[str, Any]):
    """The tables of `rederive eval --json` as a dict; printed, its figures line by line."""

    def _lines(self) -> Iterator[tuple[str, str]]:
        for place, value in _figures(self, ''):
            yield place, value

    def __repr__(self) -> str:
        lines = [f'{name}: {value}' for name, value in self._lines()]
        more = [f'... and {len(lines) - _SHOWN} more'] if len(lines) > _SHOWN else []
        return '<rederive evaluation' + ''.join(f'\n  {one}' for one in lines[:_SHOWN] + more) + '>'

    def _repr_html_(self) -> str:
        """A table of the figures, for a notebook."""
        rows = ''.join(f'<tr><td>{html.escape(name)}</td><td>{html.escape(value)}</td></tr>' for name, value in self._lines())
        return f'<table class="rederive"><thead><tr><th>figure</th><th>value</th></tr></thead><tbody>{rows}</tbody></table>'


def _figures(value: Any, place: str) -> Iterator[tuple[str, str]]:
    """Each figure with its place: "figures.accuracy.chain", "rows[0].location"."""
    if isinstance(value, Mapping) and 'value' in value and 'ci_low' in value:
        yield place, _figure(value)
    elif isinstance(value, Mapping):
        for name, one in value.items():
            yield from _figures(one, f'{place}.{name}' if place else str(name))
    elif isinstance(value, list):
        for i, one in enumerate(value):
            yield from _figures(one, f'{place}[{i}]')
    elif value is not None:
        yield place, f'{value:.4g}' if isinstance(value, float) else str(value)


def _figure(of: Mapping[str, Any]) -> str:
    def text(name: str) -> str:
        return '-' if of.get(name) is None else f'{of[name]:.4g}'

    error = f' ± {text("stderr")}' if of.get('stderr') is not None else ''
    interval = f' [{text("ci_low")}, {text("ci_high")}]' if of.get('ci_low') is not None else ''
    return f'{text("value")}{error}{interval}, n = {of.get("n")}'
