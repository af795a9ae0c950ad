/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* A journal of version 3, as programs before left it: no parts, each request whole. */
#include "../test.h"

#include <sqlite3.h>

/* Make an empty one in a new or empty file. */
static inline void make_journal_v3(const char *file)
{
    sqlite3 *db;
    assert_int_equal(sqlite3_open(file, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db,
                                  "CREATE TABLE responses ("
                                  " key BLOB UNIQUE NOT NULL,"
                                  " operation TEXT, stage TEXT, model TEXT, sample_id TEXT,"
                                  " request TEXT, response TEXT NOT NULL,"
                                  " created_ms INTEGER NOT NULL, sha256 BLOB) STRICT;"
                                  "PRAGMA application_id = 1382315569; PRAGMA user_version = 3",
                                  NULL, NULL, NULL),
                     SQLITE_OK);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}
