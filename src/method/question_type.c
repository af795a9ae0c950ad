/* SPDX-License-Identifier: Apache-2.0 */
#include "method/question_type.h"

#include "base/str.h"
#include "method/prompt_user.h"
#include "task/task.h"

/* Whether two names are the same but for letter case and anything between letters and digits. */
static bool is_named(rdv_str name, const char *set)
{
    for (size_t i = 0; i < name.len; i++) {
        if (!rdv_is_alnum(name.p[i]))
            continue;
        if (rdv_lower(name.p[i]) != *set)
            return false;
        set++;
    }
    return *set == '\0';
}

rdv_str question_type_named(rdv_str name)
{
    /* Each type follows "a" in a prompt. */
    static const struct {
        const char *set, *type; /* a data set or task, in small letters and digits alone */
    } types[] = {
        {"commonsenseqa", "commonsense"},
        {"csqa", "commonsense"},
        {"strategyqa", "commonsense"},
        {"dateunderstanding", "date understanding"},
        {"coinflip", "coin flip"},
        {"coinflips", "coin flip"},
        {"lastletters", "last letter concatenation"},
        {"lastletterconcatenation", "last letter concatenation"},
        {"wordsorting", "word sorting"},
        {"trackingshuffledobjects", "shuffled-object tracking"},
        {"logicaldeduction", "logical deduction"},
        {"dycklanguages", "bracket matching"},
    };
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (is_named(name, types[i].set))
            return rdv_str_of(types[i].type);
    return (rdv_str){0};
}

rdv_str question_type_by_form(const rdv_question *question)
{
    const rdv_task *task = rdv_task_of(question);
    rdv_str type = task ? question_type_named(rdv_str_of(task->name)) : (rdv_str){0};
    return type.p ? type : RDV_STR("math");
}

bool question_type_is_asked(const rdv_method *const *methods, size_t n, const rdv_prompts *prompts)
{
    return prompt_user(methods, n, prompts, "kind") != NULL;
}
