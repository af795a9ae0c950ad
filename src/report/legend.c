/* SPDX-License-Identifier: Apache-2.0 */
/* What the marks of a view mean: one line for each mark that it shows. */
#include "report/report.h"

#include "base/arena.h"
#include "base/str.h"
#include "report/paint.h"

static const struct {
    rdv_verdict_kind is;
    const char *means;
} meanings[] = {
    {RDV_SUPPORT, "support: the check found the step right"},
    {RDV_UNRELATED, "unrelated: the step has nothing that the check decides"},
    {RDV_CONTRADICT, "contradict: the check found the step wrong"},
    {RDV_UNKNOWN, "unknown: the check could not decide; this never counts as right"},
};

int rdv_view_legend(const rdv_findings *found, const rdv_view_options *options, rdv_arena *arena,
                    rdv_str *out, rdv_error *err)
{
    rdv_paint p;
    rdv_paint_begin(&p, options, arena);
    p.indent = 2;
    for (size_t i = 0; i < sizeof meanings / sizeof *meanings; i++) {
        if (!found->verdicts[i]) /* they are counted in this order */
            continue;
        rdv_paint_put(&p, rdv_verdict_mark(meanings[i].is, p.ascii),
                      rdv_verdict_style(meanings[i].is));
        rdv_paint_lit(&p, " ", RDV_PLAIN);
        rdv_paint_text(&p, rdv_str_of(meanings[i].means), RDV_DIM, NULL, 0);
        rdv_paint_end_line(&p);
    }
    rdv_str text = rdv_buf_str(&p.out);
    if (!text.p)
        return rdv_no_memory(err);
    *out = text;
    return RDV_OK;
}
