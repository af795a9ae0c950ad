/* SPDX-License-Identifier: Apache-2.0 */
#include "method/prompt_request.h"

#include "base/arena.h"
#include "base/str.h"
#include "method/question_type.h"
#include "method/reply_form.h"

#include "task/task.h"
#include <rederive/text.h>

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* ---- values ---------------------------------------------------------------------------------- */

typedef enum variable {
    ANSWER,
    CRITERIA,
    INFORMATION,
    INPUT,
    KIND,
    NEXT,
    NUMBER,
    OPTIONS,
    PREVIOUS,
    QUESTION,
    STEP,
    STEPS,
    N_VARIABLES
} variable;

static const struct {
    const char *name;
    bool list;
} variables[N_VARIABLES] = {
    [ANSWER] = {"answer", false},
    [CRITERIA] = {"criteria", true},
    [INFORMATION] = {"information", true},
    [INPUT] = {"input", false},
    [KIND] = {"kind", false},
    [NEXT] = {"next", false},
    [NUMBER] = {"number", false},
    [OPTIONS] = {"options", true},
    [PREVIOUS] = {"previous", true},
    [QUESTION] = {"question", false},
    [STEP] = {"step", false},
    [STEPS] = {"steps", true},
};

static variable variable_named(rdv_str name)
{
    size_t i = 0;
    while (i < N_VARIABLES && !rdv_str_eq(name, rdv_str_of(variables[i].name)))
        i++;
    return (variable)i;
}

/* Fills a list with texts, of which `pick` selects n (NULL: the first n). Items have their text,
 * and their number from 1 if the prompt uses it; the template itself counts from 0. */
static int fill_list(const rdv_str *texts, const size_t *pick, size_t n, bool numbered,
                     rdv_arena *arena, prompt_value *out)
{
    size_t fields = 1 + numbered;
    prompt_item *items = RDV_NEW_ARRAY(arena, prompt_item, n);
    prompt_value *values = RDV_NEW_ARRAY(arena, prompt_value, fields * n);
    if (!items || !values)
        return RDV_E_NOMEM;
    for (size_t i = 0; i < n; i++) {
        prompt_value *v = &values[fields * i];
        v[0] = (prompt_value){.name = RDV_STR("text"), .text = texts[pick ? pick[i] : i]};
        if (numbered)
            v[1] = (prompt_value){.name = RDV_STR("number"),
                                  .text = rdv_str_printf(arena, "%zu", i + 1)};
        if (numbered && !v[1].text.p)
            return RDV_E_NOMEM;
        items[i] = (prompt_item){v, fields};
    }
    out->items = items;
    out->n_items = n;
    out->list = true;
    return RDV_OK;
}

int prompt_sentences(const rdv_question *question, rdv_arena *arena, rdv_str **sentences, size_t *n,
                     rdv_error *err)
{
    *sentences = NULL;
    *n = 0;
    return question->text.p ? rdv_split_sentences(question->text, arena, sentences, n, err)
                            : RDV_OK;
}

static int fill_information(const prompt_subject *s, bool numbered, rdv_arena *arena,
                            prompt_value *out)
{
    rdv_str *sentences;
    size_t n;
    const prompt_citations *cited = s->cited;
    int r = prompt_sentences(s->question, arena, &sentences, &n, NULL);
    return r == RDV_OK ? fill_list(sentences, cited ? cited->information : NULL,
                                   cited ? cited->n_information : n, numbered, arena, out)
                       : r;
}

static int fill_known(const prompt_subject *s, variable which, bool numbered, rdv_arena *arena,
                      prompt_value *out)
{
    const prompt_citations *cited = s->cited;
    size_t before = s->asked < s->n_steps ? s->asked : s->n_steps;
    switch (which) {
    case CRITERIA:
        return fill_list(s->criteria, NULL, s->n_criteria, numbered, arena, out);
    case INFORMATION:
        return fill_information(s, numbered, arena, out);
    case OPTIONS:
        return fill_list(s->question->options, NULL, s->question->n_options, numbered, arena, out);
    case PREVIOUS:
        return fill_list(s->steps, cited ? cited->steps : NULL, cited ? cited->n_steps : before,
                         numbered, arena, out);
    case STEPS:
        return fill_list(s->steps, NULL, s->n_steps, numbered, arena, out);
    case NEXT:
    case NUMBER:
        out->text = rdv_str_printf(arena, "%zu", s->asked + (which == NEXT));
        return out->text.p ? RDV_OK : RDV_E_NOMEM;
    case INPUT:
        out->text = rdv_task_list(s->question);
        return RDV_OK;
    case KIND:
        out->text = s->type.p ? s->type : question_type_by_form(s->question);
        return RDV_OK;
    default:
        out->text = which == ANSWER         ? s->answer
                    : which == QUESTION     ? s->question->text
                    : s->asked < s->n_steps ? s->steps[s->asked]
                                            : RDV_STR("");
        return RDV_OK;
    }
}

/* Fills in the values of all variables that the prompt declares. */
static int fill_in(const prompt *p, const prompt_subject *s, rdv_profile profile, rdv_arena *arena,
                   prompt_value *values, size_t *n, rdv_error *err)
{
    rdv_str name;
    bool list, numbered;
    *n = 0;
    for (size_t i = 0; prompt_variable_at(p, i, &name, &list, &numbered); i++) {
        variable which = variable_named(name);
        prompt_value *v = &values[(*n)++];
        *v = (prompt_value){.name = name};
        if (profile == RDV_PAPER && prompt_variable_is_robust_only(p, i)) {
            v->list = list; /* empty */
            continue;
        }
        int r = which < N_VARIABLES ? fill_known(s, which, numbered, arena, v)
                : s->other          ? s->other(s->data, name, arena, &v->text)
                                    : RDV_NONE;
        if (r == RDV_E_NOMEM)
            return rdv_no_memory(err);
        if (r == RDV_NONE)
            --*n; /* the prompt reports the missing variable */
        if (!v->text.p)
            v->text = RDV_STR("");
    }
    return RDV_OK;
}

/* ---- prompts --------------------------------------------------------------------------------- */

static bool is_folder(rdv_str id)
{
    return rdv_ends(id, RDV_STR("/"));
}

static const prompt *find_in_folder(const rdv_prompts *prompts, rdv_str folder,
                                    const rdv_question *question, rdv_arena *arena, rdv_str *id)
{
    const rdv_task *task = rdv_task_of(question);
    *id = rdv_str_printf(arena, "%.*s%s", RDV_FMT(folder), task ? task->name : "other");
    const prompt *p = id->p ? prompt_named(prompts, *id) : NULL;
    if (p || !id->p)
        return p;
    *id = rdv_str_printf(arena, "%.*sother", RDV_FMT(folder));
    return id->p ? prompt_named(prompts, *id) : NULL;
}

int prompt_request(const prompt_subject *subject, rdv_str id, const rdv_plan *plan, node *n,
                   rdv_arena *arena, rdv_request *request, rdv_error *err)
{
    prompt_value values[PROMPT_MAX_VARIABLES];
    size_t n_values, n_messages;
    rdv_message *messages;
    const prompt *p = is_folder(id)
                          ? find_in_folder(plan->prompts, id, subject->question, arena, &id)
                          : prompt_named(plan->prompts, id);
    if (!p)
        return id.p ? rdv_fail(err, RDV_E_ARGUMENT, "there is no prompt %.*s", RDV_FMT(id))
                    : rdv_no_memory(err);
    prompt_subject typed = *subject;
    typed.type = plan->options.question_type;
    typed.criteria = plan->options.criteria;
    typed.n_criteria = plan->options.n_criteria;
    int r = fill_in(p, &typed, plan->options.profile, arena, values, &n_values, err);
    if (r == RDV_OK)
        r = prompt_render(p, values, n_values, arena, &messages, &n_messages, err);
    if (r == RDV_E_LIMIT) {
        n->why = RDV_STR("the prompt would be too large");
        return RDV_NONE;
    }
    if (r < 0)
        return r;
    request->prompt = id;
    request->messages = messages;
    request->n_messages = n_messages;
    if (messages[n_messages - 1].role == RDV_ASSISTANT)
        request->kind = RDV_REQUEST_CONTINUE; /* an open reply, which is continued */
    request->sampling = *prompt_sampling(p);
    if (!isnan(plan->options.temperature))
        request->sampling.temperature = plan->options.temperature;
    return reply_form_ask(p, plan, subject->n_steps, arena, request) == RDV_OK ? RDV_OK
                                                                               : rdv_no_memory(err);
}

/* ---- a method's prompts ---------------------------------------------------------------------- */

/* For a fault in a prompt: an added prompt is named with its file and line, any other with the
 * stage's line. */
static int prompt_fault_at(const prompt *p, rdv_str id, const stage *s, rdv_error *err,
                           const char *fmt, ...) RDV_PRINTF(5, 6);

static int prompt_fault_at(const prompt *p, rdv_str id, const stage *s, rdv_error *err,
                           const char *fmt, ...)
{
    char message[300];
    bool added;
    size_t line = prompt_variables_line(p, &added);
    va_list args;
    va_start(args, fmt);
    vsnprintf(message, sizeof message, fmt, args);
    va_end(args);
    return added
               ? rdv_fail(err, RDV_E_INPUT, "%.*s.md:%zu: %s", RDV_FMT(id), line, message)
               : rdv_fail(err, RDV_E_INPUT, "%zu: prompt %.*s: %s", s->line, RDV_FMT(id), message);
}

/* Writes "plan, answer", or "none". */
static void list_names(const rdv_str *names, size_t n, char *out, size_t size)
{
    size_t at = 0;
    snprintf(out, size, "none");
    for (size_t i = 0; i < n && at < size; i++)
        at += (size_t)snprintf(out + at, size - at, "%s%.*s", i ? ", " : "", RDV_FMT(names[i]));
}

static int check_variable(const prompt *p, rdv_str id, const stage *s, const rdv_str *found,
                          size_t n, size_t i, rdv_error *err)
{
    char waited_for[120];
    rdv_str name;
    bool list, numbered;
    size_t k = 0;
    prompt_variable_at(p, i, &name, &list, &numbered);
    variable which = variable_named(name);
    while (k < n && !rdv_str_eq(name, found[k]))
        k++;
    list_names(found, n, waited_for, sizeof waited_for);
    if (which == N_VARIABLES && k == n)
        return prompt_fault_at(p, id, s, err,
                               "%.*s is neither a variable of docs/methods.md nor the name of a "
                               "stage in `after` (%s)",
                               RDV_FMT(name), waited_for);
    if (which < N_VARIABLES && k < n)
        return prompt_fault_at(
            p, id, s, err,
            "%.*s is a variable of docs/methods.md and the name of a stage: give "
            "what the stage found another name (as)",
            RDV_FMT(name));
    bool of_chain = which < N_VARIABLES && which != INFORMATION && which != INPUT &&
                    which != KIND && which != CRITERIA && which != OPTIONS && which != QUESTION;
    if (s->of_question && of_chain)
        return prompt_fault_at(p, id, s, err,
                               "%.*s is of a chain, and the stage is asked \"per: question\"",
                               RDV_FMT(name));
    bool is_list = which < N_VARIABLES && variables[which].list;
    if (is_list != list)
        return prompt_fault_at(p, id, s, err, "%.*s is %s: declare %.*s%s", RDV_FMT(name),
                               is_list ? "a list" : "one text", RDV_FMT(name),
                               is_list ? "[text]" : "");
    return RDV_OK;
}

/* Whether an answer is a number that "read: number LOW to HIGH" takes. */
static bool is_in_range(rdv_str answer, const stage *s)
{
    char digits[32], *end;
    if (answer.len == 0 || answer.len >= sizeof digits || !rdv_is_digit(answer.p[answer.len - 1]) ||
        !(rdv_is_digit(answer.p[0]) || answer.p[0] == '-'))
        return false;
    memcpy(digits, answer.p, answer.len);
    digits[answer.len] = '\0';
    double is = strtod(digits, &end);
    return *end == '\0' && is >= s->low && is <= s->high;
}

/* Checks that samples of the prompt can differ. */
static int check_sampling(const prompt *p, rdv_str id, const stage *s, rdv_error *err)
{
    if (s->samples == 1 || prompt_sampling(p)->temperature != 0)
        return RDV_OK;
    return rdv_fail(err, RDV_E_INPUT,
                    "%zu: samples need a temperature above 0, and the prompt %.*s has 0", s->line,
                    RDV_FMT(id));
}

/* Checks that the answers that a prompt names are the words that the table reads. */
static int check_answers(const prompt *p, rdv_str id, const stage *s, rdv_error *err)
{
    const rdv_str *answers;
    size_t n, same = 0;
    bool reasoned;
    prompt_answers(p, &answers, &n, &reasoned);
    for (size_t i = 0; s->read == READER_NUMBER && i < n; i++)
        if (!is_in_range(answers[i], s))
            return rdv_fail(err, RDV_E_INPUT,
                            "%zu: \"%.*s\", an answer of the prompt %.*s, is no number from %g to "
                            "%g",
                            s->line, RDV_FMT(rdv_slice(answers[i], 0, 64)), RDV_FMT(id), s->low,
                            s->high);
    if (s->read != READER_CHOICE || !n)
        return RDV_OK;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < s->n_choices; k++)
            same += rdv_str_ieq(answers[i], s->choices[k].word);
    return same == n && n == s->n_choices
               ? RDV_OK
               : rdv_fail(err, RDV_E_INPUT,
                          "%zu: the answers of the prompt %.*s are not the words of \"read: "
                          "choice\"",
                          s->line, RDV_FMT(id));
}

static int check_prompt(const prompt *p, rdv_str id, const stage *s, const rdv_str *found, size_t n,
                        rdv_error *err)
{
    rdv_str name;
    bool list, numbered;
    int r = check_answers(p, id, s, err);
    if (r == RDV_OK)
        r = check_sampling(p, id, s, err);
    for (size_t i = 0; r == RDV_OK && prompt_variable_at(p, i, &name, &list, &numbered); i++)
        r = check_variable(p, id, s, found, n, i, err);
    return r;
}

int prompt_request_check(const rdv_prompts *prompts, const stage *s, const rdv_str *found, size_t n,
                         rdv_error *err)
{
    char path[200];
    size_t n_tasks;
    rdv_str id = s->prompt;
    const rdv_task *const *tasks = rdv_tasks(&n_tasks);
    const prompt *p = is_folder(id) ? NULL : prompt_named(prompts, id);
    if (p)
        return check_prompt(p, id, s, found, n, err);
    int r = RDV_OK;
    for (size_t i = 0; is_folder(id) && i <= n_tasks && r == RDV_OK; i++) {
        int len = snprintf(path, sizeof path, "%.*s%s", RDV_FMT(id),
                           i < n_tasks ? tasks[i]->name : "other");
        p = (size_t)len < sizeof path ? prompt_named(prompts, rdv_str_of(path)) : NULL;
        if (p)
            r = check_prompt(p, rdv_str_of(path), s, found, n, err);
    }
    if (r != RDV_OK || p)
        return r;
    const char *other = is_folder(id) ? "other" : "";
    return rdv_fail(err, RDV_E_INPUT,
                    "%zu: there is no file %.*s%s.md in the folder, and no built-in prompt %.*s%s",
                    s->line, RDV_FMT(id), other, RDV_FMT(id), other);
}
