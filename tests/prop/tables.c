/* SPDX-License-Identifier: Apache-2.0 */
/* Methods of a user's own, drawn at random: text -> table -> plan. For each of them what is asked
 * is counted from its text alone; the records do not depend on the order of arrival nor on what is
 * asked ahead; what waits for a stage that failed is never asked, unless it may fail; and a plan
 * that is closed at any moment supports nothing that was not read. */
#include "drawn_tables.h"

#include "base/map.h"

#include <rederive/data.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#define ROUNDS SHARE(400)
#define MAX_STEPS 5
#define MAX_OUT 32
#define OPTION_SAMPLES 2

/* ---- what it must ask, from its text --------------------------------------------------------- */

/* Requests of a stage about a chain of so many steps, of which those in turn end with the last. */
static size_t count_of(const made *m, size_t stage, size_t n_steps, size_t in_turn)
{
    char heading[8];
    snprintf(heading, sizeof heading, "## s%zu\n", stage);
    size_t at = rdv_find(m->text, rdv_str_of(heading), 0), samples = 1, n = n_steps;
    rdv_str rest = rdv_slice(m->text, at + strlen(heading), m->text.len), line;
    while (rdv_next_line(&rest, &line) && line.len) {
        if (rdv_str_eq(line, RDV_STR("per: chain")))
            n = 1;
        else if (rdv_str_eq(line, RDV_STR("per: later step")))
            n = n_steps - 1;
        else if (rdv_str_eq(line, RDV_STR("per: step in turn")))
            n = in_turn;
        else if (rdv_str_eq(line, RDV_STR("samples: option")))
            samples = OPTION_SAMPLES;
        else if (rdv_starts(line, RDV_STR("samples: ")))
            samples = (size_t)(line.p[9] - '0');
    }
    return n * samples;
}

static size_t count_all(const made *m, size_t n_steps, size_t in_turn)
{
    size_t n = 0;
    for (size_t i = 0; i < m->n_stages; i++)
        n += count_of(m, i, n_steps, in_turn);
    return n;
}

/* ---- a model --------------------------------------------------------------------------------- */

static rdv_str steps[MAX_STEPS] = {{"2 + 3 = 5.", 10},
                                   {"So 2 + 3 = 5.", 13},
                                   {"x is 2 + 3 = 5.", 15},
                                   {"We get 2 + 3 = 5.", 17},
                                   {"The answer is 2 + 3 = 5.", 24}};

static rdv_chain chain_of(size_t n_steps)
{
    return (rdv_chain){.question = {.id = {"q", 1}, .text = {"There are 2 and 3. What is x?", 29}},
                       .steps = steps,
                       .n_steps = n_steps,
                       .answer = {"5", 1},
                       .correct = -1};
}

/* "own/s3", or "own": there is no stage of that name. */
static size_t stage_of(const rdv_request *r)
{
    return (size_t)(r->stage.p[r->stage.len - 1] - '0');
}

/* Of "chain #0, step 2, sample 1"; 0 where it is of the chain. */
static size_t step_of(const rdv_request *r)
{
    size_t at = rdv_find(r->sample, RDV_STR("step "), 0);
    return at == RDV_NOT_FOUND ? 0 : (size_t)(r->sample.p[at + 5] - '0');
}

static uint64_t number_of(const rdv_request *r, uint64_t salt)
{
    return rdv_hash((rdv_str){(const char *)r->key, sizeof r->key}, salt);
}

/* A text as the table quotes it, without its escapes. */
static rdv_str unquoted(const char *s, rdv_arena *arena)
{
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    for (; *s; s++) {
        bool escape = *s == '\\';
        s += escape;
        rdv_buf_add_char(&b, escape && *s == 'n' ? '\n' : *s);
    }
    return rdv_buf_str(&b);
}

/* As the key says: mostly a reply that supports, else one that contradicts, says nothing, or fails.
 */
static void answer_by_key(const made *m, rdv_plan *plan, const rdv_request *r, rdv_arena *arena)
{
    uint64_t x = number_of(r, 1) % 16;
    size_t reader = m->stages[stage_of(r)].reader;
    rdv_reply reply = {.usage = true, .prompt_tokens = 10};
    if (x == 0) {
        assert_int_equal(rdv_plan_fail(plan, r->id, RDV_FAIL_TIMEOUT, RDV_STR("late"), NULL),
                         RDV_OK);
        return;
    }
    reply.completion_tokens = number_of(r, 2) % 40;
    reply.text = x == 1 ? RDV_STR("banana")
                        : unquoted(x < 5 ? readers[reader].bad : readers[reader].good, arena);
    assert_int_equal(rdv_plan_reply(plan, r->id, &reply, NULL), RDV_OK);
}

static void answer_dry(rdv_plan *plan, const rdv_request *r, rdv_arena *arena)
{
    rdv_reply reply;
    assert_int_equal(rdv_plan_dry_reply(plan, r, arena, &reply, NULL), RDV_OK);
    assert_int_equal(rdv_plan_reply(plan, r->id, &reply, NULL), RDV_OK);
}

static rdv_plan *plan_of(const made *m, const rdv_chain *chain, size_t ahead, uint64_t seed)
{
    rdv_plan *plan;
    rdv_plan_options o;
    rdv_check_options checking;
    rdv_plan_options_default(&o, sizeof o);
    rdv_check_options_default(&checking, sizeof checking);
    o.check = &checking;
    o.methods = &m->method;
    o.n_methods = 1;
    o.prompts = m->prompts;
    checking.samples = OPTION_SAMPLES;
    o.lookahead = ahead;
    o.seed = seed;
    assert_int_equal(rdv_plan_check(chain, 1, &o, &plan, NULL), RDV_OK);
    return plan;
}

static const rdv_check *check_of(const rdv_plan *plan)
{
    size_t n;
    const rdv_chain *out = rdv_plan_chains(plan, &n);
    return &out->checks[out->n_checks - 1];
}

/* ---- what is asked --------------------------------------------------------------------------- */

/* Answer all whole, but stage `but` from step `from` on, which says `bad` or fails. The number of
 * requests of each stage into asked[]. */
static void run_but(const made *m, rdv_plan *plan, size_t but, size_t from, const char *bad,
                    size_t *asked, rdv_arena *arena)
{
    rdv_request r;
    memset(asked, 0, MAX_STAGES * sizeof *asked);
    while (!rdv_plan_done(plan) && rdv_plan_next(plan, &r, NULL) == RDV_OK) {
        asked[stage_of(&r)]++;
        bool other = stage_of(&r) != but || step_of(&r) < from;
        rdv_reply reply = {.text = bad ? unquoted(bad, arena) : RDV_STR("")};
        if (other)
            answer_dry(plan, &r, arena);
        else if (bad)
            assert_int_equal(rdv_plan_reply(plan, r.id, &reply, NULL), RDV_OK);
        else
            assert_int_equal(rdv_plan_fail(plan, r.id, RDV_FAIL_UNREACHABLE, RDV_STR("gone"), NULL),
                             RDV_OK);
    }
    holds(m, rdv_plan_done(plan));
}

static void test_calls__are_those_of_the_table(void **state)
{
    (void)state;
    size_t in_turn = 0;
    for (uint64_t round = 0; round < ROUNDS; round++) {
        made m;
        make(&m, round);
        for (size_t n = 1; n <= MAX_STEPS; n += 2) {
            size_t asked[MAX_STAGES], sum = 0, last = m.n_stages - 1;
            const rdv_chain chain = chain_of(n);
            rdv_plan *plan = plan_of(&m, &chain, 1, 0);
            run_but(&m, plan, MAX_STAGES, 0, NULL, asked, m.arena);
            for (size_t i = 0; i < m.n_stages; i++) {
                holds(&m, asked[i] == count_of(&m, i, n, n));
                sum += asked[i];
            }
            const rdv_check *check = check_of(plan);
            holds(&m, check->calls == sum && sum == count_all(&m, n, n));
            /* Nothing was asked where the first step is all there is of later steps. */
            bool given = is(m.stages[last].per, "later step") && n == 1;
            holds(&m, given ? isnan(check->confidence) : check->confidence > 0.5);
            rdv_plan_free(&plan);
            if (!is(m.stages[last].per, "step in turn"))
                continue;
            in_turn++;
            for (size_t wrong = 0; wrong < n; wrong++) {
                plan = plan_of(&m, &chain, 1, 0);
                run_but(&m, plan, last, wrong, readers[m.stages[last].reader].bad, asked, m.arena);
                holds(&m, check_of(plan)->calls == count_all(&m, n, wrong + 1));
                holds(&m, check_of(plan)->first_error == wrong);
                rdv_plan_free(&plan);
            }
        }
        unmake(&m);
    }
    assert_true(in_turn > SHARE(20));
}

/* A chain without steps asks nothing and says nothing. */
static void test_calls__none_about_no_step(void **state)
{
    (void)state;
    for (uint64_t round = 0; round < ROUNDS; round++) {
        made m;
        make(&m, round);
        const rdv_chain chain = chain_of(0);
        rdv_plan *plan = plan_of(&m, &chain, 1, 0);
        holds(&m, rdv_plan_done(plan));
        holds(&m, check_of(plan)->calls == 0 && check_of(plan)->n_verdicts == 0);
        holds(&m, isnan(check_of(plan)->confidence));
        rdv_plan_free(&plan);
        unmake(&m);
    }
}

/* ---- a stage that fails ---------------------------------------------------------------------- */

/* Which stages are unknown without that one. */
static void without(const made *m, size_t failed, bool *unknown)
{
    for (size_t i = 0; i < m->n_stages; i++) {
        const made_stage *s = &m->stages[i];
        unknown[i] = i == failed;
        for (size_t k = 0; k < i; k++)
            unknown[i] |= s->after[k] && !s->optional[k] && unknown[k];
    }
}

static void check_failed(const made *m, size_t failed, size_t n)
{
    bool unknown[MAX_STAGES];
    size_t asked[MAX_STAGES], last = m->n_stages - 1;
    const rdv_chain chain = chain_of(n);
    rdv_plan *plan = plan_of(m, &chain, 1, 0);
    run_but(m, plan, failed, 0, NULL, asked, m->arena);
    without(m, failed, unknown);
    for (size_t i = 0; i < m->n_stages; i++)
        holds(m, i == failed || asked[i] == (unknown[i] ? 0 : count_of(m, i, n, n)));
    const rdv_check *check = check_of(plan);
    bool given = is(m->stages[last].per, "later step");
    if (!unknown[last])
        holds(m, (given && n == 1) || check->confidence > 0.5);
    for (size_t i = 0; i < check->n_verdicts; i++) {
        const rdv_verdict *v = &check->verdicts[i];
        if (unknown[last])
            holds(m, v->kind == RDV_UNKNOWN && isnan(v->score) && v->why.len > 0);
        else
            holds(m, v->kind == RDV_SUPPORT || (given && n == 1));
    }
    if (unknown[last])
        holds(m, isnan(check->confidence) && check->first_error == RDV_STEP_UNKNOWN);
    rdv_plan_free(&plan);
}

static void test_failed_stage__makes_unknown_what_needs_it(void **state)
{
    (void)state;
    for (uint64_t round = 0; round < ROUNDS; round++) {
        made m;
        make(&m, round);
        for (size_t i = 0; i < m.n_stages; i++) {
            check_failed(&m, i, 1);
            check_failed(&m, i, 3);
        }
        unmake(&m);
    }
}

/* ---- the order of arrival -------------------------------------------------------------------- */

typedef struct outstanding {
    rdv_request request[MAX_OUT];
    size_t n, begun;
} outstanding;

static void take_back(outstanding *o, rdv_plan *plan)
{
    uint64_t id;
    while (rdv_plan_cancelled(plan, &id) == RDV_OK)
        for (size_t i = 0; i < o->n; i++)
            if (o->request[i].id == id) {
                o->request[i] = o->request[--o->n];
                break;
            }
}

/* Keep up to `jobs` requests out and answer `most` of them, in the order that `rng` draws. */
static void drive(const made *m, rdv_plan *plan, size_t jobs, size_t most, rdv_rng *rng,
                  outstanding *o, rdv_arena *arena)
{
    while (!rdv_plan_done(plan) && most > 0) {
        while (o->n < jobs && rdv_plan_next(plan, &o->request[o->n], NULL) == RDV_OK) {
            o->n++;
            o->begun++;
        }
        take_back(o, plan);
        if (!o->n) {
            holds(m, rdv_plan_done(plan));
            return;
        }
        size_t i = rdv_rng_below(rng, o->n);
        rdv_request request = o->request[i];
        o->request[i] = o->request[--o->n];
        answer_by_key(m, plan, &request, arena);
        take_back(o, plan);
        most--;
    }
}

static rdv_str record_of(const made *m, size_t n, size_t ahead, size_t jobs, uint64_t seed,
                         size_t *begun)
{
    rdv_rng rng;
    outstanding o = {.n = 0};
    rdv_str line;
    size_t n_chains;
    const rdv_chain chain = chain_of(n);
    rdv_plan *plan = plan_of(m, &chain, ahead, 1 + seed % 3);
    rdv_rng_seed(&rng, seed + jobs);
    drive(m, plan, jobs, SIZE_MAX, &rng, &o, m->arena);
    const rdv_chain *out = rdv_plan_chains(plan, &n_chains);
    assert_int_equal(rdv_record_write(out, NULL, m->arena, &line, NULL), RDV_OK);
    rdv_plan_free(&plan);
    *begun = o.begun;
    return line;
}

static void test_records__do_not_depend_on_arrival_or_lookahead(void **state)
{
    static const size_t jobs[] = {2, 5, MAX_OUT};
    (void)state;
    size_t ahead_asked = 0;
    for (uint64_t round = 0; round < ROUNDS; round++) {
        made m;
        make(&m, round);
        size_t n = 1 + round % MAX_STEPS, first, begun;
        bool in_turn = is(m.stages[m.n_stages - 1].per, "step in turn");
        rdv_str one_by_one = record_of(&m, n, 1, 1, round, &first);
        for (size_t ahead = 1; ahead <= (in_turn ? 8u : 1u); ahead *= 2)
            for (size_t k = 0; k < 3; k++) {
                rdv_str mixed = record_of(&m, n, ahead, jobs[k], round, &begun);
                if (!rdv_str_eq(one_by_one, mixed))
                    fail_msg("%zu ahead, %zu at a time:\n%.*s%.*s%.*s", ahead, jobs[k],
                             RDV_FMT(one_by_one), RDV_FMT(mixed), RDV_FMT(m.text));
                if (ahead == 1)
                    holds(&m, begun == first);
                ahead_asked += begun > first;
            }
        unmake(&m);
    }
    assert_true(ahead_asked > SHARE(10));
}

/* ---- an early end ---------------------------------------------------------------------------- */

/* Which of the last stage's replies for a step can have been read. */
static void note_reply(const made *m, const rdv_request *r, bool *read)
{
    if (stage_of(r) == m->n_stages - 1)
        read[step_of(r)] = true;
}

static void check_closed(const made *m, const rdv_check *check, const bool *read)
{
    const char *per = m->stages[m->n_stages - 1].per;
    bool any = false;
    for (size_t i = 0; i < MAX_STEPS; i++)
        any |= read[i];
    for (size_t i = 0; i < check->n_verdicts; i++) {
        const rdv_verdict *v = &check->verdicts[i];
        size_t step = is(per, "chain") ? 0 : v->step;
        bool given = is(per, "later step") && v->step == 0 && any;
        holds(m, read[step] || given || (v->kind == RDV_UNKNOWN && isnan(v->score)));
    }
    holds(m, any || isnan(check->confidence));
}

static void test_close__supports_nothing_unread(void **state)
{
    (void)state;
    for (uint64_t round = 0; round < ROUNDS; round++) {
        made m;
        make(&m, round);
        const rdv_chain chain = chain_of(1 + round % MAX_STEPS);
        bool done = false;
        for (size_t most = 0; !done; most++) {
            bool read[MAX_STEPS] = {false};
            outstanding o = {.n = 0};
            rdv_rng rng;
            rdv_plan *plan = plan_of(&m, &chain, 1 + round % 3, 0);
            rdv_rng_seed(&rng, round + most);
            for (size_t i = 0; i < most && !rdv_plan_done(plan); i++) {
                while (o.n < 4 && rdv_plan_next(plan, &o.request[o.n], NULL) == RDV_OK)
                    o.n++;
                take_back(&o, plan);
                if (!o.n)
                    break;
                size_t k = rdv_rng_below(&rng, o.n);
                rdv_request request = o.request[k];
                o.request[k] = o.request[--o.n];
                note_reply(&m, &request, read);
                answer_dry(plan, &request, m.arena);
                take_back(&o, plan);
            }
            done = rdv_plan_done(plan);
            assert_int_equal(rdv_plan_close(plan, RDV_FAIL_BUDGET, NULL), RDV_OK);
            holds(&m, rdv_plan_done(plan));
            check_closed(&m, check_of(plan), read);
            rdv_plan_free(&plan);
        }
        unmake(&m);
    }
}

/* ---- long chains ----------------------------------------------------------------------------- */

#define LONG 100000

/* A table of which each step waits for a stage of the chain, that is read or not. */
static void check_long(const char *per, const char *conclude, bool first_is_read, size_t most)
{
    static rdv_str many[LONG];
    made m = {.arena = rdv_arena_new(0)};
    rdv_prompt_text file = {.id = RDV_STR("own/p"), .added = true};
    rdv_request r;
    size_t calls = 0;
    for (size_t i = 0; i < LONG; i++)
        many[i] = steps[i % MAX_STEPS];
    file.text = RDV_STR("---\nid: own/p\nsource: ours\nprofile: both\nvariables: step\n---\n"
                        "## user\n{{step}}\n");
    m.text = rdv_str_printf(m.arena,
                            "---\nmethod: own\nsource: o\nsummary: s\nconclude: %s\n---\n"
                            "## s0\nprompt: own/p\nper: chain\nexample: \"x\"\n## s1\nprompt: "
                            "own/p\nper: %s\nafter: s0\nread: choice yes-no\nexample: \"Yes\"\n",
                            conclude, per);
    assert_int_equal(rdv_prompts_new(&file, 1, &m.prompts, NULL), RDV_OK);
    assert_int_equal(rdv_method_read(m.text, m.prompts, m.arena, &m.method, NULL), RDV_OK);
    rdv_chain chain = chain_of(0);
    chain.steps = many;
    chain.n_steps = LONG;
    rdv_plan *plan = plan_of(&m, &chain, 1, 0);
    for (; calls < most && rdv_plan_next(plan, &r, NULL) == RDV_OK; calls++) {
        if (first_is_read)
            answer_dry(plan, &r, m.arena);
        else
            assert_int_equal(rdv_plan_fail(plan, r.id, RDV_FAIL_REFUSED, RDV_STR("no"), NULL),
                             RDV_OK);
    }
    holds(&m, rdv_plan_done(plan) == (calls < most));
    assert_int_equal(rdv_plan_close(plan, RDV_FAIL_BUDGET, NULL), RDV_OK);
    const rdv_check *check = check_of(plan);
    size_t given = is(per, "later step"), read = calls ? calls - 1 : 0;
    holds(&m, calls == (first_is_read ? LONG + 1 - given : 1) || calls == most);
    holds(&m, check->n_unknown == LONG - read - (given && read));
    rdv_plan_free(&plan);
    unmake(&m);
}

/* As deep as a chain is long nothing may be: no step calls the next. */
static void test_long_chains__take_no_deep_stack(void **state)
{
    (void)state;
    check_long("step in turn", "verdict", true, SIZE_MAX);
    check_long("step in turn", "verdict", false, SIZE_MAX);
    check_long("step in turn", "verdict", true, 10);
    check_long("step", "verdict", true, SIZE_MAX);
    check_long("step", "verdict", false, SIZE_MAX);
    check_long("later step", "mean", true, 10);
    check_long("later step", "mean", false, SIZE_MAX);
}

/* ---- no memory ------------------------------------------------------------------------------- */

static int check_all(const made *m, const rdv_chain *chain)
{
    rdv_plan *plan = NULL;
    rdv_plan_options o;
    rdv_request request;
    rdv_reply reply;
    rdv_plan_options_default(&o, sizeof o);
    o.methods = &m->method;
    o.n_methods = 1;
    o.prompts = m->prompts;
    int r = rdv_plan_check(chain, 1, &o, &plan, NULL);
    while (r == RDV_OK && !rdv_plan_done(plan)) {
        r = rdv_plan_next(plan, &request, NULL);
        if (r == RDV_OK)
            r = rdv_plan_dry_reply(plan, &request, NULL, &reply, NULL);
        if (r == RDV_OK)
            r = rdv_plan_reply(plan, request.id, &reply, NULL);
    }
    if (r != RDV_OK && plan)
        rdv_plan_close(plan, RDV_FAIL_CANCELLED, NULL);
    rdv_plan_free(&plan);
    return r;
}

static void test_no_memory__is_told(void **state)
{
    (void)state;
    for (uint64_t round = 0; round < ROUNDS / 20; round++) {
        made m;
        int r = RDV_OK;
        make(&m, round);
        const rdv_chain chain = chain_of(2);
        assert_survives_no_memory((r = check_all(&m, &chain)) == RDV_OK,
                                  assert_int_equal(r, RDV_E_NOMEM));
        unmake(&m);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_calls__are_those_of_the_table),
        cmocka_unit_test(test_calls__none_about_no_step),
        cmocka_unit_test(test_failed_stage__makes_unknown_what_needs_it),
        cmocka_unit_test(test_records__do_not_depend_on_arrival_or_lookahead),
        cmocka_unit_test(test_close__supports_nothing_unread),
        cmocka_unit_test(test_long_chains__take_no_deep_stack),
        cmocka_unit_test(test_no_memory__is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
