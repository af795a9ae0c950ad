/* SPDX-License-Identifier: Apache-2.0 */
#include "grade/pair.h"

#include "answer/degrees.h"
#include "answer/measure.h"
#include "answer/money.h"
#include "base/str.h"
#include "grade/angle.h"
#include "grade/compare_value.h"
#include "grade/key.h"
#include "grade/money_key.h"
#include "grade/split.h"
#include "grade/turn.h"
#include "grade/upright.h"

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

/* A sign is a unit where the other answer has one: "5%" is not "5 mol". */
static rdv_str with_sign_unit(rdv_str own, rdv_str answer, rdv_str other)
{
    if (own.len || !other.len)
        return own;
    return has_percent(answer)   ? RDV_STR("percent")
           : degrees_end(answer) ? RDV_STR("degrees")
                                 : own;
}

/* Beside a temperature "5 degrees" only leaves out the scale, and the F of "212 F" is one. */
static rdv_str of_scale(rdv_str own, rdv_str other)
{
    measure m = measure_read(other);
    bool heat =
        m.n == 1 && (m.power[BASE_KELVIN] || m.power[BASE_CELSIUS] || m.power[BASE_FAHRENHEIT]);
    rdv_str bare = heat ? degrees_skip(own) : own;
    return !heat                            ? own
           : !bare.len                      ? bare
           : rdv_str_eq(bare, RDV_STR("C")) ? RDV_STR("celsius")
           : rdv_str_eq(bare, RDV_STR("F")) ? RDV_STR("fahrenheit")
                                            : own;
}

int pair_read(const pair *p, rdv_str answer, bool shares, const answer_value **out)
{
    answer_reading how = {.shares = shares, .work = p->work};
    if (key_states_nothing(answer))
        return RDV_NONE;
    return p->kind == RDV_KIND_NUMBER ? value_read_number(answer, how, p->arena, out, p->err)
                                      : value_read(answer, how, p->arena, out, p->err);
}

/* "10 L" with its letters read as a unit, where they were read as those of algebra. *is: they are
 * one. */
static int read_letters_as_unit(const pair *p, rdv_str text, bool share, answer_value *out,
                                bool *is)
{
    rdv_str number, letters;
    const answer_value *v;
    *is = measure_split(split_inside(text), &number, &letters);
    int rc = *is ? pair_read(p, number, share, &v) : RDV_NONE;
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
    answer.unit = of_scale(answer.unit, gold.unit);
    gold.unit = of_scale(gold.unit, answer.unit);
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
    int rc = pair_read(p, p->gold, gold_share, &g);
    if (rc != RDV_OK)
        return rc;
    *out = (rdv_comparison){.is = RDV_DIFFERENT, .why = "unread", .gold_as = g->key};
    a = g; /* the same text is read once */
    if (answer_share != gold_share || !rdv_str_eq(split_inside(p->answer), split_inside(p->gold)))
        rc = pair_read(p, p->answer, answer_share, &a);
    if (rc != RDV_OK) {
        out->reason = RDV_STR("there is no answer");
        return rc == RDV_NONE ? RDV_OK : rc;
    }
    rdv_str bare = a->unit.len ? (rdv_str){0} : upright_value(p->answer, g->unit);
    if (bare.p)
        rc = pair_read(p, bare, answer_share, &a);
    bare = g->unit.len ? (rdv_str){0} : upright_value(p->gold, a->unit);
    if (bare.p && rc == RDV_OK)
        rc = pair_read(p, bare, gold_share, &g);
    if (rc != RDV_OK)
        return rc;
    comparer c = {.reader = {.arena = p->arena, .err = p->err, .how = {.work = p->work}},
                  .how = p->how,
                  .left = COMPARE_PAIRS_MAX};
    answer_value signed_answer = *a, signed_gold = *g;
    if (!answer_share && !gold_share) {
        signed_answer.unit = with_sign_unit(a->unit, p->answer, g->unit);
        signed_gold.unit = with_sign_unit(g->unit, p->gold, a->unit);
        signed_answer.unit = of_scale(signed_answer.unit, signed_gold.unit);
        signed_gold.unit = of_scale(signed_gold.unit, signed_answer.unit);
    }
    out->is = value_compare(&c, &signed_answer, &signed_gold);
    out->why = c.why;
    bool comma = out->is == RDV_SAME && c.why && strcmp(c.why, "comma") == 0;
    out->answer_as = comma && a->is == VALUE_LIST ? g->key : a->key;
    if (out->is != RDV_SAME)
        out->reason = c.reason;
    if (c.fault || out->is == RDV_SAME)
        return c.fault;
    return compare_letters(p, answer_share, gold_share, a, g, out);
}

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

/* "1250 pounds" beside an amount in pounds. */
static bool is_pounds(rdv_str s, rdv_str other)
{
    s = rdv_trim(s);
    return rdv_str_eq(other, RDV_STR("GBP")) && rdv_is_digit(rdv_char_at(s, 0)) &&
           (rdv_ends(s, RDV_STR(" pounds")) || rdv_ends(s, RDV_STR(" pound")));
}

/* "240p" beside pounds. */
static bool is_pence(rdv_str s, rdv_str other)
{
    s = rdv_trim(s);
    return s.len > 1 && rdv_str_eq(other, RDV_STR("GBP")) && s.p[s.len - 1] == 'p' &&
           rdv_skip_digits(s, 0) == s.len - 1;
}

/* An amount of a key without what it is for, and without its currency where `bare`. */
static rdv_str amount_of(rdv_str key, bool bare)
{
    rdv_str amount = rdv_slice(key, 0, rdv_find(key, RDV_STR(" per "), 0));
    return bare ? rdv_slice(amount, rdv_find_char(amount, ' ', 0), amount.len) : amount;
}

/* Are two keys the same amount, of one currency, or of cents, which many have; or does one say
 * none? */
static rdv_same compare_amounts(rdv_str a, rdv_str g, bool cents, rdv_str question)
{
    static const char *const of[] = {"USD", "EUR", "CAD", "AUD", "SGD", "HKD", "NZD", "ZAR"};
    bool both =
        rdv_is_one_of(rdv_slice(a, 0, 3), of, 8) && rdv_is_one_of(rdv_slice(g, 0, 3), of, 8);
    bool open = (a.p[0] == '?') != (g.p[0] == '?'), bare = open || (cents && both);
    rdv_str amount = amount_of(a, bare), gold = amount_of(g, bare);
    if (!rdv_str_eq(amount, gold))
        return RDV_DIFFERENT;
    rdv_str per = rdv_slice(a, (size_t)(amount.p - a.p) + amount.len, a.len);
    rdv_str of_gold = rdv_slice(g, (size_t)(gold.p - g.p) + gold.len, g.len);
    bool asked =
        !per.len && turn_asks_for_rate(question, rdv_slice(of_gold, 5, of_gold.len)); /* " per " */
    return rdv_str_eq(per, of_gold) || (of_gold.len && asked) ? RDV_SAME
           : per.len && of_gold.len                           ? RDV_DIFFERENT
                                                              : RDV_CANNOT_TELL;
}

bool pair_compare_currencies(const pair *p, rdv_comparison *out, int *rc)
{
    rdv_str a = money_currency(p->answer), g = money_currency(p->gold);
    a = is_pence(p->answer, g) ? RDV_STR("GBP/100") : a;
    g = is_pence(p->gold, a) ? RDV_STR("GBP/100") : g;
    a = is_pounds(p->answer, g) ? g : a;
    g = is_pounds(p->gold, a) ? a : g;
    bool sum =
        money_is_compound(split_inside(p->answer)) || money_is_compound(split_inside(p->gold));
    if (!sum && (!a.p || !g.p || rdv_str_eq(a, g)))
        return false;
    *out = (rdv_comparison){.why = "unit"};
    *rc = money_key(p->answer, p->arena, &out->answer_as, p->err);
    if (*rc == RDV_OK)
        *rc = money_key(p->gold, p->arena, &out->gold_as, p->err);
    if (*rc == RDV_NONE) {
        *rc = RDV_OK;
        return false;
    }
    if (*rc != RDV_OK)
        return true;
    bool cents = rdv_str_eq(a, RDV_STR("cents")) || rdv_str_eq(g, RDV_STR("cents"));
    out->is = compare_amounts(out->answer_as, out->gold_as, cents, p->how.question);
    if (out->is == RDV_CANNOT_TELL)
        out->why = "assumption";
    if (sum && out->is == RDV_SAME)
        out->why = "exact";
    if (out->is != RDV_SAME)
        out->reason = out->is == RDV_DIFFERENT
                          ? RDV_STR("their currencies or amounts differ")
                          : RDV_STR("only one of both says for what the amount is");
    return true;
}

/* Does the question ask for a share of one, "the probability", and not for percents? */
static bool asks_for_share(rdv_str question)
{
    static const char *const shares[] = {"probability", "fraction", "proportion"};
    static const char *const percents[] = {"percent", "per cent", "%"};
    return rdv_holds_any(question, shares, 3) && !rdv_holds_any(question, percents, 3);
}

/* Is it less than one percent beside a fraction, "0.25%" beside 1/4, which is no number of
 * percents?
 */
static bool is_share_beside(rdv_str percents, rdv_str other)
{
    rdv_str s = split_inside(percents);
    bool fraction = rdv_find_char(other, '/', 0) != RDV_NOT_FOUND || rdv_has_letter(other);
    return fraction && !rdv_has_letter(s) &&
           (rdv_starts(s, RDV_STR("0.")) || rdv_starts(s, RDV_STR(".")));
}

int pair_compare_shares(const pair *p, rdv_comparison *out)
{
    bool in_answer = has_percent(p->answer), in_gold = has_percent(p->gold);
    int rc = compare_read(p, false, false, out);
    bool fraction =
        in_answer ? is_share_beside(p->answer, p->gold) : is_share_beside(p->gold, p->answer);
    if (rc == RDV_OK && out->is == RDV_SAME && in_answer != in_gold &&
        (fraction || asks_for_share(p->how.question))) {
        out->is = RDV_CANNOT_TELL; /* "1%" is no probability of 1 */
        out->why = "assumption";
        out->reason =
            RDV_STR("only one of both is in percent, and the other may be a share of one");
        return RDV_OK;
    }
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
