/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/later/refuted.h"

#include "base/str.h"
#include "decide/results.h"
#include "language/assertion.h"
#include "language/cue.h"
#include "language/phrase.h"
#include "language/rule.h"

#define SENTENCES 5 /* from the one that supposes something to that of the claim */
#define REACH 400   /* bytes behind the claim in which it is refuted */

/* The byte at which a word of the sentence stands that supposes something: "Now suppose that". */
static bool supposes(rdv_str text, size_t begin)
{
    static phrase_list words = {"suppose;supposing;assume;assuming;if;imagine;case;setting;need;"
                                "require;want;must;would"},
                       before = {"so;now;but;and;then;let us;let's;let’s;next;first;second;we"};
    size_t length = 1;
    while (begin < text.len && length) {
        while (begin < text.len && strchr(" \n\t,*-", text.p[begin]))
            begin++;
        if (phrase_at(text, begin, &words))
            return true;
        length = phrase_at(text, begin, &before);
        begin += length;
    }
    return false;
}

/* The sentence before byte `at`, near it, that supposes something; p == NULL: none does. */
static rdv_str supposition_before(rdv_str text, size_t at)
{
    size_t end = at;
    for (size_t i = 0; i < SENTENCES && end > 0; i++) {
        size_t begin = cue_sentence_begin(text, end - 1);
        if (supposes(text, begin))
            return rdv_slice(text, begin, end);
        end = begin;
    }
    return (rdv_str){0};
}

/* What is supposed next ends the supposition before. */
static rdv_str supposition_after(rdv_str text, size_t end)
{
    size_t last = end + REACH < text.len ? end + REACH : text.len, i = end;
    while (i < last && !((text.p[i] == '.' || text.p[i] == '\n') && supposes(text, i + 1)))
        i++;
    return rdv_slice(text, end, i);
}

/* The rule by which what follows byte `end` takes back what stands before it; NULL: nothing does. A
 * doubt of the next step, "Hmm", is none. */
static const rule *taken_back_by(rdv_str text, size_t end, const rule_set *rules)
{
    const rule *by = assertion_denied_behind(rules, text, end, true);
    by = by ? by : assertion_denied_behind(rules, text, end, false);
    return by && rdv_str_eq(by->id, RDV_STR("doubted")) ? NULL : by;
}

/* The rule by which what stands in bytes `begin` to `end` is supposed and then refuted. */
static const rule *refuted_by(rdv_str text, size_t begin, size_t end, const rule_set *rules)
{
    static phrase_list refutes = {"contradiction;the contrary;the opposite;reductio"};
    rdv_str supposed = supposition_before(text, begin);
    if (!supposed.p || !(phrase_in(supposed, &refutes) ||
                         assertion_refuted(rules, supposition_after(text, end), 0)))
        return NULL;
    const rule *by = rule_set_find(rules, RDV_STR("supposed"));
    return by && !by->off ? by : NULL;
}

void refuted_mark(const chain_text *of, step_calcs *steps, size_t n_thought,
                  const rule_set *rules)
{
    for (size_t i = 0; i < n_thought; i++)
        for (size_t k = 0; k < steps[i].calcs.n; k++) {
            const rdv_calc *c = calc_list_see(&steps[i].calcs, k);
            if (c->kind != RDV_CALC_WRONG || c->marked)
                continue;
            size_t begin = of->begin[i] + c->begin, end = of->begin[i] + c->end;
            const rule *by = taken_back_by(of->text, end, rules);
            by = by ? by : refuted_by(of->text, begin, end, rules);
            if (by)
                results_withhold(calc_list_at(&steps[i].calcs, k), by);
        }
}
