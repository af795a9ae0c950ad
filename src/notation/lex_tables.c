/* SPDX-License-Identifier: Apache-2.0 */
#include "notation/lex_tables.h"

#include "base/str.h"

#include <stdlib.h>

const unsigned char lex_bytes[256] = {['a' ... 'z'] = LEX_LETTER, ['A' ... 'Z'] = LEX_LETTER,
                                      ['0' ... '9'] = LEX_DIGIT,  [' '] = LEX_SPACE,
                                      ['\t'] = LEX_SPACE,         ['\v' ... '\r'] = LEX_SPACE,
                                      ['\n'] = LEX_NEWLINE,       [0x80 ... 0xff] = LEX_WIDE};

static const unsigned char vulgar_fractions[][2] = {
    /* in the order of the "vulgar" arguments below; digits that are written small follow as n/1,
     * and ten, as a base */
    {1, 4}, {1, 2}, {3, 4}, {1, 3}, {2, 3}, {1, 5}, {2, 5}, {3, 5},  {4, 5},
    {1, 6}, {5, 6}, {1, 8}, {3, 8}, {5, 8}, {7, 8}, {0, 1}, {1, 1},  {2, 1},
    {3, 1}, {4, 1}, {5, 1}, {6, 1}, {7, 1}, {8, 1}, {9, 1}, {10, 1},
};

void lex_vulgar(uint8_t v, unsigned *num, unsigned *den)
{
    *num = vulgar_fractions[v - 1][0];
    *den = vulgar_fractions[v - 1][1];
}

/* Sorted by code. */
static const lex_sign unicode_signs[] = {
    {0x00a0, TOK_END, 0},         /* no-break space */
    {0x00a2, TOK_CURRENCY, 0},    /* cent sign */
    {0x00a3, TOK_CURRENCY, 0},    /* pound sign */
    {0x00a5, TOK_CURRENCY, 0},    /* yen sign */
    {0x00b0, TOK_DEGREE, 0},      /* degree sign */
    {0x00b1, TOK_PLUSMINUS, 0},   /* plus-minus sign */
    {0x00b2, TOK_POWER, 18},      /* superscript two */
    {0x00b3, TOK_POWER, 19},      /* superscript three */
    {0x00b7, TOK_TIMES, 0},       /* middle dot */
    {0x00b9, TOK_POWER, 17},      /* superscript one */
    {0x00bc, TOK_NUMBER, 1},      /* vulgar fraction one quarter */
    {0x00bd, TOK_NUMBER, 2},      /* vulgar fraction one half */
    {0x00be, TOK_NUMBER, 3},      /* vulgar fraction three quarters */
    {0x00d7, TOK_TIMES, 0},       /* multiplication sign */
    {0x00f7, TOK_DIVIDE, 0},      /* division sign */
    {0x03c0, TOK_PI, 0},          /* greek small letter pi */
    {0x2002, TOK_END, 0},         /* en space */
    {0x2003, TOK_END, 0},         /* em space */
    {0x2009, TOK_END, 0},         /* thin space */
    {0x200a, TOK_END, 0},         /* hair space */
    {0x200b, TOK_END, 0},         /* zero width space */
    {0x2013, TOK_MINUS, 0},       /* en dash */
    {0x2014, TOK_PUNCT, 0},       /* em dash */
    {0x2018, TOK_PUNCT, 0},       /* left single quotation mark */
    {0x2019, TOK_PUNCT, 0},       /* right single quotation mark */
    {0x201c, TOK_PUNCT, 0},       /* left double quotation mark */
    {0x201d, TOK_PUNCT, 0},       /* right double quotation mark */
    {0x2022, TOK_PUNCT, 0},       /* bullet */
    {0x2026, TOK_PUNCT, 0},       /* horizontal ellipsis */
    {0x202f, TOK_END, 0},         /* narrow no-break space */
    {0x2044, TOK_DIVIDE, 0},      /* fraction slash */
    {0x2070, TOK_POWER, 16},      /* superscript zero */
    {0x2074, TOK_POWER, 20},      /* superscript four */
    {0x2075, TOK_POWER, 21},      /* superscript five */
    {0x2076, TOK_POWER, 22},      /* superscript six */
    {0x2077, TOK_POWER, 23},      /* superscript seven */
    {0x2078, TOK_POWER, 24},      /* superscript eight */
    {0x2079, TOK_POWER, 25},      /* superscript nine */
    {0x20a9, TOK_CURRENCY, 0},    /* won sign */
    {0x20ac, TOK_CURRENCY, 0},    /* euro sign */
    {0x20b9, TOK_CURRENCY, 0},    /* indian rupee sign */
    {0x20bd, TOK_CURRENCY, 0},    /* ruble sign */
    {0x2153, TOK_NUMBER, 4},      /* vulgar fraction one third */
    {0x2154, TOK_NUMBER, 5},      /* vulgar fraction two thirds */
    {0x2155, TOK_NUMBER, 6},      /* vulgar fraction one fifth */
    {0x2156, TOK_NUMBER, 7},      /* vulgar fraction two fifths */
    {0x2157, TOK_NUMBER, 8},      /* vulgar fraction three fifths */
    {0x2158, TOK_NUMBER, 9},      /* vulgar fraction four fifths */
    {0x2159, TOK_NUMBER, 10},     /* vulgar fraction one sixth */
    {0x215a, TOK_NUMBER, 11},     /* vulgar fraction five sixths */
    {0x215b, TOK_NUMBER, 12},     /* vulgar fraction one eighth */
    {0x215c, TOK_NUMBER, 13},     /* vulgar fraction three eighths */
    {0x215d, TOK_NUMBER, 14},     /* vulgar fraction five eighths */
    {0x215e, TOK_NUMBER, 15},     /* vulgar fraction seven eighths */
    {0x2190, TOK_PUNCT, 0},       /* leftwards arrow */
    {0x2192, TOK_PUNCT, 0},       /* rightwards arrow */
    {0x2194, TOK_PUNCT, 0},       /* left right arrow */
    {0x21d2, TOK_PUNCT, 0},       /* rightwards double arrow */
    {0x21d4, TOK_PUNCT, 0},       /* left right double arrow */
    {0x2208, TOK_RELATION, 0},    /* element of */
    {0x2212, TOK_MINUS, 0},       /* minus sign */
    {0x2213, TOK_PLUSMINUS, 0},   /* minus-or-plus sign */
    {0x2215, TOK_DIVIDE, 0},      /* division slash */
    {0x2217, TOK_TIMES, 0},       /* asterisk operator */
    {0x2219, TOK_TIMES, 0},       /* bullet operator */
    {0x221a, TOK_SQRT, 0},        /* square root */
    {0x221b, TOK_SQRT, 3},        /* cube root */
    {0x221c, TOK_SQRT, 4},        /* fourth root */
    {0x221d, TOK_RELATION, 0},    /* proportional to */
    {0x2234, TOK_PUNCT, 0},       /* therefore */
    {0x223c, TOK_APPROX, 0},      /* tilde operator */
    {0x2243, TOK_APPROX, 0},      /* asymptotically equal to */
    {0x2245, TOK_APPROX, 0},      /* approximately equal to */
    {0x2248, TOK_APPROX, 0},      /* almost equal to */
    {0x2260, TOK_RELATION, 0},    /* not equal to */
    {0x2261, TOK_RELATION, 0},    /* identical to */
    {0x2264, TOK_RELATION, 0},    /* less-than or equal to */
    {0x2265, TOK_RELATION, 0},    /* greater-than or equal to */
    {0x226a, TOK_RELATION, 0},    /* much less-than */
    {0x226b, TOK_RELATION, 0},    /* much greater-than */
    {0x22c5, TOK_TIMES, 0},       /* dot operator */
    {0x2308, TOK_CEIL_OPEN, 0},   /* left ceiling */
    {0x2309, TOK_CEIL_CLOSE, 0},  /* right ceiling */
    {0x230a, TOK_FLOOR_OPEN, 0},  /* left floor */
    {0x230b, TOK_FLOOR_CLOSE, 0}, /* right floor */
    {0x2705, TOK_PUNCT, 0},       /* white heavy check mark */
    {0x2713, TOK_PUNCT, 0},       /* check mark */
    {0x2715, TOK_TIMES, 0},       /* multiplication x */
    {0x2716, TOK_TIMES, 0},       /* heavy multiplication x */
    {0x274c, TOK_PUNCT, 0},       /* cross mark */
    {0x27f9, TOK_PUNCT, 0},       /* long rightwards double arrow */
    {0x3000, TOK_END, 0},         /* ideographic space */
    {0xfe63, TOK_MINUS, 0},       /* small hyphen-minus */
    {0xfeff, TOK_END, 0},         /* zero width no-break space */
    {0xff0d, TOK_MINUS, 0},       /* fullwidth hyphen-minus */
};

static const lex_sign escapes[] = {
    {'%', TOK_PERCENT, 0}, {'$', TOK_CURRENCY, 0}, {'|', TOK_BAR, 0},      {'*', TOK_TIMES, 0},
    {'{', TOK_PUNCT, 0},   {'}', TOK_PUNCT, 0},    {'\n', TOK_NEWLINE, 0}, {'"', TOK_PUNCT, 0},
};

/* Sorted by name. */
static const lex_command commands[] = {
    {"Big", LEX_VANISH, TOK_END, 0},
    {"Bigg", LEX_VANISH, TOK_END, 0},
    {"Biggl", LEX_VANISH, TOK_END, 0},
    {"Biggr", LEX_VANISH, TOK_END, 0},
    {"Bigl", LEX_VANISH, TOK_END, 0},
    {"Bigr", LEX_VANISH, TOK_END, 0},
    {"Delta", LEX_TOKEN, TOK_WORD, 0},
    {"Gamma", LEX_TOKEN, TOK_WORD, 0},
    {"Lambda", LEX_TOKEN, TOK_WORD, 0},
    {"Leftrightarrow", LEX_TOKEN, TOK_PUNCT, 0},
    {"Longleftrightarrow", LEX_TOKEN, TOK_PUNCT, 0},
    {"Longrightarrow", LEX_TOKEN, TOK_PUNCT, 0},
    {"Omega", LEX_TOKEN, TOK_WORD, 0},
    {"Phi", LEX_TOKEN, TOK_WORD, 0},
    {"Psi", LEX_TOKEN, TOK_WORD, 0},
    {"Rightarrow", LEX_TOKEN, TOK_PUNCT, 0},
    {"Sigma", LEX_TOKEN, TOK_WORD, 0},
    {"Theta", LEX_TOKEN, TOK_WORD, 0},
    {"Xi", LEX_TOKEN, TOK_WORD, 0},
    {"alpha", LEX_TOKEN, TOK_WORD, 0},
    {"approx", LEX_TOKEN, TOK_APPROX, 0},
    {"arccos", LEX_TOKEN, TOK_FUNCTION, 0},
    {"arcsin", LEX_TOKEN, TOK_FUNCTION, 0},
    {"arctan", LEX_TOKEN, TOK_FUNCTION, 0},
    {"ast", LEX_TOKEN, TOK_TIMES, 0},
    {"because", LEX_TOKEN, TOK_PUNCT, 0},
    {"begin", LEX_SKIP_ARGUMENT, TOK_END, 0},
    {"beta", LEX_TOKEN, TOK_WORD, 0},
    {"big", LEX_VANISH, TOK_END, 0},
    {"bigg", LEX_VANISH, TOK_END, 0},
    {"biggl", LEX_VANISH, TOK_END, 0},
    {"biggr", LEX_VANISH, TOK_END, 0},
    {"bigl", LEX_VANISH, TOK_END, 0},
    {"bigr", LEX_VANISH, TOK_END, 0},
    {"binom", LEX_TOKEN, TOK_BINOM, 2},
    {"bmod", LEX_TOKEN, TOK_FUNCTION, 0},
    {"boxed", LEX_VANISH, TOK_END, 0},
    {"cdot", LEX_TOKEN, TOK_TIMES, 0},
    {"centering", LEX_VANISH, TOK_END, 0},
    {"cfrac", LEX_TOKEN, TOK_FRAC, 2},
    {"chi", LEX_TOKEN, TOK_WORD, 0},
    {"cong", LEX_TOKEN, TOK_APPROX, 0},
    {"cos", LEX_TOKEN, TOK_FUNCTION, 0},
    {"dbinom", LEX_TOKEN, TOK_BINOM, 2},
    {"degree", LEX_TOKEN, TOK_DEGREE, 0},
    {"delta", LEX_TOKEN, TOK_WORD, 0},
    {"dfrac", LEX_TOKEN, TOK_FRAC, 2},
    {"displaystyle", LEX_VANISH, TOK_END, 0},
    {"div", LEX_TOKEN, TOK_DIVIDE, 0},
    {"doteq", LEX_TOKEN, TOK_APPROX, 0},
    {"ell", LEX_TOKEN, TOK_WORD, 0},
    {"emph", LEX_TEXT, TOK_END, 0},
    {"end", LEX_SKIP_ARGUMENT, TOK_END, 0},
    {"epsilon", LEX_TOKEN, TOK_WORD, 0},
    {"equiv", LEX_TOKEN, TOK_RELATION, 0},
    {"eta", LEX_TOKEN, TOK_WORD, 0},
    {"euro", LEX_TOKEN, TOK_CURRENCY, 0},
    {"fbox", LEX_VANISH, TOK_END, 0},
    {"frac", LEX_TOKEN, TOK_FRAC, 2},
    {"gamma", LEX_TOKEN, TOK_WORD, 0},
    {"gcd", LEX_TOKEN, TOK_FUNCTION, 0},
    {"ge", LEX_TOKEN, TOK_RELATION, 0},
    {"geq", LEX_TOKEN, TOK_RELATION, 0},
    {"geqslant", LEX_TOKEN, TOK_RELATION, 0},
    {"gg", LEX_TOKEN, TOK_RELATION, 0},
    {"gt", LEX_TOKEN, TOK_RELATION, 0},
    {"hbox", LEX_TEXT, TOK_END, 0},
    {"hspace", LEX_VANISH, TOK_END, 0},
    {"iff", LEX_TOKEN, TOK_PUNCT, 0},
    {"implies", LEX_TOKEN, TOK_PUNCT, 0},
    {"in", LEX_TOKEN, TOK_RELATION, 0},
    {"iota", LEX_TOKEN, TOK_WORD, 0},
    {"kappa", LEX_TOKEN, TOK_WORD, 0},
    {"label", LEX_SKIP_ARGUMENT, TOK_END, 0},
    {"lambda", LEX_TOKEN, TOK_WORD, 0},
    {"lceil", LEX_TOKEN, TOK_CEIL_OPEN, 0},
    {"le", LEX_TOKEN, TOK_RELATION, 0},
    {"left", LEX_VANISH, TOK_END, 1},
    {"leq", LEX_TOKEN, TOK_RELATION, 0},
    {"leqslant", LEX_TOKEN, TOK_RELATION, 0},
    {"lfloor", LEX_TOKEN, TOK_FLOOR_OPEN, 0},
    {"limits", LEX_VANISH, TOK_END, 0},
    {"ll", LEX_TOKEN, TOK_RELATION, 0},
    {"ln", LEX_TOKEN, TOK_FUNCTION, 0},
    {"log", LEX_TOKEN, TOK_FUNCTION, 0},
    {"longrightarrow", LEX_TOKEN, TOK_PUNCT, 0},
    {"lt", LEX_TOKEN, TOK_RELATION, 0},
    {"lvert", LEX_TOKEN, TOK_BAR, 0},
    {"mathbb", LEX_TEXT, TOK_END, 0},
    {"mathbf", LEX_TEXT, TOK_END, 0},
    {"mathcal", LEX_TEXT, TOK_END, 0},
    {"mathit", LEX_TEXT, TOK_END, 0},
    {"mathrm", LEX_TEXT, TOK_END, 0},
    {"mathsf", LEX_TEXT, TOK_END, 0},
    {"max", LEX_TOKEN, TOK_FUNCTION, 0},
    {"mbox", LEX_TEXT, TOK_END, 0},
    {"mid", LEX_TOKEN, TOK_RELATION, 0},
    {"min", LEX_TOKEN, TOK_FUNCTION, 0},
    {"mod", LEX_TOKEN, TOK_FUNCTION, 0},
    {"mp", LEX_TOKEN, TOK_PLUSMINUS, 0},
    {"mu", LEX_TOKEN, TOK_WORD, 0},
    {"ne", LEX_TOKEN, TOK_RELATION, 0},
    {"neq", LEX_TOKEN, TOK_RELATION, 0},
    {"nicefrac", LEX_TOKEN, TOK_FRAC, 2},
    {"noindent", LEX_VANISH, TOK_END, 0},
    {"nolimits", LEX_VANISH, TOK_END, 0},
    {"notin", LEX_TOKEN, TOK_RELATION, 0},
    {"nu", LEX_TOKEN, TOK_WORD, 0},
    {"omega", LEX_TOKEN, TOK_WORD, 0},
    {"operatorname", LEX_TEXT, TOK_END, 0},
    {"phi", LEX_TOKEN, TOK_WORD, 0},
    {"pi", LEX_TOKEN, TOK_PI, 0},
    {"pm", LEX_TOKEN, TOK_PLUSMINUS, 0},
    {"pmod", LEX_TOKEN, TOK_FUNCTION, 0},
    {"pounds", LEX_TOKEN, TOK_CURRENCY, 0},
    {"prod", LEX_TOKEN, TOK_FUNCTION, 0},
    {"propto", LEX_TOKEN, TOK_RELATION, 0},
    {"psi", LEX_TOKEN, TOK_WORD, 0},
    {"qquad", LEX_TOKEN, TOK_PUNCT, 0},
    {"quad", LEX_TOKEN, TOK_PUNCT, 0},
    {"rceil", LEX_TOKEN, TOK_CEIL_CLOSE, 0},
    {"rfloor", LEX_TOKEN, TOK_FLOOR_CLOSE, 0},
    {"rho", LEX_TOKEN, TOK_WORD, 0},
    {"right", LEX_VANISH, TOK_END, 1},
    {"rightarrow", LEX_TOKEN, TOK_PUNCT, 0},
    {"rvert", LEX_TOKEN, TOK_BAR, 0},
    {"scriptstyle", LEX_VANISH, TOK_END, 0},
    {"sfrac", LEX_TOKEN, TOK_FRAC, 2},
    {"sigma", LEX_TOKEN, TOK_WORD, 0},
    {"sim", LEX_TOKEN, TOK_APPROX, 0},
    {"simeq", LEX_TOKEN, TOK_APPROX, 0},
    {"sin", LEX_TOKEN, TOK_FUNCTION, 0},
    {"sqrt", LEX_TOKEN, TOK_SQRT, 1},
    {"subset", LEX_TOKEN, TOK_RELATION, 0},
    {"subseteq", LEX_TOKEN, TOK_RELATION, 0},
    {"sum", LEX_TOKEN, TOK_FUNCTION, 0},
    {"tag", LEX_SKIP_ARGUMENT, TOK_END, 0},
    {"tan", LEX_TOKEN, TOK_FUNCTION, 0},
    {"tau", LEX_TOKEN, TOK_WORD, 0},
    {"tbinom", LEX_TOKEN, TOK_BINOM, 2},
    {"text", LEX_TEXT, TOK_END, 0},
    {"textbf", LEX_TEXT, TOK_END, 0},
    {"textit", LEX_TEXT, TOK_END, 0},
    {"textnormal", LEX_TEXT, TOK_END, 0},
    {"textrm", LEX_TEXT, TOK_END, 0},
    {"textsf", LEX_TEXT, TOK_END, 0},
    {"textstyle", LEX_VANISH, TOK_END, 0},
    {"texttt", LEX_TEXT, TOK_END, 0},
    {"tfrac", LEX_TOKEN, TOK_FRAC, 2},
    {"therefore", LEX_TOKEN, TOK_PUNCT, 0},
    {"theta", LEX_TOKEN, TOK_WORD, 0},
    {"thinspace", LEX_VANISH, TOK_END, 0},
    {"times", LEX_TOKEN, TOK_TIMES, 0},
    {"to", LEX_TOKEN, TOK_PUNCT, 0},
    {"underline", LEX_TEXT, TOK_END, 0},
    {"varepsilon", LEX_TOKEN, TOK_WORD, 0},
    {"varphi", LEX_TOKEN, TOK_WORD, 0},
    {"vartheta", LEX_TOKEN, TOK_WORD, 0},
    {"vert", LEX_TOKEN, TOK_BAR, 0},
    {"vspace", LEX_VANISH, TOK_END, 0},
    {"xi", LEX_TOKEN, TOK_WORD, 0},
    {"zeta", LEX_TOKEN, TOK_WORD, 0},
};

#define COUNT(table) (sizeof(table) / sizeof *(table))

static int compare_codes(const void *key, const void *entry)
{
    uint32_t a = *(const uint32_t *)key, b = ((const lex_sign *)entry)->code;
    return (a > b) - (a < b);
}

const lex_sign *lex_unicode(uint32_t code)
{
    return bsearch(&code, unicode_signs, COUNT(unicode_signs), sizeof *unicode_signs,
                   compare_codes);
}

const lex_sign *lex_escape(char c)
{
    for (size_t i = 0; i < COUNT(escapes); i++)
        if (escapes[i].code == (unsigned char)c)
            return &escapes[i];
    return NULL;
}

const lex_command *lex_command_named(rdv_str name)
{
    size_t from = 0, to = name.len ? COUNT(commands) : 0;
    while (from < to) {
        size_t middle = (from + to) / 2;
        const char *other = commands[middle].name;
        int order = *name.p - *other;
        if (order == 0 && name.len > 1)
            order = name.p[1] - other[1];
        if (order == 0)
            order = strncmp(name.p, other, name.len);
        if (order == 0 && !other[name.len])
            return &commands[middle];
        if (order > 0)
            from = middle + 1;
        else /* what begins with the name comes after it */
            to = middle;
    }
    return NULL;
}
