/* SPDX-License-Identifier: Apache-2.0 */
/* One row for each step (RFC 4180), with an empty column for what people say of it. */
#include "data/export/format.h"

#include "base/arena.h"
#include "base/json.h"
#include "base/str.h"
#include "data/csv.h"

#include <math.h>

static void head(const rdv_export *exporter, rdv_buf *b)
{
    (void)exporter;
    rdv_buf_lit(b, "file,id,question_id,step,text,method,verdict,score,explanation,first_error,"
                   "confidence,answer,gold,correct,label\r\n");
}

static void put_number(rdv_buf *b, double x)
{
    if (!isnan(x))
        rdv_json_number(b, x);
    rdv_buf_add_char(b, ',');
}

static void put_text(rdv_buf *b, rdv_str text)
{
    rdv_csv_cell(b, text.p ? text : RDV_STR(""));
    rdv_buf_add_char(b, ',');
}

static void put_first_error(rdv_buf *b, const rdv_check *check)
{
    if (check && check->first_error == RDV_STEP_UNKNOWN)
        rdv_buf_lit(b, "unknown");
    else if (check && check->first_error != RDV_NO_STEP)
        rdv_buf_printf(b, "%zu", check->first_error);
    rdv_buf_add_char(b, ',');
}

static void put_row(rdv_export *exporter, const rdv_chain *chain, size_t step,
                    rdv_verdict_kind verdict, const rdv_verdict *v, rdv_buf *b)
{
    const rdv_check *check = rdv_export_check(exporter, chain);
    put_text(b, rdv_str_of(exporter->file));
    put_text(b, chain->id);
    put_text(b, chain->question.id);
    rdv_buf_printf(b, "%zu,", step);
    put_text(b, chain->steps[step]);
    put_text(b, check ? check->method : (rdv_str){0});
    put_text(b, rdv_str_of(rdv_verdict_name(verdict)));
    put_number(b, v ? v->score : NAN);
    put_text(b, v ? v->why : (rdv_str){0});
    put_first_error(b, check);
    put_number(b, check ? check->confidence : NAN);
    put_text(b, chain->answer);
    put_text(b, chain->question.gold);
    if (chain->correct >= 0)
        rdv_buf_add(b, rdv_str_of(chain->correct ? "true" : "false"));
    rdv_buf_lit(b, ",\r\n"); /* the label is a person's */
}

static int item(rdv_export *exporter, const rdv_chain *chain, rdv_arena *arena, rdv_buf *b,
                rdv_error *err)
{
    rdv_verdict_kind *verdicts;
    const rdv_verdict **by_step =
        rdv_export_by_step(rdv_export_check(exporter, chain), chain, arena);
    int code = rdv_export_verdicts(exporter, chain, arena, &verdicts, err);
    if (code != RDV_OK || !by_step)
        return rdv_no_memory(err);
    for (size_t i = 0; i < chain->n_steps; i++)
        put_row(exporter, chain, i, verdicts[i], by_step[i], b);
    return RDV_OK;
}

const rdv_export_format rdv_export_csv = {
    .name = "csv",
    .about = "a table with a row for each step",
    .head = head,
    .item = item,
    .between = "",
    .tail = "",
};
