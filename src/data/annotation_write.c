/* SPDX-License-Identifier: Apache-2.0 */
/* Annotations as lines of JSON, and as a sheet to be filled in by people. */
#include "data/annotations.h"

#include "base/arena.h"
#include "base/json.h"
#include "base/str.h"
#include "data/csv.h"
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

static void row(rdv_buf *b, rdv_str id, rdv_str step, rdv_str text, rdv_str by, rdv_str of)
{
    const rdv_str cells[] = {id, step, text, by, of};
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
        rdv_csv_cell(b, cells[i]);
        rdv_buf_lit(b, ",");
    }
    rdv_buf_lit(b, "\n"); /* the last column, "label", is to be filled in */
}

int rdv_annotation_sheet(const rdv_chain *chain, rdv_str by, rdv_str of, size_t count_from,
                         rdv_arena *arena, rdv_str *rows, rdv_error *err)
{
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    if (!chain)
        rdv_buf_lit(&b, "id,step,text,annotator,criterion,label\n");
    else
        row(&b, chain->id, RDV_STR(""), chain->question.text, by, of);
    for (size_t i = 0; chain && i < chain->n_steps; i++) {
        rdv_str number = rdv_str_printf(arena, "%zu", i + count_from);
        if (!number.p)
            return rdv_no_memory(err);
        row(&b, chain->id, number, chain->steps[i], by, of);
    }
    if (!rdv_buf_ok(&b))
        return rdv_no_memory(err);
    *rows = rdv_buf_str(&b);
    return RDV_OK;
}
