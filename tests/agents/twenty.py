# SPDX-License-Identifier: Apache-2.0
"""What the clients ask: the twenty texts of tests/integration/mcp_server.py with the outcome of check, and calls of the
other tools, as JSON for node_client.mjs."""
import ast
import json
import os
import pathlib

SOURCE = pathlib.Path(os.environ["RDV_SOURCE"])


def texts():
    """The table TEXTS, read without importing the test."""
    tree = ast.parse((SOURCE / "tests/integration/mcp_server.py").read_text(encoding="utf-8"))
    return next(ast.literal_eval(node.value) for node in tree.body
                if isinstance(node, ast.Assign) and node.targets[0].id == "TEXTS")


def calls():
    """Lists of tool, arguments and outcomes that are right."""
    made = [["check", {"text": text}, [outcome]] for text, outcome in texts()]
    for text, outcome in texts():
        # The text is the reply, graded against what it does not say.
        made.append(["grade", {"gold": "987654321", "reply": text}, ["different", "cannot-tell"]])
        made.append(["calculate", {"expression": text}, ["exact", "rounded", "cannot-tell"]])
    made.append(["grade", {"gold": "408", "answer": "17 * 24"}, ["same"]])
    made.append(["calculate", {"expression": "17 * 24"}, ["exact"]])
    return made


if __name__ == "__main__":
    print(json.dumps(calls()))
