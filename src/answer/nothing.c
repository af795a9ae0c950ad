/* SPDX-License-Identifier: Apache-2.0 */
#include "answer/nothing.h"

#include "answer/announcement.h"
#include "answer/span.h"
#include "base/str.h"
#include "language/phrase.h"
#include "language/word_class.h"

#define LONGEST 200 /* bytes of such an answer */

/* What a word is: a bit for each class of words, and two for those that deny. */
enum word_is {
    HAS = 1u << 0,
    EXISTS = 1u << 1,
    SOLUTION = 1u << 2,
    EMPTY = 1u << 3,
    UNDEFINED = 1u << 4,
    INFINITE = 1u << 5,
    PLAIN = 1u << 6,
    SAYS_NO = 1u << 7,
    SAYS_NOT = 1u << 8
};

static unsigned class_of(rdv_str word)
{
    static phrase_list classes = {"has;have\nexist;exists\n@solution-noun\n"
                                  "empty;null;inconsistent\nundefined;dne\n"
                                  "infinite*;endless*;unlimited\n@beside-nothing"};
    if (word_find(word) & WORD_NONE) /* "no", "none", "nothing" */
        return word.len == 2 ? SAYS_NO : EMPTY;
    unsigned is = phrase_classes_in(word, &classes);
    return is ? is : word_denies(word) ? SAYS_NOT : 0;
}

static bool is_sign_of_empty(rdv_str s)
{
    static const char *const signs[] = {"\xe2\x88\x85", "\\emptyset", "\\varnothing",
                                        "{}",           "\\{\\}",     "\\{ \\}"};
    return rdv_is_one_of(s, signs, sizeof signs / sizeof *signs);
}

/* What all words are, together; 0: one of them is none of these, or there is a digit or sign. */
static unsigned classes_in(rdv_str s, bool *defined)
{
    unsigned all = 0;
    *defined = false;
    if (rdv_has_digit(s))
        return 0;
    for (size_t i = 0, begin; i < s.len; i++) {
        for (begin = i; i < s.len && (rdv_is_alpha(s.p[i]) || (s.p[i] == '\'' && i > begin));)
            i++;
        rdv_str word = rdv_slice(s, begin, i);
        unsigned is = word.len ? class_of(word) : 0;
        if (word.len && !is)
            return 0;
        all |= is;
        *defined = *defined || rdv_str_ieq(word, RDV_STR("defined"));
        if (i < s.len && s.p[i] && !RDV_IS_IN(s.p[i], " ,.!*{}\\$"))
            return 0;
    }
    return all;
}

/* May it be a sentence that says so: words of four letters, and no formula? */
static bool may_say(rdv_str s)
{
    bool word = false;
    for (size_t i = 0; i < s.len; i++) {
        if (RDV_IS_IN(s.p[i], "\\^=_<>{"))
            return false;
        size_t end = rdv_skip_letters(s, i);
        word = word || end > i + 3;
        i = end > i ? end - 1 : i;
    }
    return word;
}

/* "No solution is negative." says of which kind solutions are. */
static bool ends_in_kind(rdv_str s)
{
    static phrase_list kinds = {"@some-numbers;finite;real;common"};
    size_t end = s.len, begin;
    while (end > 0 && !rdv_is_alpha(s.p[end - 1]))
        end--;
    for (begin = end; begin > 0 && rdv_is_alpha(s.p[begin - 1]);)
        begin--;
    rdv_str before = rdv_slice(s, 0, begin);
    return phrase_is(rdv_slice(s, begin, end), &kinds) &&
           (rdv_ends(before, RDV_STR(" is ")) || rdv_ends(before, RDV_STR(" are ")));
}

/* "The lines are parallel, so the system has none": whatever the words before are. */
static bool ends_in_none(rdv_str s)
{
    static phrase_list ends = {"has none;have none;there are none;there is none"};
    return phrase_before(s, &ends) < s.len && !rdv_has_digit(s);
}

nothing_is nothing_of(rdv_str answer)
{
    rdv_str s = answer_trim_marks(rdv_trim(answer));
    while (s.len > 1 && s.p[0] == '$' && s.p[s.len - 1] == '$')
        s = rdv_trim(rdv_slice(s, 1, s.len - 1));
    bool defined = false;
    if (is_sign_of_empty(s) || is_sign_of_empty(rdv_trim(answer)))
        return NOTHING_EMPTY;
    if (!s.len || s.len > LONGEST)
        return NOTHING_NOT;
    unsigned is = ends_in_kind(s) ? 0 : classes_in(s, &defined);
    bool denied = is & (SAYS_NO | SAYS_NOT);
    if ((is & UNDEFINED) || ((is & SAYS_NOT) && defined))
        return NOTHING_UNDEFINED;
    if ((is & INFINITE) && !denied)
        return NOTHING_ENDLESS;
    bool solution =
        (is & SOLUTION) && ((is & SAYS_NO) || ((is & SAYS_NOT) && (is & (HAS | EXISTS))));
    if (solution || (is & EMPTY) || ends_in_none(s))
        return NOTHING_EMPTY;
    if (denied && (is & EXISTS))
        return NOTHING_UNDEFINED;
    static const char *const values[] = {"infinity", "\xe2\x88\x9e"};
    bool value = rdv_is_one_of(s, values, sizeof values / sizeof *values);
    return !value && may_say(s) && announcement_of_none(s) ? NOTHING_UNKNOWN : NOTHING_NOT;
}
