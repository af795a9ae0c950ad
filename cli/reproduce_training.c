/* SPDX-License-Identifier: Apache-2.0 */
/* BIG-Bench Mistake, Table 8: what the training of each held-out classifier reports. */
#include "reproduce.h"
#include "terminal.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/json.h"
#include "base/str.h"
#include "data/csv.h"
#include "data/report_rows.h"
#include "report/report.h"

#include <rederive/data.h>

#include <math.h>
#include <stdlib.h>

#define STEPS "n_trees" /* a training step of boosting adds one tree */

struct training_row {
    rdv_str task;    /* held out */
    double steps;    /* NaN: not reported */
    double n_chains; /* of the task */
};

static int read_row(const struct stages *s, const struct stage *trained, struct training_row *row,
                    rdv_error *err)
{
    rdv_str text, steps;
    report_row *tasks;
    size_t n;
    int code = reproduce_read(trained->print_to, s->arena, &text, err);
    if (code == RDV_NONE)
        return rdv_fail(err, RDV_E_IO, "%s is missing", trained->print_to);
    if (code == RDV_OK)
        code = report_rows_read(text, "tasks", s->arena, &tasks, &n, err);
    if (code != RDV_OK)
        return rdv_wrap(err, code, "%s", trained->print_to);
    *row = (struct training_row){.task = RDV_STR("-"), .steps = NAN, .n_chains = NAN};
    if (rdv_record_text(text, RDV_STR(STEPS), s->arena, &steps) == RDV_OK)
        row->steps = strtod(rdv_str_printf(s->arena, "%.*s", RDV_FMT(steps)).p, NULL);
    for (size_t i = 0; i < n; i++) {
        const report_value *held_out = report_row_get(&tasks[i], "held_out");
        const report_value *task = report_row_get(&tasks[i], "task");
        const report_value *chains = report_row_get(&tasks[i], "n_chains");
        if (!held_out || held_out->flag != 1 || !task || !chains)
            continue;
        row->task = task->text;
        row->n_chains = chains->number;
    }
    return RDV_OK;
}

static int write_json(const struct stages *s, const struct stage *table,
                      const struct training_row *rows, size_t n, rdv_error *err)
{
    rdv_buf b;
    rdv_buf_init(&b, s->arena, 0);
    rdv_buf_lit(&b, "{\"recipe\":\"mistakes:table8\",\"rows\":[");
    for (size_t i = 0; i < n; i++) {
        rdv_json_item(&b);
        rdv_buf_add_char(&b, '{');
        rdv_json_put_text(&b, "task", rows[i].task);
        rdv_json_put_number(&b, "n", rows[i].n_chains);
        rdv_json_put_number(&b, "training_steps", rows[i].steps);
        rdv_buf_add_char(&b, '}');
    }
    rdv_buf_lit(&b, "]}\n");
    return rdv_buf_ok(&b) ? reproduce_write(table->out, rdv_buf_str(&b), s->arena, err)
                          : rdv_no_memory(err);
}

static void add_count(rdv_buf *b, double x)
{
    rdv_buf_add_char(b, ',');
    if (!isnan(x))
        rdv_buf_printf(b, "%.0f", x);
}

static int write_csv(const struct stages *s, const struct stage *table,
                     const struct training_row *rows, size_t n, rdv_error *err)
{
    rdv_buf b;
    rdv_buf_init(&b, s->arena, 0);
    rdv_buf_lit(&b, "task,training_steps,n\r\n");
    for (size_t i = 0; i < n; i++) {
        rdv_csv_cell(&b, rows[i].task);
        add_count(&b, rows[i].steps);
        add_count(&b, rows[i].n_chains);
        rdv_buf_lit(&b, "\r\n");
    }
    return rdv_buf_ok(&b)
               ? reproduce_write(rdv_str_printf(s->arena, "%s/table.csv", table->table).p,
                                 rdv_buf_str(&b), s->arena, err)
               : rdv_no_memory(err);
}

static void put_count(rdv_table *table, double x)
{
    if (isnan(x))
        rdv_table_cell(table, RDV_STR("-"));
    else
        rdv_table_cellf(table, "%.0f", x);
}

static int write_text(const struct stages *s, const struct stage *stage,
                      const struct training_row *rows, size_t n, rdv_error *err)
{
    static const char *const heads[] = {"held-out task", ">training_steps", ">n"};
    const rdv_view_options plain = {0};
    rdv_table *table = rdv_table_new(s->arena, heads, 3);
    rdv_str text;
    if (!table)
        return rdv_no_memory(err);
    for (size_t i = 0; i < n; i++) {
        rdv_table_cell(table, rows[i].task);
        put_count(table, rows[i].steps);
        put_count(table, rows[i].n_chains);
    }
    int code = rdv_table_print(table, &plain, &text, err);
    if (code != RDV_OK)
        return code;
    printf("%.*s", RDV_FMT(text));
    return reproduce_write(rdv_str_printf(s->arena, "%s/table.txt", stage->table).p, text, s->arena,
                           err);
}

int reproduce_training(const struct stages *s, const struct stage *table)
{
    rdv_error err = {0};
    struct training_row *rows = RDV_NEW_ARRAY(s->arena, struct training_row, table->n_inputs);
    int code = rows ? RDV_OK : rdv_no_memory(&err);
    for (size_t i = 0; i < table->n_inputs && code == RDV_OK; i++)
        code = read_row(s, table->inputs[i], &rows[i], &err);
    if (code == RDV_OK)
        code = write_text(s, table, rows, table->n_inputs, &err);
    if (code == RDV_OK)
        code = write_csv(s, table, rows, table->n_inputs, &err);
    if (code == RDV_OK)
        code = write_json(s, table, rows, table->n_inputs, &err);
    if (code != RDV_OK)
        say("reproduce: %s", err.msg);
    return code == RDV_OK ? DONE : NOTHING_DONE;
}
