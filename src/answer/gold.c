/* SPDX-License-Identifier: Apache-2.0 */
#include "answer/gold.h"

#include "answer/announcement.h"
#include "answer/answer_cue.h"
#include "answer/statement.h"
#include "base/str.h"

/* Are there words outside of the box: three letters in a row that are no command of LaTeX? */
static bool has_prose(rdv_str gold, rdv_str box)
{
    size_t letters = 0;
    for (size_t i = 0; i < gold.len && letters < 3; i++) {
        size_t inside = gold.p + i >= box.p ? (size_t)(gold.p + i - box.p) : box.len;
        while (i < gold.len && gold.p[i] == '\\')
            for (i++; i < gold.len && rdv_is_alpha(gold.p[i]);)
                i++;
        bool letter = i < gold.len && inside >= box.len && rdv_is_alpha(gold.p[i]);
        letters = letter ? letters + 1 : 0;
    }
    return letters == 3;
}

/* What is announced, where it is a number or a formula: other words may be the answer's own. */
static bool announced_value(rdv_str gold, rdv_str *out)
{
    announcement a;
    for (size_t before = gold.len; announcement_before(gold, &before, &a);) {
        bool shout = rdv_ends(a.span, RDV_STR("!")); /* "the answer is 3!" may be 6 */
        if (a.free || a.none || shout || !statement_maths(a.span, RDV_ANSWER_BY_PHRASE, out))
            continue;
        for (size_t i = 0; i < out->len; i++)
            if (rdv_is_digit(out->p[i]) || out->p[i] == '\\' || out->len == 1)
                return true;
    }
    return false;
}

rdv_str gold_answer(rdv_str gold)
{
    size_t mark = rdv_find_last(gold, RDV_STR("####"));
    rdv_str found;
    if (mark != RDV_NOT_FOUND)
        return rdv_slice(gold, mark + 4, gold.len);
    if (answer_last_box(gold, true, &found) && has_prose(gold, found))
        return found;
    return announced_value(gold, &found) ? found : gold;
}
