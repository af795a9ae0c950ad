/* SPDX-License-Identifier: Apache-2.0 */
#include "server/policy.h"
#include "base/arena.h"
#include "base/str.h"
#include "server/json_edit.h"

static int read_root(const json_t *root, judge_rule *rule, rdv_error *err)
{
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)(uintptr_t)root, name, value)
    {
        if (strcmp(name, "default") != 0)
            return rdv_fail(err, RDV_E_INPUT, "'%.60s' is not known; known is default", name);
    }
    value = json_object_get(root, "default");
    if (!value)
        return rdv_fail(err, RDV_E_INPUT, "there is no rule 'default'");
    int rc = judge_rule_read(value, rule, err);
    return rc == RDV_OK ? rc : rdv_wrap(err, rc, "\"default\"");
}

/* A rule that stands twice is refused, in the file and within a rule. */
static int check_names(rdv_str text, rdv_arena *arena, rdv_error *err)
{
    rdv_members m, inner;
    int rc = json_edit_cut(text, arena, &m, err);
    const rdv_member *which = rc == RDV_OK ? json_edit_find(&m, "default") : NULL;
    if (which && which->raw.p[0] == '{') {
        rc = json_edit_cut(which->raw, arena, &inner, err);
        rdv_members_free(&inner);
    }
    rdv_members_free(&m);
    return rc;
}

int policy_read(rdv_str text, judge_rule *rule, rdv_error *err)
{
    json_t *root = NULL;
    rdv_arena *arena = rdv_arena_new(0);
    int rc = arena ? check_names(text, arena, err) : rdv_no_memory(err);
    if (rc == RDV_OK)
        rc = parse_json(text, false, &root, err);
    if (rc == RDV_OK)
        rc = read_root(root, rule, err);
    json_decref(root);
    rdv_arena_free(&arena);
    return rc;
}
