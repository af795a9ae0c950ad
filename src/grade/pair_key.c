/* SPDX-License-Identifier: Apache-2.0 */
#include "grade/pair.h"

#include "answer/announcement.h"
#include "answer/date.h"
#include "answer/number.h"
#include "answer/time.h"
#include "base/arena.h"
#include "base/str.h"
#include "grade/formal.h"
#include "grade/key.h"
#include "grade/money_key.h"
#include "grade/split.h"
#include "grade/turn.h"
#include "grade/text/restated.h"

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
static rdv_same incomplete_keys(rdv_kind kind, bool by_numbers, rdv_str answer, rdv_str gold,
                                rdv_str question)
{
    size_t per = rdv_find(gold, RDV_STR(" per "), 0);
    bool amount = per != RDV_NOT_FOUND && !rdv_starts(answer, RDV_STR("?")) &&
                  rdv_find(answer, RDV_STR(" per "), 0) == RDV_NOT_FOUND;
    bool midnight = rdv_starts(answer, RDV_STR("00:")); /* of "12:00", which may be noon */
    if (kind == RDV_KIND_TIME && answer_times_may_agree(answer, gold))
        return rdv_ends(answer, RDV_STR("?")) || (midnight && rdv_ends(gold, RDV_STR("?")))
                   ? RDV_CANNOT_TELL
                   : RDV_SAME;
    if (kind == RDV_KIND_MONEY && money_may_agree(answer, gold))
        return amount && !turn_asks_for_rate(question, rdv_slice(gold, per + 5, gold.len))
                   ? RDV_CANNOT_TELL
                   : RDV_SAME;
    bool date = kind == RDV_KIND_DATE || kind == RDV_KIND_DATE_DAY_FIRST;
    if (date && by_numbers && are_swapped(answer, gold))
        return RDV_CANNOT_TELL; /* "1/5/2021": which number is the month? */
    bool rate = kind == RDV_KIND_MONEY && money_may_agree(gold, answer);
    bool part =
        date && !by_numbers && answer.len < gold.len && rdv_starts(gold, answer); /* "July 1776" */
    return rate || part ? RDV_CANNOT_TELL : RDV_DIFFERENT; /* "$5 per hour" for $5 */
}

/* Does the answer begin with gold's date or time, and go on with an explanation that has another
 * one, behind a dash: "5/7/2021 - a week after 4/30/2021"? */
static bool is_explained(const pair *p, rdv_str gold_key)
{
    static const char *const dashes[] = {" - ", " \xe2\x80\x93 ", " \xe2\x80\x94 "};
    char key[16];
    rdv_str s = p->answer, one;
    size_t at = 0, dash = 0;
    bool first = p->kind == RDV_KIND_TIME   ? answer_next_time(s, &at, &one, key)
                 : p->kind == RDV_KIND_DATE ? answer_next_date(s, &at, false, &one, key)
                                            : false;
    for (size_t k = 0; first && k < sizeof dashes / sizeof *dashes && !dash; k++)
        dash = rdv_starts(rdv_slice(s, at, s.len), rdv_str_of(dashes[k])) ? strlen(dashes[k]) : 0;
    return dash && one.p == s.p && rdv_is_alpha(rdv_char_at(s, at + dash)) &&
           rdv_str_eq(rdv_str_of(key), gold_key);
}

/* Words in which nothing of the kind is read may say it all the same, "the largest is Jupiter", but
 * not where they say that there is no answer. */
static bool may_say_it_otherwise(const pair *p, const rdv_answer_form *form)
{
    rdv_str answer = p->answer;
    bool ratio = p->kind == RDV_KIND_TIME && rdv_find(answer, RDV_STR(" : "), 0) != RDV_NOT_FOUND;
    bool except = rdv_find(answer, RDV_STR(" except "), 0) != RDV_NOT_FOUND ||
                  rdv_find(answer, RDV_STR(" other than "), 0) != RDV_NOT_FOUND;
    return (ratio || rdv_has_letter_or_beyond(answer)) && !key_states_nothing(answer) &&
           (except || !key_names_one(answer, form)) && !announcement_of_none(answer);
}

/* Has the answer another number behind its letter than gold's option: "(A) 15 km" for "12 km"? */
static bool has_other_value(const pair *p, const rdv_answer_form *form, char letter)
{
    rdv_str s = split_inside(p->answer), number, rest;
    size_t at = rdv_char_at(s, 0) == '(', k = (size_t)(letter - 'A');
    size_t behind = rdv_skip_any(s, at + 1, ").: ~$"), from = 0, own = 0;
    rdv_str text = form && k < form->n_options ? form->options[k] : (rdv_str){0};
    rest = rdv_slice(s, behind, s.len);
    bool first =
        rdv_char_at(s, at) == letter && behind > at + 1 && rdv_is_digit(rdv_char_at(rest, 0));
    bool number_in = answer_next_number(text, &own, &number);
    bool same = number_in && formal_holds(rest, number);
    return first && number_in && !same && answer_next_number(rest, &from, &number);
}

int pair_compare_keys(const pair *p, const rdv_answer_form *form, rdv_comparison *out)
{
    *out = (rdv_comparison){.is = RDV_DIFFERENT, .why = "unread"};
    int rc = rdv_answer_key(p->gold, form, p->arena, &out->gold_as, p->err);
    if (rc != RDV_OK)
        return rc;
    rc = rdv_answer_key(p->answer, form, p->arena, &out->answer_as, p->err);
    bool yes, truth = p->kind == RDV_KIND_YESNO || p->kind == RDV_KIND_YESNO_MAYBE;
    if (rc == RDV_NONE && truth && restated_truth(p->answer, p->how.question, &yes)) {
        out->answer_as = yes ? RDV_STR("yes") : RDV_STR("no");
        rc = RDV_OK;
    }
    if (rc != RDV_OK) {
        bool unread =
            rc == RDV_NONE && (may_say_it_otherwise(p, form) || is_explained(p, out->gold_as));
        out->is = unread ? RDV_CANNOT_TELL : RDV_DIFFERENT;
        out->reason = unread ? RDV_STR("no answer of its kind is read in it")
                             : RDV_STR("there is no answer of its kind");
        return rc == RDV_NONE ? RDV_OK : rc;
    }
    bool same = rdv_str_eq(out->answer_as, out->gold_as);
    bool slashes = rdv_find_char(p->answer, '/', 0) != RDV_NOT_FOUND ||
                   rdv_find_char(p->gold, '/', 0) != RDV_NOT_FOUND;
    out->is =
        same ? RDV_SAME
             : incomplete_keys(p->kind, slashes, out->answer_as, out->gold_as, p->how.question);
    if (form && form->any_case && p->kind == RDV_KIND_TEXT &&
        rdv_str_ieq(out->answer_as, out->gold_as))
        out->is = RDV_SAME;
    bool other = same && p->kind == RDV_KIND_OPTION && has_other_value(p, form, out->gold_as.p[0]);
    if (other)
        out->is = RDV_CANNOT_TELL;
    out->why = out->is == RDV_CANNOT_TELL ? "assumption" : decider(p->kind);
    if (out->is == RDV_CANNOT_TELL)
        out->reason = other ? RDV_STR("its letter is gold's, and its number is not")
                      : p->kind == RDV_KIND_MONEY
                          ? RDV_STR("only one of both says for what time the amount is")
                      : p->kind == RDV_KIND_TIME
                          ? RDV_STR("the answer does not say which half of the day")
                      : out->answer_as.len < out->gold_as.len
                          ? RDV_STR("the answer says only a part of gold's date")
                          : RDV_STR("which number is the month is not said");
    if (out->is == RDV_DIFFERENT)
        out->reason =
            rdv_str_printf(p->arena, "%.*s is not %.*s", RDV_FMT(rdv_slice(out->answer_as, 0, 80)),
                           RDV_FMT(rdv_slice(out->gold_as, 0, 80)));
    return out->is == RDV_SAME || out->reason.p ? RDV_OK : rdv_no_memory(p->err);
}
