/* SPDX-License-Identifier: Apache-2.0 */
/* Annotations as lines of JSON, and as a sheet to be filled in by people. */
#include "data/annotation/annotations.h"

#include "base/arena.h"
#include "base/json.h"
#include "base/str.h"
#include "data/csv.h"
#include "data/export/format.h"
#include "data/write.h"

int rdv_annotations_write(const rdv_chain *chain, rdv_arena *arena, rdv_str *lines, rdv_error *err)
{
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    for (size_t i = 0; i < chain->n_step_labels; i++) {
        rdv_write_begin(&b);
        rdv_json_put_text(&b, "id", chain->id);
        rdv_write_labels(&b, &chain->step_labels[i]);
        rdv_buf_lit(&b, "}\n");
    }
    if (!rdv_buf_ok(&b))
        return rdv_no_memory(err);
    *lines = b.len ? rdv_buf_str(&b) : RDV_STR("");
    return RDV_OK;
}

/* ---- a sheet --------------------------------------------------------------------------------- */

enum { TARGET = 3 }; /* the column of the right answer */

static void row(rdv_buf *b, const rdv_sheet_options *o, rdv_str id, rdv_str step, rdv_str text,
                rdv_str target)
{
    const rdv_str cells[] = {id, step, text, [TARGET] = target, o->by, o->of};
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
        if (i == TARGET && o->no_target)
            continue;
        rdv_csv_cell(b, cells[i]);
        rdv_buf_lit(b, ",");
    }
    rdv_buf_lit(b, "\n"); /* the last column, "label", is to be filled in */
}

int rdv_annotation_sheet(const rdv_chain *chain, const rdv_sheet_options *o, rdv_arena *arena,
                         rdv_str *rows, rdv_error *err)
{
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    if (!chain) {
        rdv_buf_printf(&b, "id,step,text,%sannotator,criterion,label\n",
                       o->no_target ? "" : "target,");
    } else {
        rdv_str question = rdv_export_question(chain, arena);
        if (!question.p)
            return rdv_no_memory(err);
        row(&b, o, chain->id, RDV_STR(""), question, chain->question.gold);
    }
    for (size_t i = 0; chain && i < chain->n_steps; i++) {
        rdv_str number = rdv_str_printf(arena, "%zu", i + o->count_from);
        if (!number.p)
            return rdv_no_memory(err);
        row(&b, o, chain->id, number, chain->steps[i], RDV_STR(""));
    }
    if (!rdv_buf_ok(&b))
        return rdv_no_memory(err);
    *rows = rdv_buf_str(&b);
    return RDV_OK;
}
