/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/later/refuted.h"

#include "base/str.h"
#include "decide/results.h"
#include "language/assertion.h"
#include "language/cue.h"
#include "language/rule.h"

#define SENTENCES 5 /* from the one that supposes something to that of the claim */

/* Does the sentence have a cue of this effect, of a row that is not switched off? */
static bool says(const rule_set *rules, rdv_str sentence, rule_effect effect)
{
    cue_text words;
    assertion_cue hit;
    cue_text_of(sentence, &words);
    bool found = assertion_cues(&words, rule_effects(effect, effect), &hit, 1);
    const rule *by = found ? rule_set_find(rules, hit.rule->id) : NULL;
    return by && !by->off;
}

/* The sentence before byte `at`, near it, that supposes something; p == NULL: none does. */
static rdv_str supposition_before(const rule_set *rules, rdv_str text, size_t at)
{
    size_t end = at;
    for (size_t i = 0; i < SENTENCES && end > 0; i++) {
        size_t begin = cue_sentence_begin(text, end - 1);
        if (says(rules, rdv_slice(text, begin, end), EFFECT_HYPOTHESIS))
            return rdv_slice(text, begin, end);
        end = begin;
    }
    return (rdv_str){0};
}

/* What is supposed next ends the supposition before. */
static rdv_str supposition_after(const rule_set *rules, rdv_str text, size_t end)
{
    rdv_str near = rdv_slice(text, 0, end + CUE_BEHIND_MOST);
    size_t last = cue_sentence_end(near, end), next;
    while (last < near.len) {
        next = cue_sentence_end(near, last);
        if (says(rules, rdv_slice(near, last, next), EFFECT_HYPOTHESIS))
            break;
        last = next;
    }
    return rdv_slice(near, end, last);
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
    rdv_str supposed = supposition_before(rules, text, begin);
    if (!supposed.p || !(says(rules, supposed, EFFECT_CONTRADICTION) ||
                         assertion_refuted(rules, supposition_after(rules, text, end), 0)))
        return NULL;
    const rule *by = rule_set_find(rules, RDV_STR("supposed"));
    return by && !by->off ? by : NULL;
}

void refuted_mark(const chain_text *of, step_calcs *steps, size_t n_thought, const rule_set *rules)
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
