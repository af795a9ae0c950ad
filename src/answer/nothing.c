/* SPDX-License-Identifier: Apache-2.0 */
#include "answer/nothing.h"

#include "answer/announcement.h"
#include "answer/span.h"
#include "base/str.h"
#include "language/phrase.h"

#define LONGEST 200 /* bytes of such an answer */

enum word_is {
    SAYS_NO = 1u << 0,
    SAYS_NOT = 1u << 1,
    HAS = 1u << 2,
    EXISTS = 1u << 3,
    SOLUTION = 1u << 4,
    EMPTY = 1u << 5,
    UNDEFINED = 1u << 6,
    INFINITE = 1u << 7,
    NONE = 1u << 8,
    PLAIN = 1u << 9
};

static const struct {
    const char *words; /* with a blank before and behind each */
    unsigned is;
} classes[] = {
    {" no ", SAYS_NO},
    {" not doesn't don't isn't doesnt hasn't ", SAYS_NOT},
    {" has have ", HAS},
    {" exist exists ", EXISTS},
    {" solution solutions root roots value values answer answers number numbers integer integers "
     "pair "
     "pairs x n ",
     SOLUTION},
    {" empty null inconsistent ", EMPTY},
    {" undefined dne ", UNDEFINED},
    {" infinite infinitely endless unlimited endlessly ", INFINITE},
    {" none nothing ", NONE},
    {" a an the there is are it its this that these we so thus hence therefore of to in for any "
     "such "
     "real rational positive negative natural valid possible finite whole many set does do be "
     "which "
     "satisfy satisfies equation equations system problem inequality limit integral series "
     "derivative "
     "function sum expression defined text final common also there's it's hold holds true work "
     "works "
     "both conditions condition constraints reals at can over ",
     PLAIN},
};

static unsigned class_of(rdv_str word)
{
    char between[20]; /* longer than any word with its blanks */
    if (word.len > sizeof between - 2)
        return 0;
    between[0] = between[word.len + 1] = ' ';
    for (size_t i = 0; i < word.len; i++)
        between[i + 1] = rdv_lower(word.p[i]);
    for (size_t k = 0; k < sizeof classes / sizeof *classes; k++)
        if (memmem(classes[k].words, strlen(classes[k].words), between, word.len + 2))
            return classes[k].is;
    return 0;
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
    static phrase_list kinds = {"@kind-of-number"};
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
    static const char *const ends[] = {" has none", " have none", "there are none",
                                       "there is none"};
    bool none = false;
    for (size_t k = 0; k < sizeof ends / sizeof *ends; k++) {
        size_t len = strlen(ends[k]);
        none = none ||
               (s.len >= len && rdv_str_ieq(rdv_slice(s, s.len - len, s.len), rdv_str_of(ends[k])));
    }
    return none && !rdv_has_digit(s);
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
    if (solution || (is & (EMPTY | NONE)) || ends_in_none(s))
        return NOTHING_EMPTY;
    if (denied && (is & EXISTS))
        return NOTHING_UNDEFINED;
    static const char *const values[] = {"infinity", "\xe2\x88\x9e"};
    bool value = rdv_is_one_of(s, values, sizeof values / sizeof *values);
    return !value && may_say(s) && announcement_of_none(s) ? NOTHING_UNKNOWN : NOTHING_NOT;
}
