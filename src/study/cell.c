/* SPDX-License-Identifier: Apache-2.0 */
#include "study/cell.h"

#include <math.h>
#include <stdio.h>

bool rdv_cell_in_percent(rdv_cell_kind kind)
{
    return kind == RDV_CELL_SHARE || kind == RDV_CELL_GAIN || kind == RDV_CELL_PERCENT;
}

static void show_estimate(const rdv_study_table *t, const rdv_cell *cell, const char *plus_minus,
                          char shown[RDV_CELL_BYTES])
{
    bool percent = rdv_cell_in_percent(cell->kind);
    double times = percent ? 100 : 1;
    int digits = percent ? t->decimals : 3;
    const char *value = cell->kind == RDV_CELL_GAIN ? "%+.*f" : "%.*f";
    int n = snprintf(shown, RDV_CELL_BYTES, value, digits, times * cell->is.value);
    if (!isnan(cell->is.se) && n > 0 && n < RDV_CELL_BYTES)
        snprintf(shown + n, (size_t)(RDV_CELL_BYTES - n), " %s %.*f", plus_minus, digits,
                 times * cell->is.se);
}

void rdv_cell_show(const rdv_study_table *t, const rdv_cell *cell, const char *plus_minus,
                   char shown[RDV_CELL_BYTES])
{
    double x = cell->is.value;
    bool whole = fabs(x) < 1e15 && x == floor(x);
    snprintf(shown, RDV_CELL_BYTES, "-");
    if (cell->kind == RDV_CELL_ABSENT || isnan(x))
        return;
    switch (cell->kind) {
    case RDV_CELL_FLAG:
        snprintf(shown, RDV_CELL_BYTES, x > 0 ? "yes" : "no");
        break;
    case RDV_CELL_COUNT:
    case RDV_CELL_NUMBER:
        if (whole)
            snprintf(shown, RDV_CELL_BYTES, "%.0f", x);
        else
            snprintf(shown, RDV_CELL_BYTES, t->digits ? "%.*g" : "%.*f",
                     t->digits ? t->digits : t->decimals, x);
        break;
    case RDV_CELL_P_VALUE:
        snprintf(shown, RDV_CELL_BYTES, "%.2g", x);
        break;
    case RDV_CELL_PERCENT:
        snprintf(shown, RDV_CELL_BYTES, "%.*f", t->decimals, 100 * x);
        break;
    case RDV_CELL_SHARE:
    case RDV_CELL_GAIN:
    case RDV_CELL_VALUE:
        show_estimate(t, cell, plus_minus, shown);
        break;
    case RDV_CELL_ABSENT:
    case RDV_CELL_TEXT:
    case RDV_CELL_FIGURE:
        break;
    }
}
