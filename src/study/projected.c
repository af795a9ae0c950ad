/* SPDX-License-Identifier: Apache-2.0 */
/* BIG-Bench Mistake, section 4.1.2: the accuracy after backtracking of a task whose accuracy before
 * is another than that of the traces at hand. */
#include "study/traces.h"

#include "base/arena.h"
#include "base/str.h"
#include "score/estimate.h"

#include <math.h>

static const rdv_column columns[] = {
    COLUMN("locator", TEXT),
    COLUMN("group", TEXT),
    SOURCE_COLUMNS,
    COLUMN("task", TEXT),
    COLUMN("after.25", SHARE),
    COLUMN("after.50", SHARE),
    COLUMN("after.75", SHARE),
    COLUMN("after.90", SHARE),
    COLUMN("after.99", SHARE),
    COLUMN("break_even", PERCENT),
};
static const double before[] = {.25, .5, .75, .9, .99};
#define N_BEFORE (sizeof before / sizeof *before)
#define N_LABELS 6

/* Of a share `a` of right traces as many stay right as did here, and of the others as many become
 * right. The traces of both kinds are different ones, so that their errors are independent. */
static rdv_estimate projected(double a, const rdv_estimate *lost, const rdv_estimate *gained)
{
    double value = a * (1 + lost->value) + (1 - a) * gained->value;
    double se = hypot(a * lost->se, (1 - a) * gained->se);
    size_t n = lost->n + gained->n;
    return rdv_estimate_unit(value, se, n, n);
}

void projected_begin(rdv_study_table *table, rdv_arena *arena)
{
    *table = table_new(arena, "projected", COLUMNS_OF(columns));
    table->title = RDV_STR("accuracy after backtracking where 25 % (50, 75, 90, 99 %) of the "
                           "answers are right before; at break_even it stays");
}

void projected_add(rdv_study_table *table, const rdv_cell *labels, rdv_str task,
                   const rdv_estimate *lost, const rdv_estimate *gained)
{
    rdv_cell *row = lost->n && gained->n ? table_row(table) : NULL;
    if (!row)
        return;
    memcpy(row, labels, (N_LABELS - 1) * sizeof *row);
    row[N_LABELS - 1] = table_text(task);
    for (size_t i = 0; i < N_BEFORE; i++)
        row[N_LABELS + i] = table_estimate(projected(before[i], lost, gained));
    double change = gained->value - lost->value;
    row[N_LABELS + N_BEFORE] = table_number(change > 0 ? gained->value / change : NAN);
}
