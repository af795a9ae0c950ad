/* SPDX-License-Identifier: Apache-2.0 */
#include "search/chain_end.h"

#include "answer/read.h"
#include "answer/statement.h"
#include "base/str.h"
#include "task/task.h"

#define DISPLAY_MOST 16 /* steps of displayed maths; what is open longer was never meant to close */

/* ---- by the paper's words -------------------------------------------------------------------- */

/* "So the answer is" with no word behind it. */
static int empty_answer(rdv_str step, rdv_answer *out)
{
    size_t at = rdv_find_last(step, RDV_STR("he answer is"));
    if (at == RDV_NOT_FOUND || at == 0 || rdv_lower(step.p[at - 1]) != 't')
        return RDV_NONE;
    *out = (rdv_answer){.text = rdv_slice(step, step.len, step.len), .by = RDV_ANSWER_BY_PHRASE};
    return RDV_OK;
}

static int by_papers_words(rdv_str step, rdv_answer *out)
{
    return rdv_answer_read_bigbench(step, out) == RDV_OK ? RDV_OK : empty_answer(step, out);
}

/* ---- by any announcement --------------------------------------------------------------------- */

/* Is the line one that opens displayed maths, "\[", or closes it? "$$" does both. */
static bool opens_display(rdv_str line)
{
    return rdv_ends(line, RDV_STR("\\[")) || rdv_str_eq(line, RDV_STR("$$"));
}

static bool closes_display(rdv_str line)
{
    return rdv_starts(line, RDV_STR("\\]")) || rdv_str_eq(line, RDV_STR("$$"));
}

/* The step with which the displayed maths of the last step begins; that step, if it is not in any.
 * *open: whether it goes on behind the last step. */
static size_t display_begin(const rdv_str *steps, size_t n, bool *open)
{
    size_t least = n > DISPLAY_MOST ? n - DISPLAY_MOST : 0, begin = n - 1;
    *open = false;
    for (size_t i = least; i < n; i++) {
        rdv_str line = rdv_trim(steps[i]);
        if (*open && closes_display(line)) {
            *open = false;
            begin = i + 1 == n ? begin : n - 1;
        } else if (!*open && opens_display(line)) {
            *open = true;
            begin = i;
        }
    }
    return begin;
}

static rdv_str without_marks(rdv_str step)
{
    while (step.len && step.p[step.len - 1] && strchr(" *_\",", step.p[step.len - 1]))
        step.len--;
    return step;
}

static bool announces_more(rdv_str step)
{
    step = without_marks(step);
    return rdv_ends(step, RDV_STR(":")) || rdv_ends(step, RDV_STR("\xef\xbc\x9a"));
}

/* "Let us calculate the answer:" does not say that the next step is the answer, as "Final answer:"
 * and "The answer is:" do. */
static bool only_names_answer(rdv_str step)
{
    size_t words = 0;
    step = without_marks(step);
    for (size_t i = 0; i < step.len; i++)
        words += rdv_is_alpha(step.p[i]) && !(i > 0 && rdv_is_alpha(step.p[i - 1]));
    return words > 3 &&
           (rdv_ends(step, RDV_STR("answer:")) || rdv_ends(step, RDV_STR("answers:")));
}

/* "#### Case 1" is a title: behind the mark stands a word, and the answer is not one that is
 * nothing but a word. */
static bool is_title(const rdv_answer_form *form, rdv_str step, const rdv_answer *found)
{
    if (found->by != RDV_ANSWER_BY_MARK)
        return false;
    bool word = form->kind == RDV_KIND_YESNO || form->kind == RDV_KIND_YESNO_MAYBE ||
                form->kind == RDV_KIND_OPTION;
    size_t mark = rdv_find_last(rdv_slice(step, 0, found->begin), RDV_STR("####"));
    rdv_str behind = rdv_slice(step, mark + 4, rdv_find_char(step, '\n', found->begin));
    return statement_has_word(behind) && !(word && rdv_str_eq(rdv_trim(behind), found->text));
}

/* The answer that the steps from `begin` on announce, the first `past` of them left out of account.
 */
static int announced(const rdv_answer_form *form, const rdv_str *steps, size_t begin, size_t n,
                     size_t past, rdv_answer *out)
{
    rdv_str window[DISPLAY_MOST + 2];
    size_t n_window = 0;
    for (size_t i = begin; i < n; i++)
        window[n_window++] = steps[i];
    /* What begins a chain goes on: "Answer: ..." is its title. */
    if (begin == 0)
        window[n_window++] = RDV_STR(".");
    answer_search met;
    rdv_answer found;
    if (answer_read_steps(window, n_window, form, &found, &met) != RDV_OK || !met.announced ||
        met.none || met.titled)
        return RDV_NONE;
    bool chosen = !met.unread || form->kind != RDV_KIND_OPTION;
    if (!chosen || found.step < past || !found.text.len ||
        is_title(form, window[found.step], &found))
        return RDV_NONE;
    *out = (rdv_answer){.text = found.text, .by = found.by};
    return RDV_OK;
}

/* May the answer be no text at all? */
static bool may_be_empty(const rdv_question *question, const rdv_answer_form *form)
{
    const rdv_task *task = rdv_task_of(question);
    return form->kind == RDV_KIND_TEXT || (task && task->kind == RDV_KIND_TEXT);
}

static int by_announcement(const rdv_question *question, const rdv_str *steps, size_t n,
                           rdv_answer *out)
{
    const rdv_answer_form form = rdv_answer_form_of(question);
    rdv_answer said;
    bool open;
    size_t begin = display_begin(steps, n, &open);
    if (open || announces_more(steps[n - 1]))
        return RDV_NONE;
    if (announced(&form, steps, begin, n, 0, out) == RDV_OK)
        return RDV_OK;
    if (begin > 0 && !only_names_answer(steps[begin - 1]) &&
        announced(&form, steps, begin - 1, n, 1, out) == RDV_OK)
        return RDV_OK;
    if (rdv_answer_read_bigbench(steps[n - 1], &said) == RDV_OK || !may_be_empty(question, &form))
        return RDV_NONE;
    return empty_answer(steps[n - 1], out);
}

int chain_end_answer(rdv_profile profile, const rdv_question *question, const rdv_str *steps,
                     size_t n, rdv_answer *out)
{
    return profile == RDV_PAPER ? by_papers_words(steps[n - 1], out)
                                : by_announcement(question, steps, n, out);
}
