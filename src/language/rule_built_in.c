/* SPDX-License-Identifier: Apache-2.0 */
/* The rules that are compiled in. */
#include "base/built_in.h"
#include "base/str.h"
#include "language/embedded_rules.h"
#include "language/rule.h"

#include <string.h>

const char *const rules_verbal[RULES_VERBAL] = {"verbal.rules", "statements.rules",
                                                "rare/verbal.rules"};
const char *const rules_explain[RULES_EXPLAIN] = {"explanations.rules", "rare/explanations.rules"};

const char *const rules_context[RULES_CONTEXT] = {"context.rules", "rare/context.rules"};

static const char *const replies = "replies.rules";

rdv_str rules_embedded_text(const char *name)
{
    for (size_t i = 0; i < rules_n_embedded; i++)
        if (strcmp(rules_embedded[i].name, name) == 0)
            return rdv_str_of(rules_embedded[i].text);
    return (rdv_str){0};
}

/* The build has read the rows that are compiled in (tools/check_rules.c). */
static rule_set *read_context(rdv_arena *arena)
{
    rule_set *set = arena ? rule_set_new(arena) : NULL;
    bool read = set;
    for (size_t i = 0; i < RULES_CONTEXT && read; i++)
        read = rule_set_add(set, rdv_str_of(rules_context[i]),
                            rules_embedded_text(rules_context[i]), NULL) == RDV_OK;
    return read ? set : NULL;
}

static const void *make(rdv_arena *arena)
{
    return read_context(arena);
}

const rule_set *rule_set_built_in(void)
{
    static built_in context;
    return built_in_get(&context, make);
}

static int list_all(rule_set *set, rule_effect effect, const char *const *files, size_t n)
{
    int code = RDV_OK;
    for (size_t i = 0; i < n && code == RDV_OK; i++)
        code =
            rule_set_list(set, effect, rdv_str_of(files[i]), rules_embedded_text(files[i]), NULL);
    return code;
}

rdv_rules *rdv_rules_new(rdv_arena *arena)
{
    rule_set *set = read_context(arena);
    int code = set ? list_all(set, EFFECT_READ, rules_verbal, RULES_VERBAL) : RDV_E_NOMEM;
    if (code == RDV_OK)
        code = list_all(set, EFFECT_EXPLAINED, rules_explain, RULES_EXPLAIN);
    if (code == RDV_OK)
        code = list_all(set, EFFECT_REPLY, &replies, 1);
    return code == RDV_OK ? set : NULL;
}
