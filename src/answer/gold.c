/* SPDX-License-Identifier: Apache-2.0 */
#include "answer/gold.h"

#include "answer/announcement.h"
#include "answer/answer_cue.h"
#include "answer/statement.h"
#include "base/str.h"
#include "language/phrase.h"

/* Is it a word of prose? Names of units may have two letters. */
static bool is_prose_word(rdv_str word)
{
    static phrase_list words = {"@two-letter-prose"};
    return word.len > 2 || phrase_is(word, &words);
}

/* Are there words outside of the box that are no commands of LaTeX? */
static bool has_prose(rdv_str gold, rdv_str box)
{
    for (size_t i = 0, begin; i < gold.len; i++) {
        if (gold.p + i == box.p)
            i += box.len;
        begin = i;
        i = rdv_skip_letters(gold, i);
        bool command = begin > 0 && begin <= gold.len && gold.p[begin - 1] == '\\';
        if (!command && is_prose_word(rdv_slice(gold, begin, i)))
            return true;
    }
    return false;
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
    if (rdv_is_whole(gold)) /* as most are */
        return gold;
    if (mark != RDV_NOT_FOUND)
        return rdv_slice(gold, mark + 4, gold.len);
    if (answer_last_box(gold, true, &found) && has_prose(gold, found))
        return found;
    return announced_value(gold, &found) ? found : gold;
}
