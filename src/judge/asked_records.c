/* SPDX-License-Identifier: Apache-2.0 */
#include "judge/asked_records.h"
#include "base/arena.h"
#include "base/str.h"

typedef struct asked_line {
    rdv_plan *plan;
    size_t first; /* of the checks that the plan makes */
    size_t line, at;
    rdv_str text;
} asked_line;

int asked_records_add(asked_records *a, rdv_record *record, size_t line, size_t at, rdv_error *err)
{
    asked_line new = {.first = record->chain.n_checks, .line = line, .at = at};
    rdv_str type = record_question_type(record, a->arena);
    if (!RDV_PUSH_ROOM(a->arena, a->lines, a->n, a->cap))
        return rdv_no_memory(err);
    int rc = a->asker->plan(a->asker->of, &record->chain, type, &new.plan, err);
    if (rc == RDV_OK)
        a->lines[a->n++] = new;
    return rc;
}

/* ---- the run --------------------------------------------------------------------------------- */

static int next_plan(void *payload, rdv_plan **plan, rdv_error *err)
{
    asked_records *a = payload;
    (void)err;
    if (a->n_given == a->n)
        return RDV_NONE;
    *plan = a->lines[a->n_given++].plan;
    return RDV_OK;
}

static int write_record(const asked_records *a, asked_line *l, rdv_error *err)
{
    size_t n;
    rdv_buf extra;
    rdv_write_options options = {.size = sizeof options, .checked = true};
    const rdv_chain *chain = rdv_plan_chains(l->plan, &n);
    if (n != 1)
        return rdv_fail(err, RDV_E_INTERNAL, "the check has no result");
    int rc = record_keep_makers(chain, l->first, &a->asker->by, a->arena, err);
    if (rc != RDV_OK)
        return rc;
    rdv_buf_init(&extra, a->arena, 0);
    rdv_buf_add_char(&extra, '{'); /* which is cut off again: a comma stands behind what precedes */
    record_put_partial(chain, rdv_plan_partial(l->plan), &extra);
    record_put_makers(&a->asker->by, &extra);
    options.extra = rdv_slice(rdv_buf_str(&extra), 1, extra.len);
    return rdv_buf_ok(&extra) ? rdv_record_write(chain, &options, a->arena, &l->text, err)
                              : rdv_no_memory(err);
}

static int plan_done(void *payload, rdv_plan *plan, rdv_error *err)
{
    asked_records *a = payload;
    asked_line *l = &a->lines[a->n_done++]; /* they come back in order */
    rdv_error why = {0};
    int rc = rdv_plan_done(plan) ? write_record(a, l, &why) : rdv_no_memory(&why);
    if (rc == RDV_E_NOMEM)
        return rdv_no_memory(err);
    if (rc != RDV_OK)
        rc = rdv_error_write(rdv_str_printf(a->arena, "line %zu: %s", l->line, why.msg), a->arena,
                             &l->text, err);
    rdv_plan_free(&l->plan);
    return rc;
}

/* The lines between those that were written already. */
static int put_in(const asked_records *a, rdv_buf *out, rdv_error *err)
{
    rdv_buf all;
    size_t at = 0;
    if (!rdv_buf_ok(out)) /* the lines before would be lost */
        return rdv_no_memory(err);
    rdv_buf_init(&all, out->arena, out->max);
    rdv_buf_lit(&all, "");
    for (size_t i = 0; i < a->n; i++) {
        rdv_buf_add(&all, rdv_slice(rdv_buf_str(out), at, a->lines[i].at));
        rdv_buf_add(&all, a->lines[i].text);
        at = a->lines[i].at;
    }
    rdv_buf_add(&all, rdv_slice(rdv_buf_str(out), at, out->len));
    *out = all;
    return rdv_buf_ok(out) ? RDV_OK : rdv_no_memory(err);
}

int asked_records_run(asked_records *a, rdv_buf *out, rdv_error *err)
{
    const rdv_plan_source source = {next_plan, plan_done, a};
    int rc = a->n ? a->asker->run(a->asker->of, &source, err) : RDV_OK;
    if (rc == RDV_OK && a->n_done < a->n)
        rc = rdv_fail(err, RDV_E_IO, "the checks were not carried out");
    return rc == RDV_OK ? put_in(a, out, err) : rc;
}

void asked_records_end(asked_records *a)
{
    for (size_t i = 0; i < a->n; i++)
        rdv_plan_free(&a->lines[i].plan);
}
