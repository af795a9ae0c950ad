/* SPDX-License-Identifier: Apache-2.0 */
/* The public side of rules: sets that a program changes (rules.h). */
#include "base/arena.h"
#include "base/nearest.h"
#include "base/str.h"
#include "language/assertion.h"
#include "language/rule.h"

int rdv_rules_add(rdv_rules *rules, rdv_str file, rdv_str text, rdv_error *err)
{
    file = rdv_str_copy(rules->arena, file);
    text = rdv_str_copy(rules->arena, text);
    if (!file.p || !text.p)
        return rdv_no_memory(err);
    rules->adding = true;
    int code = rule_set_add(rules, file, text, err);
    rules->adding = false;
    return code;
}

int rdv_rules_disable(rdv_rules *rules, rdv_str id, rdv_error *err)
{
    rule *r = rule_set_find(rules, id);
    if (!r)
        return rule_unknown(rules, id, err);
    r->off = true;
    return RDV_OK;
}

int rule_unknown(const rule_set *rules, rdv_str id, rdv_error *err)
{
    rdv_str nearest = {0};
    size_t edits = NEAREST_NONE;
    for (size_t i = 0; i < rules->n; i++)
        nearest_take(id, rules->rules[i].id, &nearest, &edits);
    id = rdv_str_head(id, ROW_ID_MOST);
    return nearest.p ? rdv_fail(err, RDV_E_INPUT, "there is no rule %.*s; did you mean %.*s?",
                                RDV_FMT(id), RDV_FMT(nearest))
                     : rdv_fail(err, RDV_E_INPUT, "there is no rule %.*s", RDV_FMT(id));
}

size_t rdv_rules_count(const rdv_rules *rules)
{
    return rules->n;
}

rdv_rule rdv_rules_at(const rdv_rules *rules, size_t i)
{
    const rule *r = &rules->rules[i];
    return (rdv_rule){.id = r->id,
                      .file = r->file,
                      .line = r->line,
                      .text = r->text,
                      .effect = rule_effect_name(r->effect),
                      .reason = r->why ? r->why : rule_effect_reason(r->effect),
                      .fires = r->fires,
                      .silent = r->silent,
                      .n_fires = r->n_fires,
                      .n_silent = r->n_silent,
                      .added = r->added,
                      .off = r->off};
}

const char *rule_example_fault(const rule_set *set, const rule *r, size_t k)
{
    const rdv_str claim = RDV_STR("3 * 4 = 13");
    bool must = k < r->n_fires;
    rdv_str text = must ? r->fires[k] : r->silent[k - r->n_fires];
    size_t begin = rdv_find(text, claim, 0);
    if (begin == RDV_NOT_FOUND)
        return "there is no \"3 * 4 = 13\" in";
    if (assertion_fires(set, r, text, begin, begin + claim.len) == must)
        return NULL;
    return must ? "it does not fire in" : "it fires in";
}
