/* SPDX-License-Identifier: Apache-2.0 */
#include "server/policy.h"
#include "base/arena.h"
#include "base/str.h"
#include "server/json_edit.h"

#define MOST_LIMIT 1e15
#define LEAST_DOLLARS 1e-9
#define MOST_DOLLARS 1e6

/* ---- one rule -------------------------------------------------------------------------------- */

/* A number from `least` on goes to *out, and out of the object; one that is absent leaves it. */
static int take_number(json_t *object, const char *name, double least, const char *what,
                       double *out, rdv_error *err)
{
    const json_t *value = json_object_get(object, name);
    double x = parse_double(value);
    if (!value)
        return RDV_OK;
    if (!(x >= least && x <= MOST_LIMIT))
        return rdv_fail(err, RDV_E_INPUT, "'%s' must be %s", name, what);
    *out = x;
    json_object_del(object, name);
    return RDV_OK;
}

static int take_count(json_t *object, const char *name, uint64_t *out, rdv_error *err)
{
    double x = (double)*out;
    int rc = take_number(object, name, 1, "a whole number from 1 on", &x, err);
    if (rc == RDV_OK && x != (double)(uint64_t)x)
        return rdv_fail(err, RDV_E_INPUT, "'%s' must be a whole number from 1 on", name);
    *out = (uint64_t)x;
    return rc;
}

static int take_requests(json_t *object, const char *name, uint32_t *out, rdv_error *err)
{
    uint64_t n = *out;
    int rc = take_count(object, name, &n, err);
    *out = n < UINT32_MAX ? (uint32_t)n : UINT32_MAX;
    return rc;
}

static int take_dollars(json_t *object, const char *name, uint64_t *out, rdv_error *err)
{
    double x = (double)*out / (double)USAGE_DOLLAR;
    int rc = take_number(object, name, LEAST_DOLLARS, "a number of dollars above 0", &x, err);
    if (rc == RDV_OK && x > MOST_DOLLARS)
        return rdv_fail(err, RDV_E_INPUT, "'%s' must be at most %g", name, MOST_DOLLARS);
    *out = (uint64_t)(x * (double)USAGE_DOLLAR);
    return rc;
}

static int take_limits(json_t *object, usage_limits *l, rdv_error *err)
{
    int rc = take_requests(object, "per_minute", &l->per_minute, err);
    if (rc == RDV_OK)
        rc = take_requests(object, "at_once", &l->at_once, err);
    if (rc == RDV_OK)
        rc = take_requests(object, "per_day", &l->per_day, err);
    if (rc == RDV_OK)
        rc = take_count(object, "tokens_per_day", &l->day.tokens, err);
    return rc == RDV_OK ? take_dollars(object, "dollars_per_day", &l->day.cost, err) : rc;
}

/* The limits are the server's; all else is the judge's. */
static int read_rule(const json_t *object, access_rule *rule, rdv_error *err)
{
    json_t *rest = json_copy((json_t *)(uintptr_t)object);
    if (!rest)
        return rdv_no_memory(err);
    int rc = take_limits(rest, &rule->limits, err);
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

int policy_read(rdv_str text, access_list *a, rdv_error *err)
{
    json_t *root = NULL;
    rdv_arena *arena = rdv_arena_new(0);
    int rc = arena ? json_edit_check_names(text, 2, arena, err) : rdv_no_memory(err);
    if (rc == RDV_OK)
        rc = parse_json(text, false, &root, err);
    if (rc == RDV_OK)
        rc = read_root(root, a, err);
    json_decref(root);
    rdv_arena_free(&arena);
    return rc;
}
