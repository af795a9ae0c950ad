# SPDX-License-Identifier: Apache-2.0
"""A journal of version 3, as programs before left it: no parts, each request whole."""
import contextlib
import sqlite3


def make_journal_v3(path):
    """An empty one."""
    with contextlib.closing(sqlite3.connect(path)) as base:
        base.executescript("CREATE TABLE responses (key BLOB UNIQUE NOT NULL, operation TEXT, stage TEXT, model TEXT, sample_id TEXT,"
                           " request TEXT, response TEXT NOT NULL, created_ms INTEGER NOT NULL, sha256 BLOB) STRICT;"
                           "PRAGMA application_id = 1382315569; PRAGMA user_version = 3")
