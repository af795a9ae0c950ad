/* SPDX-License-Identifier: Apache-2.0 */
/* The session options of commands that ask models, from the command line and the environment. */
#include "batch_round.h"
#include "text_files.h"
#include "whole_file.h"

#include "base/arena.h"
#include "base/str.h"
#include "prompt/rubric.h"

#include <math.h>
#include <stdlib.h>
#include <sys/stat.h>

#define KEY_VARIABLE "OPENAI_API_KEY"
#define MICRO 1e6

/* ---- models ---------------------------------------------------------------------------------- */

/* The servers of one model, and its name. */
struct model_servers {
    rdv_str *name;
    rdv_endpoint *first, *more;
    size_t n_more;
};

static int read_servers(struct model_session *a, const char *option, const char *text,
                        struct model_servers *out, rdv_error *err)
{
    rdv_model_spec *specs;
    size_t n;
    int code = rdv_model_parse_servers(rdv_str_of(text), a->arena, out->name, &specs, &n, err);
    if (code != RDV_OK)
        return rdv_wrap(err, code, "--%s", option);
    out->more = RDV_NEW_ARRAY(a->arena, rdv_endpoint, n);
    if (!out->more)
        return rdv_no_memory(err);
    out->first->spec = specs[0];
    out->n_more = n - 1;
    for (size_t i = 1; i < n; i++)
        out->more[i - 1].spec = specs[i];
    return RDV_OK;
}

static int no_model(const char *wanted_by, rdv_error *err)
{
    return rdv_fail(err, RDV_E_ARGUMENT,
                    "%s needs a model: --model openai:NAME, "
                    "--model http://HOST:PORT/v1#NAME, --model builtin or --model transcript:FILE",
                    wanted_by);
}

static void give_key(rdv_endpoint *endpoint, const char *key, bool anywhere)
{
    rdv_str host = endpoint->spec.host;
    if (host.p && (anywhere || rdv_starts(host, RDV_STR("https://")) || endpoint->spec.here))
        endpoint->api_key = rdv_str_of(key);
}

/* Give the key to all servers, and the servers to the run. */
static int read_keys(struct model_session *a, const struct model_servers *generators,
                     const struct model_servers *checkers, rdv_error *err)
{
    const char *variable = a->settings->api_key_env;
    const char *key = getenv(variable ? variable : KEY_VARIABLE);
    if (variable && !(key && *key))
        return rdv_fail(err, RDV_E_ARGUMENT,
                        "--api-key-env %.100s: the environment has no such key", variable);
    const struct model_servers *both[] = {generators, checkers};
    for (size_t i = 0; i < 2 && key && *key; i++) {
        give_key(both[i]->first, key, variable != NULL);
        for (size_t k = 0; k < both[i]->n_more; k++)
            give_key(&both[i]->more[k], key, variable != NULL);
    }
    a->options.more_generators = generators->more;
    a->options.n_more_generators = generators->n_more;
    a->options.more_checkers = checkers->more;
    a->options.n_more_checkers = checkers->n_more;
    return RDV_OK;
}

static int read_models(struct model_session *a, enum session_purpose what, const char *wanted_by,
                       rdv_error *err)
{
    const struct settings *s = a->settings;
    const char *model = s->model, *checker = s->checker ? s->checker : s->model;
    const char *needed = what == SESSION_SOLUTIONS ? model : checker;
    struct model_servers generators = {.name = &a->generator, .first = &a->options.generator};
    struct model_servers checkers = {.name = &a->checker, .first = &a->options.checker};
    if (!needed && s->dry_run) /* an estimate needs no model, only a journal's keys use its name */
        return read_keys(a, &generators, &checkers, err);
    if (!needed)
        return no_model(wanted_by, err);
    int code = read_servers(a, s->checker ? "checker" : "model", checker, &checkers, err);
    if (code == RDV_OK && model)
        code = read_servers(a, "model", model, &generators, err);
    if (code != RDV_OK)
        return code;
    if (!model) {
        *generators.first = *checkers.first;
        *generators.name = *checkers.name;
        generators.more = checkers.more;
        generators.n_more = checkers.n_more;
    }
    return read_keys(a, &generators, &checkers, err);
}

/* ---- the journal ----------------------------------------------------------------------------- */

static bool is_transcript(const rdv_endpoint *endpoint)
{
    return endpoint->spec.kind == RDV_MODEL_TRANSCRIPT;
}

/* Set up a replay. It answers everything from one file, so no other model can be used with it. */
static int replay(struct model_session *a, rdv_error *err)
{
    const rdv_endpoint *g = &a->options.generator, *c = &a->options.checker;
    if (!is_transcript(g) || !is_transcript(c) || !rdv_str_eq(g->spec.path, c->spec.path))
        return rdv_fail(err, RDV_E_ARGUMENT,
                        "a transcript cannot be combined with another model: --model and --checker "
                        "must name the same one");
    if (a->settings->journal)
        return rdv_fail(err, RDV_E_ARGUMENT, "--journal: a transcript has nothing to keep");
    a->journal_path = g->spec.path.p;
    if (a->options.mode == RDV_RUN_ASK)
        a->options.mode = RDV_RUN_REPLAY;
    return RDV_OK;
}

/* Put the journal beside the output, if that is a regular file. */
static int default_journal(struct model_session *a, rdv_error *err)
{
    struct stat info;
    const char *out = a->settings->out;
    if (!out || strcmp(out, "-") == 0 || (stat(out, &info) == 0 && !S_ISREG(info.st_mode)))
        return RDV_OK;
    a->journal_path = rdv_str_printf(a->arena, "%s.journal", out).p;
    return a->journal_path ? RDV_OK : rdv_no_memory(err);
}

static int read_journal(struct model_session *a, rdv_error *err)
{
    if (is_transcript(&a->options.generator) || is_transcript(&a->options.checker))
        return replay(a, err);
    a->journal_path = a->settings->journal;
    return a->journal_path ? RDV_OK : default_journal(a, err);
}

/* ---- limits, budgets, prompts ---------------------------------------------------------------- */

static int read_budget(struct model_session *a, rdv_error *err)
{
    const struct settings *s = a->settings;
    rdv_run_options *o = &a->options;
    if (s->max_cost.given && s->price_in.is <= 0 && s->price_out.is <= 0)
        return rdv_fail(err, RDV_E_ARGUMENT,
                        "--max-cost needs prices: add --price-in and --price-out");
    o->budget = (rdv_budget){.calls = s->max_calls,
                             .tokens = s->max_tokens,
                             .cost_microusd = (uint64_t)llround(s->max_cost.is * MICRO),
                             .seconds = s->max_seconds.is};
    o->price_in = s->price_in.is;
    o->price_out = s->price_out.is;
    return RDV_OK;
}

/* Read the limits. A command without an option for a limit keeps the run's default. */
static void read_limits(struct model_session *a)
{
    const struct settings *s = a->settings;
    rdv_run_options *o = &a->options;
    if (s->jobs)
        o->jobs = (size_t)s->jobs;
    o->rpm = s->rpm.is;
    o->tpm = s->tpm.is;
    o->retries = (uint32_t)s->retries;
    o->trust_unfinished = s->trust_unfinished;
    o->anyway = s->anyway;
    o->separate_samples = s->separate_samples;
    if (s->timeout.given)
        o->timeout_ms = (uint32_t)llround(s->timeout.is * 1000);
    if (o->idle_ms > o->timeout_ms)
        o->idle_ms = o->timeout_ms;
    o->seed = s->seed;
}

/* --rubric FILE: the criteria by which prompts judge. */
static int read_rubric(struct model_session *a, const char *path, rdv_error *err)
{
    rdv_str text, *criteria;
    int code = whole_file_read(path, RUBRIC_MAX_BYTES, a->arena, &text, err);
    if (code == RDV_NONE)
        return rdv_fail(err, RDV_E_IO, "--rubric %.200s: cannot be read: there is no such file",
                        path);
    if (code != RDV_OK)
        return rdv_wrap(err, code, "--rubric");
    rdv_error why = {0};
    code = rubric_read(text, a->arena, &criteria, &a->plan.n_criteria, &why);
    if (code != RDV_OK)
        return rdv_fail(err, code, "--rubric %.200s:%s", path, why.msg);
    a->plan.criteria = criteria;
    return RDV_OK;
}

static int read_plan(struct model_session *a, rdv_error *err)
{
    const struct settings *s = a->settings;
    rdv_prompt_text *texts = NULL;
    size_t n = 0;
    rdv_plan_options_default(&a->plan, sizeof a->plan);
    bool paper = s->profile && strcmp(s->profile, "paper") == 0;
    a->plan.profile = paper ? RDV_PAPER : RDV_ROBUST;
    if (s->temperature.given)
        a->plan.temperature = s->temperature.is;
    if (s->structured && s->no_structured)
        return rdv_fail(err, RDV_E_ARGUMENT,
                        "--structured and --no-structured: name one of the two");
    a->plan.structured = s->structured;
    a->plan.no_structured = s->no_structured;
    a->plan.keep_exchanges = s->html && !s->dry_run;
    a->plan.seed = s->seed;
    a->plan.lookahead = (size_t)s->lookahead;
    if (s->prm_layout && strcmp(s->prm_layout, "shepherd") == 0)
        a->plan.prm_pairs = RDV_PRM_PAIRS_SHEPHERD;
    if (s->prm_threshold.given || s->prm_layout)
        a->plan.prm_threshold = s->prm_threshold.is;
    int code = prompts_read(s->prompt_dir, s->method_dir, a->arena, &texts, &n, err);
    if (code == RDV_OK)
        code = rdv_prompts_new(texts, n, &a->prompts, err);
    if (code == RDV_OK && s->rubric)
        code = read_rubric(a, s->rubric, err);
    a->plan.prompts = a->prompts;
    return code;
}

int session_options_read(struct model_session *session, const struct settings *settings,
                         enum session_purpose what, const char *wanted_by, rdv_error *err)
{
    *session = (struct model_session){.settings = settings, .arena = rdv_arena_new(0)};
    if (!session->arena)
        return rdv_no_memory(err);
    rdv_run_options_default(&session->options, sizeof session->options);
    int code = read_models(session, what, wanted_by, err);
    if (code == RDV_OK)
        code = read_journal(session, err);
    if (code == RDV_OK)
        code = read_budget(session, err);
    if (code == RDV_OK)
        code = batch_round_read(session, err);
    if (code != RDV_OK)
        return code;
    read_limits(session);
    return read_plan(session, err);
}
