/* SPDX-License-Identifier: Apache-2.0 */
/* eval --recipe mistakes:...: the tables of the third paper. */
#include "family.h"
#include "figures.h"
#include "task_name.h"

#include "base/arena.h"
#include "base/json.h"
#include "base/str.h"
#include "report/report.h"
#include <rederive/mistakes.h>

#include <math.h>
#include <stdlib.h>

#define MAX_HEADS 16

struct tabling {
    bool source; /* --correct-from source */
    rdv_mistakes *mistakes;
    rdv_mistakes_is is;
};

/* ---- reading --------------------------------------------------------------------------------- */

/* A number among the members of an object; NaN: there is none. */
static int number_of(rdv_str object, const char *name, rdv_arena *arena, double *out)
{
    rdv_str text;
    int code = rdv_record_text(object, rdv_str_of(name), arena, &text);
    const char *cstring = code == RDV_OK ? rdv_cstring(arena, text) : NULL;
    *out = cstring ? strtod(cstring, NULL) : NAN;
    return code < 0 || (code == RDV_OK && !cstring) ? RDV_E_NOMEM : RDV_OK;
}

/* An option's letter without its brackets, which not every record keeps; anything else as it is. */
static rdv_str without_brackets(rdv_str answer)
{
    answer = rdv_trim(answer);
    bool letter = answer.len == 3 && answer.p[0] == '(' && answer.p[2] == ')' &&
                  answer.p[1] >= 'A' && answer.p[1] <= 'Z';
    return letter ? rdv_slice(answer, 1, 2) : answer;
}

/* The paper's rule: exactly the right answer, but for white space around it and the brackets of an
 * option. With --correct-from source the record's own opinion, where it has one. */
static int judge_exactly(const struct tabling *t, rdv_str answer, rdv_str gold, int opinion)
{
    if (t->source && opinion >= 0)
        return opinion;
    if (!gold.p)
        return opinion;
    return answer.p && rdv_str_eq(without_brackets(answer), without_brackets(gold));
}

/* What stands in the record's "repair". *trace is left alone where it has none. */
static int read_repair(const struct tabling *t, const rdv_chain *chain, rdv_arena *arena,
                       rdv_trace *trace, rdv_error *err)
{
    rdv_str repair, before = {0};
    double steps;
    int code = rdv_record_member(chain->raw, RDV_STR("repair"), &repair);
    if (code != RDV_OK)
        return code < 0 ? rdv_fail(err, code, "out of memory") : RDV_OK;
    if (rdv_record_text(repair, RDV_STR("locator"), arena, &trace->locator) < 0 ||
        rdv_record_text(repair, RDV_STR("answer_before"), arena, &before) < 0 ||
        number_of(repair, "n_calls", arena, &trace->calls) < 0 ||
        number_of(repair, "n_steps_before", arena, &steps) < 0)
        return rdv_fail(err, RDV_E_NOMEM, "out of memory");
    trace->right_before = judge_exactly(t, before, chain->question.gold, -1);
    trace->steps_before = steps >= 1 && steps < 1e9 ? (size_t)steps : 0;
    return RDV_OK;
}

static int take(void *state, const rdv_chain *chain, const struct judged *judged,
                rdv_arena *scratch, rdv_error *err)
{
    struct tabling *t = state;
    rdv_trace trace = {.chain = chain, .right_before = -1, .calls = NAN};
    (void)judged;
    trace.right = judge_exactly(t, chain->answer, chain->question.gold, chain->correct);
    if (task_name(chain, scratch, &trace.task) < 0)
        return rdv_fail(err, RDV_E_NOMEM, "out of memory");
    int code = read_repair(t, chain, scratch, &trace, err);
    return code == RDV_OK ? rdv_mistakes_add(t->mistakes, &trace, err) : code;
}

/* ---- a table --------------------------------------------------------------------------------- */

static bool shows_number(const rdv_column *column)
{
    return column->is == RDV_COLUMN_NUMBER;
}

static void number_cell(rdv_table *table, double x)
{
    if (isnan(x))
        rdv_table_cell(table, RDV_STR("-"));
    else if (x >= 0 && x < 1e15 && x == floor(x))
        rdv_table_cellf(table, "%.0f", x);
    else
        rdv_table_cellf(table, "%.2f", x);
}

static void share_cell(rdv_table *table, const rdv_estimate *x, bool gain, bool ascii)
{
    if (isnan(x->value))
        rdv_table_cell(table, RDV_STR("-"));
    else if (isnan(x->se))
        rdv_table_cellf(table, gain ? "%+.2f" : "%.2f", 100 * x->value);
    else
        rdv_table_cellf(table, gain ? "%+.2f %s %.2f" : "%.2f %s %.2f", 100 * x->value,
                        ascii ? "+-" : "±", 100 * x->se);
}

static void add_row(rdv_table *table, const rdv_mistakes_table *t, const rdv_mistakes_row *row,
                    bool named, bool ascii)
{
    if (named)
        rdv_table_cell(table, row->of);
    rdv_str task = row->task.p && !row->task.len ? RDV_STR("-") : row->task;
    rdv_table_cellf(table, "%.*s%s", RDV_FMT(task.p ? task : RDV_STR("mean of tasks")),
                    row->drawn ? " (drawn)" : "");
    for (size_t c = 0; c < t->n_columns; c++) {
        if (shows_number(&t->columns[c]))
            number_cell(table, row->cells[c].x);
        else
            share_cell(table, &row->cells[c].is, t->columns[c].is == RDV_COLUMN_GAIN, ascii);
    }
    rdv_table_cellf(table, "%zu", row->traces);
}

static bool is_named(const rdv_mistakes_table *t)
{
    return t->rows[0].of.p != NULL;
}

/* What the rows are named after. */
static const char *named_as(const rdv_mistakes_table *t)
{
    return t->is == RDV_MISTAKES_TABLE6 || t->is == RDV_MISTAKES_FIG2 ? "locator" : "check";
}

static int write_rows(struct run *run, const rdv_mistakes_table *t, rdv_error *err)
{
    const char *heads[MAX_HEADS];
    size_t n = 0;
    if (is_named(t))
        heads[n++] = named_as(t);
    heads[n++] = "task";
    for (size_t c = 0; c < t->n_columns; c++) {
        bool share = !shows_number(&t->columns[c]);
        rdv_str head = rdv_str_printf(run->arena, ">%s%s", t->columns[c].name, share ? " %" : "");
        if (!head.p)
            return rdv_fail(err, RDV_E_NOMEM, "out of memory while making a table");
        heads[n++] = head.p;
    }
    heads[n++] = ">n";
    rdv_table *table = rdv_table_new(run->arena, heads, n);
    for (size_t i = 0; table && i < t->n_rows; i++)
        add_row(table, t, &t->rows[i], is_named(t), run->terminal.view.ascii);
    return figures_write_table(run, table, err);
}

static int write_table(struct run *run, const rdv_mistakes_table *t, rdv_error *err)
{
    const char *about, *name = rdv_mistakes_name(t->is, &about);
    size_t left_out = 0;
    run_write(run, rdv_str_printf(run->arena, "%s: %s\n\n", name, about));
    int code = write_rows(run, t, err);
    for (size_t i = 0; i < t->n_rows; i++)
        left_out += t->rows[i].task.p && !t->rows[i].drawn ? t->rows[i].left_out : 0;
    const struct left_out notes[] = {
        {left_out, "trace", "without what a row looks at, left out of it (by row in --json)"}};
    if (code == RDV_OK)
        figures_write_left_out(run, notes, 1);
    return code;
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void json_row(rdv_buf *b, const rdv_mistakes_table *t, const rdv_mistakes_row *row)
{
    rdv_buf_add_char(b, '{');
    if (is_named(t)) {
        rdv_json_name(b, rdv_str_of(named_as(t)));
        rdv_json_text(b, row->of);
    }
    rdv_json_name(b, RDV_STR("task"));
    rdv_json_text(b, row->task);
    rdv_json_name(b, RDV_STR("subsampled"));
    rdv_buf_add(b, row->drawn ? RDV_STR("true") : RDV_STR("false"));
    json_field(b, "n", (double)row->traces);
    json_field(b, "n_excluded", (double)row->left_out);
    for (size_t c = 0; c < t->n_columns; c++) {
        if (shows_number(&t->columns[c])) {
            json_field(b, t->columns[c].name, row->cells[c].x);
            continue;
        }
        rdv_json_name(b, rdv_str_of(t->columns[c].name));
        rdv_buf_add_char(b, '{');
        json_estimate(b, &row->cells[c].is);
        rdv_buf_add_char(b, '}');
    }
    rdv_buf_add_char(b, '}');
}

static int write_json(struct run *run, const rdv_mistakes_table *t, rdv_error *err)
{
    rdv_buf b;
    rdv_buf_init(&b, run->arena, 0);
    rdv_buf_add_char(&b, '{');
    rdv_json_name(&b, RDV_STR("recipe"));
    rdv_json_text(&b, rdv_str_of(rdv_mistakes_name(t->is, NULL)));
    json_field(&b, "n_failed", (double)run->failed);
    rdv_json_name(&b, RDV_STR("rows"));
    rdv_buf_add_char(&b, '[');
    for (size_t i = 0; i < t->n_rows; i++) {
        if (i)
            rdv_buf_add_char(&b, ',');
        json_row(&b, t, &t->rows[i]);
    }
    rdv_buf_lit(&b, "]}\n");
    if (!rdv_buf_ok(&b))
        return rdv_fail(err, RDV_E_NOMEM, "out of memory while writing the figures");
    run_write(run, rdv_buf_str(&b));
    return RDV_OK;
}

/* ---- the whole ------------------------------------------------------------------------------- */

static const char *name(size_t i, const char **about)
{
    return i < RDV_N_MISTAKES ? rdv_mistakes_name((rdv_mistakes_is)i, about) : NULL;
}

static int begin(const struct settings *settings, rdv_arena *keep, void **state, rdv_error *err)
{
    struct tabling *t = RDV_NEW(keep, struct tabling);
    if (settings->fit || settings->split)
        return rdv_fail(err, RDV_E_ARGUMENT,
                        "--fit and --split cannot be used with %s, which fits nothing",
                        settings->recipe);
    if (!t || !(t->mistakes = rdv_mistakes_new(keep, settings->seed)))
        return rdv_fail(err, RDV_E_NOMEM, "out of memory");
    t->source = judging_of(settings).source;
    rdv_mistakes_named(rdv_str_of(settings->recipe), &t->is);
    *state = t;
    return RDV_OK;
}

static int write_all(void *state, struct run *run, rdv_error *err)
{
    struct tabling *t = state;
    rdv_mistakes_table table;
    int code = rdv_mistakes_compute(t->mistakes, t->is, &table, err);
    if (code != RDV_OK)
        return code;
    return (run->settings->json ? write_json : write_table)(run, &table, err);
}

const struct family family_mistakes = {
    .prefix = "mistakes:", .name = name, .begin = begin, .take = take, .write = write_all};
