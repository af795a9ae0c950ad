# SPDX-License-Identifier: Apache-2.0
"""Checked chains and votes in a notebook, as the HTML report shows them."""
from __future__ import annotations

import functools
import itertools
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from rederive._core import ffi, lib
from rederive.errors import error_of

_FRAME = 'rederive'
# What stands around the chains of a report, and not in a notebook.
_NOT_HERE = re.compile(r'\.(top|bar|buttons|tools|filters|skip|pages|cards?|counts|big|facts|banner|part-title|plot|'
                       r'figures?|pictures|table|notes|product)\b|#shown|^\.part$|'
                       r'(?<![.\w-])(dialog|footer|kbd|figure|figcaption|main|html|button|select|input|label)\b')
_ROOTS = {
    ':root': f'.{_FRAME}',
    'body': f'.{_FRAME}',
    # The system is dark, and the page does not say that it is light.
    ':root:not([data-theme="light"])': ':root:not([data-theme="light"]) body:not([data-jp-theme-light="true"])'
                                       f':not(.vscode-light) .{_FRAME}',
    # The page says that it is dark: Jupyter, Visual Studio Code, and pages with a theme of their own.
    ':root[data-theme="dark"]': f'[data-jp-theme-light="false"] .{_FRAME}, .vscode-dark .{_FRAME}, '
                                f'[data-theme="dark"] .{_FRAME}',
}
_shown = itertools.count()


class View:
    """Records as HTML, for a notebook: `_repr_html_`."""

    def __init__(self, records: Iterable[Mapping[str, Any]]) -> None:
        self._lines = [json.dumps(record, ensure_ascii=False).encode('utf-8', 'surrogatepass') for record in records]

    def _repr_html_(self) -> str:
        """The chains and votes by question, with a style of their own; no script, and nothing is loaded."""
        # Several outputs of a notebook are one page, whose anchors must differ.
        prefix = f'rdv{next(_shown)}-'
        body = re.sub(r'( id="| href="#)', lambda found: found[1] + prefix, _html_of(self._lines))
        return f'<style>{style()}</style><div class="{_FRAME}">{body}</div>'

    def __repr__(self) -> str:
        return f'<rederive.View of {len(self._lines)} records>'


def show(records: Mapping[str, Any] | Iterable[Mapping[str, Any]]) -> View:
    """Show chains and results of votes in a notebook, as the report of `rederive check --html` does.

    Args:
        records: one, or any number of them; the result of a vote comes after its chains.

    >>> import rederive
    >>> view = rederive.show(rederive.check({'question': 'What is 6 × 7?', 'steps': ['6 × 7 = 48.']}))
    >>> '<mark>6 × 7 = 48</mark>' in view._repr_html_()
    True
    """
    return View([records] if isinstance(records, Mapping) else records)


def _html_of(lines: list[bytes]) -> str:
    page = lib.binding_page_new()
    if not page:
        raise MemoryError
    page = ffi.gc(page, lib.binding_page_free)
    error, html = ffi.new('rdv_error *'), ffi.new('rdv_str *')
    for line in lines:
        _raise(lib.binding_page_add(page, line, len(line), error), error)
    _raise(lib.binding_page_html(page, html, error), error)
    return bytes(ffi.buffer(html.p, html.len)).decode()


def _raise(code: int, error: Any) -> None:
    if code != 0:
        raise error_of(code, ffi.string(error.msg).decode('utf-8', 'replace'))


# ---- the style -----------------------------------------------------------------------------------

@functools.cache
def style() -> str:
    """The report's style sheet, for what stands in an element of the class "rederive" alone."""
    sheet = ffi.string(lib.binding_page_style()).decode()
    made = ''.join(_scoped(re.sub(r'/\*.*?\*/', '', sheet, flags=re.S)))
    return made + (f'.{_FRAME} {{ padding: .75rem 1rem .1rem; border-radius: 8px; }}\n'
                   f'.{_FRAME} .question {{ margin-bottom: .6rem; }}\n')


def _scoped(sheet: str) -> Iterator[str]:
    for head, body in _blocks(sheet):
        if head.startswith('@media'):
            inner = ''.join(_scoped(body))
            if inner and 'print' not in head:
                yield f'{head} {{\n{inner}}}\n'
            continue
        selectors = [one for one in (_selector(part.strip()) for part in head.split(',')) if one]
        if selectors:
            yield f'{", ".join(selectors)} {{{body}}}\n'


def _blocks(sheet: str) -> Iterator[tuple[str, str]]:
    """The rules of a style sheet: what stands before the braces, and between them."""
    at = 0
    while (begin := sheet.find('{', at)) >= 0:
        depth, end = 1, begin + 1
        while depth:
            depth += {'{': 1, '}': -1}.get(sheet[end], 0)
            end += 1
        yield sheet[at:begin].strip(), sheet[begin + 1:end - 1]
        at = end


def _selector(one: str) -> str | None:
    if one in _ROOTS:
        return _ROOTS[one]
    return None if _NOT_HERE.search(one) else f'.{_FRAME} {one}'
