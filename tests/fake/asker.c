/* SPDX-License-Identifier: Apache-2.0 */
/* Drives works that are simpler than plans, for testing the driver alone.
 *
 *   asker WORKS ASKS [NAME=VALUE...]      NAME: url key jobs retries backoff timeout idle journal
 * mode calls tokens cost seconds rpm max_body kind logprobs stop system twice temperature
 * max_tokens cancel
 *
 * Work w asks "work W ask A" for A from 0 on: all but the last at once, then the last, which holds
 * what came before. It prints a line when it is handed back, in the order of works, and a line of
 * totals at the end, so that a test can compare runs. SIGINT stops the run. mode=probe prints what
 * the server can do instead. */
#include "base/arena.h"
#include "base/buf.h"
#include "base/rng.h"
#include "base/str.h"
#include "model/abilities.h"
#include "run/job_source.h"

#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_ASKS 64

static struct settings {
    const char *url, *key, *journal, *mode, *kind;
    unsigned long works, asks, cancel;
    bool logprobs, stop, system, twice;
    rdv_run_options options;
    rdv_sampling sampling;
} settings = {.url = NULL, .mode = "ask", .kind = "chat"};

typedef struct asking {
    size_t number, given, answered; /* asks handed out, and answered */
    char *replies[MAX_ASKS];
    rdv_arena *arena; /* of requests */
    bool closed, cancelled;
    uint64_t to_cancel;
} asking;

static rdv_run *run;
static size_t made, printed;

/* ---- what is asked --------------------------------------------------------------------------- */

static rdv_str question(asking *a, size_t ask)
{
    rdv_buf text;
    rdv_buf_init(&text, a->arena, 0);
    rdv_buf_printf(&text, "work %zu ask %zu", a->number, ask);
    for (size_t i = 0; ask + 1 == settings.asks && i < ask; i++)
        rdv_buf_printf(&text, " after <%s>", a->replies[i] ? a->replies[i] : "nothing");
    return rdv_buf_str(&text);
}

static void add(rdv_request *r, rdv_message *messages, rdv_role role, rdv_str text)
{
    messages[r->n_messages++] = (rdv_message){role, text};
    r->messages = messages;
}

static void shape(asking *a, rdv_request *r, rdv_str text)
{
    rdv_message *messages = RDV_NEW_ARRAY(a->arena, rdv_message, 4);
    if (settings.system)
        add(r, messages, RDV_SYSTEM, RDV_STR("Be brief."));
    if (settings.twice)
        add(r, messages, RDV_USER, RDV_STR("Hello."));
    r->kind = RDV_REQUEST_CHAT;
    if (strcmp(settings.kind, "score") == 0 || strcmp(settings.kind, "continue") == 0) {
        r->kind = settings.kind[0] == 's' ? RDV_REQUEST_SCORE : RDV_REQUEST_CONTINUE;
        r->text = text;
    } else if (strcmp(settings.kind, "prefix") == 0) {
        r->kind = RDV_REQUEST_CONTINUE;
        add(r, messages, RDV_USER, RDV_STR("Go on."));
        add(r, messages, RDV_ASSISTANT, text);
    } else {
        add(r, messages, RDV_USER, text);
    }
}

static int next(void *work, rdv_request *request, rdv_error *err)
{
    asking *a = work;
    bool last = a->given + 1 == settings.asks;
    if (a->closed || a->given == settings.asks || (last && a->answered < a->given))
        return RDV_NONE;
    size_t ask = a->given++;
    rdv_str text = question(a, ask);
    *request = (rdv_request){.id = ask,
                             .model = RDV_STR("fake"),
                             .stage = RDV_STR("test/ask"),
                             .sampling = settings.sampling,
                             .sample = RDV_STR("sample 0")};
    shape(a, request, text);
    /* The key only has to differ where the question does. */
    for (uint64_t i = 0; i < 4; i++) {
        uint64_t h = (text.len + 1) * (i + 1);
        for (size_t j = 0; j < text.len; j++)
            h = (h ^ (unsigned char)text.p[j]) * 0x100000001b3u + i;
        memcpy(request->key + 8 * i, &h, 8);
    }
    if (settings.cancel && ask == 0 && a->number % settings.cancel == 0)
        a->cancelled = true, a->to_cancel = ask;
    return RDV_OK;
}

static int keep(asking *a, uint64_t id, const char *text)
{
    if (a->replies[id])
        return RDV_E_INTERNAL;
    a->replies[id] = strdup(text);
    a->answered++;
    return RDV_OK;
}

static int reply(void *work, uint64_t id, const rdv_reply *r, rdv_error *err)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    rdv_buf_add(&b, r->text);
    if (r->finish == RDV_FINISH_LENGTH)
        rdv_buf_lit(&b, " (cut off)");
    if (r->n_tokens)
        rdv_buf_printf(&b, " [%zu tokens:", r->n_tokens);
    for (size_t i = 0; i < r->n_tokens; i++)
        rdv_buf_printf(&b, " %.*s %.3g", RDV_FMT(r->tokens[i].text), r->tokens[i].logprob);
    if (r->n_tokens)
        rdv_buf_lit(&b, "]");
    if (r->adapted.p)
        rdv_buf_printf(&b, " {%.*s}", RDV_FMT(r->adapted));
    rdv_buf_add_char(&b, '\0');
    int rc = keep(work, id, b.p);
    rdv_arena_free(&arena);
    return rc;
}

static int fail(void *work, uint64_t id, rdv_failure failure, rdv_str why, rdv_error *err)
{
    char text[RDV_ERROR_MAX];
    snprintf(text, sizeof text, "failed: %s: %.*s", rdv_failure_name(failure), RDV_FMT(why));
    return keep(work, id, text);
}

static int cancelled(void *work, uint64_t *id)
{
    asking *a = work;
    if (!a->cancelled || a->answered == 0)
        return RDV_NONE;
    a->cancelled = false;
    *id = a->to_cancel;
    return a->replies[*id] ? RDV_NONE : (keep(a, *id, "cancelled"), RDV_OK);
}

static bool done(const void *work)
{
    const asking *a = work;
    return a->closed || a->answered == settings.asks;
}

static int close_work(void *work, rdv_failure failure, rdv_error *err)
{
    asking *a = work;
    a->closed = true;
    for (size_t i = 0; i < settings.asks; i++)
        if (!a->replies[i])
            fail(work, i, failure, RDV_STR("closed"), err);
    return RDV_OK;
}

static const job_source_ops ops = {next, reply, fail, cancelled, done, close_work};

/* ---- jobs ------------------------------------------------------------------------------------ */

static int next_work(void *payload, void **work, rdv_error *err)
{
    if (made == settings.works)
        return RDV_NONE;
    asking *a = calloc(1, sizeof *a);
    a->arena = rdv_arena_new(0);
    a->number = made++;
    *work = a;
    return RDV_OK;
}

static int work_done(void *payload, void *work, rdv_error *err)
{
    asking *a = work;
    if (a->number != printed++)
        return rdv_fail(err, RDV_E_INTERNAL, "work %zu came out of turn", a->number);
    printf("%zu:", a->number);
    for (size_t i = 0; i < settings.asks; i++) {
        printf(" | %s", a->replies[i] ? a->replies[i] : "none");
        free(a->replies[i]);
    }
    printf("\n");
    rdv_arena_free(&a->arena);
    free(a);
    return RDV_OK;
}

/* ---- the command line ------------------------------------------------------------------------ */

static void set(const char *name, const char *value)
{
    rdv_run_options *o = &settings.options;
    const struct {
        const char *name;
        const char **text;
        uint32_t *number;
        uint64_t *big;
        double *real;
        bool *flag;
        size_t *size;
    } all[] = {{"url", .text = &settings.url},
               {"key", .text = &settings.key},
               {"journal", .text = &settings.journal},
               {"mode", .text = &settings.mode},
               {"kind", .text = &settings.kind},
               {"jobs", .size = &o->jobs},
               {"max_body", .size = &o->max_body},
               {"cancel", .size = &settings.cancel},
               {"retries", .number = &o->retries},
               {"backoff", .number = &o->backoff_ms},
               {"timeout", .number = &o->timeout_ms},
               {"idle", .number = &o->idle_ms},
               {"max_tokens", .number = &settings.sampling.max_tokens},
               {"calls", .big = &o->budget.calls},
               {"tokens", .big = &o->budget.tokens},
               {"cost", .big = &o->budget.cost_microusd},
               {"seconds", .real = &o->budget.seconds},
               {"rpm", .real = &o->rpm},
               {"tpm", .real = &o->tpm},
               {"price", .real = &o->price_out},
               {"temperature", .real = &settings.sampling.temperature},
               {"logprobs", .flag = &settings.sampling.logprobs},
               {"stop", .flag = &settings.stop},
               {"system", .flag = &settings.system},
               {"twice", .flag = &settings.twice}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (strcmp(all[i].name, name) != 0)
            continue;
        if (all[i].text)
            *all[i].text = value;
        if (all[i].number)
            *all[i].number = (uint32_t)strtoul(value, NULL, 10);
        if (all[i].big)
            *all[i].big = strtoull(value, NULL, 10);
        if (all[i].real)
            *all[i].real = strtod(value, NULL);
        if (all[i].flag)
            *all[i].flag = value[0] == '1';
        if (all[i].size)
            *all[i].size = strtoul(value, NULL, 10);
        return;
    }
    fprintf(stderr, "asker: no setting '%s'\n", name);
    exit(2);
}

static void read_arguments(int argc, char **argv)
{
    if (argc < 3)
        exit(2);
    settings.works = strtoul(argv[1], NULL, 10);
    settings.asks = strtoul(argv[2], NULL, 10);
    for (int i = 3; i < argc; i++) {
        char *equals = strchr(argv[i], '=');
        if (!equals)
            exit(2);
        *equals = '\0';
        set(argv[i], equals + 1);
    }
    static const rdv_str stop = {"STOP", 4};
    if (settings.stop) {
        settings.sampling.stop = &stop;
        settings.sampling.n_stop = 1;
    }
}

static int check(int rc, const rdv_error *err)
{
    if (rc < 0) {
        printf("fault: %s\n", err->msg);
        exit(3);
    }
    return rc;
}

static void on_interrupt(int number)
{
    rdv_run_stop(run);
}

static void print_totals(void)
{
    static const char *const ends[] = {"done", "budget", "stopped", "refused", "unreachable"};
    rdv_run_totals t;
    const char *why;
    rdv_run_end end = rdv_run_ended(run, &why);
    rdv_run_totals_now(run, &t);
    printf("end %s: %s\n", ends[end], why);
    printf("answered %" PRIu64 " cached %" PRIu64 " failed %" PRIu64 " sent %" PRIu64
           " retries %" PRIu64 " tokens %" PRIu64 " in_flight %" PRIu64 "\n",
           t.answered, t.cached, t.failed, t.sent, t.retries, t.prompt_tokens + t.completion_tokens,
           t.in_flight);
}

static void print_probe(rdv_arena *arena)
{
    rdv_probe probe;
    rdv_error err = {0};
    const char *name, *meaning;
    rdv_can can;
    check(rdv_run_probe(&settings.options.generator, &settings.options, arena, &probe, &err), &err);
    for (size_t i = 0; i < probe.n_models; i++)
        printf("model %.*s\n", RDV_FMT(probe.models[i]));
    for (size_t i = 0; rdv_abilities_entry(&probe.abilities, i, &name, &meaning, &can) == RDV_OK;
         i++)
        printf("%s %s\n", name, rdv_can_name(can));
    if (probe.why.p)
        printf("why %.*s\n", RDV_FMT(probe.why));
}

int main(int argc, char **argv)
{
    rdv_run_options_default(&settings.options, sizeof settings.options);
    settings.sampling = (rdv_sampling){.temperature = NAN, .top_p = NAN};
    read_arguments(argc, argv);
    rdv_run_options *o = &settings.options;
    rdv_arena *arena = rdv_arena_new(0);
    rdv_error err = {0};
    o->mode = strcmp(settings.mode, "replay") == 0 ? RDV_RUN_REPLAY : RDV_RUN_ASK;
    if (settings.url)
        check(rdv_model_parse(rdv_str_of(settings.url), arena, &o->generator.spec, &err), &err);
    o->generator.api_key = rdv_str_of(settings.key);
    if (strcmp(settings.mode, "probe") == 0) {
        print_probe(arena);
        rdv_arena_free(&arena);
        return 0;
    }
    if (settings.journal)
        check(rdv_journal_open(settings.journal,
                               o->mode == RDV_RUN_ASK ? RDV_JOURNAL_WRITE : RDV_JOURNAL_READ,
                               &o->journal, &err),
              &err);
    check(rdv_run_new(o, &run, &err), &err);
    signal(SIGINT, on_interrupt);
    job_stream jobs = {&ops, next_work, work_done, NULL};
    check(run_job_sources(run, &jobs, &err), &err);
    print_totals();
    rdv_run_free(&run);
    rdv_journal_close(&o->journal);
    rdv_arena_free(&arena);
    return 0;
}
