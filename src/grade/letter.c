/* SPDX-License-Identifier: Apache-2.0 */
#include "grade/letter.h"

#include "base/arena.h"
#include "base/str.h"

/* Answers longer than this keep their letters. */
#define ANSWER_MAX 1000

static rdv_str without_marks(rdv_str s)
{
    s = rdv_trim(s);
    while (s.len && s.p[s.len - 1] && strchr("$.} ", s.p[s.len - 1]))
        s = rdv_slice(s, 0, s.len - 1);
    return s;
}

/* Where the constant in "... + C" at the end stands, or RDV_NOT_FOUND. */
static size_t constant_at(rdv_str s)
{
    s = without_marks(s);
    size_t i = s.len;
    if (i < 3 || !strchr("CcKk", s.p[i - 1]))
        return RDV_NOT_FOUND;
    for (i--; s.p[i - 1] == ' ';) /* there is more than blanks before it */
        i--;
    return s.p[i - 1] == '+' ? s.len - 1 : RDV_NOT_FOUND;
}

/* Where the letter of "n \in \mathbb{Z}" at the end stands, or RDV_NOT_FOUND. */
static size_t counter_at(rdv_str s)
{
    static const char *const integers[] = {"\\mathbb{Z", "\\mathbb Z", "\\mathbb{Z}",
                                           "\\mathbf{Z", "Z",          "\xe2\x84\xa4"};
    s = without_marks(s);
    for (size_t k = 0; k < sizeof integers / sizeof *integers; k++) {
        rdv_str set = rdv_str_of(integers[k]);
        if (!rdv_ends(s, set))
            continue;
        rdv_str rest = rdv_trim_end(rdv_slice(s, 0, s.len - set.len));
        rdv_str in = RDV_STR("\\in"), sign = RDV_STR("\xe2\x88\x88");
        size_t cut = rdv_ends(rest, in) ? in.len : rdv_ends(rest, sign) ? sign.len : 0;
        rest = rdv_trim_end(rdv_slice(rest, 0, rest.len - cut));
        bool lone = rest.len > 1 && rdv_is_alpha(rest.p[rest.len - 1]) &&
                    !rdv_is_alpha(rest.p[rest.len - 2]) && rest.p[rest.len - 2] != '\\';
        if (cut && lone)
            return rest.len - 1 + (size_t)(rest.p - s.p);
    }
    return RDV_NOT_FOUND;
}

/* Is the letter at byte `i` a name, and not part of a command? */
static bool is_name(rdv_str s, size_t i)
{
    size_t begin = i;
    while (begin > 0 && rdv_is_alpha(s.p[begin - 1]))
        begin--;
    return begin == 0 || s.p[begin - 1] != '\\';
}

static bool occurs(rdv_str s, char letter)
{
    for (size_t i = 0; i < s.len; i++)
        if (s.p[i] == letter && is_name(s, i))
            return true;
    return false;
}

/* `answer` with `to` for the letter `from`, unless it has `to` already. */
static rdv_str renamed(rdv_str answer, char from, char to, rdv_arena *arena)
{
    if (from == to || occurs(answer, to))
        return answer;
    rdv_str copy = rdv_str_copy(arena, answer);
    for (size_t i = 0; copy.p && i < copy.len; i++)
        if (answer.p[i] == from && is_name(answer, i))
            ((char *)copy.p)[i] = to;
    return copy;
}

rdv_str letter_as_in_gold(rdv_str answer, rdv_str gold, rdv_arena *arena)
{
    if (answer.len > ANSWER_MAX || gold.len > ANSWER_MAX)
        return answer;
    rdv_str bare = rdv_trim(answer), trimmed = rdv_trim(gold);
    size_t a = constant_at(bare), g = constant_at(trimmed);
    if (a == RDV_NOT_FOUND || g == RDV_NOT_FOUND) {
        a = counter_at(bare);
        g = counter_at(trimmed);
    }
    if (a == RDV_NOT_FOUND || g == RDV_NOT_FOUND)
        return answer;
    return renamed(bare, bare.p[a], trimmed.p[g], arena);
}

rdv_str letter_for_constant(rdv_str gold, char letter, rdv_str question, rdv_arena *arena)
{
    bool c = occurs(gold, 'C'), k = occurs(gold, 'K');
    char own = c ? 'C' : 'K';
    bool sum = constant_at(rdv_trim(gold)) != RDV_NOT_FOUND; /* letter_as_in_gold() renames it */
    if (gold.len > ANSWER_MAX || c == k || sum || occurs(question, own))
        return gold;
    return renamed(gold, own, letter, arena);
}
