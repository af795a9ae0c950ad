/* SPDX-License-Identifier: Apache-2.0 */
#include "decide/tokenised.h"

#include "base/str.h"
#include "explain/mismatch.h"

/* ---- is the text tokenised? ------------------------------------------------------------------ */

static bool is_blank_at(rdv_str s, size_t i)
{
    return i >= s.len || rdv_is_space(s.p[i]);
}

static bool is_blank_before(rdv_str s, size_t i)
{
    return i == 0 || rdv_is_space(s.p[i - 1]);
}

/* "0.5", ".5" and "1,200": the point or comma belongs to the number. */
static bool is_inside_number(rdv_str s, size_t i)
{
    return (s.p[i] == '.' || s.p[i] == ',') && i + 1 < s.len && rdv_is_digit(s.p[i + 1]) &&
           (is_blank_before(s, i) || rdv_is_digit(s.p[i - 1]));
}

/* The bytes from *i on that stand between two blanks; empty: there are no more. */
static rdv_str next_field(rdv_str s, size_t *i)
{
    while (*i < s.len && rdv_is_space(s.p[*i]))
        ++*i;
    size_t begin = *i;
    while (*i < s.len && !rdv_is_space(s.p[*i]))
        ++*i;
    return rdv_slice(s, begin, *i);
}

/* The same before *i. */
static rdv_str field_before(rdv_str s, size_t *i)
{
    while (*i > 0 && rdv_is_space(s.p[*i - 1]))
        --*i;
    size_t end = *i;
    while (*i > 0 && !rdv_is_space(s.p[*i - 1]))
        --*i;
    return rdv_slice(s, *i, end);
}

static bool is_word(rdv_str field, size_t least)
{
    return field.len >= least && field.len && rdv_is_alpha(field.p[0]) &&
           rdv_is_alpha(field.p[field.len - 1]);
}

static bool is_number(rdv_str field)
{
    return field.len && rdv_is_digit(field.p[field.len - 1]) && !rdv_has_letter(field) &&
           (rdv_is_digit(field.p[0]) || field.p[0] == '.');
}

static bool is_char(rdv_str field, const char *chars)
{
    return field.len == 1 && strchr(chars, field.p[0]);
}

/* "= 34 area of square = 34 * 34": no mark and no line divides a result from the name of the next
 * one. */
static bool runs_on(rdv_str s)
{
    if (rdv_find_char(s, '\n', 0) != RDV_NOT_FOUND)
        return false;
    size_t words = 0;
    bool result = false;
    rdv_str last = {0};
    for (size_t i = 0;;) {
        rdv_str field = next_field(s, &i);
        bool equal = is_char(field, "=");
        if (!field.len || (equal && result && words >= 2))
            return field.len;
        if (is_number(field) && is_char(last, "=")) {
            result = true;
            words = 0;
        }
        words += is_word(field, 2);
        result &= is_number(field) || is_word(field, 2);
        last = field;
    }
}

/* No capital letter; every mark and sign between blanks, and one of punctuation among them, or no
 * sign where a sentence ends. */
static bool is_tokenised(rdv_str s)
{
    bool marks = false, words = false;
    for (size_t i = 0; i < s.len; i++) {
        char c = s.p[i];
        if (c >= 'A' && c <= 'Z')
            return false;
        if (c == '-' && !is_blank_before(s, i) && i + 1 < s.len && rdv_is_digit(s.p[i + 1]))
            return false;
        words |= rdv_is_alpha(c) && i > 0 && rdv_is_alpha(s.p[i - 1]);
        if (!c || !strchr(".,:;?!%()[]'\"$=+*/^", c) || is_inside_number(s, i))
            continue;
        if (!is_blank_before(s, i) || !is_blank_at(s, i + 1))
            return false;
        marks |= strchr("=+*/^%", c) == NULL; /* "15 % of 80" is written so in many languages */
    }
    return words && (marks || runs_on(s));
}

/* ---- whole claims of one operation ----------------------------------------------------------- */

/* Does a sentence, or what the name of the result says, end before byte `i`? */
static bool begins_at(rdv_str s, size_t i)
{
    rdv_str field = field_before(s, &i);
    if (is_char(field, "$"))
        field = field_before(s, &i);
    if (!field.len)
        return true;
    bool equal = is_char(field, "="), mark = equal || is_char(field, ".,:;"),
         word = is_word(field, 2);
    field = field_before(s, &i);
    if (word) /* "30 therefore 5 * 3": the number may be a factor */
        return !field.len || is_word(field, 1) || is_char(field, ".,:;");
    return mark && is_word(field, equal ? 1 : 2);
}

/* Does a sentence, or the words for what is counted, go on after byte `i`? */
static bool ends_at(rdv_str s, size_t i)
{
    rdv_str field = next_field(s, &i);
    if (!field.len)
        return true;
    bool mark = is_char(field, ".,:;"), word = is_word(field, 2);
    field = next_field(s, &i);
    if (word)
        return !field.len || is_word(field, 1) || is_char(field, ".,:;");
    return mark && (!field.len || is_word(field, 1));
}

/* "a op b" and "c": the operation, and the digits of the three. */
typedef struct claim_of_one {
    rdv_str number[3];
    node_is op; /* N_ADD, N_SUBTRACT, N_MULTIPLY or N_DIVIDE */
} claim_of_one;

static rdv_str next_number(rdv_str side, size_t *i)
{
    rdv_str field = next_field(side, i);
    return is_char(field, "$") ? next_field(side, i) : field;
}

static bool read_claim(const rdv_calc *calc, claim_of_one *out)
{
    static const struct {
        const char *text;
        node_is op;
    } signs[] = {{"+", N_ADD},
                 {"-", N_SUBTRACT},
                 {"\xe2\x80\x93", N_SUBTRACT},
                 {"\xe2\x88\x92", N_SUBTRACT},
                 {"*", N_MULTIPLY},
                 {"x", N_MULTIPLY},
                 {"\xc3\x97", N_MULTIPLY},
                 {"\xe2\x88\x97", N_MULTIPLY},
                 {"/", N_DIVIDE},
                 {"\xc3\xb7", N_DIVIDE},
                 {"\xe2\x81\x84", N_DIVIDE}};
    size_t i = 0, k = 0;
    out->number[0] = next_number(calc->lhs, &i);
    rdv_str sign = next_field(calc->lhs, &i);
    out->number[1] = next_number(calc->lhs, &i);
    out->number[2] = next_number(calc->rhs, &k);
    rdv_str after = next_field(calc->rhs, &k); /* "= 2112 / 7" is another operation */
    bool operates = false;
    for (size_t s = 0; s < sizeof signs / sizeof *signs; s++)
        if (rdv_str_eq(sign, rdv_str_of(signs[s].text))) {
            out->op = signs[s].op;
            operates = true;
        }
    if (is_char(next_field(calc->rhs, &k), "+-*/^"))
        return false; /* "32 + 43 = 31 / 3" */
    return operates && is_number(out->number[0]) && is_number(out->number[1]) &&
           is_number(out->number[2]) && (!after.len || is_char(after, "%") || is_word(after, 2)) &&
           rdv_trim(rdv_slice(calc->lhs, i, calc->lhs.len)).len == 0;
}

/* ---- typesetting that may be lost ------------------------------------------------------------ */

#define MAX_DIGITS 6    /* of a number that may have lost its typesetting */
#define MAX_READINGS 26 /* of six digits: 1 as it is, 10 fractions and powers, 10 mixed numbers */

typedef struct readings {
    fmpq_t at[MAX_READINGS];
    size_t n;
} readings;

static void clear_readings(readings *r)
{
    while (r->n > 0)
        fmpq_clear(r->at[--r->n]);
}

static slong whole(rdv_str digits)
{
    slong x = 0;
    for (size_t i = 0; i < digits.len; i++)
        x = 10 * x + (digits.p[i] - '0');
    return x;
}

static void add_fraction(readings *r, slong num, slong den)
{
    if (den == 0)
        return;
    fmpq_init(r->at[r->n]);
    fmpq_set_si(r->at[r->n++], num, (ulong)den);
}

/* The number as it is written. */
static void add_number(readings *r, rdv_str s)
{
    fmpz_t scale;
    fmpz_init_set_ui(scale, 1);
    fmpq *x = r->at[r->n++];
    fmpq_init(x);
    for (size_t i = 0, point = s.len; i < s.len; i++) {
        point = s.p[i] == '.' ? i : point;
        if (!rdv_is_digit(s.p[i]))
            continue;
        fmpz_mul_ui(fmpq_numref(x), fmpq_numref(x), 10);
        fmpz_add_ui(fmpq_numref(x), fmpq_numref(x), (ulong)(s.p[i] - '0'));
        if (i > point)
            fmpz_mul_ui(scale, scale, 10);
    }
    fmpq_div_fmpz(x, x, scale);
    fmpz_clear(scale);
}

/* The number, and what its digits may have been where it is whole: "289" 2/89, 2^89 is too large,
 * 28/9, 28^9, 2 8/9. */
static void read_number(rdv_str s, readings *r)
{
    r->n = 0;
    add_number(r, s);
    for (size_t i = 0; i < s.len; i++)
        if (!rdv_is_digit(s.p[i]) || s.len > MAX_DIGITS)
            return;
    for (size_t i = 1; i < s.len; i++) {
        rdv_str rest = rdv_slice(s, i, s.len);
        slong first = whole(rdv_slice(s, 0, i));
        if (rest.p[0] == '0')
            continue;
        add_fraction(r, first, whole(rest));
        if (rest.len == 1 && rest.p[0] > '1') {
            add_fraction(r, first, 1);
            fmpq_pow_si(r->at[r->n - 1], r->at[r->n - 1], whole(rest));
        }
        for (size_t k = 1; k < rest.len; k++) {
            slong num = whole(rdv_slice(rest, 0, k)), den = whole(rdv_slice(rest, k, rest.len));
            if (num < den)
                add_fraction(r, first * den + num, den);
        }
    }
}

/* Is the result that is shown so near, by less than one at its last digit? */
static bool is_shown(const fmpq_t value, const fmpq_t result, rdv_str shown)
{
    size_t point = rdv_find_char(shown, '.', 0);
    if (point == RDV_NOT_FOUND)
        return fmpq_equal(value, result);
    fmpq_t apart;
    fmpq_init(apart);
    fmpq_sub(apart, value, result);
    fmpq_abs(apart, apart);
    for (size_t i = point + 1; i < shown.len; i++)
        fmpq_mul_ui(apart, apart, 10);
    bool near = fmpq_cmp_ui(apart, 1) < 0;
    fmpq_clear(apart);
    return near;
}

/* "56 × 78 = 49" of 7/8: does one reading of each number make both sides equal? */
static bool may_have_lost_typesetting(const claim_of_one *claim)
{
    readings r[3];
    bool equal = false;
    fmpq_t value;
    fmpq_init(value);
    for (size_t i = 0; i < 3; i++)
        read_number(claim->number[i], &r[i]);
    for (size_t a = 0; a < r[0].n; a++)
        for (size_t b = 0; b < r[1].n; b++) {
            fmpq_set(value, r[0].at[a]);
            bool is = mismatch_combine(value, claim->op, r[1].at[b]);
            for (size_t c = 0; c < r[2].n && is; c++)
                equal |= a + b + c > 0 && is_shown(value, r[2].at[c], claim->number[2]);
        }
    fmpq_clear(value);
    for (size_t i = 0; i < 3; i++)
        clear_readings(&r[i]);
    return equal;
}

/* ---- the results ----------------------------------------------------------------------------- */

static const char *why_withheld(rdv_str s, size_t offset, const rdv_calc *calc)
{
    claim_of_one claim;
    if (!read_claim(calc, &claim) || !begins_at(s, calc->begin - offset) ||
        !ends_at(s, calc->end - offset))
        return "the text is tokenised: brackets, fraction lines, exponents may be lost";
    return may_have_lost_typesetting(&claim)
               ? "the text is tokenised: digits may be an exponent or a fraction"
               : NULL;
}

void tokenised_withhold(rdv_str text, size_t offset, size_t first, calc_list *found)
{
    int tokenised = -1; /* not known yet */
    for (size_t i = first; i < found->n; i++) {
        const rdv_calc *calc = calc_list_see(found, i);
        if (calc->kind != RDV_CALC_WRONG || (tokenised < 0 && !(tokenised = is_tokenised(text))))
            continue;
        const char *why = tokenised ? why_withheld(text, offset, calc) : NULL;
        if (!why)
            continue;
        rdv_calc *withheld = calc_list_at(found, i);
        withheld->kind = RDV_CALC_UNDECIDED;
        withheld->note = rdv_str_of(why);
    }
}
