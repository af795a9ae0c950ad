/* SPDX-License-Identifier: Apache-2.0 */
/* SQLite, opened with the first journal. */
#include "late.h"

#include <sqlite3.h>

static const late_library sqlite = {.files = LATE_FILES("sqlite", "libsqlite3.so.0"),
                                    .needed_for = "journals"};

#define SQLITE(type, name, parameters, arguments)                                                  \
    LATE_FUNCTION(sqlite, type, sqlite3_##name, parameters, arguments)

/* ---- databases ------------------------------------------------------------------------------- */

SQLITE(int, open_v2, (const char *path, sqlite3 **db, int flags, const char *vfs),
       (path, db, flags, vfs))
SQLITE(int, close, (sqlite3 * db), (db))
SQLITE(const char *, db_filename, (sqlite3 * db, const char *name), (db, name))
SQLITE(int, create_function,
       (sqlite3 * db, const char *name, int n, int encoding, void *of,
        void (*call)(sqlite3_context *, int, sqlite3_value **),
        void (*step)(sqlite3_context *, int, sqlite3_value **), void (*end)(sqlite3_context *)),
       (db, name, n, encoding, of, call, step, end))
SQLITE(int, exec,
       (sqlite3 * db, const char *text, int (*row)(void *, int, char **, char **), void *of,
        char **why),
       (db, text, row, of, why))
SQLITE(int, errcode, (sqlite3 * db), (db))
SQLITE(const char *, errmsg, (sqlite3 * db), (db))
SQLITE(int, system_errno, (sqlite3 * db), (db))
SQLITE(int, changes, (sqlite3 * db), (db))
SQLITE(sqlite3_int64, changes64, (sqlite3 * db), (db))
SQLITE(sqlite3_int64, last_insert_rowid, (sqlite3 * db), (db))

/* ---- statements ------------------------------------------------------------------------------ */

SQLITE(int, prepare_v2,
       (sqlite3 * db, const char *text, int n, sqlite3_stmt **s, const char **rest),
       (db, text, n, s, rest))
SQLITE(int, prepare_v3,
       (sqlite3 * db, const char *text, int n, unsigned flags, sqlite3_stmt **s, const char **rest),
       (db, text, n, flags, s, rest))
SQLITE(int, step, (sqlite3_stmt * s), (s))
SQLITE(int, reset, (sqlite3_stmt * s), (s))
SQLITE(int, clear_bindings, (sqlite3_stmt * s), (s))
SQLITE(int, finalize, (sqlite3_stmt * s), (s))
SQLITE(int, bind_blob64,
       (sqlite3_stmt * s, int i, const void *p, sqlite3_uint64 n, void (*destroy)(void *)),
       (s, i, p, n, destroy))
SQLITE(int, bind_text64,
       (sqlite3_stmt * s, int i, const char *p, sqlite3_uint64 n, void (*destroy)(void *),
        unsigned char encoding),
       (s, i, p, n, destroy, encoding))
SQLITE(int, bind_int64, (sqlite3_stmt * s, int i, sqlite3_int64 number), (s, i, number))
SQLITE(int, bind_null, (sqlite3_stmt * s, int i), (s, i))
SQLITE(const void *, column_blob, (sqlite3_stmt * s, int i), (s, i))
SQLITE(const unsigned char *, column_text, (sqlite3_stmt * s, int i), (s, i))
SQLITE(int, column_bytes, (sqlite3_stmt * s, int i), (s, i))
SQLITE(int, column_int, (sqlite3_stmt * s, int i), (s, i))
SQLITE(sqlite3_int64, column_int64, (sqlite3_stmt * s, int i), (s, i))
SQLITE(int, column_type, (sqlite3_stmt * s, int i), (s, i))

/* ---- functions of SQL ------------------------------------------------------------------------ */

SQLITE(const void *, value_blob, (sqlite3_value * v), (v))
SQLITE(int, value_bytes, (sqlite3_value * v), (v))
SQLITE(sqlite3_int64, value_int64, (sqlite3_value * v), (v))
SQLITE(int, value_type, (sqlite3_value * v), (v))
SQLITE(void, result_blob,
       (sqlite3_context * context, const void *p, int n, void (*destroy)(void *)),
       (context, p, n, destroy))
SQLITE(void, result_int64, (sqlite3_context * context, sqlite3_int64 number), (context, number))
