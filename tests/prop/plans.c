/* SPDX-License-Identifier: Apache-2.0 */
/* What every plan asks, and what it makes of the replies, does not change unseen. A seed draws a
 * plan (a check, a solution, a beam search, a repair, an estimate) with its chains, methods and
 * options, replies of every form, right, wrong, strange, cut off and failed, and the order in which
 * they come. What comes of it is a line of tests/golden/plans.tsv: counts for people, and a hash of
 * every request, of every request that is given up, and of the records.
 *
 *     prop_plans              compares
 *     prop_plans --write      writes the file, after a change that is meant
 *     prop_plans SEED         prints what the hashes of a line are over */
#include "golden_lines.h"
#include "own_tables.h"

#include "base/map.h"
#include "base/rng.h"
#include "method/acceptance.h"
#include "method/certificate.h"
#include "method/decided_label.h"
#include "method/label_conflict.h"
#include "search/repair.h"

#include <rederive/data.h>

#include <math.h>
#include <stdio.h>

#define PLANS 3000
#define MAX_CHAINS 64
#define MAX_OUT 24
#define MAX_METHODS_OF_PLAN 4

/* ---- what people would look at first --------------------------------------------------------- */

typedef struct facts {
    const char *work;
    size_t asked, failed, cancelled;
    size_t verdicts[4]; /* contradict, unrelated, support, unknown */
    bool partial;
    rdv_str answer;
    uint64_t asked_hash, record_hash;
} facts;

typedef struct world {
    uint64_t seed;
    rdv_rng rng;
    rdv_arena *arena;
    bool tell;
    facts facts;
} world;

static void note(world *w, uint64_t *hash, rdv_str text)
{
    *hash = rdv_hash(text, *hash);
    if (w->tell)
        printf("%.*s\n", RDV_FMT(text));
}

static size_t below(world *w, size_t n)
{
    return (size_t)rdv_rng_below(&w->rng, n);
}

static bool one_in(world *w, size_t n)
{
    return below(w, n) == 0;
}

/* ---- replies --------------------------------------------------------------------------------- */

/* By what the question contains: replies in the form that it asks for. */
static const struct {
    const char *asks;
    const char *replies[8];
} forms[] = {
    {"Solution 2. Pay special",
     {"Solution 1 supports the conclusion in Solution 2.",
      "Solution 1 contradicts the conclusion in Solution 2.",
      "Solution 1 is not directly related to the conclusion in Solution 2."}},
    {"directly follow from",
     {"Step 0, Information 0", "Information 0, Information 1", "Step 0 and Step 1", "Step 7",
      "It follows from nothing."}},
    {"single sentence", {"To compute the number of pens.", "To add the hours."}},
    {"achieve the target",
     {"3 * 4 = 12, so there are 12 pens.", "9 + 2 = 11, so it arrives at 11."}},
    {"is defined as",
     {"1. x is defined as the number of pens.", "There are no variables.",
      "1. x = 3\n2. y is the price"}},
    {"Not Sure",
     {"The step is right.\nCorrect", "9 + 2 is 11.\nWrong", "It cannot be told.\nNot Sure"}},
    {"evaluation of the draft step",
     {"Yes, the step is relevant.", "No, the step is not relevant."}},
    {"```json",
     {"\n{[{\"lhs\": \"3 * 4\", \"op\": \"=\", \"rhs\": \"12\"}]}\n```",
      "\n{[{\"lhs\": \"3 * 4\", \"op\": \"=\", \"rhs\": \"13\"}]}\n```", "\n{[]}\n```",
      "\n{[{\"lhs\": \"x\", \"op\": \"=\", \"rhs\": \"y\"}, {\"lhs\": \"2\", \"op\": \"<\", "
      "\"rhs\": "
      "\"1\"}]}\n```"}},
    {"Last Step is",
     {" consistent with the Previous Steps.", " contradictory to the Previous Steps.",
      " not contradicting any information from the Previous Steps."}},
    {"boxed",
     {"All is right.\n\\boxed{-1}", "The second paragraph is wrong.\n\\boxed{1}", "\\boxed{0}",
      "\\boxed{99}"}},
    {"first thought with a mistake", {"No", "2", "3", "99", "1"}},
    {"Yes",
     {"Yes", "No", "It is right. Answer: Yes", "9 + 2 is 11. Answer: No", "It follows.\nYes"}},
    {"from 0 to 10?",
     {"good", "bad", "So so.", "The step is fine.\nAnswer: **good**.", "Score: 9/10", "3", "0",
      "who knows"}},
    {"Thought ",
     {" 3 * 4 = 12.", " 2 + 3 = 6.", " So the answer is 12.", " So the answer is no.", " 5 = 5."}},
    {"Step ",
     {" 3 * 4 = 12.", " 2 + 3 = 6.", " So the answer is 12.", " So the answer is 5.",
      "Step 1: 3 * 4 = 12.\n\nStep 2: So the answer is 12."}},
    {"",
     {"Step 1: 3 * 4 = 12.\nStep 2: So the answer is 12.",
      "Step 1: 2 + 3 = 6.\nStep 2: So the answer is 6.", "2 + 3 = 5.\nSo the answer is 5.", "+",
      "-"}},
};

static const char *const strange[] = {
    "Well, I am not sure what you mean.",
    "",
    "Is it right? No.",
    "Yes and no.",
    "<think>Yes. Correct.",
    "The answer is perhaps 12, or perhaps 13.",
    "1. Correct\n2. Wrong\n3. Correct",
    "Step 3",
    "good or bad",
    "7 or 8",
    "-1",
};

static uint64_t drawn(const rdv_request *r, uint64_t salt)
{
    return rdv_hash((rdv_str){(const char *)r->key, sizeof r->key}, salt);
}

static rdv_str asked(const rdv_request *r)
{
    return r->n_messages ? r->messages[r->n_messages - 1].text : r->text;
}

static rdv_str in_form(const rdv_request *r)
{
    size_t i = 0, n = 0;
    while (rdv_find(asked(r), rdv_str_of(forms[i].asks), 0) == RDV_NOT_FOUND)
        i++;
    while (n < 8 && forms[i].replies[n])
        n++;
    return rdv_str_of(forms[i].replies[drawn(r, 1) % n]);
}

/* Each word is a token, with what a server says of other tokens at the last. */
static void add_tokens(const rdv_request *r, rdv_reply *reply, rdv_arena *arena)
{
    rdv_str text = r->kind == RDV_REQUEST_SCORE ? r->text : reply->text;
    if (r->kind == RDV_REQUEST_SCORE && !text.p)
        text = asked(r);
    rdv_token *tokens = RDV_NEW_ARRAY(arena, rdv_token, text.len + 1);
    size_t n = 0, from = 0;
    for (size_t i = 1; i <= text.len; i++) {
        if (i < text.len && text.p[i] != ' ' && text.p[i] != '\n')
            continue;
        tokens[n] = (rdv_token){.text = rdv_slice(text, from, i),
                                .logprob = -(double)(drawn(r, 20 + n) % 64) / 16};
        if (r->kind == RDV_REQUEST_SCORE && n == 0)
            tokens[n].logprob = NAN;
        n++;
        from = i;
    }
    static const rdv_str signs[] = {RDV_STR("+"), RDV_STR("-"), RDV_STR(" +"), RDV_STR("no")};
    rdv_alternative *other = RDV_NEW_ARRAY(arena, rdv_alternative, 3);
    for (size_t i = 0; i < 3; i++)
        other[i] = (rdv_alternative){signs[(drawn(r, 3) + i) % 4], -0.25 - (double)i};
    if (n && drawn(r, 4) % 4) {
        tokens[n - 1].other = other;
        tokens[n - 1].n_other = r->sampling.top_logprobs ? 3 : 0;
    }
    reply->tokens = tokens;
    reply->n_tokens = drawn(r, 5) % 8 ? n : n / 2;
}

static void add_rewards(const rdv_request *r, rdv_reply *reply, rdv_arena *arena)
{
    double *rewards = RDV_NEW_ARRAY(arena, double, r->n_steps + 1);
    for (size_t i = 0; i < r->n_steps; i++)
        rewards[i] = drawn(r, 30 + i) % 12 ? (double)(drawn(r, 50 + i) % 101) / 100 : NAN;
    reply->rewards = rewards;
    reply->n_rewards = drawn(r, 6) % 10 ? r->n_steps : r->n_steps / 2;
}

static rdv_reply reply_of(const rdv_plan *plan, const rdv_request *r, rdv_arena *arena)
{
    rdv_reply reply = {.finish = RDV_FINISH_STOP};
    uint64_t x = drawn(r, 7) % 100;
    if (x < 30)
        assert_int_equal(rdv_plan_dry_reply(plan, r, arena, &reply, NULL), RDV_OK);
    else if (r->n_answers && !r->offered && x < 60) /* what is offered is not taken here */
        reply.text = r->answers[drawn(r, 8) % r->n_answers];
    else if (x < 92)
        reply.text = in_form(r);
    else
        reply.text = rdv_str_of(strange[drawn(r, 9) % (sizeof strange / sizeof *strange)]);
    reply.dry = false;
    if (drawn(r, 10) % 40 == 0)
        reply.finish = RDV_FINISH_LENGTH;
    if (drawn(r, 10) % 40 == 1) {
        reply.finish = RDV_FINISH_OTHER;
        reply.finish_said = RDV_STR("content_filter");
    }
    if (r->sampling.logprobs || r->kind == RDV_REQUEST_SCORE || drawn(r, 11) % 8 == 0)
        add_tokens(r, &reply, arena);
    if (r->kind == RDV_REQUEST_REWARD)
        add_rewards(r, &reply, arena);
    reply.usage = drawn(r, 12) % 5 > 0;
    reply.prompt_tokens = reply.usage ? drawn(r, 13) % 300 : 0;
    reply.completion_tokens = reply.usage ? drawn(r, 14) % 90 : 0;
    if (drawn(r, 15) % 9 == 0)
        reply.adapted = RDV_STR("temperature left out");
    return reply;
}

/* ---- driving --------------------------------------------------------------------------------- */

static void note_request(world *w, const rdv_request *r)
{
    char hex[65];
    rdv_buf b;
    for (size_t i = 0; i < 32; i++)
        snprintf(hex + 2 * i, 3, "%02x", r->key[i]);
    rdv_buf_init(&b, w->arena, 0);
    rdv_buf_printf(&b, "%llu %s of %d: %.*s, %.*s, %.*s, %s", (unsigned long long)r->id,
                   rdv_request_kind_name(r->kind), (int)r->party, RDV_FMT(r->stage),
                   RDV_FMT(r->prompt), RDV_FMT(r->sample), hex);
    rdv_buf_printf(&b, ", %u tokens, %g, %g, %zu answers, %.*s", r->sampling.max_tokens,
                   r->sampling.temperature, r->sampling.top_p, r->offered ? 0 : r->n_answers,
                   RDV_FMT(r->reminder));
    note(w, &w->facts.asked_hash, rdv_buf_str(&b));
    w->facts.asked++;
}

static void answer(world *w, rdv_plan *plan, const rdv_request *r)
{
    rdv_error err = {0};
    uint64_t x = drawn(r, 40) % 30;
    int rc;
    if (x == 0) {
        rdv_failure failure = (rdv_failure)(drawn(r, 41) % (RDV_FAIL_MISSING + 1));
        rc = rdv_plan_fail(plan, r->id, failure, RDV_STR("no\nreply"), &err);
        w->facts.failed++;
    } else {
        rdv_reply reply = reply_of(plan, r, w->arena);
        rc = rdv_plan_reply(plan, r->id, &reply, &err);
    }
    if (rc != RDV_OK)
        fail_msg("seed %llu: %s", (unsigned long long)w->seed, err.msg);
}

static void take_cancelled(world *w, rdv_plan *plan, rdv_request *out, size_t *n)
{
    uint64_t id;
    while (rdv_plan_cancelled(plan, &id) == RDV_OK) {
        w->facts.cancelled++;
        note(w, &w->facts.asked_hash,
             rdv_str_printf(w->arena, "%llu is given up", (unsigned long long)id));
        for (size_t i = 0; i < *n; i++)
            if (out[i].id == id)
                out[i--] = out[--*n];
    }
}

/* As many requests are out at a time as the seed says, and answered in an order that it draws. */
static void drive(world *w, rdv_plan *plan)
{
    rdv_request out[MAX_OUT];
    size_t n = 0, most = 1 + below(w, one_in(w, 3) ? 1 : MAX_OUT);
    size_t close_after = one_in(w, 12) ? below(w, 40) : (size_t)-1;
    rdv_failure failure = (rdv_failure)below(w, RDV_FAIL_MISSING + 1);
    while (!rdv_plan_done(plan)) {
        while (n < most && rdv_plan_next(plan, &out[n], NULL) == RDV_OK)
            note_request(w, &out[n++]);
        if (rdv_plan_done(plan))
            break;
        assert_true(n > 0);
        if (w->facts.asked > close_after) {
            assert_int_equal(rdv_plan_close(plan, failure, NULL), RDV_OK);
            take_cancelled(w, plan, out, &n);
            return;
        }
        size_t i = below(w, n);
        rdv_request r = out[i];
        out[i] = out[--n];
        answer(w, plan, &r);
        take_cancelled(w, plan, out, &n);
    }
}

/* An estimate: every reply is as it is supposed. */
static void drive_dry(world *w, rdv_plan *plan)
{
    rdv_request r;
    rdv_reply reply;
    uint64_t id;
    while (!rdv_plan_done(plan) && rdv_plan_next(plan, &r, NULL) == RDV_OK) {
        note_request(w, &r);
        assert_int_equal(rdv_plan_dry_reply(plan, &r, w->arena, &reply, NULL), RDV_OK);
        assert_int_equal(rdv_plan_reply(plan, r.id, &reply, NULL), RDV_OK);
        while (rdv_plan_cancelled(plan, &id) == RDV_OK)
            w->facts.cancelled++;
    }
}

/* ---- what came of it ------------------------------------------------------------------------- */

static void note_repaired(world *w, const rdv_repaired *r)
{
    rdv_buf b;
    rdv_buf_init(&b, w->arena, 0);
    rdv_buf_printf(&b, "%s, %d, %llu, %llu, %llu, %.*s", rdv_repair_end_name(r->end), r->changed,
                   (unsigned long long)r->calls, (unsigned long long)r->prompt_tokens,
                   (unsigned long long)r->completion_tokens, RDV_FMT(r->why));
    for (size_t i = 0; i < r->n_rounds; i++) {
        const rdv_repair *x = &r->rounds[i];
        rdv_buf_printf(&b, "\n%zu %zu %s %zu %zu %s %g %g %g %.*s %.*s %d %.*s", x->round,
                       x->from_step, rdv_repair_name(x->kind), x->tried, x->different,
                       x->chosen_by ? x->chosen_by : "-", x->logprob, x->confidence_before,
                       x->confidence_after, RDV_FMT(x->answer_before), RDV_FMT(x->answer_after),
                       x->capped, RDV_FMT(x->why));
        for (size_t k = 0; k < x->n_before; k++)
            rdv_buf_printf(&b, "\n  - %.*s", RDV_FMT(x->before[k]));
        for (size_t k = 0; k < x->n_after; k++)
            rdv_buf_printf(&b, "\n  + %.*s", RDV_FMT(x->after[k]));
    }
    note(w, &w->facts.record_hash, rdv_buf_str(&b));
}

/* What commands conclude from a check: acceptance, the label, the labels that it contradicts, and
 * the certificate. */
static void note_conclusions(world *w, const rdv_chain *chain, const rdv_check *check)
{
    rdv_buf b;
    label_conflict *conflicts;
    certificate c = {0};
    size_t n;
    double threshold = w->seed % 3 ? NAN : 0.6;
    acceptance how = acceptance_of_check(check, threshold);
    rdv_label label = decided_label(check, chain);
    rdv_verdict_counts counts = rdv_count_verdicts(check->verdicts, check->n_verdicts);
    assert_int_equal(label_conflicts(chain, check, w->seed % 2, w->arena, &conflicts, &n, NULL),
                     RDV_OK);
    if (certificate_has(check->method))
        assert_int_equal(certificate_of(chain, check, &(rdv_check_options){0}, chain->answer,
                                        w->arena, &c, NULL),
                         RDV_OK);
    rdv_buf_init(&b, w->arena, 0);
    rdv_buf_printf(&b, "%.*s: %s %d %d, label %d %zu, %zu decided, %d, certified %d",
                   RDV_FMT(check->method), acceptance_name(&how),
                   acceptance_decide(&how, counts, check->confidence),
                   acceptance_of_chain(chain, threshold), (int)label.kind, label.step,
                   decided_steps(check), decided_reads_in_full(check), c.certified);
    for (size_t i = 0; i < n; i++)
        rdv_buf_printf(&b, "\n%s at %zu", label_conflict_name(conflicts[i].is), conflicts[i].step);
    for (size_t i = 0; i < c.n_gaps; i++)
        rdv_buf_printf(&b, "\ngap at %zu: %.*s", c.gaps[i].step, RDV_FMT(c.gaps[i].why));
    note(w, &w->facts.record_hash, rdv_buf_str(&b));
}

static void count_verdicts(world *w, const rdv_chain *chain)
{
    for (size_t c = 0; c < chain->n_checks; c++) {
        rdv_verdict_counts n =
            rdv_count_verdicts(chain->checks[c].verdicts, chain->checks[c].n_verdicts);
        w->facts.verdicts[0] += n.contradict;
        w->facts.verdicts[1] += n.unrelated;
        w->facts.verdicts[2] += n.support;
        w->facts.verdicts[3] += n.unknown;
    }
}

static void read_plan(world *w, rdv_plan *plan)
{
    size_t n;
    rdv_str line;
    uint64_t generated, checked;
    const rdv_chain *chains = rdv_plan_chains(plan, &n);
    const rdv_repaired *repaired = rdv_plan_repaired(plan);
    const rdv_result *result = rdv_plan_result(plan);
    rdv_write_options options = {.size = sizeof options, .changed = repaired && repaired->changed};
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(rdv_record_write(&chains[i], &options, w->arena, &line, NULL), RDV_OK);
        note(w, &w->facts.record_hash, line);
        count_verdicts(w, &chains[i]);
        for (size_t c = 0; c < chains[i].n_checks; c++)
            note_conclusions(w, &chains[i], &chains[i].checks[c]);
        w->facts.answer = chains[i].answer;
    }
    if (result) {
        assert_int_equal(rdv_result_write(result, (rdv_str){0}, w->arena, &line, NULL), RDV_OK);
        note(w, &w->facts.record_hash, line);
        w->facts.answer = result->answer;
    }
    if (repaired)
        note_repaired(w, repaired);
    rdv_plan_tokens(plan, &generated, &checked);
    note(w, &w->facts.record_hash,
         rdv_str_printf(w->arena, "%llu and %llu tokens", (unsigned long long)generated,
                        (unsigned long long)checked));
    w->facts.partial = rdv_plan_partial(plan);
}

/* ---- what is drawn --------------------------------------------------------------------------- */

static rdv_chain chains[MAX_CHAINS];
static size_t n_chains;

/* The methods that compute as well: own_tables.h has those that ask. */
static const rdv_method *draw_method(world *w)
{
    static const char *const computing[] = {"calculations", "values", "math", "general"};
    size_t n = 0;
    if (one_in(w, 4))
        return rdv_method_named(rdv_str_of(computing[below(w, 4)]));
    while (rdv_method_at(n))
        n++;
    return one_in(w, 3) ? methods[below(w, n_methods)] : rdv_method_at(below(w, n));
}

static void draw_check(world *w, rdv_check_options *o)
{
    static const double floors[] = {0.01, 0, 0.5}, powers[] = {0, 1, 0.5, 2, -1};
    rdv_check_options_default(o, sizeof *o);
    o->samples = one_in(w, 25) ? 0 : 1 + below(w, 3);
    o->unknown = (rdv_unknown_as)below(w, 3);
    o->math = (rdv_math_by)below(w, 3);
    o->mathematical = (rdv_mathematical)below(w, 3);
    o->perplexity_over = (rdv_perplexity_over)below(w, 2);
    o->power = powers[below(w, one_in(w, 5) ? 5 : 2)];
    if (one_in(w, 4)) {
        o->l1 = (double)below(w, 5) / 2;
        o->l0 = (double)below(w, 4) / 4;
    }
    if (one_in(w, 4))
        o->extent.steps = below(w, 6);
    else if (one_in(w, 4))
        o->extent.share = (double)below(w, 6) / 4;
    if (one_in(w, 3))
        o->verifiers.verifiers = (unsigned)below(w, 16);
    for (size_t i = 0; i < RDV_N_VERIFIERS; i++)
        o->verifiers.weight[i] = one_in(w, 3) ? (double)below(w, 4) : o->verifiers.weight[i];
    o->verifiers.aggregation.kind = (rdv_aggregate_kind)below(w, RDV_N_AGGREGATES);
    o->verifiers.aggregation.floor = floors[below(w, 3)];
    if (one_in(w, 5)) {
        o->recorded[0] = (rdv_recorded_verifier){RDV_STR("people"), (double)below(w, 3)};
        o->recorded[1] = (rdv_recorded_verifier){RDV_STR("calculations"), 1};
        o->n_recorded = 1 + below(w, 2);
        o->verifiers.verifiers = one_in(w, 2) ? 0 : o->verifiers.verifiers;
    }
}

static void draw_options(world *w, rdv_plan_options *o, const rdv_check_options *check,
                         const rdv_method **of)
{
    static const rdv_str types[] = {{0}, {0}, {"physics", 7}, {"", 0}};
    static const rdv_str criteria[] = {{"It answers the question.", 24}, {"It is right.", 12}};
    rdv_plan_options_default(o, sizeof *o);
    o->criteria = criteria;
    o->n_criteria = 2;
    o->n_methods = one_in(w, 4) ? below(w, MAX_METHODS_OF_PLAN) : 1;
    for (size_t i = 0; i < o->n_methods; i++)
        of[i] = draw_method(w);
    o->methods = of;
    o->check = one_in(w, 3) ? NULL : check;
    o->prompts = prompts;
    o->generator = RDV_STR("m");
    o->checker = one_in(w, 3) ? RDV_STR("c") : o->checker;
    o->profile = (rdv_profile)below(w, 2);
    o->temperature = one_in(w, 3) ? (double)below(w, 3) : o->temperature;
    o->seed = below(w, 3);
    o->chains = one_in(w, 30) ? 0 : 1 + below(w, 6);
    o->generate = (rdv_generate_kind)below(w, 3);
    o->max_steps = below(w, 8);
    o->beam_search = one_in(w, 3);
    o->beam_width = 1 + below(w, 3);
    o->expansions = 1 + below(w, 3);
    o->generated_tokens = one_in(w, 4) ? below(w, 600) : 0;
    o->stop = (rdv_stop_kind)below(w, 3);
    o->posterior = one_in(w, 12) ? 2 : 0.05 + (double)below(w, 5) / 10;
    o->select = (rdv_select_kind)below(w, one_in(w, 8) ? 5 : 3);
    o->lookahead = below(w, 5);
    o->lookahead += !one_in(w, 12);
    o->prm_pairs = (rdv_prm_form)below(w, 3);
    o->structured = one_in(w, 3);
    o->prm_threshold = one_in(w, 3) ? (double)below(w, 5) / 4 : o->prm_threshold;
    o->keep_exchanges = one_in(w, 3);
    o->question_type = types[below(w, 4)];
}

static void draw_repair(world *w, rdv_repair_options *o, rdv_locations *among)
{
    rdv_repair_options_default(o, sizeof *o);
    o->locator.kind = (rdv_locator_kind)below(w, 4);
    if (o->locator.kind == RDV_LOCATE_METHOD || one_in(w, 2))
        o->locator = (rdv_locator){.kind = RDV_LOCATE_METHOD, .method = draw_method(w)};
    o->locator.seed = below(w, 5);
    o->locator.accuracy = (double)below(w, 5) / 4;
    o->locator.among = among;
    o->resamples = one_in(w, 20) ? 0 : 1 + below(w, 5);
    o->rounds = 1 + below(w, 3);
    o->choose = (rdv_resample_kind)below(w, 2);
    o->keep = (rdv_keep_kind)below(w, 2);
    o->max_steps = one_in(w, 2) ? below(w, 9) : o->max_steps;
}

static const char *const numbers[] = {
    "0",       "1",          "2",     "12",    "12.0",  "0.5",  "3/4",  "1/0",    "three",
    "a dozen", "1,000",      "15%",   "-4",    "1e3",   "2^3",  "$5",   "twelve", "half",
    "5 km",    "30 minutes", "2:30",  "1st",   "5.",    "(12)", "12-5", "x",      "07",
    "10^-2",   "one",        "twice", "1 1/2", "0.333", "3.14",
};

static const char *const sentences[] = {
    "The sum of 3 and 4 is 8.",
    "That is twice as many.",
    "3 times 4 is 13.",
    "12 divided by 5 is 2 remainder 2.",
    "12 / 5 = 2 R 2.",
    "So x = 7.",
    "Let x be 3, so 2x = 6.",
    "12 is about 12.01.",
    "3 + 4 = 7 = 8.",
    "5 > 7.",
    "Rounded, 2.449 = 2.45.",
    "It is 3 km + 200 m = 3.2 km.",
    "7 of 10 is 70%.",
    "Half of 12 is 6.",
    "Is 3 + 4 = 8?",
    "It is not so that 3 + 4 = 8.",
    "(a) 3 + 4 = 7",
    "Step 2: 12 - 5 = 7.",
    "1. 3 + 4 = 7",
    "60 km/h * 2 h = 120 km.",
    "60 wug/h * 2 h = 120 wug.",
    "The mean of 3, 4 and 5 is 4.",
    "50/0 is undefined.",
    "Each of the 3 gets 4, which makes 12.",
    "In 2020, there were 365 days.",
    "4 * (3 + 5) = 4 * 8 = 32.",
    "17 * 23 = 391 and 391 - 100 = 290.",
    "The total is 12 + 12 = 24, so 24 / 4 = 6.",
    "12 + y = 15, so y = 3.",
    "$\\frac{12}{4} = 3$ and $2 \\times 3 = 5$.",
    "The answer is 12.",
    "So the answer is 7 pens, i.e. 7.",
};

/* The same text, before bytes that are not of it: whoever reads them reads too far. */
static rdv_str guarded(rdv_arena *arena, rdv_str text)
{
    if (!text.p)
        return text;
    return rdv_slice(rdv_str_printf(arena, "%.*s7/km=5) no", RDV_FMT(text)), 0, text.len);
}

/* Another text in place of a number of the step, a sentence behind it or before it, or nothing. */
static rdv_str changed(world *w, rdv_str step)
{
    size_t at = below(w, step.len + 1);
    const char *number = numbers[below(w, sizeof numbers / sizeof *numbers)];
    const char *sentence = sentences[below(w, sizeof sentences / sizeof *sentences)];
    switch (below(w, 4)) {
    case 0:
        return rdv_str_printf(w->arena, "%.*s %s", RDV_FMT(step), sentence);
    case 1:
        return rdv_str_printf(w->arena, "%s %.*s", sentence, RDV_FMT(step));
    default:
        break;
    }
    while (at < step.len && !(step.p[at] >= '0' && step.p[at] <= '9'))
        at++;
    size_t end = at;
    while (end < step.len && step.p[end] >= '0' && step.p[end] <= '9')
        end++;
    return at == end ? step
                     : rdv_str_printf(w->arena, "%.*s%s%.*s", RDV_FMT(rdv_slice(step, 0, at)),
                                      number, RDV_FMT(rdv_slice(step, end, step.len)));
}

/* What a judge said of each step: right, wrong, or nothing. */
static void label_steps(world *w, rdv_chain *chain)
{
    rdv_step_labels *labels = RDV_NEW(w->arena, rdv_step_labels);
    int8_t *is = RDV_NEW_ARRAY(w->arena, int8_t, chain->n_steps);
    for (size_t i = 0; i < chain->n_steps; i++)
        is[i] = (int8_t)below(w, 3) - 1;
    *labels = (rdv_step_labels){RDV_STR("ann"), RDV_STR("correct"), is, chain->n_steps};
    chain->step_labels = labels;
    chain->n_step_labels = 1;
}

/* A chain whose steps, and sometimes its question, answer and labels, are changed. */
static void change(world *w, rdv_chain *chain)
{
    rdv_str *steps = RDV_NEW_ARRAY(w->arena, rdv_str, chain->n_steps);
    for (size_t i = 0; i < chain->n_steps; i++)
        steps[i] = one_in(w, 2) ? chain->steps[i] : guarded(w->arena, changed(w, chain->steps[i]));
    chain->steps = steps;
    chain->logprobs = NULL;
    chain->raw = (rdv_str){0};
    if (one_in(w, 4))
        chain->question.text = changed(w, chain->question.text);
    if (one_in(w, 4) && chain->answer.p)
        chain->answer = changed(w, chain->answer);
    if (one_in(w, 3))
        chain->label.kind = (rdv_label_kind)below(w, 3);
    chain->label.step = chain->label.kind == RDV_LABEL_AT ? below(w, 4) : 0;
    if (one_in(w, 4))
        label_steps(w, chain);
}

/* One or two chains of a question, the second without its last steps. */
static size_t draw_chains(world *w, rdv_chain *of)
{
    of[0] = of[1] = chains[below(w, n_chains)];
    if (one_in(w, 2)) {
        change(w, &of[0]);
        of[1] = of[0];
    }
    if (of[0].n_steps && one_in(w, 3))
        of[0].n_steps -= below(w, of[0].n_steps);
    if (of[1].n_steps)
        of[1].n_steps -= below(w, of[1].n_steps + 1);
    return one_in(w, 4) ? 2 : 1;
}

static int make_plan(world *w, rdv_plan_options *o, rdv_chain *of, size_t n,
                     const rdv_repair_options *repair, rdv_plan **plan, rdv_error *err)
{
    size_t kind = below(w, 5);
    w->facts.work = kind < 2   ? "check"
                    : kind < 4 ? (o->beam_search ? "search" : "solve")
                               : "repair";
    if (kind < 2)
        return rdv_plan_check(of, n, o, plan, err);
    if (kind < 4)
        return rdv_plan_solve(&of[0].question, o, plan, err);
    return rdv_plan_repair(&of[0], o, repair, plan, err);
}

static void name_methods(const rdv_plan_options *o, char *out, size_t size)
{
    size_t at = 0;
    *out = '\0';
    for (size_t i = 0; i < o->n_methods && at < size; i++)
        at += (size_t)snprintf(out + at, size - at, "%s%s", i ? "," : "", o->methods[i]->name);
}

static void write_line(world *w, const rdv_plan_options *o, const rdv_error *err, char *line)
{
    const facts *f = &w->facts;
    char named[200];
    name_methods(o, named, sizeof named);
    if (err->msg[0])
        snprintf(line, LINE_BYTES, "%llu\t%s\t%s\t%.300s\n", (unsigned long long)w->seed, f->work,
                 named, err->msg);
    else
        snprintf(line, LINE_BYTES,
                 "%llu\t%s%s\t%s\t%zu\t%zu\t%zu\t%zu\t%zu\t%zu\t%zu\t%.*s\t%08x\t%08x\n",
                 (unsigned long long)w->seed, f->work, f->partial ? ", partial" : "", named,
                 f->asked, f->failed, f->cancelled, f->verdicts[0], f->verdicts[1], f->verdicts[2],
                 f->verdicts[3], (int)(f->answer.len < 40 ? f->answer.len : 40),
                 f->answer.p ? f->answer.p : "", (unsigned)(f->asked_hash >> 32),
                 (unsigned)(f->record_hash >> 32));
    for (char *at = line; (at = strchr(at, '\n')) && at[1];)
        *at = ' ';
}

static const char head[] = "seed\twork\tmethods\tasked\tfailed\tgiven up\tcontradict\tunrelated\t"
                           "support\tunknown\tanswer\trequests\trecords\n";

static void make_line(uint64_t seed, bool tell, char *line)
{
    world w = {.seed = seed, .arena = rdv_arena_new(0), .tell = tell};
    size_t at[] = {3, 2, 0, 1};
    rdv_locations among = {at, 4, 0, 2};
    const rdv_method *of[MAX_METHODS_OF_PLAN];
    rdv_plan_options o;
    rdv_check_options check;
    rdv_repair_options repair;
    rdv_chain own[2];
    rdv_plan *plan = NULL;
    rdv_error err = {0};
    rdv_rng_seed(&w.rng, seed);
    draw_check(&w, &check);
    draw_options(&w, &o, &check, of);
    draw_repair(&w, &repair, &among);
    size_t n = draw_chains(&w, own);
    o.bound = one_in(&w, 10) ? (rdv_bound)below(&w, 3) : RDV_BOUND_NONE;
    bool dry = o.bound || one_in(&w, 30);
    int rc = make_plan(&w, &o, own, n, &repair, &plan, &err);
    if (rc == RDV_OK && dry)
        drive_dry(&w, plan);
    else if (rc == RDV_OK)
        drive(&w, plan);
    if (rc == RDV_OK)
        read_plan(&w, plan);
    write_line(&w, &o, &err, line);
    rdv_plan_free(&plan);
    rdv_arena_free(&w.arena);
}

/* ---- the file -------------------------------------------------------------------------------- */

static const golden_lines golden = {"plans.tsv", head, 1, PLANS, make_line};

static int read_chains(void **state)
{
    char line[8192];
    FILE *from = golden_open("chains.jsonl", "r");
    read_methods(state);
    while (n_chains < MAX_CHAINS && fgets(line, sizeof line, from)) {
        rdv_record *records;
        rdv_error err = {0};
        size_t n;
        if (rdv_record_read(rdv_str_copy(methods_arena, rdv_str_of(line)), NULL, methods_arena,
                            &records, &n, &err) != RDV_OK)
            fail_msg("chain %zu: %s", n_chains, err.msg);
        rdv_chain *chain = &chains[n_chains++];
        *chain = records[0].chain;
        for (size_t i = 0; i < chain->n_steps; i++)
            chain->steps[i] = guarded(methods_arena, chain->steps[i]);
        chain->question.text = guarded(methods_arena, chain->question.text);
        chain->answer = guarded(methods_arena, chain->answer);
    }
    fclose(from);
    return 0;
}

static void test_plans__are_what_they_were(void **state)
{
    (void)state;
    golden_compare(&golden);
}

int main(int argc, char **argv)
{
    void *none = NULL;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_plans__are_what_they_were, read_chains, free_methods)};
    if (argc == 1)
        return cmocka_run_group_tests(tests, NULL, NULL);
    read_chains(&none);
    int status = golden_answer(&golden, argv[1]);
    free_methods(&none);
    return status;
}
