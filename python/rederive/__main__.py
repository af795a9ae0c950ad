# SPDX-License-Identifier: Apache-2.0
from rederive_llm.command import main

main()
