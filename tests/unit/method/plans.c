/* SPDX-License-Identifier: Apache-2.0 */
/* Plans of checks and solutions where things go wrong: no memory, an early end, nothing to check,
 * far more chains than anybody needs. */
#include <rederive/method.h>
#include <rederive/plan.h>

#include "../test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MAX_OUT 8

static rdv_str steps[] = {{"There are 3 boxes.", 18}, {"3 * 4 = 12.", 11}};

static const rdv_question question = {.id = {"q", 1},
                                      .text = {"Three boxes hold 4 pens. How many pens?", 39}};

static rdv_chain two_steps(void)
{
    return (rdv_chain){.id = RDV_STR("q/0"),
                       .question = question,
                       .steps = steps,
                       .n_steps = 2,
                       .answer = RDV_STR("12"),
                       .correct = -1};
}

static rdv_check_options checking; /* of the latest options_of() */

static rdv_plan_options options_of(const rdv_method **method, const char *name)
{
    rdv_plan_options o;
    rdv_plan_options_default(&o, sizeof o);
    rdv_check_options_default(&checking, sizeof checking);
    o.check = &checking;
    *method = rdv_method_named(rdv_str_of(name));
    assert_non_null(*method);
    o.methods = method;
    o.n_methods = 1;
    return o;
}

/* ---- a model that gives every plausible reply -------------------------------------------------
 */

static int reply_dry(rdv_plan *plan, const rdv_request *request, rdv_error *err)
{
    rdv_reply reply;
    int r = rdv_plan_dry_reply(plan, request, NULL, &reply, err);
    return r == RDV_OK ? rdv_plan_reply(plan, request->id, &reply, err) : r;
}

/* Answer one by one until the end, at most `most` requests. */
static int answer(rdv_plan *plan, size_t most, rdv_error *err)
{
    rdv_request request;
    for (size_t i = 0; i < most && !rdv_plan_done(plan); i++) {
        int r = rdv_plan_next(plan, &request, err);
        if (r == RDV_OK)
            r = reply_dry(plan, &request, err);
        if (r != RDV_OK)
            return r;
    }
    return RDV_OK;
}

/* ---- no memory --------------------------------------------------------------------------------
 */

static const char *const names[] = {"calculations", "selfcheck", "global", "error-check-1shot"};

#define N_NAMES (sizeof names / sizeof *names)

/* Start a plan and answer all of it. What fails must say that memory is out. */
static bool runs(bool solve, const rdv_chain *chain, const rdv_plan_options *options)
{
    rdv_plan *plan;
    rdv_error err = {0};
    int r = solve ? rdv_plan_solve(&question, options, &plan, &err)
                  : rdv_plan_check(chain, 1, options, &plan, &err);
    if (r == RDV_OK)
        r = answer(plan, SIZE_MAX, &err);
    else
        assert_null(plan);
    if (r != RDV_OK)
        assert_int_equal(r, RDV_E_NOMEM);
    if (r != RDV_OK)
        assert_int_not_equal(err.msg[0], '\0');
    rdv_plan_free(&plan);
    return r == RDV_OK;
}

static void test_plan_check__no_memory(void **state)
{
    (void)state;
    const rdv_chain chain = two_steps();
    for (size_t i = 0; i < N_NAMES; i++) {
        const rdv_method *method;
        rdv_plan_options o = options_of(&method, names[i]);
        assert_survives_no_memory(runs(false, &chain, &o), (void)0);
    }
}

static void test_plan_solve__no_memory(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_NAMES; i++) {
        const rdv_method *method;
        rdv_plan_options o = options_of(&method, names[i]);
        o.chains = 3;
        o.profile = RDV_PAPER;
        assert_survives_no_memory(runs(true, NULL, &o), (void)0);
    }
}

/* Whether an answer is right is known or memory is out, where each allocation fails once. */
static bool grades(const rdv_plan_options *options)
{
    rdv_question known = question;
    rdv_plan *plan;
    known.gold = RDV_STR("168/2");
    int r = rdv_plan_solve(&known, options, &plan, NULL);
    if (r == RDV_OK)
        r = answer(plan, SIZE_MAX, NULL);
    assert_true(r == RDV_OK || r == RDV_E_NOMEM);
    if (r == RDV_OK)
        assert_int_equal(rdv_plan_result(plan)->correct, 1);
    rdv_plan_free(&plan);
    return r == RDV_OK;
}

static void test_plan_solve__gold_without_memory(void **state)
{
    rdv_plan_options o;
    (void)state;
    rdv_plan_options_default(&o, sizeof o);
    o.chains = 1;
    assert_survives_no_memory(grades(&o), (void)0);
}

/* ---- an early end -----------------------------------------------------------------------------
 */

/* Every verdict is one that was said or unknown with the reason of the end. */
static void assert_honest(const rdv_chain *chain)
{
    for (size_t k = 0; k < chain->n_checks; k++) {
        const rdv_check *check = &chain->checks[k];
        for (size_t i = 0; i < check->n_verdicts; i++) {
            const rdv_verdict *v = &check->verdicts[i];
            if (v->kind != RDV_UNKNOWN)
                continue;
            assert_text(v->why, "over budget");
            assert_true(isnan(v->score));
        }
        if (check->n_verdicts && check->n_unknown == check->n_verdicts)
            assert_true(isnan(check->confidence));
    }
}

/* Answer `first` requests, have up to MAX_OUT more out, and end. Whether it had ended before. */
static bool ends_after(rdv_plan *plan, size_t first)
{
    rdv_request out[MAX_OUT];
    rdv_reply late = {.text = RDV_STR("Solution 1 supports the conclusion in Solution 2.")};
    size_t n_out = 0, n_cancelled = 0, n;
    uint64_t id;
    assert_int_equal(answer(plan, first, NULL), RDV_OK);
    bool was_done = rdv_plan_done(plan);
    while (n_out < MAX_OUT && rdv_plan_next(plan, &out[n_out], NULL) == RDV_OK)
        n_out++;
    assert_int_equal(rdv_plan_close(plan, RDV_FAIL_BUDGET, NULL), RDV_OK);
    assert_true(rdv_plan_done(plan));
    assert_int_equal(rdv_plan_partial(plan), !was_done);
    while (rdv_plan_cancelled(plan, &id) == RDV_OK)
        n_cancelled++;
    assert_int_equal(n_cancelled, n_out);
    for (size_t i = 0; i < n_out; i++)
        assert_int_equal(rdv_plan_reply(plan, out[i].id, &late, NULL), RDV_OK);
    const rdv_chain *chains = rdv_plan_chains(plan, &n);
    for (size_t i = 0; i < n; i++)
        assert_honest(&chains[i]);
    return was_done;
}

static void test_close__at_any_moment_of_a_check(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_NAMES; i++) {
        const rdv_method *method;
        rdv_plan_options o = options_of(&method, names[i]);
        bool was_done = false;
        for (size_t first = 0; !was_done; first++) {
            const rdv_chain chains[] = {two_steps(), two_steps()};
            rdv_plan *plan;
            size_t n;
            assert_int_equal(rdv_plan_check(chains, 2, &o, &plan, NULL), RDV_OK);
            was_done = ends_after(plan, first);
            const rdv_chain *checked = rdv_plan_chains(plan, &n);
            assert_int_equal(n, 2);
            assert_int_equal(checked[0].n_checks, 1);
            assert_int_equal(checked[1].n_checks, 1);
            rdv_plan_free(&plan);
        }
    }
}

static void test_close__at_any_moment_of_a_solution(void **state)
{
    (void)state;
    static const rdv_stop_kind rules[] = {RDV_STOP_NONE, RDV_STOP_CERTAIN, RDV_STOP_POSTERIOR};
    for (size_t i = 0; i < 3 * N_NAMES; i++) {
        const rdv_method *method;
        rdv_plan_options o = options_of(&method, names[i % N_NAMES]);
        o.chains = 4;
        o.stop = rules[i / N_NAMES];
        o.posterior = 0.05;
        bool was_done = false;
        for (size_t first = 0; !was_done; first++) {
            rdv_plan *plan;
            assert_int_equal(rdv_plan_solve(&question, &o, &plan, NULL), RDV_OK);
            was_done = ends_after(plan, first);
            assert_non_null(rdv_plan_result(plan));
            rdv_plan_free(&plan);
        }
    }
}

/* ---- what cannot be asked ---------------------------------------------------------------------
 */

static void test_plan__refuses_options_before_anything_is_spent(void **state)
{
    (void)state;
    const rdv_chain chain = two_steps();
    const rdv_method *method, other = {.name = "other"};
    const rdv_method *others[] = {&other};
    rdv_plan *plan;
    rdv_plan_options weights = options_of(&method, "selfcheck"), none = weights, foreign = weights;
    rdv_check_options wrong = checking;
    wrong.l1 = 0.1;
    wrong.l0 = 0.2;
    weights.check = &wrong;
    none.chains = 0;
    foreign.methods = others;
    assert_int_equal(rdv_plan_check(&chain, 1, &weights, &plan, NULL), RDV_E_ARGUMENT);
    assert_null(plan);
    assert_int_equal(rdv_plan_solve(&question, &weights, &plan, NULL), RDV_E_ARGUMENT);
    assert_null(plan);
    assert_int_equal(rdv_plan_check(&chain, 1, &foreign, &plan, NULL), RDV_E_ARGUMENT);
    assert_null(plan);
    assert_int_equal(rdv_plan_solve(&question, &none, &plan, NULL), RDV_E_ARGUMENT);
    assert_null(plan);
}

/* A program whose headers end before `beam_width` is served with its default, and one that forgot
 * the size is told so. */
static void test_plan__options_of_other_headers(void **state)
{
    (void)state;
    const rdv_method *method;
    rdv_plan *plan;
    rdv_plan_options o = options_of(&method, "selfcheck");
    o.beam_search = true;
    o.beam_width = 0;
    assert_int_equal(rdv_plan_solve(&question, &o, &plan, NULL), RDV_E_ARGUMENT);
    o.size = offsetof(rdv_plan_options, beam_width);
    assert_int_equal(rdv_plan_solve(&question, &o, &plan, NULL), RDV_OK);
    rdv_plan_free(&plan);
    checking.size = 0;
    assert_int_equal(rdv_plan_solve(&question, &o, &plan, NULL), RDV_E_ARGUMENT);
    assert_null(plan);
    o.check = NULL;
    assert_int_equal(rdv_plan_solve(&question, &o, &plan, NULL), RDV_OK);
    rdv_plan_free(&plan);
    o.size = 0;
    assert_int_equal(rdv_plan_solve(&question, &o, &plan, NULL), RDV_E_ARGUMENT);
    assert_null(plan);
    assert_int_equal(rdv_plan_solve(&question, NULL, &plan, NULL), RDV_OK);
    rdv_plan_free(&plan);
}

static void test_plan__asks_nothing_of_a_chain_without_steps(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_NAMES; i++) {
        const rdv_method *method;
        rdv_plan_options o = options_of(&method, names[i]);
        const rdv_chain empty = {.correct = -1};
        rdv_plan *plan;
        size_t n;
        assert_int_equal(rdv_plan_check(&empty, 1, &o, &plan, NULL), RDV_OK);
        assert_true(rdv_plan_done(plan));
        const rdv_check *check = &rdv_plan_chains(plan, &n)->checks[0];
        assert_int_equal(check->n_verdicts, 0);
        assert_true(isnan(check->confidence));
        rdv_plan_free(&plan);
    }
}

/* Nothing is known of the question: no text, no sentence. The steps are asked about all the same.
 */
static void test_plan__checks_without_a_question(void **state)
{
    (void)state;
    const rdv_method *method;
    rdv_plan_options o = options_of(&method, "selfcheck");
    rdv_chain chain = two_steps();
    chain.question = (rdv_question){0};
    rdv_plan *plan;
    size_t n;
    assert_int_equal(rdv_plan_check(&chain, 1, &o, &plan, NULL), RDV_OK);
    assert_int_equal(answer(plan, SIZE_MAX, NULL), RDV_OK);
    const rdv_check *check = &rdv_plan_chains(plan, &n)->checks[0];
    assert_int_equal(check->n_unknown, 0);
    assert_int_equal(check->verdicts[1].kind, RDV_SUPPORT);
    rdv_plan_free(&plan);
}

/* A prompt over its limit: the verdicts are unknown, and the plan goes on. */
static void test_plan__prompt_that_is_too_large(void **state)
{
    (void)state;
    size_t len = (size_t)64 << 20; /* and a prompt says more */
    rdv_arena *arena = rdv_arena_new(0);
    char *huge = rdv_calloc(arena, len, 1);
    const rdv_method *method;
    rdv_plan_options o = options_of(&method, "single-stage");
    assert_non_null(huge);
    memset(huge, 'x', len);
    rdv_str two[] = {steps[0], {huge, len}};
    rdv_chain chain = two_steps();
    chain.steps = two;
    chain.n_steps = 2;
    rdv_plan *plan;
    size_t n;
    assert_int_equal(rdv_plan_check(&chain, 1, &o, &plan, NULL), RDV_OK);
    assert_int_equal(answer(plan, 1, NULL), RDV_OK);
    rdv_request request;
    assert_int_equal(rdv_plan_next(plan, &request, NULL), RDV_NONE);
    assert_true(rdv_plan_done(plan));
    const rdv_check *check = &rdv_plan_chains(plan, &n)->checks[0];
    assert_int_equal(check->verdicts[0].kind, RDV_SUPPORT);
    assert_int_equal(check->verdicts[1].kind, RDV_UNKNOWN);
    assert_text(check->verdicts[1].why, "the prompt would be too large");
    rdv_plan_free(&plan);
    rdv_arena_free(&arena);
}

/* ---- variables --------------------------------------------------------------------------------
 */

/* Answer all, the variables as given, and look at what each regeneration was told: whether `needle`
 * stands in that of step i is bit i. */
static unsigned told_of(const rdv_chain *chain, rdv_profile profile, rdv_str variables,
                        const char *needle)
{
    const rdv_method *method;
    rdv_plan_options o = options_of(&method, "selfcheck");
    o.profile = profile;
    rdv_plan *plan;
    rdv_request request;
    unsigned told = 0, step = 0;
    assert_int_equal(rdv_plan_check(chain, 1, &o, &plan, NULL), RDV_OK);
    while (rdv_plan_next(plan, &request, NULL) == RDV_OK) {
        bool lists = rdv_ends(request.stage, RDV_STR("/variables"));
        const rdv_reply reply = {.text = variables};
        if (rdv_ends(request.stage, RDV_STR("/regenerate")))
            told |= (unsigned)(rdv_find(request.messages[0].text, rdv_str_of(needle), 0) !=
                               RDV_NOT_FOUND)
                    << step++;
        assert_int_equal(lists ? rdv_plan_reply(plan, request.id, &reply, NULL)
                               : reply_dry(plan, &request, NULL),
                         RDV_OK);
    }
    assert_true(rdv_plan_done(plan));
    rdv_plan_free(&plan);
    return told;
}

static void test_variables__are_withheld_until_a_step_before_names_them(void **state)
{
    (void)state;
    static rdv_str three[] = {
        {"There are 3 boxes.", 18}, {"Let n = 3 * 4.", 14}, {"So n is 12.", 11}};
    rdv_chain chain = two_steps();
    chain.steps = three;
    chain.n_steps = 3;
    static const struct {
        const char *line;
        unsigned told; /* the steps that are told it */
    } cases[] = {
        {"1. $n$ is defined as all.", 4}, /* step 1 is the first to name it */
        {"2. **n** is defined as all.", 4},
        {"- Let the variable n be all.", 4},
        {"1. pens is defined as all.", 7}, /* the question names it */
        {"1. The pens are defined as all.", 7},
        {"1. total is defined as all.", 0}, /* nobody does */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const rdv_str list = rdv_str_of(cases[i].line);
        assert_int_equal(told_of(&chain, RDV_ROBUST, list, " all."), cases[i].told);
    }
    assert_int_equal(told_of(&chain, RDV_PAPER, rdv_str_of(cases[0].line), " all."), 7);
}

/* A reply that lists without an end costs no more than one that is long. */
static void test_variables__very_many(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    const rdv_str line = RDV_STR("1. zz is defined as nothing.\n");
    size_t n = (size_t)1 << 18;
    char *reply = rdv_alloc(arena, n * line.len);
    assert_non_null(reply);
    for (size_t i = 0; i < n; i++)
        memcpy(reply + i * line.len, line.p, line.len);
    rdv_chain chain = two_steps();
    rdv_str many[31];
    for (size_t i = 0; i < 31; i++)
        many[i] = steps[i % 2];
    chain.steps = many;
    chain.n_steps = 31;
    const rdv_str variables = {reply, n * line.len};
    assert_int_equal(told_of(&chain, RDV_ROBUST, variables, "nothing"), 0);
    rdv_arena_free(&arena);
}

/* ---- very many chains -------------------------------------------------------------------------
 */

#define MANY 20000

/* All of them end at once, each beginning the next: on a stack of one each they would not fit. */
static void test_close__with_very_many_chains_to_come(void **state)
{
    (void)state;
    const rdv_method *method;
    rdv_plan_options o = options_of(&method, "calculations");
    o.chains = MANY;
    rdv_plan *plan;
    size_t n;
    assert_int_equal(rdv_plan_solve(&question, &o, &plan, NULL), RDV_OK);
    assert_int_equal(rdv_plan_close(plan, RDV_FAIL_CANCELLED, NULL), RDV_OK);
    assert_true(rdv_plan_done(plan));
    rdv_plan_chains(plan, &n);
    assert_int_equal(n, 0);
    rdv_plan_free(&plan);
}

/* Chains without an answer are done as soon as checking begins. */
static void test_solve__very_many_chains_without_an_answer(void **state)
{
    (void)state;
    const rdv_method *method;
    rdv_plan_options o = options_of(&method, "selfcheck");
    o.chains = MANY;
    rdv_plan *plan;
    rdv_request request;
    assert_int_equal(rdv_plan_solve(&question, &o, &plan, NULL), RDV_OK);
    while (rdv_plan_next(plan, &request, NULL) == RDV_OK)
        assert_int_equal(rdv_plan_fail(plan, request.id, RDV_FAIL_UNREACHABLE, RDV_STR(""), NULL),
                         RDV_OK);
    assert_true(rdv_plan_done(plan));
    assert_int_equal(rdv_plan_result(plan)->unanswered,
                     MANY); /* a failed call is no answer, not an unread one */
    assert_int_equal(rdv_plan_result(plan)->unread, 0);
    assert_null(rdv_plan_result(plan)->answer.p);
    rdv_plan_free(&plan);
}

/* What the answers are is no reason to take long: here each chain has one of its own. */
static void test_solve__many_different_answers(void **state)
{
    (void)state;
    rdv_plan_options o;
    rdv_plan_options_default(&o, sizeof o);
    o.chains = 1000;
    rdv_plan *plan;
    rdv_request request;
    int asked = 0;
    assert_int_equal(rdv_plan_solve(&question, &o, &plan, NULL), RDV_OK);
    while (rdv_plan_next(plan, &request, NULL) == RDV_OK) {
        char text[64];
        snprintf(text, sizeof text, "Step 1: So the answer is %d.", asked++);
        rdv_reply reply = {.text = rdv_str_of(text)};
        assert_int_equal(rdv_plan_reply(plan, request.id, &reply, NULL), RDV_OK);
    }
    assert_true(rdv_plan_done(plan));
    assert_int_equal(rdv_plan_result(plan)->n_answers, 1000);
    rdv_plan_free(&plan);
}

/* ---- words of one's own ---------------------------------------------------------------------- */

static const char own_words[] =
    "---\nmethod: t\nsource: ours\nsummary: a test\nconclude: verdict\n---\n"
    "## check\nprompt: global\nper: chain\n"
    "read: choice \"Correct\" = support,\n \"Wrong\" = contradict,\n \"Not Sure\" = unrelated\n";

/* The word stands alone on the last line, or after a label; a sentence before it is no label. */
static void test_choice__stands_alone_or_after_a_label(void **state)
{
    static const struct {
        const char *reply;
        rdv_verdict_kind kind;
    } cases[] = {
        {"correct", RDV_SUPPORT},
        {"It was hard.\n**Wrong.**", RDV_CONTRADICT},
        {"not sure", RDV_UNRELATED},
        {"Answer: Correct", RDV_SUPPORT},
        {"My answer for the third step: Wrong", RDV_CONTRADICT},
        {"My answer for the third step so: Correct", RDV_UNKNOWN},
        {": Correct", RDV_UNKNOWN},
        {"Would anybody say so? Answer: Correct", RDV_UNKNOWN},
        {"Anybody? Answer: Correct", RDV_UNKNOWN},
        {"I would not call it: Correct", RDV_UNKNOWN},
        {"It is: Correct", RDV_UNKNOWN},
        {"Hardly: Correct or Wrong", RDV_UNKNOWN},
    };
    const rdv_chain chain = two_steps();
    rdv_prompts *prompts;
    rdv_arena *arena = rdv_arena_new(0);
    const rdv_method *method;
    rdv_plan_options o = options_of(&method, "global");
    assert_int_equal(rdv_prompts_new(NULL, 0, &prompts, NULL), RDV_OK);
    assert_int_equal(rdv_method_read(rdv_str_of(own_words), prompts, arena, &method, NULL), RDV_OK);
    o.prompts = prompts;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const rdv_reply reply = {.text = rdv_str_of(cases[i].reply), .finish = RDV_FINISH_STOP};
        rdv_plan *plan;
        rdv_request r;
        size_t n;
        assert_int_equal(rdv_plan_check(&chain, 1, &o, &plan, NULL), RDV_OK);
        while (!rdv_plan_done(plan)) {
            assert_int_equal(rdv_plan_next(plan, &r, NULL), RDV_OK);
            assert_int_equal(rdv_plan_reply(plan, r.id, &reply, NULL), RDV_OK);
        }
        rdv_verdict_kind kind = rdv_plan_chains(plan, &n)->checks[0].verdicts[0].kind;
        if (kind != cases[i].kind)
            fail_msg("%s: %d", cases[i].reply, (int)kind);
        rdv_plan_free(&plan);
    }
    rdv_prompts_free(&prompts);
    rdv_arena_free(&arena);
}

/* ---- estimates ------------------------------------------------------------------------------- */

/* At most, each reply is unreadable once, and is asked for again. */
static void test_dry_reply__at_most_is_every_try(void **state)
{
    static const rdv_bound bounds[] = {RDV_BOUND_NONE, RDV_BOUND_LEAST, RDV_BOUND_MOST};
    static const uint64_t wanted[] = {1, 1, 2};
    const rdv_chain chain = two_steps();
    const rdv_method *method;
    rdv_plan_options o = options_of(&method, "global");
    for (size_t i = 0; i < 3; i++) {
        rdv_plan *plan;
        rdv_request r;
        rdv_reply reply;
        size_t n;
        o.bound = bounds[i];
        assert_int_equal(rdv_plan_check(&chain, 1, &o, &plan, NULL), RDV_OK);
        assert_int_equal(rdv_plan_dry_reply(plan, &(rdv_request){.id = 7}, NULL, &reply, NULL),
                         RDV_E_ARGUMENT); /* nothing was asked */
        while (!rdv_plan_done(plan)) {
            assert_int_equal(rdv_plan_next(plan, &r, NULL), RDV_OK);
            assert_int_equal(reply_dry(plan, &r, NULL), RDV_OK);
        }
        assert_int_equal(rdv_plan_chains(plan, &n)->checks[0].calls, wanted[i]);
        rdv_plan_free(&plan);
    }
}

/* ---- the order of arrival -------------------------------------------------------------------- */

/* The overview is asked about the chain, and no step waits for it. */
static const char overview[] =
    "---\nmethod: t\nsource: ours\nsummary: a test\nconclude: verdict\n---\n"
    "## overview\nprompt: global\nper: chain\nread: text\n\n"
    "## check\nprompt: general/relevance\nper: step in turn\nread: choice yes-no\n";

/* Answer both requests that are out at first, the one about the chain first or last. */
static rdv_plan *in_order(const rdv_chain *chain, const rdv_plan_options *o, bool overview_first)
{
    static const rdv_str texts[] = {{"All is well.", 12}, {"No", 2}};
    rdv_plan *plan;
    rdv_request requests[2];
    assert_int_equal(rdv_plan_check(chain, 1, o, &plan, NULL), RDV_OK);
    for (size_t i = 0; i < 2; i++)
        assert_int_equal(rdv_plan_next(plan, &requests[i], NULL), RDV_OK);
    size_t first = rdv_str_eq(requests[0].prompt, RDV_STR("global")) ? 0 : 1;
    for (size_t i = 0; i < 2; i++) {
        size_t which = (i == 0) == overview_first ? 0 : 1;
        uint64_t id = requests[which == 0 ? first : 1 - first].id;
        const rdv_reply reply = {.text = texts[which], .finish = RDV_FINISH_STOP};
        assert_false(rdv_plan_done(plan));
        assert_int_equal(rdv_plan_reply(plan, id, &reply, NULL), RDV_OK);
    }
    assert_true(rdv_plan_done(plan));
    return plan;
}

/* What was found about the chain stands with each step, whenever it came. */
static void test_plan_check__a_contradiction_waits_for_what_is_recorded_with_it(void **state)
{
    const rdv_chain chain = two_steps();
    rdv_prompts *prompts;
    rdv_arena *arena = rdv_arena_new(0);
    const rdv_method *method;
    rdv_plan_options o = options_of(&method, "global");
    assert_int_equal(rdv_prompts_new(NULL, 0, &prompts, NULL), RDV_OK);
    assert_int_equal(rdv_method_read(rdv_str_of(overview), prompts, arena, &method, NULL), RDV_OK);
    o.prompts = prompts;
    for (int overview_first = 0; overview_first < 2; overview_first++) {
        rdv_plan *plan = in_order(&chain, &o, overview_first);
        size_t n;
        const rdv_check *check = &rdv_plan_chains(plan, &n)->checks[0];
        assert_int_equal(check->first_error, 0);
        assert_int_equal(check->calls, 2);
        const rdv_evidence *noted =
            rdv_evidence_get(check->verdicts[0].evidence, RDV_STR("overview"));
        assert_non_null(noted);
        assert_text(noted->text, "All is well.");
        rdv_plan_free(&plan);
    }
    rdv_prompts_free(&prompts);
    rdv_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plan_check__no_memory),
        cmocka_unit_test(test_plan_solve__no_memory),
        cmocka_unit_test(test_plan_solve__gold_without_memory),
        cmocka_unit_test(test_close__at_any_moment_of_a_check),
        cmocka_unit_test(test_close__at_any_moment_of_a_solution),
        cmocka_unit_test(test_plan__refuses_options_before_anything_is_spent),
        cmocka_unit_test(test_plan__options_of_other_headers),
        cmocka_unit_test(test_plan__asks_nothing_of_a_chain_without_steps),
        cmocka_unit_test(test_plan__checks_without_a_question),
        cmocka_unit_test(test_plan__prompt_that_is_too_large),
        cmocka_unit_test(test_variables__are_withheld_until_a_step_before_names_them),
        cmocka_unit_test(test_variables__very_many),
        cmocka_unit_test(test_close__with_very_many_chains_to_come),
        cmocka_unit_test(test_solve__very_many_chains_without_an_answer),
        cmocka_unit_test(test_solve__many_different_answers),
        cmocka_unit_test(test_choice__stands_alone_or_after_a_label),
        cmocka_unit_test(test_dry_reply__at_most_is_every_try),
        cmocka_unit_test(test_plan_check__a_contradiction_waits_for_what_is_recorded_with_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
