# SPDX-License-Identifier: Apache-2.0
"""Records that come one at a time."""
from __future__ import annotations

import json
from abc import abstractmethod
from collections.abc import Iterator
from typing import Any


class Record(dict[str, Any]):
    """A dict, which a notebook shows as the report does."""

    def _repr_html_(self) -> str | None:
        from rederive.display import View
        from rederive.errors import Error
        try:
            return View([self])._repr_html_()
        except Error:  # it is neither a chain nor a vote, and is shown as a dict
            return None


class RecordLines(Iterator[Record]):
    """An iterator over records as dicts; `lines` gives them as the bytes that the program writes."""

    @abstractmethod
    def lines(self) -> Iterator[bytes]:
        """The records not yet taken, each as a line of JSON with a newline."""

    def __next__(self) -> Record:
        for line in self.lines():
            return Record(json.loads(line))
        raise StopIteration
