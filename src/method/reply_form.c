/* SPDX-License-Identifier: Apache-2.0 */
#include "method/reply_form.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "plan/request.h"

#define MOST_ANSWERS 512 /* with more, a server's schema would be too large */

/* True if the answer stands for one answer per step. *at: the offset of "@0" or "@1" in it. */
static bool is_of_steps(rdv_str answer, size_t *at)
{
    *at = rdv_find(answer, RDV_STR("@0"), 0);
    if (*at == RDV_NOT_FOUND)
        *at = rdv_find(answer, RDV_STR("@1"), 0);
    return *at != RDV_NOT_FOUND;
}

/* The answer for a step, counted from 0. p == NULL: out of memory. */
static rdv_str of_step(rdv_str answer, size_t at, size_t step, rdv_arena *arena)
{
    size_t number = step + (size_t)(answer.p[at + 1] - '0');
    return rdv_str_printf(arena, "%.*s%zu%.*s", RDV_FMT(rdv_slice(answer, 0, at)), number,
                          RDV_FMT(rdv_slice(answer, at + 2, answer.len)));
}

int reply_form_remind(const rdv_str *answers, size_t n, bool reasoned, size_t n_steps,
                      rdv_arena *arena, rdv_str *out)
{
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    rdv_buf_add(&b, reasoned ? RDV_STR("End your reply with one of these, and write nothing behind "
                                       "it:")
                             : RDV_STR("Reply with one of these, and with nothing else:"));
    for (size_t i = 0, at; i < n; i++) {
        const char *before = i ? ", " : " ";
        if (is_of_steps(answers[i], &at) && n_steps) {
            rdv_str first = of_step(answers[i], at, 0, arena);
            rdv_str last = of_step(answers[i], at, n_steps - 1, arena);
            if (!first.p || !last.p)
                return RDV_E_NOMEM;
            rdv_buf_printf(&b, "%s\"%.*s\"", before, RDV_FMT(first));
            if (n_steps > 1)
                rdv_buf_printf(&b, " to \"%.*s\"", RDV_FMT(last));
        } else {
            rdv_buf_printf(&b, "%s\"%.*s\"", before, RDV_FMT(answers[i]));
        }
    }
    rdv_buf_lit(&b, ".");
    *out = rdv_buf_str(&b);
    return rdv_buf_ok(&b) ? RDV_OK : RDV_E_NOMEM;
}

/* Lists every answer; those of steps once for each step. `unclear`: and a word for a model that
 * cannot tell but is held to the list, which no reader reads. */
static int list_answers(const rdv_str *answers, size_t n, size_t n_steps, bool unclear,
                        rdv_arena *arena, rdv_request *request)
{
    rdv_str *all = NULL;
    size_t count = 0, cap = 0;
    for (size_t i = 0, at; i < n; i++) {
        bool of_steps = is_of_steps(answers[i], &at);
        for (size_t k = 0; k < (of_steps ? n_steps : 1); k++) {
            rdv_str one = of_steps ? of_step(answers[i], at, k, arena) : answers[i];
            if (count == MOST_ANSWERS)
                return RDV_OK;
            if (!one.p || !RDV_PUSH_ROOM(arena, all, count, cap))
                return RDV_E_NOMEM;
            all[count++] = one;
        }
    }
    if (unclear && !RDV_PUSH_ROOM(arena, all, count, cap))
        return RDV_E_NOMEM;
    if (unclear)
        all[count++] = RDV_STR("Unclear");
    request->answers = all;
    request->n_answers = count;
    return RDV_OK;
}

/* Are they "Yes" and "No", the whole of a reply? */
static bool is_bare_yes_no(const rdv_str *answers, size_t n, bool reasoned)
{
    return !reasoned && n == 2 && rdv_str_ieq(answers[0], RDV_STR("yes")) &&
           rdv_str_ieq(answers[1], RDV_STR("no"));
}

int reply_form_ask(const prompt *p, const rdv_plan *plan, size_t n_steps, rdv_arena *arena,
                   rdv_request *request)
{
    const rdv_str *answers;
    size_t n;
    bool reasoned;
    prompt_answers(p, &answers, &n, &reasoned);
    if (n == 0)
        return RDV_OK;
    if (reply_form_remind(answers, n, reasoned, n_steps, arena, &request->reminder) < 0)
        return RDV_E_NOMEM;
    const rdv_plan_options *o = &plan->options;
    bool offers = !o->no_structured && o->profile != RDV_PAPER && prompt_is_compiled_in(p);
    if (!o->structured && !offers)
        return RDV_OK;
    bool unclear = !o->structured && is_bare_yes_no(answers, n, reasoned);
    if (list_answers(answers, n, n_steps, unclear, arena, request) < 0)
        return RDV_E_NOMEM;
    request->reasoned = reasoned;
    request->offered = request->n_answers && !o->structured;
    if (request->n_answers && o->structured && request->sampling.max_tokens)
        request->sampling.max_tokens += REQUEST_SCHEMA_TOKENS;
    return RDV_OK;
}
