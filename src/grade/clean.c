/* SPDX-License-Identifier: Apache-2.0 */
#include "grade/clean.h"

#include "answer/degrees.h"
#include "base/str.h"
#include "base/utf8.h"
#include "grade/upright.h"

typedef struct cleaner {
    rdv_str s;
    size_t at;
    rdv_buf *out;
    bool keep_percent;
    size_t boxes;                  /* how many began */
    bool rows;                     /* there are matrices: "\\\\" ends a row */
    bool wrapper[RDV_CLEAN_DEPTH]; /* per open brace: does it belong to \text{ and the like? */
    size_t depth;
    bool deep;
    bool angles; /* degrees stay: they are arguments of trigonometric functions */
} cleaner;

/* Commands and characters, and what becomes of them: a text, or one of clean.h's bytes. */
typedef struct rewrite {
    const char *from, *to;
    char code;
} rewrite;

static const rewrite commands[] = {
    {"left", ""},
    {"right", ""},
    {"big", ""},
    {"Big", ""},
    {"bigl", ""},
    {"bigr", ""},
    {"Bigl", ""},
    {"Bigr", ""},
    {"bigg", ""},
    {"Bigg", ""},
    {"biggl", ""},
    {"biggr", ""},
    {"Biggl", ""},
    {"Biggr", ""},
    {"displaystyle", ""},
    {"textstyle", ""},
    {"quad", " "},
    {"qquad", " "},
    {"dfrac", "\\frac"},
    {"tfrac", "\\frac"},
    {"cfrac", "\\frac"},
    {"sfrac", "\\frac"},
    {"nicefrac", "\\frac"},
    {"leq", "", RDV_AT_MOST},
    {"le", "", RDV_AT_MOST},
    {"leqslant", "", RDV_AT_MOST},
    {"geq", "", RDV_AT_LEAST},
    {"ge", "", RDV_AT_LEAST},
    {"geqslant", "", RDV_AT_LEAST},
    {"lt", "<"},
    {"gt", ">"},
    {"ne", "", RDV_UNEQUAL},
    {"neq", "", RDV_UNEQUAL},
    {"approx", "", RDV_APPROXIMATELY},
    {"simeq", "", RDV_APPROXIMATELY},
    {"in", "", RDV_IN},
    {"setminus", "", RDV_WITHOUT},
    {"backslash", "", RDV_WITHOUT},
    {"cap", "", RDV_INTERSECTION},
    {"equiv", "", RDV_CONGRUENT},
    {"mp", "", RDV_MINUS_PLUS},
    {"mid", "", RDV_SUCH_THAT},
    {"emptyset", "", RDV_EMPTY_SET},
    {"varnothing", "", RDV_EMPTY_SET},
    {"lbrace", "", RDV_SET_OPEN},
    {"rbrace", "", RDV_SET_CLOSE},
    {"cup", "", RDV_UNION},
    {"pm", "", RDV_PLUS_MINUS},
    {"middle", ""},
    {"limits", ""},
    {"langle", "("},
    {"rangle", ")"},
};

static const rewrite symbols[] = {
    {"\xe2\x88\x92", "-"},
    {"\xc2\xa3", ""},
    {"\xe2\x82\xac", ""},
    {"\xc2\xa5", ""},
    {"\xc2\xa0", " "},
    {"\xcf\x80", "\\pi "},
    {"\xe2\x88\x9a", "\\sqrt"},
    {"\xc3\x97", "\\times "},
    {"\xc3\xb7", "/"},
    {"\xc2\xb7", "\\cdot "},
    {"\xe2\x88\x9e", "\\infty "},
    {"\xe2\x89\xa4", "", RDV_AT_MOST},
    {"\xe2\x89\xa5", "", RDV_AT_LEAST},
    {"\xe2\x89\xa0", "", RDV_UNEQUAL},
    {"\xe2\x89\x88", "", RDV_APPROXIMATELY},
    {"\xe2\x88\x88", "", RDV_IN},
    {"\xe2\x88\x96", "", RDV_WITHOUT},
    {"\xe2\x88\xa9", "", RDV_INTERSECTION},
    {"\xe2\x89\xa1", "", RDV_CONGRUENT},
    {"\xe2\x88\x93", "", RDV_MINUS_PLUS},
    {"\xe2\x88\x85", "", RDV_EMPTY_SET},
    {"\xe2\x84\x9d", "\\mathbb{R}"},
    {"\xc2\xb1", "", RDV_PLUS_MINUS},
    {"\xe2\x88\xaa", "", RDV_UNION},
    {"\xe2\x80\x93", "-"},
    {"\xe2\x80\xaf", " "},
    {"\xe2\x80\x89", " "},
    {"\xe2\x9f\xa8", "("},
    {"\xe2\x9f\xa9", ")"},
};

/* Commands whose braces hold the answer or a unit. */
static const char *const wrappers[] = {
    "text",   "textbf",     "textit", "textrm", "textnormal", "textsf",
    "textup", "mbox",       "hbox",   "mathrm", "mathbf",     "mathit",
    "mathsf", "boldsymbol", "bm",     "boxed",  "fbox",       "operatorname"};
#include "notation/formula_names.h"

#define COUNT(list) (sizeof(list) / sizeof *(list))

static char peek(const cleaner *c, size_t ahead)
{
    return c->at + ahead < c->s.len ? c->s.p[c->at + ahead] : '\0';
}

static char last_out(const cleaner *c)
{
    rdv_str out = rdv_buf_str(c->out);
    return out.len ? out.p[out.len - 1] : '\0';
}

static void put_blank(cleaner *c)
{
    if (last_out(c) != ' ' && last_out(c) != '\0')
        rdv_buf_add_char(c->out, ' ');
}

static void put(cleaner *c, const char *text)
{
    if (strcmp(text, " ") == 0)
        put_blank(c);
    else
        rdv_buf_add(c->out, rdv_str_of(text));
}

static void put_rewritten(cleaner *c, const rewrite *as)
{
    if (as->code)
        rdv_buf_add_char(c->out, as->code);
    else
        put(c, as->to);
}

static void skip_blanks(cleaner *c)
{
    while (rdv_is_space(peek(c, 0)))
        c->at++;
}

static void open_brace(cleaner *c, bool wrapper)
{
    c->at++;
    if (c->depth == RDV_CLEAN_DEPTH) {
        c->deep = true;
        return;
    }
    c->wrapper[c->depth++] = wrapper;
    put(c, wrapper ? " " : "{");
}

static void close_brace(cleaner *c)
{
    c->at++;
    if (c->depth > 0)
        put(c, c->wrapper[--c->depth] ? " " : "}");
}

/* "\," and its kin, and escaped characters. c->at is after the backslash. */
static void clean_escape(cleaner *c)
{
    char e = peek(c, 0);
    c->at++;
    if (e == '{' || e == '}')
        rdv_buf_add_char(c->out, e == '{' ? RDV_SET_OPEN : RDV_SET_CLOSE);
    else if (e == '\\' && !c->rows &&
             (rdv_is_alpha(peek(c, 0)) || peek(c, 0) == '{' || peek(c, 0) == '}' ||
              peek(c, 0) == '%'))
        c->at--; /* escaped once too often, as in JSON: "\\\\frac" */
    else if (e == '\\')
        rdv_buf_add_char(c->out, RDV_ROW);
    else if (e == '!')
        skip_blanks(c);
    else if (e == '%' && c->keep_percent)
        rdv_buf_add_char(c->out, '%');
    else if (e == ' ' || e == ';' || e == ':' ||
             (e == ',' && !(rdv_is_digit(last_out(c)) && rdv_is_digit(peek(c, 0)))))
        put_blank(c);
    else if (e == '_' || e == '&' || e == '#')
        rdv_buf_add_char(c->out, e);
}

static bool is_wrapper(rdv_str name)
{
    return rdv_named(name, wrappers, COUNT(wrappers)) >= 0;
}

/* The rewriting of the symbol at the start of `rest`, or NULL. */
static const rewrite *rewriting(rdv_str rest)
{
    for (size_t i = 0; i < COUNT(symbols); i++)
        if (rdv_starts(rest, rdv_str_of(symbols[i].from)))
            return &symbols[i];
    return NULL;
}

/* Does what was written last separate items of a list, or is it only a part of one? */
static bool lists(const cleaner *c)
{
    rdv_str out = rdv_trim_end(rdv_buf_str(c->out));
    char last = out.len ? out.p[out.len - 1] : ',';
    return !rdv_is_alnum(last) && last != ')' && last != '}' && last != ']';
}

/* What "\not" denies: "\not=" and "\not\in" are relations of their own. */
static bool clean_not(cleaner *c, rdv_str name)
{
    if (!rdv_str_eq(name, RDV_STR("not")))
        return false;
    skip_blanks(c);
    bool in =
        rdv_starts(rdv_slice(c->s, c->at, c->s.len), RDV_STR("\\in")) && !rdv_is_alpha(peek(c, 3));
    bool equal = peek(c, 0) == '=';
    if (equal)
        rdv_buf_add_char(c->out, RDV_UNEQUAL);
    else
        put(c, in ? "\\notin " : "\\not ");
    c->at += equal ? 1 : in ? 3 : 0;
    return true;
}

static void clean_command(cleaner *c)
{
    c->at++;
    size_t begin = c->at;
    while (rdv_is_alpha(peek(c, 0)))
        c->at++;
    rdv_str name = rdv_slice(c->s, begin, c->at);
    if (name.len == 0) {
        clean_escape(c);
        return;
    }
    if (clean_not(c, name))
        return;
    if (is_wrapper(name)) {
        skip_blanks(c);
        bool box = rdv_ends(name, RDV_STR("box")) || rdv_str_eq(name, RDV_STR("boxed"));
        if (box && c->boxes++ && !lists(c)) /* boxes side by side are a list */
            rdv_buf_add_char(c->out, ',');
        if (peek(c, 0) == '{')
            open_brace(c, true);
        return;
    }
    for (size_t i = 0; i < COUNT(commands); i++)
        if (rdv_str_eq(name, rdv_str_of(commands[i].from))) {
            put_rewritten(c, &commands[i]);
            return;
        }
    if (rdv_starts(name, RDV_STR("quad"))) { /* "\quadx": a blank was lost */
        c->at = begin + 4;
        put_blank(c);
        return;
    }
    rdv_buf_add_char(c->out, '\\');
    rdv_buf_add(c->out, name);
    if (!rdv_str_eq(name, RDV_STR("mathbb")))
        return;
    skip_blanks(c);
    if (rdv_is_alpha(peek(c, 0))) { /* "\\mathbb Z" */
        rdv_buf_add_char(c->out, '{');
        rdv_buf_add_char(c->out, peek(c, 0));
        rdv_buf_add_char(c->out, '}');
        c->at++;
    }
}

/* "and" or "or" at the start of the letters, or 0: a word of its own, or written against a digit or
 * bracket before a name of one letter, as where blanks were lost: "x=1orx=-1", "(1,2)or(2,1)". */
static size_t list_word_len(const cleaner *c, rdv_str word)
{
    size_t len = rdv_istarts(word, RDV_STR("and")) ? 3 : rdv_istarts(word, RDV_STR("or")) ? 2 : 0;
    bool glued = rdv_is_digit(last_out(c)) || last_out(c) == ')' || last_out(c) == '}';
    char after = peek(c, 0);
    bool name = word.len == len + 1 && (after == '=' || after == '(' || after == '_');
    return len == 0 || word.len == len || (glued && name) ? len : 0;
}

/* "percent" or "per cent" after a number and at the end is its sign. */
static bool clean_percent(cleaner *c, rdv_str word)
{
    rdv_str rest = rdv_slice(c->s, c->at, c->s.len);
    bool two = rdv_str_ieq(word, RDV_STR("per")) && rdv_istarts(rest, RDV_STR(" cent"));
    rdv_str out = rdv_trim_end(rdv_buf_str(c->out));
    rest = rdv_slice(rest, two ? 5 : 0, rest.len);
    for (size_t i = 0; i < rest.len; i++)
        if (!rest.p[i] || !strchr("} .$)", rest.p[i]))
            return false;
    if (!(two || rdv_str_ieq(word, RDV_STR("percent"))) || out.len == 0 ||
        !(rdv_is_digit(out.p[out.len - 1]) || out.p[out.len - 1] == '}'))
        return false;
    c->at += two ? 5 : 0;
    c->out->len = out.len;
    if (c->keep_percent)
        rdv_buf_add_char(c->out, '%');
    return true;
}

size_t clean_period(rdv_str s)
{
    size_t digits = 0;
    while (digits < s.len && rdv_is_digit(s.p[s.len - 1 - digits]))
        digits++;
    if (digits == s.len || s.p[s.len - 1 - digits] != '.')
        return 0;
    for (size_t n = 1; n <= 6; n++) {
        size_t times = n == 1 ? 3 : 2;
        bool repeats = n * times <= digits;
        for (size_t i = 0; repeats && i < n * (times - 1); i++)
            repeats = s.p[s.len - 1 - i] == s.p[s.len - 1 - i - n];
        if (repeats)
            return n;
    }
    return 0;
}

size_t clean_dots(rdv_str s)
{
    static const char *const forms[] = {"...", "\\ldots", "\\dots", "\\cdots", "\xe2\x80\xa6"};
    for (size_t k = 0; k < COUNT(forms); k++)
        if (rdv_starts(s, rdv_str_of(forms[k])))
            return strlen(forms[k]);
    return 0;
}

/* "0.333..." is 0.\overline{3}. */
static bool clean_ellipsis(cleaner *c)
{
    rdv_str rest = rdv_slice(c->s, c->at, c->s.len), out = rdv_buf_str(c->out);
    char digits[8];
    size_t dots = 0, n;
    if (rest.len && (rest.p[0] == '.' || rest.p[0] == '\\' || rest.p[0] == '\xe2'))
        dots = clean_dots(rest);
    if (!dots || (n = clean_period(out)) == 0)
        return false;
    c->at += dots;
    memcpy(digits, out.p + out.len - n, n);
    c->out->len -= n;
    rdv_buf_add(c->out, RDV_STR("\\overline{"));
    rdv_buf_add(c->out, (rdv_str){digits, n});
    rdv_buf_add_char(c->out, '}');
    return true;
}

/* A word of letters: "and" and "or" list, all others stay. */
static void clean_word(cleaner *c)
{
    size_t begin = c->at;
    char before = last_out(c);
    while (rdv_is_alpha(peek(c, 0)))
        c->at++;
    rdv_str word = rdv_slice(c->s, begin, c->at);
    if (clean_percent(c, word))
        return;
    size_t len = list_word_len(c, word);
    if (len == 0 || before == '\0') {
        rdv_buf_add(c->out, word);
        return;
    }
    rdv_str out = rdv_trim_end(rdv_buf_str(c->out));
    char last = out.len ? out.p[out.len - 1] : ',';
    if (last != ',' && last != ';' && last != RDV_OR)
        rdv_buf_add_char(c->out, len == 2 ? RDV_OR : ',');
    rdv_buf_add(c->out, rdv_slice(word, len, word.len));
}

/* A degree sign in any form: dropped, or as LaTeX writes it. */
static bool clean_degrees(cleaner *c)
{
    char first = peek(c, 0);
    if (first != '^' && first != '\\' && first != '\xc2')
        return false;
    size_t len = degrees_len(rdv_slice(c->s, c->at, c->s.len), false);
    if (len && c->angles)
        put(c, "^\\circ ");
    c->at += len;
    return len > 0;
}

bool clean_holds_angle(rdv_str answer)
{
    static const char *const names[] = {"sin", "cos", "tan", "cot", "sec", "csc", "tg"};
    for (size_t i = 0; i < COUNT(names); i++)
        if (rdv_find(answer, rdv_str_of(names[i]), 0) != RDV_NOT_FOUND)
            return true;
    return false;
}

/* The letter, digit or sign of ASCII whose full-width form, U+FF01 to U+FF5E, `s` begins with, but
 * no bracket of LaTeX and no backslash; 0: none. */
static unsigned full_width(rdv_str s)
{
    if (s.len < 3 || (unsigned char)s.p[0] != 0xef)
        return 0;
    unsigned code = ((unsigned char)s.p[1] & 0x3fu) << 6 | ((unsigned char)s.p[2] & 0x3fu);
    unsigned ascii = code - 0xf00 + 0x20; /* of U+F000 + code */
    bool held = code > 0xf00 && code < 0xf5f && !strchr("$\\{}%`*", (int)ascii);
    return held ? ascii : 0;
}

/* Subscripts, U+2080 to U+2089, are an index: "x_{12}". */
static bool clean_subscripts(cleaner *c)
{
    bool any = false;
    for (rdv_str rest; rest = rdv_slice(c->s, c->at, c->s.len), rest.len > 2; c->at += 3) {
        unsigned digit = (unsigned char)rest.p[2] - 0x80u;
        if (!rdv_starts(rest, RDV_STR("\xe2\x82")) || digit > 9)
            break;
        put(c, any ? "" : "_{");
        rdv_buf_add_char(c->out, (char)('0' + digit));
        any = true;
    }
    put(c, any ? "}" : "");
    return any;
}

/* Superscripts are an exponent: those of minus and 3 behind 10 become "10^(-3)". */
static bool clean_superscripts(cleaner *c)
{
    size_t len, n = 0;
    char first = rdv_superscript_at(c->s, c->at, &len), next = first;
    for (size_t i = c->at; next; next = rdv_superscript_at(c->s, i, &len), n++)
        i += len;
    if (n)
        put(c, n == 1 ? "^" : "^(");
    for (size_t i = 0; i < n; i++) {
        rdv_buf_add_char(c->out, rdv_superscript_at(c->s, c->at, &len));
        c->at += len;
    }
    if (n > 1)
        rdv_buf_add_char(c->out, ')');
    return n;
}

/* U+221A is over all digits of the number behind it, which "\sqrt74" is not. */
static void clean_radicand(cleaner *c)
{
    size_t end = c->at;
    while (end < c->s.len && (rdv_is_digit(c->s.p[end]) ||
                              (c->s.p[end] == '.' && rdv_is_digit(rdv_char_at(c->s, end + 1)))))
        end++;
    if (end - c->at < 2)
        return;
    rdv_buf_add_char(c->out, '{');
    rdv_buf_add(c->out, rdv_slice(c->s, c->at, end));
    rdv_buf_add_char(c->out, '}');
    c->at = end;
}

/* A character beyond ASCII, as its rewriting or as it is. */
static void clean_symbol(cleaner *c)
{
    if (clean_superscripts(c) || clean_subscripts(c))
        return;
    const rewrite *known = rewriting(rdv_slice(c->s, c->at, c->s.len));
    if (known) {
        bool root = strcmp(known->to, "\\sqrt") == 0;
        put_rewritten(c, known);
        c->at += strlen(known->from);
        if (root)
            clean_radicand(c);
        return;
    }
    rdv_str letter = rdv_slice(c->s, c->at, c->at + 2), name = formula_letter_name(letter);
    bool micro = rdv_str_eq(letter, RDV_STR("\xce\xbc")) && rdv_is_alpha(peek(c, 2));
    if (name.p != letter.p && !micro) { /* Greek */
        rdv_buf_add(c->out, name);
        put_blank(c);
        c->at += letter.len;
        return;
    }
    unsigned wide = full_width(rdv_slice(c->s, c->at, c->s.len));
    rdv_buf_add_char(c->out, wide ? (char)wide : c->s.p[c->at]);
    c->at += wide ? 3 : 1;
}

/* "<=", ">=", "!=", "==" and ":="; but "5!=120" is a factorial. */
static bool clean_relation(cleaner *c)
{
    char ch = peek(c, 0);
    bool factorial = ch == '!' && (rdv_is_digit(last_out(c)) || last_out(c) == ')');
    if (!ch || !strchr("<>!=:", ch) || peek(c, 1) != '=' || factorial)
        return false;
    c->at += 2;
    rdv_buf_add_char(c->out, ch == '<'   ? RDV_AT_MOST
                             : ch == '>' ? RDV_AT_LEAST
                             : ch == '!' ? RDV_UNEQUAL
                                         : '=');
    return true;
}

/* "3**4": the stars stand between two values, of which the second is no bold text. */
static bool is_power(const cleaner *c)
{
    char before = c->at ? c->s.p[c->at - 1] : '\0', after = peek(c, 2);
    bool between = (rdv_is_alnum(before) || before == ')' || before == '}') &&
                   (rdv_is_alnum(after) || after == '(' || after == '{' || after == '-');
    size_t stars = 0;
    for (size_t i = 0; (i = rdv_find(c->s, RDV_STR("**"), i)) != RDV_NOT_FOUND; i += 2)
        stars += i < c->at;
    return between && stars % 2 == 0;
}

static void clean_sign(cleaner *c)
{
    char ch = peek(c, 0);
    bool twice = ch == '*' && peek(c, 1) == '*';
    if (twice && is_power(c)) {
        c->at += 2;
        rdv_buf_add_char(c->out, '^');
        return;
    }
    bool emphasis = twice;
    bool dropped = ch == '$' || ch == '`' || emphasis || (ch == '%' && !c->keep_percent);
    c->at += emphasis ? 2 : 1;
    if (rdv_is_space(ch) || ch == '~' || (unsigned char)ch < ' ' || ch == 0x7f)
        put_blank(c);
    else if (!dropped)
        rdv_buf_add_char(c->out, ch);
}

/* "{,}" between digits groups them, with blanks in it or not: how many bytes, or 0. */
static size_t braced_comma_len(const cleaner *c)
{
    size_t i = 1;
    while (peek(c, i) == ' ')
        i++;
    bool comma = peek(c, i) == ',';
    for (i++; peek(c, i) == ' ';)
        i++;
    rdv_str out = rdv_trim_end(rdv_buf_str(c->out));
    bool digits = out.len && rdv_is_digit(out.p[out.len - 1]) && rdv_is_digit(peek(c, i + 1));
    return comma && digits && peek(c, i) == '}' ? i + 1 : 0;
}

/* Do exactly three digits follow, and no number that begins with a 0, "0{,}125", stand before? */
static bool groups_three(const cleaner *c)
{
    size_t n = 0;
    while (n < 4 && rdv_is_digit(peek(c, n)))
        n++;
    rdv_str out = rdv_trim_end(rdv_buf_str(c->out));
    size_t begin = out.len;
    while (begin > 0 && rdv_is_digit(out.p[begin - 1]))
        begin--;
    return n == 3 && rdv_char_at(out, begin) != '0';
}

/* Is what was written last a value: a number, a group or a command such as "\\pi"? */
static bool after_value(const cleaner *c)
{
    rdv_str out = rdv_trim_end(rdv_buf_str(c->out));
    size_t name = out.len;
    while (name > 0 && rdv_is_alpha(out.p[name - 1]))
        name--;
    if (name < out.len)
        return name > 0 && out.p[name - 1] == '\\';
    return out.len && (rdv_is_digit(out.p[out.len - 1]) || strchr(")}", out.p[out.len - 1]));
}

/* A unit in upright letters after a value: written in words, which are no variables. */
static bool clean_unit(cleaner *c)
{
    char ch = peek(c, 0);
    bool may = ch == '\\' || ch == '^' || (unsigned char)ch >= 0x80;
    size_t end = may && after_value(c) ? upright_unit_end(c->s, c->at, c->out) : c->at;
    bool is = end > c->at;
    c->at = end;
    return is;
}

static void clean_char(cleaner *c)
{
    char ch = peek(c, 0);
    if (clean_unit(c) || clean_ellipsis(c))
        return;
    if (clean_degrees(c))
        return;
    if (ch == '\\') {
        clean_command(c);
    } else if (ch == '{' && braced_comma_len(c)) {
        c->at += braced_comma_len(c);
        if (!groups_three(c)) /* "1{,}5"; "1{,}149" is one number within a formula too */
            rdv_buf_add_char(c->out, '.');
    } else if (ch == '{') {
        open_brace(c, false);
    } else if (ch == '}') {
        close_brace(c);
    } else if (rdv_is_alpha(ch)) {
        clean_word(c);
    } else if ((unsigned char)ch >= 0x80) {
        clean_symbol(c);
    } else if (!clean_relation(c)) {
        clean_sign(c);
    }
}

void clean_answer(rdv_str answer, bool keep_percent, rdv_buf *out, bool *deep)
{
    cleaner c = {.s = answer, .out = out, .keep_percent = keep_percent};
    c.angles = clean_holds_angle(answer);
    c.rows = rdv_find(answer, RDV_STR("\\begin"), 0) != RDV_NOT_FOUND;
    while (c.at < answer.len && !c.deep && rdv_buf_ok(out))
        clean_char(&c);
    *deep = c.deep;
}

/* Does a blank between these two say anything? "3 4" is not 34, "the rapist" not "therapist". */
static bool parts(char before, char after, bool words)
{
    bool digits = rdv_is_digit(before) && rdv_is_digit(after);
    return digits || (words && rdv_is_alnum(before) && rdv_is_alnum(after));
}

/* Is what follows, over blanks, a letter? */
static bool next_letter(rdv_str s, size_t i)
{
    while (i < s.len && rdv_is_space(s.p[i]))
        i++;
    return i < s.len && rdv_is_alpha(s.p[i]);
}

/* shown: a letter does not follow a command without a blank. */
static void squeeze(rdv_str cleaned, bool words, bool shown, rdv_buf *out)
{
    static const char *const back[RDV_CLEAN_END] = {
        [0] = "",
        [RDV_SET_OPEN] = "\\{",
        [RDV_SET_CLOSE] = "\\}",
        [RDV_UNION] = "\\cup",
        [RDV_PLUS_MINUS] = "\\pm",
        [RDV_ROW] = "\\\\",
        [RDV_AT_MOST] = "\\leq",
        [RDV_AT_LEAST] = "\\geq",
        [RDV_UNEQUAL] = "\\neq",
        [RDV_APPROXIMATELY] = "\\approx",
        [RDV_IN] = "\\in",
        [RDV_WITHOUT] = "\\setminus",
        [RDV_INTERSECTION] = "\\cap",
        [RDV_CONGRUENT] = "\\equiv",
        [RDV_MINUS_PLUS] = "\\mp",
        [RDV_OR] = ",",
        [RDV_SUCH_THAT] = "\\mid",
        [RDV_EMPTY_SET] = "\\emptyset",
    };
    for (size_t i = 0; i < cleaned.len; i++) {
        unsigned char ch = (unsigned char)cleaned.p[i];
        bool coded = ch < COUNT(back) && back[ch];
        if (coded)
            rdv_buf_add(out, rdv_str_of(back[ch]));
        if (coded && shown && rdv_is_alpha(back[ch][strlen(back[ch]) ? strlen(back[ch]) - 1 : 0]) &&
            next_letter(cleaned, i + 1))
            rdv_buf_add_char(out, ' ');
        if (coded)
            continue;
        if (!rdv_is_space(cleaned.p[i]))
            rdv_buf_add_char(out, cleaned.p[i]);
        else if (i > 0 && i + 1 < cleaned.len && parts(cleaned.p[i - 1], cleaned.p[i + 1], words))
            rdv_buf_add_char(out, ' ');
    }
}

void clean_squeeze(rdv_str cleaned, rdv_buf *out)
{
    squeeze(cleaned, false, false, out);
}

void clean_squeeze_words(rdv_str cleaned, rdv_buf *out)
{
    squeeze(cleaned, true, false, out);
}

void clean_squeeze_shown(rdv_str cleaned, rdv_buf *out)
{
    squeeze(cleaned, true, true, out);
}
