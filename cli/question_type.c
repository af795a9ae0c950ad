/* SPDX-License-Identifier: Apache-2.0 */
#include "question_type.h"

#include "base/arena.h"
#include "base/str.h"
#include "judge/asked_record.h"
#include "method/prompt_user.h"
#include "method/question_type.h"

#include <string.h>

static bool question_type_usable(const struct model_session *session, const struct methods *methods,
                                 const struct settings *s)
{
    const char *type = s->question_type;
    if (!type)
        return true;
    if (!*type || strlen(type) > QUESTION_TYPE_MAX || strpbrk(type, "\r\n"))
        say("%s: --question-type takes one line of 1 to %d bytes, such as 'logical deduction'",
            s->command, QUESTION_TYPE_MAX);
    else if (!methods->asks ||
             !question_type_is_asked(methods->is, methods->n, session->plan.prompts))
        say("%s: --question-type has no effect: no prompt of the method states the type of "
            "question (those of selfcheck and error-check do)",
            s->command);
    else
        return true;
    return false;
}

static bool rubric_usable(const struct model_session *session, const struct methods *methods,
                          const struct settings *s)
{
    const char *by = methods->asks
                         ? prompt_user(methods->is, methods->n, session->plan.prompts, "criteria")
                         : NULL;
    if (by && !s->rubric)
        say("%s: --method %s needs --rubric FILE, a text with one criterion a line", s->command,
            by);
    else if (!by && s->rubric)
        say("%s: --rubric has no effect: no prompt of the method has criteria (that of rubric has)",
            s->command);
    else
        return true;
    return false;
}

bool prompt_options_usable(const struct model_session *session, const struct methods *methods,
                           const struct settings *s)
{
    return question_type_usable(session, methods, s) && rubric_usable(session, methods, s);
}

/* The built-in model was taught its prompts with "math" in all its tasks (train/examples.py), and
 * finds fewer errors where they say anything else. */
static bool checker_is_builtin(const struct settings *s)
{
    const char *spec = s->checker ? s->checker : s->model;
    return spec && strncmp(spec, "builtin", 7) == 0 && (spec[7] == '\0' || spec[7] == ':');
}

rdv_plan_options question_type_of(const struct model_session *session, const rdv_record *record,
                                  rdv_arena *arena)
{
    rdv_plan_options options = session->plan;
    if (session->settings->question_type)
        options.question_type = rdv_str_of(session->settings->question_type);
    else if (checker_is_builtin(session->settings))
        options.question_type = RDV_STR("math");
    else
        options.question_type = record_question_type(record, arena);
    return options;
}
