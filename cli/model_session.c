/* SPDX-License-Identifier: Apache-2.0 */
#include "model_session.h"
#include "batch_round.h"
#include "builtin.h"
#include "host.h"
#include "usage.h"

#include "base/arena.h"
#include "base/json.h"
#include "base/str.h"
#include "judge/asked_record.h"
#include "run/journal/batch.h"
#include "run/journal/lines.h"
#include "run/run.h"

#include <errno.h>
#include <inttypes.h>
#include <sys/resource.h>
#include <unistd.h>

#define FOUND_LINE 512  /* bytes */
#define OTHER_FILES 100 /* open ones that are no connections */
#define HOST_PROGRESS_MS 200

/* ---- beginning ------------------------------------------------------------------------------- */

static bool is_builtin(const rdv_endpoint *endpoint)
{
    return endpoint->spec.kind == RDV_MODEL_BUILTIN;
}

static int open_model(rdv_builtin *model, rdv_endpoint *endpoint, rdv_arena *arena, rdv_error *err)
{
    int code = builtin_open(model, &endpoint->spec, arena, err);
    endpoint->builtin = code == RDV_OK ? model : NULL;
    return code;
}

/* Without --checker, generator and checker are one model, with one thread. */
static bool is_same_model(const rdv_model_spec *a, const rdv_model_spec *b)
{
    bool same_file = a->path.p ? rdv_str_eq(a->path, b->path) : !b->path.p;
    bool same_name = a->name.p ? rdv_str_eq(a->name, b->name) : !b->name.p;
    return same_file && same_name;
}

int session_open_models(struct model_session *a, rdv_error *err)
{
    rdv_endpoint *generator = &a->options.generator, *checker = &a->options.checker;
    bool same = is_builtin(generator) && is_builtin(checker) &&
                is_same_model(&generator->spec, &checker->spec);
    int code = RDV_OK;
    if (is_builtin(generator))
        code = open_model(&a->builtin[0], generator, a->arena, err);
    if (code == RDV_OK && same) {
        checker->spec = generator->spec;
        checker->builtin = generator->builtin;
    } else if (code == RDV_OK && is_builtin(checker)) {
        code = open_model(&a->builtin[1], checker, a->arena, err);
    }
    if (is_builtin(generator))
        a->generator = generator->spec.name; /* with the hash of its file */
    if (is_builtin(checker))
        a->checker = checker->spec.name;
    return code;
}

/* A run that asks does not wait for the results of a batch, which its user may have forgotten. */
static int tell_waiting(const struct model_session *a, rdv_error *err)
{
    uint64_t n;
    int code = journal_batch_waiting(a->journal, &n, err);
    if (code == RDV_OK && n && !a->settings->quiet)
        say("%" PRIu64 " request%s of a batch wait%s for results in %s; what this run needs of "
            "them is asked now, and paid twice if the batch runs: --batch-out waits for it",
            n, plural(n), n == 1 ? "s" : "", a->journal_path);
    return code;
}

static int open_journal(struct model_session *a, rdv_error *err)
{
    bool dry = a->settings->dry_run, reads = dry || a->options.mode == RDV_RUN_REPLAY;
    if (!a->journal_path)
        return RDV_OK;
    if (dry && access(a->journal_path, F_OK) != 0 && errno == ENOENT)
        return RDV_OK; /* a real run would create it */
    int code = rdv_journal_open(a->journal_path, reads ? RDV_JOURNAL_READ : RDV_JOURNAL_WRITE,
                                &a->journal, err);
    return code == RDV_OK && a->options.mode == RDV_RUN_ASK && !dry ? tell_waiting(a, err) : code;
}

/* The name of the only model in a transcript. */
static int sole_model(struct model_session *a, rdv_str *name, rdv_error *err)
{
    rdv_str *names;
    rdv_buf all;
    size_t n;
    int code = rdv_journal_models(a->journal, a->arena, &names, &n, err);
    if (code != RDV_OK)
        return code;
    if (n == 1) {
        *name = names[0];
        return RDV_OK;
    }
    rdv_buf_init(&all, a->arena, 0);
    for (size_t i = 0; i < n; i++)
        rdv_buf_printf(&all, "%s%.*s", i ? ", " : "", RDV_FMT(names[i]));
    return rdv_fail(err, RDV_E_ARGUMENT,
                    "%s has %s%.300s; select a model with transcript:FILE#NAME", a->journal_path,
                    n ? "replies of " : "no replies",
                    n && rdv_buf_ok(&all) ? rdv_buf_str(&all).p : "");
}

/* Set the models' names, which are part of the key of a journal's replies. */
static int name_models(struct model_session *a, rdv_error *err)
{
    rdv_str *generator = &a->generator, *checker = &a->checker;
    if (!generator->p && a->options.generator.spec.kind == RDV_MODEL_SERVER)
        return RDV_OK; /* an estimate that names no model */
    int code = generator->p ? RDV_OK : sole_model(a, generator, err);
    if (code == RDV_OK && !checker->p)
        code = sole_model(a, checker, err);
    a->plan.generator = *generator;
    a->plan.checker = *checker;
    return code;
}

/* Make an empty plan to validate the options. */
static int try_plan(const struct model_session *a, rdv_error *err)
{
    rdv_plan *plan;
    int code = rdv_plan_check(NULL, 0, &a->plan, &plan, err);
    rdv_plan_free(&plan);
    return code;
}

static void tell_progress(void *payload, const rdv_run_totals *totals)
{
    struct model_session *a = payload;
    struct progress_line line = {0};
    if (host && host->progress) {
        host->progress(host->payload, totals);
        return;
    }
    usage_progress(&line, totals, a->expected, session_priced(a), &a->progress);
    run_progress(a->teller, line.text);
}

static void tell_untrained(void *payload, const rdv_request *request)
{
    const struct model_session *a = payload;
    if (a->settings->quiet)
        return;
    run_progress(a->teller, NULL);
    say("%.*s was not trained on the prompt \"%.*s\" (and possibly not on others); its replies "
        "to it are not meaningful",
        RDV_FMT(request->model), RDV_FMT(request->prompt));
}

static void tell_notice(void *payload, const char *line)
{
    struct model_session *a = payload;
    session_end_survey(a);
    if (a->teller)
        run_progress(a->teller, NULL);
    say("%s", line);
}

#define SURVEY_TOLD_S 10.0
#define SURVEY_CALLS 12 /* some servers are asked more */

void session_end_survey(struct model_session *session)
{
    if (session->survey_shown)
        fputs("\r\x1b[K", stderr);
    session->survey_shown = false;
}

static void tell_survey(void *payload, rdv_str server, unsigned exchange)
{
    struct model_session *a = payload;
    bool terminal = terminal_look(a->settings).err;
    if (!a->surveyed.tv_sec)
        clock_gettime(CLOCK_MONOTONIC, &a->surveyed);
    const char *all = exchange <= SURVEY_CALLS ? " of about a dozen" : "";
    if (terminal) {
        fprintf(stderr, "\rasking %.*s what it can do: call %u%s\x1b[K",
                RDV_FMT(rdv_str_head(server, 40)), exchange, all);
        a->survey_shown = true;
        if (a->teller)
            a->teller->line_shown = true;
    } else if (run_seconds_since(&a->surveyed) >= SURVEY_TOLD_S) {
        clock_gettime(CLOCK_MONOTONIC, &a->surveyed);
        say("asking %.*s what it can do: call %u%s", RDV_FMT(server), exchange, all);
    }
}

void session_take_notices(struct model_session *session)
{
    session->options.surveyed = session->settings->quiet || host ? NULL : tell_survey;
    session->options.notice = session->settings->quiet && !host ? NULL : tell_notice;
    session->options.payload = session;
}

/* Each call in flight has a connection. Where fewer files may be open, calls to servers that work
 * would fail as if they did not. */
static void allow_connections(const rdv_run_options *o)
{
    struct rlimit files;
    rlim_t needed = (rlim_t)(2 + o->n_more_generators + o->n_more_checkers) * o->jobs + OTHER_FILES;
    if (getrlimit(RLIMIT_NOFILE, &files) != 0 || files.rlim_cur >= needed)
        return;
    files.rlim_cur = files.rlim_max < needed ? files.rlim_max : needed;
    (void)setrlimit(RLIMIT_NOFILE, &files);
}

int session_begin(struct model_session *session, struct run *teller, rdv_error *err)
{
    rdv_run_options *o = &session->options;
    session->teller = teller;
    int code = session_open_models(session, err);
    if (code == RDV_OK)
        code = open_journal(session, err);
    if (code == RDV_OK)
        code = name_models(session, err);
    if (code == RDV_OK)
        code = try_plan(session, err);
    if (code != RDV_OK || session->settings->dry_run || (host && host->plans))
        return code;
    o->journal = session->journal;
    o->progress_ms = host && host->progress ? HOST_PROGRESS_MS : run_progress_ms(teller);
    o->progress = o->progress_ms && o->mode != RDV_RUN_REPLAY ? tell_progress : NULL;
    o->untrained = tell_untrained;
    session_take_notices(session);
    for (size_t i = 0; i < sizeof session->builtin / sizeof *session->builtin; i++)
        if (session->builtin[i].lm && !session->settings->quiet)
            builtin_tell(&session->builtin[i]);
    allow_connections(o);
    return rdv_run_new(o, &session->run, err);
}

/* ---- running --------------------------------------------------------------------------------- */

static void stop_run(void *run)
{
    rdv_run_stop(run);
}

int session_plans(struct model_session *session, const rdv_plan_source *source, rdv_error *err)
{
    if (host && host->plans)
        return host->plans(host->payload, source, err);
    when_interrupted(stop_run, session->run);
    int code = rdv_run_plans(session->run, source, err);
    when_interrupted(NULL, NULL);
    session_end_survey(session);
    rdv_run_totals_now(session->run, &session->totals);
    if (host && host->progress)
        host->progress(host->payload, &session->totals);
    return code;
}

/* ---- ending ---------------------------------------------------------------------------------- */

static void say_how_to_go_on(struct model_session *a)
{
    uint64_t n = 0;
    rdv_error err = {0};
    if (a->options.mode == RDV_RUN_REPLAY)
        return;
    if (!a->journal)
        say("no reply was kept; with --journal FILE or --out FILE the same command can resume a "
            "run");
    else if (rdv_journal_count(a->journal, &n, &err) == RDV_OK)
        say("run the same command again to resume: %" PRIu64 " replies are in %s", n,
            a->journal_path);
    else
        say("%s", err.msg);
}

/* Report what was found out about the servers, if a request had to be sent in another form. */
static void tell_found(const struct model_session *a)
{
    rdv_server_totals server;
    char line[FOUND_LINE];
    for (size_t i = 0; rdv_run_server_totals(a->run, i, &server) == RDV_OK; i++)
        if (!a->settings->quiet && rdv_run_found(a->run, i, line, sizeof line))
            say("%.*s: %s", RDV_FMT(server.url), line);
}

void session_conclude(struct model_session *session, struct run *run)
{
    const char *why = "";
    rdv_error err = {0};
    if (!session->run) /* a host carried the plans out, and knows how that ended */
        return;
    rdv_run_end end = rdv_run_ended(session->run, &why);
    run_progress(run, NULL);
    tell_found(session);
    run->undone |= session->totals.failed > 0 || end == RDV_END_BUDGET;
    if (end == RDV_END_DONE || run->output.nobody_reads)
        return;
    if (end == RDV_END_WAITING) {
        run->waiting = true;
        batch_round_tell(session);
        return;
    }
    if (end == RDV_END_REFUSED || end == RDV_END_UNREACHABLE) {
        rdv_fail(&err, RDV_E_IO, "%s", why);
        run_stop(run, NOTHING_DONE, &err);
    } else if (end == RDV_END_BUDGET) {
        run_progress(run, NULL);
        say("%s", why);
    } else {
        run_progress(run, NULL);
    }
    say_how_to_go_on(session);
}

rdv_str session_profile(const struct model_session *session)
{
    return session->plan.profile == RDV_PAPER ? RDV_STR("paper") : RDV_STR("robust");
}

static record_makers makers_of(const struct model_session *session)
{
    return (record_makers){session->plan.checker, session_profile(session)};
}

void session_put_models(const struct model_session *session, bool generated, bool checked,
                        rdv_buf *b)
{
    if (generated)
        rdv_json_put_text(b, "generator", session->plan.generator);
    if (checked) {
        const record_makers by = makers_of(session);
        record_put_makers(&by, b);
    }
}

int session_keep_makers(const struct model_session *session, const rdv_chain *chain, size_t first,
                        rdv_arena *arena, rdv_error *err)
{
    const record_makers by = makers_of(session);
    return record_keep_makers(chain, first, &by, arena, err);
}

void session_end(struct model_session *session)
{
    rdv_run_free(&session->run);
    rdv_journal_close(&session->journal);
    for (size_t i = 0; i < sizeof session->builtin / sizeof *session->builtin; i++)
        rdv_builtin_close(&session->builtin[i]);
    rdv_prompts_free(&session->prompts);
    rdv_arena_free(&session->arena);
}
