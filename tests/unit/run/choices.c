/* SPDX-License-Identifier: Apache-2.0 */
/* Calls that ask for several choices: requests that differ in their samples alone share one. */
#include "driven.h"

#include "base/buf.h"
#include "base/str.h"
#include "plan/request.h"
#include "run/journal/journal.h"

#include <stdio.h>
#include <stdlib.h>

#define SAMPLES 5

/* A server that takes `n`: how it answers, and what it was asked. */
typedef struct giver {
    size_t most;  /* choices that it gives at most */
    bool refuses; /* more of them are refused */
    long status;  /* of the call number `bad`; 0: none is bad */
    size_t bad;
    size_t gap,
        filtered; /* the choice that is no reply, and the one that a filter ended; 0: none */
    size_t asked[NETWORK_CALLS];
    rdv_arena *arena;
} giver;

static size_t wanted(const http_exchange *x)
{
    rdv_str n = RDV_STR("{\"n\":");
    return rdv_starts(x->body, n) ? (size_t)strtoul(x->body.p + n.len, NULL, 10) : 1;
}

/* Choice k of call c says "reply c.k". */
static void write_choice(rdv_buf *b, const giver *g, size_t call, size_t i, size_t n)
{
    bool filtered = g->filtered && i == g->filtered, gap = n > 1 && g->gap && i == g->gap;
    rdv_buf_printf(b, "%s{\"index\":%zu", i ? "," : "", i);
    if (!gap)
        rdv_buf_printf(b, ",\"message\":{\"content\":\"reply %zu.%zu\"},\"finish_reason\":\"%s\"",
                       call, i, filtered ? "content_filter" : "stop");
    rdv_buf_add_char(b, '}');
}

static response give(void *of, size_t call, const http_exchange *x)
{
    giver *g = of;
    size_t n = g->asked[call] = wanted(x);
    rdv_buf b;
    if (g->status && call == g->bad)
        return (response){.status = g->status, .body = "{}"};
    if (n > g->most && g->refuses)
        return (response){.status = 400, .body = "{\"error\":{\"message\":\"no\"}}"};
    n = n < g->most ? n : g->most;
    rdv_buf_init(&b, g->arena, 0);
    rdv_buf_lit(&b, "{\"choices\":[");
    for (size_t i = 0; i < n; i++)
        write_choice(&b, g, call, i, n);
    rdv_buf_printf(&b, "],\"usage\":{\"prompt_tokens\":20,\"completion_tokens\":%zu}}", 7 * n);
    rdv_buf_add_char(&b, '\0');
    return (response){.body = rdv_buf_str(&b).p};
}

static void ask_sample(job *j, const char *question, const char *sample)
{
    ask(j, question);
    rdv_request *r = &j->requests[j->n - 1];
    r->sample = rdv_str_of(sample);
    r->sampling.max_tokens = 30;
    request_key(r);
}

static void ask_samples(world *w, const char *question)
{
    static const char *const samples[SAMPLES] = {"sample 0", "sample 1", "sample 2", "sample 3",
                                                 "sample 4"};
    for (size_t i = 0; i < SAMPLES; i++)
        ask_sample(&w->jobs[0], question, samples[i]);
}

static void run_with(world *w, giver *g)
{
    w->network.respond = give;
    w->network.of = g;
    w->options.jobs = 1;
    g->arena = w->arena;
    assert_int_equal(drive(w, NULL), RDV_OK);
}

/* The choices that each call asked for, "2 5": the first is the survey's. */
static void assert_asked(const world *w, const giver *g, const char *choices)
{
    char line[256] = "";
    for (size_t i = 0; i < w->network.n_calls; i++)
        snprintf(line + strlen(line), sizeof line - strlen(line), "%s%zu", i ? " " : "",
                 g->asked[i]);
    assert_string_equal(line, choices);
    assert_int_equal(w->totals.sent, w->network.n_calls);
}

static void test_equal_prompts__are_one_call(void **state)
{
    world *w = *state;
    giver g = {.most = 9};
    ask_samples(w, "a");
    ask_samples(w, "b");
    run_with(w, &g);
    assert_asked(w, &g, "2 5 5");
    assert_reply(w, 0, "reply 1.0");
    assert_reply(w, 4, "reply 1.4");
    assert_reply(w, 5, "reply 2.0");
    assert_int_equal(w->totals.answered, 2 * SAMPLES);
    assert_int_equal(w->totals.prompt_tokens, 3 * 20);
    assert_int_equal(w->totals.completion_tokens, 7 * (2 + 2 * SAMPLES));
}

static void test_only_equal_draws_share(void **state)
{
    world *w = *state;
    giver g = {.most = 9};
    ask_samples(w, "a");
    w->jobs[0].requests[1].sampling.temperature = 0.7; /* another distribution */
    w->jobs[0].requests[2].sampling.temperature = 0.7;
    w->jobs[0].requests[3].sampling.temperature = 0; /* the same reply again */
    w->jobs[0].requests[4].sampling.temperature = 0;
    for (size_t i = 0; i < SAMPLES; i++)
        request_key(&w->jobs[0].requests[i]);
    run_with(w, &g);
    assert_asked(w, &g, "1 2 2 1 1");
}

static void test_separate_samples(void **state)
{
    world *w = *state;
    giver g = {.most = 9};
    w->options.separate_samples = true;
    ask_samples(w, "a");
    run_with(w, &g);
    assert_asked(w, &g, "1 1 1 1 1");
}

static void test_server_that_passes_over_it(void **state)
{
    world *w = *state;
    giver g = {.most = 1};
    ask_samples(w, "a");
    run_with(w, &g);
    assert_asked(w, &g, "2 1 1 1 1 1");
}

/* Those that it does not give are asked alone, and no further call asks for more than it gave. */
static void test_server_that_gives_fewer(void **state)
{
    world *w = *state;
    giver g = {.most = 3};
    ask_samples(w, "a");
    ask_samples(w, "b");
    run_with(w, &g);
    assert_asked(w, &g, "2 5 1 1 3 2");
    assert_reply(w, 2, "reply 1.2");
    assert_int_equal(w->totals.answered, 2 * SAMPLES);
}

/* What is refused together is asked alone, and then fewer together. */
static void test_server_that_refuses_more(void **state)
{
    world *w = *state;
    giver g = {.most = 3, .refuses = true};
    ask_samples(w, "a");
    ask_samples(w, "b");
    run_with(w, &g);
    assert_asked(w, &g, "2 5 1 1 1 1 1 2 2 1");
    assert_int_equal(w->totals.answered, 2 * SAMPLES);
    assert_int_equal(w->totals.failed, 0);
}

static void test_choice_that_failed__fails_its_sample_alone(void **state)
{
    world *w = *state;
    giver g = {.most = 9, .filtered = 2};
    add_journal(w);
    ask_samples(w, "a");
    run_with(w, &g);
    assert_asked(w, &g, "2 5");
    for (size_t i = 0; i < SAMPLES; i++) {
        rdv_reply reply;
        assert_int_equal(
            journal_find(w->options.journal, w->jobs[0].requests[i].key, w->arena, &reply, NULL),
            RDV_OK);
        assert_int_equal(reply.finish, i == 2 ? RDV_FINISH_OTHER : RDV_FINISH_STOP);
        assert_int_equal(reply.prompt_tokens, 4); /* each has its share */
        assert_in_range(reply.completion_tokens, 7, 7);
    }
}

static void test_choice_that_is_no_reply__is_asked_alone(void **state)
{
    world *w = *state;
    giver g = {.most = 9, .gap = 2};
    ask_samples(w, "a");
    run_with(w, &g);
    assert_asked(w, &g, "2 5 1");
    assert_reply(w, 1, "reply 1.1");
    assert_reply(w, 2, "reply 2.0");
    assert_reply(w, 3, "reply 1.3");
}

/* A call that was only too early is sent again as it is; one that failed is taken apart. */
static void test_faults(void **state)
{
    static const struct {
        long status;
        const char *asked;
    } cases[] = {{429, "2 5 5"}, {500, "2 5 1 1 1 1 1"}, {200, "2 5 1 1 1 1 1"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        world *w = *state;
        giver g = {.most = 9, .status = cases[i].status, .bad = 1};
        start_again(w);
        ask_samples(w, "a");
        run_with(w, &g);
        assert_asked(w, &g, cases[i].asked);
        assert_int_equal(w->totals.answered, SAMPLES);
    }
}

/* The most of five choices does not fit, so fewer are asked for. */
static void test_budget__holds(void **state)
{
    world *w = *state;
    giver g = {.most = 9};
    w->options.budget.tokens = 260;
    ask_samples(w, "a");
    run_with(w, &g);
    assert_int_equal(w->end, RDV_END_DONE);
    assert_in_range(w->totals.prompt_tokens + w->totals.completion_tokens, 1, 260);
    assert_true(g.asked[1] > 1 && g.asked[1] < SAMPLES);
}

/* What the journal has is not asked again, and the rest is asked together. */
static void test_journal__has_some(void **state)
{
    world *w = *state;
    giver g = {.most = 2, .status = 0};
    add_journal(w);
    w->options.budget.calls = 2;
    ask_samples(w, "a");
    run_with(w, &g);
    assert_asked(w, &g, "2 5");
    assert_int_equal(w->totals.answered, 2);
    start_again(w);
    w->options.budget.calls = 0;
    g = (giver){.most = 9};
    ask_samples(w, "a");
    run_with(w, &g);
    assert_asked(w, &g, "2 3");
    assert_int_equal(w->totals.cached, 2);
    assert_reply(w, 1, "reply 1.1");
}

/* Samples that are not needed any more are left out of what is told, and the run ends. */
static void test_cancelled__while_the_call_is_out(void **state)
{
    world *w = *state;
    giver g = {.most = 9};
    w->jobs[0].first_is_enough = true;
    ask_samples(w, "a");
    run_with(w, &g);
    assert_int_equal(w->jobs[0].n_told, 1);
    assert_asked(w, &g, "2 5");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_equal_prompts__are_one_call),
        TEST(test_only_equal_draws_share),
        TEST(test_separate_samples),
        TEST(test_server_that_passes_over_it),
        TEST(test_server_that_gives_fewer),
        TEST(test_server_that_refuses_more),
        TEST(test_choice_that_failed__fails_its_sample_alone),
        TEST(test_choice_that_is_no_reply__is_asked_alone),
        TEST(test_faults),
        TEST(test_budget__holds),
        TEST(test_journal__has_some),
        TEST(test_cancelled__while_the_call_is_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
