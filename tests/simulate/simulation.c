/* SPDX-License-Identifier: Apache-2.0 */
/* A world is run until its work is done: sessions of the production driver, one after the other,
 * each ended by a crash, by the user, by a budget, by calls that failed, or by the end of the work.
 * What must hold is stated where it is checked: here, and in network.c for each call. */
#include "simulation.h"

#include "disk.h"
#include "network.h"
#include "work.h"

#include "base/arena.h"
#include "base/str.h"
#include "run/journal/journal.h"
#include "run/run.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>

#define PATH "/simulated/replies.journal"
#define MAX_SESSIONS 400
#define SERVERS_BYTES 256
#define N_FAILURES (RDV_FAIL_MISSING + 1)
#define MAX_LIMITED 10 /* sessions with a budget of tokens, cost or time */

/* A world, its work, and what an undisturbed run makes of it. */
typedef struct simulation {
    world world;
    work work;
    outcome wanted[WORK_PLANS], got[WORK_PLANS];
    uint64_t failed_in_calm[N_FAILURES];
    rdv_run_totals totals;
    rdv_run_end end;
    facts facts;
    size_t next, n_handed_over;
    bool tell;
    bool was_lost; /* the journal was damaged by a loss of power */
} simulation;

/* ---- what reaches people --------------------------------------------------------------------- */

static void hide_nothing(simulation *s, const char *text, const char *where)
{
    if (strstr(text, API_KEY) || strstr(text, &API_KEY[3]))
        world_broken(&s->world, "the API key stands in %s: %.200s", where, text);
}

static void on_notice(void *of, const char *line)
{
    simulation *s = of;
    hide_nothing(s, line, "a notice");
    world_note(&s->world, NOTE_SAID, "%s", line);
}

static void note_totals(simulation *s, const char *when, const rdv_run_totals *t)
{
    const uint64_t all[] = {t->plans_open,
                            t->plans_done,
                            t->answered,
                            t->cached,
                            t->failed,
                            t->in_flight,
                            t->retrying,
                            t->sent,
                            t->retries,
                            t->prompt_tokens,
                            t->completion_tokens,
                            t->cost_microusd,
                            (uint64_t)(t->seconds * 1000 + 0.5),
                            (uint64_t)(t->waits * 1000 + 0.5),
                            t->capacity};
    char line[sizeof all / sizeof *all * 24 + N_FAILURES * 24] = "";
    size_t at = 0;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        at += (size_t)snprintf(line + at, sizeof line - at, " %llu", (unsigned long long)all[i]);
    for (size_t i = 0; i < N_FAILURES; i++)
        at += (size_t)snprintf(line + at, sizeof line - at, " %llu",
                               (unsigned long long)t->failures[i]);
    world_note(&s->world, NOTE_TOTALS, "%s:%s", when, line);
}

static void on_progress(void *of, const rdv_run_totals *totals)
{
    note_totals(of, "progress", totals);
}

/* ---- the plans ------------------------------------------------------------------------------- */

static int next_plan(void *of, rdv_plan **plan, rdv_error *err)
{
    simulation *s = of;
    if (s->next == s->work.n)
        return RDV_NONE;
    return work_plan(&s->work, s->next++, plan, err);
}

static void note_record(simulation *s, const rdv_plan *plan, outcome *got)
{
    /* Of several choices servers tell the tokens of all together. */
    work_read(plan, s->world.set.choices < 2, got);
    world_note(&s->world, NOTE_RECORDS, "%zu%s: %s", s->n_handed_over,
               got->partial ? ", partial" : "", got->record);
}

static int take_plan(void *of, rdv_plan *plan, rdv_error *err)
{
    simulation *s = of;
    (void)err;
    if (s->n_handed_over >= s->work.n)
        world_broken(&s->world, "more plans are handed over than there are");
    else
        note_record(s, plan, &s->got[s->n_handed_over++]);
    rdv_plan_free(&plan);
    return RDV_OK;
}

/* ---- a session ------------------------------------------------------------------------------- */

static void read_servers(const settings *set, rdv_arena *arena, rdv_endpoint *endpoints)
{
    char text[SERVERS_BYTES] = "";
    rdv_str name;
    rdv_model_spec *specs;
    size_t n;
    for (uint32_t i = 0; i < set->servers && i < 3; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%shttp://simulated:%u/v1#m",
                 i ? "," : "", i + 1);
    if (rdv_model_parse_servers(rdv_str_of(text), arena, &name, &specs, &n, NULL) != RDV_OK)
        abort();
    for (size_t i = 0; i < n; i++)
        endpoints[i] = (rdv_endpoint){.spec = specs[i], .api_key = RDV_STR(API_KEY)};
}

/* The checker is another model of the first server, or has a server of its own. */
static void read_checker(const settings *set, rdv_arena *arena, rdv_endpoint *out)
{
    rdv_str name, text = set->checker == 1 ? RDV_STR("http://simulated:1/v1#c")
                                           : RDV_STR("http://checking:4/v1#c");
    rdv_model_spec *spec;
    size_t n;
    *out = (rdv_endpoint){.api_key = RDV_STR(API_KEY)};
    if (set->checker && rdv_model_parse_servers(text, arena, &name, &spec, &n, NULL) != RDV_OK)
        abort();
    if (set->checker)
        out->spec = *spec;
}

static rdv_run_options options_of(simulation *s, rdv_journal *journal, rdv_endpoint *endpoints,
                                  rdv_arena *arena)
{
    const settings *set = &s->world.set;
    rdv_run_options o;
    bool calm = s->world.calm;
    rdv_run_options_default(&o, sizeof o);
    read_servers(set, arena, endpoints);
    o.generator = endpoints[0];
    read_checker(set, arena, &o.checker);
    o.more_generators = endpoints + 1;
    o.n_more_generators = calm || set->servers < 2 ? 0 : (set->servers < 3 ? set->servers : 3) - 1;
    o.journal = journal;
    o.jobs = calm ? 64 : set->jobs;
    o.max_plans = calm ? 0 : set->open;
    o.timeout_ms = 20000;
    o.idle_ms = 5000;
    o.connect_ms = 2000;
    o.retries = calm ? 0 : set->retries;
    o.backoff_ms = 300;
    o.seed = s->world.seed;
    if (!calm) {
        o.rpm = set->rpm;
        o.tpm = set->tpm;
        o.budget = (rdv_budget){set->budget, set->tokens, set->cost, set->seconds};
    }
    o.price_in = 2.5;
    o.price_out = 10;
    o.progress = on_progress;
    o.notice = on_notice;
    o.payload = s;
    o.separate_samples = calm;
    return o;
}

/* Every reply that the calls were charged for is charged once, and every call is counted. */
static void check_account(simulation *s)
{
    world *w = &s->world;
    const rdv_run_totals *t = &s->totals;
    if (t->sent != w->calls)
        world_broken(w, "%llu calls were sent, and the run counts %llu",
                     (unsigned long long)w->calls, (unsigned long long)t->sent);
    bool guessed = w->set.untold || world_counts_first(&w->set);
    if (!guessed && /* what is told is charged */
        (t->prompt_tokens != w->prompt_tokens || t->completion_tokens != w->completion_tokens))
        world_broken(w, "responses said %llu + %llu tokens, and the run was charged %llu + %llu",
                     (unsigned long long)w->prompt_tokens, (unsigned long long)w->completion_tokens,
                     (unsigned long long)t->prompt_tokens,
                     (unsigned long long)t->completion_tokens);
}

/* Servers keep to the limits that requests state, and all of them state one. */
static void check_budget(simulation *s)
{
    world *w = &s->world;
    const rdv_run_totals *t = &s->totals;
    uint64_t tokens = t->prompt_tokens + t->completion_tokens;
    if (w->calm || w->dead)
        return;
    if (w->set.tokens && tokens > w->set.tokens)
        world_broken(w, "%llu tokens were used of a budget of %u", (unsigned long long)tokens,
                     w->set.tokens);
    if (w->set.cost && t->cost_microusd > w->set.cost)
        world_broken(w, "%llu micro-dollars were spent of a budget of %u",
                     (unsigned long long)t->cost_microusd, w->set.cost);
}

static void note_servers(simulation *s, const rdv_run *run)
{
    rdv_server_totals t;
    char found[1024];
    for (size_t i = 0; rdv_run_server_totals(run, i, &t) == RDV_OK; i++) {
        world_note(&s->world, NOTE_TOTALS, "%.*s: %llu %llu %llu %llu %llu %.0f%s%s",
                   RDV_FMT(t.url), (unsigned long long)t.calls, (unsigned long long)t.answered,
                   (unsigned long long)t.failed, (unsigned long long)t.prompt_tokens,
                   (unsigned long long)t.completion_tokens, t.seconds * 1000,
                   t.aside ? " aside" : "", t.left_out ? " left out" : "");
        if (rdv_run_found(run, i, found, sizeof found))
            world_note(&s->world, NOTE_SAID, "%.*s %s", RDV_FMT(t.url), found);
    }
}

static int run_plans(simulation *s, rdv_journal *journal, rdv_error *err)
{
    rdv_endpoint endpoints[3];
    rdv_arena *arena = rdv_arena_new(0);
    rdv_run_options o = options_of(s, journal, endpoints, arena);
    rdv_plan_source source = {next_plan, take_plan, s};
    rdv_run *run = NULL;
    int rc = rdv_run_new(&o, &run, err);
    if (rc == RDV_OK) {
        s->world.run = run;
        s->world.journal = journal;
        rc = rdv_run_plans(run, &source, err);
        s->world.run = NULL;
        s->world.journal = NULL;
        const char *why;
        s->end = rdv_run_ended(run, &why);
        hide_nothing(s, why, "the reason for the end");
        world_note(&s->world, NOTE_SAID, "%s", why);
        rdv_run_totals_now(run, &s->totals);
        note_totals(s, "end", &s->totals);
        note_servers(s, run);
        facts_add(&s->facts, &s->totals, s->end);
        if (s->tell)
            printf("  session %llu: rc %d, %s; %llu calls, %llu from the journal, %llu failed\n",
                   (unsigned long long)s->world.sessions, rc, why,
                   (unsigned long long)s->world.calls, (unsigned long long)s->totals.cached,
                   (unsigned long long)s->totals.failed);
    }
    if (rc == RDV_OK)
        check_account(s);
    if (rc == RDV_OK)
        check_budget(s);
    rdv_run_free(&run);
    rdv_arena_free(&arena);
    return rc;
}

/* What the journal holds as the session begins is not to be asked again. */
static int list_committed(simulation *s, rdv_journal *journal, rdv_error *err)
{
    world *w = &s->world;
    rdv_arena *arena = rdv_arena_new(0);
    int rc = RDV_OK;
    keys_clear(&w->committed);
    for (size_t i = 0; i < w->asked.n && (rc == RDV_OK || rc == RDV_NONE); i++) {
        rdv_reply reply;
        rdv_arena_reset(arena);
        rc = journal_find(journal, w->asked.keys[i], arena, &reply, err);
        if (rc == RDV_OK)
            keys_add(&w->committed, w->asked.keys[i]);
    }
    rdv_arena_free(&arena);
    return rc == RDV_NONE ? RDV_OK : rc;
}

static void begin(simulation *s)
{
    world *w = &s->world;
    work_forget(s->got, s->work.n);
    s->next = s->n_handed_over = 0;
    s->totals = (rdv_run_totals){0};
    s->end = RDV_END_DONE;
    w->waits = w->calls = w->prompt_tokens = w->completion_tokens = 0;
    w->crashed = false;
    w->began = w->now;
    w->sessions++;
    keys_clear(&w->answered);
}

/* Draw what ends this session early, if anything does. */
static void draw_end(world *w)
{
    settings *set = &w->set;
    uint64_t after = 1 + rdv_rng_below(&w->rng, (uint64_t)2 << rdv_rng_below(&w->rng, 9));
    w->stop_at = UINT64_MAX;
    after = set->at ? set->at : after;
    set->at = 0;
    if (set->kills || set->powers) {
        bool power = !set->kills || (set->powers && rdv_rng_below(&w->rng, 2));
        disk_crash_after(after, power);
        (power ? &set->powers : &set->kills)[0]--;
    } else if (set->full) {
        disk_full_after(after, 1 + rdv_rng_below(&w->rng, 30));
        set->full--;
    } else if (set->stops) {
        w->stop_at = w->now + rdv_rng_below(&w->rng, 20000);
        set->stops--;
    }
}

static int session(simulation *s, rdv_error *err)
{
    rdv_journal *journal = NULL;
    begin(s);
    draw_end(&s->world);
    int rc = rdv_journal_open(PATH, RDV_JOURNAL_WRITE, &journal, err);
    if (rc == RDV_OK)
        rc = list_committed(s, journal, err);
    if (rc == RDV_OK)
        rc = run_plans(s, journal, err);
    rdv_journal_close(&journal);
    if (rc != RDV_OK)
        hide_nothing(s, err->msg, "a message");
    return rc;
}

/* ---- what must hold -------------------------------------------------------------------------- */

/* Whether what failed also fails in an undisturbed run. */
static bool failed_as_in_calm(const simulation *s)
{
    for (size_t i = 0; i < N_FAILURES; i++)
        if (s->totals.failures[i] != s->failed_in_calm[i])
            return false;
    return true;
}

static void tell_difference(simulation *s, size_t i)
{
    const char *a = s->wanted[i].record, *b = s->got[i].record;
    size_t at = 0;
    while (a[at] && a[at] == b[at])
        at++;
    size_t from = at > 60 ? at - 60 : 0;
    world_broken(&s->world, "record %zu differs at byte %zu: wanted %.160s and got %.160s", i, at,
                 a + from, b + from);
}

/* A record to which nothing is missing is that of the undisturbed run, byte for byte. */
static void check_records(simulation *s)
{
    for (size_t i = 0; i < s->n_handed_over; i++)
        if (!s->got[i].partial && strcmp(s->got[i].record, s->wanted[i].record) != 0)
            tell_difference(s, i);
}

static void tell_records(const simulation *s)
{
    for (size_t i = 0; s->tell && i < s->n_handed_over; i++)
        if (strcmp(s->got[i].record, s->wanted[i].record) != 0)
            printf("  wanted: %s  got:    %s", s->wanted[i].record, s->got[i].record);
}

static void check_session(simulation *s, int rc, const rdv_error *err, bool *finished)
{
    world *w = &s->world;
    bool whole = failed_as_in_calm(s), held = !w->fault[0];
    *finished = false;
    if (disk_holds(API_KEY, sizeof API_KEY - 1))
        world_broken(w, "the API key stands on the disk");
    for (size_t i = 0; i < s->n_handed_over; i++)
        hide_nothing(s, s->got[i].record, "a record");
    if (rc != RDV_OK)
        return;
    (void)err;
    if (s->n_handed_over < s->work.n && s->end == RDV_END_DONE)
        world_broken(w, "the run is done, and handed over %zu of %zu plans", s->n_handed_over,
                     s->work.n);
    if (whole)
        check_records(s);
    if (held && w->fault[0])
        tell_records(s);
    *finished = whole && s->end == RDV_END_DONE;
}

/* A fault of the journal has a cause in the world; a damaged journal comes from a loss of power
 * only, and only from a disk that says that it synchronised and did not. */
static void check_fault(simulation *s, int rc, const rdv_error *err, bool ended)
{
    world *w = &s->world;
    if (rc == RDV_OK)
        return;
    if (s->tell)
        printf("  fault %d: %s\n", rc, err->msg);
    if (rc == RDV_E_IO && ended)
        return;
    if (rc == RDV_E_INPUT && s->was_lost && w->set.lies) {
        disk_clear(&w->rng, w->set.lies);
        keys_clear(&w->committed);
        return;
    }
    world_broken(w, "the run ended with fault %d: %s", rc, err->msg);
}

/* ---- a world --------------------------------------------------------------------------------- */

/* The undisturbed run, without a journal. */
static void run_calmly(simulation *s)
{
    rdv_error err = {0};
    s->world.calm = true;
    s->world.stop_at = UINT64_MAX;
    begin(s);
    int rc = run_plans(s, NULL, &err);
    if (rc == RDV_OK && s->end == RDV_END_REFUSED && !s->world.set.able) {
        s->world.set.able = 1; /* the work needs more than chat */
        begin(s);
        rc = run_plans(s, NULL, &err);
    }
    if (rc != RDV_OK || s->n_handed_over != s->work.n || s->end != RDV_END_DONE)
        world_broken(&s->world, "the undisturbed run ended with %d (%s)", rc, err.msg);
    memcpy(s->failed_in_calm, s->totals.failures, sizeof s->failed_in_calm);
    memcpy(s->wanted, s->got, sizeof s->wanted);
    memset(s->got, 0, sizeof s->got);
    s->world.calm = false;
}

/* Where every call fails, no check that asks supports anything. */
static void run_dead(simulation *s)
{
    rdv_error err = {0};
    s->world.dead = true;
    begin(s);
    int rc = run_plans(s, NULL, &err);
    s->world.dead = false;
    if (rc != RDV_OK)
        world_broken(&s->world, "the run without an answer ended with %d (%s)", rc, err.msg);
    for (size_t i = 0; i < s->n_handed_over; i++)
        if (s->got[i].supported)
            world_broken(&s->world, "%zu steps of plan %zu are supported, and no call was answered",
                         s->got[i].supported, i);
}

static void run_until_done(simulation *s)
{
    world *w = &s->world;
    bool finished = false;
    for (size_t i = 0; !finished && !w->fault[0]; i++) {
        rdv_error err = {0};
        uint64_t full = w->set.full, power = w->set.powers;
        if (i == MAX_SESSIONS) {
            world_broken(w, "the work is not done after %d sessions", MAX_SESSIONS);
            return;
        }
        if (i == MAX_LIMITED)
            w->set.tokens = w->set.cost = w->set.seconds = 0;
        if (i == MAX_SESSIONS / 2)
            w->left = w->set.budget = 0;
        int rc = session(s, &err);
        w->all_crashes += disk_crashed();
        s->was_lost |= disk_crashed() && power != w->set.powers;
        check_session(s, rc, &err, &finished);
        bool ended = disk_crashed() || full != w->set.full;
        disk_restart();
        check_fault(s, rc, &err, ended);
    }
}

void simulate(uint64_t seed, const settings *set, bool tell, summary *out)
{
    simulation *s = calloc(1, sizeof *s);
    if (!s)
        abort();
    s->tell = s->world.tell = tell;
    s->world.set = *set;
    settings_raise(&s->world.set);
    s->world.seed = seed;
    s->world.left = set->faults;
    rdv_rng_seed(&s->world.rng, seed ^ 0x9e3779b97f4a7c15u);
    disk_clear(&s->world.rng, set->lies);
    network_connect(&s->world);
    work_make(&s->work, &s->world.set);
    run_calmly(s);
    uint64_t undisturbed = s->world.all_calls;
    if (tell)
        printf("undisturbed: %llu calls\n", (unsigned long long)undisturbed);
    run_dead(s);
    run_until_done(s);
    *out = (summary){.calls = s->world.all_calls,
                     .faults = s->world.all_faults,
                     .crashes = s->world.all_crashes,
                     .sessions = s->world.sessions,
                     .changes = disk_changes(),
                     .simulated_ms = s->world.now};
    memcpy(out->fault, s->world.fault, sizeof out->fault);
    out->promise = s->world.promise;
    out->facts = s->facts;
    facts_close(&out->facts, &s->world, s->work.kind);
    disk_clear(&s->world.rng, false);
    work_forget(s->wanted, s->work.n);
    work_forget(s->got, s->work.n);
    work_free(&s->work);
    keys_free(&s->world.committed);
    keys_free(&s->world.answered);
    keys_free(&s->world.asked);
    free(s);
}

/* SQLite and the C library keep some memory of their own, so that the first worlds are not
 * compared. */
void simulate_and_count(uint64_t seed, const settings *set, bool tell, summary *out)
{
    size_t before = mallinfo2().uordblks;
    simulate(seed, set, tell, out);
    size_t after = mallinfo2().uordblks, grown = 0;
    /* What is kept once, for all worlds, is not kept again. */
    for (int i = 0; COUNTS_MEMORY && i < 3 && after > before && !out->fault[0]; i++) {
        summary again;
        before = after;
        simulate(seed, set, false, &again);
        after = mallinfo2().uordblks;
        grown = after > before ? after - before : 0;
    }
    if (grown) {
        out->promise = "memory";
        snprintf(out->fault, sizeof out->fault, "%zu bytes are not freed", grown);
    }
}
