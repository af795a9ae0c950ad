/* SPDX-License-Identifier: Apache-2.0 */
/* What general-purpose verification says of all its data sets together (sections 4.2 to 4.5): mean
 * differences, and in how many cases they are gains. */
#include "study/general.h"

#include "base/arena.h"
#include "base/str.h"
#include "score/eval.h"
#include "score/paired.h"

#include <math.h>

static const rdv_column columns[] = {
    SOURCE_COLUMNS,
    COLUMN("comparison", TEXT),
    COLUMN("mean", GAIN),
    COLUMN("better", PERCENT),
    COLUMN("n_better", COUNT),
    COLUMN("n_cases", COUNT),
};

/* The columns of the tables of choices and of votes. */
enum { GROUP, GENERATOR, CHECKER, PROFILE, WHAT, ACCURACY };

/* That of the gain, whose name begins so. */
static size_t gain_column(const rdv_study_table *t)
{
    size_t c = 0;
    while (!t->columns[c].name || !rdv_starts(rdv_str_of(t->columns[c].name), RDV_STR("gain")))
        c++;
    return c;
}

#define NO_GAIN 1e-12 /* sums of equal accuracies in another order */

typedef struct all_sets {
    rdv_study *study;
    const rdv_study_table *from;
    rdv_study_table to;
    double *before, *after; /* the accuracies of the cases that are being compared */
} all_sets;

static const rdv_cell *row_at(const all_sets *s, size_t row)
{
    return s->from->cells + row * s->from->n_columns;
}

static bool same_source(const rdv_cell *a, const rdv_cell *b)
{
    return rdv_str_eq(a[GENERATOR].text, b[GENERATOR].text) &&
           rdv_str_eq(a[CHECKER].text, b[CHECKER].text) &&
           rdv_str_eq(a[PROFILE].text, b[PROFILE].text);
}

static void put(all_sets *s, const rdv_cell *of, rdv_str what, rdv_str with, size_t n)
{
    size_t better = 0;
    for (size_t i = 0; i < n; i++)
        better += s->after[i] - s->before[i] > NO_GAIN;
    rdv_str name =
        rdv_str_printf(s->study->arena, "%.*s - %.*s", RDV_FMT(what), RDV_FMT(with));
    if (n == 0)
        return;
    s->to.failed = s->to.failed || !name.p;
    TABLE_ADD(&s->to, of[GENERATOR], of[CHECKER], of[PROFILE], table_text(name),
              table_estimate(rdv_mean_difference(s->before, s->after, n)),
              table_number((double)better / (double)n), table_count(better), table_count(n));
}

/* A row's gain as two accuracies. That of a choice is the accuracy after, of votes the majority's.
 */
static void put_case(all_sets *s, size_t i, const rdv_cell *row, double gain)
{
    double accuracy = row[ACCURACY].is.value;
    s->before[i] = row[WHAT].text.p ? accuracy - gain : accuracy;
    s->after[i] = row[WHAT].text.p ? accuracy : accuracy + gain;
}

/* The gains of the rows of that source: those of `what`, or p == NULL: all. A vote of one chain
 * gains nothing. */
static size_t gains_of(all_sets *s, const rdv_cell *of, rdv_str what)
{
    size_t n = 0, gain = gain_column(s->from);
    for (size_t i = 0; i < s->from->n_rows; i++) {
        const rdv_cell *row = row_at(s, i);
        bool fits = what.p ? rdv_str_eq(row[WHAT].text, what)
                           : !rdv_str_eq(row[WHAT].text, of[WHAT].text) || row[WHAT].is.value > 1;
        if (fits && same_source(row, of) && !isnan(row[gain].is.value))
            put_case(s, n++, row, row[gain].is.value);
    }
    return n;
}

/* The differences between two rows of each data set. */
static size_t between(all_sets *s, const rdv_cell *of, rdv_str what, rdv_str with)
{
    size_t n = 0;
    for (size_t i = 0; i < s->from->n_rows; i++)
        for (size_t k = 0; k < s->from->n_rows; k++) {
            const rdv_cell *a = row_at(s, i), *b = row_at(s, k);
            double after = a[ACCURACY].is.value, before = b[ACCURACY].is.value;
            if (same_source(a, of) && same_source(b, of) &&
                rdv_str_eq(a[GROUP].text, b[GROUP].text) && rdv_str_eq(a[WHAT].text, what) &&
                rdv_str_eq(b[WHAT].text, with) && !isnan(after) && !isnan(before)) {
                s->before[n] = before;
                s->after[n++] = after;
            }
        }
    return n;
}

/* The rows of the source whose first row is number `first`. */
static void add_source(all_sets *s, size_t first)
{
    const rdv_cell *of = row_at(s, first);
    rdv_str with = of[WHAT].text.p ? of[WHAT].text : RDV_STR("majority");
    rdv_str best = RDV_STR("best score"), likely = RDV_STR("lowest perplexity");
    size_t kinds = 0;
    for (size_t i = first + 1; i < s->from->n_rows && of[WHAT].text.p; i++) {
        const rdv_cell *row = row_at(s, i);
        if (!same_source(row, of) || !rdv_str_eq(row[GROUP].text, of[GROUP].text))
            continue;
        put(s, of, row[WHAT].text, with, gains_of(s, of, row[WHAT].text));
        kinds++;
    }
    put(s, of, best, likely, between(s, of, best, likely));
    if (kinds != 1)
        put(s, of, RDV_STR("any"), with, gains_of(s, of, (rdv_str){0}));
}

/* Whether an earlier row is of the same source; `several`: whether it has several data sets. */
static bool is_first(const all_sets *s, size_t row, bool *several)
{
    const rdv_cell *of = row_at(s, row);
    *several = false;
    for (size_t i = 0; i < s->from->n_rows; i++) {
        if (!same_source(row_at(s, i), of))
            continue;
        if (i < row)
            return false;
        *several |= !rdv_str_eq(row_at(s, i)[GROUP].text, of[GROUP].text);
    }
    return true;
}

int general_data_sets(rdv_study *study, const rdv_study_table *from, rdv_error *err)
{
    all_sets s = {.study = study,
                  .from = from,
                  .to = table_new(study->arena, "data_sets", COLUMNS_OF(columns)),
                  .before = RDV_NEW_ARRAY(study->arena, double, from->n_rows),
                  .after = RDV_NEW_ARRAY(study->arena, double, from->n_rows)};
    if (!s.before || !s.after)
        return rdv_no_memory(err);
    for (size_t i = 0; i < from->n_rows; i++) {
        bool several;
        if (is_first(&s, i, &several) && several)
            add_source(&s, i);
    }
    s.to.title = RDV_STR("over the data sets: mean difference, and the share of cases with a gain");
    if (s.to.n_rows == 0 && !s.to.failed)
        return RDV_OK;
    static const char *const heads[] = {"generator", "checker", "profile"};
    int r = RDV_OK;
    for (size_t i = 0; r == RDV_OK && i < sizeof heads / sizeof *heads; i++)
        r = source_hide(&s.to, heads[i], false, err);
    return r == RDV_OK ? study_put(study, &s.to, err) : r;
}
