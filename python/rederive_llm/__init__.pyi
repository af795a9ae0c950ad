# SPDX-License-Identifier: Apache-2.0
from collections.abc import Callable
from typing import Any

from rederive.api import *

__version__: str
def names_of(module: str) -> tuple[Callable[[str], Any], Callable[[], list[str]]]: ...
