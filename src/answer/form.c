/* SPDX-License-Identifier: Apache-2.0 */
/* Deciding the answer type of a question that does not state it. */
#include <rederive/answer.h>

#include "answer/announcement.h"
#include "answer/date.h"
#include "answer/foreign_number.h"
#include "answer/gold.h"
#include "answer/measure.h"
#include "answer/number.h"
#include "answer/number_words.h"
#include "answer/time.h"
#include "answer/yesno.h"
#include "base/str.h"
#include "language/phrase.h"
#include "language/rule.h"
#include "notation/units.h"

static bool is_yesno(rdv_str s)
{
    static phrase_list words = {"@one-of-two"}; /* U+662F, U+5426 */
    rdv_str word;
    answer_truth is;
    return phrase_is(s, &words) || (answer_leading_yesno(s, &word, &is) && word.len == s.len);
}

static bool is_letter(rdv_str s)
{
    if (s.len == 3 && s.p[0] == '(' && s.p[2] == ')')
        return rdv_lower(s.p[1]) >= 'a' && rdv_lower(s.p[1]) <= 'j';
    return s.len == 1 && s.p[0] >= 'A' && s.p[0] <= 'J';
}

/* One number from the start, and at most words of a unit after it. */
static bool is_number(rdv_str s)
{
    rdv_str number;
    size_t at = 0;
    if (!answer_next_number(s, &at, &number) || number.p != s.p ||
        rdv_find_char(number, ':', 0) != RDV_NOT_FOUND)
        return false;
    for (size_t i = at; i < s.len; i++)
        if (!rdv_is_alpha(s.p[i]) && s.p[i] != ' ' && s.p[i] != '.')
            return false;
    return at == s.len || s.p[at] == ' ' || s.p[at] == '.';
}

/* "5/6/2021", "12:30:00", "2021-06-05": digits with one sign twice. */
static bool is_date(rdv_str s)
{
    size_t signs = 0;
    for (size_t i = 0; i < s.len; i++) {
        if (rdv_is_digit(s.p[i]))
            continue;
        if (i == 0 || !s.p[i] || !strchr("/-:.", s.p[i]))
            return false;
        signs++;
    }
    return signs == 2;
}

/* A backslash or a dollar; or digits, with no word of three letters and not a date or time. */
static bool is_maths(rdv_str s)
{
    bool digit = false, word = false, colon = false;
    for (size_t i = 0; i < s.len; i++) {
        char c = s.p[i];
        digit = digit || rdv_is_digit(c);
        colon = colon || c == ':';
        word = word || (i + 2 < s.len && rdv_is_alpha(c) && rdv_is_alpha(s.p[i + 1]) &&
                        rdv_is_alpha(s.p[i + 2]));
        if (c == '\\' || c == '$')
            return true;
        i += rdv_starts(rdv_slice(s, i, s.len), RDV_STR(" mod ")) ? 4 : 0;
    }
    return digit && !word && !colon && !is_date(s);
}

static bool is_maybe(rdv_str s)
{
    static const char *const words[] = {"maybe", "unknown", "uncertain", "cannot be determined"};
    return rdv_is_one_of(s, words, sizeof words / sizeof *words);
}

/* Is all of it one date or one time? */
static bool is_whole(rdv_str s, rdv_kind kind)
{
    rdv_str found;
    bool any =
        kind == RDV_KIND_DATE ? answer_last_date(s, false, &found) : answer_last_time(s, &found);
    return any && found.len + rdv_ends(s, RDV_STR(".")) >= s.len;
}

/* How many bytes of a function with its bracket begin at byte `i`, "sin(x)" without "x)"; or 0. */
static size_t function_len(rdv_str s, size_t i)
{
    static const char *const names[] = {"sin(", "cos(", "tan(", "cot(", "sec(", "csc(",
                                        "log(", "ln(",  "exp(", "abs(", "sqrt("};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (rdv_starts(rdv_slice(s, i, s.len), rdv_str_of(names[k])))
            return strlen(names[k]);
    return 0;
}

/* Names of one letter joined by signs, functions of them, and no other letters: "x+y", "sin(x)". */
static bool is_formula(rdv_str s)
{
    bool joined = false;
    for (size_t i = 0; i < s.len; i++) {
        size_t function = i > 0 && rdv_is_alpha(s.p[i - 1]) ? 0 : function_len(s, i);
        if (function) {
            joined = true;
            i += function - 1;
            continue;
        }
        bool sign = s.p[i] && strchr("+-*/^=", s.p[i]);
        joined = joined || (sign && i > 0 && i + 1 < s.len);
        if (rdv_is_alpha(s.p[i]) ? i > 0 && rdv_is_alpha(s.p[i - 1])
                                 : !sign && s.p[i] != ' ' && s.p[i] != '(' && s.p[i] != ')')
            return false;
    }
    return joined && (rdv_is_alpha(s.p[s.len - 1]) || s.p[s.len - 1] == ')') &&
           rdv_is_alpha(s.p[0]);
}

/* "2:3", "1:2:4": whole numbers with colons, which are no time of day. Without one it is maths. */
static bool is_ratio(rdv_str s)
{
    size_t colons = 0, digits = 0;
    for (size_t i = 0; i < s.len; i++) {
        bool colon = s.p[i] == ':';
        if (colon && digits == 0)
            return false;
        colons += colon;
        digits = colon ? 0 : digits + rdv_is_digit(s.p[i]);
        if (!colon && !rdv_is_digit(s.p[i]) && s.p[i] != ' ')
            return false;
    }
    return digits > 0 && (colons == 1 || digits < 2);
}

/* "8 mol/L", "60 miles/hour", "2 hours 5 minutes", "8.5 triệu": words of three letters and more
 * that are no prose. */
static bool is_quantity(rdv_str s)
{
    rdv_str number, letters;
    size_t end = 0;
    bool measured = measure_split(s, &number, &letters);
    letters = rdv_trim(letters);
    return measured || measure_is_sum(s) ||
           (number.len && announcement_row_at(letters, 0, 1u << EFFECT_SCALE, &end) &&
            end == letters.len);
}

/* "three", "two thirds", "half an hour", "two dozen": a number, and at most a unit. */
static bool in_words(rdv_str s)
{
    uint64_t part, of;
    rdv_str thing;
    unit_meaning m;
    size_t end;
    if (foreign_number_read(s, &part, &end))
        return true;
    if (!rdv_is_alpha(s.p[0]))
        return false;
    if (number_words_read(s, &part) || fraction_words_read(s, &part, &of))
        return true;
    return counted_words_read(s, &part, &of, &thing) &&
           (unit_find_in_prose(thing, &m) ||
            announcement_row_at(thing, 0, 1u << EFFECT_SCALE, &end));
}

/* "2 and 3", "(3, 0) and (0, 3)": values, and no mixed number, "2 and 1/2". */
static bool is_joined(rdv_str s)
{
    size_t join = rdv_ifind(s, RDV_STR(" and "), 0);
    rdv_str first = rdv_slice(s, 0, join), last = rdv_slice(s, join + 5, s.len);
    return join < s.len && is_maths(first) && is_maths(last) &&
           !(rdv_is_whole(first) && rdv_find_char(last, '/', 0) != RDV_NOT_FOUND);
}

static rdv_kind kind_of_gold(rdv_str gold)
{
    if (rdv_is_whole(gold)) /* as most are */
        return RDV_KIND_NUMBER;
    gold = rdv_trim(gold_answer(gold));
    if (gold.len == 0)
        return RDV_KIND_LATEX;
    if (is_yesno(gold))
        return RDV_KIND_YESNO;
    if (is_maybe(gold))
        return RDV_KIND_YESNO_MAYBE;
    if (is_letter(gold))
        return RDV_KIND_OPTION;
    if (is_number(gold) || in_words(gold))
        return RDV_KIND_NUMBER;
    if (is_whole(gold, RDV_KIND_DATE))
        return RDV_KIND_DATE;
    if (is_whole(gold, RDV_KIND_TIME))
        return RDV_KIND_TIME;
    bool maths = is_maths(gold) || is_formula(gold) || is_ratio(gold) || is_quantity(gold) ||
                 is_joined(gold);
    return maths ? RDV_KIND_LATEX : RDV_KIND_TEXT;
}

rdv_answer_form rdv_answer_form_of(const rdv_question *q)
{
    rdv_answer_form form = {.kind = q->kind,
                            .options = q->options,
                            .n_options = q->n_options,
                            .golds = q->golds,
                            .n_golds = q->n_golds};
    form.empty_counts = q->kind == RDV_KIND_TEXT && q->gold.p && rdv_trim(q->gold).len == 0;
    if (form.kind == RDV_KIND_AUTO)
        form.kind = q->n_options ? RDV_KIND_OPTION : kind_of_gold(q->gold);
    form.any_case = q->kind == RDV_KIND_AUTO && form.kind == RDV_KIND_TEXT;
    if (q->kind == RDV_KIND_AUTO && form.kind == RDV_KIND_TEXT && q->n_golds > 1)
        form.kind = RDV_KIND_PHRASE;
    return form;
}
