/* SPDX-License-Identifier: Apache-2.0 */
#include "run/journal/parts.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"

#include <nettle/sha2.h>

/* Of a part, at least. A part that occurs once costs about 20 bytes more than its text; a shorter
 * one would cost more than it saves. */
#define PART_BYTES 128

static const char *const texts[N_JOURNAL_PARTS_STATEMENTS] = {
    [JOURNAL_PARTS_FIND] = "SELECT text FROM parts WHERE name = ?1",
    [JOURNAL_PARTS_ADD] = "INSERT INTO parts VALUES (?1, ?2)"};

/* ---- names ----------------------------------------------------------------------------------- */

int64_t journal_part_name(const char *names)
{
    uint64_t name = 0;
    for (size_t i = 0; i < JOURNAL_NAME_BYTES; i++)
        name |= (uint64_t)(unsigned char)names[i] << 8 * i;
    return (int64_t)name;
}

static void name_of(rdv_str text, char name[JOURNAL_NAME_BYTES])
{
    struct sha256_ctx h;
    sha256_init(&h);
    sha256_update(&h, text.len, (const uint8_t *)text.p);
    sha256_digest(&h, JOURNAL_NAME_BYTES, (uint8_t *)name);
}

/* The SQL function part_name(text). */
static void part_name(sqlite3_context *context, int n, sqlite3_value **values)
{
    char name[JOURNAL_NAME_BYTES];
    const char *text = sqlite3_value_blob(values[0]);
    (void)n;
    name_of((rdv_str){text ? text : "", (size_t)sqlite3_value_bytes(values[0])}, name);
    sqlite3_result_int64(context, journal_part_name(name));
}

int journal_add_part_function(rdv_journal *j, rdv_error *err)
{
    int rc = sqlite3_create_function(j->db, "part_name", 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC,
                                     NULL, part_name, NULL, NULL);
    return rc == SQLITE_OK ? RDV_OK : journal_fail(j, err);
}

/* ---- statements ------------------------------------------------------------------------------ */

static int statement(rdv_journal *j, enum journal_parts_statement which, sqlite3_stmt **out,
                     rdv_error *err)
{
    sqlite3_stmt **s = &j->parts[which];
    if (!*s && sqlite3_prepare_v3(j->db, texts[which], -1, SQLITE_PREPARE_PERSISTENT, s, NULL) !=
                   SQLITE_OK)
        return journal_fail(j, err);
    *out = *s;
    return RDV_OK;
}

void journal_parts_close(rdv_journal *j)
{
    for (int i = 0; i < N_JOURNAL_PARTS_STATEMENTS; i++) {
        sqlite3_finalize(j->parts[i]);
        j->parts[i] = NULL;
    }
}

/* *out: the text of that name, until the caller resets the statement. RDV_NONE: there is none. */
static int find_part(rdv_journal *j, const char *name, sqlite3_stmt **s, rdv_str *out,
                     rdv_error *err)
{
    int rc = statement(j, JOURNAL_PARTS_FIND, s, err);
    if (rc != RDV_OK)
        return rc;
    journal_bind_number(j, *s, 1, (uint64_t)journal_part_name(name));
    int step = journal_step(j, *s);
    if (step == SQLITE_ROW) {
        *out = journal_column(*s, 0);
        return RDV_OK;
    }
    rc = step == SQLITE_DONE ? RDV_NONE : journal_fail(j, err);
    sqlite3_reset(*s);
    return rc;
}

static int add_part(rdv_journal *j, const char *name, rdv_str text, rdv_error *err)
{
    sqlite3_stmt *s = NULL;
    int rc = statement(j, JOURNAL_PARTS_ADD, &s, err);
    if (rc != RDV_OK)
        return rc;
    journal_bind_number(j, s, 1, (uint64_t)journal_part_name(name));
    journal_bind_text(j, s, 2, text);
    rc = journal_step(j, s) == SQLITE_DONE ? RDV_OK : journal_fail(j, err);
    sqlite3_reset(s);
    sqlite3_clear_bindings(s);
    return rc;
}

/* ---- requests -------------------------------------------------------------------------------- */

/* Where the part ends that begins there: behind a line of a text, or a message. */
static size_t part_end(rdv_str request, size_t from)
{
    const char *p = request.p;
    for (size_t i = from + PART_BYTES; i < request.len; i++)
        if ((p[i - 2] == '\\' && p[i - 1] == 'n') || (p[i - 2] == '}' && p[i - 1] == ','))
            return i;
    return request.len;
}

/* RDV_NONE: another text has this name. */
static int put_part(rdv_journal *j, const char *name, rdv_str text, rdv_error *err)
{
    sqlite3_stmt *s = NULL;
    rdv_str there;
    int rc = find_part(j, name, &s, &there, err);
    if (rc == RDV_NONE)
        return add_part(j, name, text, err);
    if (rc < 0)
        return rc;
    rc = rdv_str_eq(there, text) ? RDV_OK : RDV_NONE;
    sqlite3_reset(s);
    return rc;
}

int journal_put_request(rdv_journal *j, rdv_str request, rdv_str *names, rdv_error *err)
{
    rdv_buf b;
    char name[JOURNAL_NAME_BYTES];
    int rc = j->version < JOURNAL_VERSION || !request.p ? RDV_NONE : RDV_OK;
    rdv_arena_reset(j->request);
    rdv_buf_init(&b, j->request, 0);
    for (size_t from = 0, end; rc == RDV_OK && from < request.len; from = end) {
        end = part_end(request, from);
        rdv_str part = rdv_slice(request, from, end);
        name_of(part, name);
        rdv_buf_add(&b, (rdv_str){name, sizeof name});
        rc = put_part(j, name, part, err);
    }
    *names = rdv_buf_str(&b);
    return rc == RDV_OK && !names->p ? rdv_no_memory(err) : rc;
}

int journal_get_request(rdv_journal *j, rdv_str names, rdv_str *request, rdv_error *err)
{
    rdv_buf b;
    rdv_str part;
    sqlite3_stmt *s = NULL;
    int rc = names.len % JOURNAL_NAME_BYTES ? RDV_NONE : RDV_OK;
    rdv_arena_reset(j->request);
    rdv_buf_init(&b, j->request, 0);
    for (size_t i = 0; rc == RDV_OK && i < names.len; i += JOURNAL_NAME_BYTES) {
        rc = find_part(j, names.p + i, &s, &part, err);
        if (rc != RDV_OK)
            break;
        rdv_buf_add(&b, part);
        sqlite3_reset(s);
    }
    if (rc == RDV_NONE)
        return journal_damaged(j, "a part of a request is missing", err);
    *request = rdv_buf_str(&b);
    return rc == RDV_OK && !request->p ? rdv_no_memory(err) : rc;
}
