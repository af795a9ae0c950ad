/* SPDX-License-Identifier: Apache-2.0 */
#include "answer/measure.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "base/utf8.h"

#include <inttypes.h>

/* Commands of LaTeX that say how a unit is set, or that it is multiplied, not which it is. */
static bool is_style(rdv_str word)
{
    static const char *const styles[] = {"text", "textrm",       "mathrm", "rm",
                                         "mbox", "operatorname", "cdot",   "times"};
    return rdv_is_one_of(word, styles, sizeof styles / sizeof *styles);
}

static int power_named(rdv_str word)
{
    static const char *const two[] = {"square", "sq", "squared"};
    static const char *const three[] = {"cubic", "cu", "cubed"};
    return rdv_is_one_of(word, two, 3) ? 2 : rdv_is_one_of(word, three, 3) ? 3 : 1;
}

/* Letters of ASCII, the signs of micro and ohm, and the ring of an angstrom. */
static size_t letter_len(rdv_str s, size_t i)
{
    static const char *const letters[] = {"\xc2\xb5", "\xce\xbc", "\xce\xa9", "\xc3\x85"};
    if (i >= s.len || !(s.p[i] & 0x80))
        return i < s.len && rdv_is_alpha(s.p[i]);
    for (size_t k = 0; k < sizeof letters / sizeof *letters; k++)
        if (rdv_starts(rdv_slice(s, i, s.len), rdv_str_of(letters[k])))
            return 2;
    return 0;
}

/* The next word from byte *i on, or one character that is no decoration; empty at the end. */
static rdv_str next_part(rdv_str s, size_t *i)
{
    static const char *const signs[] = {"\xc2\xb0", "\xc2\xb2", "\xc2\xb3", "\xc2\xb7",
                                        "\xe2\x8b\x85"};
    for (;;) {
        while (*i < s.len && (rdv_is_space(s.p[*i]) || RDV_IS_IN(s.p[*i], "\\{}$,.~!;:()*")))
            (*i)++;
        size_t begin = *i, len;
        while ((len = letter_len(s, *i)))
            *i += len;
        rdv_str rest = rdv_slice(s, *i, s.len);
        bool sign = *i == begin && rest.len && (unsigned char)rest.p[0] >= 128;
        for (size_t k = 0; sign && *i == begin && k < sizeof signs / sizeof *signs; k++)
            if (rdv_starts(rest, rdv_str_of(signs[k])))
                *i += strlen(signs[k]);
        if (*i == begin && *i < s.len)
            (*i)++;
        rdv_str part = rdv_slice(s, begin, *i);
        if (!is_style(part))
            return part;
    }
}

/* "^2", "^{-1}", U+00B2 and "squared" after a unit; `part` is what follows it. 0: a power that is
 * not read. */
static int power_after(rdv_str s, size_t *i, rdv_str *part)
{
    int power = power_named(*part);
    if (rdv_str_eq(*part, RDV_STR("\xc2\xb2")))
        power = 2;
    if (rdv_str_eq(*part, RDV_STR("\xc2\xb3")))
        power = 3;
    if (rdv_str_eq(*part, RDV_STR("^"))) {
        *part = next_part(s, i);
        bool below = rdv_str_eq(*part, RDV_STR("-"));
        if (below)
            *part = next_part(s, i);
        if (part->len != 1 || part->p[0] < '1' || part->p[0] > '4')
            return 0;
        power = (below ? -1 : 1) * (part->p[0] - '0');
        *part = next_part(s, i);
    } else if (power > 1) {
        *part = next_part(s, i);
    }
    return power;
}

static bool is_per(rdv_str part)
{
    return rdv_str_eq(part, RDV_STR("/")) || rdv_str_ieq(part, RDV_STR("per")) ||
           rdv_str_eq(part, RDV_STR("a")) || rdv_str_eq(part, RDV_STR("an"));
}

static bool is_every(rdv_str part)
{
    return rdv_str_ieq(part, RDV_STR("each")) || rdv_str_ieq(part, RDV_STR("every"));
}

static bool is_product(rdv_str part)
{
    return rdv_str_eq(part, RDV_STR("-")) || rdv_str_eq(part, RDV_STR("\xc2\xb7")) ||
           rdv_str_eq(part, RDV_STR("\xe2\x8b\x85"));
}

/* "60 miles in 2 hours", "5 in total" */
static bool is_preposition(rdv_str part, rdv_str s, size_t i)
{
    rdv_str next = next_part(s, &i);
    return rdv_str_eq(part, RDV_STR("in")) && next.len && !is_product(next) &&
           !rdv_str_eq(next, RDV_STR("^")) && !is_per(next);
}

/* "degrees Celsius" are no degrees. */
static const unit *of_temperature(rdv_str s, size_t *i, const unit *u)
{
    size_t at = *i;
    unit_meaning scale;
    rdv_str part = next_part(s, &at);
    if (!u->power[BASE_DEGREE])
        return u;
    if (rdv_str_eq(part, RDV_STR("C")) || rdv_str_eq(part, RDV_STR("F")))
        part = part.p[0] == 'C' ? RDV_STR("celsius") : RDV_STR("fahrenheit");
    if (!unit_find(part, &scale) ||
        !(scale.unit->power[BASE_CELSIUS] || scale.unit->power[BASE_FAHRENHEIT] ||
          scale.unit->power[BASE_KELVIN]))
        return u;
    *i = at;
    return scale.unit;
}

/* *whole: nothing else stands there. */
static measure read_measure(rdv_str after, bool *whole)
{
    *whole = false;
    size_t i = 0;
    measure m = {0};
    bool below = false;
    rdv_str part = next_part(after, &i);
    while (part.len) {
        size_t each = i;
        if (m.n && rdv_str_ieq(part, RDV_STR("for")) && is_every(next_part(after, &each))) {
            part = RDV_STR("per"); /* "5 kJ for each mole" */
            i = each;
        }
        bool joined = m.n && (is_per(part) || is_product(part));
        bool per = m.n && is_per(part);
        bool word = rdv_is_alpha(part.p[0]); /* "a" may be no more than an article */
        below = below || per;                /* "J/kg K" divides by both */
        if (joined)
            part = next_part(after, &i);
        unit_meaning is = {0};
        int before = part.len ? power_named(part) : 1;
        if (before > 1)
            part = next_part(after, &i);
        if (rdv_str_eq(part, RDV_STR("\xc2\xb0")))
            part = RDV_STR("degree");
        const unit *u = part.len && unit_find(part, &is) ? is.unit : NULL;
        if (!u || is_preposition(part, after, i)) {
            m.open = per && !(word && part.len == 0);
            return m;
        }
        u = of_temperature(after, &i, u);
        part = next_part(after, &i);
        int behind = power_after(after, &i, &part);
        if (behind == 0 || (before > 1 && behind > 1) ||
            !measure_add(&m, u, is.ten, 0, before * behind * (below && behind > 0 ? -1 : 1)))
            return (measure){0};
    }
    *whole = true;
    return m;
}

measure measure_read(rdv_str after)
{
    bool whole;
    return read_measure(after, &whole);
}

/* Where the number at the beginning ends: digits, and what makes one number of them. */
static size_t number_end(rdv_str s)
{
    static const char *const signs[] = {"\\times", "\\cdot",   "\\,",
                                        "\\frac",  "\xc3\x97", "\xc2\xb7"};
    size_t i = 0, end = 0;
    while (i < s.len) {
        rdv_str rest = rdv_slice(s, i, s.len);
        size_t len = 0;
        for (size_t k = 0; k < sizeof signs / sizeof *signs && !len; k++)
            len = rdv_starts(rest, rdv_str_of(signs[k])) ? strlen(signs[k]) : 0;
        bool times = s.p[i] == 'x' || s.p[i] == 'e' || s.p[i] == 'E';
        size_t raised = 0;
        bool power = end && !len && rdv_superscript_at(s, i, &raised);
        len = power ? raised : len;
        size_t next = i + 1;
        while (times && next < s.len && (s.p[next] == ' ' || s.p[next] == '-'))
            next++;
        if (times && i && next < s.len && rdv_is_digit(s.p[next]))
            len = 1;
        if (!len && !rdv_is_digit(s.p[i]) && !RDV_IS_IN(s.p[i], ".,+-/^{}() *$"))
            break;
        bool closes = rdv_is_digit(s.p[i]) || s.p[i] == '}' || s.p[i] == ')';
        end = power ? i + len : closes ? i + 1 : end;
        i += len ? len : 1;
    }
    return end;
}

bool measure_split(rdv_str s, rdv_str *number, rdv_str *letters)
{
    bool whole;
    size_t end = number_end(s);
    *number = rdv_slice(s, 0, end);
    *letters = rdv_slice(s, end, s.len);
    return end && end < s.len && read_measure(*letters, &whole).n && whole;
}

/* ---- sums of quantities ---------------------------------------------------------------------- */

#define PARTS_MAX 4

typedef struct quantity_part {
    rdv_str number, unit;
    measure is;
} quantity_part;

/* The next "2 hours" from byte *i on, with "and" or a comma before it: a plain number and one unit
 * up to the next number. */
static bool next_quantity(rdv_str s, size_t *i, quantity_part *out)
{
    bool whole;
    size_t begin = rdv_skip_any(s, *i, " ,");
    if (*i && rdv_istarts(rdv_slice(s, begin, s.len), RDV_STR("and ")))
        begin = rdv_skip_any(s, begin + 4, " ");
    size_t end = rdv_skip_digits(s, begin);
    if (rdv_char_at(s, end) == '.' && rdv_is_digit(rdv_char_at(s, end + 1)))
        end = rdv_skip_digits(s, end + 1);
    out->number = rdv_slice(s, begin, end);
    size_t letters = rdv_skip_any(s, end, " "), last = rdv_skip_letters(s, letters);
    out->unit = rdv_slice(s, letters, last);
    out->is = read_measure(out->unit, &whole);
    *i = rdv_char_at(s, last) == '.' ? last + 1 : last;
    return out->number.len && out->unit.len && whole && out->is.n == 1 &&
           out->is.factor[0].power == 1;
}

static void put_factor(rdv_buf *b, char sign, uint64_t num, uint64_t den, int ten)
{
    if (num != 1 || den != 1)
        rdv_buf_printf(b, "%c(%" PRIu64 "/%" PRIu64 ")", sign, num, den);
    if (ten)
        rdv_buf_printf(b, "%c10^{%d}", sign, ten);
}

/* How many quantities of one dimension the text lists, at least two; 0: it is no such sum. */
static size_t sum_parts(rdv_str s, quantity_part *part)
{
    size_t n = 0, i = 0;
    if (!s.len || s.len > 100 || !rdv_is_digit(s.p[0]) || !rdv_has_letter(s))
        return 0;
    for (; i < s.len; n++)
        if (n == PARTS_MAX || !next_quantity(s, &i, &part[n]) ||
            (n && measure_compare(&part[0].is, &part[n].is) != MEASURES_CONVERT))
            return 0;
    return n < 2 ? 0 : n;
}

bool measure_is_sum(rdv_str s)
{
    quantity_part part[PARTS_MAX];
    return sum_parts(s, part) > 0;
}

bool measure_begins_sum(rdv_str s)
{
    quantity_part part;
    size_t i = 0;
    return next_quantity(s, &i, &part);
}

int measure_sum(rdv_str s, rdv_arena *arena, rdv_str *out, rdv_error *err)
{
    quantity_part part[PARTS_MAX];
    size_t n = sum_parts(s, part);
    rdv_buf b;
    if (!n)
        return RDV_NONE;
    const measure_factor *to = &part[0].is.factor[0];
    rdv_buf_init(&b, arena, 0);
    rdv_buf_printf(&b, "(%.*s", RDV_FMT(part[0].number));
    for (size_t k = 1; k < n; k++) {
        const measure_factor *f = &part[k].is.factor[0];
        rdv_buf_printf(&b, "+%.*s", RDV_FMT(part[k].number));
        put_factor(&b, '*', f->num, f->den, f->ten);
        put_factor(&b, '/', to->num, to->den, to->ten);
    }
    rdv_buf_printf(&b, ")\\text{ %.*s}", RDV_FMT(part[0].unit)); /* "h" is no variable */
    *out = rdv_buf_str(&b);
    return out->p ? RDV_OK : rdv_no_memory(err);
}

#define UNIT_MAX 48 /* bytes of a unit that is looked for behind an answer */

/* What may be a unit after the answer that ends at `end`: not beyond its line and clause. */
static rdv_str clause_after(rdv_str text, size_t end)
{
    size_t i = end;
    while (i < text.len && i < end + UNIT_MAX && text.p[i] && !RDV_IS_IN(text.p[i], "\n.,;:!?="))
        i++;
    return rdv_slice(text, end, i);
}

/* A letter, a digit, or a byte of a sign such as U+00B2. */
static bool is_of_word(char c)
{
    return rdv_is_alnum(c) || (unsigned char)c >= 0x80;
}

bool measure_is_no_unit(rdv_str s)
{
    rdv_str word = rdv_slice(s, 0, rdv_skip_letters(s, 0));
    char next = rdv_char_at(s, word.len);
    bool whole = word.len && next != '\'' && !(next & 0x80);
    unit_meaning m;
    return whole && !is_style(word) && power_named(word) == 1 && !unit_find(word, &m);
}

size_t measure_len(rdv_str s)
{
    bool whole;
    size_t longest = 0;
    rdv_str clause = clause_after(s, 0);
    if (!clause.len)
        return 0;
    measure found = measure_read(clause);
    for (size_t i = 1; found.n && i <= clause.len; i++) {
        bool ends = is_of_word(clause.p[i - 1]) || clause.p[i - 1] == '}';
        if (!ends || (i < clause.len && is_of_word(clause.p[i])))
            continue;
        measure is = read_measure(rdv_slice(clause, 0, i), &whole); /* alone, "in" is an inch */
        if (whole && measure_compare(&is, &found) == MEASURES_SAME)
            longest = i;
    }
    return longest;
}

/* The sum of the powers of the bases that stand for one another. */
static int group(const measure *m, measure_base from, measure_base to)
{
    int sum = 0;
    for (size_t i = from; i <= to; i++)
        sum += m->power[i];
    return sum;
}

static bool same_factors(const measure *a, const measure *b)
{
    if (a->n != b->n)
        return false;
    for (size_t i = 0; i < a->n; i++) {
        const measure_factor *f = a->factor + i, *g = b->factor + i;
        if (f->num != g->num || f->den != g->den || f->ten != g->ten || f->power != g->power)
            return false;
    }
    return true;
}

/* "$5" for "$5 per hour". */
static bool leaves_out_rate(const measure *a, const measure *b)
{
    const measure_factor *f = a->factor, *g = b->factor;
    bool one = false;
    for (size_t i = BASE_CENT; i <= BASE_PENNY; i++)
        one = one || (a->power[i] == 1 && b->power[i] == 1);
    return one && (a->n == 1 || b->n == 1) && f->num == g->num && f->ten == g->ten;
}

measures measure_compare(const measure *a, const measure *b)
{
    bool same = true, known = true;
    for (size_t i = 0; i < MEASURE_BASES; i++) {
        same = same && a->power[i] == b->power[i];
        if (i != BASE_SECOND && i < BASE_MONTH)
            known = known && a->power[i] == b->power[i];
    }
    if ((same && same_factors(a, b)) || leaves_out_rate(a, b))
        return MEASURES_SAME;
    if (a->open || b->open)
        return MEASURES_UNKNOWN;
    if (same)
        return MEASURES_CONVERT;
    int time =
        a->power[BASE_SECOND] + a->power[BASE_MONTH] - b->power[BASE_SECOND] - b->power[BASE_MONTH];
    int heat = group(a, BASE_KELVIN, BASE_FAHRENHEIT) - group(b, BASE_KELVIN, BASE_FAHRENHEIT);
    return known && time == 0 && heat == 0 ? MEASURES_UNKNOWN : MEASURES_DIFFERENT;
}
