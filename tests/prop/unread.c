/* SPDX-License-Identifier: Apache-2.0 */
/* The oracle of the first promise: nothing unread, failed or undecided ever counts as support.
 * Every method of the library that asks a model, every method of examples/methods, and tables that
 * use every reader and conclusion which a user may name, under every kind of failed reply, over the
 * wire: no support, no score, no confidence, no "no mistake", no vote. A new method is covered as
 * soon as it stands in the list or the folder, and a change that lets one reply through fails here.
 */
#include "../unit/failure_rows.h"
#include "failed_replies.h"
#include "not_alone.h"
#include "own_tables.h"
#include "provider_failures.h"

#include "base/map.h"
#include "text/think.h"

#include "score/eval.h"
#include <rederive/method.h>
#include <rederive/repair.h>

#define RUN_MEMORY ((size_t)256 << 20)

static const rdv_method *method_of(const char *name)
{
    for (size_t i = 0; i < n_methods; i++)
        if (strcmp(methods[i]->name, name) == 0)
            return methods[i];
    fail_msg("there is no method %s", name);
    return NULL;
}

/* The stage that concludes; NULL: it combines others. */
static const stage *last_stage(const rdv_method *method)
{
    const method_table *t = method_entry_of(method)->table;
    return t ? &t->stages[t->n_stages - 1] : NULL;
}

static bool ends_with(const rdv_method *method, reader_kind reader)
{
    return last_stage(method) && last_stage(method)->read == reader;
}

static rdv_str steps[] = {RDV_STR("12 + 30 = 42."), RDV_STR("12 + 30 = 42, so 42 are left."),
                          RDV_STR("12 + 30 = 42. So the answer is 42.")};

static rdv_chain chain_of(size_t n)
{
    return (rdv_chain){.id = RDV_STR("c"),
                       .question = {.id = RDV_STR("q"),
                                    .text = RDV_STR("There are 12 and 30 pens. How many?"),
                                    .kind = RDV_KIND_NUMBER},
                       .steps = steps,
                       .n_steps = n,
                       .answer = RDV_STR("42"),
                       .correct = -1};
}

static const kind whole = {.name = "whole", .is = SPOILT_REPLY, .failure = NO_FAILURE};
static const kind broken = {.name = "HTTP 500", .is = SPOILT_CALL, .failure = RDV_FAIL_UNREACHABLE};

/* Which kind answers a request. */
typedef struct answering {
    const kind *kind;         /* of all, or of those that do not support */
    bool generation_is_whole; /* what solving and repairing generate is answered as they wish */
    uint64_t seed;            /* 0: `kind` answers all; 1: none; else each request is drawn by it */
    rdv_str but, but_stage;   /* sample and stage of one that fails all the same; p == NULL */
    rdv_abilities can;        /* of the server, before anything was asked */
    size_t held;              /* out: replies that were held to a form which the request offered */
    rdv_request *supported;   /* out: those that were answered whole, borrowed from the plan */
    size_t n_supported, cap_supported;
} answering;

/* ---- a server -------------------------------------------------------------------------------- */

static const kind *kind_for(const answering *a, const rdv_request *r)
{
    bool generates =
        rdv_starts(r->stage, RDV_STR("solve/")) || rdv_starts(r->stage, RDV_STR("repair/"));
    if (a->generation_is_whole && generates)
        return &whole;
    if (!a->seed)
        return a->kind;
    bool same = a->but.p && rdv_str_eq(a->but, r->sample) && rdv_str_eq(a->but_stage, r->stage);
    bool supports = a->seed == 1 || (rdv_hash(r->sample, rdv_hash(r->stage, a->seed)) & 1);
    return supports && !same ? &whole : a->kind;
}

/* As the driver does it: writes the request, reads what came, asks in another way where it can. */
static void exchange(rdv_plan *plan, const rdv_request *r, const kind *k, rdv_abilities *abilities,
                     size_t *held, rdv_arena *arena)
{
    rdv_reply dry, reply;
    rdv_error err = {0};
    wire w;
    assert_int_equal(rdv_plan_dry_reply(plan, r, arena, &dry, NULL), RDV_OK);
    if (k->failure != NO_FAILURE) {
        assert_int_equal(rdv_plan_fail(plan, r->id, (rdv_failure)k->failure, RDV_STR("x"), NULL),
                         RDV_OK);
        return;
    }
    for (;;) {
        int rc = wire_write(r, RDV_STR("m"), abilities, arena, &w, &err);
        if (rc == RDV_NONE) {
            rc = rdv_plan_fail(plan, r->id, RDV_FAIL_UNAVAILABLE, rdv_str_of(err.msg), NULL);
            assert_int_equal(rc, RDV_OK);
            return;
        }
        assert_int_equal(rc, RDV_OK);
        *held += r->offered && (w.uses & ABILITY_BIT(ABILITY_SCHEMA));
        rc = wire_read(&w, r, body_of(k, &w, r, dry.text, arena), arena, &reply, &err);
        if (rc == RDV_OK)
            assert_int_equal(rdv_plan_reply(plan, r->id, &reply, NULL), RDV_OK);
        if (rc == RDV_E_INPUT)
            assert_int_equal(
                rdv_plan_fail(plan, r->id, RDV_FAIL_UNREADABLE, rdv_str_of(err.msg), NULL), RDV_OK);
        if (rc != RDV_NONE)
            return;
        wire_lacks(&w, abilities);
    }
}

static void run(rdv_plan *plan, answering *a)
{
    rdv_abilities abilities = a->can;
    rdv_request r;
    while (!rdv_plan_done(plan)) {
        rdv_arena *arena = rdv_arena_new(RUN_MEMORY);
        int rc = rdv_plan_next(plan, &r, NULL);
        if (rc == RDV_NONE) { /* what was ready needs what is unknown */
            assert_true(rdv_plan_done(plan));
            rdv_arena_free(&arena);
            return;
        }
        assert_int_equal(rc, RDV_OK);
        const kind *k = kind_for(a, &r);
        if (k == &whole && a->supported && a->n_supported < a->cap_supported)
            a->supported[a->n_supported++] = r;
        exchange(plan, &r, k, &abilities, &a->held, arena);
        rdv_arena_free(&arena);
    }
}

/* ---- what must hold -------------------------------------------------------------------------- */

/* What is being tried, for the message. */
typedef struct trial {
    const char *method, *kind, *profile, *what;
} trial;

#define holds(t, condition)                                                                        \
    do {                                                                                           \
        if (!(condition))                                                                          \
            fail_msg("%s, %s, %s (%s): does not hold: " #condition, (t)->method, (t)->kind,        \
                     (t)->profile, (t)->what);                                                     \
    } while (0)

static void nothing_counts(const trial *t, const rdv_chain *chain)
{
    holds(t, chain->n_checks > 0);
    for (size_t c = 0; c < chain->n_checks; c++) {
        const rdv_check *check = &chain->checks[c];
        for (size_t i = 0; i < check->n_verdicts; i++) {
            holds(t, check->verdicts[i].kind == RDV_UNKNOWN);
            holds(t, isnan(check->verdicts[i].score));
            holds(t, check->verdicts[i].why.len > 0);
        }
        holds(t, isnan(check->confidence));
        holds(t, check->n_unknown == check->n_verdicts);
        holds(t, check->first_error == RDV_STEP_UNKNOWN);
        holds(t, rdv_label_by(check).kind == RDV_LABEL_UNKNOWN);
    }
}

/* It casts no weighted vote, and loses to a chain of any confidence. */
static void votes_nothing(const trial *t, const rdv_chain *chain)
{
    rdv_arena *arena = rdv_arena_new(RUN_MEMORY);
    const rdv_ballot ballots[] = {
        {.key = RDV_STR("42"), .weight = chain->checks[chain->n_checks - 1].confidence},
        {.key = RDV_STR("7"), .weight = 0.01}};
    rdv_vote vote;
    for (rdv_select_kind how = RDV_SELECT_WEIGHTED; how <= RDV_SELECT_BEST; how++) {
        assert_int_equal(rdv_vote_decide(how, ballots, 1, arena, &vote, NULL), RDV_OK);
        holds(t, vote.cast == 0 && vote.winner == RDV_NO_ANSWER);
        assert_int_equal(rdv_vote_decide(how, ballots, 2, arena, &vote, NULL), RDV_OK);
        holds(t, vote.winner == 1);
    }
    rdv_arena_free(&arena);
}

static rdv_check_options checking; /* of the latest options_of() */

static rdv_plan_options options_of(const rdv_method *const *method, rdv_profile profile)
{
    static const rdv_str criteria[] = {{"It answers the question.", 24}, {"It is right.", 12}};
    rdv_plan_options o;
    rdv_plan_options_default(&o, sizeof o);
    o.criteria = criteria;
    o.n_criteria = 2;
    rdv_check_options_default(&checking, sizeof checking);
    o.check = &checking;
    o.methods = method;
    o.n_methods = 1;
    o.prompts = prompts;
    o.profile = profile;
    checking.samples = 3;
    return o;
}

/* Is a reply of that kind whole for what the method asks? Scores and single tokens may be cut off;
 * numbers are spoilt only where numbers are asked. */
static bool is_whole_for(const kind *k, const rdv_method *method)
{
    bool likely = ends_with(method, READER_SCORE_LOGPROBS);
    bool signs = ends_with(method, READER_SCORE_SIGN);
    bool rewards = ends_with(method, READER_SCORE_REWARDS);
    if (rewards && k->is == SPOILT_REPLY && !k->in_root && !k->finish && !k->content && !k->index)
        return true;             /* rewards have neither choices nor messages */
    if (k->is == SPOILT_NUMBERS) /* what a server writes behind a scored text is passed over */
        return *k->body == '+' ? !rewards : !likely && !rewards;
    return k->cut_off && (likely || signs || strcmp(method->name, "general") == 0);
}

/* Is what the kind says decided before any reader, so that no profile reads it? */
static bool is_of_the_wire(const kind *k)
{
    return k->is != SPOILT_TEXT || !*k->body || *k->body == ' ' || k->thought || *k->body == '<';
}

static rdv_check checked(const rdv_method *method, size_t n_steps, rdv_profile profile,
                         answering *a, const trial *t)
{
    rdv_plan *plan;
    rdv_plan_options o = options_of(&method, profile);
    const rdv_chain chain = chain_of(n_steps);
    assert_int_equal(rdv_plan_check(&chain, 1, &o, &plan, NULL), RDV_OK);
    run(plan, a);
    size_t n;
    const rdv_chain *out = rdv_plan_chains(plan, &n);
    if (t) {
        nothing_counts(t, out);
        votes_nothing(t, out);
    }
    rdv_check check = out->checks[out->n_checks - 1];
    const stage *last = last_stage(method);
    size_t support = 0, given = last && last->per == PER_LATER_STEP; /* the first step */
    for (size_t i = given; i < check.n_verdicts; i++)
        support += check.verdicts[i].kind == RDV_SUPPORT;
    check.calls = support; /* the verdicts live in the plan */
    check.verdicts = NULL;
    rdv_plan_free(&plan);
    return check;
}

/* ---- the tests ------------------------------------------------------------------------------- */

#define EACH_METHOD(method)                                                                        \
    for (size_t m_ = 0; m_ < n_methods; m_++)                                                      \
        for (const rdv_method *method = methods[m_]; method; method = NULL)

/* Without this the others would hold of a server that nobody understands. */
static void test_whole_replies_support(void **state)
{
    (void)state;
    EACH_METHOD(method)
    {
        for (int profile = RDV_ROBUST; profile <= RDV_PAPER; profile++) {
            answering a = {.kind = &whole};
            rdv_check check = checked(method, 3, (rdv_profile)profile, &a, NULL);
            trial t = {method->name, "whole", profile ? "paper" : "robust", "3 steps"};
            bool weight = ends_with(method, READER_SCORE_LOGPROBS);
            holds(&t, check.confidence > 0.5);
            holds(&t, check.first_error == RDV_NO_STEP);
            holds(&t, weight || check.calls > 0);
        }
    }
}

/* How often a kind was tried: with every method that it fails for, in both profiles. With
 * sanitizers each kind is tried with some of them, and the next with others. */
static size_t supports_nothing(const kind *k)
{
    static size_t turn;
    size_t tried = 0;
    EACH_METHOD(method)
    {
        for (int profile = RDV_ROBUST; profile <= RDV_PAPER; profile++) {
            if (is_whole_for(k, method) || (profile == RDV_PAPER && !is_of_the_wire(k)))
                continue;
            for (size_t n = 1; n <= 3; n += 2) {
                if (!IN_SHARE(turn++))
                    continue;
                trial t = {method->name, k->name, profile ? "paper" : "robust",
                           n == 1 ? "1 step" : "3 steps"};
                answering a = {.kind = k};
                checked(method, n, (rdv_profile)profile, &a, &t);
                tried++;
            }
        }
    }
    return tried;
}

static void test_failed_replies_support_nothing(void **state)
{
    size_t tried = 0;
    (void)state;
    for (size_t k = 0; k < N_KINDS; k++)
        tried += supports_nothing(&kinds[k]);
    print_message("%zu methods, %zu kinds, %zu trials\n", n_methods, N_KINDS, tried);
    assert_true(n_methods >= 17 + 3 + N_OWN && N_KINDS >= 20);
}

/* A row that is added to the table of failures is tried here, without being named. */
static void test_each_row_of_failures_supports_nothing(void **state)
{
    size_t tried = 0, rows = 0;
    (void)state;
    for (size_t i = 0; i < n_failure_rows; i++) {
        if (failure_rows[i].says == SAYS_WHOLE)
            continue;
        rdv_arena *arena = rdv_arena_new(RUN_MEMORY);
        kind failed = kind_of_row(&failure_rows[i], arena);
        tried += supports_nothing(&failed);
        rows++;
        rdv_arena_free(&arena);
    }
    print_message("%zu rows, %zu trials\n", rows, tried);
}

/* Nor does what servers were seen to write. Every row has such a response, which the row alone
 * tells from a whole one: without the row this test fails. */
static void test_what_providers_write_supports_nothing(void **state)
{
    rdv_arena *arena = rdv_arena_new(RUN_MEMORY);
    provider_case *cases;
    size_t n = read_provider_cases(arena, &cases), tried = 0;
    (void)state;
    for (size_t i = 0; i < n; i++) {
        kind k = {.name = cases[i].name, SPOILT_BODY, NO_FAILURE, .body = cases[i].body};
        k.cut_off = cases[i].is_cut_off;
        if (!cases[i].is_whole)
            tried += supports_nothing(&k);
        else
            assert_int_equal(
                checked(method_of("single-stage"), 3, RDV_ROBUST, &(answering){.kind = &k}, NULL)
                    .calls,
                3);
    }
    print_message("%zu responses, %zu trials\n", n, tried);
    for (size_t i = 0; i < n_failure_rows; i++)
        if (failure_rows[i].says != SAYS_WHOLE && !has_provider_case(cases, n, &failure_rows[i]))
            fail_msg("no response of tests/golden/provider-failures.txt has %s %s",
                     failure_rows[i].member, failure_rows[i].value);
    rdv_arena_free(&arena);
}

/* What stands between marks of thinking, behind one that is never closed, or before one that was
 * opened in the prompt, is no reply. A row that is added to the table is tried. */
static void test_each_mark_of_thinking_supports_nothing(void **state)
{
    size_t tried = 0;
    (void)state;
    for (size_t i = 0; think_row(i, false).p || think_row(i, true).p; i++) {
        rdv_str open = think_row(i, false), close = think_row(i, true);
        rdv_arena *arena = rdv_arena_new(RUN_MEMORY);
        const struct {
            rdv_str before, behind;
            bool is;
        } forms[] = {{open, close, close.p != NULL},
                     {open, RDV_STR(""), true},
                     {RDV_STR(""), close, close.p && !think_closes_within(i)}};
        for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
            kind k = {.name = rdv_cstring(arena, open), SPOILT_TEXT, NO_FAILURE, .thought = true};
            k.body =
                rdv_cstring(arena, rdv_str_printf(arena, "%.*s%%%.*s", RDV_FMT(forms[f].before),
                                                  RDV_FMT(forms[f].behind)));
            tried += forms[f].is ? supports_nothing(&k) : 0;
        }
        rdv_arena_free(&arena);
    }
    print_message("%zu trials\n", tried);
}

/* Methods whose conclusion has a few words: a server that takes a schema is asked to hold to it. */
static const char *const concluding[] = {"selfcheck",
                                         "global",
                                         "single-stage",
                                         "error-check",
                                         "error-check-1shot",
                                         "relevance",
                                         "direct-trace",
                                         "direct-trace-0shot",
                                         "direct-step",
                                         "cot-step",
                                         "direct-step-0shot",
                                         "cot-step-0shot",
                                         "prm:generative-critic"};

/* What a server answers that takes the schema and does not keep to it. */
static void test_a_form_that_is_not_kept_to_supports_nothing(void **state)
{
    static const char *const texts[] = {
        "{\"answer\":\"maybe\"}",
        "{\"reasoning\":%,\"answer\":\"\"}",
        "{\"reasoning\":%}",
        "{\"reasoning\":%,\"answer\":null}",
        "{\"reasoning\":%,\"answer\":[%]}",
        "{\"answer\":\"no answer\",\"answer\":%}",
        "{\"Answer\":%}",
        "{\"answer\":%",
        "[{\"answer\":%}]",
        "[%]",
        "{}",
    };
    size_t tried = 0;
    (void)state;
    for (size_t m = 0; m < sizeof concluding / sizeof *concluding; m++) {
        const rdv_method *method = method_of(concluding[m]);
        for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
            kind k = {.name = texts[i], SPOILT_TEXT, NO_FAILURE, .body = texts[i], .quoted = true};
            answering a = {.kind = &k, .can.schema = RDV_CAN};
            trial t = {method->name, k.name, "robust", "held to a schema"};
            holds(&t, checked(method, 3, RDV_ROBUST, &a, NULL).calls == 0);
            /* stages before the last hold their replies to nothing, and what they read of these
             * texts may be nothing */
            holds(&t, a.held > 0 || strcmp(concluding[m], "selfcheck") == 0 ||
                          strncmp(concluding[m], "error-check", 11) == 0);
            tried++;
        }
    }
    print_message("%zu trials\n", tried);
}

/* One that keeps to it is read, and free text that endorses is read as before. */
static void test_a_form_that_is_kept_to_is_read(void **state)
{
    (void)state;
    for (size_t m = 0; m < sizeof concluding / sizeof *concluding; m++) {
        const rdv_method *method = method_of(concluding[m]);
        for (int free_text = 0; free_text < 2; free_text++) {
            const kind k = {
                .name = "whole", .is = SPOILT_REPLY, .failure = NO_FAILURE, .keeps = !free_text};
            answering a = {.kind = &k, .can.schema = RDV_CAN};
            rdv_check check = checked(method, 3, RDV_ROBUST, &a, NULL);
            trial t = {method->name, free_text ? "free text" : "kept to", "robust", "3 steps"};
            holds(&t, a.held > 0);
            holds(&t, check.confidence > 0.5 && check.first_error == RDV_NO_STEP);
        }
    }
}

/* Nothing is offered in the profile of the paper, or where the user says so; and what is offered is
 * no part of what is asked. */
static void test_what_is_offered_and_to_whom(void **state)
{
    (void)state;
    for (size_t m = 0; m < sizeof concluding / sizeof *concluding; m++) {
        const rdv_method *method = method_of(concluding[m]);
        const rdv_chain chain = chain_of(1);
        unsigned char keys[3][32];
        for (int way = 0; way < 3;
             way++) { /* as by default, without an offer, in the paper's profile */
            rdv_plan_options o = options_of(&method, way == 2 ? RDV_PAPER : RDV_ROBUST);
            rdv_request r;
            rdv_plan *plan;
            o.no_structured = way == 1;
            assert_int_equal(rdv_plan_check(&chain, 1, &o, &plan, NULL), RDV_OK);
            assert_int_equal(rdv_plan_next(plan, &r, NULL), RDV_OK);
            memcpy(keys[way], r.key, sizeof r.key);
            assert_true(way == 0 || !r.offered);
            rdv_plan_free(&plan);
        }
        assert_memory_equal(keys[0], keys[1], sizeof keys[0]);
        assert_memory_equal(keys[0], keys[2], sizeof keys[0]);
    }
}

/* A denial may contradict, or count as neither, and must not support. */
static void test_denials_support_nothing(void **state)
{
    (void)state;
    EACH_METHOD(method)
    {
        for (size_t k = 0; k < N_DENIALS; k++) {
            trial t = {method->name, denials[k].name, "robust", "denied"};
            answering a = {.kind = &denials[k]};
            rdv_check check = checked(method, 3, RDV_ROBUST, &a, NULL);
            holds(&t, check.calls == 0 && !(check.confidence >= 1));
        }
    }
}

/* What a word or a number may stand in, where the reader asks for it alone. */
static void test_words_and_numbers_stand_alone(void **state)
{
    size_t tried = 0;
    (void)state;
    EACH_METHOD(method)
    {
        bool words = ends_with(method, READER_CHOICE), number = ends_with(method, READER_NUMBER);
        rdv_arena *arena = rdv_arena_new(RUN_MEMORY);
        for (size_t k = 0; (words || number) && k < n_not_alone(words); k++) {
            rdv_str text = not_alone(last_stage(method), k, arena);
            kind failed = TEXT("not alone", rdv_cstring(arena, text));
            trial t = {method->name, failed.body, "robust", "not alone"};
            for (int profile = RDV_ROBUST; profile <= RDV_PAPER; profile++) {
                answering a = {.kind = &failed};
                checked(method, 3, (rdv_profile)profile, &a, &t);
                tried++;
            }
        }
        rdv_arena_free(&arena);
    }
    print_message("%zu trials\n", tried);
    assert_true(tried > 300);
}

/* In the paper what is not listed wrong is satisfied; where there is no calculation, in both. */
static void test_an_empty_list_is_satisfied_without_a_calculation(void **state)
{
    static const kind empty = TEXT("an empty list", "[]");
    const rdv_method *math = rdv_method_named(RDV_STR("math"));
    rdv_str kept = steps[0];
    (void)state;
    answering a = {.kind = &empty};
    assert_int_equal(checked(math, 1, RDV_ROBUST, &a, NULL).calls, 0);
    assert_int_equal(checked(math, 1, RDV_PAPER, &a, NULL).calls, 1);
    steps[0] = RDV_STR("Let us begin.");
    assert_int_equal(checked(math, 1, RDV_ROBUST, &a, NULL).calls, 1);
    steps[0] = kept;
}

/* One reply that supports among failed ones gives less than replies that all support. */
static void test_a_failed_reply_never_raises_a_confidence(void **state)
{
    (void)state;
    EACH_METHOD(method)
    {
        for (uint64_t seed = 1; seed <= 4; seed++) {
            rdv_request supported[200];
            answering a = {
                .kind = &broken, .seed = seed, .supported = supported, .cap_supported = 200};
            rdv_plan *plan;
            rdv_plan_options o = options_of(&method, RDV_ROBUST);
            const rdv_chain chain = chain_of(3);
            size_t n;
            assert_int_equal(rdv_plan_check(&chain, 1, &o, &plan, NULL), RDV_OK);
            run(plan, &a);
            const rdv_chain *out = rdv_plan_chains(plan, &n);
            double before = out->checks[out->n_checks - 1].confidence;
            for (size_t i = 0; i < a.n_supported; i++) {
                answering less = {.kind = &broken,
                                  .seed = seed,
                                  .but = supported[i].sample,
                                  .but_stage = supported[i].stage};
                trial t = {method->name, "one more failed", "robust", "3 steps"};
                double after = checked(method, 3, RDV_ROBUST, &less, NULL).confidence;
                holds(&t, isnan(after) || after <= before + 1e-12);
            }
            rdv_plan_free(&plan);
        }
    }
}

/* A verifier of steps supports less with each reply that failed: neither its verdicts nor its mean
 * pass one over. */
static void check_one_failed(const rdv_method *method, size_t samples)
{
    rdv_request all[200];
    answering every = {.kind = &broken, .seed = 1, .supported = all, .cap_supported = 200};
    rdv_plan *plan;
    rdv_plan_options o = options_of(&method, RDV_ROBUST);
    const rdv_chain chain = chain_of(3);
    size_t n;
    checking.samples = samples;
    assert_int_equal(rdv_plan_check(&chain, 1, &o, &plan, NULL), RDV_OK);
    run(plan, &every);
    const rdv_chain *out = rdv_plan_chains(plan, &n);
    const rdv_check *best = &out->checks[out->n_checks - 1];
    size_t supports = rdv_count_verdicts(best->verdicts, best->n_verdicts).support;
    trial t = {method->name, "one failed", "robust", samples == 1 ? "1 sample" : "3 samples"};
    holds(&t, every.n_supported > 0 && supports > 0);
    for (size_t i = 0; i < every.n_supported; i++) {
        rdv_plan *less;
        answering but = {
            .kind = &broken, .seed = 1, .but = all[i].sample, .but_stage = all[i].stage};
        assert_int_equal(rdv_plan_check(&chain, 1, &o, &less, NULL), RDV_OK);
        run(less, &but);
        const rdv_chain *left = rdv_plan_chains(less, &n);
        const rdv_check *check = &left->checks[left->n_checks - 1];
        rdv_verdict_counts counts = rdv_count_verdicts(check->verdicts, check->n_verdicts);
        holds(&t, isnan(check->confidence) || check->confidence < best->confidence);
        bool condition = all[i].kind != RDV_REQUEST_SCORE; /* a perplexity is a weight */
        holds(&t, samples > 1 || !condition || counts.support < supports);
        rdv_plan_free(&less);
    }
    rdv_plan_free(&plan);
}

static void test_each_failed_reply_weighs(void **state)
{
    static const char *const verifiers[] = {"relevance", "math",      "consistency", "general",
                                            "own:mean",  "own:later", "own:claims"};
    (void)state;
    for (size_t i = 0; i < sizeof verifiers / sizeof *verifiers; i++) {
        const rdv_method *method = method_of(verifiers[i]);
        check_one_failed(method, 1);
        check_one_failed(method, 3);
    }
}

/* ---- solving and repairing ------------------------------------------------------------------- */

static void check_solved(const rdv_method *const *method, const kind *k, bool generation_is_whole,
                         bool online, rdv_generate_kind generate)
{
    const rdv_chain chain = chain_of(3);
    rdv_plan_options o = options_of(method, RDV_ROBUST);
    rdv_plan *plan;
    o.chains = 2;
    o.beam_search = online;
    o.generate = generate;
    o.beam_width = o.expansions = 1;
    o.max_steps = 3;
    o.n_methods = method != NULL;
    assert_int_equal(rdv_plan_solve(&chain.question, &o, &plan, NULL), RDV_OK);
    answering a = {.kind = k, .generation_is_whole = generation_is_whole};
    run(plan, &a);
    trial t = {method ? (*method)->name : "no method", k->name, "robust",
               online ? "online" : "solve"};
    holds(&t, !rdv_plan_result(plan)->answer.p);
    rdv_plan_free(&plan);
}

/* Nothing that was generated unread is an answer; nothing that was checked unread casts a vote. */
static void test_failed_replies_solve_nothing(void **state)
{
    size_t turn = 0;
    (void)state;
    for (size_t k = 0; k < N_KINDS; k++) {
        if (kinds[k].is == SPOILT_NUMBERS)
            continue;
        if (is_of_the_wire(&kinds[k])) {
            for (int g = RDV_GENERATE_STEPS; g <= RDV_GENERATE_ZERO_SHOT; g++)
                check_solved(NULL, &kinds[k], false, false, (rdv_generate_kind)g);
            check_solved(NULL, &kinds[k], false, true, RDV_GENERATE_STEPS);
        }
        EACH_METHOD(method)
        {
            if (!IN_SHARE(turn++) || is_whole_for(&kinds[k], method) ||
                ends_with(method, READER_SCORE_LOGPROBS)) /* `unrelated` at its best */
                continue;
            check_solved(&method, &kinds[k], true, false, RDV_GENERATE_STEPS);
            check_solved(&method, &kinds[k], true, true, RDV_GENERATE_STEPS);
        }
    }
}

/* A check of which not all was read does not say that there is no mistake, and changes nothing. */
static void test_failed_replies_repair_nothing(void **state)
{
    const rdv_chain chain = chain_of(3);
    size_t turn = 0;
    (void)state;
    EACH_METHOD(method)
    {
        for (size_t k = 0; k < N_KINDS; k++) {
            rdv_plan_options o = options_of(&method, RDV_ROBUST);
            rdv_repair_options how;
            rdv_plan *plan;
            trial t = {method->name, kinds[k].name, "robust", "repair"};
            size_t n;
            if (!IN_SHARE(turn++) || is_whole_for(&kinds[k], method))
                continue;
            rdv_repair_options_default(&how, sizeof how);
            how.locator.kind = RDV_LOCATE_METHOD;
            how.locator.method = method;
            assert_int_equal(rdv_plan_repair(&chain, &o, &how, &plan, NULL), RDV_OK);
            answering a = {.kind = &kinds[k], .generation_is_whole = true};
            run(plan, &a);
            const rdv_repaired *repaired = rdv_plan_repaired(plan);
            const rdv_chain *out = rdv_plan_chains(plan, &n);
            holds(&t, repaired->end == RDV_REPAIR_UNLOCATED && repaired->why.len > 0);
            holds(&t, !repaired->changed && out->n_steps == 3 && out->steps == steps);
            rdv_plan_free(&plan);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whole_replies_support),
        cmocka_unit_test(test_failed_replies_support_nothing),
        cmocka_unit_test(test_each_row_of_failures_supports_nothing),
        cmocka_unit_test(test_what_providers_write_supports_nothing),
        cmocka_unit_test(test_each_mark_of_thinking_supports_nothing),
        cmocka_unit_test(test_a_form_that_is_not_kept_to_supports_nothing),
        cmocka_unit_test(test_a_form_that_is_kept_to_is_read),
        cmocka_unit_test(test_what_is_offered_and_to_whom),
        cmocka_unit_test(test_denials_support_nothing),
        cmocka_unit_test(test_words_and_numbers_stand_alone),
        cmocka_unit_test(test_an_empty_list_is_satisfied_without_a_calculation),
        cmocka_unit_test(test_a_failed_reply_never_raises_a_confidence),
        cmocka_unit_test(test_each_failed_reply_weighs),
        cmocka_unit_test(test_failed_replies_solve_nothing),
        cmocka_unit_test(test_failed_replies_repair_nothing),
    };
    return cmocka_run_group_tests(tests, read_methods, free_methods);
}
