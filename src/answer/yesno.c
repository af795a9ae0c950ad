/* SPDX-License-Identifier: Apache-2.0 */
#include "answer/yesno.h"

#include "base/str.h"

static const struct {
    const char *word;
    bool yes;
} words[] = {{"yes", true}, {"true", true},   {"plausible", true},
             {"no", false}, {"false", false}, {"implausible", false}};

/* The next word of letters at or after byte *at. */
static bool next_word(rdv_str s, size_t *at, rdv_str *word)
{
    size_t begin = *at;
    while (begin < s.len && !rdv_is_alpha(s.p[begin]))
        begin++;
    size_t end = begin;
    while (end < s.len && rdv_is_alpha(s.p[end]))
        end++;
    *at = end;
    *word = rdv_slice(s, begin, end);
    return begin < end;
}

bool answer_next_yesno(rdv_str text, size_t *at, rdv_str *out, bool *yes)
{
    rdv_str word, before = {0};
    while (next_word(text, at, &word)) {
        for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
            if (!rdv_str_ieq(word, rdv_str_of(words[k].word)))
                continue;
            bool negated = words[k].yes && rdv_str_ieq(before, RDV_STR("not"));
            *yes = words[k].yes != negated;
            *out = negated ? (rdv_str){before.p, (size_t)(word.p + word.len - before.p)} : word;
            return true;
        }
        before = word;
    }
    return false;
}
