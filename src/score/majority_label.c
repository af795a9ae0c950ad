/* SPDX-License-Identifier: Apache-2.0 */
/* One label from the labels of many annotators. */
#include "score/agree.h"

#include "base/arena.h"
#include "base/str.h"

#include <stdlib.h>

int rdv_tie_named(rdv_str name, rdv_tie_kind *out)
{
    static const char *const names[] = {"unknown", "first", "last"};
    int i = rdv_named(name, names, sizeof names / sizeof *names);
    if (i >= 0)
        *out = (rdv_tie_kind)i;
    return i < 0 ? RDV_NONE : RDV_OK;
}

rdv_label rdv_first_wrong(const rdv_step_labels *by, size_t n_steps)
{
    for (size_t i = 0; i < n_steps; i++) {
        if (i >= by->n || by->is[i] < 0)
            return (rdv_label){RDV_LABEL_UNKNOWN, 0};
        if (by->is[i] == 0)
            return (rdv_label){RDV_LABEL_AT, i};
    }
    return (rdv_label){n_steps ? RDV_LABEL_NO_MISTAKE : RDV_LABEL_UNKNOWN, 0};
}

/* "No mistake" comes after every step. */
static size_t place_of(rdv_label label)
{
    return label.kind == RDV_LABEL_AT ? label.step : SIZE_MAX;
}

static int by_place(const void *a, const void *b)
{
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

/* Finds the longest runs of equal values in sorted places: their length, their number, and the
 * value of the first or last of them. */
static size_t longest_run(const size_t *place, size_t n, bool last, size_t *longest, size_t *runs)
{
    size_t best = SIZE_MAX, run = 0;
    *longest = *runs = 0;
    for (size_t i = 0; i < n; i++) {
        run = i > 0 && place[i] == place[i - 1] ? run + 1 : 1;
        bool ends = i + 1 == n || place[i + 1] != place[i];
        if (!ends || run < *longest)
            continue;
        *runs = run > *longest ? 1 : *runs + 1;
        if (run > *longest || last)
            best = place[i];
        *longest = run;
    }
    return best;
}

int rdv_majority_label(const rdv_label *labels, size_t n, rdv_tie_kind ties, rdv_arena *arena,
                       rdv_majority *out, rdv_error *err)
{
    size_t *place = RDV_NEW_ARRAY(arena, size_t, n), votes = 0, won, runs;
    if (!place)
        return rdv_no_memory(err);
    for (size_t i = 0; i < n; i++)
        if (labels[i].kind != RDV_LABEL_UNKNOWN)
            place[votes++] = place_of(labels[i]);
    qsort(place, votes, sizeof *place, by_place);
    size_t best = longest_run(place, votes, ties == RDV_TIE_LAST, &won, &runs);
    *out = (rdv_majority){.votes = votes, .won = won, .tied = runs > 1};
    if (votes == 0 || (out->tied && ties == RDV_TIE_UNKNOWN))
        return RDV_OK;
    out->label.kind = best == SIZE_MAX ? RDV_LABEL_NO_MISTAKE : RDV_LABEL_AT;
    out->label.step = best == SIZE_MAX ? 0 : best;
    return RDV_OK;
}
