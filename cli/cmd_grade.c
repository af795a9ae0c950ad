/* SPDX-License-Identifier: Apache-2.0 */
/* rederive grade: whether answers are the same as their gold answers. */
#include "cmd.h"
#include "graded_pair.h"
#include "run.h"
#include "table_print.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/json.h"
#include "base/str.h"
#include "lm/pool.h"
#include "score/estimate.h"

#include <rederive/math.h>

#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#define ROUND_RECORDS 4096             /* read before they are graded */
#define ROUND_BYTES ((size_t)16 << 20) /* the same; one record may be longer */
#define SHARE 32                       /* records that a thread takes at a time */

/* A record of a round and what became of it. */
struct place {
    rdv_record record;
    const char *path;
    bool unread; /* it could not be read, which run_read() reported */
    int code;    /* of reading or grading it */
    rdv_error err;
    rdv_same is;
    const char *why;
    rdv_str line;
};

struct grading {
    struct run run;
    struct pair_grading how;
    struct place *places; /* of the current round */
    size_t n;
    size_t threads;
    rdv_arena **scratch; /* one for each thread, of a record */
    rdv_arena **lines;   /* one for each thread, of a round */
    pool *pool;          /* NULL: this thread does the work */
    uint64_t n_correct, n_incorrect, n_undecided, n_unread;
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
        "in",        "join",          "format",   "question-from", "steps-from",
        "gold-from", "id-from",       "question", "separator",     "answer-from",
        "text-from", "answer-source", "jobs",     "fail-on-wrong", "fail-on-unknown",
        "strict",    "json",          "progress"};
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

/* ---- threads --------------------------------------------------------------------------------- */

static size_t threads_wanted(const struct settings *s)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    size_t n = s->jobs ? (size_t)s->jobs : processors > 0 ? (size_t)processors : 1;
    return n < 256 ? n : 256;
}

/* Signals are for the thread that reads, whose wait they end. */
static pool *pool_without_signals(rdv_arena *arena, size_t threads)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    pool *made = pool_new(arena, threads);
    if (made)
        pool_at_end(made, rdv_math_thread_end);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return made;
}

static void begin_threads(struct grading *g)
{
    rdv_error err = {0};
    rdv_arena *keep = g->run.keep;
    g->threads = threads_wanted(g->run.settings);
    g->places = RDV_NEW_ARRAY(keep, struct place, ROUND_RECORDS);
    g->scratch = RDV_NEW_ARRAY(keep, rdv_arena *, g->threads);
    g->lines = RDV_NEW_ARRAY(keep, rdv_arena *, g->threads);
    bool ok = g->places && g->scratch && g->lines;
    for (size_t i = 0; ok && i < g->threads; i++)
        ok = (g->scratch[i] = rdv_arena_new(0)) && (g->lines[i] = rdv_arena_new(0));
    if (ok && g->threads > 1)
        ok = (g->pool = pool_without_signals(keep, g->threads)) != NULL;
    if (!ok)
        run_stop(&g->run, NOTHING_DONE, (rdv_no_memory(&err), &err));
}

static void end_threads(struct grading *g)
{
    pool_end(g->pool);
    rdv_math_thread_end(); /* this thread works too */
    for (size_t i = 0; g->scratch && g->lines && i < g->threads; i++) {
        rdv_arena_free(&g->scratch[i]);
        rdv_arena_free(&g->lines[i]);
    }
}

/* ---- rounds of records ----------------------------------------------------------------------- */

/* Of what grading took, only the line and the result without its texts are kept. */
static void grade_place(struct grading *g, struct place *p, size_t worker)
{
    rdv_arena *scratch = g->scratch[worker];
    struct graded_pair graded;
    rdv_str line;
    if (p->code == RDV_OK)
        p->code = pair_grade(&p->record, &g->how, scratch, &graded, &p->err);
    if (p->code == RDV_OK)
        p->code = pair_write(&p->record, &graded, scratch, &line, &p->err);
    if (p->code == RDV_OK) {
        p->is = graded.compared.is;
        p->why = graded.compared.why;
        p->line = rdv_str_copy(g->lines[worker], line);
        p->code = p->line.p ? RDV_OK : rdv_no_memory(&p->err);
    }
    rdv_arena_reset(scratch);
}

static void grade_share(void *payload, size_t item, size_t worker)
{
    struct grading *g = payload;
    size_t end = (item + 1) * SHARE < g->n ? (item + 1) * SHARE : g->n;
    for (size_t i = item * SHARE; i < end; i++)
        grade_place(g, &g->places[i], worker);
}

/* Read records until there are enough for a round, or the next one would have to be waited for. */
static bool read_round(struct grading *g)
{
    bool more = true;
    g->n = 0;
    rdv_arena_reset(g->run.arena);
    while (g->n < ROUND_RECORDS && rdv_arena_used(g->run.arena) < ROUND_BYTES) {
        struct place *p = &g->places[g->n];
        *p = (struct place){.path = g->run.path};
        if (g->n && run_would_wait(&g->run))
            break;
        run_tell_records(&g->run);
        p->code = run_read(&g->run, g->run.arena, &p->record, &p->err);
        p->unread = p->code < 0;
        more = p->code != RDV_NONE;
        if (!more)
            break;
        p->path = g->run.path;
        g->n++;
    }
    return more;
}

static void grade_round(struct grading *g)
{
    size_t shares = (g->n + SHARE - 1) / SHARE;
    for (size_t i = 0; i < g->threads; i++)
        rdv_arena_reset(g->lines[i]);
    if (g->pool) {
        pool_wake(g->pool);
        pool_run(g->pool, grade_share, g, shares);
        pool_rest(g->pool);
        return;
    }
    for (size_t i = 0; i < shares; i++)
        grade_share(g, i, 0);
}

static void count(struct grading *g, const struct place *p)
{
    g->n_correct += p->is == RDV_SAME;
    g->n_incorrect += p->is == RDV_DIFFERENT;
    g->n_undecided += p->is == RDV_CANNOT_TELL;
    g->n_unread += p->is == RDV_DIFFERENT && strcmp(p->why, "unread") == 0;
}

/* Write the line of a record; of one that failed, its error. */
static void write_place(struct grading *g, struct place *p)
{
    g->run.path = p->path;
    if (p->code == RDV_OK) {
        count(g, p);
    } else if (p->code == RDV_E_NOMEM) {
        run_stop(&g->run, NOTHING_DONE, &p->err);
        return;
    } else if (p->unread) {
        if (rdv_error_write(rdv_str_of(p->err.msg), g->run.arena, &p->line, NULL) != RDV_OK)
            return;
    } else {
        run_fail_record(&g->run, &p->record, &p->err, g->run.arena, &p->line);
    }
    if (p->line.p)
        run_write(&g->run, p->line);
}

static void grade_all(struct grading *g)
{
    bool more = true;
    while (more && !run_stopped(&g->run)) {
        more = read_round(g);
        const char *path = g->run.path;
        grade_round(g);
        for (size_t i = 0; i < g->n && !run_cannot_write(&g->run); i++)
            write_place(g, &g->places[i]);
        g->run.path = path;
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
    begin_threads(&g);
    grade_all(&g);
    end_threads(&g);
    run_tell_empty(&g.run, "grade");
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
