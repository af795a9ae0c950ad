/* SPDX-License-Identifier: Apache-2.0 */
/* rederive models: what the server behind a model can do. */
#include "asking.h"
#include "cmd.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/json.h"
#include "base/str.h"

/* ---- as JSON --------------------------------------------------------------------------------- */

static void json_abilities(rdv_buf *b, const rdv_abilities *abilities)
{
    const char *name, *meaning;
    rdv_can can;
    rdv_buf_lit(b, ",\"abilities\":{");
    for (size_t i = 0; rdv_abilities_entry(abilities, i, &name, &meaning, &can) == RDV_OK; i++) {
        rdv_json_name(b, rdv_str_of(name));
        rdv_json_text(b, rdv_str_of(rdv_can_name(can)));
    }
    rdv_buf_add_char(b, '}');
}

static void json_probe(rdv_buf *b, const rdv_model_spec *spec, const rdv_probe *probe)
{
    rdv_buf_lit(b, "{\"model\":");
    rdv_json_text(b, spec->name);
    rdv_buf_lit(b, ",\"url\":");
    rdv_json_text(b, spec->url);
    rdv_buf_lit(b, ",\"models\":[");
    for (size_t i = 0; i < probe->n_models; i++) {
        rdv_buf_add(b, i ? RDV_STR(",") : RDV_STR(""));
        rdv_json_text(b, probe->models[i]);
    }
    rdv_buf_add_char(b, ']');
    json_abilities(b, &probe->abilities);
    if (probe->why.p) {
        rdv_buf_lit(b, ",\"why\":");
        rdv_json_text(b, probe->why);
    }
    rdv_buf_lit(b, "}\n");
}

/* ---- for people ------------------------------------------------------------------------------ */

static void add_names(rdv_buf *b, const char *before, const rdv_str *names, size_t n)
{
    for (size_t i = 0; i < n; i++)
        rdv_buf_printf(b, "%s%.*s", i ? ", " : before, RDV_FMT(names[i]));
    if (n)
        rdv_buf_add_char(b, '\n');
}

static int show_probe(rdv_buf *b, const rdv_model_spec *spec, const rdv_probe *probe,
                      const rdv_view_options *view, rdv_error *err)
{
    static const char *const heads[] = {"ability", "has", "meaning"};
    const char *name, *meaning;
    rdv_can can;
    rdv_str text;
    rdv_table *table = rdv_table_new(b->arena, heads, 3);
    if (!table)
        return rdv_fail(err, RDV_E_NOMEM, "out of memory");
    for (size_t i = 0; rdv_abilities_entry(&probe->abilities, i, &name, &meaning, &can) == RDV_OK;
         i++) {
        rdv_table_cell(table, rdv_str_of(name));
        rdv_table_cell(table, rdv_str_of(rdv_can_name(can)));
        rdv_table_cell(table, rdv_str_of(meaning));
    }
    int code = rdv_table_print(table, view, &text, err);
    if (code != RDV_OK)
        return code;
    rdv_buf_printf(b, "%.*s at %.*s\n", RDV_FMT(spec->name), RDV_FMT(spec->url));
    add_names(b, "it serves ", probe->models, probe->n_models);
    if (probe->why.p)
        rdv_buf_printf(b, "it refused: %.*s\n", RDV_FMT(probe->why));
    rdv_buf_add_char(b, '\n');
    rdv_buf_add(b, text);
    return RDV_OK;
}

/* ---- the command ----------------------------------------------------------------------------- */

static int show(const struct settings *settings, rdv_buf *b, rdv_error *err)
{
    if (!rdv_buf_ok(b))
        return rdv_fail(err, RDV_E_NOMEM, "out of memory");
    rdv_str text = rdv_buf_str(b);
    if (fwrite(text.p, 1, text.len, stdout) != text.len || fflush(stdout) != 0)
        return rdv_fail(err, RDV_E_IO, "standard output cannot be written");
    return RDV_OK;
}

/* A transcript can answer for the models that it has replies of, and no server is there to ask. */
static int list_transcript(struct asking *a, rdv_error *err)
{
    rdv_str *names;
    rdv_buf b;
    size_t n;
    rdv_buf_init(&b, a->arena, 0);
    int code = rdv_journal_open(&a->journal, a->journal_path, RDV_JOURNAL_READ, err);
    if (code == RDV_OK)
        code = rdv_journal_models(a->journal, a->arena, &names, &n, err);
    if (code != RDV_OK)
        return code;
    if (a->settings->json) {
        rdv_buf_lit(&b, "{\"models\":[");
        for (size_t i = 0; i < n; i++) {
            rdv_buf_add(&b, i ? RDV_STR(",") : RDV_STR(""));
            rdv_json_text(&b, names[i]);
        }
        rdv_buf_lit(&b, "]}\n");
    } else {
        rdv_buf_printf(&b, "%s\n", a->journal_path);
        add_names(&b, "it has replies of ", names, n);
    }
    return show(a->settings, &b, err);
}

static int probe_server(struct asking *a, rdv_error *err)
{
    rdv_probe probe;
    rdv_buf b;
    struct terminal terminal = terminal_look(a->settings);
    const rdv_endpoint *endpoint = &a->options.generator;
    rdv_buf_init(&b, a->arena, 0);
    int code = rdv_run_probe(endpoint, &a->options, a->arena, &probe, err);
    if (code != RDV_OK)
        return code;
    if (a->settings->json)
        json_probe(&b, &endpoint->spec, &probe);
    else
        code = show_probe(&b, &endpoint->spec, &probe, &terminal.view, err);
    return code == RDV_OK ? show(a->settings, &b, err) : code;
}

int cmd_models(const struct settings *settings)
{
    struct asking a = {0};
    rdv_error err = {0};
    int status = DONE;
    if (asking_read(&a, settings, ASKING_SOLUTIONS, "models", &err) != RDV_OK) {
        say("models: %s", err.msg);
        status = USAGE;
    } else if ((a.options.mode == RDV_RUN_REPLAY ? list_transcript : probe_server)(&a, &err) !=
               RDV_OK) {
        say("%s", err.msg);
        status = NOTHING_DONE;
    }
    asking_end(&a);
    return status;
}
