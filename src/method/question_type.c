/* SPDX-License-Identifier: Apache-2.0 */
#include "method/question_type.h"

#include "base/str.h"
#include "method/method.h"
#include "prompt/prompt.h"
#include "task/task.h"

#include <string.h>

rdv_str question_type_by_form(const rdv_question *question)
{
    /* Each follows "a" in a prompt. */
    static const struct {
        const char *task, *type;
    } types[] = {
        {"word_sorting", "word sorting"},
        {"tracking_shuffled_objects", "shuffled-object tracking"},
        {"logical_deduction", "logical deduction"},
        {"dyck_languages", "bracket matching"},
        {"coin_flip", "coin flip"},
        {"last_letters", "last letter concatenation"},
    };
    const rdv_task *task = rdv_task_of(question);
    for (size_t i = 0; task && i < sizeof types / sizeof *types; i++)
        if (strcmp(task->name, types[i].task) == 0)
            return rdv_str_of(types[i].type);
    return RDV_STR("math");
}

static bool states_type(const prompt *p)
{
    rdv_str name;
    bool list, numbered;
    for (size_t i = 0; p && prompt_variable_at(p, i, &name, &list, &numbered); i++)
        if (rdv_str_eq(name, RDV_STR("kind")))
            return true;
    return false;
}

bool question_type_is_asked(const rdv_method *const *methods, size_t n, const rdv_prompts *prompts)
{
    for (size_t m = 0; m < n; m++) {
        const method_entry *entry = method_entry_of(methods[m]);
        const method_table *table = entry ? entry->table : NULL;
        for (size_t i = 0; table && i < table->n_stages; i++)
            if (states_type(prompt_named(prompts, table->stages[i].prompt)))
                return true;
    }
    return false;
}
