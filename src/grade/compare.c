/* SPDX-License-Identifier: Apache-2.0 */
/* An answer and the gold answer: same, different, or it cannot be told. */
#include "answer/announcement.h"
#include "answer/chinese.h"
#include "answer/foreign_number.h"
#include "answer/hedge.h"
#include "answer/gold.h"
#include "answer/measure.h"
#include "answer/money.h"
#include "answer/nothing.h"
#include "answer/number.h"
#include "answer/number_words.h"
#include "answer/statement.h"
#include "answer/time.h"
#include "base/arena.h"
#include "base/options.h"
#include "base/str.h"
#include "base/utf8.h"
#include "grade/align_to_gold.h"
#include "grade/angle.h"
#include "grade/text/chemical.h"
#include "grade/text/choices.h"
#include "grade/compare.h"
#include "grade/compare_value.h"
#include "grade/form_with_question.h"
#include "grade/formal.h"
#include "grade/key.h"
#include "grade/letter.h"
#include "grade/money_key.h"
#include "grade/text/restated.h"
#include "grade/rewording.h"
#include "grade/text/spelling.h"
#include "grade/turn.h"
#include "grade/upright.h"
#include "language/ordinal.h"

#include <rederive/math.h>

const char *rdv_same_name(rdv_same is)
{
    static const char *const names[] = {"different", "same", "cannot-tell"};
    return names[is];
}

/* By its sign, or by the word at the end. */
static bool has_percent(rdv_str s)
{
    size_t end = s.len;
    while (end > 0 && s.p[end - 1] && strchr("}$. )", s.p[end - 1]))
        end--;
    s = rdv_slice(s, 0, end);
    return rdv_find_char(s, '%', 0) != RDV_NOT_FOUND || rdv_ends(s, RDV_STR("percent")) ||
           rdv_ends(s, RDV_STR("per cent"));
}

/* "5^\\circ", U+00B0 end in the sign of degrees. */
static bool has_degrees(rdv_str s)
{
    while (s.len && s.p[s.len - 1] && strchr("}$. )", s.p[s.len - 1]))
        s.len--;
    return rdv_ends(s, RDV_STR("\\circ")) || rdv_ends(s, RDV_STR("\\degree")) ||
           rdv_ends(s, RDV_STR("\xc2\xb0"));
}

/* A sign is a unit where the other answer has one: "5%" is not "5 mol". */
static rdv_str with_sign_unit(rdv_str own, rdv_str answer, rdv_str other)
{
    if (own.len || !other.len)
        return own;
    return has_percent(answer)   ? RDV_STR("percent")
           : has_degrees(answer) ? RDV_STR("degrees")
                                 : own;
}

/* "5 degrees" beside a temperature: the scale is only left out. */
static rdv_str without_scale(rdv_str own, rdv_str other)
{
    static const char *const degrees[] = {"degree", "degrees", "\xc2\xb0", "^\\circ", "^{\\circ}"};
    measure m = measure_read(other);
    bool heat =
        m.n == 1 && (m.power[BASE_KELVIN] || m.power[BASE_CELSIUS] || m.power[BASE_FAHRENHEIT]);
    return heat && rdv_is_one_of(rdv_trim(own), degrees, 5) ? (rdv_str){0} : own;
}

/* A comparison of numbers or mathematics in progress. */
typedef struct pair {
    rdv_str answer, gold;
    rdv_kind kind;
    rdv_compare_options how;
    math_work *work;
    rdv_arena *arena;
    rdv_error *err;
} pair;

static int read_value(const pair *p, rdv_str answer, bool shares, const answer_value **out)
{
    answer_reading how = {.shares = shares, .work = p->work};
    if (key_states_nothing(answer))
        return RDV_NONE;
    return p->kind == RDV_KIND_NUMBER ? value_read_number(answer, how, p->arena, out, p->err)
                                      : value_read(answer, how, p->arena, out, p->err);
}

/* Without dollars, blanks and a box around it. */
static rdv_str inside(rdv_str s)
{
    s = rdv_trim(s);
    while (s.len >= 2 && s.p[0] == '$' && s.p[s.len - 1] == '$')
        s = rdv_trim(rdv_slice(s, 1, s.len - 1));
    rdv_str box = RDV_STR("\\boxed{");
    bool boxed =
        rdv_starts(s, box) && rdv_ends(s, RDV_STR("}")) && rdv_find(s, box, 1) == RDV_NOT_FOUND;
    return boxed ? rdv_trim(rdv_slice(s, box.len, s.len - 1)) : s;
}

/* "10 L" with its letters read as a unit, where they were read as those of algebra. *is: they are
 * one. */
static int read_letters_as_unit(const pair *p, rdv_str text, bool share, answer_value *out,
                                bool *is)
{
    rdv_str number, letters;
    const answer_value *v;
    *is = measure_split(inside(text), &number, &letters);
    int rc = *is ? read_value(p, number, share, &v) : RDV_NONE;
    *is = rc == RDV_OK && v->is == VALUE_EXPRESSION;
    if (*is) {
        *out = *v;
        out->unit = letters;
    }
    return rc < 0 ? rc : RDV_OK;
}

static bool has_measure(const answer_value *v)
{
    return v->is == VALUE_EXPRESSION && measure_read(v->unit).n;
}

/* "E = 20 J" without its name: the value, and its part of the text. */
static const answer_value *without_name(const answer_value *v, rdv_str text, rdv_str *part)
{
    size_t equals = v->is == VALUE_NAMED ? rdv_find_char(text, '=', 0) : RDV_NOT_FOUND;
    *part = equals == RDV_NOT_FOUND ? text : rdv_slice(text, equals + 1, text.len);
    return equals == RDV_NOT_FOUND ? v : v->items[0];
}

/* Compare once more with letters as units: "49 N" is "49 kg m/s^2". Where neither was read with a
 * unit, both may be algebra, and only what is the same counts. */
static int compare_letters(const pair *p, bool answer_share, bool gold_share, const answer_value *a,
                           const answer_value *g, rdv_comparison *out)
{
    rdv_str answer_text, gold_text;
    answer_value answer = *without_name(a, p->answer, &answer_text);
    answer_value gold = *without_name(g, p->gold, &gold_text);
    bool in_answer = has_measure(&answer), in_gold = has_measure(&gold);
    bool algebra = !in_answer && !in_gold;
    int rc = RDV_OK;
    bool other_name =
        a->is == VALUE_NAMED && g->is == VALUE_NAMED && !rdv_str_eq(a->names[0], g->names[0]);
    if ((in_answer && in_gold) || other_name)
        return RDV_OK;
    if (!in_answer)
        rc = read_letters_as_unit(p, answer_text, answer_share, &answer, &in_answer);
    if (rc == RDV_OK && in_answer && !in_gold)
        rc = read_letters_as_unit(p, gold_text, gold_share, &gold, &in_gold);
    bool letters = algebra && rdv_trim(answer.unit).len < 2 && rdv_trim(gold.unit).len < 2;
    if (rc != RDV_OK || !in_answer || !in_gold || letters) /* "5l" is not "5L" */
        return rc;
    comparer c = {.reader = {.arena = p->arena, .err = p->err, .how = {.work = p->work}},
                  .how = p->how,
                  .left = COMPARE_PAIRS_MAX};
    rdv_same same = value_compare(&c, &answer, &gold);
    if (c.fault || (algebra && same != RDV_SAME))
        return c.fault;
    *out = (rdv_comparison){.is = same,
                            .why = c.why,
                            .reason = same == RDV_SAME ? (rdv_str){0} : c.reason,
                            .answer_as = answer.key,
                            .gold_as = gold.key};
    return RDV_OK;
}

/* Compare both as they are read with, or without, their percent signs' meaning. */
static int compare_read(const pair *p, bool answer_share, bool gold_share, rdv_comparison *out)
{
    const answer_value *a, *g;
    int rc = read_value(p, p->gold, gold_share, &g);
    if (rc != RDV_OK)
        return rc;
    *out = (rdv_comparison){.is = RDV_DIFFERENT, .why = "unread", .gold_as = g->key};
    a = g; /* the same text is read once */
    if (answer_share != gold_share || !rdv_str_eq(inside(p->answer), inside(p->gold)))
        rc = read_value(p, p->answer, answer_share, &a);
    if (rc != RDV_OK) {
        out->reason = RDV_STR("there is no answer");
        return rc == RDV_NONE ? RDV_OK : rc;
    }
    rdv_str bare = a->unit.len ? (rdv_str){0} : upright_value(p->answer, g->unit);
    if (bare.p)
        rc = read_value(p, bare, answer_share, &a);
    bare = g->unit.len ? (rdv_str){0} : upright_value(p->gold, a->unit);
    if (bare.p && rc == RDV_OK)
        rc = read_value(p, bare, gold_share, &g);
    if (rc != RDV_OK)
        return rc;
    comparer c = {.reader = {.arena = p->arena, .err = p->err, .how = {.work = p->work}},
                  .how = p->how,
                  .left = COMPARE_PAIRS_MAX};
    answer_value signed_answer = *a, signed_gold = *g;
    if (!answer_share && !gold_share) {
        signed_answer.unit = with_sign_unit(a->unit, p->answer, g->unit);
        signed_gold.unit = with_sign_unit(g->unit, p->gold, a->unit);
        signed_answer.unit = without_scale(signed_answer.unit, signed_gold.unit);
        signed_gold.unit = without_scale(signed_gold.unit, signed_answer.unit);
    }
    out->is = value_compare(&c, &signed_answer, &signed_gold);
    out->why = c.why;
    out->answer_as = a->key;
    if (out->is != RDV_SAME)
        out->reason = c.reason;
    if (c.fault || out->is == RDV_SAME)
        return c.fault;
    return compare_letters(p, answer_share, gold_share, a, g, out);
}

/* ---- percentages and angles ------------------------------------------------------------------ */

/* An angle in degrees may be written in radians, and the other way. */
static int compare_angles(const pair *p, rdv_comparison *out)
{
    pair angles = *p;
    bool in_answer, in_gold;
    int rc = angle_in_radians(p->answer, p->arena, &angles.answer, &in_answer, p->err);
    if (rc == RDV_OK)
        rc = angle_in_radians(p->gold, p->arena, &angles.gold, &in_gold, p->err);
    if (rc != RDV_OK || in_answer == in_gold)
        return rc;
    rdv_comparison radians;
    rc = compare_read(&angles, false, false, &radians);
    if (rc == RDV_OK && radians.is == RDV_SAME) {
        *out = radians;
        out->why = "unit";
    }
    return rc < 0 ? rc : RDV_OK;
}

/* "240p" beside pounds. */
static bool is_pence(rdv_str s, rdv_str other)
{
    s = rdv_trim(s);
    return s.len > 1 && rdv_str_eq(other, RDV_STR("GBP")) && s.p[s.len - 1] == 'p' &&
           rdv_skip_digits(s, 0) == s.len - 1;
}

/* Both name a currency, and not the same: cents are compared with dollars, the others differ.
 * False: there is nothing to decide by. */
static bool compare_currencies(const pair *p, rdv_comparison *out, int *rc)
{
    rdv_str a = money_currency(p->answer), g = money_currency(p->gold);
    a = is_pence(p->answer, g) ? RDV_STR("GBP/100") : a;
    g = is_pence(p->gold, a) ? RDV_STR("GBP/100") : g;
    if (!a.p || !g.p || rdv_str_eq(a, g))
        return false;
    *out = (rdv_comparison){.is = RDV_DIFFERENT, .why = "unit"};
    *rc = money_key(p->answer, p->arena, &out->answer_as, p->err);
    if (*rc == RDV_OK)
        *rc = money_key(p->gold, p->arena, &out->gold_as, p->err);
    if (*rc == RDV_NONE)
        return false;
    if (*rc == RDV_OK && rdv_str_eq(out->answer_as, out->gold_as))
        out->is = RDV_SAME;
    else
        out->reason = RDV_STR("their currencies differ");
    return true;
}

/* A percentage may be written as its value: 0.5 for 50%, 50% for 0.5. */
static int compare_shares(const pair *p, rdv_comparison *out)
{
    bool in_answer = has_percent(p->answer), in_gold = has_percent(p->gold);
    int rc = compare_read(p, false, false, out);
    if (rc != RDV_OK || out->is == RDV_SAME || !out->answer_as.p)
        return rc;
    if (in_answer == in_gold)
        return compare_angles(p, out);
    rdv_comparison share;
    rc = compare_read(p, in_answer, in_gold, &share);
    if (rc == RDV_OK && share.is == RDV_SAME) {
        *out = share;
        out->why = "percent";
    }
    return rc < 0 ? rc : RDV_OK;
}

/* "1,5 km" with a point, in the arena: the one comma stands between digits, and they are no group
 * of thousands, unless commas are sure to stand before decimals. Empty: it is no such text. */
static rdv_str with_point(rdv_str s, bool decimals, rdv_arena *arena)
{
    size_t comma = rdv_find_char(s, ',', 0), begin = comma;
    if (comma == RDV_NOT_FOUND || rdv_find_char(s, ',', comma + 1) != RDV_NOT_FOUND)
        return (rdv_str){0};
    while (begin > 0 && rdv_is_digit(s.p[begin - 1]))
        begin--;
    size_t end = rdv_skip_digits(s, comma + 1);
    bool digits = begin < comma && end > comma + 1;
    bool grouped = end - comma == 4 && s.p[begin] != '0' && comma - begin < 4;
    for (size_t i = 0; digits && i < s.len; i++) /* no object, no name, no other number */
        digits = s.p[i] && !strchr("=([{;.:/", s.p[i]) &&
                 (!rdv_is_digit(s.p[i]) || (begin <= i && i < end));
    return digits && (decimals || !grouped)
               ? rdv_str_printf(arena, "%.*s.%.*s", RDV_FMT(rdv_slice(s, 0, comma)),
                                RDV_FMT(rdv_slice(s, comma + 1, s.len)))
               : (rdv_str){0};
}

/* Is it in a language in which a comma stands before decimals: two words of one? */
static bool writes_decimal_commas(rdv_str s)
{
    static const char *const words[] = {
        "der",        "das",          "und",     "ist",     "wie",          "viele",
        "viel",       "eine",         "einen",   "im",      "dem",          "den",
        "kostet",     "betr\u00e4gt", "wurden",  "sind",    "werden",       "el",
        "los",        "las",          "una",     "es",      "cu\u00e1ntos", "cu\u00e1ntas",
        "del",        "que",          "por",     "le",      "les",          "une",
        "est",        "combien",      "du",      "des",     "et",           "il",
        "della",      "quanti",       "quante",  "quanto",  "gli",          "sono",
        "di",         "uma",          "quantos", "quantas", "s\u00e3o",     "os",
        "het",        "een",          "hoeveel", "zijn",    "van",          "hur",
        "m\u00e5nga", "och",          "\u00e4r", "hvor",    "mange",        "er",
        "og"};
    const char *found = NULL;
    for (size_t i = 0, end; i < s.len; i = end + 1) {
        end = i;
        while (end < s.len && (rdv_is_alpha(s.p[end]) || (s.p[end] & 0x80)))
            end++;
        for (size_t k = 0; k < sizeof words / sizeof *words && end > i; k++) {
            if (!rdv_str_ieq(rdv_slice(s, i, end), rdv_str_of(words[k])))
                continue;
            if (found && found != words[k])
                return true;
            found = words[k];
        }
    }
    return false;
}

/* "12.450" without its point, in the arena: three digits stand behind the only one, so it may part
 * thousands. Empty: it is no such text. */
static rdv_str without_point(rdv_str s, rdv_arena *arena)
{
    size_t point = rdv_find_char(s, '.', 0), begin = point, end;
    if (point == RDV_NOT_FOUND || !rdv_is_digit(rdv_char_at(s, point + 1)))
        return (rdv_str){0};
    while (begin > 0 && rdv_is_digit(s.p[begin - 1]))
        begin--;
    end = rdv_skip_digits(s, point + 1);
    bool groups = end - point == 4 && point > begin && point - begin < 4 && s.p[begin] != '0';
    for (size_t i = 0; groups && i < s.len; i++) /* no other number */
        groups = !(rdv_is_digit(s.p[i]) && (i < begin || i >= end));
    return groups ? rdv_str_printf(arena, "%.*s%.*s", RDV_FMT(rdv_slice(s, 0, point)),
                                   RDV_FMT(rdv_slice(s, point + 1, s.len)))
                  : (rdv_str){0};
}

/* A point that may part thousands: "12.450" for 12450 where the question or the answer is in a
 * language that writes so, else it cannot be told. */
static int compare_pointed(const pair *p, rdv_comparison *out)
{
    pair grouped = *p;
    rdv_comparison one;
    grouped.answer = without_point(p->answer, p->arena);
    grouped.gold = without_point(p->gold, p->arena);
    if (!grouped.answer.len == !grouped.gold.len)
        return RDV_OK; /* neither, or both in the same way */
    grouped.answer = grouped.answer.len ? grouped.answer : p->answer;
    grouped.gold = grouped.gold.len ? grouped.gold : p->gold;
    int rc = compare_shares(&grouped, &one);
    if (rc != RDV_OK || one.is != RDV_SAME)
        return rc < 0 ? rc : RDV_OK;
    bool known = writes_decimal_commas(p->how.question) || writes_decimal_commas(p->answer);
    *out = one;
    out->is = known ? RDV_SAME : RDV_CANNOT_TELL;
    out->why = known ? "comma" : "assumption";
    out->reason = known ? (rdv_str){0} : RDV_STR("whether its point parts thousands is not said");
    return RDV_OK;
}

/* Is the text digits with a comma, and a unit behind them: "12,5 m"? */
static bool has_unit(rdv_str s)
{
    rdv_str number, letters;
    return measure_split(inside(s), &number, &letters);
}

/* Gold with a comma: "12,5 m" is 12.5 m where a unit stands behind it, or the question or answer is
 * in a language that writes so; else it may be two numbers. */
static int compare_comma_of_gold(const pair *p, rdv_comparison *out)
{
    pair pointed = *p;
    rdv_comparison one;
    pointed.gold = with_point(p->gold, false, p->arena);
    if (!pointed.gold.len)
        return RDV_OK;
    bool measured = has_unit(pointed.gold);
    bool in_language = writes_decimal_commas(p->how.question) || writes_decimal_commas(p->answer);
    bool known = measured || in_language;
    rdv_str answer = with_point(p->answer, known, p->arena);
    size_t comma = rdv_find_char(p->gold, ',', 0), end = rdv_skip_digits(p->gold, comma + 1);
    if (in_language && end - comma != 4) /* "1.250 km" is no 1,25 km, but 3.125 may be 3,125 */
        answer = answer.len ? answer : without_point(p->answer, p->arena);
    pointed.answer = answer.len ? answer : p->answer;
    pointed.kind = measured ? RDV_KIND_NUMBER : p->kind; /* "m" is no letter of algebra */
    int rc = compare_shares(&pointed, &one);
    if (rc != RDV_OK || (one.is != RDV_SAME && !known))
        return rc < 0 ? rc : RDV_OK;
    if (known && (one.is == RDV_SAME || out->is == RDV_DIFFERENT)) {
        *out = one;
        out->why = one.is == RDV_SAME ? "comma" : one.why;
    } else if (!known) {
        out->is = RDV_CANNOT_TELL;
        out->why = "assumption";
        out->reason = RDV_STR("whether gold's comma stands before decimals is not said");
    }
    return RDV_OK;
}

/* The digits before and behind the only comma of a text; with more or fewer numbers: false. */
static bool two_numbers(rdv_str s, rdv_str *first, rdv_str *second)
{
    size_t n = 0;
    for (size_t i = 0, end; i<s.len; i = end> i ? end : i + 1) {
        end = rdv_skip_digits(s, i);
        if (end > i)
            *(n++ ? second : first) = rdv_slice(s, i, end);
    }
    return n == 2;
}

/* Are two lists the same only in another order, where gold's comma may stand before decimals:
 * "19,99" and "99,19"? Lists or not cannot be told then, and as decimals they differ. */
static void weigh_order(const pair *p, rdv_comparison *out)
{
    rdv_str a, b, c, d;
    bool decimal = out->is == RDV_SAME && with_point(p->gold, false, p->arena).len &&
                   two_numbers(p->gold, &a, &b) && two_numbers(p->answer, &c, &d);
    if (!decimal || rdv_str_eq(a, b) || !rdv_str_eq(a, d) || !rdv_str_eq(b, c))
        return;
    bool known = with_point(p->answer, false, p->arena).len &&
                 (has_unit(p->gold) || writes_decimal_commas(p->how.question) ||
                  writes_decimal_commas(p->answer));
    out->is = known ? RDV_DIFFERENT : RDV_CANNOT_TELL;
    out->why = known ? "exact" : "assumption";
    out->reason =
        RDV_STR("a comma of both may stand before decimals, and parts other numbers then");
}

/* With the leniency of a decimal comma: "1,5 km" for 1.5 km. */
static int compare_maths(const pair *p, rdv_comparison *out)
{
    rdv_comparison decimal;
    int rc = compare_shares(p, out);
    if (rc == RDV_OK)
        weigh_order(p, out);
    bool told = rc != RDV_OK || out->is == RDV_SAME || !out->answer_as.p;
    if (!told) {
        rc = compare_pointed(p, out);
        told = rc != RDV_OK || out->is == RDV_SAME;
    }
    if (!told && rdv_find_char(p->gold, ',', 0) != RDV_NOT_FOUND)
        return compare_comma_of_gold(p, out);
    if (told)
        return rc;
    pair pointed = *p;
    pointed.answer = with_point(p->answer, false, p->arena);
    if (pointed.answer.len)
        rc = compare_shares(&pointed, &decimal);
    if (pointed.answer.len && rc == RDV_OK && decimal.is == RDV_SAME) {
        *out = decimal;
        bool exact = strcmp(out->why, "exact") == 0 || strcmp(out->why, "identical") == 0;
        out->why = exact ? "comma" : out->why;
    }
    return rc < 0 ? rc : RDV_OK;
}

/* What decides between two keys of a kind. */
static const char *decider(rdv_kind kind)
{
    switch (kind) {
    case RDV_KIND_OPTION:
        return "option";
    case RDV_KIND_YESNO:
    case RDV_KIND_YESNO_MAYBE:
        return "yesno";
    case RDV_KIND_DATE:
    case RDV_KIND_DATE_DAY_FIRST:
        return "date";
    case RDV_KIND_TIME:
        return "time";
    case RDV_KIND_MONEY:
        return "money";
    default:
        return "text";
    }
}

/* Are they one date with its day and month exchanged? */
static bool are_swapped(rdv_str a, rdv_str b)
{
    return a.len == 10 && b.len == 10 && rdv_str_eq(rdv_slice(a, 0, 5), rdv_slice(b, 0, 5)) &&
           rdv_str_eq(rdv_slice(a, 5, 7), rdv_slice(b, 8, 10)) &&
           rdv_str_eq(rdv_slice(a, 8, 10), rdv_slice(b, 5, 7));
}

/* Keys that differ may agree: a time without its half of the day, an amount without a currency. */
static rdv_same incomplete_keys(rdv_kind kind, bool by_numbers, rdv_str answer, rdv_str gold)
{
    bool midnight = rdv_starts(answer, RDV_STR("00:")); /* of "12:00", which may be noon */
    if (kind == RDV_KIND_TIME && answer_times_may_agree(answer, gold))
        return rdv_ends(answer, RDV_STR("?")) || (midnight && rdv_ends(gold, RDV_STR("?")))
                   ? RDV_CANNOT_TELL
                   : RDV_SAME;
    if (kind == RDV_KIND_MONEY && money_may_agree(answer, gold))
        return RDV_SAME;
    bool date = kind == RDV_KIND_DATE || kind == RDV_KIND_DATE_DAY_FIRST;
    if (date && by_numbers && are_swapped(answer, gold))
        return RDV_CANNOT_TELL; /* "1/5/2021": which number is the month? */
    bool rate = kind == RDV_KIND_MONEY && money_may_agree(gold, answer);
    bool part =
        date && !by_numbers && answer.len < gold.len && rdv_starts(gold, answer); /* "July 1776" */
    return rate || part ? RDV_CANNOT_TELL : RDV_DIFFERENT; /* "$5 per hour" for $5 */
}

/* Words in which nothing of the kind is read may say it all the same, "the largest is Jupiter", but
 * not where they say that there is no answer. */
static bool may_say_it_otherwise(rdv_str answer, const rdv_answer_form *form)
{
    return rdv_has_letter_or_beyond(answer) && !key_states_nothing(answer) &&
           !key_names_one(answer, form) && !announcement_of_none(answer);
}

/* By keys: options, yes and no, dates, times, money, texts. */
static int compare_keys(const pair *p, const rdv_answer_form *form, rdv_comparison *out)
{
    *out = (rdv_comparison){.is = RDV_DIFFERENT, .why = "unread"};
    int rc = rdv_answer_key(p->gold, form, p->arena, &out->gold_as, p->err);
    if (rc != RDV_OK)
        return rc;
    rc = rdv_answer_key(p->answer, form, p->arena, &out->answer_as, p->err);
    bool yes;
    if (rc == RDV_NONE && p->kind == RDV_KIND_YESNO &&
        restated_yesno(p->answer, p->how.question, &yes)) {
        out->answer_as = yes ? RDV_STR("yes") : RDV_STR("no");
        rc = RDV_OK;
    }
    if (rc != RDV_OK) {
        bool unread = rc == RDV_NONE && may_say_it_otherwise(p->answer, form);
        out->is = unread ? RDV_CANNOT_TELL : RDV_DIFFERENT;
        out->reason = unread ? RDV_STR("no answer of its kind is read in it")
                             : RDV_STR("there is no answer of its kind");
        return rc == RDV_NONE ? RDV_OK : rc;
    }
    bool same = rdv_str_eq(out->answer_as, out->gold_as);
    bool slashes = rdv_find_char(p->answer, '/', 0) != RDV_NOT_FOUND ||
                   rdv_find_char(p->gold, '/', 0) != RDV_NOT_FOUND;
    out->is = same ? RDV_SAME : incomplete_keys(p->kind, slashes, out->answer_as, out->gold_as);
    if (form && form->any_case && p->kind == RDV_KIND_TEXT &&
        rdv_str_ieq(out->answer_as, out->gold_as))
        out->is = RDV_SAME;
    out->why = out->is == RDV_CANNOT_TELL ? "assumption" : decider(p->kind);
    if (out->is == RDV_CANNOT_TELL)
        out->reason =
            p->kind == RDV_KIND_MONEY  ? RDV_STR("gold does not say for what time the amount is")
            : p->kind == RDV_KIND_TIME ? RDV_STR("the answer does not say which half of the day")
            : out->answer_as.len < out->gold_as.len
                ? RDV_STR("the answer says only a part of gold's date")
                : RDV_STR("which number is the month is not said");
    if (out->is == RDV_DIFFERENT)
        out->reason =
            rdv_str_printf(p->arena, "%.*s is not %.*s", RDV_FMT(rdv_slice(out->answer_as, 0, 80)),
                           RDV_FMT(rdv_slice(out->gold_as, 0, 80)));
    return out->is == RDV_SAME || out->reason.p ? RDV_OK : rdv_no_memory(p->err);
}

/* A tolerance is a decimal of 0 or more; *exact is it as a fraction. */
static int read_tolerance(rdv_str t, rdv_arena *arena, rdv_str *exact, rdv_error *err)
{
    rdv_str key = t;
    bool plain = t.len > 0 && t.len <= 100;
    for (size_t i = 0; i < t.len && plain; i++)
        plain = rdv_is_digit(t.p[i]) || (t.p[i] && strchr(".eE+-", t.p[i]));
    int rc = !t.p ? RDV_OK : plain ? rdv_math_key(t, arena, &key, err) : RDV_NONE;
    for (size_t i = 0; rc == RDV_OK && t.p && i < key.len; i++)
        if (!rdv_is_digit(key.p[i]) && key.p[i] != '/') /* below zero, or "1e" */
            rc = RDV_NONE;
    if (rc == RDV_OK)
        *exact = key;
    return rc == RDV_NONE
               ? rdv_fail(err, RDV_E_ARGUMENT,
                          "tolerance \"%.*s\": give a decimal of 0 or more, such as 1e-6",
                          RDV_FMT(rdv_slice(t, 0, 40)))
               : rc;
}

/* "180 minutes, which is 3 hours" is either, where both are the same. */
static int compare_two_units(pair *p, rdv_comparison *out)
{
    rdv_str parts[2], gold = p->gold;
    rdv_comparison one;
    if (!statement_two_units(p->answer, &parts[0], &parts[1]))
        return RDV_OK;
    p->answer = parts[0];
    p->gold = parts[1];
    int rc = compare_maths(p, &one);
    bool agree = rc == RDV_OK && one.is == RDV_SAME;
    p->gold = gold;
    for (size_t i = 0; rc == RDV_OK && agree && i < 2 && out->is != RDV_SAME; i++) {
        p->answer = parts[i];
        rc = compare_maths(p, &one);
        if (rc == RDV_OK && one.is == RDV_SAME)
            *out = one;
    }
    return rc < 0 ? rc : RDV_OK;
}

/* One chemical formula in two notations is the same; two that differ only in capitals, CO and Co,
 * are not. */
static int compare_chemical(const pair *p, rdv_comparison *out)
{
    rdv_buf answer, gold;
    if (out->is == RDV_SAME && p->kind != RDV_KIND_TEXT)
        return RDV_OK;
    rdv_buf_init(&answer, p->arena, 0);
    rdv_buf_init(&gold, p->arena, 0);
    if (!chemical_formula(p->gold, &gold) || !chemical_formula(p->answer, &answer))
        return RDV_OK;
    if (!rdv_buf_ok(&answer) || !rdv_buf_ok(&gold))
        return rdv_no_memory(p->err);
    rdv_str a = rdv_buf_str(&answer), g = rdv_buf_str(&gold);
    bool same = rdv_str_eq(a, g);
    if (same && out->is != RDV_SAME)
        *out = (rdv_comparison){.is = RDV_SAME, .why = "text", .answer_as = a, .gold_as = g};
    if (!same && out->is == RDV_SAME) {
        out->is = RDV_CANNOT_TELL;
        out->why = "assumption";
        out->reason = rdv_str_printf(p->arena, "%.*s and %.*s are two chemical formulas",
                                     RDV_FMT(a), RDV_FMT(g));
        return out->reason.p ? RDV_OK : rdv_no_memory(p->err);
    }
    return RDV_OK;
}

/* Compare other readings of both texts: if they are the same, so are these. */
static int compare_as(const pair *texts, rdv_str answer, rdv_str gold, rdv_comparison *out)
{
    pair p = *texts;
    rdv_comparison one;
    p.answer = answer;
    p.gold = gold;
    int rc = compare_maths(&p, &one);
    if (rc == RDV_OK && one.is == RDV_SAME)
        *out = one;
    return rc < 0 ? rc : RDV_OK;
}

/* Digits in groups that are read as a list, "12,34,567", are a number where gold is it. */
static int compare_ungrouped(const pair *p, rdv_comparison *out)
{
    bool full;
    rdv_str number = answer_ungrouped(p->answer, p->arena, &full);
    if (!number.p)
        return full ? rdv_no_memory(p->err) : RDV_OK;
    return compare_as(p, number, p->gold, out);
}

/* "4k" is 4000, and "2.5M" 2500000, where the other is that number: k is no letter then. */
static int compare_shortened(const pair *p, rdv_comparison *out)
{
    rdv_str answer, gold;
    int rc = answer_lengthened(inside(p->answer), p->arena, &answer, p->err);
    if (rc == RDV_OK)
        rc = answer_lengthened(inside(p->gold), p->arena, &gold, p->err);
    if (rc != RDV_OK || (answer.p != NULL) == (gold.p != NULL))
        return rc;
    return compare_as(p, answer.p ? answer : p->answer, gold.p ? gold : p->gold, out);
}

/* "{0, 4}" for "[0, 4]", which may be an interval. */
static void weigh_braces(const pair *p, rdv_comparison *out)
{
    rdv_str answer = inside(p->answer), gold = inside(p->gold);
    bool set = rdv_starts(answer, RDV_STR("{")) || rdv_starts(gold, RDV_STR("{"));
    bool ends = rdv_starts(answer, RDV_STR("[")) || rdv_starts(gold, RDV_STR("["));
    if (!set || !ends)
        return;
    out->is = RDV_CANNOT_TELL;
    out->why = "assumption";
    out->reason = RDV_STR("whether one of both is an interval is not said");
}

/* The text with the letters of other alphabets as "q", "12 Schqqler": words, which change no value
 * by rules of ASCII. The text itself: it has none, or signs of other kinds, or a word that
 * multiplies the number. */
static rdv_str in_ascii(rdv_str s, rdv_arena *arena)
{
    size_t end, len = 1;
    bool beyond = false;
    for (size_t i = 0; i < s.len; i += len ? len : 1) {
        uint32_t u = rdv_utf8_at(s, i, &len);
        bool letter = u >= 0xc0 && u < 0x530 && !formal_is_sign(u); /* Latin, Greek, Cyrillic */
        bool begins = i == 0 || s.p[i - 1] == ' ';
        bool word = letter || rdv_is_alpha(s.p[i]);
        if (s.len > 1000 || s.p[i] == '\\' || (u > 0x7f && !letter) ||
            (word && begins && announcement_row_at(s, i, 1u << EFFECT_SCALE, &end)))
            return s;
        beyond = beyond || letter;
    }
    rdv_str copy = beyond ? rdv_str_copy(arena, s) : s;
    for (size_t i = 0; beyond && i < copy.len; i++)
        if (copy.p[i] & 0x80)
            ((char *)copy.p)[i] = 'q';
    return copy;
}

/* A number with words of another alphabet: they are weighed as words. */
static int compare_foreign(const pair *texts, rdv_comparison *out)
{
    pair p = *texts;
    rdv_comparison one;
    rdv_str number, answer = in_ascii(texts->answer, p.arena),
                    gold = in_ascii(texts->gold, p.arena);
    size_t at = 0;
    bool unread = out->is == RDV_CANNOT_TELL && strcmp(out->why, "unread") == 0;
    if ((texts->answer.p && !answer.p) || (texts->gold.p && !gold.p))
        return rdv_no_memory(p.err);
    if (!unread || (answer.p == texts->answer.p && gold.p == texts->gold.p))
        return RDV_OK;
    p.answer = answer;
    p.gold = gold;
    bool several =
        answer_next_number(p.answer, &at, &number) && answer_next_number(p.answer, &at, &number);
    p.kind = RDV_KIND_NUMBER;
    int rc = several ? RDV_NONE : compare_maths(&p, &one);
    if (rc == RDV_OK &&
        (one.is == RDV_SAME || (one.is == RDV_DIFFERENT && strcmp(one.why, "exact") == 0)))
        *out = one;
    return rc < 0 ? rc : RDV_OK;
}

/* Compare both in one notation, "3 to 4" for 3:4, *given as the texts whose words count. */
static int compare_reworded(const pair *texts, rdv_str *given, rdv_str *given_gold,
                            rdv_comparison *out)
{
    pair p = *texts;
    rdv_comparison one;
    rdv_str answer = inside(texts->answer), gold = inside(texts->gold);
    p.answer = rewording_as(answer, gold, p.arena);
    p.gold = rewording_as(gold, answer, p.arena);
    if ((!p.answer.p && answer.p) || (!p.gold.p && gold.p))
        return rdv_no_memory(p.err);
    if (p.answer.p == answer.p && p.gold.p == gold.p)
        return RDV_OK;
    int rc = compare_maths(&p, &one);
    if (rc != RDV_OK || one.is == RDV_CANNOT_TELL || strcmp(one.why, "unread") == 0)
        return rc < 0 ? rc : RDV_OK;
    *out = one;
    bool rate = rdv_find(p.answer, RDV_STR(" per "), 0) != RDV_NOT_FOUND ||
                rdv_find(p.gold, RDV_STR("BC"), 0) != RDV_NOT_FOUND ||
                rdv_find(p.gold, RDV_STR("AD"), 0) != RDV_NOT_FOUND ||
                rdv_find(p.gold, RDV_STR("CE"), 0) != RDV_NOT_FOUND; /* which are words */
    if (one.is == RDV_SAME && !rate && strcmp(one.why, "exact") == 0)
        out->why = "unit"; /* its words have been compared */
    *given = p.answer;
    *given_gold = p.gold;
    return RDV_OK;
}

/* Does the side of an equation before byte `equals` have two letters, or a sign of sets or
 * integrals: is it more than a number, and than one unknown? */
static bool is_compound(rdv_str s, size_t equals)
{
    static const char *const operators[] = {"\\int", "\\sum", "\\prod", "\\lim"};
    size_t begin = equals, letters = 0;
    char first = 0;
    while (begin > 0 && !strchr(",;=", s.p[begin - 1]))
        begin--;
    for (size_t i = begin; i < equals; i++) {
        size_t end = rdv_skip_letters(s, i);
        bool one = end == i + 1 && !(i > 0 && s.p[i - 1] == '\\') && s.p[i] != first;
        letters += one;
        first = one ? s.p[i] : first;
        letters += rdv_starts(rdv_slice(s, i, equals), RDV_STR("\xe2\x88")) ? 2 : 0;
        for (size_t k = 0; k < sizeof operators / sizeof *operators; k++)
            letters += rdv_starts(rdv_slice(s, i, equals), rdv_str_of(operators[k])) ? 2 : 0;
        i = end > i ? end - 1 : i;
    }
    return letters > 1;
}

/* Does the question ask for the formula: "What is x + y?" Blanks do not count. */
static bool asks_for(rdv_str question, rdv_str formula)
{
    formula = inside(formula);
    for (size_t begin = 0; begin < question.len && formula.len > 1 && formula.len < 200; begin++) {
        size_t i = begin, k = 0;
        while (k < formula.len && i < question.len) {
            if (question.p[i] == formula.p[k]) {
                i++;
                k++;
            } else if (formula.p[k] == ' ') {
                k++;
            } else if (question.p[i] == ' ' && i > begin) {
                i++;
            } else {
                break;
            }
        }
        size_t behind = rdv_skip_any(question, i, " $");
        bool whole = (begin == 0 || !rdv_is_alnum(question.p[begin - 1])) &&
                     !rdv_is_alnum(rdv_char_at(question, i)) &&
                     !strchr("=+-*/^", rdv_char_at(question, behind) ? question.p[behind] : '.');
        if (k == formula.len && whole)
            return true;
    }
    return false;
}

/* Does the left side of an equation name what is computed, a union, an integral, an angle? */
static bool names_computation(rdv_str s)
{
    static const char *const signs[] = {"\\cup", "\\cap",        "\xe2\x88\xaa", "\xe2\x88\xa9",
                                        "\\int", "\xe2\x88\xab", "\\angle",      "\xe2\x88\xa0",
                                        "\\lim", "^{-1}(",       "\\frac{d"};
    size_t equals = rdv_find_char(s, '=', 0);
    rdv_str left = rdv_slice(s, 0, equals);
    for (size_t k = 0; k < sizeof signs / sizeof *signs && equals != RDV_NOT_FOUND; k++)
        if (rdv_find(left, rdv_str_of(signs[k]), 0) != RDV_NOT_FOUND)
            return true;
    return false;
}

/* "So 12 - 7 = 5 seats." without the words before and behind it; false: it has none. */
static bool bare_equation(rdv_str s, rdv_str *out)
{
    size_t begin = 0, end, words = 0;
    for (; rdv_is_alpha(rdv_char_at(s, begin)); words++) {
        size_t stop = rdv_skip_letters(s, begin);
        if (!announcement_row_at(s, begin, 1u << EFFECT_PLAIN, &end) || stop < begin + 2)
            return false;
        begin = rdv_skip_any(s, stop, " ,$");
    }
    for (end = s.len; end > begin && !rdv_is_digit(s.p[end - 1]); end--)
        if (!rdv_is_alpha(s.p[end - 1]) && !strchr(" .$", s.p[end - 1] ? s.p[end - 1] : '='))
            return false;
    words += end < s.len && rdv_has_letter(rdv_slice(s, end, s.len));
    *out = rdv_slice(s, begin, end);
    return words && rdv_find_char(*out, '=', 0) != RDV_NOT_FOUND && !rdv_has_letter(*out);
}

/* Is it a number, a blank and letters that are a unit: "750 g"? */
static bool is_spaced_quantity(rdv_str s)
{
    rdv_str number, letters;
    return measure_split(inside(s), &number, &letters) && letters.p[0] == ' ' &&
           rdv_skip_digits(number, 0) == number.len;
}

/* "750 g" beside a bare number may be a quantity, and no product of 750 and g; it is one where the
 * question asks for its unit. */
static int compare_spaced(const pair *texts, rdv_comparison *out)
{
    pair p = *texts;
    rdv_str answer = inside(p.answer), gold = inside(p.gold);
    bool bare = rdv_skip_digits(answer, 0) == answer.len,
         gold_bare = rdv_skip_digits(gold, 0) == gold.len;
    bool is = (bare && is_spaced_quantity(gold)) || (gold_bare && is_spaced_quantity(answer));
    p.kind = RDV_KIND_NUMBER;
    int rc = is && out->is == RDV_DIFFERENT ? compare_maths(&p, out) : RDV_NONE;
    bool asked = turn_asked_unit(p.how.question).len > 0;
    if (rc == RDV_OK && out->is == RDV_SAME && !asked) {
        out->is = RDV_CANNOT_TELL;
        out->why = "assumption";
        out->reason = RDV_STR("whether its letter is a unit is not said");
    }
    return rc < 0 ? rc : RDV_OK;
}

/* "x + y = 42" for 42: an equation whose right side is gold gives it where the question asks for
 * its left side; else it may be the question. */
static int weigh_equation(const pair *texts, rdv_comparison *out)
{
    pair p = *texts;
    rdv_comparison one, sides = {.is = RDV_CANNOT_TELL};
    size_t equals = rdv_find_last(p.answer, RDV_STR("=")), of_gold = rdv_find_char(p.gold, '=', 0);
    bool form = out->is == RDV_DIFFERENT && strcmp(out->why, "form") == 0;
    bool is_y =
        rdv_starts(inside(p.answer), RDV_STR("y")) && rdv_find_char(p.answer, '=', 0) == equals;
    rdv_str left;
    if (out->is == RDV_DIFFERENT && names_computation(p.gold) && (equals == RDV_NOT_FOUND || is_y))
        return compare_as(texts, is_y ? rdv_slice(p.answer, equals + 1, p.answer.len) : p.answer,
                          rdv_slice(p.gold, of_gold + 1, p.gold.len), out);
    if (!form || equals == RDV_NOT_FOUND || of_gold != RDV_NOT_FOUND)
        return RDV_OK;
    if (bare_equation(p.answer, &left))
        return compare_as(texts, left, p.gold, out);
    bool compound = is_compound(p.answer, equals);
    left = inside(rdv_slice(p.answer, 0, equals));
    p.answer = rdv_trim(rdv_slice(p.answer, equals + 1, p.answer.len));
    int rc = p.answer.len ? compare_maths(&p, &one) : RDV_NONE;
    if (rc != RDV_OK || one.is != RDV_SAME)
        return rc < 0 ? rc : RDV_OK;
    p.answer = left;
    if (rdv_has_letter(left) && rdv_find_char(left, '=', 0) == RDV_NOT_FOUND)
        rc = compare_maths(&p, &sides);
    if (rc < 0)
        return rc;
    bool object = rdv_has_letter(p.gold) || rdv_find_char(p.gold, '{', 0) != RDV_NOT_FOUND;
    bool angle = rdv_find(left, RDV_STR("angle"), 0) != RDV_NOT_FOUND ||
                 rdv_find(left, RDV_STR("\xe2\x88\xa0"), 0) != RDV_NOT_FOUND;
    bool gives = sides.is == RDV_SAME || asks_for(p.how.question, left) ||
                 (names_computation(texts->answer) && (object || angle));
    if (!gives && !compound)
        return RDV_OK;
    *out = one;
    if (!gives) {
        out->is = RDV_CANNOT_TELL;
        out->why = "assumption";
        out->reason = RDV_STR("whether the equation gives its right side is not said");
    }
    return RDV_OK;
}

/* Is it read as a value that is not nought? Of sets and relations nobody sees whether they are
 * empty.
 */
static int is_some_value(const pair *texts, rdv_str s, bool *is)
{
    const answer_value *v = NULL;
    pair p = *texts;
    p.kind = RDV_KIND_LATEX;
    int rc = formal_may_be_value(s) ? read_value(&p, s, false, &v) : RDV_NONE;
    bool some = rc == RDV_OK && !v->unread &&
                (v->is == VALUE_EXPRESSION || v->is == VALUE_NAMED || v->is == VALUE_LIST ||
                 v->is == VALUE_RECORD || v->is == VALUE_RATIO);
    bool nought = v && v->is == VALUE_EXPRESSION && rdv_str_eq(v->key, RDV_STR("0"));
    *is = some && !nought && !rdv_str_eq(v->key, RDV_STR("{}"));
    return rc < 0 ? rc : RDV_OK;
}

/* Does the answer deny only solutions of a kind, "no positive x", of which neither gold nor the
 * question speaks? */
static bool narrows(rdv_str answer, rdv_str gold, rdv_str question)
{
    static const char *const kinds[] = {"positive", "negative",    "rational",
                                        "integer",  "integers",    "natural",
                                        "whole",    "nonnegative", "prime"};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        rdv_str kind = rdv_str_of(kinds[k]);
        if (formal_holds(answer, kind) && rdv_ifind(gold, kind, 0) == RDV_NOT_FOUND &&
            rdv_ifind(question, kind, 0) == RDV_NOT_FOUND)
            return true;
    }
    return false;
}

/* Does it say "no" or "nothing" of something: is it no mere "I do not know"? */
static bool denies_existence(rdv_str s)
{
    return formal_holds(s, RDV_STR("no")) || formal_holds(s, RDV_STR("nothing")) ||
           formal_holds(s, RDV_STR("none"));
}

/* One of both says that there is no value, or no one value: "no solution", "infinitely many". True:
 * that decides. */
static bool compare_nothing(const pair *p, rdv_comparison *out, int *rc)
{
    nothing_is a = nothing_of(p->answer), g = nothing_of(p->gold);
    bool read = false;
    if (!a && !g)
        return false;
    if (!(a && g))
        *rc = is_some_value(p, a ? p->gold : p->answer, &read);
    if (*rc != RDV_OK || (!(a && g) && !read))
        return *rc != RDV_OK;
    bool kin = (a == NOTHING_EMPTY && g == NOTHING_UNDEFINED) ||
               (a == NOTHING_UNDEFINED && g == NOTHING_EMPTY) ||
               (a == NOTHING_UNKNOWN && g && denies_existence(p->answer));
    if (a == g && a == NOTHING_EMPTY && narrows(p->answer, p->gold, p->how.question))
        kin = true;
    rdv_str value = inside(a ? p->gold : p->answer);
    if ((a == NOTHING_ENDLESS || g == NOTHING_ENDLESS) && !(a && g))
        kin = rdv_find(value, RDV_STR("infty"), 0) != RDV_NOT_FOUND ||
              rdv_find(value, RDV_STR("\xe2\x88\x9e"), 0) != RDV_NOT_FOUND ||
              rdv_ifind(value, RDV_STR("all "), 0) != RDV_NOT_FOUND ||
              rdv_find(value, RDV_STR("mathbb"), 0) != RDV_NOT_FOUND;
    *out = (rdv_comparison){.is = kin      ? RDV_CANNOT_TELL
                                  : a == g ? RDV_SAME
                                           : RDV_DIFFERENT,
                            .why = kin                                ? "assumption"
                                   : a != g && (a == NOTHING_UNKNOWN) ? "unread"
                                                                      : "form",
                            .answer_as = rdv_trim(p->answer),
                            .gold_as = rdv_trim(p->gold)};
    if (kin)
        out->reason = RDV_STR("whether both say that there is no one value cannot be told");
    else if (a != g)
        out->reason = RDV_STR("only one of both says that there is no value");
    return true;
}

/* Does the question ask for a place in an order: "which term", "what place"? */
static bool asks_for_place(rdv_str question)
{
    return rdv_ifind(question, RDV_STR("which"), 0) != RDV_NOT_FOUND ||
           rdv_ifind(question, RDV_STR("what place"), 0) != RDV_NOT_FOUND ||
           rdv_ifind(question, RDV_STR("what position"), 0) != RDV_NOT_FOUND;
}

/* The whole number that a text is, with or without a name; 0: none. */
static unsigned whole_of(rdv_str s)
{
    size_t equals = rdv_find_char(s, '=', 0), begin = equals == RDV_NOT_FOUND ? 0 : equals + 1;
    s = inside(rdv_slice(s, begin, s.len));
    unsigned value = 0;
    for (size_t i = 0; i < s.len; i++)
        if (!rdv_is_digit(s.p[i]) || i > 6)
            return 0;
        else
            value = value * 10 + (unsigned)(s.p[i] - '0');
    return value;
}

/* Ordinals: "She came third." for 3rd, and 3 where the question asks for a place. True: that
 * decides.
 */
static bool compare_ordinals(const pair *p, rdv_comparison *out)
{
    unsigned a = 0, g = 0;
    bool alone, gold_alone;
    bool in_answer = ordinal_of(p->answer, &a, &alone),
         in_gold = ordinal_of(p->gold, &g, &gold_alone);
    bool place = asks_for_place(p->how.question);
    if (!in_answer && in_gold && place)
        a = whole_of(p->answer);
    if (!in_gold && in_answer && place)
        g = whole_of(p->gold);
    if (!(in_answer || in_gold) || !a || !g)
        return false;
    if (in_gold && !gold_alone && !place)
        return false; /* "the third Monday" */
    *out = (rdv_comparison){.is = a == g ? RDV_SAME : RDV_DIFFERENT,
                            .why = "exact",
                            .reason = a == g ? (rdv_str){0} : RDV_STR("their places differ"),
                            .answer_as = rdv_trim(p->answer),
                            .gold_as = rdv_trim(p->gold)};
    return true;
}

/* "to the nearest ten", "estimate": what is near is what is asked for. */
static bool asks_for_rounding(rdv_str question)
{
    static const char *const words[] = {"nearest",           "estimate", "approximat",
                                        "about how",         "roughly",  "decimal place",
                                        "significant figure"};
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (rdv_ifind(question, rdv_str_of(words[k]), 0) != RDV_NOT_FOUND)
            return true;
    return false;
}

/* An answer without its hedge that is the same as gold may be gold; nearness is enough where gold
 * or the caller says so. */
static int weigh_hedge(const pair *p, hedge is, hedge gold, rdv_comparison *out)
{
    bool near = is == HEDGE_NEAR && gold != HEDGE_NEAR && p->how.tolerance.p;
    bool allowed = is == HEDGE_NEAR &&
                   (p->how.tolerance.p || gold == HEDGE_NEAR || asks_for_rounding(p->how.question));
    if (near && out->is == RDV_SAME)
        out->why = "tolerance";
    if (is == HEDGE_NONE || is == gold || allowed || out->is != RDV_SAME)
        return RDV_OK;
    out->is = RDV_CANNOT_TELL;
    out->why = "assumption";
    out->reason = rdv_str_printf(p->arena, "the answer says only that it %s %.*s",
                                 is == HEDGE_NEAR ? "is near" : "may be",
                                 RDV_FMT(rdv_slice(out->answer_as, 0, 80)));
    return out->reason.p ? RDV_OK : rdv_no_memory(p->err);
}

/* Of two texts that differ, whose kind was only guessed: letters beside a formula are one too; what
 * may be mathematics, a number in words, a quantity or an abbreviation is not different by its
 * spelling. */
static int weigh_spelling(const pair *texts, rdv_comparison *out)
{
    rdv_str answer = out->answer_as, gold = out->gold_as; /* without quotes and "\\text" */
    pair p = *texts;
    rdv_comparison read = {.is = RDV_CANNOT_TELL, .why = "unread"};
    if (!answer.len || !gold.len)
        return RDV_OK; /* there is no answer */
    p.kind = RDV_KIND_LATEX;
    bool nothing = announcement_of_none(answer) && announcement_of_none(gold); /* "DNE" */
    p.answer = rdv_trim(texts->answer);
    p.gold = rdv_trim(texts->gold);
    if (!nothing) {
        p.answer = formal_product(p.answer, p.arena);
        p.gold = formal_product(p.gold, p.arena);
    }
    if (!p.answer.p || !p.gold.p)
        return rdv_no_memory(p.err);
    bool a = nothing || formal_may_be_value(answer), g = nothing || formal_may_be_value(gold);
    bool letters = !a && !g;
    bool product = p.answer.p != rdv_trim(texts->answer).p,
         other = p.gold.p != rdv_trim(texts->gold).p;
    if (a || g) {
        int rc = compare_maths(&p, &read);
        if (rc < 0)
            return rc;
        bool proved = strcmp(read.why, "exact") == 0 || strcmp(read.why, "algebra") == 0 ||
                      strcmp(read.why, "bounds") == 0;
        bool formal = formal_has_no_words(answer) && formal_has_no_words(gold);
        bool of_letters = !(product || other) || formal_same_letters(answer, gold);
        if (rc == RDV_OK && (read.is == RDV_SAME ||
                             (read.is == RDV_DIFFERENT && of_letters && (formal || proved)))) {
            *out = read;
            return RDV_OK;
        }
    }
    bool chosen;
    if (choices_compare(answer, gold, &chosen)) {
        out->is = chosen ? RDV_SAME : RDV_DIFFERENT;
        out->why = "option";
        out->reason = chosen ? (rdv_str){0} : out->reason;
        return RDV_OK;
    }
    bool order = letters && product && other && formal_same_letters(answer, gold);
    rdv_same is = spelling_compare(texts->answer, answer, gold, texts->how.question);
    if (is == RDV_DIFFERENT && (a || g || order))
        is = RDV_CANNOT_TELL;
    out->is = is;
    out->why = is == RDV_CANNOT_TELL ? "unread" : "text";
    if (is != RDV_DIFFERENT)
        out->reason =
            is == RDV_SAME ? (rdv_str){0} : RDV_STR("a text that may be a value is not read");
    return RDV_OK;
}

/* An unread side may have letters too. */
static bool may_have_letters(rdv_str s)
{
    return !s.p || rdv_has_letter(s);
}

/* Two letters or more alone, which may be a number in words that are not read: "XIV". */
static bool is_letters(rdv_str s)
{
    uint64_t value;
    s = rdv_trim(s);
    return s.len > 1 && rdv_skip_letters(s, 0) == s.len && !number_words_read(s, &value);
}

/* Are two numbers each other's negative? */
static bool are_opposite(rdv_str a, rdv_str b)
{
    bool below = rdv_starts(a, RDV_STR("-")), other = rdv_starts(b, RDV_STR("-"));
    return below != other && rdv_str_eq(rdv_slice(a, below, a.len), rdv_slice(b, other, b.len));
}

/* The words beside the numbers, which the values do not have, must agree: "am", "decrease", "per
 * hour"; a word of one side alone may be dropped only where it is known to change nothing. */
static int weigh_words(const pair *p, bool maths, rdv_str answer, rdv_str gold, rdv_comparison *out)
{
    if (!(maths || p->kind == RDV_KIND_MONEY) || strcmp(out->why, "unread") == 0 ||
        rdv_str_eq(rdv_trim(answer), rdv_trim(gold)))
        return RDV_OK;
    bool converted = strcmp(out->why, "unit") == 0; /* "60 km per hour" is "1 km per minute" */
    rdv_str as = out->answer_as, gs = out->gold_as;
    turn is = TURN_AGREES;
    turn_word word = {0};
    if (out->is == RDV_SAME)
        is =
            turn_between(answer, gold, p->how.question,
                         maths && !may_have_letters(as) && !may_have_letters(gs), converted, &word);
    else if (out->is == RDV_DIFFERENT && maths && !converted &&
             (turn_may_change(answer, gold, are_opposite(as, gs)) ||
              (is_letters(answer) && !may_have_letters(gs)) ||
              (is_letters(gold) && !may_have_letters(as))))
        is = TURN_UNSAID;
    bool nothing = (rdv_str_eq(as, RDV_STR("0")) && rdv_str_eq(word.of, RDV_STR("change"))) ||
                   rdv_str_eq(as, RDV_STR("{}"));
    if (is == TURN_AGREES || nothing || (is == TURN_OPPOSED && converted))
        return RDV_OK;
    out->is = is == TURN_OPPOSED ? RDV_DIFFERENT : RDV_CANNOT_TELL;
    out->why = is == TURN_OPPOSED ? "unit" : "assumption";
    out->reason =
        is == TURN_OPPOSED ? RDV_STR("the words beside the numbers turn them opposite ways")
        : !word.said.len ? RDV_STR("a word beside one of the numbers may make another number of it")
                         : rdv_str_printf(p->arena, "only one of both says \"%.*s\"",
                                          RDV_FMT(rdv_slice(word.said, 0, 40)));
    return out->reason.p ? RDV_OK : rdv_no_memory(p->err);
}

/* A bare number is one of the unit that the question asks for, "How many hours", where the other
 * one has another unit: 90 minutes for 1.5. */
static int with_asked_unit(rdv_str *gold, rdv_str answer, const pair *p)
{
    rdv_str number, letters, end, asked_unit = turn_asked_unit(p->how.question);
    size_t at = 0;
    rdv_str bare = inside(*gold);
    if (!asked_unit.len || !answer_next_number(bare, &at, &number) || number.len != bare.len ||
        !measure_split(inside(answer), &end, &letters))
        return RDV_OK;
    measure is = measure_read(letters), asked = measure_read(asked_unit);
    if (is.n && asked.n && measure_compare(&is, &asked) == MEASURES_CONVERT)
        *gold = rdv_str_printf(p->arena, "%.*s %.*s", RDV_FMT(bare), RDV_FMT(asked_unit));
    return gold->p ? RDV_OK : rdv_no_memory(p->err);
}

/* One number in two scales of temperature or measures of angle: "90 radians" is not 90 degrees. */
static void weigh_scales(const pair *p, rdv_comparison *out)
{
    static const char *const names[][4] = {{"degrees", "degree", "\xc2\xb0", "^\\circ"},
                                           {"radians", "radian", "rad", "rad"},
                                           {"\xc2\xb0"
                                            "C",
                                            "celsius", "^\\circ C", "degrees C"},
                                           {"\xc2\xb0"
                                            "F",
                                            "fahrenheit", "^\\circ F", "degrees F"},
                                           {"K", "kelvin", "kelvins", "K"}};
    rdv_str text[2] = {inside(p->answer), inside(p->gold)}, number[2];
    size_t scale[2] = {5, 5};
    for (size_t i = 0; i < 2; i++) {
        size_t end = rdv_skip_digits(text[i], rdv_starts(text[i], RDV_STR("-")));
        number[i] = rdv_slice(text[i], 0, end);
        rdv_str rest = rdv_trim(rdv_slice(text[i], end, text[i].len));
        for (size_t k = 0; k < 5; k++)
            scale[i] = rdv_is_one_of(rest, names[k], 4) ? k : scale[i];
    }
    bool kin = (scale[0] < 2) == (scale[1] < 2) && scale[0] < 5 && scale[1] < 5;
    bool fixed = rdv_str_eq(number[0], RDV_STR("0")) || rdv_str_eq(number[0], RDV_STR("-40"));
    if (out->is != RDV_CANNOT_TELL || !kin || scale[0] == scale[1] || fixed || !number[0].len ||
        !rdv_str_eq(number[0], number[1]))
        return;
    out->is = RDV_DIFFERENT;
    out->why = "unit";
}

static int compare_one(rdv_str answer, rdv_str gold, const rdv_answer_form *form,
                       const rdv_compare_options *how, math_work *work, rdv_arena *arena,
                       rdv_comparison *out, rdv_error *err)
{
    hedge hedged = HEDGE_NONE, gold_hedged = HEDGE_NONE;
    rdv_kind kind = key_kind(form);
    if (kind != RDV_KIND_TEXT && kind != RDV_KIND_PHRASE) {
        rdv_str whole = rdv_trim(gold);
        gold = gold_answer(gold);
        answer = rdv_str_eq(rdv_trim(answer), whole) ? gold : answer;
    }
    bool identical = rdv_str_eq(rdv_trim(answer), rdv_trim(gold));
    if (kind == RDV_KIND_NUMBER || kind == RDV_KIND_LATEX) {
        rdv_str bare = rdv_trim(answer);
        if (rdv_ends(bare, RDV_STR(".")) && !rdv_has_digit(bare)) /* "A dozen." */
            answer = rdv_slice(bare, 0, bare.len - 1);
        rdv_str in_answer = foreign_number_in_digits(rdv_trim(answer), arena);
        rdv_str in_gold = foreign_number_in_digits(rdv_trim(gold), arena);
        if ((answer.p && !in_answer.p) || (gold.p && !in_gold.p))
            return rdv_no_memory(err);
        answer = in_answer;
        gold = in_gold;
    }
    rdv_str given = answer, given_gold = gold;
    if (hedge_applies(kind)) {
        answer = hedge_after_withdrawal(chinese_bare(answer), kind);
        hedged = hedge_of(answer, &answer);
        gold_hedged = hedge_of(hedge_after_withdrawal(chinese_bare(gold), kind), &gold);
    }
    rdv_str renamed = letter_as_in_gold(answer, gold, arena);
    if (!renamed.p && answer.p)
        return rdv_no_memory(err);
    pair p = {.answer = renamed,
              .gold = gold,
              .kind = kind,
              .how = {.size = sizeof p.how},
              .work = work,
              .arena = arena,
              .err = err};
    rdv_comparison c;
    int rc = rdv_options_take(&p.how, sizeof p.how, how, err);
    if (rc == RDV_OK)
        rc = read_tolerance(p.how.tolerance, arena, &p.how.tolerance, err);
    if (rc != RDV_OK)
        return rc;
    bool maths = p.kind == RDV_KIND_NUMBER || p.kind == RDV_KIND_LATEX;
    if (maths && p.how.question.p)
        rc = with_asked_unit(&p.gold, renamed, &p);
    if (rc != RDV_OK)
        return rc;
    if (p.gold.p != gold.p)
        given_gold = p.gold;
    bool money = maths && compare_currencies(&p, &c, &rc);
    maths = maths && !money;
    bool text = kind == RDV_KIND_TEXT && form && form->any_case;
    bool none = !money && (maths || text) &&
                (compare_nothing(&p, &c, &rc) || (rc == RDV_OK && compare_ordinals(&p, &c)));
    maths = maths && !none;
    if (rc == RDV_OK && !money && !none)
        rc = maths ? compare_maths(&p, &c) : compare_keys(&p, form, &c);
    if (rc == RDV_OK && maths && c.is == RDV_DIFFERENT && p.how.question.p) {
        rdv_str asked = p.answer; /* "21" for 3 weeks, where days are asked for */
        rc = with_asked_unit(&asked, p.gold, &p);
        if (rc == RDV_OK && asked.p != p.answer.p)
            rc = compare_as(&p, asked, p.gold, &c);
    }
    if (rc == RDV_OK && maths && c.is != RDV_SAME)
        rc = compare_two_units(&p, &c);
    if (rc == RDV_OK && maths && c.is != RDV_SAME)
        rc = compare_ungrouped(&p, &c);
    if (rc == RDV_OK && maths && c.is != RDV_SAME)
        rc = compare_shortened(&p, &c);
    if (rc == RDV_OK && maths && p.kind == RDV_KIND_LATEX)
        rc = compare_spaced(&p, &c);
    if (rc == RDV_OK && maths && c.is != RDV_SAME)
        rc = compare_reworded(&p, &given, &given_gold, &c);
    if (rc == RDV_OK && maths && c.is == RDV_SAME)
        weigh_braces(&p, &c);
    if (rc == RDV_OK && maths)
        rc = compare_foreign(&p, &c);
    if (rc == RDV_OK && maths)
        weigh_scales(&p, &c);
    if (rc == RDV_OK && maths)
        rc = weigh_equation(&p, &c);
    if (rc == RDV_OK && (maths || (p.kind == RDV_KIND_TEXT && !none)))
        rc = compare_chemical(&p, &c);
    if (rc == RDV_OK && text && !none && c.is == RDV_DIFFERENT)
        rc = weigh_spelling(&p, &c);
    rdv_comparison exact;
    rdv_str whole = p.gold;
    p.answer = align_to_gold(renamed, whole);
    p.gold = align_exact_part(whole);
    bool part = p.answer.len < renamed.len || p.gold.len < whole.len;
    if (rc == RDV_OK && maths && c.is != RDV_SAME && part) {
        rc = compare_maths(&p, &exact);
        if (rc == RDV_OK && exact.is == RDV_SAME)
            c = exact;
    }
    if (rc != RDV_OK)
        return rc;
    bool read = maths || (kind == RDV_KIND_TEXT && !none && strcmp(c.why, "text") != 0);
    rc = weigh_words(&p, read, given, given_gold, &c);
    if (rc == RDV_OK)
        rc = weigh_hedge(&p, hedged, gold_hedged, &c);
    if (c.is == RDV_SAME && identical)
        c.why = "identical";
    *out = c;
    return rc;
}

int compare_answers(rdv_str answer, rdv_str gold, const rdv_answer_form *form,
                    const rdv_compare_options *how, rdv_arena *arena, rdv_comparison *out,
                    rdv_error *err)
{
    rdv_comparison best, other;
    math_work work = {MATH_WORK_MAX}; /* of all gold answers together */
    rdv_answer_form asked = form ? *form : (rdv_answer_form){0};
    int rc =
        form ? form_with_question(&asked, &gold, question_of_options(how), arena, err) : RDV_OK;
    if (rc != RDV_OK)
        return rc;
    form = form ? &asked : NULL;
    rc = compare_one(answer, gold, form, how, &work, arena, &best, err);
    bool several = form && form->n_golds > 1 && rdv_str_eq(gold, form->golds[0]);
    for (size_t i = 1; several && rc >= 0 && i < form->n_golds; i++) {
        if (rc == RDV_OK && best.is == RDV_SAME)
            break;
        int code = compare_one(answer, form->golds[i], form, how, &work, arena, &other, err);
        if (code < 0)
            return code;
        if (code == RDV_OK && (rc == RDV_NONE || grade_same_is_better(other.is, best.is))) {
            best = other;
            rc = RDV_OK;
        }
    }
    if (rc == RDV_OK)
        *out = best;
    return rc;
}
