/* SPDX-License-Identifier: Apache-2.0 */
#include "train_report.h"
#include "table_print.h"

#include "base/buf.h"
#include "base/json.h"
#include "base/str.h"
#include "reward/reward.h"

#include <math.h>

#define GAINS_SHOWN 15

/* ---- for people ------------------------------------------------------------------------------ */

static void put_percent(rdv_buf *b, double x)
{
    if (isnan(x))
        rdv_buf_printf(b, "%9s", "-");
    else
        rdv_buf_printf(b, "%9.2f", 100 * x);
}

static void put_row(rdv_buf *b, const rdv_train_figures *f)
{
    const double shares[] = {f->location.overall.value,
                             f->location.with_mistake.value,
                             f->location.without_mistake.value,
                             f->constant,
                             f->location.f1.value,
                             f->weighted_f1.value,
                             f->auc.value,
                             f->auc_first.value};
    rdv_buf_printf(b, "%-28.*s %-9s %6zu", RDV_FMT(f->group), f->held_out ? "held out" : "folds",
                   f->chains);
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++)
        put_percent(b, shares[i]);
    rdv_buf_add_char(b, '\n');
}

static void put_figures(const rdv_training *t, rdv_buf *b)
{
    rdv_buf_lit(b, "Chains that the model had not seen, in per cent:\n");
    rdv_buf_printf(b, "%-28s %-9s %6s%9s%9s%9s%9s%9s%9s%9s%9s\n", "task", "evaluation", "chains",
                   "location", "mistake", "none", "constant", "F1", "wtd F1", "AUC", "first");
    for (size_t i = 0; i < t->n_figures; i++)
        put_row(b, &t->figures[i]);
}

/* How many trees the validation questions chose (Table 8). */
static void put_trees(const rdv_training *t, rdv_buf *b)
{
    rdv_buf_printf(b, "\nTrees chosen by validation questions: %zu in the model\n", t->trees);
    for (size_t i = 0; i < t->n_figures; i++)
        if (t->figures[i].trees)
            rdv_buf_printf(b, "  %5zu without %.*s\n", t->figures[i].trees,
                           RDV_FMT(t->figures[i].group));
}

static void put_calibration(const rdv_training *t, rdv_buf *b)
{
    rdv_buf_printf(b, "\nCalibration: Brier score %.4f, calibration error %.4f\n", t->brier,
                   t->calibration_error);
    rdv_buf_printf(b, "%9s%9s%9s\n", "P(wrong)", "wrong", "steps");
    for (size_t i = 0; i < RDV_TRAIN_BINS; i++)
        if (t->bins[i].n)
            rdv_buf_printf(b, "%9.3f%9.3f%9zu\n", t->bins[i].said, t->bins[i].is, t->bins[i].n);
}

int train_report_text(const rdv_training *t, rdv_arena *arena, rdv_str *out)
{
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    if (t->n_figures) {
        put_figures(t, &b);
        if (!isnan(t->brier))
            put_calibration(t, &b);
        if (t->early_stopping)
            put_trees(t, &b);
        rdv_buf_add_char(&b, '\n');
    }
    rdv_buf_printf(&b, "Rule: %s at %.2f; steps after the first error: %s\n",
                   rdv_reward_rule_name(t->rule), t->at, rdv_reward_after_name(t->after));
    rdv_buf_lit(&b, "Feature importances (share of the gain of all splits):\n");
    for (size_t i = 0; i < t->n_gains && i < GAINS_SHOWN; i++)
        rdv_buf_printf(&b, "  %5.1f %%  %-20s %s\n", 100 * t->gains[i].share,
                       t->gains[i].feature->name, t->gains[i].feature->about);
    *out = rdv_buf_str(&b);
    return out->p ? RDV_OK : RDV_E_NOMEM;
}

/* ---- as JSON --------------------------------------------------------------------------------- */

static void put_estimate(rdv_buf *b, const char *name, const rdv_estimate *e)
{
    rdv_json_open(b, name, '{');
    table_put_estimate(b, e);
    rdv_buf_add_char(b, '}');
}

static void put_group(rdv_buf *b, const rdv_train_figures *f)
{
    rdv_buf_add_char(b, '{');
    rdv_json_put_text(b, "task", f->group);
    rdv_json_put_flag(b, "held_out", f->held_out);
    rdv_json_put_number(b, "n_chains", (double)f->chains);
    rdv_json_put_number(b, "n_steps", (double)f->steps);
    put_estimate(b, "location", &f->location.overall);
    put_estimate(b, "location_with_mistake", &f->location.with_mistake);
    put_estimate(b, "location_without_mistake", &f->location.without_mistake);
    put_estimate(b, "f1", &f->location.f1);
    put_estimate(b, "weighted_f1", &f->weighted_f1);
    put_estimate(b, "auc", &f->auc);
    put_estimate(b, "auc_first", &f->auc_first);
    rdv_json_put_number(b, "best_constant", f->constant);
    rdv_json_put_number(b, "n_trees", f->trees ? (double)f->trees : NAN);
    rdv_buf_add_char(b, '}');
}

static void put_lists(const rdv_training *t, rdv_buf *b)
{
    rdv_json_open(b, "calibration_bins", '[');
    for (size_t i = 0; i < RDV_TRAIN_BINS; i++) {
        rdv_buf_add(b, i ? RDV_STR(",{") : RDV_STR("{"));
        rdv_json_put_number(b, "predicted", t->bins[i].said);
        rdv_json_put_number(b, "observed", t->bins[i].is);
        rdv_json_put_number(b, "n", (double)t->bins[i].n);
        rdv_buf_add_char(b, '}');
    }
    rdv_buf_lit(b, "]");
    rdv_json_open(b, "feature_importances", '{');
    for (size_t i = 0; i < t->n_gains; i++)
        rdv_json_put_number(b, t->gains[i].feature->name, t->gains[i].share);
    rdv_buf_add_char(b, '}');
}

int train_report_json(const rdv_training *t, rdv_arena *arena, rdv_str *out)
{
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    rdv_buf_add_char(&b, '{');
    rdv_json_put_text(&b, "rule", rdv_str_of(rdv_reward_rule_name(t->rule)));
    rdv_json_put_number(&b, "threshold", t->at);
    rdv_json_put_text(&b, "post_error_labels", rdv_str_of(rdv_reward_after_name(t->after)));
    rdv_json_put_number(&b, "n_trees", (double)t->trees);
    rdv_json_open(&b, "tasks", '[');
    for (size_t i = 0; i < t->n_figures; i++) {
        rdv_json_item(&b);
        put_group(&b, &t->figures[i]);
    }
    rdv_buf_add_char(&b, ']');
    rdv_json_put_number(&b, "brier_score", t->brier);
    rdv_json_put_number(&b, "expected_calibration_error", t->calibration_error);
    put_lists(t, &b);
    rdv_buf_lit(&b, "}\n");
    *out = rdv_buf_str(&b);
    return out->p ? RDV_OK : RDV_E_NOMEM;
}
