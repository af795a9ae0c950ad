/* SPDX-License-Identifier: Apache-2.0 */
/* What batches write, and what becomes of their results, does not change unseen. A seed draws what
 * is to be done, the limits of files, and a provider that answers lines, refuses some, loses some,
 * repeats some and writes others that are no results; rounds follow until the work is done. What
 * comes of it, and of the journal's export, import and merge, is a line of
 * tests/golden/batches.tsv.
 *
 *     prop_batches              compares
 *     prop_batches --write      writes the file, after a change that is meant
 *     prop_batches SEED         prints what the hashes of a line are over */
#include "../unit/test.h"
#include "golden_lines.h"

#include "base/buf.h"
#include "base/map.h"
#include "base/rng.h"
#include "run/batch_import.h"
#include "run/journal/batch.h"
#include "run/journal/lines.h"
#include "run/journal/merge.h"

#include <rederive/data.h>
#include <rederive/method.h>

#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define WORLDS 80
#define MOST_ROUNDS 9
#define MOST_LINES 4096

typedef struct facts {
    size_t rounds;
    uint64_t files, written, again, expected;
    batch_imported results;
    rdv_journal_merged merged;
    char ends[MOST_ROUNDS + 1];
    uint64_t files_hash, said_hash, record_hash;
} facts;

typedef struct world {
    uint64_t seed;
    rdv_rng rng;
    rdv_arena *arena;
    bool tell;
    rdv_run_options run;
    rdv_plan_options plan;
    rdv_check_options check;
    const rdv_method *methods[2];
    rdv_chain chains[3];
    size_t n_chains, next;
    bool solves;
    facts facts;
} world;

static rdv_prompts *prompts;

static size_t below(world *w, size_t n)
{
    return (size_t)rdv_rng_below(&w->rng, n);
}

static bool one_in(world *w, size_t n)
{
    return below(w, n) == 0;
}

static void note(world *w, uint64_t *hash, rdv_str text)
{
    *hash = rdv_hash(text, *hash);
    if (w->tell)
        printf("%.*s\n", RDV_FMT(text));
}

static void must(const world *w, int rc, const rdv_error *err)
{
    if (rc != RDV_OK)
        fail_msg("seed %llu: %s", (unsigned long long)w->seed, err->msg);
}

/* ---- what is to be done ---------------------------------------------------------------------- */

static rdv_str step_texts[][3] = {
    {RDV_STR("3 * 4 = 12."), RDV_STR("12 - 5 = 7."), RDV_STR("So the answer is 7.")},
    {RDV_STR("3 * 4 = 13."), RDV_STR("13 - 5 = 8."), RDV_STR("So the answer is 8.")},
    {RDV_STR("12 - 5 = 7."), RDV_STR("7 pens are left."), RDV_STR("So the answer is 7.")}};

static void draw_work(world *w)
{
    static const rdv_str criteria[] = {{"It answers the question.", 24}, {"It is right.", 12}};
    size_t all = 0;
    while (rdv_method_at(all))
        all++;
    rdv_check_options_default(&w->check, sizeof w->check);
    rdv_plan_options_default(&w->plan, sizeof w->plan);
    w->plan.criteria = criteria;
    w->plan.n_criteria = 2;
    w->check.samples = 1 + below(w, 2);
    w->methods[0] = rdv_method_at(below(w, all));
    w->methods[1] = rdv_method_at(below(w, all));
    w->plan.methods = w->methods;
    w->plan.n_methods = 1 + one_in(w, 3);
    w->plan.check = &w->check;
    w->plan.prompts = prompts;
    w->plan.generator = RDV_STR("m");
    w->plan.chains = 1 + below(w, 3);
    w->plan.generate = (rdv_generate_kind)below(w, 3);
    w->plan.max_steps = 3;
    w->plan.structured = one_in(w, 2);
    w->plan.profile = (rdv_profile)below(w, 2);
    w->solves = one_in(w, 3);
    w->n_chains = 1 + below(w, 3);
    for (size_t i = 0; i < w->n_chains; i++)
        w->chains[i] = (rdv_chain){
            .id = rdv_str_printf(w->arena, "q%zu/0", i),
            .question = {.id = rdv_str_printf(w->arena, "q%zu", i),
                         .text = rdv_str_printf(w->arena, "Boxes of 4: %zu. How many?", i / 2),
                         .gold = RDV_STR("7")},
            .steps = step_texts[i],
            .n_steps = 3,
            .answer = RDV_STR("7"),
            .correct = -1};
}

static void on_notice(void *of, const char *line)
{
    world *w = of;
    note(w, &w->facts.said_hash, rdv_str_of(line));
}

static void draw_run(world *w)
{
    rdv_run_options *o = &w->run;
    rdv_run_options_default(o, sizeof *o);
    o->mode = RDV_RUN_BATCH;
    o->generator.spec.name = RDV_STR("m");
    o->batch.path = one_in(w, 8) ? "requests" : "requests.jsonl";
    o->batch.server = (rdv_batch_server)below(w, 3);
    o->batch.max_requests = 1 + below(w, one_in(w, 2) ? 5 : 40);
    o->batch.max_bytes = one_in(w, 4) ? 700 + below(w, 4000) : o->batch.max_bytes;
    o->retries = (uint32_t)below(w, 3);
    o->budget.calls = one_in(w, 4) ? 1 + below(w, 6) : 0;
    o->max_plans = one_in(w, 3) ? 1 + below(w, 2) : 0;
    o->notice = on_notice;
    o->payload = w;
}

static int next_plan(void *of, rdv_plan **plan, rdv_error *err)
{
    world *w = of;
    if (w->next == w->n_chains)
        return RDV_NONE;
    const rdv_chain *chain = &w->chains[w->next++];
    return w->solves ? rdv_plan_solve(&chain->question, &w->plan, plan, err)
                     : rdv_plan_check(chain, 1, &w->plan, plan, err);
}

static int take_plan(void *of, rdv_plan *plan, rdv_error *err)
{
    world *w = of;
    size_t n;
    rdv_str line;
    const rdv_chain *chains = rdv_plan_chains(plan, &n);
    (void)err;
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(rdv_record_write(&chains[i], NULL, w->arena, &line, NULL), RDV_OK);
        note(w, &w->facts.record_hash, line);
    }
    note(w, &w->facts.record_hash, rdv_plan_partial(plan) ? RDV_STR("partial") : RDV_STR("whole"));
    rdv_plan_free(&plan);
    return RDV_OK;
}

/* ---- a provider ------------------------------------------------------------------------------ */

static const char *const texts[] = {
    "Yes",
    "No",
    "The step is right.\\nCorrect",
    "Solution 1 supports the conclusion in Solution 2.",
    "Solution 1 contradicts the conclusion in Solution 2.",
    "Step 1: 3 * 4 = 12.\\n\\nStep 2: So the answer is 12.",
    " So the answer is 7.",
    "\\\\boxed{-1}",
    "{\\\"reasoning\\\":\\\"I looked.\\\",\\\"answer\\\":\\\"Yes\\\"}",
    "Step 0, Information 0",
    "",
};

static const char *const failures[] = {
    ("\"response\":{\"status_code\":500,\"body\":{\"error\":{\"message\":\"it broke\"}}},\"error\":"
     "null"),
    "\"response\":{\"status_code\":429,\"body\":{\"error\":{\"message\":\"too much\"}}}",
    ("\"response\":{\"status_code\":400,\"body\":{\"error\":{\"message\":\"Unsupported parameter: "
     "'temperature'\",\"param\":\"temperature\"}}}"),
    ("\"response\":{\"status_code\":400,\"body\":{\"error\":{\"message\":\"the prompt is too "
     "long\"}}}"),
    "\"response\":{\"status_code\":404,\"body\":{}}",
    "\"response\":{\"status_code\":429,\"body\":{\"error\":{\"code\":\"insufficient_quota\"}}}",
    "\"response\":null,\"error\":{\"code\":\"batch_expired\",\"message\":\"it ran out of time\"}",
    "\"response\":{\"status_code\":200,\"body\":{\"choices\":[]}}",
    ("\"response\":{\"status_code\":200,\"body\":{\"choices\":[{\"message\":{\"content\":\"Yes\"},"
     "\"finish_reason\":\"content_filter\"}]}}"),
    "\"response\":{\"status_code\":202,\"body\":{}}",
    "\"response\":{\"status_code\":408,\"body\":\"busy\"}",
};

static const char *const no_results[] = {
    "",
    "null",
    "{\"custom_id\":\"of another program\",\"response\":{\"status_code\":200,\"body\":{}}}",
    "{\"response\":null}",
    "{\"custom_id\":\"00000000000000000000000000000000000000000000000000000000000000ff\",",
    ("{\"custom_id\":\"00000000000000000000000000000000000000000000000000000000000000ff\","
     "\"response\":{\"status_code\":200,\"body\":{\"choices\":[]}}}"),
};

/* The result of a request: its line begins with {"custom_id":"64 digits". */
static rdv_str result_of(world *w, rdv_str line)
{
    static const char mark[] = "\"custom_id\":\"";
    size_t at = rdv_find(line, rdv_str_of(mark), 0) + sizeof mark - 1;
    rdv_str id = rdv_slice(line, at, at + 64);
    uint64_t x = rdv_hash(id, w->seed);
    bool logprobs = rdv_find(line, RDV_STR("\"logprobs\":true"), 0) != RDV_NOT_FOUND;
    if (one_in(w, 5)) {
        size_t named = below(w, 9), what = below(w, sizeof failures / sizeof *failures);
        return rdv_str_printf(w->arena, "{\"id\":\"r%zu\",\"custom_id\":\"%.*s\",%s}", named,
                              RDV_FMT(id), failures[what]);
    }
    return rdv_str_printf(
        w->arena,
        "{\"id\":\"r\",\"custom_id\":\"%.*s\",\"response\":{\"status_code\":200,\"body\":{"
        "\"choices\":[{\"index\":0,\"message\":{\"content\":\"%s\"},\"finish_reason\":\"%s\"%s}],"
        "\"usage\":{\"prompt_tokens\":%u,\"completion_tokens\":%u}}},\"error\":null}",
        RDV_FMT(id), texts[x % (sizeof texts / sizeof *texts)], x % 31 ? "stop" : "length",
        logprobs && x % 3 ? ",\"logprobs\":{\"content\":[]}" : "", (unsigned)(x % 90),
        (unsigned)(x % 17));
}

/* Note a file of requests and write its results to `results`, in an order that the seed draws. */
static size_t answer_file(world *w, const char *path, rdv_str *results, size_t n)
{
    char *line = NULL;
    size_t cap = 0, first = n;
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    note(w, &w->facts.files_hash, rdv_str_of(path));
    for (ssize_t len; (len = getline(&line, &cap, f)) > 0;) {
        rdv_str request = rdv_str_copy(w->arena, rdv_trim((rdv_str){line, (size_t)len}));
        note(w, &w->facts.files_hash, request);
        for (size_t k = one_in(w, 9) ? below(w, 3) : 1; k > 0 && n < MOST_LINES; k--)
            results[n++] = result_of(w, request);
        if (one_in(w, 12) && n < MOST_LINES)
            results[n++] = rdv_str_of(no_results[below(w, sizeof no_results / sizeof *no_results)]);
    }
    free(line);
    fclose(f);
    for (size_t i = n; i > first + 1; i--) {
        size_t k = first + below(w, i - first);
        rdv_str swapped = results[i - 1];
        results[i - 1] = results[k];
        results[k] = swapped;
    }
    return n;
}

static void import(world *w, const rdv_str *results, size_t n)
{
    batch_import all;
    rdv_error err = {0};
    rdv_arena *arena = rdv_arena_new(0), *scratch = rdv_arena_new(0);
    must(w, batch_import_begin(&all, w->run.journal, arena, scratch, &err), &err);
    for (size_t i = 0; i < n; i++) {
        int rc = batch_import_line(&all, results[i], &err);
        assert_true(rc >= 0);
        if (rc == RDV_NONE)
            note(w, &w->facts.said_hash, rdv_str_of(err.msg));
    }
    must(w, batch_import_end(&all, &err), &err);
    const batch_imported *c = &all.counts;
    batch_imported *sums = &w->facts.results;
    sums->added += c->added;
    sums->known += c->known;
    sums->failed += c->failed;
    sums->refused += c->refused;
    sums->foreign += c->foreign;
    sums->bad += c->bad;
    sums->lost += c->lost;
    rdv_arena_free(&arena);
    rdv_arena_free(&scratch);
}

/* ---- rounds ---------------------------------------------------------------------------------- */

static void note_counts(world *w)
{
    batch_counts c;
    uint64_t waiting;
    assert_int_equal(journal_batch_count(w->run.journal, &c, NULL), RDV_OK);
    assert_int_equal(journal_batch_waiting(w->run.journal, &waiting, NULL), RDV_OK);
    note(w, &w->facts.said_hash,
         rdv_str_printf(w->arena, "%llu files, %llu rounds, %llu %llu %llu %llu, %llu wait",
                        (unsigned long long)c.files, (unsigned long long)c.rounds,
                        (unsigned long long)c.by_state[0], (unsigned long long)c.by_state[1],
                        (unsigned long long)c.by_state[2], (unsigned long long)c.by_state[3],
                        (unsigned long long)waiting));
}

static rdv_run_end run_round(world *w)
{
    static const char letters[] = "DBSRUW";
    rdv_plan_source source = {next_plan, take_plan, w};
    rdv_run *run;
    rdv_error err = {0};
    rdv_run_totals t;
    const char *why;
    w->next = 0;
    must(w, rdv_journal_open("journal", RDV_JOURNAL_WRITE, &w->run.journal, &err), &err);
    must(w, rdv_run_new(&w->run, &run, &err), &err);
    must(w, rdv_run_plans(run, &source, &err), &err);
    rdv_run_end end = rdv_run_ended(run, &why);
    rdv_run_totals_now(run, &t);
    note(w, &w->facts.said_hash,
         rdv_str_printf(w->arena, "round %llu: %s; %llu %llu %llu %llu, %llu answered, %llu failed",
                        (unsigned long long)t.batch_round, why, (unsigned long long)t.batch_files,
                        (unsigned long long)t.batch_written, (unsigned long long)t.batch_again,
                        (unsigned long long)t.batch_expected, (unsigned long long)t.answered,
                        (unsigned long long)t.failed));
    rdv_run_free(&run);
    w->facts.ends[w->facts.rounds++] = letters[end];
    w->facts.files += t.batch_files;
    w->facts.written += t.batch_written;
    w->facts.again += t.batch_again;
    w->facts.expected += t.batch_expected;
    return end;
}

/* Results of a file come in this round or in a later one, and sometimes twice. */
static void take_results(world *w)
{
    glob_t files;
    rdv_str *results = RDV_NEW_ARRAY(w->arena, rdv_str, MOST_LINES);
    if (glob("requests*", 0, NULL, &files) != 0)
        return;
    for (size_t i = 0; i < files.gl_pathc; i++) {
        if (one_in(w, 4))
            continue;
        size_t n = answer_file(w, files.gl_pathv[i], results, 0);
        import(w, results, n);
        if (one_in(w, 6))
            import(w, results, n);
        if (!one_in(w, 5))
            rename(files.gl_pathv[i],
                   rdv_str_printf(w->arena, "done-%zu-%s", w->facts.rounds, files.gl_pathv[i]).p);
    }
    globfree(&files);
}

static void run_rounds(world *w)
{
    rdv_run_end end = RDV_END_WAITING;
    while (end == RDV_END_WAITING && w->facts.rounds < MOST_ROUNDS) {
        w->run.batch.again = one_in(w, 10);
        end = run_round(w);
        take_results(w);
        note_counts(w);
        rdv_journal_close(&w->run.journal);
    }
}

/* ---- the journal ----------------------------------------------------------------------------- */

typedef struct export
{
    world *w;
    rdv_journal *half;
    size_t n;
    rdv_journal_imported counts;
}
export;

/* Another journal gets some of the lines as they are, and some with another reply or time. */
static int take_line(void *of, rdv_str line, rdv_error *err)
{
    export *e = of;
    world *w = e->w;
    size_t what = below(w, 4), at = rdv_find(line, RDV_STR("\"created_ms\":"), 0);
    if (what == 3)
        line = rdv_slice(line, 0, line.len / 2);
    if (what == 1 && at != RDV_NOT_FOUND)
        line = rdv_str_printf(w->arena, "%.*s1%.*s", RDV_FMT(rdv_slice(line, 0, at + 13)),
                              RDV_FMT(rdv_slice(line, at + 13, line.len)));
    e->n++;
    if (what == 0)
        return RDV_OK;
    int rc = rdv_journal_import(e->half, line, &e->counts, err);
    return rc == RDV_NONE ? RDV_OK : rc;
}

static void try_journal(world *w)
{
    export e = {.w = w};
    rdv_error err = {0};
    uint64_t n;
    rdv_str *names;
    size_t n_names;
    rdv_journal *from;
    must(w, rdv_journal_open("journal", RDV_JOURNAL_READ, &from, &err), &err);
    must(w, rdv_journal_open("half", RDV_JOURNAL_WRITE, &e.half, &err), &err);
    must(w, rdv_journal_export(from, take_line, &e, &err), &err);
    must(w, rdv_journal_flush(e.half, &err), &err);
    must(w, rdv_journal_merge(e.half, from, NULL, &w->facts.merged, &err), &err);
    must(w, rdv_journal_count(e.half, &n, &err), &err);
    must(w, rdv_journal_models(e.half, w->arena, &names, &n_names, &err), &err);
    note(w, &w->facts.said_hash,
         rdv_str_printf(w->arena, "%zu lines: %llu %llu %llu; %llu replies of %zu models", e.n,
                        (unsigned long long)e.counts.added, (unsigned long long)e.counts.known,
                        (unsigned long long)e.counts.bad, (unsigned long long)n, n_names));
    rdv_journal_close(&e.half);
    rdv_journal_close(&from);
}

/* ---- a world --------------------------------------------------------------------------------- */

static void write_line(const world *w, char *line)
{
    const facts *f = &w->facts;
    const uint64_t numbers[] = {f->files,
                                f->written,
                                f->again,
                                f->expected,
                                f->results.added,
                                f->results.known,
                                f->results.failed,
                                f->results.refused,
                                f->results.foreign,
                                f->results.bad,
                                f->results.lost,
                                f->merged.added,
                                f->merged.copies,
                                f->merged.repeated,
                                f->merged.conflicts,
                                f->merged.prompt_tokens,
                                f->merged.completion_tokens};
    size_t at = (size_t)snprintf(line, LINE_BYTES, "%llu\t%s\t%s", (unsigned long long)w->seed,
                                 w->methods[0]->name, f->ends);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        at +=
            (size_t)snprintf(line + at, LINE_BYTES - at, "\t%llu", (unsigned long long)numbers[i]);
    snprintf(line + at, LINE_BYTES - at, "\t%08x\t%08x\t%08x\n", (unsigned)(f->files_hash >> 32),
             (unsigned)(f->said_hash >> 32), (unsigned)(f->record_hash >> 32));
}

static const char head[] =
    "seed\tmethod\tends\tfiles\twritten\tagain\texpected\tadded\tknown\tfailed\trefused\tforeign\t"
    "bad\tlost\tmerged\tcopies\trepeated\tconflicts\tprompt\tcompletion\trequests\tsaid\trecords\n";

static void remove_files(void)
{
    glob_t files;
    if (glob("*", 0, NULL, &files) != 0)
        return;
    for (size_t i = 0; i < files.gl_pathc; i++)
        unlink(files.gl_pathv[i]);
    globfree(&files);
}

static void make_line(uint64_t seed, bool tell, char *line)
{
    world w = {.seed = seed, .arena = rdv_arena_new(0), .tell = tell};
    char folder[] = "/tmp/rdv-batches-XXXXXX";
    assert_non_null(mkdtemp(folder));
    assert_int_equal(chdir(folder), 0);
    rdv_rng_seed(&w.rng, seed);
    draw_work(&w);
    draw_run(&w);
    run_rounds(&w);
    try_journal(&w);
    write_line(&w, line);
    rdv_arena_free(&w.arena);
    remove_files();
    assert_int_equal(chdir("/tmp"), 0);
    assert_int_equal(rmdir(folder), 0);
}

/* ---- the file -------------------------------------------------------------------------------- */

static const golden_lines golden = {"batches.tsv", head, 1, WORLDS, make_line};

static int make_prompts(void **state)
{
    (void)state;
    return rdv_prompts_new(NULL, 0, &prompts, NULL);
}

static int free_prompts(void **state)
{
    (void)state;
    rdv_prompts_free(&prompts);
    return 0;
}

static void test_batches__are_what_they_were(void **state)
{
    (void)state;
    golden_compare(&golden);
}

int main(int argc, char **argv)
{
    void *none = NULL;
    const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(
        test_batches__are_what_they_were, make_prompts, free_prompts)};
    if (argc == 1)
        return cmocka_run_group_tests(tests, NULL, NULL);
    make_prompts(&none);
    int status = golden_answer(&golden, argv[1]);
    free_prompts(&none);
    return status;
}
