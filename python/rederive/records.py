# SPDX-License-Identifier: Apache-2.0
"""Records that come one at a time."""
from __future__ import annotations

import json
from abc import abstractmethod
from collections.abc import Iterator
from typing import Any

Record = dict[str, Any]


class RecordLines(Iterator[Record]):
    """An iterator over records as dicts; `lines` gives them as the bytes that the program writes."""

    @abstractmethod
    def lines(self) -> Iterator[bytes]:
        """The records not yet taken, each as a line of JSON with a newline."""

    def __next__(self) -> Record:
        for line in self.lines():
            record: Record = json.loads(line)
            return record
        raise StopIteration
