/* SPDX-License-Identifier: Apache-2.0 */
#include "journal_batch.h"
#include "terminal.h"

#include "base/arena.h"
#include "base/str.h"
#include "data/source.h"
#include "run/batch_import.h"
#include "run/journal_lines.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define LINE_BYTES ((size_t)64 << 20) /* the longest line that is read */
#define SHOWN 3                       /* of failures, and of results of other runs */

/* How many lines of a kind were reported: thousands have one cause. */
struct shown {
    uint64_t failed, foreign;
};

/* Lines of one file. */
struct results {
    batch_import *import;
    const char *name;
    rdv_bytes *bytes;
    char *line; /* malloc()ed */
    size_t len, cap, number;
    bool too_long; /* the rest of the line is passed over */
    struct shown *shown;
};

/* ---- lines ----------------------------------------------------------------------------------- */

/* Whether the line that was just taken, and that is no reply, is to be reported. */
static bool is_shown(struct results *r, const batch_imported *before)
{
    const batch_imported *now = &r->import->counts;
    if (now->failed + now->refused > before->failed + before->refused)
        return r->shown->failed++ < SHOWN;
    if (now->foreign > before->foreign)
        return r->shown->foreign++ < SHOWN;
    return true;
}

static int take_line(struct results *r, rdv_error *err)
{
    batch_imported before = r->import->counts;
    rdv_str line = rdv_trim((rdv_str){r->line ? r->line : "", r->len});
    rdv_error why = {0};
    bool too_long = r->too_long;
    r->number++;
    r->len = 0;
    r->too_long = false;
    if (too_long) {
        r->import->counts.bad++;
        say("%s:%zu: longer than %zu MB: left out", r->name, r->number, LINE_BYTES >> 20);
        return RDV_OK;
    }
    if (!line.len)
        return RDV_OK;
    int code = batch_import_line(r->import, line, &why);
    if (code < 0)
        return rdv_fail(err, code, "%s:%zu: %s", r->name, r->number, why.msg);
    if (code == RDV_NONE && is_shown(r, &before))
        say("%s:%zu: %s", r->name, r->number, why.msg);
    return RDV_OK;
}

static int add_bytes(struct results *r, const char *from, size_t n, rdv_error *err)
{
    r->too_long |= n > LINE_BYTES - r->len;
    if (r->too_long)
        return RDV_OK;
    if (r->len + n > r->cap) {
        size_t cap = r->cap ? r->cap : 65536;
        while (cap < r->len + n)
            cap *= 2;
        char *grown = realloc(r->line, cap);
        if (!grown)
            return rdv_no_memory(err);
        r->line = grown;
        r->cap = cap;
    }
    memcpy(r->line + r->len, from, n);
    r->len += n;
    return RDV_OK;
}

static int take_bytes(struct results *r, rdv_str bytes, rdv_error *err)
{
    int code = RDV_OK;
    while (bytes.len && code == RDV_OK) {
        size_t end = rdv_find_char(bytes, '\n', 0);
        bool whole = end != RDV_NOT_FOUND;
        size_t n = whole ? end : bytes.len;
        code = add_bytes(r, bytes.p, n, err);
        if (code == RDV_OK && whole)
            code = take_line(r, err);
        bytes = rdv_slice(bytes, n + whole, bytes.len);
    }
    return code;
}

static int take_all(struct results *r, rdv_error *err)
{
    char chunk[65536];
    size_t got = 1;
    rdv_error why = {0};
    int code = RDV_OK;
    while (code == RDV_OK && got && !interrupted()) {
        code = rdv_bytes_read(r->bytes, chunk, sizeof chunk, &got, &why);
        if (code != RDV_OK)
            return rdv_fail(err, code, "%s: %s", r->name, why.msg);
        code = take_bytes(r, (rdv_str){chunk, got}, err);
    }
    return code == RDV_OK && (r->len || r->too_long) ? take_line(r, err) : code;
}

static int import_file(batch_import *import, const char *path, struct shown *shown, rdv_error *err)
{
    bool standard = strcmp(path, "-") == 0;
    struct results r = {
        .import = import, .name = standard ? "standard input" : path, .shown = shown};
    int code = rdv_bytes_open(&r.bytes, path, err);
    if (code == RDV_OK)
        code = take_all(&r, err);
    rdv_bytes_close(&r.bytes);
    free(r.line);
    return code;
}

/* ---- all files ------------------------------------------------------------------------------- */

static void tell(const batch_imported *c, const struct shown *shown)
{
    if (shown->failed > SHOWN)
        say("%" PRIu64 " more requests failed", shown->failed - SHOWN);
    if (shown->foreign > SHOWN)
        say("%" PRIu64 " more results of other runs", shown->foreign - SHOWN);
    fprintf(stderr,
            "%" PRIu64 " replies added, %" PRIu64 " already present; to be asked again: %" PRIu64
            " failed, %" PRIu64 " without a result; %" PRIu64
            " failed for good (--batch-again asks again); %" PRIu64 " of other runs, %" PRIu64
            " invalid lines\n",
            c->added, c->known, c->failed, c->lost, c->refused, c->foreign, c->bad);
}

int journal_batch_import(rdv_journal *journal, const char *const *paths, size_t n,
                         const struct settings *settings, rdv_error *err)
{
    batch_import import = {0};
    rdv_arena *arena = rdv_arena_new(0), *scratch = rdv_arena_new(0);
    struct shown shown = {0};
    int code = arena && scratch ? batch_import_begin(&import, journal, arena, scratch, err)
                                : rdv_no_memory(err);
    for (size_t i = 0; i < n && code == RDV_OK; i++)
        code = import_file(&import, paths[i], &shown, err);
    if (code == RDV_OK && interrupted()) /* what was read is kept, and no request is called lost */
        code = rdv_journal_flush(journal, err);
    else if (code == RDV_OK)
        code = batch_import_end(&import, err);
    if (code == RDV_OK && !settings->quiet)
        tell(&import.counts, &shown);
    rdv_arena_free(&scratch);
    rdv_arena_free(&arena);
    bool unread = import.counts.bad || import.counts.foreign;
    return code == RDV_OK && unread ? RDV_NONE : code;
}
