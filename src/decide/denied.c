/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/denied.h"

#include "base/str.h"
#include "language/assertion.h"
#include "language/phrase.h"
#include "language/rule.h"

/* The end of a formula may stand between a claim and the words about it. */
static bool is_beside(char c)
{
    static const bool is[256] = {[' '] = true,  ['$'] = true, ['('] = true, [')'] = true,
                                 ['\\'] = true, ['['] = true, [']'] = true, ['"'] = true};
    return is[(unsigned char)c];
}

/* The rule by which the words before byte `begin` deny what follows. Only where the last of them
 * introduces it or denies by itself: "he cannot place 64 - 48 = 16 eggs" denies no calculation. */
static const rule *denied_before(const tokens *t, size_t begin)
{
    static phrase_list leads = {"@introduces-a-claim"};
    size_t end = begin, at;
    while (end > 0 && is_beside(t->text.p[end - 1]))
        end--;
    for (at = end; at > 0 && rdv_is_alpha(t->text.p[at - 1]);)
        at--;
    rdv_str word = rdv_slice(t->text, at, end);
    bool may = word.len && (phrase_is(word, &leads) || assertion_denies(t->rules, word));
    return may ? assertion_denied(t->rules, t->text, begin) : NULL;
}

/* "3 * 4 = 12, which is wrong": what the words are about ends before the comma. */
static size_t past_relative(rdv_str text, size_t end)
{
    static phrase_list relative = {", which"};
    while (end < text.len && is_beside(text.p[end]))
        end++;
    return end + phrase_at(text, end, &relative);
}

static bool may_support(const rdv_calc *calc)
{
    return (calc->kind == RDV_CALC_RIGHT || calc->kind == RDV_CALC_ROUNDED) && !calc->marked;
}

void denied_withhold(const tokens *t, size_t offset, size_t first, calc_list *found)
{
    size_t end;
    for (size_t i = first; i < found->n; i = end) {
        /* The links of a chain, "3 * 4 = 12 = 10 + 2", stand one behind the other. */
        const rdv_calc *last = calc_list_see(found, i);
        size_t begin = last->begin;
        bool may = may_support(last);
        for (end = i + 1; end < found->n; end++) {
            const rdv_calc *next = calc_list_see(found, end);
            if (next->begin <= last->begin || next->begin >= last->end)
                break;
            may |= may_support(next);
            last = next;
        }
        if (!may)
            continue;
        size_t behind = past_relative(t->text, last->end - offset);
        const rule *by = denied_before(t, begin - offset);
        by = by ? by : assertion_denied_behind(t->rules, t->text, behind, true);
        for (size_t k = i; by && k < end; k++)
            if (may_support(calc_list_see(found, k)))
                results_withhold(calc_list_at(found, k), by);
    }
}
