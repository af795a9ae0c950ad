/* SPDX-License-Identifier: Apache-2.0 */
#include "expression/variables.h"

#include "base/str.h"

#define COUNT(table) (sizeof(table) / sizeof *(table))
#define MAX_UNIT 4    /* letters of a unit's symbol */
#define MAX_FACTORS 3 /* letters of a product that is written together */
#define NEAR 4000     /* bytes of the text on each side that are looked at */
#define MAX_PARTS 4   /* of a product of units that are looked at */

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

/* Add the letters for which the word at bytes `begin` to `end` stands: itself where it is one
 * alone, and the factors of "mv", "2ab". */
static void add_word(rdv_str s, size_t begin, size_t end, chain_letters *out)
{
    char before = begin ? s.p[begin - 1] : ' ';
    if (end - begin > MAX_FACTORS || before == '\\' || before == '\'')
        return;
    if (end - begin > 1) {
        bool glued = rdv_is_digit(before) || strchr("+*/^=(", before);
        bool power = end < s.len && (s.p[end] == '^' || s.p[end] == '_');
        if ((glued || power) && !is_unit_there(s, begin, 0))
            for (size_t k = begin; k < end; k++)
                out->used |= bit_of(s.p[k]);
    } else if (is_unit_there(s, begin, 0)) {
        out->units |= bit_of(s.p[begin]);
    } else if (!is_no_name(s, begin)) {
        out->used |= bit_of(s.p[begin]);
    }
}

/* Add the letters of bytes `from` to `to` of the text. */
static void look(rdv_str s, size_t from, size_t to, chain_letters *out)
{
    for (size_t i = from; i < to; i++) {
        size_t begin = i;
        while (i < to && rdv_is_alpha(s.p[i]))
            i++;
        if (i > begin)
            add_word(s, begin, i, out);
    }
}

/* The same, of the words alone that the letter is in. */
static void look_for(rdv_str s, size_t from, size_t to, char letter, chain_letters *out)
{
    rdv_str ahead = rdv_slice(s, 0, to);
    for (size_t i = from; (i = rdv_find_char(ahead, letter, i)) != RDV_NOT_FOUND;) {
        size_t begin = i;
        while (begin > from && rdv_is_alpha(s.p[begin - 1]))
            begin--;
        do
            i++;
        while (i < to && rdv_is_alpha(s.p[i]));
        add_word(s, begin, i, out);
    }
}

/* The same beside bytes `from` to `to` of the text. */
static void look_beside(rdv_str s, size_t from, size_t to, char letter, chain_letters *out)
{
    look_for(s, from > NEAR ? from - NEAR : 0, from, letter, out);
    look_for(s, to, s.len - to > NEAR ? to + NEAR : s.len, letter, out);
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
    look_for(text, from > NEAR ? from - NEAR : 0, text.len - to > NEAR ? to + NEAR : text.len,
             letter, &here);
    if (here.used & bit_of(letter))
        return true;
    read_before(before);
    return before->used & bit_of(letter);
}

bool variables_hold_beside(chain_letters *before, rdv_str text, size_t from, size_t to, char letter)
{
    chain_letters here = {0};
    read_before(before);
    look_beside(text, from, to, letter, &here);
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
    look_beside(text, from, to, letter, &here);
    if ((before->units | here.units) & bit_of(letter))
        return true;
    return stem && (rdv_find(before->question, rdv_str_of(stem), 0) != RDV_NOT_FOUND ||
                    rdv_find(text, rdv_str_of(stem), 0) != RDV_NOT_FOUND);
}
