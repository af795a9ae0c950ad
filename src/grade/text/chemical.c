/* SPDX-License-Identifier: Apache-2.0 */
#include "grade/text/chemical.h"

#include "base/str.h"

#define FORMULA_MAX 200 /* bytes */

static const char elements[] =
    " H He Li Be B C N O F Ne Na Mg Al Si P S Cl Ar K Ca Sc Ti V Cr Mn Fe Co Ni Cu Zn Ga Ge As Se "
    "Br "
    "Kr Rb Sr Y Zr Nb Mo Tc Ru Rh Pd Ag Cd In Sn Sb Te I Xe Cs Ba La Ce Pr Nd Pm Sm Eu Gd Tb Dy Ho "
    "Er Tm Yb Lu Hf Ta W Re Os Ir Pt Au Hg Tl Pb Bi Po At Rn Fr Ra Ac Th Pa U Np Pu Am Cm Bk Cf Es "
    "Fm Md No Lr Rf Db Sg Bh Hs Mt Ds Rg Cn Nh Fl Mc Lv Ts Og ";

/* How long the symbol at byte `i` is, two letters before one; or 0. */
static size_t symbol_len(rdv_str s, size_t i)
{
    for (size_t len = 2; len > 0; len--) {
        char word[] = {' ', rdv_char_at(s, i), len > 1 ? rdv_char_at(s, i + 1) : ' ', ' ', '\0'};
        bool letters = word[1] >= 'A' && (len == 1 || word[2] >= 'a'); /* no blank, no NUL */
        word[len + 2] = '\0';
        if (letters && strstr(elements, word))
            return len;
    }
    return 0;
}

/* Marks that say how a formula is set. */
static size_t style_len(rdv_str s)
{
    static const char *const styles[] = {"\\mathrm{", "\\text{", "\\ce{", "\\rm ", "\\,", "$", " "};
    for (size_t k = 0; k < sizeof styles / sizeof *styles; k++)
        if (rdv_starts(s, rdv_str_of(styles[k])))
            return strlen(styles[k]);
    return 0;
}

/* The digit of a subscript, U+2080 to U+2089, that `s` begins with, or -1. */
static int low_digit(rdv_str s)
{
    bool low = s.len > 2 && s.p[0] == '\xe2' && s.p[1] == '\x82';
    int digit = low ? (unsigned char)s.p[2] - 0x80 : -1;
    return digit < 10 ? digit : -1;
}

/* "2", "_2", "_{12}" and subscripts of Unicode after a symbol or a bracket; the byte after it. */
static size_t count_end(rdv_str s, size_t i, rdv_buf *out)
{
    bool mark = rdv_char_at(s, i) == '_', brace = mark && rdv_char_at(s, i + 1) == '{';
    size_t begin = i + mark + brace, end = begin;
    while (rdv_is_digit(rdv_char_at(s, end)))
        rdv_buf_add_char(out, s.p[end++]);
    if (mark)
        return end > begin && (!brace || rdv_char_at(s, end) == '}') ? end + brace : i;
    for (int digit; (digit = low_digit(rdv_slice(s, end, s.len))) >= 0; end += 3)
        rdv_buf_add_char(out, (char)('0' + digit));
    return end;
}

/* "^{2-}", "^+", "+" at the end of the formula: its sign, and its number where it is not 1. */
static bool take_charge(rdv_str s, size_t i, rdv_buf *out)
{
    bool mark = rdv_char_at(s, i) == '^', brace = mark && rdv_char_at(s, i + 1) == '{';
    i += mark + brace;
    size_t begin = i;
    char sign = rdv_char_at(s, i) == '+' || rdv_char_at(s, i) == '-' ? s.p[i++] : '\0';
    size_t digits = i;
    while (rdv_is_digit(rdv_char_at(s, i)))
        i++;
    rdv_str number = rdv_slice(s, digits, i);
    if (!sign && (rdv_char_at(s, i) == '+' || rdv_char_at(s, i) == '-'))
        sign = s.p[i++];
    i += brace && rdv_char_at(s, i) == '}';
    if (!sign || i != s.len || (!mark && begin != digits - 1))
        return false;
    rdv_buf_add_char(out, '^');
    if (number.len != 1 || number.p[0] != '1')
        rdv_buf_add(out, number);
    rdv_buf_add_char(out, sign);
    return true;
}

/* Without the marks of setting around and in it. `s` begins with no blank. */
static bool plain(rdv_str s, char *bytes, size_t *n)
{
    size_t depth = 0;
    *n = 0;
    for (size_t i = 0, len; i < s.len;) {
        if (s.p[i] == ' ' && rdv_is_digit(s.p[i - 1]) && rdv_is_digit(rdv_char_at(s, i + 1)))
            return false; /* "S_1 0" */
        if ((len = style_len(rdv_slice(s, i, s.len)))) {
            depth += s.p[i + len - 1] == '{';
            i += len;
            continue;
        }
        bool sub = i > 0 && (s.p[i - 1] == '_' || s.p[i - 1] == '^') && s.p[i] == '{';
        size_t close = sub ? rdv_find_char(s, '}', i) : RDV_NOT_FOUND;
        if (sub && close == RDV_NOT_FOUND)
            return false;
        if (!sub && s.p[i] == '}') {
            if (depth-- == 0)
                return false;
            i++;
            continue;
        }
        for (size_t end = sub ? close + 1 : i + 1; i < end; i++)
            bytes[(*n)++] = s.p[i];
    }
    return depth == 0;
}

bool chemical_formula(rdv_str s, rdv_buf *out)
{
    char bytes[FORMULA_MAX];
    size_t n, depth = 0, symbols = 0, i = 0;
    s = rdv_trim(s);
    s.len -= rdv_ends(s, RDV_STR("."));
    if (s.len == 0 || s.len > FORMULA_MAX || !plain(s, bytes, &n))
        return false;
    s = (rdv_str){bytes, n};
    while (i < s.len) {
        size_t len = symbol_len(s, i);
        bool open = s.p[i] == '(' || s.p[i] == '[', close = s.p[i] == ')' || s.p[i] == ']';
        if (!len && !open && !(close && depth > 0))
            break;
        depth += open;
        depth -= close;
        symbols += len > 0;
        rdv_buf_add(out, rdv_slice(s, i, i + (len ? len : 1)));
        i += len ? len : 1;
        i = open ? i : count_end(s, i, out);
    }
    return symbols > 0 && depth == 0 && (i == s.len || take_charge(s, i, out));
}
