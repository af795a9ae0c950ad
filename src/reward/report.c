/* SPDX-License-Identifier: Apache-2.0 */
/* How good the judgements were: figures by group, and calibration. */
#include "reward/feature_set.h"

#include "base/arena.h"
#include "reward/reward.h"
#include "reward/trainer.h"
#include "score/eval.h"

#include <math.h>

/* What the metrics take, for the chains of one group. */
typedef struct gathered {
    rdv_located *located;
    rdv_detected *detected;
    rdv_scored *steps, *first;
    size_t *places; /* chains whose first mistake is at step i; the last one: no error */
    size_t n, n_detected, n_steps, n_first, n_places;
} gathered;

static bool make_gathered(const rdv_trainer *t, rdv_arena *arena, gathered *g)
{
    *g = (gathered){.located = RDV_NEW_ARRAY(arena, rdv_located, t->n_examples),
                    .detected = RDV_NEW_ARRAY(arena, rdv_detected, t->n_examples),
                    .steps = RDV_NEW_ARRAY(arena, rdv_scored, t->n_rows),
                    .first = RDV_NEW_ARRAY(arena, rdv_scored, t->n_rows)};
    for (size_t k = 0; k < t->n_examples; k++)
        g->n_places = t->examples[k].n + 1 > g->n_places ? t->examples[k].n + 1 : g->n_places;
    g->places = RDV_NEW_ARRAY(arena, size_t, g->n_places);
    return g->located && g->detected && g->steps && g->first && g->places;
}

/* A score is P(right), as the metrics say that positive is right. */
static void gather(const example *e, size_t question, rdv_label found, const double *chances,
                   gathered *g)
{
    g->located[g->n++] = (rdv_located){e->label, found, question};
    if (e->correct >= 0)
        g->detected[g->n_detected++] = (rdv_detected){e->correct == 1, found.kind, question};
    for (size_t i = 0; i < e->n; i++) {
        double right = 1 - chances[e->first + i];
        int first = learn_row_class(e, i, RDV_AFTER_LEFT_OUT);
        g->steps[g->n_steps++] =
            (rdv_scored){right, learn_row_class(e, i, RDV_AFTER_WRONG) == 0, question};
        if (first >= 0)
            g->first[g->n_first++] = (rdv_scored){right, first == 0, question};
    }
    bool has = e->label.kind == RDV_LABEL_AT;
    g->places[has ? e->label.step : g->n_places - 1]++;
}

static int conclude(const gathered *g, rdv_arena *arena, rdv_train_figures *out, rdv_error *err)
{
    size_t most = 0;
    out->chains = g->n;
    out->steps = g->n_steps;
    for (size_t i = 0; i < g->n_places; i++)
        most = g->places[i] > most ? g->places[i] : most;
    out->constant = (double)most / (double)g->n;
    int r = rdv_locate_score(g->located, g->n, arena, &out->location, err);
    if (r == RDV_OK)
        r = rdv_weighted_f1(g->detected, g->n_detected, arena, &out->weighted_f1, err);
    if (r == RDV_OK)
        r = rdv_auc(g->steps, g->n_steps, arena, &out->auc, err);
    return r == RDV_OK ? rdv_auc(g->first, g->n_first, arena, &out->auc_first, err) : r;
}

/* Questions by their number, as the standard errors are over questions. */
static int number_questions(const rdv_trainer *t, rdv_arena *arena, size_t **out)
{
    feature_set set = {.arena = arena};
    size_t n = 0, *of = RDV_NEW_ARRAY(arena, size_t, t->n_examples);
    if (!of)
        return RDV_E_NOMEM;
    for (size_t k = 0; k < t->n_examples; k++) {
        uint64_t hash = t->examples[k].question;
        of[k] = feature_set_last(&set, hash);
        if (of[k] == FEATURE_SET_NEVER && feature_set_add(&set, hash, of[k] = n++) < 0)
            return RDV_E_NOMEM;
    }
    *out = of;
    return RDV_OK;
}

static int figures_of_group(const rdv_trainer *t, size_t group, const bool *judged,
                            const rdv_label *found, const double *chances, const size_t *questions,
                            rdv_arena *arena, rdv_train_figures *out, rdv_error *err)
{
    gathered g;
    if (!make_gathered(t, arena, &g))
        return rdv_no_memory(err);
    for (size_t k = 0; k < t->n_examples; k++)
        if (judged[k] && t->examples[k].group == group)
            gather(&t->examples[k], questions[k], found[k], chances, &g);
    return g.n ? conclude(&g, arena, out, err) : RDV_NONE;
}

int report_figures(const rdv_trainer *t, const bool *judged, const rdv_label *found,
                   const double *chances, bool held_out, rdv_arena *arena, rdv_training *out,
                   rdv_error *err)
{
    size_t *questions;
    if (!out->figures)
        out->figures = RDV_NEW_ARRAY(arena, rdv_train_figures, 2 * t->n_groups);
    if (!out->figures || number_questions(t, arena, &questions) < 0)
        return rdv_no_memory(err);
    for (size_t i = 0; i < t->n_groups; i++) {
        rdv_train_figures of = {.group = t->groups[i], .held_out = held_out};
        rdv_mark mark = rdv_arena_mark(arena);
        int r = figures_of_group(t, i, judged, found, chances, questions, arena, &of, err);
        rdv_arena_rewind(arena, mark);
        if (r < 0)
            return r;
        if (r == RDV_OK)
            out->figures[out->n_figures++] = of;
    }
    return RDV_OK;
}

void report_calibration(const rdv_trainer *t, const bool *judged, const double *chances,
                        rdv_reward_after after, rdv_training *out)
{
    double squares = 0, n = 0, error = 0;
    for (size_t k = 0; k < t->n_examples; k++) {
        const example *e = &t->examples[k];
        for (size_t i = 0; i < e->n && judged[k]; i++) {
            double p = chances[e->first + i];
            int is = learn_row_class(e, i, after);
            if (is < 0)
                continue;
            size_t bin = (size_t)(p * RDV_TRAIN_BINS);
            rdv_train_bin *b = &out->bins[bin < RDV_TRAIN_BINS ? bin : RDV_TRAIN_BINS - 1];
            b->said += p;
            b->is += is;
            b->n++;
            squares += (p - is) * (p - is);
            n++;
        }
    }
    for (size_t i = 0; i < RDV_TRAIN_BINS; i++) {
        rdv_train_bin *b = &out->bins[i];
        error += b->n ? fabs(b->said - b->is) : 0;
        b->said = b->n ? b->said / (double)b->n : NAN;
        b->is = b->n ? b->is / (double)b->n : NAN;
    }
    out->brier = n > 0 ? squares / n : NAN;
    out->calibration_error = n > 0 ? error / n : NAN;
}
