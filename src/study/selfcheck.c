/* SPDX-License-Identifier: Apache-2.0 */
/* SelfCheck's tables: a series of rows for each check and each source, taken from an evaluation of
 * their chains. */
#include "study/eval.h"
#include "study/list.h"
#include "study/quoted.h"
#include "study/rates_compared.h"
#include "study/views.h"

#include "base/arena.h"
#include "base/str.h"
#include "score/estimate.h"

#include <math.h>
#include <string.h>

#define N_LABELS 5 /* check, group, generator, checker, profile */

static const rdv_column series_columns[] = {
    COLUMN_PROGRAM("check", TEXT),
    COLUMN_PROGRAM("group", TEXT),
    COLUMN_PROGRAM("generator", TEXT),
    COLUMN_PROGRAM("checker", TEXT),
    COLUMN_PROGRAM("profile", TEXT),
    COLUMN_PROGRAM("n_questions", COUNT),
    COLUMN_PROGRAM("n_chains", COUNT),
    COLUMN_PROGRAM("n_unparsed", COUNT),
    COLUMN_PROGRAM("n_ungraded", COUNT),
    COLUMN_PROGRAM("n_questions_ungraded", COUNT),
    COLUMN_PROGRAM("n_unchecked", COUNT),
    COLUMN_PROGRAM("n_skipped", COUNT),
    COLUMN_PROGRAM("n_questions_unchecked", COUNT),
    COLUMN_PROGRAM("n_null_confidence", COUNT),
    COLUMN_PROGRAM("n_undecided", COUNT), /* for Table 2 only; elsewhere a threshold decides */
    COLUMN_PROGRAM("auc", SHARE),         /* for the ROC only */
};

/* Counts of a series' data and of what is left out, in the order of its columns. */
enum {
    QUESTIONS,
    CHAINS,
    UNPARSED,
    UNGRADED,
    QUESTIONS_UNGRADED,
    UNCHECKED,
    SKIPPED,
    QUESTIONS_UNCHECKED,
    NULL_CONFIDENCE,
    UNDECIDED,
    N_COUNTS
};

typedef struct series {
    rdv_study *study;
    const study_entry *entry;
    const view *view;
    const study_source *source;
    rdv_eval_item *items;
    size_t n;
    size_t count[N_COUNTS];
    rdv_estimate auc;
    rdv_study_table *table;
    quotes *quotes; /* NULL: nothing is quoted */
    bool quoted_only;
} series;

/* ---- which chains ---------------------------------------------------------------------------- */

static void count_chains(series *s)
{
    bool rates = s->entry->selfcheck.shape == SELFCHECK_FIGURES; /* Table 2 */
    s->count[CHAINS] = s->n;
    for (size_t i = 0; i < s->n; i++) {
        const rdv_eval_item *item = &s->items[i];
        s->count[UNPARSED] += item->vote.ballot.answer == TALLY_UNREAD;
        s->count[UNGRADED] += item->vote.ballot.correct < 0;
        s->count[UNCHECKED] += !item->check->checked;
        s->count[SKIPPED] += item->check->checked && item->check->skipped;
        bool null = isnan(item->vote.ballot.weight);
        s->count[NULL_CONFIDENCE] += item_is_checked(item) && null;
        s->count[UNDECIDED] += rates && item_is_checked(item) && !null && item_accepted(item) < 0;
    }
}

/* Counts the questions. For votes, drops the questions with a chain that was not checked or was
 * skipped: the weight of every chain must be known before subsets of them vote. */
static int drop_questions(series *s, rdv_error *err)
{
    enum { SEEN = 1, LACKS_CHECK = 2 };
    unsigned char *is = RDV_NEW_ARRAY(s->study->arena, unsigned char, s->study->n_questions);
    size_t kept = 0;
    if (!is)
        return rdv_no_memory(err);
    for (size_t i = 0; i < s->n; i++)
        is[s->items[i].vote.question] |= SEEN | (item_is_checked(&s->items[i]) ? 0 : LACKS_CHECK);
    for (size_t q = 0; q < s->study->n_questions; q++) {
        s->count[QUESTIONS] += is[q] != 0;
        s->count[QUESTIONS_UNCHECKED] += s->entry->selfcheck.votes && (is[q] & LACKS_CHECK);
    }
    for (size_t i = 0; i < s->n; i++)
        if (!s->entry->selfcheck.votes || !(is[s->items[i].vote.question] & LACKS_CHECK))
            s->items[kept++] = s->items[i];
    s->n = kept;
    return RDV_OK;
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* Adds a row with the series' labels; its data begin at N_LABELS. */
static rdv_cell *new_row(series *s)
{
    rdv_cell *row = table_row(s->table);
    if (row) {
        row[0] = table_text(s->view->name);
        source_cells(row + 1, s->source);
    }
    return row ? row + N_LABELS : NULL;
}

/* The columns of the row's data: those before that of the count, which has no name. */
static size_t n_data(const series *s)
{
    size_t n = 0;
    while (s->table->columns[N_LABELS + n].name)
        n++;
    return n;
}

/* Fills the count behind the last figure. */
static void end_row(const series *s, rdv_cell *data)
{
    size_t n = n_data(s);
    data[n] = table_count(data[n - 1].is.n);
}

static const eval_curve *curve_named(const eval_figures *f, const char *name, const char *x)
{
    for (size_t i = 0; i < f->n_curves; i++)
        if (strcmp(f->curves[i].name, name) == 0 && strcmp(f->curves[i].x, x) == 0)
            return &f->curves[i];
    return NULL;
}

/* Adds one row per point: x, then curves by their names. Points that no question reaches, because
 * it has fewer chains, are left out. */
static void curve_rows(series *s, const eval_figures *f)
{
    const char *x = s->entry->selfcheck.votes ? "chains" : "threshold";
    const rdv_column *columns = s->table->columns + N_LABELS;
    const eval_curve *first = curve_named(f, columns[1].name, x);
    for (size_t i = 0; first && i < first->n_points; i++) {
        rdv_cell *data =
            s->entry->selfcheck.votes && first->points[i].is.n == 0 ? NULL : new_row(s);
        if (!data)
            continue;
        data[0] = table_number(first->points[i].x);
        for (size_t c = 1; columns[c].name; c++) {
            const eval_curve *curve = curve_named(f, columns[c].name, x);
            if (curve)
                data[c] = table_estimate(curve->points[i].is);
        }
        end_row(s, data);
    }
}

static rdv_estimate figure_named(const eval_figures *f, const char *name)
{
    for (size_t i = 0; i < f->n_figures; i++)
        if (strcmp(f->figures[i].name, name) == 0)
            return f->figures[i].is;
    return rdv_estimate_none(0);
}

/* Adds one row: figures by their names. */
static void figure_row(series *s, const eval_figures *f)
{
    const rdv_column *columns = s->table->columns + N_LABELS;
    rdv_cell *data = new_row(s);
    for (size_t c = 0; data && columns[c].name; c++)
        data[c] = table_estimate(figure_named(f, columns[c].name));
    if (data)
        end_row(s, data);
}

/* ---- the difference to another check --------------------------------------------------------- */

/* Of the sources of the baseline's checks, that of the same checker and profile, or the only one,
 * for the chains of the same generator and group. study->sources.n: none. */
static size_t baseline_source(const series *s, const view *before)
{
    const study_sources *all = &s->study->sources;
    const study_source *own = s->source;
    size_t found = all->n, n = 0;
    for (size_t i = 0; i < before->n; i++) {
        size_t at = before->items[i].check->source;
        const study_source *is = &all->of[at];
        if (!before->items[i].check->checked || !rdv_str_eq(is->group, own->group) ||
            !rdv_str_eq(is->generator, own->generator))
            continue;
        if (rdv_str_eq(is->checker, own->checker) && rdv_str_eq(is->profile, own->profile))
            return at;
        n += at != found;
        found = at;
    }
    return n == 1 ? found : all->n;
}

static const view *baseline_view(const rdv_study *study)
{
    const views *v = study->of;
    rdv_str name = rdv_str_of(study->options.baseline);
    for (size_t i = 0; name.p && i < v->n; i++)
        if (rdv_str_eq(v->of[i].name, name))
            return &v->of[i];
    return NULL;
}

/* The cells behind the count of a row. */
static rdv_cell *behind_count(const series *s, size_t row)
{
    return s->table->cells + row * s->table->n_columns + N_LABELS + n_data(s) + 1;
}

/* Compares the votes of the series, whose rows begin at `first`. */
static int compare_votes(const series *s, const series *before, size_t first, rdv_error *err)
{
    const study_selfcheck_spec *spec = &s->entry->selfcheck;
    rdv_estimate *is = RDV_NEW_ARRAY(s->study->arena, rdv_estimate, spec->n_counts);
    int r = is ? eval_votes_compare(s->study, before->items, before->n, s->items, s->n,
                                    spec->counts, spec->n_counts, is, err)
               : rdv_no_memory(err);
    for (size_t row = first; r == RDV_OK && row < s->table->n_rows; row++) {
        rdv_cell *cells = behind_count(s, row);
        double chains = s->table->cells[row * s->table->n_columns + N_LABELS].is.value;
        for (size_t i = 0; i < spec->n_counts; i++)
            if ((double)spec->counts[i] == chains) {
                cells[0] = table_text(before->view->name);
                cells[1] = table_estimate(is[i]);
            }
    }
    return r;
}

static int compare_rates(const series *s, const series *before, rdv_error *err)
{
    rates_compared is;
    int r = rates_compare(s->study, before->items, before->n, s->items, s->n, &is, err);
    if (r != RDV_OK)
        return r;
    rdv_cell *cells = behind_count(s, s->table->n_rows - 1);
    cells[0] = table_text(before->view->name);
    cells[1] = table_estimate(is.tpr);
    cells[2] = table_estimate(is.tnr);
    cells[3] = table_estimate(is.balanced);
    return RDV_OK;
}

/* Fills the columns behind the count of the rows from `first` on, which were just added. */
static int compare_rows(const series *s, size_t first, rdv_error *err)
{
    const view *by = baseline_view(s->study);
    size_t source = by && by != s->view ? baseline_source(s, by) : s->study->sources.n;
    if (source == s->study->sources.n || s->table->n_rows == first)
        return RDV_OK;
    series before = *s;
    before.view = by;
    before.n = 0;
    before.items = RDV_NEW_ARRAY(s->study->arena, rdv_eval_item, by->n);
    if (!before.items)
        return rdv_no_memory(err);
    for (size_t i = 0; i < by->n; i++)
        if (by->items[i].check->source == source)
            before.items[before.n++] = by->items[i];
    int r = drop_questions(&before, err);
    if (r < 0)
        return r;
    return s->entry->selfcheck.votes ? compare_votes(s, &before, first, err)
                                     : compare_rates(s, &before, err);
}

/* Adds one row per threshold: the threshold, then both rates. */
static void roc_rows(series *s, const eval_figures *f)
{
    const eval_curve *roc = curve_named(f, "roc", "false positive rate");
    s->auc = figure_named(f, "auc");
    for (size_t i = 0; roc && i < roc->n_points; i++) {
        rdv_cell *data = new_row(s);
        if (!data)
            return;
        data[0] = table_number(roc->points[i].threshold);
        data[1] = data[2] = table_estimate(roc->points[i].is);
        data[1].is.value = roc->points[i].x;
        end_row(s, data);
    }
}

static int add_rows(series *s, rdv_error *err)
{
    static const size_t no_count[1] = {0};
    static void (*const add[])(series *, const eval_figures *) = {[SELFCHECK_CURVES] = curve_rows,
                                                                  [SELFCHECK_FIGURES] = figure_row,
                                                                  [SELFCHECK_ROC] = roc_rows};
    const study_selfcheck_spec *spec = &s->entry->selfcheck;
    eval_options options = {.counts = spec->counts ? spec->counts : no_count,
                            .n_counts = spec->n_counts}; /* NULL would mean the default numbers */
    eval_figures f;
    int r = eval_items(s->study, s->items, s->n, &options, &f, err);
    if (r < 0)
        return r;
    if (spec->shape != SELFCHECK_ROC)
        s->count[QUESTIONS_UNGRADED] = f.count[EVAL_QUESTIONS_UNGRADED];
    add[spec->shape](s, &f);
    return RDV_OK;
}

/* ---- a series -------------------------------------------------------------------------------- */

static void add_series_row(series *s)
{
    rdv_cell *row = table_row(s->table->series);
    if (!row)
        return;
    row[0] = table_text(s->view->name);
    source_cells(row + 1, s->source);
    for (size_t i = 0; i < N_COUNTS; i++)
        row[N_LABELS + i] = table_count(s->count[i]);
    if (s->entry->selfcheck.shape == SELFCHECK_ROC)
        row[N_LABELS + N_COUNTS] = table_estimate(s->auc);
    table_end_series(s->table);
}

/* Adds notes on what the series contains and lacks. */
static void note_series(const series *s)
{
    const table_count_note notes[] = {
        {UNPARSED, "chain", "without a readable answer, counted as wrong"},
        {UNGRADED, "chain", "of unknown correctness"},
        {QUESTIONS_UNGRADED, "question", "with such chains, excluded"},
        {UNCHECKED, "chain", "without this check"},
        {SKIPPED, "chain", "skipped by the check"},
        {QUESTIONS_UNCHECKED, "question",
         "with chains without the check or skipped by it, excluded"},
        {NULL_CONFIDENCE, "checked chain",
         s->entry->selfcheck.votes ? "without a confidence, casting no weighted vote"
                                   : "without a confidence, excluded"},
        {UNDECIDED, "checked chain", "neither accepted nor rejected, excluded from rates"},
    };
    rdv_study_table *t = s->table;
    table_note(t, "%s", "");
    const study_source *by = s->source;
    table_note(t, "%.*s%s%.*s: %zu question%s, %zu chain%s", RDV_FMT(s->view->name),
               by->group.p ? ", " : "", RDV_FMT(by->group), s->count[QUESTIONS],
               table_plural(s->count[QUESTIONS]), s->count[CHAINS], table_plural(s->count[CHAINS]));
    if (!by->generator.p || !by->checker.p)
        table_note(t, "the records do not name the model that %s them",
                   by->generator.p ? "checked"
                   : by->checker.p ? "generated"
                                   : "generated or checked");
    table_note_counts(t, s->count, notes, sizeof notes / sizeof *notes);
    eval_note_skipped(t, s->count[SKIPPED]);
    if (!isnan(s->auc.value))
        table_note(t, "auc %.4f, stderr %.4f, %.4f to %.4f", s->auc.value, s->auc.se, s->auc.low,
                   s->auc.high);
}

/* Quotes the rates of the series' chains. */
static int quote(const series *s, rdv_error *err)
{
    rdv_cell labels[QUOTES_LABELS] = {table_text(s->view->name)};
    source_cells(labels + 1, s->source);
    return quotes_add(s->quotes, labels, s->items, s->n, s->quoted_only, err);
}

/* Adds the series of one view and one source, of `n` items that it may change; adds nothing if none
 * of its chains has the check. */
static int add_series(const series *of, const study_source *source, rdv_eval_item *items, size_t n,
                      rdv_error *err)
{
    series s = *of;
    s.source = source;
    s.items = items;
    s.n = n;
    count_chains(&s);
    if (s.count[UNCHECKED] == s.count[CHAINS])
        return RDV_OK;
    int r = drop_questions(&s, err);
    if (r == RDV_OK && s.quotes)
        r = quote(&s, err);
    if (r < 0 || s.quoted_only)
        return r;
    size_t first = s.table->n_rows;
    r = add_rows(&s, err);
    if (r >= 0 && (s.entry->info.uses & RDV_USES_BASELINE))
        r = compare_rows(&s, first, err);
    if (r < 0)
        return r;
    add_series_row(&s);
    note_series(&s);
    return RDV_OK;
}

/* Adds the series of one view, source by source in the order of their appearance. */
static int add_view(const series *of, rdv_error *err)
{
    const rdv_study *study = of->study;
    const view *by = of->view;
    size_t n = study->sources.n;
    rdv_eval_item *items = RDV_NEW_ARRAY(study->arena, rdv_eval_item, by->n);
    size_t *begin = RDV_NEW_ARRAY(study->arena, size_t, n + 2);
    int r = items && begin ? RDV_OK : rdv_no_memory(err);
    for (size_t i = 0; r == RDV_OK && i < by->n; i++)
        begin[by->items[i].check->source + 2]++;
    for (size_t k = 2; r == RDV_OK && k < n + 2; k++)
        begin[k] += begin[k - 1];
    for (size_t i = 0; r == RDV_OK && i < by->n; i++)
        items[begin[by->items[i].check->source + 1]++] = by->items[i];
    for (size_t k = 0; r == RDV_OK && k < n; k++)
        r = add_series(of, &study->sources.of[k], items + begin[k], begin[k + 1] - begin[k], err);
    return r;
}

static int finish(rdv_study *s, rdv_error *err)
{
    const views *v = s->of;
    bool roc = s->entry->selfcheck.shape == SELFCHECK_ROC;
    rdv_study_table table = study_table(s), *kept = RDV_NEW(s->arena, rdv_study_table);
    quotes quoted;
    int r = views_fit(s, err);
    if (r != RDV_OK || !kept)
        return r != RDV_OK ? r : rdv_no_memory(err);
    *kept = table_new(s->arena, "series", series_columns, N_LABELS + N_COUNTS + roc);
    table.series = kept;
    table.row_member = "rows";
    table.digits = 6;
    quotes_begin(s, s->entry->selfcheck.positions, &quoted);
    for (size_t i = 0; r == RDV_OK && i < v->n; i++)
        r = add_view(&(series){.study = s,
                               .entry = s->entry,
                               .view = &v->of[i],
                               .auc = rdv_estimate_none(0),
                               .table = &table,
                               .quotes = s->entry->selfcheck.quotes ? &quoted : NULL,
                               .quoted_only = s->entry->selfcheck.beside && i > 0},
                     err);
    if (r == RDV_OK && kept->n_rows == 0 && !kept->failed && !table.failed)
        return rdv_fail(err, RDV_NONE,
                        "no chain has the data for %s: %.*s; the weight confidence:METHOD or "
                        "scores:NAME selects other data",
                        s->entry->info.name, RDV_FMT(v->of[0].name));
    if (r == RDV_OK)
        r = source_hide(&table, "group", false, err);
    if (r == RDV_OK)
        r = source_hide(&table, "profile", false, err);
    if (r == RDV_OK)
        r = source_baseline(&table, s->options.baseline,
                            "no chain has a check by it and by another method", err);
    if (r == RDV_OK)
        r = study_put(s, &table, err);
    if (r == RDV_OK && s->entry->selfcheck.quotes)
        r = quotes_put(&quoted, err);
    return r == RDV_OK ? settings_put(s, err) : r;
}

const study_family study_selfcheck = {.begin = views_begin, .add = views_add, .finish = finish};
