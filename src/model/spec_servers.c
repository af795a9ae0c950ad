/* SPDX-License-Identifier: Apache-2.0 */
/* Several servers of one model in one specification, as --model takes it. */
#include <rederive/model.h>

#include "base/arena.h"
#include "base/str.h"

#define SHOWN 80 /* bytes of a server's specification in a message */

/* One server of a list: its text, what was read from it, and the name of its model, which the
 * server may call by another name. */
typedef struct listed {
    rdv_str text;
    rdv_model_spec spec;
    rdv_str model;
} listed;

static bool begins_server(rdv_str s)
{
    return rdv_istarts(s, RDV_STR("http://")) || rdv_istarts(s, RDV_STR("https://")) ||
           rdv_starts(s, RDV_STR("openai:"));
}

/* Cut the first server off *rest. Only a comma before another server ends one: an address may have
 * commas. */
static rdv_str cut_server(rdv_str *rest)
{
    rdv_str all = *rest;
    *rest = (rdv_str){0};
    for (size_t at = 0; (at = rdv_find_char(all, ',', at)) != RDV_NOT_FOUND; at++) {
        rdv_str after = rdv_trim(rdv_slice(all, at + 1, all.len));
        if (!begins_server(after))
            continue;
        *rest = after;
        return rdv_slice(all, 0, at);
    }
    return all;
}

static size_t count_servers(rdv_str spec)
{
    size_t n = 1;
    while ((void)cut_server(&spec), spec.p)
        n++;
    return n;
}

static int shown(rdv_str text)
{
    return (int)(text.len < SHOWN ? text.len : SHOWN);
}

/* "#NAME", or "#NAME=ITS NAME". */
static int read_listed(listed *s, rdv_arena *arena, rdv_error *err)
{
    s->text = rdv_trim(s->text);
    bool named =
        rdv_starts(s->text, RDV_STR("openai:")) || rdv_find_char(s->text, '#', 0) != RDV_NOT_FOUND;
    if (!named)
        return rdv_fail(err, RDV_E_ARGUMENT, "the server %.*s has no model; write %.*s#NAME",
                        shown(s->text), s->text.p, shown(s->text), s->text.p);
    int code = rdv_model_parse(s->text, arena, &s->spec, err);
    if (code != RDV_OK)
        return code;
    rdv_str name = s->spec.name;
    size_t equals = rdv_find_char(name, '=', 0);
    s->model = rdv_slice(name, 0, equals);
    if (equals != RDV_NOT_FOUND)
        s->spec.name = rdv_slice(name, equals + 1, name.len);
    if (s->model.len == 0 || s->spec.name.len == 0)
        return rdv_fail(err, RDV_E_ARGUMENT,
                        "a name is missing in %.*s; write #NAME, or #NAME=NAME-AT-THIS-SERVER",
                        shown(s->text), s->text.p);
    return RDV_OK;
}

/* Two servers of a list must be different ones of the same model. */
static int check_pair(const listed *a, const listed *b, rdv_error *err)
{
    if (rdv_str_eq(a->spec.url, b->spec.url))
        return rdv_fail(err, RDV_E_ARGUMENT, "the server %.*s is given twice", shown(b->spec.url),
                        b->spec.url.p);
    if (rdv_str_eq(a->model, b->model))
        return RDV_OK;
    return rdv_fail(err, RDV_E_ARGUMENT,
                    "%.*s and %.*s are different models; servers that are given together serve "
                    "one: where a server calls it by another name, write #%.*s=%.*s",
                    shown(a->text), a->text.p, shown(b->text), b->text.p, shown(a->model),
                    a->model.p, shown(b->model), b->model.p);
}

static int read_list(rdv_str spec, listed *servers, size_t n, rdv_arena *arena, rdv_error *err)
{
    for (size_t i = 0; i < n; i++) {
        servers[i] = (listed){.text = cut_server(&spec)};
        int code = read_listed(&servers[i], arena, err);
        for (size_t j = 0; j < i && code == RDV_OK; j++)
            code = check_pair(&servers[j], &servers[i], err);
        if (code != RDV_OK)
            return code;
    }
    return RDV_OK;
}

static int parse_one(rdv_str text, rdv_arena *arena, rdv_str *name, rdv_model_spec **specs,
                     size_t *n, rdv_error *err)
{
    rdv_model_spec spec;
    int code = rdv_model_parse(text, arena, &spec, err);
    if (code != RDV_OK)
        return code;
    rdv_model_spec *kept = RDV_NEW_ARRAY(arena, rdv_model_spec, 1);
    if (!kept)
        return rdv_no_memory(err);
    *kept = spec;
    *specs = kept;
    *n = 1;
    *name = spec.name;
    return RDV_OK;
}

int rdv_model_parse_servers(rdv_str spec, rdv_arena *arena, rdv_str *name, rdv_model_spec **specs,
                            size_t *n, rdv_error *err)
{
    size_t count = begins_server(spec) ? count_servers(spec) : 1;
    if (count == 1)
        return parse_one(spec, arena, name, specs, n, err);
    if (count > RDV_MODEL_MOST_SERVERS)
        return rdv_fail(err, RDV_E_ARGUMENT, "%zu servers for one model; at most %d can be given",
                        count, RDV_MODEL_MOST_SERVERS);
    listed *servers = RDV_NEW_ARRAY(arena, listed, count);
    rdv_model_spec *kept = RDV_NEW_ARRAY(arena, rdv_model_spec, count);
    if (!servers || !kept)
        return rdv_no_memory(err);
    int code = read_list(spec, servers, count, arena, err);
    if (code != RDV_OK)
        return code;
    for (size_t i = 0; i < count; i++)
        kept[i] = servers[i].spec;
    *specs = kept;
    *n = count;
    *name = servers[0].model;
    return RDV_OK;
}
