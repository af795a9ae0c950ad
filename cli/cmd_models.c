/* SPDX-License-Identifier: Apache-2.0 */
/* rederive models: what the server behind a model can do. */
#include "model_session.h"
#include "cmd.h"

#include "base/arena.h"
#include "base/json.h"
#include "base/str.h"
#include "lm/lm.h"
#include "model/abilities.h"
#include "report/paint.h"
#include "run/journal/lines.h"
#include "run/run.h"

#include <errno.h>
#include <inttypes.h>
#include <unistd.h>

/* ---- as JSON --------------------------------------------------------------------------------- */

static void json_abilities(rdv_buf *b, const rdv_abilities *abilities)
{
    const char *name, *meaning;
    rdv_can can;
    rdv_buf_lit(b, ",\"capabilities\":{");
    for (size_t i = 0; rdv_abilities_entry(abilities, i, &name, &meaning, &can) == RDV_OK; i++)
        rdv_json_put_text(b, name, rdv_str_of(rdv_can_name(can)));
    rdv_buf_add_char(b, '}');
}

static void json_probe(rdv_buf *b, const rdv_model_spec *spec, const rdv_probe *probe)
{
    rdv_buf_lit(b, "{\"model\":");
    rdv_json_text(b, spec->name);
    rdv_buf_lit(b, ",\"url\":");
    rdv_json_text(b, spec->url);
    rdv_buf_lit(b, ",\"software\":");
    rdv_json_text(b, rdv_str_of(rdv_software_name(probe->software)));
    if (probe->slots)
        rdv_buf_printf(b, ",\"total_slots\":%zu", probe->slots);
    rdv_buf_lit(b, ",\"models\":");
    rdv_json_texts(b, probe->models, probe->n_models);
    json_abilities(b, &probe->abilities);
    if (probe->why.p) {
        rdv_buf_lit(b, ",\"error\":");
        rdv_json_text(b, probe->why);
    }
    rdv_buf_lit(b, "}\n");
}

/* ---- for people ------------------------------------------------------------------------------ */

/* Print a line: our own text, then names from outside the program, shown escaped. */
static void put_names(rdv_paint *p, const char *before, const rdv_str *names, size_t n)
{
    if (n == 0)
        return;
    rdv_paint_put(p, rdv_str_of(before), RDV_PLAIN);
    for (size_t i = 0; i < n; i++) {
        rdv_paint_put(p, i ? RDV_STR(", ") : RDV_STR(""), RDV_PLAIN);
        rdv_paint_text(p, names[i], RDV_PLAIN, NULL, 0);
    }
    rdv_paint_end_line(p);
}

static int abilities_table(const rdv_abilities *abilities, const rdv_view_options *view,
                           rdv_arena *arena, rdv_str *out, rdv_error *err)
{
    static const char *const heads[] = {"ability", "has", "meaning"};
    const char *name, *meaning;
    rdv_can can;
    rdv_table *table = rdv_table_new(arena, heads, 3);
    if (!table)
        return rdv_no_memory(err);
    for (size_t i = 0; rdv_abilities_entry(abilities, i, &name, &meaning, &can) == RDV_OK; i++) {
        rdv_table_cell(table, rdv_str_of(name));
        rdv_table_cell(table, rdv_str_of(rdv_can_name(can)));
        rdv_table_cell(table, rdv_str_of(meaning));
    }
    return rdv_table_print(table, view, out, err);
}

static int show_probe(rdv_paint *p, const rdv_model_spec *spec, const rdv_probe *probe,
                      const rdv_view_options *view, rdv_error *err)
{
    rdv_str table;
    int code = abilities_table(&probe->abilities, view, p->out.arena, &table, err);
    if (code != RDV_OK)
        return code;
    rdv_paint_text(p, spec->name, RDV_BOLD, NULL, 0);
    put_names(p, " at ", &spec->url, 1);
    if (probe->software != RDV_SOFTWARE_UNKNOWN) {
        rdv_str software = rdv_str_of(rdv_software_name(probe->software));
        put_names(p, "it is ", &software, 1);
    }
    if (probe->slots) {
        rdv_str slots = rdv_str_printf(p->out.arena, "%zu", probe->slots);
        put_names(p, "replies at a time: ", &slots, slots.p != NULL);
    }
    if (probe->no_template)
        rdv_paint_put(p, RDV_STR("it has no chat template: a base model\n"), RDV_PLAIN);
    put_names(p, "it serves ", probe->models, probe->n_models);
    put_names(p, "it refused: ", &probe->why, probe->why.p != NULL);
    rdv_paint_end_line(p);
    rdv_paint_put(p, table, RDV_PLAIN);
    return RDV_OK;
}

/* ---- a server that answered nothing ---------------------------------------------------------- */

static bool lists(const rdv_probe *probe, rdv_str name)
{
    for (size_t i = 0; i < probe->n_models; i++)
        if (rdv_str_eq(probe->models[i], name))
            return true;
    return false;
}

static rdv_str joined(const rdv_str *names, size_t n, rdv_arena *arena)
{
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    rdv_buf_lit(&b, "");
    for (size_t i = 0; i < n; i++) {
        rdv_buf_add(&b, i ? RDV_STR(", ") : RDV_STR(""));
        rdv_buf_add(&b, names[i]);
    }
    return rdv_buf_str(&b);
}

/* The likely cause, in one line; a table of abilities that are all "no" would hide it. */
static int no_answer(const rdv_model_spec *spec, const rdv_probe *probe, rdv_arena *arena,
                     rdv_error *err)
{
    rdv_str why = probe->why.p ? probe->why : RDV_STR("nothing");
    if (probe->n_models && !lists(probe, spec->name)) {
        rdv_str names = joined(probe->models, probe->n_models, arena);
        return rdv_fail(err, RDV_E_IO, "%.*s has no model \"%.*s\"; it has %.*s; it said: %.*s",
                        RDV_FMT(spec->url), RDV_FMT(spec->name), RDV_FMT(names), RDV_FMT(why));
    }
    if (!probe->n_models && rdv_find(spec->url, RDV_STR("/v1"), 0) == RDV_NOT_FOUND)
        return rdv_fail(err, RDV_E_IO,
                        "%.*s does not answer; try --model %.*s/v1#%.*s; it said: %.*s",
                        RDV_FMT(spec->url), RDV_FMT(spec->url), RDV_FMT(spec->name), RDV_FMT(why));
    return rdv_fail(err, RDV_E_IO, "%.*s answered none of the requests; it said: %.*s",
                    RDV_FMT(spec->url), RDV_FMT(why));
}

/* ---- the command ----------------------------------------------------------------------------- */

static int print(const rdv_buf *b, rdv_error *err)
{
    if (!rdv_buf_ok(b))
        return rdv_no_memory(err);
    rdv_str text = rdv_buf_str(b);
    if (fwrite(text.p, 1, text.len, stdout) != text.len || fflush(stdout) != 0)
        return rdv_fail(err, RDV_E_IO, "standard output cannot be written: %s", strerror(errno));
    return RDV_OK;
}

/* A transcript can answer for the models whose replies it holds; no server can be asked. */
static int list_transcript(struct model_session *a, rdv_paint *p, rdv_error *err)
{
    rdv_str *names;
    size_t n;
    int code = rdv_journal_open(a->journal_path, RDV_JOURNAL_READ, &a->journal, err);
    if (code == RDV_OK)
        code = rdv_journal_models(a->journal, a->arena, &names, &n, err);
    if (code != RDV_OK)
        return code;
    if (a->settings->json) {
        rdv_buf_lit(&p->out, "{\"models\":");
        rdv_json_texts(&p->out, names, n);
        rdv_buf_lit(&p->out, "}\n");
    } else if (n) {
        put_names(p, "it has replies of ", names, n);
    } else {
        rdv_paint_put(p, RDV_STR("it has no replies\n"), RDV_PLAIN);
    }
    return RDV_OK;
}

/* ---- a model file ---------------------------------------------------------------------------- */

struct fact {
    const char *name, *member; /* for people, and in JSON */
    uint64_t is;
};

#define N_FACTS 5

static void read_facts(const rdv_lm_info *info, struct fact facts[N_FACTS])
{
    const struct fact all[N_FACTS] = {{"parameters", "n_parameters", info->params},
                                      {"layers", "n_layers", info->layers},
                                      {"width", "hidden_size", info->width},
                                      {"vocabulary", "vocab_size", info->vocab},
                                      {"context", "context_length", info->context}};
    memcpy(facts, all, sizeof all);
}

static void json_model(rdv_buf *b, const rdv_builtin *model, const rdv_model_spec *spec)
{
    rdv_lm_info info;
    struct fact facts[N_FACTS];
    rdv_abilities abilities = rdv_builtin_abilities(model);
    rdv_lm_about(model->lm, &info);
    read_facts(&info, facts);
    rdv_buf_lit(b, "{\"model\":");
    rdv_json_text(b, spec->name);
    rdv_buf_lit(b, ",\"file\":");
    rdv_json_text(b, spec->path);
    rdv_buf_lit(b, ",\"dtype\":");
    rdv_json_text(b, info.weights);
    for (size_t i = 0; i < N_FACTS; i++)
        rdv_buf_printf(b, ",\"%s\":%" PRIu64, facts[i].member, facts[i].is);
    rdv_json_put_flag(b, "step_head", info.step_head);
    rdv_buf_lit(b, ",\"prompts\":");
    rdv_json_texts(b, model->prompts, model->n_prompts);
    json_abilities(b, &abilities);
    rdv_buf_lit(b, "}\n");
}

static int show_facts(rdv_paint *p, const rdv_builtin *model, const rdv_model_spec *spec,
                      const rdv_view_options *view, rdv_error *err)
{
    rdv_str table;
    rdv_lm_info info;
    struct fact facts[N_FACTS];
    rdv_abilities abilities = rdv_builtin_abilities(model);
    rdv_lm_about(model->lm, &info);
    read_facts(&info, facts);
    int code = abilities_table(&abilities, view, p->out.arena, &table, err);
    if (code != RDV_OK)
        return code;
    rdv_paint_text(p, spec->name, RDV_BOLD, NULL, 0);
    put_names(p, " in ", &spec->path, 1);
    put_names(p, "weights: ", &info.weights, 1);
    for (size_t i = 0; i < N_FACTS; i++) {
        rdv_str line = rdv_str_printf(p->out.arena, "%s: %" PRIu64, facts[i].name, facts[i].is);
        put_names(p, "", &line, line.p != NULL);
    }
    if (info.step_head)
        put_names(p, "", &(rdv_str){"has a step head: answers prm:pooling-pairs", 42}, 1);
    put_names(p, "trained on the prompts ", model->prompts, model->n_prompts);
    rdv_paint_end_line(p);
    rdv_paint_put(p, table, RDV_PLAIN);
    return RDV_OK;
}

static int show_builtin(struct model_session *a, rdv_paint *p, const rdv_view_options *view,
                        rdv_error *err)
{
    int code = session_open_models(a, err);
    const rdv_endpoint *endpoint = &a->options.generator;
    if (code != RDV_OK)
        return code;
    if (!a->settings->json)
        return show_facts(p, endpoint->builtin, &endpoint->spec, view, err);
    json_model(&p->out, endpoint->builtin, &endpoint->spec);
    return RDV_OK;
}

/* Called from a signal handler. A probe has no state to save. */
static void leave(void *nothing)
{
    _exit(INTERRUPTED);
}

/* *answers: whether the server answers requests. */
static int probe_server(struct model_session *a, const rdv_endpoint *endpoint, rdv_paint *p,
                        const rdv_view_options *view, bool *answers, rdv_error *err)
{
    rdv_probe probe;
    int code = rdv_run_probe(endpoint, &a->options, a->arena, &probe, err);
    *answers = probe.abilities.chat == RDV_CAN || probe.abilities.completions == RDV_CAN;
    if (code != RDV_OK)
        return code;
    if (!a->settings->json)
        return *answers ? show_probe(p, &endpoint->spec, &probe, view, err)
                        : no_answer(&endpoint->spec, &probe, a->arena, err);
    json_probe(&p->out, &endpoint->spec, &probe);
    return RDV_OK;
}

/* The servers of a model, one after the other. RDV_NONE: some answer no request, which was said. */
static int probe_servers(struct model_session *a, rdv_paint *p, const rdv_view_options *view,
                         bool *answer, rdv_error *err)
{
    const rdv_run_options *o = &a->options;
    size_t shown = 0, n = 1 + o->n_more_generators, n_bad = 0;
    when_interrupted(leave, NULL);
    session_take_notices(a);
    int code = RDV_OK;
    *answer = false;
    for (size_t i = 0; i < n && (code == RDV_OK || code == RDV_E_IO); i++) {
        const rdv_endpoint *endpoint = i ? &o->more_generators[i - 1] : &o->generator;
        bool answers = false;
        if (shown && !a->settings->json)
            rdv_paint_end_line(p);
        code = probe_server(a, endpoint, p, view, &answers, err);
        *answer |= answers;
        shown += code == RDV_OK;
        n_bad += code != RDV_OK || !answers;
        if (code == RDV_E_IO && n > 1)
            say("%s", err->msg);
    }
    when_interrupted(NULL, NULL);
    session_end_survey(a);
    if (n == 1 || (code != RDV_OK && code != RDV_E_IO))
        return code;
    return n_bad ? RDV_NONE : RDV_OK;
}

/* *answers: whether the model can be asked for replies. */
static int show_model(struct model_session *a, bool *answers, rdv_error *err)
{
    rdv_paint p;
    struct terminal terminal = terminal_look(a->settings);
    rdv_paint_begin(&p, &terminal.view, a->arena);
    bool here = a->options.generator.spec.kind == RDV_MODEL_BUILTIN;
    int code;
    if (a->options.mode == RDV_RUN_REPLAY)
        code = list_transcript(a, &p, err);
    else if (here)
        code = show_builtin(a, &p, &terminal.view, err);
    else
        code = probe_servers(a, &p, &terminal.view, answers, err);
    int printed = code >= 0 ? print(&p.out, err) : code;
    return printed == RDV_OK ? code : printed;
}

/* ---- the names of a server's models ---------------------------------------------------------- */

/* Whether it is the address of one server without a model's name. */
static bool is_address(const char *model)
{
    rdv_str is = rdv_str_of(model ? model : "");
    bool http = rdv_istarts(is, RDV_STR("http://")) || rdv_istarts(is, RDV_STR("https://"));
    return http && !strchr(model, '#') && !strchr(model, ',');
}

/* The models as --model takes them, one a line. */
static int list_names(struct model_session *a, rdv_buf *b, rdv_error *err)
{
    rdv_probe probe;
    rdv_endpoint *endpoint = &a->options.generator;
    endpoint->spec.name = RDV_STR("");
    int code = rdv_run_probe(endpoint, &a->options, a->arena, &probe, err);
    session_end_survey(a);
    if (code != RDV_OK)
        return code;
    if (a->settings->json) {
        json_probe(b, &endpoint->spec, &probe);
        return RDV_OK;
    }
    if (probe.n_models == 0)
        return rdv_fail(err, RDV_E_IO, "%.*s lists no models; name one: --model %.*s#NAME",
                        RDV_FMT(endpoint->spec.url), RDV_FMT(endpoint->spec.url));
    rdv_paint p;
    struct terminal terminal = terminal_look(a->settings);
    rdv_paint_begin(&p, &terminal.view, a->arena);
    for (size_t i = 0; i < probe.n_models; i++) {
        rdv_str spec = rdv_str_printf(a->arena, "%.*s#%.*s", RDV_FMT(endpoint->spec.url),
                                      RDV_FMT(probe.models[i]));
        put_names(&p, "", &spec, spec.p != NULL);
    }
    *b = p.out;
    return RDV_OK;
}

static int show_names(const struct settings *settings)
{
    struct model_session a = {0};
    struct settings named = *settings;
    rdv_error err = {0};
    rdv_arena *arena = rdv_arena_new(0);
    rdv_buf b = {0};
    named.model = arena ? rdv_str_printf(arena, "%s#any", settings->model).p : NULL;
    int code = named.model ? session_options_read(&a, &named, SESSION_SOLUTIONS, "models", &err)
                           : rdv_no_memory(&err);
    bool usable = code == RDV_OK;
    if (usable) {
        rdv_buf_init(&b, a.arena, 0);
        when_interrupted(leave, NULL);
        session_take_notices(&a);
        code = list_names(&a, &b, &err);
        when_interrupted(NULL, NULL);
    }
    if (code == RDV_OK)
        code = print(&b, &err);
    if (code != RDV_OK)
        say("models: %s", err.msg);
    session_end(&a);
    rdv_arena_free(&arena);
    return code == RDV_OK ? DONE : usable || code == RDV_E_NOMEM ? NOTHING_DONE : USAGE;
}

int cmd_models(const struct settings *settings)
{
    struct model_session a = {0};
    rdv_error err = {0};
    int status = DONE, code = RDV_OK;
    bool answers = true;
    if (is_address(settings->model))
        return show_names(settings);
    if (session_options_read(&a, settings, SESSION_SOLUTIONS, "models", &err) != RDV_OK) {
        say("models: %s", err.msg);
        status = USAGE;
    } else if ((code = show_model(&a, &answers, &err)) < 0) {
        say("%s", err.msg);
        status = NOTHING_DONE;
    } else if (!answers) {
        say("the model answered none of the requests");
        status = NOTHING_DONE;
    } else if (code == RDV_NONE) {
        status = SOME_FAILED;
    }
    session_end(&a);
    return status;
}
