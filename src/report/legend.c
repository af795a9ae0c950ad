/* SPDX-License-Identifier: Apache-2.0 */
/* What the marks of a view mean: one line for each mark that it shows. */
#include "report/report.h"

#include "base/arena.h"
#include "base/str.h"
#include "report/paint.h"
#include "report/words.h"

static void explain(rdv_paint *p, const word_row *row)
{
    rdv_paint_put(p, rdv_str_of(p->ascii ? row->ascii : row->mark), row->style);
    rdv_paint_putf(p, RDV_DIM, " %s: ", row->name);
    rdv_paint_text(p, rdv_str_of(row->means), RDV_DIM, NULL, 0);
    rdv_paint_end_line(p);
}

int rdv_view_legend(const word_counts *proving, const word_counts *judged,
                    const rdv_view_options *options, rdv_arena *arena, rdv_str *out, rdv_error *err)
{
    rdv_paint p;
    rdv_paint_begin(&p, options, arena);
    p.indent = 2;
    for (word is = 0; is < N_WORDS; is++) {
        const word_row *proven = word_row_of(is, true), *said = word_row_of(is, false);
        if (proving->is[is])
            explain(&p, proven);
        if (judged->is[is] && (said != proven || !proving->is[is]))
            explain(&p, said);
    }
    rdv_str text = rdv_buf_str(&p.out);
    if (!text.p)
        return rdv_no_memory(err);
    *out = text;
    return RDV_OK;
}
