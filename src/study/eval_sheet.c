/* SPDX-License-Identifier: Apache-2.0 */
/* Adding figures and curves to an evaluation. */
#include "study/eval.h"

#include "base/arena.h"

void eval_figure_add(eval_sheet *sheet, const char *name, const char *of, rdv_estimate is)
{
    eval_figures *f = &sheet->out;
    if (!RDV_PUSH_ROOM(sheet->study->arena, f->figures, f->n_figures, sheet->cap_figures)) {
        sheet->failed = true;
        return;
    }
    f->figures[f->n_figures++] = (eval_figure){name, of, is};
}

eval_curve *eval_curve_add(eval_sheet *sheet, const char *name, const char *x, const char *of,
                           size_t n)
{
    eval_figures *f = &sheet->out;
    rdv_arena *arena = sheet->study->arena;
    eval_point *points = RDV_NEW_ARRAY(arena, eval_point, n);
    if (!points || !RDV_PUSH_ROOM(arena, f->curves, f->n_curves, sheet->cap_curves)) {
        sheet->failed = true;
        return NULL;
    }
    eval_curve *curve = &f->curves[f->n_curves++];
    *curve = (eval_curve){.name = name, .x = x, .of = of, .points = points, .n_points = n};
    return curve;
}
