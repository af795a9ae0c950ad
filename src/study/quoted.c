/* SPDX-License-Identifier: Apache-2.0 */
#include "study/quoted.h"

#include "base/arena.h"
#include "base/str.h"
#include "score/counts.h"
#include "study/source.h"

#include <math.h>

#define LABELS COLUMN("check", TEXT), COLUMN("group", TEXT), SOURCE_COLUMNS
#define LAST_STEP 10 /* it stands for the later ones too */
#define FIFTHS 5

static const rdv_column point_columns[] = {
    LABELS,
    COLUMN("point", TEXT),
    COLUMN("threshold", NUMBER),
    COLUMN_AS("fpr", "fpr", SHARE),
    COLUMN("tpr", SHARE),
    COLUMN_AS("balanced_accuracy", "balanced", SHARE),
    COLUMN_AS("precision_accepted", "accepted right", SHARE),
    COLUMN_AS("precision_rejected", "rejected wrong", SHARE),
    COLUMN("n_accepted", COUNT),
    COLUMN("n_rejected", COUNT),
};
static const rdv_column position_columns[] = {
    LABELS,
    COLUMN_AS("scale", "by", TEXT),
    COLUMN("position", TEXT),
    COLUMN_AS("distinguishing", "distinguishing", SHARE),
    COLUMN_AS("misleading.contradict", "misleading contradict", SHARE),
    COLUMN_AS("misleading.support", "misleading support", SHARE),
    COLUMN_PROGRAM("n_distinguishing", COUNT),
    COLUMN_PROGRAM("n_misleading.contradict", COUNT),
    COLUMN_PROGRAM("n_misleading.support", COUNT),
    COLUMN_AS("n_wrong", "of wrong", COUNT),
    COLUMN_AS("n_right", "of right", COUNT),
};

void quotes_begin(rdv_study *s, bool positions_too, quotes *out)
{
    *out = (quotes){.study = s,
                    .positions_too = positions_too,
                    .points = table_new(s->arena, "quoted", COLUMNS_OF(point_columns)),
                    .positions =
                        table_new(s->arena, "verdict_positions", COLUMNS_OF(position_columns))};
}

static rdv_cell *new_row(rdv_study_table *t, const rdv_cell *labels)
{
    rdv_cell *row = table_row(t);
    for (size_t i = 0; row && i < QUOTES_LABELS; i++)
        row[i] = labels[i];
    return row ? row + QUOTES_LABELS : NULL;
}

/* ---- points ---------------------------------------------------------------------------------- */

static bool is_scored(const rdv_eval_item *item)
{
    return item_is_checked(item) && item->vote.ballot.correct >= 0 &&
           !isnan(item->vote.ballot.weight);
}

static rdv_estimate opposite(rdv_estimate is)
{
    return (rdv_estimate){1 - is.value, is.se, 1 - is.high, 1 - is.low, is.n};
}

/* Add the rates of acceptance at `t`; shown: the threshold as the row shows it, NaN: none. */
static int add_point(quotes *q, const rdv_cell *labels, const char *name, const rdv_scored *s,
                     size_t n, double t, double shown, rdv_error *err)
{
    rdv_rates rates;
    int r = rdv_rates_at(s, n, t, q->study->arena, &rates, err);
    rdv_cell *row = r == RDV_OK ? new_row(&q->points, labels) : NULL;
    if (!row)
        return r;
    *row++ = table_text(rdv_str_of(name));
    *row++ = table_number(shown);
    *row++ = table_estimate(opposite(rates.tnr));
    *row++ = table_estimate(rates.tpr);
    *row++ = table_estimate(rates.balanced);
    *row++ = table_estimate(rates.precision_accepted);
    *row++ = table_estimate(rates.precision_rejected);
    *row++ = table_count(rates.precision_accepted.n);
    *row++ = table_count(rates.precision_rejected.n);
    return RDV_OK;
}

/* The chains that the check's own rule decides; their scores become 1 or 0. *threshold: the one
 * that all of them have in common, or NaN. */
static size_t decided(const rdv_eval_item *items, size_t n, rdv_scored *out, double *threshold)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        const rdv_eval_item *item = &items[i];
        int accepted = is_scored(item) ? item_accepted(item) : -1;
        if (accepted < 0)
            continue;
        double own = item->check->rule == ACCEPT_CONFIDENCE ? item->check->threshold : NAN;
        *threshold = kept == 0 || *threshold == own ? own : NAN;
        out[kept++] = (rdv_scored){accepted, item->vote.ballot.correct == 1, item->vote.question};
    }
    return kept;
}

/* The threshold with the largest mean of both rates; of equal ones the highest. NaN: there are no
 * right or no wrong chains. */
static int best_threshold(const rdv_scored *s, size_t n, rdv_arena *arena, double *out,
                          rdv_error *err)
{
    rdv_roc_point *roc;
    size_t n_roc;
    double best = NAN;
    *out = NAN;
    int r = rdv_roc(s, n, arena, &roc, &n_roc, err);
    for (size_t i = 1; r == RDV_OK && i < n_roc; i++) {
        double balanced = (roc[i].tpr + 1 - roc[i].fpr) / 2;
        if (isnan(best) || balanced > best) {
            best = balanced;
            *out = roc[i].threshold;
        }
    }
    return r < 0 ? r : RDV_OK;
}

static int add_points(quotes *q, const rdv_cell *labels, const rdv_eval_item *items, size_t n,
                      bool own_only, rdv_error *err)
{
    rdv_scored *s = RDV_NEW_ARRAY(q->study->arena, rdv_scored, n);
    double low = INFINITY, high = -INFINITY, best, own = NAN;
    size_t scored = 0, kept;
    if (!s)
        return rdv_no_memory(err);
    for (size_t i = 0; i < n; i++) {
        if (!is_scored(&items[i]))
            continue;
        double x = items[i].vote.ballot.weight;
        s[scored++] = (rdv_scored){x, items[i].vote.ballot.correct == 1, items[i].vote.question};
        low = fmin(low, x);
        high = fmax(high, x);
    }
    if (scored == 0)
        return RDV_OK;
    int r = best_threshold(s, scored, q->study->arena, &best, err);
    if (r == RDV_OK && !own_only)
        r = add_point(q, labels, "all accepted", s, scored, low, low, err);
    if (r == RDV_OK && !own_only)
        r = add_point(q, labels, "threshold 0.5", s, scored, 0.5, 0.5, err);
    if (r == RDV_OK && !own_only && !isnan(best))
        r = add_point(q, labels, "best mean of rates", s, scored, best, best, err);
    if (r == RDV_OK && !own_only)
        r = add_point(q, labels, "highest confidence", s, scored, high, high, err);
    kept = decided(items, n, s, &own);
    return r == RDV_OK && kept ? add_point(q, labels, "own rule", s, kept, 1, own, err) : r;
}

/* ---- positions ------------------------------------------------------------------------------- */

const int8_t *quotes_kinds(rdv_study *s, const rdv_check *check, size_t n_steps, bool *failed)
{
    if (!check || n_steps == 0 || check->n_verdicts == 0 ||
        check->verdicts[0].step == RDV_WHOLE_CHAIN)
        return NULL;
    int8_t *kinds = RDV_NEW_ARRAY(s->arena, int8_t, n_steps);
    *failed = *failed || !kinds;
    for (size_t i = 0; kinds && i < n_steps; i++)
        kinds[i] = RDV_UNKNOWN;
    for (size_t i = 0; kinds && i < check->n_verdicts; i++)
        if (check->verdicts[i].step < n_steps)
            kinds[check->verdicts[i].step] = (int8_t)check->verdicts[i].kind;
    return kinds;
}

/* Verdicts at one position: of wrong chains and of right ones, and those that stand out. */
enum { WRONG, RIGHT, DISTINGUISHING, MISLEADING_CONTRADICT, MISLEADING_SUPPORT, COUNTED };

static double distinguishing(const double *c)
{
    return rdv_ratio(c[DISTINGUISHING], c[WRONG]);
}

static double misleading_contradict(const double *c)
{
    return rdv_ratio(c[MISLEADING_CONTRADICT], c[RIGHT]);
}

static double misleading_support(const double *c)
{
    return rdv_ratio(c[MISLEADING_SUPPORT], c[WRONG]);
}

static size_t place_of(size_t step, size_t n_steps, bool fifths)
{
    return fifths ? step * FIFTHS / n_steps : step < LAST_STEP ? step : LAST_STEP;
}

static void count_chain(const rdv_eval_item *item, bool fifths, size_t place, double *c)
{
    const item_check *is = item->check;
    bool right = item->vote.ballot.correct == 1;
    for (size_t i = 0; i < is->n_steps; i++) {
        if (place_of(i, is->n_steps, fifths) != place || is->kinds[i] == RDV_UNKNOWN)
            continue;
        bool contradict = is->kinds[i] == RDV_CONTRADICT;
        c[right ? RIGHT : WRONG]++;
        c[DISTINGUISHING] += contradict && !right;
        c[MISLEADING_CONTRADICT] += contradict && right;
        c[MISLEADING_SUPPORT] +=
            !right && is->kinds[i] == RDV_SUPPORT && is->counts.contradict == 0;
    }
}

static rdv_str place_name(rdv_arena *arena, size_t place, bool fifths)
{
    if (fifths)
        return rdv_str_printf(arena, "%zu to %zu %%", 100 * place / FIFTHS,
                              100 * (place + 1) / FIFTHS);
    return rdv_str_printf(arena, place == LAST_STEP ? "%zu+" : "%zu", place);
}

static int add_position(quotes *q, const rdv_cell *labels, const rdv_eval_item *items, size_t n,
                        bool fifths, size_t place, rdv_error *err)
{
    static double (*const shares[])(const double *) = {distinguishing, misleading_contradict,
                                                       misleading_support};
    rdv_counts counts;
    rdv_arena *arena = q->study->arena;
    int r = rdv_counts_new(items, n, sizeof *items, offsetof(rdv_eval_item, vote.question), COUNTED,
                           arena, &counts, err);
    if (r < 0)
        return r;
    for (size_t i = 0; i < n; i++)
        count_chain(&items[i], fifths, place, rdv_counts_row(&counts, i));
    size_t wrong = rdv_counts_total(&counts, WRONG), right = rdv_counts_total(&counts, RIGHT);
    rdv_cell *row = wrong + right ? new_row(&q->positions, labels) : NULL;
    if (!row)
        return RDV_OK;
    *row++ = table_text(fifths ? RDV_STR("share of the chain") : RDV_STR("step"));
    *row++ = table_text(place_name(arena, place, fifths));
    for (size_t i = 0; i < 3; i++)
        *row++ = table_estimate(rdv_counts_estimate(&counts, shares[i], i == 1 ? right : wrong));
    for (size_t i = 0; i < 3; i++)
        *row++ = table_count(rdv_counts_total(&counts, DISTINGUISHING + i));
    *row++ = table_count(wrong);
    *row++ = table_count(right);
    return RDV_OK;
}

static int add_positions(quotes *q, const rdv_cell *labels, const rdv_eval_item *items, size_t n,
                         rdv_error *err)
{
    rdv_eval_item *by_step = RDV_NEW_ARRAY(q->study->arena, rdv_eval_item, n);
    size_t kept = 0;
    int r = by_step ? RDV_OK : rdv_no_memory(err);
    for (size_t i = 0; r == RDV_OK && i < n; i++)
        if (!items[i].check->by_scores && items[i].check->kinds && item_is_checked(&items[i]) &&
            items[i].vote.ballot.correct >= 0)
            by_step[kept++] = items[i];
    for (size_t place = 0; r == RDV_OK && kept && place <= LAST_STEP; place++)
        r = add_position(q, labels, by_step, kept, false, place, err);
    for (size_t place = 0; r == RDV_OK && kept && place < FIFTHS; place++)
        r = add_position(q, labels, by_step, kept, true, place, err);
    return r;
}

/* ---- both ------------------------------------------------------------------------------------ */

int quotes_add(quotes *q, const rdv_cell *labels, const rdv_eval_item *items, size_t n,
               bool points_only, rdv_error *err)
{
    int r = add_points(q, labels, items, n, points_only, err);
    return r == RDV_OK && q->positions_too && !points_only ? add_positions(q, labels, items, n, err)
                                                           : r;
}

static int put(quotes *q, rdv_study_table *t, rdv_error *err)
{
    static const char *const labels[] = {"group", "generator", "checker", "profile"};
    int r = RDV_OK;
    for (size_t i = 0; r == RDV_OK && i < sizeof labels / sizeof *labels; i++)
        r = source_hide(t, labels[i], false, err);
    return r == RDV_OK ? study_put(q->study, t, err) : r;
}

int quotes_put(quotes *q, rdv_error *err)
{
    q->points.digits = 6;
    q->points.title = RDV_STR("rates at the thresholds that the text quotes");
    table_note(&q->points, "best mean of rates: the threshold is chosen on these chains");
    q->positions.title = RDV_STR("where verdicts tell wrong chains from right ones, and mislead");
    table_note(&q->positions,
               "distinguishing: contradicted steps of wrong chains; misleading: contradicted steps "
               "of right chains, and supported steps of wrong chains without a contradicted one");
    int r = put(q, &q->points, err);
    return r == RDV_OK && q->positions_too ? put(q, &q->positions, err) : r;
}
