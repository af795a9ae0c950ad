/* SPDX-License-Identifier: Apache-2.0 */
#include "server/policy.h"
#include "base/arena.h"
#include "base/str.h"
#include "server/json_edit.h"

#define MOST_LIMIT 1e9

/* ---- one rule -------------------------------------------------------------------------------- */

static int take_limit(json_t *object, const char *name, uint32_t *out, rdv_error *err)
{
    const json_t *value = json_object_get(object, name);
    double x = parse_double(value);
    if (!value)
        return RDV_OK;
    if (!(x >= 1 && x <= MOST_LIMIT && x == (double)(uint32_t)x))
        return rdv_fail(err, RDV_E_INPUT, "'%s' must be a whole number from 1 on", name);
    *out = (uint32_t)x;
    json_object_del(object, name);
    return RDV_OK;
}

/* The limits are the server's; all else is the judge's. */
static int read_rule(const json_t *object, access_rule *rule, rdv_error *err)
{
    json_t *rest = json_copy((json_t *)(uintptr_t)object);
    if (!rest)
        return rdv_no_memory(err);
    int rc = take_limit(rest, "per_minute", &rule->per_minute, err);
    if (rc == RDV_OK)
        rc = take_limit(rest, "at_once", &rule->at_once, err);
    if (rc == RDV_OK)
        rc = judge_rule_read(rest, &rule->judging, &rule->judging, err);
    json_decref(rest);
    return rc;
}

/* ---- the file -------------------------------------------------------------------------------- */

static int read_default(const json_t *root, access_list *a, rdv_error *err)
{
    const json_t *value = json_object_get(root, "default");
    if (!value)
        return rdv_fail(err, RDV_E_INPUT, "there is no rule 'default'");
    int rc = read_rule(value, &a->anybody.rule, err);
    for (size_t i = 0; i < a->n && rc == RDV_OK; i++)
        a->keys[i].rule = a->anybody.rule;
    return rc == RDV_OK ? rc : rdv_wrap(err, rc, "\"default\"");
}

static int read_keys(const json_t *root, access_list *a, rdv_error *err)
{
    const char *name;
    json_t *value, *keys = json_object_get(root, "keys");
    if (keys && !json_is_object(keys))
        return rdv_fail(err, RDV_E_INPUT, "'keys' must be an object");
    json_object_foreach(keys, name, value)
    {
        access_holder *h = access_named(a, rdv_str_of(name));
        if (!h)
            return rdv_fail(err, RDV_E_INPUT, "\"keys\": there is no key '%.64s'", name);
        int rc = read_rule(value, &h->rule, err);
        if (rc != RDV_OK)
            return rdv_wrap(err, rc, "\"%.64s\"", name);
    }
    return RDV_OK;
}

static int read_root(const json_t *root, access_list *a, rdv_error *err)
{
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)root, name, value)
    {
        if (strcmp(name, "default") != 0 && strcmp(name, "keys") != 0)
            return rdv_fail(err, RDV_E_INPUT, "'%.60s' is not known; known are default, keys",
                            name);
    }
    int rc = read_default(root, a, err);
    return rc == RDV_OK ? read_keys(root, a, err) : rc;
}

/* What stands twice is refused, in the file and within its rules. */
static int check_names(rdv_str object, int depth, rdv_arena *arena, rdv_error *err)
{
    rdv_members m;
    int rc = json_edit_cut(object, arena, &m, err);
    for (size_t i = 0; i < m.n && rc == RDV_OK && depth > 0; i++)
        if (m.items[i].raw.p[0] == '{')
            rc = check_names(m.items[i].raw, depth - 1, arena, err);
    rdv_members_free(&m);
    return rc;
}

int policy_read(rdv_str text, access_list *a, rdv_error *err)
{
    json_t *root = NULL;
    rdv_arena *arena = rdv_arena_new(0);
    int rc = arena ? check_names(text, 2, arena, err) : rdv_no_memory(err);
    if (rc == RDV_OK)
        rc = parse_json(text, false, &root, err);
    if (rc == RDV_OK)
        rc = read_root(root, a, err);
    json_decref(root);
    rdv_arena_free(&arena);
    return rc;
}
