/* SPDX-License-Identifier: Apache-2.0 */
#include "judge/records.h"
#include "base/arena.h"
#include "base/str.h"
#include "decide/claim.h"
#include "judge/graded_pair.h"
#include "judge/judgement.h"
#include "judge/usable.h"
#include "judge/vote.h"
#include <rederive/data.h>
#include <rederive/method.h>

/* The records of one text. */
typedef struct records_work {
    judge_work work;
    rdv_arena *scratch; /* of one record or question; where a model is asked, of all */
    rdv_buf *out;
    struct voters voters;
    asked_records asked; /* where a model is asked */
    size_t line; /* of the text, from 1 */
    uint64_t late_at; /* ns of the thread's processor time */
} records_work;

/* A reader of one line says "line 1, column N: ". */
static rdv_str with_line(const records_work *w, rdv_str why)
{
    rdv_str first = RDV_STR("line 1, ");
    bool said = rdv_starts(why, first);
    why = rdv_slice(why, said ? first.len : 0, why.len);
    return rdv_str_printf(w->scratch, "line %zu%s%.*s", w->line, said ? ", " : ": ", RDV_FMT(why));
}

static int add_error(records_work *w, rdv_str why, rdv_error *err)
{
    rdv_str line;
    int rc = why.p ? rdv_error_write(why, w->scratch, &line, err) : rdv_no_memory(err);
    if (rc == RDV_OK)
        rdv_buf_add(w->out, line);
    return rc;
}

/* ---- one record ------------------------------------------------------------------------------ */

/* The chain with one check more, behind those that it has. */
static int add_check(rdv_chain *chain, rdv_arena *arena, rdv_error *err)
{
    rdv_check_options options;
    rdv_check *checks = RDV_NEW_ARRAY(arena, rdv_check, chain->n_checks + 1);
    if (!checks)
        return rdv_no_memory(err);
    if (chain->n_checks)
        memcpy(checks, chain->checks, chain->n_checks * sizeof *checks);
    rdv_check_options_default(&options, sizeof options);
    options.step_ms = JUDGE_STEP_MS;
    options.chain_ms = JUDGE_REPLY_MS;
    int rc = rdv_check_chain(rdv_method_named(RDV_STR(JUDGE_METHOD)), chain, &options, arena,
                             &checks[chain->n_checks], err);
    chain->checks = checks;
    chain->n_checks += rc == RDV_OK;
    return rc;
}

static int check_record(records_work *w, rdv_record *record, rdv_error *err)
{
    const rdv_write_options options = {.size = sizeof options, .checked = true};
    rdv_str line;
    if (record->kind != RDV_RECORD_CHAIN)
        return rdv_fail(err, RDV_E_INPUT, "the record is no chain: it has no steps");
    if (w->asked.asker)
        return asked_records_add(&w->asked, record, w->line, w->out->len, err);
    int rc = add_check(&record->chain, w->scratch, err);
    if (rc == RDV_OK)
        rc = rdv_record_write(&record->chain, &options, w->scratch, &line, err);
    if (rc == RDV_OK)
        rdv_buf_add(w->out, line);
    return rc;
}

static int grade_record(records_work *w, const rdv_record *record, rdv_error *err)
{
    const struct pair_grading how = {.how.size = sizeof how.how};
    struct graded_pair graded;
    rdv_str line;
    int rc = pair_grade(record, &how, w->scratch, &graded, err);
    if (rc == RDV_OK)
        rc = pair_write(record, &graded, w->scratch, &line, err);
    if (rc == RDV_OK)
        rdv_buf_add(w->out, line);
    return rc;
}

/* A question whose call failed counts, though nothing is there to vote. */
static int take_voter(records_work *w, const rdv_record *record, rdv_error *err)
{
    rdv_grade grade;
    const rdv_grading grading = {0};
    const vote_weight weight = {.is = VOTE_WEIGHT_EQUAL};
    int rc = usable_lacks_solution(record) ? RDV_OK : usable_chain(record, err);
    if (rc == RDV_OK)
        rc = rdv_grade_chain(&record->chain, &grading, w->scratch, &grade, err);
    if (rc == RDV_OK)
        rc = voters_refuse_again(&w->voters, &record->chain, w->scratch, err);
    return rc == RDV_OK ? voters_add(&w->voters, &record->chain, &grade, &weight, err) : rc;
}

static int work_on(records_work *w, rdv_record *record, rdv_error *err)
{
    if (w->work == JUDGE_CHECK)
        return check_record(w, record, err);
    return w->work == JUDGE_GRADE ? grade_record(w, record, err) : take_voter(w, record, err);
}

/* ---- all of them ----------------------------------------------------------------------------- */

/* What is wrong with a record is said in its place, unless it spoils the others. */
static int say_error(records_work *w, int rc, rdv_error *err)
{
    if (rc == RDV_E_ARGUMENT)
        return rdv_wrap(err, RDV_E_INPUT, "line %zu", w->line);
    if (rc == RDV_OK || rc == RDV_E_NOMEM)
        return rc;
    return add_error(w, with_line(w, rdv_str_of(err->msg)), err);
}

static int read_line(records_work *w, rdv_str line, rdv_error *err)
{
    const rdv_read_options options = {
        .size = sizeof options, .max_steps = JUDGE_MOST_STEPS, .pairs = w->work == JUDGE_GRADE};
    rdv_record *records;
    size_t n = 0;
    if (!w->asked.asker)
        rdv_arena_reset(w->scratch);
    if (calculator_thread_ns() >= w->late_at && w->work == JUDGE_VOTE)
        return rdv_fail(err, RDV_E_LIMIT,
                        "the records take more than %d s to read, which is the "
                        "limit; send fewer",
                        JUDGE_RECORDS_MS / 1000);
    if (calculator_thread_ns() >= w->late_at)
        return add_error(
            w, with_line(w, RDV_STR("the records before it took all the time that there is")), err);
    int rc = say_error(w, rdv_record_read(line, &options, w->scratch, &records, &n, err), err);
    for (size_t i = 0; i < n && rc == RDV_OK; i++)
        rc = say_error(w, work_on(w, &records[i], err), err);
    return rc;
}

static int read_lines(records_work *w, rdv_str text, rdv_error *err)
{
    size_t n = 0;
    for (size_t at = 0; at < text.len;) {
        size_t end = rdv_find_char(text, '\n', at);
        rdv_str line = rdv_trim(rdv_slice(text, at, end));
        at = end == RDV_NOT_FOUND ? text.len : end + 1;
        w->line++;
        if (line.len == 0)
            continue;
        if (n++ == JUDGE_MOST_RECORDS)
            return rdv_fail(err, RDV_E_INPUT, "more than %d records", JUDGE_MOST_RECORDS);
        int rc = read_line(w, line, err);
        if (rc != RDV_OK)
            return rc;
    }
    return n ? RDV_OK : rdv_fail(err, RDV_E_INPUT, "there is no record");
}

static int decide(records_work *w, const struct question_voters *q, rdv_error *err)
{
    const vote_rule rule = {.select = RDV_SELECT_MAJORITY};
    vote_outcome out;
    rdv_str line;
    rdv_arena_reset(w->scratch);
    int rc = vote_question(&rule, q, w->scratch, &out, err);
    if (rc == RDV_OK)
        rc = rdv_result_write(&out.result, (rdv_str){0}, w->scratch, &line, err);
    if (rc == RDV_OK)
        rdv_buf_add(w->out, line);
    if (rc == RDV_OK || rc == RDV_E_NOMEM)
        return rc;
    return add_error(w, rdv_str_printf(w->scratch, "question %.100s: %s", q->id.p, err->msg), err);
}

int judge_records(judge_work work, const records_asker *asker, rdv_str text, rdv_arena *arena,
                  rdv_buf *out, rdv_error *err)
{
    records_work w = {.work = work,
                      .scratch = rdv_arena_new(0),
                      .asked = {.asker = asker, .arena = arena},
                      .out = out,
                      .late_at = calculator_thread_ns() + (uint64_t)JUDGE_RECORDS_MS * 1000000};
    int rc = w.scratch ? RDV_OK : rdv_no_memory(err);
    voters_init(&w.voters, arena);
    if (rc == RDV_OK)
        rc = read_lines(&w, text, err);
    for (size_t i = 0; i < w.voters.n && rc == RDV_OK; i++)
        rc = decide(&w, &w.voters.questions[i], err);
    if (rc == RDV_OK && asker)
        rc = asked_records_run(&w.asked, out, err);
    asked_records_end(&w.asked);
    rdv_arena_free(&w.scratch);
    return rc != RDV_OK || rdv_buf_ok(out) ? rc : rdv_no_memory(err);
}
