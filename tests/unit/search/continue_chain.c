/* SPDX-License-Identifier: Apache-2.0 */
/* Stepwise generation of chains, steps sampled several times, and the methods that ask for
 * the first mistake: what is asked, where it ends, and what the record says. */
#include "search/continue_chain.h"

#include "../test.h"
#include "task/task.h"

#include <math.h>

static const rdv_question question = {
    .id = {"q", 1},
    .text = {"Close the brackets that are still open, in the right order: [ (", 63}};

static rdv_plan_options plain_options(void)
{
    rdv_plan_options o;
    rdv_plan_options_default(&o, sizeof o);
    o.generate = RDV_GENERATE_THOUGHTS;
    o.chains = 1;
    return o;
}

static rdv_plan *solving(const rdv_plan_options *o)
{
    rdv_plan *plan;
    assert_int_equal(rdv_plan_solve(&question, o, &plan, NULL), RDV_OK);
    return plan;
}

/* Answer what is asked next with `text`; what was asked stays in *request. */
static void say(rdv_plan *plan, const char *text, rdv_request *request)
{
    assert_int_equal(rdv_plan_next(plan, request, NULL), RDV_OK);
    const rdv_reply reply = {.text = rdv_str_of(text), .finish = RDV_FINISH_STOP};
    assert_int_equal(rdv_plan_reply(plan, request->id, &reply, NULL), RDV_OK);
}

static rdv_str last_message(const rdv_request *request)
{
    return request->messages[request->n_messages - 1].text;
}

/* ---- a chain ---------------------------------------------------------------------------------
 */

static void test_thoughts__what_is_asked(void **state)
{
    (void)state;
    rdv_plan_options o = plain_options();
    rdv_plan *plan = solving(&o);
    rdv_request r;
    say(plan, " Begin with an empty stack.", &r);
    assert_int_equal(r.kind, RDV_REQUEST_CONTINUE);
    assert_text(r.prompt, "mistakes/trace/dyck_languages");
    assert_true(r.sampling.temperature == 0);
    assert_int_equal(r.sampling.n_stop, 1);
    assert_text(r.sampling.stop[0], "\n");
    assert_int_equal(r.messages[r.n_messages - 1].role, RDV_ASSISTANT);
    assert_text(last_message(&r), "Thought 1:");
    assert_true(rdv_ends(r.messages[0].text, question.text));
    say(plan, "Thought 2: [ ; stack: [", &r); /* the model repeats the heading */
    assert_text(last_message(&r), "Thought 1: Begin with an empty stack.\nThought 2:");
    say(plan, "So the answer is ) ]", &r);
    assert_true(rdv_plan_done(plan));
    size_t n;
    const rdv_chain *chain = rdv_plan_chains(plan, &n);
    assert_int_equal(n, 1);
    assert_int_equal(chain->n_steps, 3);
    assert_text(chain->steps[1], "[ ; stack: [");
    assert_text(rdv_plan_result(plan)->answer, ") ]");
    assert_int_equal(rdv_plan_result(plan)->calls, 3);
    rdv_plan_free(&plan);
}

static void test_thoughts__ends_at_the_most_steps(void **state)
{
    (void)state;
    rdv_plan_options o = plain_options();
    o.max_steps = 2;
    rdv_plan *plan = solving(&o);
    rdv_request r;
    say(plan, "One.", &r);
    say(plan, "Two.", &r);
    assert_true(rdv_plan_done(plan));
    size_t n;
    assert_int_equal(rdv_plan_chains(plan, &n)->n_steps, 2);
    assert_null(rdv_plan_result(plan)->answer.p);
    assert_int_equal(rdv_plan_result(plan)->unread, 1);
    rdv_plan_free(&plan);
}

/* At temperature 0 an empty reply is not asked for again: the chain ends with what there is. */
static void test_thoughts__ends_where_no_step_comes(void **state)
{
    (void)state;
    rdv_plan_options o = plain_options();
    rdv_plan *plan = solving(&o);
    rdv_request r;
    say(plan, "One.", &r);
    say(plan, " \n", &r);
    assert_true(rdv_plan_done(plan)); /* at temperature 0 nothing else would come */
    size_t n;
    assert_int_equal(rdv_plan_chains(plan, &n)->n_steps, 1);
    assert_int_equal(rdv_plan_result(plan)->calls, 2);
    rdv_plan_free(&plan);
}

static void test_thoughts__an_empty_one_is_drawn_again(void **state)
{
    (void)state;
    rdv_plan_options o = plain_options();
    o.temperature = 1;
    rdv_plan *plan = solving(&o);
    rdv_request r;
    say(plan, "One.", &r);
    say(plan, "", &r);
    assert_false(rdv_plan_done(plan));
    say(plan, "", &r);
    assert_true(rdv_plan_done(plan));
    assert_int_equal(rdv_plan_result(plan)->calls, 3);
    rdv_plan_free(&plan);
}

static void test_thoughts__an_early_end_leaves_no_chain(void **state)
{
    (void)state;
    rdv_plan_options o = plain_options();
    rdv_plan *plan = solving(&o);
    rdv_request r;
    say(plan, "One.", &r);
    assert_int_equal(rdv_plan_close(plan, RDV_FAIL_BUDGET, NULL), RDV_OK);
    assert_true(rdv_plan_done(plan));
    size_t n;
    rdv_plan_chains(plan, &n);
    assert_int_equal(n, 0);
    rdv_plan_free(&plan);
}

static void test_zero_shot__lines_are_steps(void **state)
{
    (void)state;
    rdv_plan_options o = plain_options();
    o.generate = RDV_GENERATE_ZERO_SHOT;
    rdv_plan *plan = solving(&o);
    rdv_request r;
    say(plan, "First [ is open.\nThen ( is open.\nSo the answer is ) ].", &r);
    assert_int_equal(r.kind, RDV_REQUEST_CHAT);
    assert_true(rdv_ends(last_message(&r), RDV_STR("Let's think step by step.")));
    size_t n;
    assert_int_equal(rdv_plan_chains(plan, &n)->n_steps, 3);
    rdv_plan_free(&plan);
}

/* A reply in which nothing is left once the thinking is taken out has no steps: it is asked for
 * again, and then says why it is no chain. */
static void test_zero_shot__no_step_is_no_chain(void **state)
{
    static const rdv_generate_kind kinds[] = {RDV_GENERATE_ZERO_SHOT, RDV_GENERATE_STEPS};
    for (size_t i = 0; i < 2; i++) {
        rdv_plan_options o = plain_options();
        o.generate = kinds[i];
        o.temperature = 1;
        rdv_plan *plan = solving(&o);
        rdv_request r;
        size_t n;
        say(plan, "<think>First [ is open.</think>", &r);
        assert_false(rdv_plan_done(plan));
        say(plan, "<think>First [ is open.</think>", &r);
        assert_true(rdv_plan_done(plan));
        assert_text(rdv_plan_chains(plan, &n)->unfinished, "the reply could not be read");
        rdv_plan_free(&plan);
    }
}

/* A chain that can change nothing any more is not checked, and its record says so. */
static void test_zero_shot__a_needless_check_is_skipped(void **state)
{
    const rdv_method *method = rdv_method_named(RDV_STR("direct-trace"));
    rdv_plan_options o = plain_options();
    o.generate = RDV_GENERATE_ZERO_SHOT;
    o.chains = 3;
    o.methods = &method;
    o.n_methods = 1;
    rdv_plan *plan = solving(&o);
    rdv_request r;
    size_t n;
    say(plan, "So the answer is ) ].", &r);
    say(plan, "So the answer is ) ].", &r);
    say(plan, "So the answer is ] ).", &r);
    say(plan, "No", &r);
    say(plan, "No", &r);
    assert_true(rdv_plan_done(plan));
    const rdv_chain *chains = rdv_plan_chains(plan, &n);
    assert_int_equal(n, 3);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(chains[i].n_checks, 1);
        assert_int_equal(chains[i].checks->skipped, i == 2);
    }
    rdv_plan_free(&plan);
}

/* Without a method that weighs them, all chains weigh the same. */
static void test_zero_shot__chains_without_a_check_weigh_the_same(void **state)
{
    rdv_plan_options o = plain_options();
    o.generate = RDV_GENERATE_ZERO_SHOT;
    o.chains = 3;
    o.stop = RDV_STOP_NONE;
    rdv_plan *plan = solving(&o);
    rdv_request r;
    say(plan, "First [ is open.\nSo the answer is ) ].", &r);
    say(plan, "So the answer is ] ).", &r);
    say(plan, "Then ( is open.\nSo the answer is ) ].", &r);
    assert_true(rdv_plan_done(plan));
    const rdv_result *result = rdv_plan_result(plan);
    assert_text(result->answer, ") ]");
    assert_true(fabs(result->weight_share - 2.0 / 3) < 1e-12);
    assert_int_equal(result->n_answers, 2);
    assert_int_equal(result->unread + result->unanswered, 0);
    rdv_plan_free(&plan);
}

/* A call that failed leaves no chain, and no answer that could not be read. */
static void test_zero_shot__a_call_that_failed_is_counted_apart(void **state)
{
    rdv_plan_options o = plain_options();
    o.generate = RDV_GENERATE_ZERO_SHOT;
    o.chains = 3;
    o.stop = RDV_STOP_NONE;
    rdv_plan *plan = solving(&o);
    rdv_request r;
    say(plan, "First [ is open.\nSo the answer is ) ].", &r);
    assert_int_equal(rdv_plan_next(plan, &r, NULL), RDV_OK);
    assert_int_equal(rdv_plan_fail(plan, r.id, RDV_FAIL_REFUSED, (rdv_str){0}, NULL), RDV_OK);
    say(plan, "I cannot tell.", &r);
    assert_true(rdv_plan_done(plan));
    assert_int_equal(rdv_plan_result(plan)->unanswered, 1);
    assert_int_equal(rdv_plan_result(plan)->unread, 1);
    assert_text(rdv_plan_result(plan)->answer, ") ]");
    rdv_plan_free(&plan);
}

/* ---- kept steps, samples ---------------------------------------------------------------------
 */

static int end_continuation(continuation *c, rdv_error *err)
{
    (void)err;
    *(continuation **)c->data = c;
    return RDV_OK;
}

static int end_samples(step_samples *s, rdv_error *err)
{
    (void)err;
    *(step_samples **)s->data = s;
    return RDV_OK;
}

static rdv_str kept[] = {{"stack: empty", 12}, {"So the answer is ]", 18}};

typedef struct bench {
    rdv_plan *plan;
    continue_from from;
} bench;

static bench set_up(size_t n_kept)
{
    bench b = {.from = {.question = &question,
                        .kept = kept,
                        .n_kept = n_kept,
                        .temperature = 1,
                        .logprobs = true,
                        .stage = RDV_STR("test/step"),
                        .sample = RDV_STR("chain 0")}};
    rdv_plan_options o = plain_options();
    assert_int_equal(plan_new(&o, &b.plan, NULL), RDV_OK);
    return b;
}

static void test_continue_chain__behind_kept_steps(void **state)
{
    (void)state;
    bench b = set_up(1);
    continuation *c, *ended = NULL;
    rdv_request r;
    assert_int_equal(continue_chain(&c, b.plan, &b.from, end_continuation, &ended, NULL), RDV_OK);
    say(b.plan, "[ ; stack: [", &r);
    assert_text(last_message(&r), "Thought 1: stack: empty\nThought 2:");
    assert_true(r.sampling.temperature == 1 && r.sampling.logprobs);
    assert_null(ended);
    say(b.plan, "So the answer is", &r); /* an answer of no symbols */
    assert_ptr_equal(ended, c);
    assert_int_equal(c->end, CONTINUE_ANSWERED);
    assert_int_equal(c->n_steps, 3);
    assert_text(c->answer, "");
    rdv_plan_free(&b.plan);
}

/* The robust profile ends a chain at any announcement, the paper's at its words alone. */
static void test_continue_chain__ends_by_profile(void **state)
{
    (void)state;
    for (int paper = 0; paper < 2; paper++) {
        bench b = set_up(1);
        continuation *c, *ended = NULL;
        rdv_request r;
        b.plan->options.profile = paper ? RDV_PAPER : RDV_ROBUST;
        assert_int_equal(continue_chain(&c, b.plan, &b.from, end_continuation, &ended, NULL),
                         RDV_OK);
        say(b.plan, "**Final answer:**", &r);
        assert_null(ended);
        say(b.plan, ") ]", &r);
        assert_true(paper ? !ended : ended == c);
        if (paper)
            assert_null(c->answer.p);
        else
            assert_text(c->answer, ") ]");
        assert_int_equal(c->n_steps, 3);
        rdv_plan_free(&b.plan);
    }
}

static void test_continue_chain__nothing_left_to_ask(void **state)
{
    (void)state;
    bench b = set_up(2);
    continuation *c, *ended = NULL;
    assert_int_equal(continue_chain(&c, b.plan, &b.from, end_continuation, &ended, NULL), RDV_OK);
    assert_ptr_equal(ended, c);
    assert_int_equal(c->end, CONTINUE_ANSWERED);
    assert_int_equal(c->calls, 0);
    assert_text(c->answer, "]");
    rdv_plan_free(&b.plan);
}

/* Memory that is lacking once loses none of the steps that are kept. */
static void test_continue_chain__no_memory(void **state)
{
    int r = RDV_E_NOMEM;
    for (size_t n = 1; r != RDV_OK; n++) {
        bench b = set_up(2);
        continuation *c, *ended = NULL;
        rdv_alloc_fail_once(n);
        r = continue_chain(&c, b.plan, &b.from, end_continuation, &ended, NULL);
        rdv_alloc_fail_at(0);
        assert_true(r == RDV_E_NOMEM || (r == RDV_OK && ended == c && c->n_steps == 2));
        rdv_plan_free(&b.plan);
    }
}

static void test_sample_step__in_their_own_order(void **state)
{
    (void)state;
    bench b = set_up(1);
    step_samples *s, *ended = NULL;
    rdv_request r[3];
    assert_int_equal(continue_sample_step(&s, b.plan, &b.from, 3, end_samples, &ended, NULL),
                     RDV_OK);
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(rdv_plan_next(b.plan, &r[i], NULL), RDV_OK);
    assert_text(r[2].sample, "chain 0, step 1, sample 2, try 0");
    const rdv_token tokens[] = {{.logprob = -0.5}, {.logprob = -1.5}};
    const rdv_reply replies[] = {{.text = RDV_STR("a")},
                                 {.text = RDV_STR("b"), .tokens = tokens, .n_tokens = 2}};
    assert_int_equal(rdv_plan_reply(b.plan, r[1].id, &replies[1], NULL), RDV_OK);
    assert_int_equal(rdv_plan_fail(b.plan, r[2].id, RDV_FAIL_TIMEOUT, RDV_STR("slow"), NULL),
                     RDV_OK);
    assert_null(ended);
    assert_int_equal(rdv_plan_reply(b.plan, r[0].id, &replies[0], NULL), RDV_OK);
    assert_ptr_equal(ended, s);
    assert_text(s->samples[0].text, "a");
    assert_true(isnan(s->samples[0].logprob));
    assert_text(s->samples[1].text, "b");
    assert_true(s->samples[1].logprob == -2 && s->samples[1].mean_logprob == -1);
    assert_null(s->samples[2].text.p);
    assert_text(s->samples[2].node->why, "timed out: slow");
    assert_int_equal(s->calls, 3);
    rdv_plan_free(&b.plan);
}

/* What is dropped is taken back from the driver, and nobody is told of an end. */
static void test_sample_step__dropped(void **state)
{
    bench b = set_up(1);
    step_samples *s, *ended = NULL;
    rdv_request r[3];
    uint64_t id;
    assert_int_equal(continue_sample_step(&s, b.plan, &b.from, 3, end_samples, &ended, NULL),
                     RDV_OK);
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(rdv_plan_next(b.plan, &r[i], NULL), RDV_OK);
    assert_int_equal(continue_sample_drop(s, NULL), RDV_OK);
    assert_true(rdv_plan_done(b.plan));
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(rdv_plan_cancelled(b.plan, &id), RDV_OK);
        assert_int_equal(id, r[i].id);
    }
    assert_int_equal(rdv_plan_cancelled(b.plan, &id), RDV_NONE);
    assert_null(ended);
    rdv_plan_free(&b.plan);
}

/* What was thought before the step, a heading that is repeated, and what is written behind the line
 * have log-probabilities too, and are not the step's. */
static void test_sample_step__counts_the_tokens_of_its_line(void **state)
{
    (void)state;
    bench b = set_up(1);
    step_samples *s, *ended = NULL;
    rdv_request r;
    assert_int_equal(continue_sample_step(&s, b.plan, &b.from, 1, end_samples, &ended, NULL),
                     RDV_OK);
    assert_int_equal(rdv_plan_next(b.plan, &r, NULL), RDV_OK);
    const rdv_token tokens[] = {{.text = RDV_STR("<think>Well.</think>"), .logprob = -64},
                                {.text = RDV_STR("\nThought 2:"), .logprob = -32},
                                {.text = RDV_STR(" [ ;"), .logprob = -1},
                                {.text = RDV_STR(" stack: [\n"), .logprob = -2},
                                {.text = RDV_STR("Thought 3:"), .logprob = -16},
                                {.text = RDV_STR(" ( ;"), .logprob = -8}};
    const rdv_reply reply = {
        .text = RDV_STR("<think>Well.</think>\nThought 2: [ ; stack: [\nThought 3: ( ;"),
        .tokens = tokens,
        .n_tokens = 6};
    assert_int_equal(rdv_plan_reply(b.plan, r.id, &reply, NULL), RDV_OK);
    assert_ptr_equal(ended, s);
    assert_text(s->samples[0].text, "[ ; stack: [");
    assert_int_equal(s->samples[0].n_tokens, 2);
    assert_true(s->samples[0].logprob == -3 && s->samples[0].mean_logprob == -1.5);
    rdv_plan_free(&b.plan);
}

/* Where the tokens do not spell the reply, no place in it is known, and all of them count. */
static void test_sample_step__tokens_of_another_text(void **state)
{
    const rdv_token tokens[] = {{.text = RDV_STR("[ ;"), .logprob = -1},
                                {.text = RDV_STR(" stack: ["), .logprob = -2},
                                {.text = RDV_STR("<|end|>"), .logprob = -4}};
    static const char *const texts[] = {"[ ; stack: [", "[ ; stack: [<|end|> and more"};
    for (size_t i = 0; i < 2; i++) {
        bench b = set_up(1);
        step_samples *s, *ended = NULL;
        rdv_request r;
        const rdv_reply reply = {.text = rdv_str_of(texts[i]), .tokens = tokens, .n_tokens = 3};
        assert_int_equal(continue_sample_step(&s, b.plan, &b.from, 1, end_samples, &ended, NULL),
                         RDV_OK);
        assert_int_equal(rdv_plan_next(b.plan, &r, NULL), RDV_OK);
        assert_int_equal(rdv_plan_reply(b.plan, r.id, &reply, NULL), RDV_OK);
        assert_int_equal(s->samples[0].n_tokens, 3);
        assert_true(s->samples[0].logprob == -7);
        rdv_plan_free(&b.plan);
    }
}

/* ---- the first mistake -----------------------------------------------------------------------
 */

static rdv_str steps[] = {{"stack: empty", 12},
                          {"[ ; stack: (", 12},
                          {"( ; stack: ( (", 14},
                          {"So the answer is ) )", 20}};

static const rdv_check *check_of(rdv_plan *plan)
{
    size_t n;
    const rdv_chain *chain = rdv_plan_chains(plan, &n);
    return &chain->checks[0];
}

static rdv_plan *checking(const char *name, size_t ahead, const rdv_method **method)
{
    static rdv_chain chain;
    static rdv_plan_options o;
    chain = (rdv_chain){.question = question, .steps = steps, .n_steps = 4, .correct = -1};
    o = plain_options();
    *method = rdv_method_named(rdv_str_of(name));
    assert_non_null(*method);
    o.methods = method;
    o.n_methods = 1;
    o.lookahead = ahead;
    rdv_plan *plan;
    assert_int_equal(rdv_plan_check(&chain, 1, &o, &plan, NULL), RDV_OK);
    return plan;
}

static void test_direct_step__ends_at_the_first_no(void **state)
{
    (void)state;
    const rdv_method *method;
    rdv_plan *plan = checking("direct-step", 1, &method);
    rdv_request r;
    say(plan, "Yes", &r);
    assert_int_equal(r.party, RDV_CHECKER);
    assert_true(rdv_find(last_message(&r), RDV_STR("Is Thought 1 right?"), 0) != RDV_NOT_FOUND);
    assert_int_equal(rdv_find(last_message(&r), steps[1], 0), RDV_NOT_FOUND); /* not seen yet */
    say(plan, "No", &r);
    assert_true(rdv_find(last_message(&r), RDV_STR("Is Thought 2 right?"), 0) != RDV_NOT_FOUND);
    assert_int_equal(rdv_find(last_message(&r), RDV_STR("Yes\n"), 0), RDV_NOT_FOUND);
    assert_true(rdv_plan_done(plan));
    const rdv_check *c = check_of(plan);
    assert_int_equal(c->first_error, 1);
    assert_int_equal(c->calls, 2);
    assert_int_equal(c->verdicts[0].kind, RDV_SUPPORT);
    assert_int_equal(c->verdicts[2].kind, RDV_UNKNOWN);
    assert_true(isnan(c->verdicts[3].score));
    rdv_plan_free(&plan);
}

/* Two steps are out; the later one says No first, and the earlier one decides. */
static void test_direct_step__ahead_is_decided_in_order(void **state)
{
    (void)state;
    const rdv_method *method;
    rdv_plan *plan = checking("direct-step", 3, &method);
    rdv_request r[3];
    uint64_t cancelled;
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(rdv_plan_next(plan, &r[i], NULL), RDV_OK);
    rdv_request none;
    assert_int_equal(rdv_plan_next(plan, &none, NULL), RDV_NONE);
    const rdv_reply no = {.text = RDV_STR("No")}, yes = {.text = RDV_STR("Yes")};
    assert_int_equal(rdv_plan_reply(plan, r[1].id, &no, NULL), RDV_OK);
    assert_false(rdv_plan_done(plan));
    assert_int_equal(rdv_plan_reply(plan, r[0].id, &yes, NULL), RDV_OK);
    assert_int_equal(rdv_plan_cancelled(plan, &cancelled), RDV_OK);
    assert_int_equal(cancelled, r[2].id);
    assert_true(rdv_plan_done(plan));
    assert_int_equal(check_of(plan)->first_error, 1);
    assert_int_equal(check_of(plan)->calls, 2); /* what ran ahead is not counted */
    rdv_plan_free(&plan);
}

static void test_direct_trace__one_prompt(void **state)
{
    (void)state;
    const rdv_method *method;
    rdv_plan *plan = checking("direct-trace", 1, &method);
    rdv_request r;
    say(plan, "2", &r);
    assert_text(r.prompt, "mistakes/direct-trace/dyck_languages");
    assert_true(rdv_plan_done(plan));
    const rdv_check *c = check_of(plan);
    assert_int_equal(c->first_error, 1);
    assert_int_equal(c->calls, 1);
    assert_int_equal(c->verdicts[0].kind, RDV_SUPPORT);
    assert_int_equal(c->verdicts[1].kind, RDV_CONTRADICT);
    assert_int_equal(c->verdicts[2].kind, RDV_UNKNOWN);
    rdv_plan_free(&plan);
    plan = checking("direct-trace", 1, &method);
    say(plan, "No", &r);
    assert_int_equal(check_of(plan)->first_error, RDV_NO_STEP);
    assert_true(check_of(plan)->confidence == 1);
    rdv_plan_free(&plan);
}

/* What cannot be read is no location and no support: nothing is known of the chain. */
static void test_direct_trace__unreadable(void **state)
{
    (void)state;
    const rdv_method *method;
    rdv_plan *plan = checking("direct-trace", 1, &method);
    rdv_request r;
    say(plan, "99", &r);
    say(plan, "I do not know.", &r);
    assert_true(rdv_plan_done(plan));
    assert_int_equal(check_of(plan)->first_error, RDV_STEP_UNKNOWN);
    assert_int_equal(check_of(plan)->n_unknown, 4);
    assert_true(isnan(check_of(plan)->confidence));
    rdv_plan_free(&plan);
}

static void test_cot_step__reads_the_answer(void **state)
{
    (void)state;
    const rdv_method *method;
    rdv_plan *plan = checking("cot-step", 1, &method);
    rdv_request r;
    say(plan, "Nothing was read yet. Answer: Yes", &r);
    say(plan, "The symbol is [, not (. There is no doubt about it. Answer: No", &r);
    assert_true(rdv_plan_done(plan));
    assert_int_equal(check_of(plan)->first_error, 1);
    rdv_plan_free(&plan);
}

/* A question of no known task gets the exemplars for others. */
static void test_prompts__of_other_questions(void **state)
{
    (void)state;
    rdv_plan_options o = plain_options();
    rdv_plan *plan;
    const rdv_question other = {.id = RDV_STR("o"), .text = RDV_STR("How old is Ann?")};
    assert_int_equal(rdv_plan_solve(&other, &o, &plan, NULL), RDV_OK);
    rdv_request r;
    assert_int_equal(rdv_plan_next(plan, &r, NULL), RDV_OK);
    assert_text(r.prompt, "mistakes/trace/other");
    rdv_plan_free(&plan);
}

/* ---- no memory -------------------------------------------------------------------------------
 */

static int answer_all(rdv_plan *plan)
{
    rdv_request request;
    rdv_reply reply;
    int r = RDV_OK;
    while (r == RDV_OK && !rdv_plan_done(plan)) {
        r = rdv_plan_next(plan, &request, NULL);
        if (r == RDV_OK)
            r = rdv_plan_dry_reply(plan, &request, NULL, &reply, NULL);
        if (r == RDV_OK)
            r = rdv_plan_reply(plan, request.id, &reply, NULL);
    }
    return r;
}

static bool runs(bool solve, const char *name)
{
    static rdv_chain chain;
    const rdv_method *method = rdv_method_named(rdv_str_of(name));
    rdv_plan_options o = plain_options();
    rdv_plan *plan;
    chain = (rdv_chain){.question = question, .steps = steps, .n_steps = 4, .correct = -1};
    o.methods = &method;
    o.n_methods = 1;
    o.chains = 2;
    o.lookahead = 2;
    int r = solve ? rdv_plan_solve(&question, &o, &plan, NULL)
                  : rdv_plan_check(&chain, 1, &o, &plan, NULL);
    if (r == RDV_OK)
        r = answer_all(plan);
    if (r != RDV_OK)
        assert_int_equal(r, RDV_E_NOMEM);
    else if (solve)
        assert_non_null(rdv_plan_result(plan));
    rdv_plan_free(&plan);
    return r == RDV_OK;
}

static void test_locators__no_memory(void **state)
{
    (void)state;
    assert_survives_no_memory(runs(false, "direct-trace"), (void)0);
    assert_survives_no_memory(runs(false, "cot-step"), (void)0);
}

static void test_thoughts__no_memory(void **state)
{
    (void)state;
    assert_survives_no_memory(runs(true, "direct-step"), (void)0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_thoughts__what_is_asked),
        cmocka_unit_test(test_thoughts__ends_at_the_most_steps),
        cmocka_unit_test(test_thoughts__ends_where_no_step_comes),
        cmocka_unit_test(test_thoughts__an_empty_one_is_drawn_again),
        cmocka_unit_test(test_thoughts__an_early_end_leaves_no_chain),
        cmocka_unit_test(test_zero_shot__lines_are_steps),
        cmocka_unit_test(test_zero_shot__no_step_is_no_chain),
        cmocka_unit_test(test_zero_shot__a_needless_check_is_skipped),
        cmocka_unit_test(test_zero_shot__chains_without_a_check_weigh_the_same),
        cmocka_unit_test(test_zero_shot__a_call_that_failed_is_counted_apart),
        cmocka_unit_test(test_continue_chain__behind_kept_steps),
        cmocka_unit_test(test_continue_chain__ends_by_profile),
        cmocka_unit_test(test_continue_chain__nothing_left_to_ask),
        cmocka_unit_test(test_continue_chain__no_memory),
        cmocka_unit_test(test_sample_step__in_their_own_order),
        cmocka_unit_test(test_sample_step__dropped),
        cmocka_unit_test(test_sample_step__counts_the_tokens_of_its_line),
        cmocka_unit_test(test_sample_step__tokens_of_another_text),
        cmocka_unit_test(test_direct_step__ends_at_the_first_no),
        cmocka_unit_test(test_direct_step__ahead_is_decided_in_order),
        cmocka_unit_test(test_direct_trace__one_prompt),
        cmocka_unit_test(test_direct_trace__unreadable),
        cmocka_unit_test(test_cot_step__reads_the_answer),
        cmocka_unit_test(test_prompts__of_other_questions),
        cmocka_unit_test(test_locators__no_memory),
        cmocka_unit_test(test_thoughts__no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
