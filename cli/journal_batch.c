/* SPDX-License-Identifier: Apache-2.0 */
#include "journal_batch.h"
#include "file_lines.h"
#include "terminal.h"

#include "base/arena.h"
#include "base/str.h"
#include "run/batch_import.h"
#include "run/journal/lines.h"

#include <inttypes.h>
#include <stdio.h>

#define SHOWN 3 /* of failures, and of results of other runs */

/* How many lines of a kind were reported: thousands have one cause. */
struct shown {
    uint64_t failed, foreign;
};

struct results {
    batch_import *import;
    struct shown shown;
};

/* ---- lines ----------------------------------------------------------------------------------- */

/* Whether the line that was just taken, and that is no reply, is to be reported. */
static bool is_shown(struct results *r, const batch_imported *before)
{
    const batch_imported *now = &r->import->counts;
    if (now->failed + now->refused > before->failed + before->refused)
        return r->shown.failed++ < SHOWN;
    if (now->foreign > before->foreign)
        return r->shown.foreign++ < SHOWN;
    return true;
}

static int take_line(void *payload, const struct file_line *line, rdv_error *err)
{
    struct results *r = payload;
    batch_imported before = r->import->counts;
    rdv_error why = {0};
    if (line->too_long) {
        r->import->counts.bad++;
        say("%s:%zu: longer than %zu MB: left out", line->path, line->number,
            FILE_LINE_BYTES >> 20);
        return RDV_OK;
    }
    int code = batch_import_line(r->import, line->text, &why);
    if (code < 0)
        return rdv_fail(err, code, "%s:%zu: %s", line->path, line->number, why.msg);
    if (code == RDV_NONE && is_shown(r, &before))
        say("%s:%zu: %s", line->path, line->number, why.msg);
    return RDV_OK;
}

/* ---- all files ------------------------------------------------------------------------------- */

static void tell(const batch_imported *c, const struct shown *shown)
{
    if (shown->failed > SHOWN)
        say("%" PRIu64 " more request%s failed", shown->failed - SHOWN,
            plural(shown->failed - SHOWN));
    if (shown->foreign > SHOWN)
        say("%" PRIu64 " more result%s of other runs", shown->foreign - SHOWN,
            plural(shown->foreign - SHOWN));
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
    struct results results = {.import = &import};
    int code = arena && scratch ? batch_import_begin(&import, journal, arena, scratch, err)
                                : rdv_no_memory(err);
    for (size_t i = 0; i < n && code == RDV_OK; i++)
        code = file_lines_read(paths[i], take_line, &results, err);
    if (code == RDV_OK && interrupted()) /* what was read is kept, and no request is called lost */
        code = rdv_journal_flush(journal, err);
    else if (code == RDV_OK)
        code = batch_import_end(&import, err);
    if (code == RDV_OK && !settings->quiet)
        tell(&import.counts, &results.shown);
    rdv_arena_free(&scratch);
    rdv_arena_free(&arena);
    bool unread = import.counts.bad || import.counts.foreign;
    return code == RDV_OK && unread ? RDV_NONE : code;
}
