/* SPDX-License-Identifier: Apache-2.0 */
#include "grade/letter.h"

#include "answer/announcement.h"
#include "base/arena.h"
#include "base/str.h"
#include "language/phrase.h"

/* Answers longer than this keep their letters. */
#define ANSWER_MAX 1000
/* What says that a letter is any constant stands in so many bytes at the end. */
#define CLAUSE_MAX 100

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

/* Is it "where $A$ is any constant", words of one class and one name, which goes into *letter? */
static bool is_clause(rdv_str s, char *letter)
{
    bool constant = false, any = false;
    *letter = 0;
    for (size_t i = 0, end; i < s.len; i = end + (end == i)) {
        end = rdv_skip_letters(s, i);
        rdv_str word = rdv_slice(s, i, end);
        bool set = rdv_ends(rdv_slice(s, 0, i), RDV_STR("mathbb{")) && s.p[i] == 'R';
        bool name = word.len == 1 && !set && *word.p != 'a';
        bool sign = rdv_starts(rdv_slice(s, i, s.len), RDV_STR("\xe2\x88\x88")) ||
                    rdv_starts(rdv_slice(s, i, s.len), RDV_STR("\xe2\x84\x9d"));
        if (sign)
            end = i + 3;
        else if (name      ? *letter && *letter != *word.p
                 : end > i ? !set && !answer_class_has(CLASS_CONSTANT, word)
                           : !strchr(" ,.$\\{}()=", s.p[i] ? s.p[i] : '+'))
            return false;
        *letter = name ? *word.p : *letter;
        constant = constant || rdv_istarts(word, RDV_STR("constant"));
        any = any || set || sign || rdv_str_ieq(word, RDV_STR("arbitrary"));
    }
    return *letter && (constant || (any && strchr("CcKkAB", *letter)));
}

rdv_str letter_without_clause(rdv_str s, char *letter)
{
    static phrase_list signs = {"*onstant*;*rbitrary*;*mathbb{R*;\xe2\x88\x88*"};
    rdv_str all = rdv_trim_end(s), bare = s;
    size_t least = all.len > CLAUSE_MAX ? all.len - CLAUSE_MAX : 0;
    char found;
    *letter = 0;
    if (!phrase_in(rdv_slice(all, least, all.len), &signs)) /* most texts */
        return s;
    for (size_t begin = all.len; begin > least; begin--) {
        char first = all.p[begin - 1];
        if (first == '\n')
            break;
        if (first != ' ' && first != ',' && first != '(')
            continue;
        rdv_str clause = rdv_slice(all, begin, all.len);
        bool word = rdv_skip_letters(clause, 0) > 1; /* not "C where C is a constant" */
        if (!(word || !*letter || first != ' ') || !is_clause(clause, &found)) {
            if (*letter)
                break;
            continue;
        }
        *letter = found;
        bare = rdv_slice(all, 0, begin - 1);
        if (first != ' ')
            break;
    }
    while (*letter && bare.len && strchr(" ,(\\", bare.p[bare.len - 1]))
        bare.len--;
    if (*letter && !occurs(bare, *letter)) /* "A, B \\in \\mathbb{R}" */
        *letter = 0;
    return *letter ? bare : s;
}

int letter_of_clauses(rdv_str *answer, rdv_str *gold, rdv_str question, rdv_arena *arena,
                      bool *other)
{
    char a, g;
    rdv_str own = letter_without_clause(*answer, &a), of_gold = letter_without_clause(*gold, &g);
    *other = false;
    if (!a && !g)
        return RDV_OK;
    own = a ? own : letter_for_constant(own, g, question, arena);
    rdv_str as_own = !a  ? of_gold
                     : g ? renamed(of_gold, g, a, arena)
                         : letter_for_constant(of_gold, a, question, arena);
    *other = as_own.p != gold->p || own.p != answer->p;
    *answer = own;
    *gold = as_own;
    return own.p && as_own.p ? RDV_OK : RDV_E_NOMEM;
}

rdv_str letter_for_constant(rdv_str gold, char letter, rdv_str question, rdv_arena *arena)
{
    bool c = occurs(gold, 'C'), k = occurs(gold, 'K');
    char own = c ? 'C' : 'K';
    bool sum = constant_at(rdv_trim(gold)) != RDV_NOT_FOUND && /* letter_as_in_gold() renames it */
               strchr("CcKk", letter);
    if (gold.len > ANSWER_MAX || c == k || sum || occurs(question, own))
        return gold;
    return renamed(gold, own, letter, arena);
}
