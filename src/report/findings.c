/* SPDX-License-Identifier: Apache-2.0 */
#include "report/report.h"

#include "base/arena.h"
#include "base/str.h"
#include "report/paint.h"
#include "report/verdicts.h"
#include "report/words.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

void rdv_findings_add(rdv_findings *found, const rdv_check *check)
{
    found->chains++;
    word_counts_add(&found->words, check);
    if (check->skipped)
        return;
    for (size_t i = 0; i < check->n_verdicts; i++)
        found->verdicts[rdv_verdict_index(check->verdicts[i].kind)]++;
    if (check->first_error == RDV_NO_STEP)
        found->no_error++;
    else if (check->first_error == RDV_STEP_UNKNOWN)
        found->error_unknown++;
    else
        found->first_error[check->first_error < RDV_FINDINGS_STEPS ? check->first_error
                                                                   : RDV_FINDINGS_STEPS - 1]++;
    if (check->first_error < RDV_STEP_UNKNOWN && word_proves(check)) { /* no matter of degree */
        found->proven_wrong++;
        return;
    }
    if (isnan(check->confidence)) {
        found->without_confidence++;
        return;
    }
    double tenth = floor(check->confidence * 10);
    found->confidence[tenth < 0 ? 0 : tenth > 9 ? 9 : (size_t)tenth]++;
}

/* ---- the picture ----------------------------------------------------------------------------- */

#define LABEL_COLUMNS 20
#define COUNT_COLUMNS 10

/* A bar of `value` out of `most`, in eighths of a column; a value above 0 is always visible. */
static void put_bar(rdv_paint *p, uint64_t value, uint64_t most, rdv_style style)
{
    static const char *const eighths[] = {"",
                                          "\xe2\x96\x8f",
                                          "\xe2\x96\x8e",
                                          "\xe2\x96\x8d",
                                          "\xe2\x96\x8c",
                                          "\xe2\x96\x8b",
                                          "\xe2\x96\x8a",
                                          "\xe2\x96\x89"};
    size_t taken = LABEL_COLUMNS + COUNT_COLUMNS + 2;
    size_t room = p->width > taken ? p->width - taken : 0;
    double share = most ? (double)value / (double)most : 0;
    size_t n = (size_t)(share * (double)room * 8);
    if (value && n == 0 && room)
        n = 1;
    if (p->ascii)
        n = (n + 7) / 8 * 8;
    for (size_t i = 0; i < n / 8; i++)
        rdv_paint_put(p, p->ascii ? RDV_STR("#") : RDV_STR("\xe2\x96\x88"), style);
    rdv_paint_put(p, rdv_str_of(eighths[n % 8]), style);
}

static void put_row(rdv_paint *p, uint64_t value, uint64_t most, rdv_style style)
{
    rdv_paint_to(p, LABEL_COLUMNS);
    rdv_paint_putf(p, RDV_PLAIN, "%*" PRIu64, COUNT_COLUMNS, value);
    if (value) {
        rdv_paint_lit(p, "  ", RDV_PLAIN);
        put_bar(p, value, most, style);
    }
    rdv_paint_end_line(p);
}

static uint64_t most_of(const uint64_t *values, size_t n, uint64_t most)
{
    for (size_t i = 0; i < n; i++)
        most = values[i] > most ? values[i] : most;
    return most;
}

static void put_steps(rdv_paint *p, const rdv_findings *t)
{
    uint64_t most = most_of(t->words.is, N_WORDS, 0);
    rdv_paint_lit(p, "steps", RDV_BOLD);
    rdv_paint_end_line(p);
    for (word is = 0; is < N_WORDS; is++) {
        const word_row *row = word_row_of(is, !t->words.judged);
        if (!t->words.is[is] && is != WORD_WRONG)
            continue;
        rdv_paint_to(p, 2);
        rdv_paint_put(p, rdv_str_of(p->ascii ? row->ascii : row->mark), row->style);
        rdv_paint_putf(p, RDV_PLAIN, " %s", row->name);
        put_row(p, t->words.is[is], most, row->style);
    }
}

static void put_first_errors(rdv_paint *p, const rdv_findings *t)
{
    uint64_t without = t->no_error > t->error_unknown ? t->no_error : t->error_unknown;
    uint64_t most = most_of(t->first_error, RDV_FINDINGS_STEPS, without);
    rdv_paint_lit(p, "first error", RDV_BOLD);
    rdv_paint_end_line(p);
    rdv_paint_lit(p, "  none", RDV_PLAIN);
    put_row(p, t->no_error, most, RDV_GREEN);
    for (size_t i = 0; i < RDV_FINDINGS_STEPS; i++) {
        if (!t->first_error[i])
            continue;
        rdv_paint_putf(p, RDV_PLAIN, "  step %zu%s", i,
                       i + 1 == RDV_FINDINGS_STEPS ? " and later" : "");
        put_row(p, t->first_error[i], most, RDV_RED);
    }
    if (!t->error_unknown)
        return;
    rdv_paint_lit(p, "  undecided", RDV_PLAIN);
    put_row(p, t->error_unknown, most, RDV_YELLOW);
}

static void put_confidences(rdv_paint *p, const rdv_findings *t)
{
    uint64_t beside = t->proven_wrong > t->without_confidence ? t->proven_wrong
                                                              : t->without_confidence;
    uint64_t most = most_of(t->confidence, 10, beside);
    rdv_paint_lit(p, "confidence", RDV_BOLD);
    rdv_paint_end_line(p);
    for (size_t i = 10; i-- > 0;) {
        if (!t->confidence[i])
            continue;
        rdv_paint_putf(p, RDV_PLAIN, "  %.1f to %.1f", (double)i / 10, (double)(i + 1) / 10);
        put_row(p, t->confidence[i], most, RDV_PLAIN);
    }
    if (t->proven_wrong) {
        rdv_paint_lit(p, "  proven wrong", RDV_PLAIN);
        put_row(p, t->proven_wrong, most, RDV_RED);
    }
    if (t->without_confidence) {
        rdv_paint_lit(p, "  none", RDV_PLAIN);
        put_row(p, t->without_confidence, most, RDV_YELLOW);
    }
}

int rdv_view_findings(const rdv_findings *found, const rdv_view_options *options, rdv_arena *arena,
                      rdv_str *out, rdv_error *err)
{
    rdv_paint p;
    rdv_paint_begin(&p, options, arena);
    if (found->chains) {
        put_steps(&p, found);
        put_first_errors(&p, found);
        put_confidences(&p, found);
    }
    rdv_str text = rdv_buf_str(&p.out);
    if (!text.p)
        return rdv_no_memory(err);
    *out = text;
    return RDV_OK;
}
