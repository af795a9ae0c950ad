/* SPDX-License-Identifier: Apache-2.0 */
/* BIG-Bench Mistake, Table 8: how long the classifier was trained that has not seen a task, from
 * the reports of 'train --json'. */
#include "study/list.h"

#include "base/arena.h"
#include "base/map.h"
#include "base/str.h"
#include "data/report_rows.h"

#include <rederive/data.h>

#include <math.h>
#include <stdlib.h>

#define STEPS RDV_STR("n_trees") /* a training step of boosting adds one tree */
#define MOST_STEPS 1e15          /* whole numbers up to here are exact */

typedef struct training {
    rdv_study_table table;
    rdv_map tasks;
} training;

static int begin(rdv_study *s, rdv_error *err)
{
    training *t = RDV_NEW(s->arena, training);
    if (!t)
        return rdv_no_memory(err);
    t->table = study_table(s);
    rdv_map_init(&t->tasks, s->arena);
    s->of = t;
    return RDV_OK;
}

/* The number of training steps; NaN: the report has none. */
static double steps_of(rdv_str report, rdv_arena *scratch)
{
    rdv_str text;
    char *end;
    if (rdv_record_text(report, STEPS, scratch, &text) != RDV_OK)
        return NAN;
    rdv_str ended = rdv_str_printf(scratch, "%.*s", RDV_FMT(text));
    double steps = ended.p ? strtod(ended.p, &end) : NAN;
    return ended.len && *end == '\0' && steps >= 0 && steps < MOST_STEPS ? steps : NAN;
}

static int add_task(rdv_study *s, rdv_str name, double steps, double chains, rdv_error *err)
{
    training *t = s->of;
    rdv_str task = rdv_str_copy(s->arena, name);
    if (!task.p)
        return rdv_no_memory(err);
    if (rdv_map_get(&t->tasks, task) != RDV_MAP_MISSING)
        return rdv_fail(err, RDV_E_ARGUMENT,
                        "a report that held out the task \"%.*s\" was read before and would count "
                        "twice; leave one of them out",
                        RDV_FMT(rdv_slice(task, 0, 80)));
    if (rdv_map_put(&t->tasks, task, 1) < 0)
        return rdv_no_memory(err);
    TABLE_ADD(&t->table, table_text(task), table_number(steps), table_number(chains));
    return RDV_OK;
}

static int add_report(rdv_study *s, rdv_str report, rdv_arena *scratch, rdv_error *err)
{
    report_row *tasks;
    size_t n, held_out = 0;
    int r = report_rows_read(report, "tasks", scratch, &tasks, &n, err);
    double steps = r == RDV_OK ? steps_of(report, scratch) : NAN;
    for (size_t i = 0; r == RDV_OK && i < n; i++) {
        const report_value *is_held_out = report_row_get(&tasks[i], "held_out");
        const report_value *task = report_row_get(&tasks[i], "task");
        const report_value *chains = report_row_get(&tasks[i], "n_chains");
        if (!is_held_out || is_held_out->flag != 1 || !task || !task->text.p || !chains)
            continue;
        held_out++;
        r = add_task(s, task->text, steps, chains->number, err);
    }
    if (r == RDV_OK && held_out == 0)
        return rdv_fail(err, RDV_E_INPUT,
                        "no report on a task that was held out; 'rederive train --hold-out TASK "
                        "--early-stopping --json' prints one");
    return r;
}

static int add(rdv_study *s, const study_chain *one, rdv_error *err)
{
    (void)one;
    return rdv_fail(err, RDV_E_INPUT, "%s takes reports of 'train --json', not chains",
                    s->entry->info.name);
}

static int finish(rdv_study *s, rdv_error *err)
{
    training *t = s->of;
    if (t->table.n_rows == 0)
        return rdv_fail(err, RDV_NONE, "no report on a task that was held out");
    t->table.notes_are_members = true;
    table_note(&t->table, "training_steps: trees of the classifier, which was trained on the other "
                          "tasks; n: traces of the held-out task");
    return study_put(s, &t->table, err);
}

const study_family study_training = {
    .ungraded = true, .begin = begin, .add = add, .add_report = add_report, .finish = finish};
