/* SPDX-License-Identifier: Apache-2.0 */
#include "grade/chain/chain_answer.h"

#include "answer/announcement.h"
#include "answer/number_words.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "grade/turn.h"
#include "language/rule.h"

static bool is_maths(const rdv_answer_form *form)
{
    return form->kind == RDV_KIND_NUMBER || form->kind == RDV_KIND_LATEX;
}

/* Nothing, or words that multiply what stands before them: "a dozen". */
static bool is_scale(rdv_str words)
{
    size_t end;
    return !words.len ||
           (announcement_row_at(words, 0, 1u << EFFECT_SCALE, &end) && end == words.len);
}

static bool is_number_in_words(rdv_str s)
{
    uint64_t part, of;
    rdv_str rest;
    return number_words_read(s, &part) || fraction_words_read(s, &part, &of) ||
           (counted_words_read(s, &part, &of, &rest) && is_scale(rest));
}

/* A reply of one step that is a number in words, though nothing announces it. */
static int read_words(const rdv_chain *chain, const rdv_answer_form *form, rdv_answer *out)
{
    size_t first = chain->n_reasoning_steps;
    if (!is_maths(form) || chain->n_steps != first + 1)
        return RDV_NONE;
    rdv_str step = chain->steps[first], words = rdv_trim(step);
    if (rdv_ends(words, RDV_STR(".")))
        words.len--;
    if (!is_number_in_words(words))
        return RDV_NONE;
    *out = (rdv_answer){words, first, (size_t)(words.p - step.p), RDV_ANSWER_BY_PLACE};
    return RDV_OK;
}

int chain_answer_read(const rdv_chain *chain, const rdv_answer_form *form, rdv_arena *arena,
                      rdv_answer *out, rdv_error *err)
{
    size_t first = chain->n_reasoning_steps;
    rdv_answer read;
    if (chain->unfinished.p || chain->n_steps == first)
        return RDV_NONE;
    if (rdv_answer_read_steps(chain->steps + first, chain->n_steps - first, form, &read) != RDV_OK)
        return read_words(chain, form, out);
    read.step += first;
    int code = is_maths(form)
                   ? turn_with_sum(chain->steps[read.step], read.text, arena, &read.text, err)
                   : RDV_OK;
    if (code != RDV_OK)
        return code;
    *out = read;
    return RDV_OK;
}

int chain_answer_with_words(const rdv_chain *chain, const rdv_answer_form *form,
                            const rdv_answer *read, rdv_arena *arena, rdv_str *out, rdv_error *err)
{
    *out = read->text;
    return is_maths(form)
               ? turn_with_words(chain->steps[read->step], read->text, chain->question.gold,
                                 chain->question.text, arena, out, err)
               : RDV_OK;
}

int chain_answer_is_read(const rdv_chain *chain, const rdv_answer_form *form, rdv_arena *arena,
                         bool *is, rdv_error *err)
{
    rdv_answer read;
    *is = false;
    if (!chain->answer.p)
        return RDV_OK;
    int code = chain_answer_read(chain, form, arena, &read, err);
    *is = code == RDV_OK && rdv_str_eq(read.text, chain->answer);
    return code < 0 ? code : RDV_OK;
}

int chain_answer_reply(const rdv_chain *chain, rdv_arena *arena, rdv_str *out, rdv_error *err)
{
    size_t first = chain->n_reasoning_steps, n = chain->n_steps - first;
    *out = (rdv_str){0};
    if (chain->unfinished.p || n == 0)
        return RDV_OK;
    if (n == 1) {
        *out = chain->steps[first];
        return RDV_OK;
    }
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    for (size_t i = first; i < chain->n_steps; i++) {
        if (i > first)
            rdv_buf_add_char(&b, '\n');
        rdv_buf_add(&b, chain->steps[i]);
    }
    *out = rdv_buf_str(&b);
    return out->p ? RDV_OK : rdv_no_memory(err);
}
