/* SPDX-License-Identifier: Apache-2.0 */
#include "hostile_pairs.h"

#include "base/str.h"

/* A pair in the making. */
typedef struct maker {
    rdv_rng *rng;
    size_t size;
    rdv_buf answer, gold;
    bool whole;
} maker;

typedef hostile_truth (*family_make)(maker *m);

static size_t below(maker *m, size_t n)
{
    return (size_t)rdv_rng_below(m->rng, n);
}

static bool coin(maker *m)
{
    return below(m, 2) == 0;
}

static void repeat(rdv_buf *b, const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++)
        rdv_buf_add(b, rdv_str_of(text));
}

static void digits(maker *m, rdv_buf *b, size_t n)
{
    rdv_buf_add_char(b, (char)('1' + below(m, 9)));
    for (size_t i = 1; i < n; i++)
        rdv_buf_add_char(b, (char)('0' + below(m, 10)));
}

/* The same expression around two numbers: equal where the numbers are. */
static hostile_truth around(maker *m, const char *open, const char *close, size_t n)
{
    size_t number = 2 + below(m, 90);
    bool same = coin(m);
    repeat(&m->answer, open, n);
    rdv_buf_printf(&m->answer, "%zu", number);
    repeat(&m->answer, close, n);
    repeat(&m->gold, open, n);
    rdv_buf_printf(&m->gold, "%zu", same ? number : number + 1);
    repeat(&m->gold, close, n);
    return same ? HOSTILE_SAME : HOSTILE_DIFFERENT;
}

/* ---- nesting --------------------------------------------------------------------------------- */

static hostile_truth brackets(maker *m)
{
    static const char *const open[] = {"(", "[", "{", "\\left(", "\\{", "|", "\\left\\{"};
    static const char *const close[] = {")", "]", "}", "\\right)", "\\}", "|", "\\right\\}"};
    size_t i = below(m, 7);
    return around(m, open[i], close[i], m->size);
}

static hostile_truth fractions(maker *m)
{
    static const char *const open[] = {"\\frac{1}{", "1/(", "\\frac{", "\\cfrac{1}{1+",
                                       "\\dfrac1{2-"};
    static const char *const close[] = {"}", ")", "}{7}", "}", "}"};
    size_t i = below(m, 5);
    return around(m, open[i], close[i], m->size);
}

static hostile_truth roots(maker *m)
{
    static const char *const open[] = {"\\sqrt{", "sqrt(", "\\sqrt[3]{", "\\sqrt{1+"};
    static const char *const close[] = {"}", ")", "}", "}"};
    size_t i = below(m, 4);
    return around(m, open[i], close[i], m->size);
}

/* Functions that take different arguments in (0, 1] to different values, each smaller. */
static hostile_truth functions(maker *m)
{
    static const char *const open[] = {"\\sin(\\frac{1}{", "\\arctan(\\frac{1}{",
                                       "\\ln(1+\\frac{1}{"};
    size_t i = below(m, 3);
    return around(m, open[i], "})", m->size);
}

static hostile_truth tuples(maker *m)
{
    return coin(m) ? around(m, "(1,", ")", m->size) : around(m, "\\{0,(", ",1)\\}", m->size);
}

static hostile_truth unclosed(maker *m)
{
    static const char *const open[] = {"\\frac{1}{", "{",       "(",       "\\boxed{",
                                       "\\text{",    "\\sqrt{", "\\left(", "\\begin{pmatrix}",
                                       "\\{",        "$",       "\\[",     "\\begin{cases}"};
    repeat(&m->answer, open[below(m, 12)], m->size);
    rdv_buf_lit(&m->answer, "3");
    rdv_buf_lit(&m->gold, "8"); /* no digit of it is in the answer */
    return HOSTILE_DIFFERENT;
}

/* ---- size of values -------------------------------------------------------------------------- */

static hostile_truth towers(maker *m)
{
    size_t base = 2 + below(m, 8), other = coin(m) ? base : base + 1;
    for (int k = 0; k < 2; k++) {
        rdv_buf *b = k ? &m->gold : &m->answer;
        for (size_t i = 0; i < m->size + 3; i++)
            rdv_buf_printf(b, "%zu^{", base);
        rdv_buf_printf(b, "%zu", k ? other : base);
        repeat(b, "}", m->size + 3);
    }
    return base == other ? HOSTILE_SAME : HOSTILE_DIFFERENT;
}

static hostile_truth tower_and_one(maker *m)
{
    repeat(&m->answer, "9^{", m->size + 2);
    rdv_buf_lit(&m->answer, "9");
    repeat(&m->answer, "}", m->size + 2);
    rdv_buf_add(&m->gold, rdv_buf_str(&m->answer));
    rdv_buf_printf(&m->gold, "+%zu", 1 + below(m, 9));
    return HOSTILE_DIFFERENT;
}

/* 1/n! and 1/(n+2)!, as Math-Verify took for equal. */
static hostile_truth factorials(maker *m)
{
    size_t n = 3 + below(m, m->size * 10), more = below(m, 3);
    const char *form = coin(m) ? "1/%zu!" : coin(m) ? "%zu!" : "\\frac{1}{%zu!}";
    for (int k = 0; k < 2; k++) {
        rdv_buf *b = k ? &m->gold : &m->answer;
        if (strcmp(form, "1/%zu!") == 0)
            rdv_buf_printf(b, "1/%zu!", k ? n + more : n);
        else if (strcmp(form, "%zu!") == 0)
            rdv_buf_printf(b, "%zu!", k ? n + more : n);
        else
            rdv_buf_printf(b, "\\frac{1}{%zu!}", k ? n + more : n);
    }
    return more ? HOSTILE_DIFFERENT : HOSTILE_SAME;
}

static hostile_truth factorials_of_factorials(maker *m)
{
    rdv_buf_lit(&m->answer, "7");
    rdv_buf_lit(&m->gold, "8");
    size_t n = coin(m) ? 2 * m->size : 2 * m->size + 1;
    if (coin(m)) {
        for (int k = 0; k < 2; k++) {
            rdv_buf_clear(k ? &m->gold : &m->answer);
            repeat(k ? &m->gold : &m->answer, "(", n);
            rdv_buf_lit(k ? &m->gold : &m->answer, "4");
            repeat(k ? &m->gold : &m->answer, "!)", n);
        }
        rdv_buf_lit(&m->gold, "-1");
        return HOSTILE_DIFFERENT;
    }
    repeat(&m->answer, "!", n);
    repeat(&m->gold, "!", n);
    return HOSTILE_DIFFERENT;
}

static hostile_truth powers_and_a_little(maker *m)
{
    size_t n = 10 + m->size;
    rdv_buf_printf(&m->answer, "10^{%zu}", n);
    if (coin(m))
        rdv_buf_printf(&m->gold, "10^{%zu}+1", n);
    else
        rdv_buf_printf(&m->gold, "10^{%zu}+10^{-%zu}", n, n);
    return HOSTILE_DIFFERENT;
}

/* Numbers that agree to so many digits that neither doubles nor fifty digits tell them apart. */
static hostile_truth nearly(maker *m)
{
    static const char *const values[] = {"\\sqrt{2}", "\\pi", "e",      "\\sqrt[3]{5}",
                                         "\\ln(2)",   "1/3",  "\\pi^2", "\\sin(1)"};
    const char *value = values[below(m, 8)];
    rdv_buf_add(&m->answer, rdv_str_of(value));
    rdv_buf_add(&m->gold, rdv_str_of(value));
    rdv_buf_printf(&m->gold, "%c10^{-%zu}", coin(m) ? '+' : '-', 10 + m->size);
    return HOSTILE_DIFFERENT;
}

static hostile_truth nines(maker *m)
{
    rdv_buf_lit(&m->answer, "0.");
    repeat(&m->answer, "9", m->size);
    rdv_buf_lit(&m->gold, "1");
    return HOSTILE_DIFFERENT;
}

static hostile_truth long_numbers(maker *m)
{
    bool same = coin(m);
    digits(m, &m->answer, m->size);
    rdv_buf_add(&m->gold, rdv_buf_str(&m->answer));
    if (!same)
        rdv_buf_add_char(&m->gold, (char)('0' + below(m, 10)));
    else if (coin(m))
        rdv_buf_lit(&m->gold, ".000");
    return same ? HOSTILE_SAME : HOSTILE_DIFFERENT;
}

/* ---- many parts ------------------------------------------------------------------------------ */

static hostile_truth lists(maker *m)
{
    static const char *const open[] = {"", "\\{", "(", "[", "\\{"};
    static const char *const close[] = {"", "\\}", ")", "]", "\\}"};
    size_t kind = below(m, 5), changed = coin(m) ? below(m, m->size) : m->size;
    for (int k = 0; k < 2; k++) {
        rdv_buf *b = k ? &m->gold : &m->answer;
        rdv_buf_add(b, rdv_str_of(open[kind]));
        for (size_t i = 0; i < m->size; i++)
            rdv_buf_printf(b, "%s%zu", i ? ", " : "", k && i == changed ? m->size + 7 : i);
        rdv_buf_add(b, rdv_str_of(close[kind]));
    }
    return changed == m->size ? HOSTILE_SAME : HOSTILE_DIFFERENT;
}

static hostile_truth matrices(maker *m)
{
    size_t n = 1 + below(m, 8), rows = 1 + m->size / n, changed = coin(m) ? below(m, rows) : rows;
    for (int k = 0; k < 2; k++) {
        rdv_buf *b = k ? &m->gold : &m->answer;
        rdv_buf_lit(b, "\\begin{pmatrix}");
        for (size_t i = 0; i < rows; i++)
            for (size_t j = 0; j < n; j++)
                rdv_buf_printf(b, "%zu%s", k && i == changed ? i + j + 1 : i + j,
                               j + 1 < n ? " & " : " \\\\ ");
        rdv_buf_lit(b, "\\end{pmatrix}");
    }
    return changed == rows ? HOSTILE_SAME : HOSTILE_DIFFERENT;
}

/* A matrix with `n` rows of `term` over 1, 2, ...; plus one in the last cell if it is `changed`. */
static void square(rdv_buf *b, const char *term, size_t n, bool changed)
{
    rdv_buf_lit(b, "\\begin{pmatrix}");
    for (size_t i = 0; i < n * n; i++)
        rdv_buf_printf(b, "%s%zu%s%s", term, i % 7 + 1, changed && i + 1 == n * n ? "+1" : "",
                       (i + 1) % n ? "&" : "\\\\");
    rdv_buf_lit(b, "\\end{pmatrix}");
}

/* The product of two or three matrices, and it with another last factor: each cell is a sum of
 * products, and each is computed for the key, for the balls and in the field. */
static hostile_truth matrix_products(maker *m)
{
    static const char *const terms[] = {"", "\\sin", "\\sqrt", "\\ln", "x+", "2^", "\\cos"};
    const char *term = terms[below(m, 7)];
    size_t n = 1 + m->size % 12, factors = 2 + below(m, 2);
    bool same = coin(m);
    for (int k = 0; k < 2; k++)
        for (size_t i = 0; i < factors; i++)
            square(k ? &m->gold : &m->answer, term, n, !same && k && i + 1 == factors);
    return same ? HOSTILE_SAME : HOSTILE_OPEN; /* a column of zeros hides what was changed */
}

/* Numbers that are equal by nested roots, in the other order: each pair of them needs an algebraic
 * number of degree 4. */
static hostile_truth lists_of_roots(maker *m)
{
    size_t n = 1 + m->size % 70, first = 2 + below(m, 1000), changed = coin(m) ? below(m, n) : n;
    for (size_t i = 0; i < n; i++) {
        size_t k = first + 2 * i, other = first + 2 * (n - 1 - i), off = n - 1 - i == changed;
        rdv_buf_printf(&m->answer, "%s\\sqrt{%zu}+\\sqrt{%zu}", i ? ", " : "", k, k + 1);
        rdv_buf_printf(&m->gold, "%s\\sqrt{%zu+2\\sqrt{%zu}}", i ? ", " : "", 2 * other + 1,
                       other * (other + 1) + off);
    }
    return changed == n ? HOSTILE_SAME : HOSTILE_DIFFERENT;
}

/* 1 + 2 + ... written out, and its sum. */
static hostile_truth sums_of_terms(maker *m)
{
    size_t n = m->size, off = coin(m);
    for (size_t i = 1; i <= n; i++)
        rdv_buf_printf(&m->answer, "%s%zu", i > 1 ? "+" : "", i);
    rdv_buf_printf(&m->gold, "%zu", n * (n + 1) / 2 + off);
    return off ? HOSTILE_DIFFERENT : HOSTILE_SAME;
}

/* \sum_{k=1}^{10^9} k: nobody may add a billion terms. */
static hostile_truth sums_by_sign(maker *m)
{
    size_t n = 1000 * m->size + below(m, 1000000000), off = 1 + below(m, 3);
    if (coin(m)) {
        rdv_buf_printf(&m->answer, "\\sum_{k=1}^{%zu} k", n);
        rdv_buf_printf(&m->gold, "%zu", n * (n + 1) / 2 + off);
        return HOSTILE_DIFFERENT;
    }
    rdv_buf_printf(&m->answer, "\\prod_{k=1}^{%zu} k", n);
    rdv_buf_printf(&m->gold, "\\prod_{k=1}^{%zu} k", n + off);
    return HOSTILE_DIFFERENT;
}

static hostile_truth polynomials(maker *m)
{
    static const char *const inner[] = {"x+1", "x-y", "a+b+c+d", "x_1+x_2+x_3+x_4+x_5+x_6",
                                        "x^9+y^7"};
    const char *p = inner[below(m, 5)];
    bool same = coin(m);
    rdv_buf_printf(&m->answer, "(%s)^{%zu}", p, m->size);
    if (same && m->size > 1)
        rdv_buf_printf(&m->gold, "(%s)^{%zu}(%s)", p, m->size - 1, p);
    else
        rdv_buf_printf(&m->gold, "(%s)^{%zu}%s", p, m->size, same ? "" : "+1");
    return same ? HOSTILE_SAME : HOSTILE_DIFFERENT;
}

static hostile_truth products(maker *m)
{
    size_t n = m->size;
    for (size_t i = 1; i <= n; i++)
        rdv_buf_printf(&m->answer, "(x+%zu)", i);
    for (size_t i = n; i >= 1; i--)
        rdv_buf_printf(&m->gold, "(x+%zu)", i);
    bool same = coin(m);
    if (!same)
        rdv_buf_lit(&m->gold, "+1");
    return same ? HOSTILE_SAME : HOSTILE_DIFFERENT;
}

static hostile_truth chains_of_equations(maker *m)
{
    repeat(&m->answer, "x = ", m->size);
    rdv_buf_lit(&m->answer, "1");
    rdv_buf_lit(&m->gold, "2");
    return HOSTILE_DIFFERENT;
}

static hostile_truth signs(maker *m)
{
    static const char *const sign[] = {"-", "+", "- -", "\\pm", "%", "^", "_", "!", "\\cdot ", "'"};
    size_t i = below(m, 10);
    rdv_buf_lit(&m->answer, "3");
    repeat(&m->answer, sign[i], m->size);
    if (coin(m))
        rdv_buf_lit(&m->answer, "3");
    rdv_buf_lit(&m->gold, "\\pi^{11}");
    return HOSTILE_DIFFERENT; /* what has no letter and no \pi is rational, if it is anything */
}

/* Signs and words that change the number which they are around, of at least 4. */
static hostile_truth changed_numbers(maker *m)
{
    static const char *const around[][2] = {{"", "!"},
                                            {"x-", ""},
                                            {"", "x"},
                                            {"", "i"},
                                            {"\\sqrt{", "}"},
                                            {"√", ""},
                                            {"", "²"},
                                            {"", "π"},
                                            {"", "½"},
                                            {"±", ""},
                                            {"–", ""},
                                            {"≤", ""},
                                            {"> ", ""},
                                            {"sin ", ""},
                                            {"ln ", ""},
                                            {"cube of ", ""},
                                            {"minus ", ""},
                                            {"not ", ""},
                                            {"", " cubed"},
                                            {"half of ", ""},
                                            {"", " million"},
                                            {"", " dozen"},
                                            {"", " percent of 7"},
                                            {"\\boxed{", "x}"}};
    size_t i = below(m, sizeof around / sizeof *around);
    rdv_buf_printf(&m->gold, "%zu", 4 + m->size % 1000000);
    rdv_buf_printf(&m->answer, "%s%zu%s", around[i][0], 4 + m->size % 1000000, around[i][1]);
    return HOSTILE_DIFFERENT;
}

/* A root of a quotient whose denominator is negative somewhere: only its size leaves the root. */
static hostile_truth roots_of_quotients(maker *m)
{
    size_t k = 2 * (1 + below(m, 3)), a = 2 + below(m, 90), b = a + 1 + below(m, 90);
    bool odd = coin(m); /* odd roots keep signs */
    k += odd;
    rdv_buf_printf(&m->answer, "\\sqrt[%zu]{\\frac{x-%zu}{x-%zu}}", k, a, b);
    rdv_buf_printf(&m->gold, "\\frac{\\sqrt[%zu]{(x-%zu)(x-%zu)^{%zu}}}{x-%zu}", k, a, b, k - 1, b);
    return odd ? HOSTILE_SAME : HOSTILE_DIFFERENT;
}

/* ---- what has no value ----------------------------------------------------------------------- */

static hostile_truth undefined(maker *m)
{
    static const char *const nothing[] = {"1/0",           "\\frac{2}{0}", "\\ln(0)",
                                          "\\frac{0}{0}",  "0^{-1}",       "\\frac{1}{1-1}",
                                          "\\tan(\\pi/2)", "\\log_1(3)"};
    repeat(&m->answer, "(", m->size);
    rdv_buf_add(&m->answer, rdv_str_of(nothing[below(m, 8)]));
    repeat(&m->answer, ")", m->size);
    rdv_buf_printf(&m->gold, "%zu", 2 + below(m, 9));
    return HOSTILE_DIFFERENT;
}

static hostile_truth letters(maker *m)
{
    static const char *const named[] = {"x", "\\theta", "a_1", "n", "\\alpha", "F_k"};
    rdv_buf_add(&m->answer, rdv_str_of(named[below(m, 6)]));
    rdv_buf_printf(&m->answer, "^{%zu}", m->size);
    rdv_buf_add(&m->gold, rdv_buf_str(&m->answer));
    rdv_buf_lit(&m->gold, "+\\omega");
    return HOSTILE_DIFFERENT;
}

/* ---- texts ----------------------------------------------------------------------------------- */

static void prose(maker *m, rdv_buf *b, size_t words)
{
    static const char *const word[] = {
        "we ",  "add ", "so ",     "the total ", "is ",  "then\n",  "$x$ ", "\\(y\\) ",
        "box ", "**",   "\\frac ", "step 3. ",   "and ", "answer ", "( ",   "} "};
    for (size_t i = 0; i < words; i++)
        rdv_buf_add(b, rdv_str_of(word[below(m, 16)]));
}

static hostile_truth announced(maker *m)
{
    size_t n = 100 + below(m, 900), gold = n + (size_t)coin(m);
    m->whole = true;
    prose(m, &m->answer, m->size);
    rdv_buf_printf(&m->answer, coin(m) ? "\n\\boxed{%zu}" : "\nThe answer is %zu.", n);
    rdv_buf_printf(&m->gold, "%zu", gold);
    return n == gold ? HOSTILE_OPEN : HOSTILE_DIFFERENT; /* an open box before may swallow it */
}

static hostile_truth announcements(maker *m)
{
    static const char *const words[] = {
        "answer is ",       "\\boxed{",   "#### ",    "**",  "$$",
        "\\begin{pmatrix}", "<think>",    "Answer: ", "\\[", "(A) ",
        "\\text{",          "answer to ", "`",        "- ",  "\\left(",
        "yes no ",          "| ",         "12:30 ",   "\n"};
    m->whole = true;
    repeat(&m->answer, words[below(m, 19)], m->size);
    rdv_buf_lit(&m->answer, "5");
    rdv_buf_lit(&m->gold, "77");
    return HOSTILE_DIFFERENT;
}

static hostile_truth bytes(maker *m)
{
    m->whole = coin(m);
    for (size_t i = 0; i < m->size; i++)
        rdv_buf_add_char(&m->answer, (char)below(m, 256));
    for (size_t i = 0; i < m->size; i++)
        rdv_buf_add_char(&m->gold, (char)(coin(m) ? 32 + below(m, 95) : below(m, 256)));
    return HOSTILE_OPEN;
}

/* NUL, control characters and broken UTF-8 in a number that is not gold's. */
static hostile_truth broken(maker *m)
{
    static const rdv_str piece[] = {
        {"\0", 1},       {"\xc3", 1},     {"\xff\xfe", 2},         {"\xed\xa0\x80", 3}, {"\x01", 1},
        {"\xe2\x80", 2}, {"\x05\x04", 2}, {"\xf4\x90\x80\x80", 4}, {"\x1b[2J", 4}};
    m->whole = coin(m);
    for (size_t i = 0; i < m->size; i++) {
        rdv_buf_add(&m->answer, piece[below(m, 9)]);
        rdv_buf_add_char(&m->answer, (char)('3' + below(m, 3)));
    }
    rdv_buf_lit(&m->gold, "88");
    return HOSTILE_DIFFERENT;
}

/* Tokens of LaTeX in any order, against one that is different from all of them in its digits. */
static hostile_truth tokens(maker *m)
{
    static const char *const token[] = {
        "\\frac",   "{",        "}",        "\\sqrt",  "^",         "_",       "(",      ")",
        "3",        "4",        "x",        "+",       "-",         "\\cdot",  "\\left", "\\right",
        ",",        "=",        "\\text",   "\\pm",    "\\sum",     "\\int",   "\\{",    "\\}",
        "!",        "%",        "\\le",     "\\infty", "\\cup",     "\\pi",    "\\sin",  "\\log",
        "\\begin",  "\\end",    "{array}",  "{cases}", "\\\\",      "&",       "|",      "$",
        " ",        "e",        "\\binom",  "\\lim",   "\\to",      "\\prime", "\\circ", "\\mod",
        "\\choose", "[",        "]",        "\\over",  "\\partial", "i",       ":",      ";",
        "\\boxed",  "\\degree", "\\mathbb", ".",       "\\cfrac",   "<",       ">",      "\\in"};
    m->whole = below(m, 4) == 0;
    for (int k = 0; k < 2; k++)
        for (size_t i = 0; i < m->size; i++)
            rdv_buf_add(k ? &m->gold : &m->answer, rdv_str_of(token[below(m, 64)]));
    return HOSTILE_OPEN;
}

/* ---- the list -------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    family_make make;
    size_t most;      /* the largest size at which a pair is still of some megabytes */
    unsigned decided; /* percent at least, of many pairs: about half of what was measured */
} families[] = {
    {"nested brackets", brackets, 100000, 40},
    {"nested fractions", fractions, 100000, 40},
    {"nested roots", roots, 100000, 45},
    {"nested functions", functions, 50000, 40},
    {"nested tuples", tuples, 100000, 30},
    {"unclosed braces", unclosed, 100000, 10},
    {"towers of powers", towers, 100000, 25},
    {"a tower and a tower plus one", tower_and_one, 100000, 0},
    {"factorials", factorials, 100000000, 90},
    {"factorials of factorials", factorials_of_factorials, 100000, 0},
    {"powers and a little more", powers_and_a_little, 1000000000, 90},
    {"numbers that nearly agree", nearly, 1000000, 80},
    {"0.999...9 and 1", nines, 1000000, 90},
    {"long numbers", long_numbers, 1000000, 90},
    {"long lists", lists, 150000, 70},
    {"large matrices", matrices, 150000, 70},
    {"products of matrices", matrix_products, 1000000, 0},
    {"lists of nested roots", lists_of_roots, 1000000, 0},
    {"sums written out", sums_of_terms, 150000, 70},
    {"sums of a billion terms", sums_by_sign, 1000000, 0},
    {"powers of polynomials", polynomials, 1000000, 40},
    {"products of polynomials", products, 50000, 30},
    {"chains of equations", chains_of_equations, 250000, 15},
    {"many signs", signs, 250000, 10},
    {"signs and words around a number", changed_numbers, 1000000, 30},
    {"roots of quotients", roots_of_quotients, 1000000, 80},
    {"what has no value", undefined, 100000, 0},
    {"letters", letters, 1000000000, 90},
    {"long replies", announced, 200000, 90},
    {"many announcements", announcements, 100000, 60},
    {"random bytes", bytes, 1000000, 0},
    {"broken UTF-8 and NULs", broken, 300000, 0},
    {"random LaTeX", tokens, 200000, 0},
};

#define N_FAMILIES (sizeof families / sizeof *families)

size_t hostile_families(void)
{
    return N_FAMILIES;
}

unsigned hostile_decided(size_t family)
{
    return families[family].decided;
}

bool hostile_make(size_t family, size_t size, rdv_rng *rng, rdv_arena *arena, hostile_pair *out)
{
    maker m = {.rng = rng, .size = size < families[family].most ? size : families[family].most};
    rdv_buf_init(&m.answer, arena, 0);
    rdv_buf_init(&m.gold, arena, 0);
    hostile_truth truth = families[family].make(&m);
    *out = (hostile_pair){.family = families[family].name,
                          .answer = rdv_buf_str(&m.answer),
                          .gold = rdv_buf_str(&m.gold),
                          .whole = m.whole,
                          .truth = truth};
    return rdv_buf_ok(&m.answer) && rdv_buf_ok(&m.gold);
}
