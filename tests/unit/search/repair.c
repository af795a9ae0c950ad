/* SPDX-License-Identifier: Apache-2.0 */
/* Repairs on scripted replies: which sample is taken, which trace is kept, and what it cost. */
#include <rederive/method.h>
#include <rederive/repair.h>

#include "../test.h"

#include "base/str.h"

#include <math.h>
#include <stdio.h>

#define MOST 8

static rdv_str steps[] = {{"There are 3 boxes of 4 pens.", 28},
                          {"They hold 3 * 4 = 13 pens.", 26},
                          {"So the answer is 13.", 20}};

static rdv_chain wrong_chain(void)
{
    return (rdv_chain){.id = RDV_STR("q/0"),
                       .question = {.id = RDV_STR("q"),
                                    .text = RDV_STR("Three boxes hold 4 pens each. How many?"),
                                    .kind = RDV_KIND_NUMBER},
                       .steps = steps,
                       .n_steps = 3,
                       .answer = RDV_STR("13"),
                       .correct = -1,
                       .label = {RDV_LABEL_AT, 1}};
}

/* A sample of the step, and its log-probability over `n` tokens; text NULL: the call fails. */
typedef struct sample {
    const char *text;
    double sum;
    size_t n;
} sample;

typedef struct script {
    rdv_plan_options options;
    rdv_repair_options repair;
    sample samples[MOST];
    const char *rest[MOST]; /* the steps that follow; the last one goes on */
    size_t n_asked, n_rest;
    char first_sample[80];
    rdv_plan *plan;
} script;

static script *set_up(script *s, rdv_locator locator)
{
    *s = (script){0};
    rdv_plan_options_default(&s->options, sizeof s->options);
    rdv_repair_options_default(&s->repair, sizeof s->repair);
    s->options.generate = RDV_GENERATE_THOUGHTS;
    s->repair.locator = locator;
    s->repair.resamples = 3;
    return s;
}

static const rdv_locator gold = {.kind = RDV_LOCATE_GOLD};

static rdv_locator calculations(void)
{
    return (rdv_locator){.kind = RDV_LOCATE_METHOD,
                         .method = rdv_method_named(RDV_STR("calculations"))};
}

static int reply_sample(script *s, const rdv_request *request, rdv_error *err)
{
    const sample *said = &s->samples[s->n_asked++ % (s->repair.resamples < 3 ? 1 : 3)];
    rdv_token tokens[MOST];
    if (s->n_asked == 1)
        snprintf(s->first_sample, sizeof s->first_sample, "%.*s", RDV_FMT(request->sample));
    assert_true(request->sampling.temperature == 1 && request->sampling.logprobs);
    if (!said->text)
        return rdv_plan_fail(s->plan, request->id, RDV_FAIL_REFUSED, RDV_STR("no"), err);
    for (size_t i = 0; i < said->n; i++)
        tokens[i] = (rdv_token){.logprob = said->sum / (double)said->n};
    rdv_reply reply = {.text = rdv_str_of(said->text),
                       .tokens = tokens,
                       .n_tokens = said->n,
                       .prompt_tokens = 100,
                       .completion_tokens = 10};
    return rdv_plan_reply(s->plan, request->id, &reply, err);
}

static int reply_rest(script *s, const rdv_request *request, rdv_error *err)
{
    const char *text = s->rest[s->n_rest];
    if (s->rest[s->n_rest + 1])
        s->n_rest++;
    if (!text)
        return rdv_plan_fail(s->plan, request->id, RDV_FAIL_REFUSED, RDV_STR("no"), err);
    rdv_reply reply = {.text = rdv_str_of(text), .prompt_tokens = 1000, .completion_tokens = 1};
    return rdv_plan_reply(s->plan, request->id, &reply, err);
}

/* SelfCheck finds the wrong step, and nothing of any other. */
static int reply_selfcheck(script *s, const rdv_request *request, rdv_error *err)
{
    rdv_str asked = request->messages[request->n_messages - 1].text;
    bool compares = rdv_ends(request->stage, RDV_STR("/compare"));
    bool wrong = compares && rdv_find(asked, RDV_STR("3 * 4 = 13"), 0) != RDV_NOT_FOUND;
    const char *text = !compares ? "Information 0."
                       : wrong   ? "Solution 1 contradicts the conclusion in Solution 2."
                                 : "Solution 1 is not directly related to Solution 2.";
    rdv_reply reply = {.text = rdv_str_of(text), .prompt_tokens = 1, .completion_tokens = 1};
    return rdv_plan_reply(s->plan, request->id, &reply, err);
}

static int answer_all(script *s, rdv_error *err)
{
    rdv_request r;
    int rc = RDV_OK;
    while (rc == RDV_OK && !rdv_plan_done(s->plan)) {
        rc = rdv_plan_next(s->plan, &r, err);
        if (rc == RDV_OK)
            rc = rdv_str_eq(r.stage, RDV_STR("repair/step"))  ? reply_sample(s, &r, err)
                 : rdv_starts(r.stage, RDV_STR("selfcheck/")) ? reply_selfcheck(s, &r, err)
                                                              : reply_rest(s, &r, err);
    }
    return rc;
}

static int drive(script *s, rdv_error *err)
{
    const rdv_chain chain = wrong_chain();
    int rc = rdv_plan_repair(&chain, &s->options, &s->repair, &s->plan, err);
    if (rc != RDV_OK)
        return rc;
    size_t n;
    assert_non_null(rdv_plan_chains(s->plan, &n));
    assert_int_equal(n, 1); /* from the beginning on */
    return answer_all(s, err);
}

static const rdv_repaired *repaired(script *s)
{
    assert_int_equal(drive(s, NULL), RDV_OK);
    const rdv_repaired *result = rdv_plan_repaired(s->plan);
    assert_non_null(result);
    return result;
}

static const rdv_chain *chain_of(const script *s)
{
    size_t n;
    const rdv_chain *chain = rdv_plan_chains(s->plan, &n);
    assert_int_equal(n, 1);
    return chain;
}

static const sample three[] = {{"They hold 12.", -6, 6},
                               {"They hold 3 * 4 = 13 pens.", -0.1, 1},
                               {"They hold a dozen.", -4, 2}};

static void put_samples(script *s, const sample *samples)
{
    memcpy(s->samples, samples, 3 * sizeof *samples);
}

/* ---- the sample ------------------------------------------------------------------------------ */

static void test_choose__the_most_probable_that_differs(void **state)
{
    static const struct {
        rdv_resample_kind how;
        const char *step, *by;
        double logprob;
    } cases[] = {{RDV_RESAMPLE_LOGPROB_SUM, "They hold a dozen.", "logprob-sum", -4},
                 {RDV_RESAMPLE_LOGPROB_MEAN, "They hold 12.", "logprob-mean", -1}};
    for (size_t i = 0; i < 2; i++) {
        script s;
        set_up(&s, gold)->rest[0] = "So the answer is 12.";
        put_samples(&s, three);
        s.repair.choose = cases[i].how;
        const rdv_repaired *result = repaired(&s);
        const rdv_repair *round = &result->rounds[0];
        assert_int_equal(result->n_rounds, 1);
        assert_int_equal(round->kind, RDV_REPAIR_DONE);
        assert_int_equal(round->from_step, 1);
        assert_int_equal(round->tried, 3);
        assert_int_equal(round->different, 2);
        assert_string_equal(round->chosen_by, cases[i].by);
        assert_true(fabs(round->logprob - cases[i].logprob) < 1e-12);
        assert_int_equal(round->n_before, 2);
        assert_text(round->before[0], "They hold 3 * 4 = 13 pens.");
        assert_int_equal(round->n_after, 2);
        assert_true(rdv_str_eq(round->after[0], rdv_str_of(cases[i].step)));
        assert_text(round->answer_before, "13");
        assert_text(round->answer_after, "12");
        assert_true(isnan(round->confidence_before) && isnan(round->confidence_after));
        const rdv_chain *chain = chain_of(&s);
        assert_int_equal(chain->n_steps, 3);
        assert_text(chain->steps[0], "There are 3 boxes of 4 pens.");
        assert_text(chain->answer, "12");
        assert_true(result->changed);
        assert_int_equal(result->end, RDV_REPAIR_ROUNDS);
        assert_int_equal(result->calls, 4);
        assert_int_equal(result->prompt_tokens, 1300);
        assert_int_equal(result->completion_tokens, 31);
        rdv_plan_free(&s.plan);
    }
}

/* A sample that equals the old step is dropped, so it does not matter that it came without
 * log-probabilities: the most probable of the others is taken. */
static void test_choose__what_is_dropped_decides_nothing(void **state)
{
    static const sample one_without[] = {{"They hold 12.", -6, 6},
                                         {"They hold 3 * 4 = 13 pens.", 0, 0},
                                         {"They hold a dozen.", -4, 2}};
    script s;
    set_up(&s, gold)->rest[0] = "So the answer is 12.";
    put_samples(&s, one_without);
    const rdv_repair *round = &repaired(&s)->rounds[0];
    assert_string_equal(round->chosen_by, "logprob-sum");
    assert_text(round->after[0], "They hold a dozen.");
    rdv_plan_free(&s.plan);
}

/* Without the log-probabilities of all of them the most frequent is taken. */
static void test_choose__the_most_frequent(void **state)
{
    static const sample without[] = {
        {"They hold 12.", -1, 1}, {"They hold a dozen.", 0, 0}, {" They hold a dozen. ", -9, 1}};
    script s;
    set_up(&s, gold)->rest[0] = "So the answer is 12.";
    put_samples(&s, without);
    const rdv_repair *round = &repaired(&s)->rounds[0];
    assert_string_equal(round->chosen_by, "frequency");
    assert_text(round->after[0], "They hold a dozen.");
    assert_true(isnan(round->logprob));
    assert_int_equal(round->different, 3);
    rdv_plan_free(&s.plan);
}

static void test_choose__all_equal(void **state)
{
    static const sample same[] = {{"They hold 3 * 4 = 13 pens.", -1, 1},
                                  {" They hold 3 * 4 = 13 pens.", -1, 1},
                                  {NULL, 0, 0}};
    script s;
    put_samples(set_up(&s, gold), same);
    const rdv_repaired *result = repaired(&s);
    assert_int_equal(result->rounds[0].kind, RDV_REPAIR_ALL_EQUAL);
    assert_int_equal(result->rounds[0].tried, 2);
    assert_int_equal(result->rounds[0].different, 0);
    assert_null(result->rounds[0].chosen_by);
    assert_null(result->rounds[0].after);
    assert_int_equal(result->end, RDV_REPAIR_ROUNDS);
    assert_false(result->changed);
    assert_text(chain_of(&s)->answer, "13");
    rdv_plan_free(&s.plan);
}

/* White space around the old step, which a sample never has, makes no difference either. */
static void test_choose__equal_but_for_white_space(void **state)
{
    static const sample same[] = {{"They hold 3 * 4 = 13 pens.", -1, 1},
                                  {"They hold 3 * 4 = 13 pens.", -1, 1},
                                  {"They hold 12.", -9, 1}};
    const rdv_str written = steps[1];
    script s;
    steps[1] = RDV_STR(" They hold 3 * 4 = 13 pens.\n");
    set_up(&s, gold)->rest[0] = "So the answer is 12.";
    put_samples(&s, same);
    const rdv_repair *round = &repaired(&s)->rounds[0];
    assert_int_equal(round->different, 1);
    assert_text(round->after[0], "They hold 12.");
    rdv_plan_free(&s.plan);
    steps[1] = written;
}

static void test_choose__none_came(void **state)
{
    static const sample none[3] = {{NULL, 0, 0}};
    script s;
    put_samples(set_up(&s, gold), none);
    const rdv_repaired *result = repaired(&s);
    assert_int_equal(result->rounds[0].kind, RDV_REPAIR_FAILED);
    assert_text(result->rounds[0].why, "refused: no");
    assert_int_equal(result->end, RDV_REPAIR_BROKEN);
    assert_text(result->why, "refused: no");
    assert_false(result->changed);
    rdv_plan_free(&s.plan);
}

static void test_sample__names_the_round_and_the_seed(void **state)
{
    static const char *const wanted[] = {"chain q/0, round 1, step 1, sample 0, try 0",
                                         "seed 7, chain q/0, round 1, step 1, sample 0, try 0"};
    for (size_t i = 0; i < 2; i++) {
        script s;
        set_up(&s, gold)->rest[0] = "So the answer is 12.";
        put_samples(&s, three);
        s.options.seed = i ? 7 : 0;
        repaired(&s);
        assert_string_equal(s.first_sample, wanted[i]);
        rdv_plan_free(&s.plan);
    }
}

/* ---- the rest -------------------------------------------------------------------------------- */

static void test_rest__fails(void **state)
{
    script s;
    put_samples(set_up(&s, gold), three);
    const rdv_repaired *result = repaired(&s);
    assert_int_equal(result->rounds[0].kind, RDV_REPAIR_FAILED);
    assert_int_equal(result->end, RDV_REPAIR_BROKEN);
    assert_text(chain_of(&s)->answer, "13");
    rdv_plan_free(&s.plan);
}

static void test_rest__is_as_long_as_is_allowed(void **state)
{
    static const size_t most[] = {5, 0}, wanted[] = {5, 14};
    for (size_t i = 0; i < 2; i++) {
        script s;
        set_up(&s, gold)->rest[0] = "And on.";
        put_samples(&s, three);
        s.repair.max_steps = most[i];
        const rdv_repair *round = &repaired(&s)->rounds[0];
        assert_true(round->capped);
        assert_int_equal(round->n_after, wanted[i] - 1);
        assert_true(rdv_starts(round->why, RDV_STR("no answer within ")));
        assert_null(round->answer_after.p);
        assert_non_null(chain_of(&s)->unfinished.p);
        rdv_plan_free(&s.plan);
    }
}

/* ---- which trace is kept --------------------------------------------------------------------- */

static void test_keep__the_one_that_the_check_prefers(void **state)
{
    static const struct {
        const char *rest;
        rdv_keep_kind keep;
        rdv_repair_kind kind;
        rdv_repair_end end;
        const char *answer;
    } cases[] = {
        {"So 3 * 4 = 12, and the answer is 12.", RDV_KEEP_BETTER, RDV_REPAIR_DONE,
         RDV_REPAIR_PASSED, "12"},
        {"So 3 * 4 = 14 and 2 * 2 = 5.", RDV_KEEP_BETTER, RDV_REPAIR_NOT_BETTER, RDV_REPAIR_ROUNDS,
         "13"},
        {"So the answer is nothing.", RDV_KEEP_NEW, RDV_REPAIR_DONE, RDV_REPAIR_ROUNDS, NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        script s;
        set_up(&s, calculations())->rest[0] = cases[i].rest;
        s.samples[0] = (sample){"They hold 3 + 4 = 7 boxes.", -1, 1};
        s.repair.resamples = 1;
        s.repair.max_steps = 4;
        s.repair.keep = cases[i].keep;
        const rdv_repaired *result = repaired(&s);
        assert_int_equal(result->rounds[0].kind, cases[i].kind);
        assert_int_equal(result->end, cases[i].end);
        assert_int_equal(result->changed, cases[i].kind == RDV_REPAIR_DONE);
        if (cases[i].answer)
            assert_true(rdv_str_eq(chain_of(&s)->answer, rdv_str_of(cases[i].answer)));
        rdv_plan_free(&s.plan);
    }
}

/* Three unrelated steps have more confidence than one that is wrong, and are still no better. */
static void test_keep__not_what_decides_nothing(void **state)
{
    script s;
    rdv_locator selfcheck = {.kind = RDV_LOCATE_METHOD,
                             .method = rdv_method_named(RDV_STR("selfcheck"))};
    set_up(&s, selfcheck)->rest[0] = "So the answer is 12.";
    s.samples[0] = (sample){"They hold a dozen.", -1, 1};
    s.repair.resamples = 1;
    s.repair.keep = RDV_KEEP_BETTER;
    const rdv_repair *round = &repaired(&s)->rounds[0];
    assert_true(round->confidence_after > round->confidence_before);
    assert_int_equal(round->kind, RDV_REPAIR_NOT_BETTER);
    assert_true(rdv_str_eq(chain_of(&s)->answer, RDV_STR("13")));
    rdv_plan_free(&s.plan);
}

/* Where all samples are the old step, its trace's confidence is told, and there is no other. */
static void test_all_equal__has_the_old_confidence(void **state)
{
    script s;
    set_up(&s, calculations());
    s.samples[0] = (sample){"They hold 3 * 4 = 13 pens.", -1, 1};
    s.repair.resamples = 1;
    const rdv_repaired *result = repaired(&s);
    const rdv_repair *round = &result->rounds[0];
    assert_int_equal(round->kind, RDV_REPAIR_ALL_EQUAL);
    assert_true(round->confidence_before > 0 && round->confidence_before < 1);
    assert_true(isnan(round->confidence_after));
    rdv_plan_free(&s.plan);
}

/* A trace without an answer replaces none with one, whatever its steps are worth. */
static void test_keep__a_trace_with_an_answer(void **state)
{
    script s;
    set_up(&s, calculations())->rest[0] = "And on.";
    s.samples[0] = (sample){"They hold 3 * 4 = 12 pens.", -1, 1};
    s.repair.resamples = 1;
    s.repair.max_steps = 4;
    const rdv_repaired *result = repaired(&s);
    assert_int_equal(result->rounds[0].kind, RDV_REPAIR_NOT_BETTER);
    assert_true(result->rounds[0].confidence_after > result->rounds[0].confidence_before);
    assert_text(chain_of(&s)->answer, "13");
    rdv_plan_free(&s.plan);
}

static void test_rounds__go_on_until_nothing_is_wrong(void **state)
{
    script s;
    set_up(&s, calculations())->rest[0] = "So 2 * 6 = 13.";
    s.rest[1] = "So the answer is 13.";
    s.rest[2] = "So the answer is 12.";
    s.samples[0] = (sample){"They hold 3 * 4 = 12 pens.", -1, 1};
    s.repair.resamples = 1;
    s.repair.rounds = 3;
    const rdv_repaired *result = repaired(&s);
    assert_int_equal(result->n_rounds, 2);
    assert_int_equal(result->rounds[1].round, 2);
    assert_int_equal(result->rounds[1].from_step, 2);
    assert_int_equal(result->end, RDV_REPAIR_PASSED);
    assert_text(chain_of(&s)->answer, "12");
    rdv_plan_free(&s.plan);
}

/* ---- nothing to repair ----------------------------------------------------------------------- */

static void test_located__nothing(void **state)
{
    static const struct {
        rdv_label label;
        rdv_repair_end end;
        const char *why;
    } cases[] = {
        {{RDV_LABEL_NO_MISTAKE, 0}, RDV_REPAIR_PASSED, NULL},
        {{RDV_LABEL_UNKNOWN, 0}, RDV_REPAIR_UNLOCATED, "the chain has no label"},
        {{RDV_LABEL_AT, 3}, RDV_REPAIR_UNLOCATED, "the mistake is in no step that is named"}};
    for (size_t i = 0; i < 3; i++) {
        script s;
        set_up(&s, gold);
        rdv_chain chain = wrong_chain();
        chain.label = cases[i].label;
        assert_int_equal(rdv_plan_repair(&chain, &s.options, &s.repair, &s.plan, NULL), RDV_OK);
        assert_true(rdv_plan_done(s.plan));
        const rdv_repaired *result = rdv_plan_repaired(s.plan);
        assert_int_equal(result->end, cases[i].end);
        assert_int_equal(result->n_rounds, 0);
        assert_int_equal(result->calls, 0);
        assert_int_equal(result->why.p != NULL, cases[i].why != NULL);
        if (cases[i].why)
            assert_true(rdv_str_eq(result->why, rdv_str_of(cases[i].why)));
        rdv_plan_free(&s.plan);
    }
}

static void test_options__out_of_range(void **state)
{
    static const size_t bad[][2] = {{0, 1}, {1001, 1}, {1, 0}, {1, 101}};
    for (size_t i = 0; i < 4; i++) {
        script s;
        rdv_chain chain = wrong_chain();
        set_up(&s, calculations());
        s.repair.resamples = bad[i][0];
        s.repair.rounds = bad[i][1];
        assert_int_equal(rdv_plan_repair(&chain, &s.options, &s.repair, &s.plan, NULL),
                         RDV_E_ARGUMENT);
        assert_null(s.plan);
    }
}

/* ---- no memory ------------------------------------------------------------------------------- */

static bool runs(void)
{
    script s;
    rdv_error err = {0};
    set_up(&s, calculations())->rest[0] = "So the answer is 12.";
    put_samples(&s, three);
    int rc = drive(&s, &err);
    assert_true(rc == RDV_OK || rc == RDV_E_NOMEM);
    rdv_plan_free(&s.plan);
    return rc == RDV_OK;
}

static void test_repair__no_memory(void **state)
{
    assert_survives_no_memory(runs(), (void)0);
}

/* Many samples need a block of memory of their own. A plan that was made can be carried out. */
static bool starts_with_many(void)
{
    script s;
    const rdv_chain chain = wrong_chain();
    put_samples(set_up(&s, gold), three);
    s.repair.resamples = 1000;
    s.rest[0] = "So the answer is 12.";
    int rc = rdv_plan_repair(&chain, &s.options, &s.repair, &s.plan, NULL);
    assert_true(rc == RDV_OK || rc == RDV_E_NOMEM);
    rdv_alloc_fail_at(0);
    if (rc == RDV_OK)
        assert_int_equal(answer_all(&s, NULL), RDV_OK);
    rdv_plan_free(&s.plan);
    return rc == RDV_OK;
}

static void test_repair__no_memory_for_many_samples(void **state)
{
    assert_survives_no_memory(starts_with_many(), (void)0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_choose__the_most_probable_that_differs),
        cmocka_unit_test(test_choose__the_most_frequent),
        cmocka_unit_test(test_choose__what_is_dropped_decides_nothing),
        cmocka_unit_test(test_choose__all_equal),
        cmocka_unit_test(test_choose__equal_but_for_white_space),
        cmocka_unit_test(test_choose__none_came),
        cmocka_unit_test(test_sample__names_the_round_and_the_seed),
        cmocka_unit_test(test_rest__fails),
        cmocka_unit_test(test_rest__is_as_long_as_is_allowed),
        cmocka_unit_test(test_keep__the_one_that_the_check_prefers),
        cmocka_unit_test(test_keep__not_what_decides_nothing),
        cmocka_unit_test(test_all_equal__has_the_old_confidence),
        cmocka_unit_test(test_keep__a_trace_with_an_answer),
        cmocka_unit_test(test_rounds__go_on_until_nothing_is_wrong),
        cmocka_unit_test(test_located__nothing),
        cmocka_unit_test(test_options__out_of_range),
        cmocka_unit_test(test_repair__no_memory),
        cmocka_unit_test(test_repair__no_memory_for_many_samples),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
