/* SPDX-License-Identifier: Apache-2.0 */
#include "expression/variables.h"

#include "base/str.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))
#define MAX_UNIT 4  /* letters of a unit's symbol */
#define NEAR 4000   /* bytes of the text on each side that are looked at */
#define MAX_PARTS 4 /* of a product of units that are looked at */

static uint64_t bit_of(char letter)
{
    unsigned char c = (unsigned char)letter;
    return rdv_is_alpha(letter) ? UINT64_C(1) << ((c & 31) + (c >= 'a' ? 32 : 0)) : 0;
}

/* The place before byte `i` and the blanks there, those of LaTeX too: that of the last byte that is
 * none, plus one. */
static size_t before_blanks(rdv_str s, size_t i)
{
    for (;;) {
        if (i > 0 && (s.p[i - 1] == ' ' || s.p[i - 1] == '~'))
            i--;
        else if (i > 1 && s.p[i - 2] == '\\' && strchr(",;:!", s.p[i - 1]))
            i -= 2;
        else
            return i;
    }
}

/* The beginning of the letters that end before byte `i`, behind a power; `i`: there are none. */
static size_t unit_before(rdv_str s, size_t i)
{
    size_t end = i;
    while (end > 0 && (rdv_is_digit(s.p[end - 1]) || strchr("^{}-", s.p[end - 1])))
        end--;
    if (i >= 2 && (unsigned char)s.p[i - 2] == 0xc2 && ((unsigned char)s.p[i - 1] & 0xfe) == 0xb2)
        end = i - 2; /* a superscript two or three */
    size_t begin = end;
    while (begin > 0 && rdv_is_alpha(s.p[begin - 1]))
        begin--;
    return begin < end && end - begin <= MAX_UNIT ? begin : i;
}

/* "\\text{", "\\mathrm{" */
static bool is_upright(rdv_str s, size_t brace)
{
    rdv_str before = rdv_slice(s, 0, brace);
    return rdv_ends(before, RDV_STR("text")) || rdv_ends(before, RDV_STR("rm"));
}

/* Is the word at byte `i` a unit by what stands before it: "5 J", "8.31 J/(mol K", "\\text{J}"? */
static bool is_unit_there(rdv_str s, size_t i, unsigned depth)
{
    size_t end = before_blanks(s, i), part = end;
    if (end == 0)
        return false;
    if (rdv_is_digit(s.p[end - 1]))
        return end < i;
    if (s.p[end - 1] == '{')
        return is_upright(s, end - 1);
    if (s.p[end - 1] == '(')
        part--;
    if (part > 0 && s.p[part - 1] == '/')
        part--;
    else if (part > 1 && s.p[part - 2] == '\xc2' && s.p[part - 1] == '\xb7')
        part -= 2;
    else if (part < end)
        return false; /* a bracket behind no line */
    part = before_blanks(s, part);
    size_t begin = unit_before(s, part);
    return begin < part && depth < MAX_PARTS && is_unit_there(s, begin, depth + 1);
}

/* "(A)", "A. ", "B)": the sign of an item. "A train": an article. */
static bool is_no_name(rdv_str s, size_t i)
{
    char before = i ? s.p[i - 1] : '\n', after = i + 1 < s.len ? s.p[i + 1] : '\n';
    bool begins = before == '\n' || (before == ' ' && i > 1 && strchr(".\n", s.p[i - 2]));
    if (before == '(' && after == ')') /* but "f(J)" */
        return i < 2 || !rdv_is_alpha(s.p[i - 2]);
    if (begins && s.p[i] == 'A' && after == ' ' && i + 2 < s.len && s.p[i + 2] >= 'a' &&
        s.p[i + 2] <= 'z')
        return true;
    return before == '\n' && (after == '.' || after == ')' || after == ':');
}

/* Add the letters that stand alone in bytes `from` to `to` of the text. */
static void look(rdv_str s, size_t from, size_t to, chain_letters *out)
{
    for (size_t i = from; i < to; i++) {
        if (!rdv_is_alpha(s.p[i]))
            continue;
        size_t begin = i;
        while (i < to && rdv_is_alpha(s.p[i]))
            i++;
        bool name = begin > 0 && (s.p[begin - 1] == '\\' || s.p[begin - 1] == '\'');
        bool unit = i - begin <= MAX_UNIT && is_unit_there(s, begin, 0);
        if (i - begin > 1 && !unit) { /* "mv", "2ab": letters of a product */
            char before = begin ? s.p[begin - 1] : ' ';
            bool glued = rdv_is_digit(before) || strchr("+*/^=(", before);
            bool power = i < s.len && (s.p[i] == '^' || s.p[i] == '_');
            for (size_t k = begin; !name && i - begin <= 3 && (glued || power) && k < i; k++)
                out->used |= bit_of(s.p[k]);
            continue;
        }
        if (i - begin > 1 || name)
            continue;
        if (unit)
            out->units |= bit_of(s.p[begin]);
        else if (!is_no_name(s, begin))
            out->used |= bit_of(s.p[begin]);
    }
}

static void read_before(chain_letters *v)
{
    for (; v->n_read <= v->n_steps; v->n_read++) {
        rdv_str s = v->n_read ? v->steps[v->n_read - 1] : v->question;
        look(s, 0, s.len, v);
    }
}

bool variables_may_hold(chain_letters *before, rdv_str text, size_t from, size_t to, char letter)
{
    chain_letters here = {0};
    look(text, from > NEAR ? from - NEAR : 0, text.len - to > NEAR ? to + NEAR : text.len, &here);
    if (here.used & bit_of(letter))
        return true;
    read_before(before);
    return before->used & bit_of(letter);
}

/* Add the letters beside bytes `from` to `to` of the text. */
static void look_beside(rdv_str text, size_t from, size_t to, chain_letters *out)
{
    look(text, from > NEAR ? from - NEAR : 0, from, out);
    look(text, to, text.len - to > NEAR ? to + NEAR : text.len, out);
}

bool variables_hold_beside(chain_letters *before, rdv_str text, size_t from, size_t to, char letter)
{
    chain_letters here = {0};
    read_before(before);
    look_beside(text, from, to, &here);
    return (before->used | here.used) & bit_of(letter);
}

/* What a word for the unit begins with. */
static const char *stem_of(char letter)
{
    static const struct {
        char letter;
        const char *stem;
    } stems[] = {{'m', "met"}, {'g', "gram"}, {'s', "sec"}, {'h', "hour"},
                 {'l', "lit"}, {'L', "lit"},  {'t', "ton"}, {'J', "joule"}};
    for (size_t i = 0; i < COUNT(stems); i++)
        if (stems[i].letter == letter)
            return stems[i].stem;
    return NULL;
}

bool variables_name_unit(chain_letters *before, rdv_str text, size_t from, size_t to, char letter)
{
    const char *stem = stem_of(letter);
    chain_letters here = {0};
    read_before(before);
    look_beside(text, from, to, &here);
    if ((before->units | here.units) & bit_of(letter))
        return true;
    return stem && (rdv_find(before->question, rdv_str_of(stem), 0) != RDV_NOT_FOUND ||
                    rdv_find(text, rdv_str_of(stem), 0) != RDV_NOT_FOUND);
}
