/* SPDX-License-Identifier: Apache-2.0 */
#include "expression/format_value.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "expression/print.h"
#include "expression/quantity.h"

#include <arb.h>

#define MAX_SHOWN 100      /* bytes of a claim that is repeated */
#define MAX_BEFORE 400     /* tokens before its end that say how it is written: linear work */
#define MAX_DECIMALS 12    /* shown of a value that ends, else as many as decide */
#define MAX_DIGITS 48      /* shown in any case */
#define MAX_COEFFICIENT 64 /* the largest denominator of a multiple of pi */
#define PI_PRECISION 320
#define MAX_RADICAND 1000000000
#define MAX_NEAR 200      /* tokens looked at before the claim; keeps the work linear */
#define MAX_TINY 10000000 /* what is smaller than its inverse is shown with a power of ten */
#define COUNT(list) (sizeof(list) / sizeof *(list))
#define MAX_EXPONENT 400 /* of a power of ten that is written anew */

/* ---- the number in a claim ------------------------------------------------------------------- */

/* The token of the only number that a claim shows: "12" in "$12 per hour", "-12%", "12 km/h" and
 * "1.2 x 10^3". */
typedef struct place {
    size_t token;
    const node *exponent; /* of "1.2 x 10^3" */
} place;

static bool find_place(const tokens *t, const node *n, place *out)
{
    switch (n->is) {
    case N_NUMBER:
        out->token = n->end - 1;
        return n->end == n->begin + 1 && !t->at[out->token].vulgar;
    case N_NEGATE:
    case N_UNIT:
    case N_PERCENT:
        return find_place(t, n->a, out);
    case N_MULTIPLY:
        if (!node_is_power_of_ten(t, n->b) || n->a->is != N_NUMBER)
            return false;
        for (out->exponent = n->b; out->exponent->is == N_UNIT;)
            out->exponent = out->exponent->a;
        out->exponent = out->exponent->b;
        return find_place(t, n->a, out);
    default:
        return false;
    }
}

/* ---- parts of the text ----------------------------------------------------------------------- */

/* The claim as written, with the sign of money that vanishes in lexing. */
static rdv_str written(const tokens *t, const expression *claim)
{
    const token *first = &t->at[claim->begin], *last = &t->at[claim->end - 1];
    bool braces = first->sign == '{' && first->pair == claim->end - 1; /* \boxed{5} */
    size_t begin = braces ? first->end : first->begin, end = braces ? last->begin : last->end;
    bool dollar =
        begin && t->text.p[begin - 1] == '$' && claim->root->is == N_UNIT && claim->root->sign;
    return rdv_slice(t->text, begin - dollar, end);
}

/* Braces that the claim's end leaves open: "12 \text{ km" */
static size_t open_braces(rdv_str s)
{
    size_t open = 0;
    for (size_t i = 0; i < s.len; i++)
        open = s.p[i] == '{' ? open + 1 : s.p[i] == '}' && open ? open - 1 : open;
    return open;
}

static void add_one_line(rdv_buf *b, rdv_str s)
{
    for (size_t i = 0; i < s.len; i++)
        rdv_buf_add_char(b, s.p[i] == '\n' ? ' ' : s.p[i]);
}

static rdv_str finished(rdv_buf *b)
{
    for (size_t open = open_braces(rdv_buf_str(b)); open; open--)
        rdv_buf_add_char(b, '}');
    return rdv_buf_ok(b) ? rdv_buf_str(b) : (rdv_str){0};
}

/* ---- digits ---------------------------------------------------------------------------------- */

static size_t decimals_of(rdv_str number)
{
    size_t point = rdv_find_char(number, '.', 0), n = 0;
    if (point == RDV_NOT_FOUND)
        return 0;
    while (point + 1 + n < number.len && rdv_is_digit(number.p[point + 1 + n]))
        n++;
    return n;
}

/* How many decimals show x >= 0 exactly; more than MAX_DECIMALS: too many. */
static size_t exact_decimals(const fmpq_t x)
{
    fmpz_t power;
    fmpz_init_set_ui(power, 1);
    size_t n = 0;
    while (n <= MAX_DECIMALS && !fmpz_divisible(power, fmpq_denref(x))) {
        fmpz_mul_ui(power, power, 10);
        n++;
    }
    fmpz_clear(power);
    return n;
}

/* x >= 0 cut off after that many decimals; groups of three digits when `grouped`. */
static void add_decimal(rdv_buf *b, const fmpq_t x, size_t decimals, bool grouped, rdv_arena *arena)
{
    fmpz_t whole, power;
    fmpz_init(whole);
    fmpz_init_set_ui(power, 10);
    fmpz_pow_ui(power, power, decimals);
    fmpz_mul(whole, fmpq_numref(x), power);
    fmpz_fdiv_q(whole, whole, fmpq_denref(x));
    size_t size = fmpz_sizeinbase(whole, 10) + 2;
    char *digits = rdv_alloc(arena, size + decimals + 1);
    fmpz_clear(power);
    if (!digits) {
        b->failed = true;
        fmpz_clear(whole);
        return;
    }
    fmpz_get_str(digits, 10, whole);
    fmpz_clear(whole);
    size_t len = strlen(digits), zeros = len <= decimals ? decimals + 1 - len : 0;
    memmove(digits + zeros, digits, len + 1);
    memset(digits, '0', zeros);
    size_t before = len + zeros - decimals;
    for (size_t i = 0; i < len + zeros; i++) {
        if (grouped && i && i < before && (before - i) % 3 == 0)
            rdv_buf_add_char(b, ',');
        if (i == before)
            rdv_buf_add_char(b, '.');
        rdv_buf_add_char(b, digits[i]);
    }
}

/* Are both the same when cut off after that many decimals? */
static bool same_digits(const fmpq_t x, const fmpq_t y, size_t decimals)
{
    fmpz_t ten, a, b;
    fmpz_init_set_ui(ten, 10);
    fmpz_init(a);
    fmpz_init(b);
    fmpz_pow_ui(ten, ten, decimals);
    fmpz_mul(a, fmpq_numref(x), ten);
    fmpz_fdiv_q(a, a, fmpq_denref(x));
    fmpz_mul(b, fmpq_numref(y), ten);
    fmpz_fdiv_q(b, b, fmpq_denref(y));
    bool same = fmpz_equal(a, b);
    fmpz_clear(ten);
    fmpz_clear(a);
    fmpz_clear(b);
    return same;
}

/* How a number is written. */
typedef struct style {
    rdv_str like;  /* the claimed number */
    fmpq_t number; /* its value */
    bool money;    /* two digits after the point */
    bool grouped;  /* 1,200 */
} style;

/* Move the point of x > 0 behind its first digit. How far: the power of ten that this takes out. */
static long normalise(fmpq_t x)
{
    long power = 0;
    while (power < MAX_EXPONENT && fmpq_cmp_ui(x, 10) >= 0) {
        fmpz_mul_ui(fmpq_denref(x), fmpq_denref(x), 10);
        fmpq_canonicalise(x);
        power++;
    }
    while (power > -MAX_EXPONENT && fmpq_cmp_ui(x, 1) < 0) {
        fmpz_mul_ui(fmpq_numref(x), fmpq_numref(x), 10);
        fmpq_canonicalise(x);
        power--;
    }
    return power;
}

/* x >= 0 with as many digits as decide; "..." where it goes on. `real`: it has no end. */
static void add_number(rdv_buf *b, const fmpq_t x, bool real, const style *as, rdv_arena *arena)
{
    size_t claimed = decimals_of(as->like), exact = real ? MAX_DECIMALS + 1 : exact_decimals(x);
    if (exact <= MAX_DECIMALS) {
        bool two = as->money && exact < 2 && (exact == 1 || claimed == 2);
        add_decimal(b, x, two ? 2 : exact, as->grouped, arena);
        return;
    }
    size_t shown = claimed ? claimed + 1 : 2;
    fmpq_t zero;
    fmpq_init(zero);
    while (shown < MAX_DIGITS && (same_digits(x, as->number, shown) || same_digits(x, zero, shown)))
        shown++;
    fmpq_clear(zero);
    fmpq_t tiny;
    fmpq_init(tiny);
    fmpq_set_si(tiny, 1, MAX_TINY);
    bool power = !fmpq_is_zero(x) && fmpq_cmp(x, tiny) < 0;
    fmpq_set(tiny, x);
    long e = power ? normalise(tiny) : 0;
    add_decimal(b, tiny, power ? 2 : shown, as->grouped, arena);
    rdv_buf_lit(b, "...");
    if (power)
        rdv_buf_printf(b, " x 10^%ld", e);
    fmpq_clear(tiny);
}

/* "1,200" or "1{,}200" near the claim. */
static bool has_groups(const tokens *t, size_t from, size_t to)
{
    if (to > from && to - from > MAX_NEAR)
        from = to - MAX_NEAR;
    for (size_t i = from; i < to; i++)
        if (t->at[i].kind == TOK_NUMBER && rdv_find_char(tok_text(t, i), ',', 0) != RDV_NOT_FOUND)
            return true;
    return false;
}

/* ---- styles ---------------------------------------------------------------------------------- */

/* value / pi as a fraction with a small denominator; false: it is none. */
static bool over_pi(const fmpq_t value, fmpq_t out)
{
    arb_t x, pi;
    arb_init(x);
    arb_init(pi);
    arb_set_fmpq(x, value, PI_PRECISION);
    arb_const_pi(pi, PI_PRECISION);
    arb_div(x, x, pi, PI_PRECISION);
    arb_add_error_2exp_si(x, -200);
    bool found = false;
    for (ulong den = 1; den <= MAX_COEFFICIENT && !found; den++) {
        arb_mul_ui(pi, x, den, PI_PRECISION);
        found = arb_get_unique_fmpz(fmpq_numref(out), pi);
        fmpz_set_ui(fmpq_denref(out), den);
    }
    if (found)
        fmpq_canonicalise(out);
    arb_clear(x);
    arb_clear(pi);
    return found;
}

/* The bytes of the exponent of "1.2 x 10^-3" with its sign, and its value; false: none that can be
 * written anew. */
static bool exponent_at(const tokens *t, const node *n, size_t *begin, size_t *end, long *value)
{
    fmpq_t x;
    long decimals;
    bool negative = n && n->is == N_NEGATE;
    n = negative ? n->a : n;
    if (!n || n->is != N_NUMBER || t->at[n->end - 1].vulgar || n->end != n->begin + 1 ||
        (negative && (n->begin == 0 || t->at[n->begin - 1].kind != TOK_MINUS)))
        return false;
    fmpq_init(x);
    bool ok = literal_value(t, n->begin, x, &decimals) && decimals == 0 &&
              fmpz_cmp_ui(fmpq_numref(x), MAX_EXPONENT) <= 0;
    *value = ok ? (long)fmpz_get_ui(fmpq_numref(x)) * (negative ? -1 : 1) : 0;
    *begin = t->at[negative ? n->begin - 1 : n->begin].begin;
    *end = t->at[n->begin].end;
    fmpq_clear(x);
    return ok;
}

/* "hour" or "hours", "foot" or "feet": the name of a unit for one or for several. */
static rdv_str in_number(rdv_str word, bool one, rdv_arena *arena)
{
    static const char *const pairs[][2] = {
        {"foot", "feet"}, {"inch", "inches"}, {"century", "centuries"}, {"penny", "pennies"}};
    for (size_t i = 0; i < COUNT(pairs); i++)
        if (rdv_is_one_of(word, pairs[i], 2))
            return rdv_str_of(pairs[i][!one]);
    bool several = rdv_ends(word, RDV_STR("s"));
    if (several == one)
        word =
            one ? rdv_slice(word, 0, word.len - 1) : rdv_str_printf(arena, "%.*ss", RDV_FMT(word));
    return word;
}

/* Is it the name of a unit, in small letters, with a singular and a plural? */
static bool has_plural(rdv_str word)
{
    static const char *const few[] = {"day", "cup", "ton"};
    static const char *const none[] = {"celsius", "fahrenheit", "hertz", "siemens", "percent"};
    unit_meaning m;
    for (size_t i = 0; i < word.len; i++)
        if (word.p[i] < 'a' || word.p[i] > 'z')
            return false;
    return (word.len > 3 || rdv_is_one_of(word, few, COUNT(few))) &&
           !rdv_is_one_of(word, none, COUNT(none)) && unit_find(word, &m);
}

/* Add the unit right after the number of token `i`, in singular or plural, where one of what is
 * claimed and what is shown is 1. The byte of the text up to which it was added. */
static size_t add_unit_word(rdv_buf *b, const tokens *t, size_t i, const fmpq_t claimed,
                            const fmpq_t shown, rdv_arena *arena)
{
    const token *number = &t->at[i], *word = &t->at[i + 1];
    bool was_one = fmpq_is_one(claimed), one = fmpq_is_one(shown);
    if (was_one == one || word->kind != TOK_WORD || !has_plural(tok_text(t, i + 1)))
        return number->end;
    rdv_str right = in_number(tok_text(t, i + 1), one, arena);
    add_one_line(b, rdv_slice(t->text, number->end, word->begin));
    right.p ? rdv_buf_add(b, right) : (void)(b->failed = true);
    return word->end;
}

/* What follows the number: "x 10^3 m" with another exponent where that changes by `power`. */
static void add_rest(rdv_buf *b, const tokens *t, const place *at, rdv_str text, size_t number_end,
                     long power)
{
    size_t begin, end;
    long value;
    if (power && exponent_at(t, at->exponent, &begin, &end, &value)) {
        size_t offset = (size_t)(text.p - t->text.p);
        add_one_line(b, rdv_slice(text, number_end, begin - offset));
        rdv_buf_printf(b, "%ld", value + power);
        number_end = end - offset;
    }
    add_one_line(b, rdv_slice(text, number_end, text.len));
}

/* Is the claimed number one digit and its decimals, before a power of ten? */
static bool is_scientific(const tokens *t, const place *at, const fmpq_t number)
{
    size_t begin, end;
    long value;
    return exponent_at(t, at->exponent, &begin, &end, &value) && fmpq_cmp_ui(number, 1) >= 0 &&
           fmpq_cmp_ui(number, 10) < 0;
}

/* Write the claim with `shown` in place of its number. */
static rdv_str with_number(const tokens *t, const expression *claim, const place *at,
                           const fmpq_t shown, bool real, const style *as, rdv_arena *arena)
{
    rdv_str text = written(t, claim);
    size_t begin = (size_t)(t->text.p + t->at[at->token].begin - text.p);
    size_t end = (size_t)(t->text.p + t->at[at->token].end - text.p);
    fmpq_t size;
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    if (fmpq_sgn(shown) < 0)
        rdv_buf_add_char(&b, '-');
    for (size_t i = 0; i < begin; i++) /* its own sign is left out */
        if (text.p[i] != '-' && text.p[i] != '+' && text.p[i] != '\n')
            rdv_buf_add_char(&b, text.p[i]);
    fmpq_init(size);
    fmpq_abs(size, shown);
    bool moves = !fmpq_is_zero(size) && is_scientific(t, at, as->number);
    long power = moves ? normalise(size) : 0;
    add_number(&b, size, real, as, arena);
    end = add_unit_word(&b, t, at->token, as->number, size, arena) - (size_t)(text.p - t->text.p);
    fmpq_clear(size);
    add_rest(&b, t, at, text, end, power);
    return finished(&b);
}

/* "$5", "5 dollars" */
static bool is_money(const tokens *t, const expression *claim)
{
    const measure *m = claim->root->is == N_UNIT ? claim->root->unit : NULL;
    return t->at[claim->begin].kind == TOK_CURRENCY ||
           (m && m->n == 1 &&
            m->power[BASE_CENT] + m->power[BASE_EURO] + m->power[BASE_PENNY] == 1 &&
            m->factor[0].num == 100);
}

/* Put the number that makes `value` into the claim's place; false: no number does. */
static bool in_place(const tokens *t, const expression *claim, const fmpq_t claimed,
                     const fmpq_t value, bool real, rdv_arena *arena, rdv_str *out)
{
    place at = {0};
    fmpq_t shown;
    long decimals;
    if (written(t, claim).len > MAX_SHOWN || !find_place(t, claim->root, &at))
        return false;
    size_t from = claim->end > MAX_BEFORE ? claim->end - MAX_BEFORE : 0;
    style as = {.like = tok_text(t, at.token),
                .money = is_money(t, claim),
                .grouped = has_groups(t, from, claim->end)};
    fmpq_init(as.number);
    fmpq_init(shown);
    bool ok = literal_value(t, at.token, as.number, &decimals) && !fmpq_is_zero(claimed);
    if (ok) { /* the number times what the claim makes of it */
        fmpq_mul(shown, value, as.number);
        fmpq_div(shown, shown, claimed);
        if (fmpq_sgn(claimed) < 0)
            fmpq_neg(shown, shown);
    }
    if (ok)
        *out = with_number(t, claim, &at, shown, real, &as, arena);
    fmpq_clear(as.number);
    fmpq_clear(shown);
    return ok;
}

static const node *without_sign(const node *n)
{
    while (n->is == N_NEGATE)
        n = n->a;
    return n;
}

/* "5/12", "-5/12", "-(5/12)" */
static bool is_fraction(const node *n)
{
    n = without_sign(n);
    return n->is == N_DIVIDE && without_sign(n->a)->is == N_NUMBER && n->b->is == N_NUMBER;
}

/* "1 5/12" */
static rdv_str mixed(const fmpq_t value, rdv_arena *arena)
{
    fmpz_t whole;
    fmpq_t rest;
    fmpz_init(whole);
    fmpq_init(rest);
    fmpz_tdiv_q(whole, fmpq_numref(value), fmpq_denref(value));
    fmpq_set_fmpz(rest, whole);
    fmpq_sub(rest, value, rest);
    bool both = !fmpz_is_zero(whole) && !fmpq_is_zero(rest);
    fmpq_t w;
    fmpq_init(w);
    fmpq_set_fmpz(w, whole);
    fmpq_abs(rest, rest);
    rdv_str a = print_fraction(both ? w : value, arena), b = print_fraction(rest, arena);
    fmpq_clear(w);
    fmpq_clear(rest);
    fmpz_clear(whole);
    if (!a.p || !b.p)
        return (rdv_str){0};
    return both ? rdv_str_printf(arena, "%s %s", a.p, b.p) : a;
}

/* The mixed number or fraction that the claim shows, perhaps with a unit, or NULL. */
static const node *parted_number(const node *n)
{
    n = without_sign(n);
    n = n->is == N_UNIT ? n->a : n;
    return n->is == N_MIXED || is_fraction(n) ? n : NULL;
}

/* `value` and what stands behind the number with parts in the claim. */
static rdv_str with_rest(const tokens *t, const expression *claim, const node *number,
                         rdv_str value, rdv_arena *arena)
{
    const node *part = number->is == N_MIXED ? number->b : number;
    part = part->is == N_DIVIDE ? part->b : part;
    if (!value.p || claim->root->is != N_UNIT || part->is != N_NUMBER)
        return value;
    size_t last = part->end;
    while (last < claim->end && t->at[last].kind == TOK_CLOSE)
        last++;
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    rdv_buf_add(&b, value);
    add_one_line(&b, rdv_slice(t->text, t->at[last - 1].end, t->at[claim->end - 1].end));
    return finished(&b);
}

static bool holds_pi(const node *n)
{
    return n && (n->is == N_PI || holds_pi(n->a) || holds_pi(n->b));
}

/* "9\pi", "3\pi/2": a multiple of pi. */
static rdv_str multiple_of_pi(const tokens *t, const expression *claim, const fmpq_t ratio,
                              rdv_arena *arena)
{
    fmpq_t number;
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    fmpq_init(number);
    fmpq_set_fmpz(number, fmpq_numref(ratio));
    if (fmpq_sgn(ratio) < 0)
        rdv_buf_add_char(&b, '-');
    fmpq_abs(number, number);
    if (!fmpq_is_one(number))
        rdv_buf_add(&b, print_fraction(number, arena));
    bool latex = rdv_find_char(written(t, claim), '\\', 0) != RDV_NOT_FOUND;
    latex ? rdv_buf_lit(&b, "\\pi") : rdv_buf_lit(&b, "\xcf\x80");
    fmpq_set_fmpz(number, fmpq_denref(ratio));
    if (!fmpq_is_one(number)) {
        rdv_buf_add_char(&b, '/');
        rdv_buf_add(&b, print_fraction(number, arena));
    }
    fmpq_clear(number);
    return rdv_buf_ok(&b) ? rdv_buf_str(&b) : (rdv_str){0};
}

static bool holds_root(const node *n)
{
    return n && ((n->is == N_ROOT && !n->b) || holds_root(n->a) || holds_root(n->b));
}

/* value * value as a whole number up to MAX_RADICAND; false: it is none. */
static bool square_of(const fmpq_t value, ulong *out)
{
    arb_t x;
    fmpz_t n;
    arb_init(x);
    fmpz_init(n);
    arb_set_fmpq(x, value, PI_PRECISION);
    arb_sqr(x, x, PI_PRECISION);
    arb_add_error_2exp_si(x, -200);
    bool whole = arb_get_unique_fmpz(n, x) && fmpz_cmp_ui(n, MAX_RADICAND) <= 0;
    if (whole)
        *out = fmpz_get_ui(n);
    fmpz_clear(n);
    arb_clear(x);
    return whole;
}

/* "5\sqrt{2}" for the root of 50. */
static rdv_str radical(const tokens *t, const expression *claim, const fmpq_t value, ulong square,
                       rdv_arena *arena)
{
    ulong outside = 1;
    for (ulong d = 2; d * d <= square; d++)
        for (; square % (d * d) == 0; square /= d * d)
            outside *= d;
    bool latex = rdv_find_char(written(t, claim), '\\', 0) != RDV_NOT_FOUND;
    const char *sign = fmpq_sgn(value) < 0 ? "-" : "";
    rdv_str before = outside > 1 ? rdv_str_printf(arena, "%s%lu", sign, outside)
                                 : rdv_str_copy(arena, rdv_str_of(sign));
    if (!before.p)
        return before;
    return latex ? rdv_str_printf(arena, "%.*s\\sqrt{%lu}", RDV_FMT(before), square)
                 : rdv_str_printf(arena, "%.*s\xe2\x88\x9a%lu", RDV_FMT(before), square);
}

/* A value that is not rational: a multiple of pi or a root, if the claim has one. */
static rdv_str shown_real(const tokens *t, const expression *claim, const fmpq_t value,
                          rdv_arena *arena)
{
    fmpq_t ratio;
    ulong square;
    rdv_str out = {0};
    fmpq_init(ratio);
    if (holds_pi(claim->root) && over_pi(value, ratio))
        out = multiple_of_pi(t, claim, ratio, arena);
    else if (holds_root(claim->root) && square_of(value, &square))
        out = radical(t, claim, value, square, arena);
    else
        out = print_real(value, arena);
    fmpq_clear(ratio);
    return out;
}

/* Add the part of `rest`, in the unit of the first number, that the number of `n` shows: all of it
 * if it is the last, else the whole number. */
static bool add_part(rdv_buf *b, const tokens *t, const node *n, bool last, fmpq_t rest,
                     size_t *from, rdv_arena *arena)
{
    place at = {0};
    long decimals;
    if (!find_place(t, n, &at))
        return false;
    fmpq_t part, claimed;
    fmpq_init(part);
    fmpq_init(claimed);
    fmpq_set(part, rest);
    if (!last) {
        fmpz_fdiv_q(fmpq_numref(part), fmpq_numref(rest), fmpq_denref(rest));
        fmpz_one(fmpq_denref(part));
    }
    add_one_line(b, rdv_slice(t->text, *from, t->at[at.token].begin));
    style as = {.like = tok_text(t, at.token)};
    fmpq_init(as.number);
    bool known = literal_value(t, at.token, claimed, &decimals);
    fmpq_set(as.number, claimed);
    add_number(b, part, false, &as, arena);
    *from = known ? add_unit_word(b, t, at.token, claimed, part, arena) : t->at[at.token].end;
    fmpq_clear(as.number);
    fmpq_sub(rest, rest, part);
    fmpq_clear(part);
    fmpq_clear(claimed);
    return true;
}

/* The same for an amount in several units; `rest` becomes what its last number leaves. */
static bool add_parts(rdv_buf *b, const tokens *t, const node *n, bool last, fmpq_t rest,
                      size_t *from, rdv_arena *arena)
{
    if (!node_is_amount(n))
        return add_part(b, t, n, last, rest, from, arena);
    if (!add_parts(b, t, n->a, false, rest, from, arena))
        return false;
    fmpq_t ratio;
    fmpq_init(ratio);
    measure_ratio((node_is_amount(n->a) ? n->a->b : n->a)->unit, n->b->unit, ratio);
    fmpq_mul(rest, rest, ratio);
    fmpq_clear(ratio);
    return add_part(b, t, n->b, last, rest, from, arena);
}

/* `value`, in the first unit of the claim, in all of its units: "2 hours 15 minutes". */
static rdv_str amount(const tokens *t, const expression *claim, const fmpq_t value,
                      rdv_arena *arena)
{
    size_t from = t->at[claim->begin].begin;
    fmpq_t rest;
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    if (fmpq_sgn(value) < 0)
        rdv_buf_add_char(&b, '-');
    fmpq_init(rest);
    fmpq_abs(rest, value);
    bool ok = add_parts(&b, t, claim->root, true, rest, &from, arena);
    fmpq_clear(rest);
    if (!ok)
        return print_value(value, arena);
    add_one_line(&b, rdv_slice(t->text, from, t->at[claim->end - 1].end));
    return finished(&b);
}

rdv_str format_value(const tokens *t, const expression *claim, const fmpq_t claimed,
                     const fmpq_t value, bool real, rdv_arena *arena)
{
    rdv_str out = {0};
    if (in_place(t, claim, claimed, value, real, arena, &out))
        return out;
    if (real)
        return shown_real(t, claim, value, arena);
    const node *parted = parted_number(claim->root);
    if (parted)
        return with_rest(t, claim, parted,
                         parted->is == N_MIXED ? mixed(value, arena) : print_fraction(value, arena),
                         arena);
    return node_is_amount(claim->root) ? amount(t, claim, value, arena) : print_value(value, arena);
}

rdv_str format_claim(const tokens *t, const expression *claim, const fmpq_t claimed, bool real,
                     rdv_arena *arena)
{
    place at = {0};
    rdv_str text = written(t, claim);
    if (text.len > MAX_SHOWN ||
        !(parted_number(claim->root) || node_is_amount(claim->root) || holds_pi(claim->root) ||
          holds_root(claim->root) || find_place(t, claim->root, &at)))
        return real ? print_real(claimed, arena) : print_value(claimed, arena);
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    add_one_line(&b, text);
    return finished(&b);
}
