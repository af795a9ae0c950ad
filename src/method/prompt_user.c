/* SPDX-License-Identifier: Apache-2.0 */
#include "method/prompt_user.h"

#include "base/str.h"
#include "method/method.h"
#include "prompt/prompt.h"

static bool uses(const prompt *p, const char *wanted)
{
    rdv_str name;
    bool list, numbered;
    for (size_t i = 0; p && prompt_variable_at(p, i, &name, &list, &numbered); i++)
        if (rdv_str_eq(name, rdv_str_of(wanted)))
            return true;
    return false;
}

const char *prompt_user(const rdv_method *const *methods, size_t n, const rdv_prompts *prompts,
                        const char *name)
{
    for (size_t m = 0; m < n; m++) {
        const method_entry *entry = method_entry_of(methods[m]);
        const method_table *table = entry ? entry->table : NULL;
        for (size_t i = 0; table && i < table->n_stages; i++)
            if (uses(prompt_named(prompts, table->stages[i].prompt), name))
                return methods[m]->name;
    }
    return NULL;
}
