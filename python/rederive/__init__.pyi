# SPDX-License-Identifier: Apache-2.0
from rederive.api import *

__version__: str
