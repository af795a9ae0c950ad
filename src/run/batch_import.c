/* SPDX-License-Identifier: Apache-2.0 */
#include "run/batch_import.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "model/batch.h"
#include "run/clock.h"
#include "run/journal/batch.h"

int batch_import_begin(batch_import *import, rdv_journal *journal, rdv_arena *arena,
                       rdv_arena *scratch, rdv_error *err)
{
    *import = (batch_import){.journal = journal, .arena = arena, .scratch = scratch};
    return journal_batch_open(journal, err);
}

/* ---- the files that results came from ---------------------------------------------------------
 */

/* The result of a request is that of the file to which it was written last; if it was written more
 * than once, this is not sure. */
static int note_file(batch_import *import, const batch_row *row, rdv_error *err)
{
    size_t i = import->n_files;
    while (i > 0 && import->files[i - 1].number != row->file) /* the latest is the likeliest */
        i--;
    if (i == 0) {
        if (!RDV_PUSH_ROOM(import->arena, import->files, import->n_files, import->cap_files))
            return rdv_no_memory(err);
        import->files[import->n_files] = (batch_import_file){.number = row->file};
        i = ++import->n_files;
    }
    import->files[i - 1].sure |= row->times == 1;
    return RDV_OK;
}

/* ---- a request that failed ------------------------------------------------------------------- */

/* What another try may mend: as for a call over HTTP, and what ends a batch before its requests. */
static bool may_go_better(long status, const wire_error *error)
{
    if (rdv_str_eq(error->code, RDV_STR("insufficient_quota")))
        return true;
    return status == 0 || status == 401 || status == 403 || status == 408 || status == 425 ||
           status == 429 || (status >= 500 && status != 501 && status != 505);
}

static rdv_str describe(const batch_result *result, rdv_arena *arena)
{
    const wire_error *e = &result->error;
    rdv_str message = e->message.len ? e->message : e->code;
    if (!message.len)
        message = RDV_STR("without a reason");
    return result->status
               ? rdv_str_printf(arena, "HTTP %ld: %.*s", result->status, RDV_FMT(message))
               : rdv_str_printf(arena, "no response: %.*s", RDV_FMT(message));
}

/* Note what `abilities`, all unknown before, turned out to lack. */
static int learn(batch_import *import, rdv_str model, const rdv_abilities *abilities,
                 rdv_error *err)
{
    const char *name, *meaning;
    rdv_can can;
    int rc = RDV_OK;
    for (size_t i = 0;
         rc == RDV_OK && rdv_abilities_entry(abilities, i, &name, &meaning, &can) == RDV_OK; i++)
        if (can == RDV_CANNOT)
            rc = journal_batch_learn(import->journal, model, rdv_str_of(name), err);
    return rc;
}

/* Note the failure. RDV_NONE: noted, and `err` says why. */
static int note_failure(batch_import *import, const batch_result *result, batch_pending *pending,
                        batch_state state, rdv_failure failure, rdv_str why, rdv_error *err)
{
    bool again = pending->row.state != BATCH_EXPECTED && pending->row.state != BATCH_LOST;
    if (again || (result->id.len && rdv_str_eq(result->id, pending->result_id))) {
        import->counts.known++; /* the same failure, imported once more */
        return RDV_OK;
    }
    pending->row.state = state;
    pending->row.failure = failure;
    pending->row.why = why;
    int rc = note_file(import, &pending->row, err);
    if (rc == RDV_OK)
        rc = journal_batch_fail(import->journal, result->key, &pending->row, result->id, err);
    if (rc != RDV_OK)
        return rc;
    *(state == BATCH_REFUSED ? &import->counts.refused : &import->counts.failed) += 1;
    (void)rdv_fail(err, RDV_NONE, "request %.8s failed: %.*s", result->custom_id.p, RDV_FMT(why));
    return RDV_NONE;
}

/* The request was not answered. One that can be written in another form is, which is no failure. */
static int take_error(batch_import *import, const batch_result *result, batch_pending *pending,
                      const batch_reading *reading, rdv_error *err)
{
    rdv_abilities found = {0};
    rdv_str why = describe(result, import->scratch);
    if (!why.p)
        return rdv_no_memory(err);
    bool other_form = wire_refused(&reading->wire, (int)result->status, &result->error, &found);
    int rc = other_form ? learn(import, pending->line.model, &found, err) : RDV_OK;
    if (rc != RDV_OK)
        return rc;
    bool better = other_form || may_go_better(result->status, &result->error);
    pending->row.failures += !other_form;
    return note_failure(import, result, pending, better ? BATCH_FAILED : BATCH_REFUSED,
                        result->status ? RDV_FAIL_REFUSED : RDV_FAIL_UNREACHABLE, why, err);
}

/* ---- a reply --------------------------------------------------------------------------------- */

static int keep_reply(batch_import *import, batch_pending *pending, const rdv_reply *reply,
                      rdv_error *err)
{
    rdv_buf response;
    rdv_buf_init(&response, import->scratch, 0);
    record_write_reply(&response, reply);
    if (!rdv_buf_ok(&response))
        return rdv_no_memory(err);
    pending->line.response = rdv_buf_str(&response);
    pending->line.created_ms = clock_ms_since_1970();
    int rc = note_file(import, &pending->row, err);
    if (rc == RDV_OK)
        rc = journal_add_line(import->journal, &pending->line, err);
    *(rc == RDV_NONE ? &import->counts.known : &import->counts.added) += rc >= 0;
    return rc >= 0 ? journal_batch_remove(import->journal, pending->line.key, err) : rc;
}

/* A body that cannot be read is a failure; one that lacks what was asked for is not asked for in
 * this form again. */
static int take_response(batch_import *import, const batch_result *result, batch_pending *pending,
                         const batch_reading *reading, rdv_error *err)
{
    rdv_reply reply;
    rdv_error why = {0};
    rdv_abilities found = {0};
    int rc = wire_read_parsed(&reading->wire, &reading->request, result->body, import->scratch,
                              &reply, &why);
    if (rc == RDV_OK && reply.finish == RDV_FINISH_UNSAID)
        reply.finish = RDV_FINISH_OTHER; /* no survey says that it never gives one */
    if (rc == RDV_OK)
        return keep_reply(import, pending, &reply, err);
    if (rc != RDV_NONE && rc != RDV_E_INPUT)
        return rdv_fail(err, rc, "%s", why.msg);
    if (rc == RDV_NONE) {
        wire_lacks(&reading->wire, &found);
        rc = learn(import, pending->line.model, &found, err);
        if (rc != RDV_OK)
            return rc;
    } else {
        pending->row.failures++;
    }
    return note_failure(import, result, pending, BATCH_FAILED, RDV_FAIL_UNREADABLE,
                        rdv_str_of(why.msg), err);
}

/* ---- lines ----------------------------------------------------------------------------------- */

/* A result of no open request: its reply is in the journal, or it is another run's. */
static int take_unexpected(batch_import *import, const batch_result *result, rdv_error *err)
{
    int rc = result->ours ? journal_batch_answered(import->journal, result->key, err) : RDV_NONE;
    if (rc == RDV_OK)
        import->counts.known++;
    if (rc != RDV_NONE)
        return rc;
    import->counts.foreign++;
    (void)rdv_fail(err, RDV_NONE, "custom_id %.*s: this journal has written no such request",
                   RDV_FMT(result->custom_id));
    return RDV_NONE;
}

static int take_result(batch_import *import, const batch_result *result, rdv_error *err)
{
    batch_pending pending;
    batch_reading reading;
    rdv_arena *scratch = import->scratch;
    int rc = result->ours
                 ? journal_batch_pending(import->journal, result->key, scratch, &pending, err)
                 : RDV_NONE;
    if (rc == RDV_NONE)
        return take_unexpected(import, result, err);
    if (rc == RDV_OK)
        rc = batch_read_reading(pending.line.operation, pending.line.request, pending.reading,
                                scratch, &reading, err);
    if (rc != RDV_OK)
        return rc;
    return wire_is_whole(result->status) ? take_response(import, result, &pending, &reading, err)
                                         : take_error(import, result, &pending, &reading, err);
}

int batch_import_line(batch_import *import, rdv_str line, rdv_error *err)
{
    batch_result result;
    rdv_error why = {0};
    rdv_arena_reset(import->scratch);
    int rc = batch_read_result(line, import->scratch, &result, &why);
    if (rc == RDV_OK) {
        rc = take_result(import, &result, err);
    } else {
        import->counts.bad += rc == RDV_E_INPUT;
        rc = rdv_fail(err, rc == RDV_E_INPUT ? RDV_NONE : rc, "%s", why.msg);
    }
    batch_result_release(&result);
    return rc;
}

int batch_import_end(batch_import *import, rdv_error *err)
{
    int rc = RDV_OK;
    for (size_t i = 0; i < import->n_files && rc == RDV_OK; i++) {
        uint64_t lost = 0;
        const batch_import_file *f = &import->files[i];
        rc = journal_batch_lose(import->journal, f->number, f->sure, &lost, err);
        import->counts.lost += lost;
    }
    return rc == RDV_OK ? journal_commit(import->journal, err) : rc;
}
