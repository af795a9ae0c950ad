/* SPDX-License-Identifier: Apache-2.0 */
/* rederive grade: whether answers are the same as their gold answers. */
#include "cmd.h"
#include "judge/graded_pair.h"
#include "record_pool.h"
#include "table_print.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/json.h"
#include "base/str.h"
#include "score/estimate.h"

#include <inttypes.h>
#include <math.h>

struct grading {
    struct run run;
    struct pair_grading how;
    uint64_t n_correct, n_incorrect, n_undecided, n_unread;
    uint64_t n_graded_before, n_agree; /* by the records' own `correct` */
};

/* ---- settings -------------------------------------------------------------------------------- */

static int read_kind(const char *name, rdv_kind *out, rdv_error *err)
{
    if (rdv_kind_named(rdv_str_of(name), out) == RDV_OK)
        return RDV_OK;
    return rdv_fail(err, RDV_E_ARGUMENT,
                    "--kind %.60s: there is no such kind; docs/answers.md "
                    "lists them",
                    name);
}

static rdv_answer_found read_require(const char *name)
{
    rdv_answer_found found = RDV_FOUND_BOXED;
    while (found > RDV_FOUND_LAST && strcmp(name, rdv_answer_found_name(found)) != 0)
        found--;
    return found;
}

/* The tolerance is a decimal, which the comparison reads; a trial says what is wrong with it. */
static int try_options(const struct pair_grading *how, rdv_error *err)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_comparison out;
    int code =
        arena ? rdv_answer_compare(RDV_STR("1"), RDV_STR("1"), NULL, &how->how, arena, &out, err)
              : rdv_no_memory(err);
    rdv_arena_free(&arena);
    return code;
}

static int read_settings(const struct settings *s, rdv_arena *arena, struct pair_grading *how,
                         rdv_error *err)
{
    *how = (struct pair_grading){.how = {.size = sizeof how->how,
                                         .tolerance = rdv_str_of(s->grade.tolerance),
                                         .decimals_as_shown = s->grade.as_shown,
                                         .relations_as_sets = s->grade.relations,
                                         .require = read_require(s->grade.require)},
                                 .read_text = strcmp(s->answer_source, "read") == 0};
    int code = read_kind(s->grade.kind, &how->kind, err);
    if (code == RDV_OK)
        code = rdv_member_path_read(&how->answer_member, s->grade.answer_member, arena, err);
    if (code == RDV_OK)
        code = rdv_member_path_read(&how->gold_member, s->grade.gold_member, arena, err);
    return code == RDV_OK ? try_options(how, err) : code;
}

/* ---- one pair of the command line ------------------------------------------------------------ */

static int status_of(rdv_same is)
{
    return is == RDV_SAME ? DONE : is == RDV_DIFFERENT ? WRONG_FOUND : UNDECIDED_LEFT;
}

static bool is_typed(const struct settings *s)
{
    return s->grade.answer || s->grade.text || s->grade.golds.n;
}

static int check_typed(const struct settings *s, rdv_error *err)
{
    static const char *const of_records[] = {
        "in",      "join",     "format",        "question-from",   "steps-from", "gold-from",
        "id-from", "question", "separator",     "answer-from",     "text-from",  "answer-source",
        "threads", "jobs",     "fail-on-wrong", "fail-on-unknown", "strict",     "progress"};
    if (!s->grade.golds.n)
        return rdv_fail(err, RDV_E_ARGUMENT, "--%s requires --gold TEXT",
                        s->grade.answer ? "answer" : "text");
    if (!s->grade.answer == !s->grade.text)
        return rdv_fail(err, RDV_E_ARGUMENT,
                        "--gold requires one of --answer TEXT and --text TEXT");
    if (s->in.n)
        return rdv_fail(err, RDV_E_ARGUMENT, "--gold and files of records exclude each other");
    for (size_t i = 0; i < sizeof of_records / sizeof *of_records; i++)
        if (opt_given(s, of_records[i]))
            return rdv_fail(err, RDV_E_ARGUMENT, "--%s has no effect with --gold", of_records[i]);
    return RDV_OK;
}

static int typed_record(const struct settings *s, rdv_arena *arena, rdv_record *record)
{
    size_t n = s->grade.golds.n;
    rdv_str *golds = RDV_NEW_ARRAY(arena, rdv_str, n);
    if (!golds)
        return RDV_E_NOMEM;
    for (size_t i = 0; i < n; i++)
        golds[i] = rdv_str_of(s->grade.golds.items[i]);
    *record = (rdv_record){.kind = RDV_RECORD_PAIR,
                           .pair = {.answer = rdv_str_of(s->grade.answer),
                                    .text = rdv_str_of(s->grade.text),
                                    .golds = golds,
                                    .n_golds = n},
                           .format = "pair"};
    record->chain.correct = -1;
    record->chain.question.gold = golds[0];
    record->chain.answer = record->pair.answer;
    return RDV_OK;
}

static int grade_typed(const struct settings *given, const struct pair_grading *how)
{
    struct settings settings = *given;
    settings.no_input = true;
    struct run run;
    rdv_record record;
    struct graded_pair graded;
    rdv_error err = {0};
    rdv_str line;
    if (run_begin(&run, &settings) != DONE)
        return run_end(&run);
    int code = typed_record(given, run.arena, &record);
    if (code == RDV_OK)
        code = pair_grade(&record, how, run.arena, &graded, &err);
    if (code == RDV_OK)
        code = pair_write(&record, &graded, run.arena, &line, &err);
    if (code == RDV_OK)
        run_write(&run, line);
    else
        run_stop(&run, code == RDV_E_NOMEM ? NOTHING_DONE : USAGE, &err);
    int status = run_end(&run);
    return status == DONE ? status_of(graded.compared.is) : status;
}

/* ---- records --------------------------------------------------------------------------------- */

/* A pair that was graded. */
struct graded {
    rdv_same is;
    const char *why;
    int before; /* the record's own `correct`; -1: it has none */
    rdv_str line;
};

static int grade_record(const void *payload, struct pooled *item, rdv_error *err)
{
    const struct grading *g = payload;
    struct graded *made = item->made = RDV_NEW(item->arena, struct graded);
    struct graded_pair pair;
    if (!made)
        return rdv_no_memory(err);
    int code = pair_grade(&item->record, &g->how, item->arena, &pair, err);
    if (code == RDV_OK)
        code = pair_write(&item->record, &pair, item->arena, &made->line, err);
    if (code == RDV_OK) {
        made->is = pair.compared.is;
        made->why = pair.compared.why;
        made->before = item->record.chain.correct;
    }
    return code;
}

/* Write the line of a record; of one that failed, its error. */
static void finish_record(void *payload, struct pooled *item)
{
    struct grading *g = payload;
    const struct graded *made = item->made;
    rdv_str line;
    if (item->code == RDV_E_NOMEM) {
        run_stop(&g->run, NOTHING_DONE, &item->err);
    } else if (item->code != RDV_OK) {
        run_fail_record(&g->run, &item->record, &item->err, item->arena, &line);
        run_write(&g->run, line);
    } else {
        g->n_correct += made->is == RDV_SAME;
        g->n_incorrect += made->is == RDV_DIFFERENT;
        g->n_undecided += made->is == RDV_CANNOT_TELL;
        g->n_unread += made->is == RDV_DIFFERENT && strcmp(made->why, "unread") == 0;
        if (made->before >= 0 && made->is != RDV_CANNOT_TELL) {
            g->n_graded_before++;
            g->n_agree += (made->before == 1) == (made->is == RDV_SAME);
        }
        run_write(&g->run, made->line);
    }
}

/* ---- the end --------------------------------------------------------------------------------- */

static rdv_estimate accuracy_of(const struct grading *g)
{
    size_t n = (size_t)(g->n_correct + g->n_incorrect + g->n_undecided);
    double share = n ? (double)g->n_correct / (double)n : NAN;
    return rdv_estimate_unit(share, sqrt(share * (1 - share) / (double)n), n, n);
}

static void summary_json(const struct grading *g)
{
    rdv_estimate accuracy = accuracy_of(g);
    rdv_arena *arena = rdv_arena_new(0);
    rdv_buf b;
    if (!arena)
        return;
    rdv_buf_init(&b, arena, 0);
    rdv_buf_add_char(&b, '{');
    rdv_json_put_count(&b, "n_pairs", accuracy.n);
    rdv_json_put_count(&b, "n_correct", g->n_correct);
    rdv_json_put_count(&b, "n_incorrect", g->n_incorrect);
    rdv_json_put_count(&b, "n_undecided", g->n_undecided);
    rdv_json_put_count(&b, "n_unparsed", g->n_unread);
    if (g->n_graded_before) {
        rdv_json_put_count(&b, "n_graded_before", g->n_graded_before);
        rdv_json_put_count(&b, "n_agree", g->n_agree);
    }
    rdv_json_open(&b, "accuracy", '{');
    table_put_estimate(&b, &accuracy);
    rdv_buf_printf(&b, "},\"n_failed\":%" PRIu64 ",\"seconds\":%.3f}\n", g->run.failed,
                   run_seconds(&g->run));
    if (rdv_buf_ok(&b))
        fwrite(b.p, 1, b.len, stderr);
    rdv_arena_free(&arena);
}

static void summary(const struct grading *g)
{
    rdv_estimate accuracy = accuracy_of(g);
    fprintf(stderr,
            "%zu pair%s: %" PRIu64 " correct, %" PRIu64 " wrong (%" PRIu64
            " without a readable answer), %" PRIu64 " cannot be told; ",
            accuracy.n, plural(accuracy.n), g->n_correct, g->n_incorrect, g->n_unread,
            g->n_undecided);
    if (accuracy.n)
        fprintf(stderr, "accuracy %.4f (95 %% interval %.4f to %.4f); ", accuracy.value,
                accuracy.low, accuracy.high);
    if (g->n_graded_before)
        fprintf(stderr, "as the records' own \"correct\" in %" PRIu64 " of %" PRIu64 "; ",
                g->n_agree, g->n_graded_before);
    fprintf(stderr, "%" PRIu64 " record%s failed; %.2f s\n", g->run.failed, plural(g->run.failed),
            run_seconds(&g->run));
}

static int verdict_status(const struct grading *g, int status)
{
    const struct settings *s = g->run.settings;
    if (status != DONE)
        return status;
    if (s->fail_on_wrong && g->n_incorrect)
        return WRONG_FOUND;
    return s->fail_on_unknown && g->n_undecided ? UNDECIDED_LEFT : DONE;
}

static int grade_records(const struct settings *settings, const struct pair_grading *how)
{
    struct grading g = {.how = *how};
    if (run_begin(&g.run, settings) != DONE)
        return run_end(&g.run);
    g.run.errors_in_output = true;
    g.run.pairs = true;
    record_pool_run(&g.run, &(struct record_work){grade_record, finish_record, &g});
    int status = run_end(&g.run);
    if (run_tells(&g.run, status))
        (settings->json ? summary_json : summary)(&g);
    return verdict_status(&g, status);
}

int cmd_grade(const struct settings *settings)
{
    struct pair_grading how;
    rdv_error err = {0};
    rdv_arena *arena = rdv_arena_new(0); /* of the settings */
    int code = arena ? RDV_OK : rdv_no_memory(&err);
    if (code == RDV_OK && is_typed(settings))
        code = check_typed(settings, &err);
    if (code == RDV_OK)
        code = read_settings(settings, arena, &how, &err);
    int status = code == RDV_E_NOMEM ? NOTHING_DONE : USAGE;
    if (code != RDV_OK)
        say("grade: %s", err.msg);
    else
        status = (is_typed(settings) ? grade_typed : grade_records)(settings, &how);
    rdv_arena_free(&arena);
    return status;
}
