/* SPDX-License-Identifier: Apache-2.0 */
/* The canonical key of an answer of each kind. */
#include "grade/key.h"

#include "answer/chinese.h"
#include "answer/date.h"
#include "answer/hedge.h"
#include "answer/money.h"
#include "answer/option.h"
#include "answer/read.h"
#include "answer/span.h"
#include "answer/time.h"
#include "answer/yesno.h"
#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"
#include "grade/money_key.h"
#include "grade/split.h"
#include "grade/text/phrase.h"
#include "grade/turn.h"
#include "grade/value.h"
#include "language/phrase.h"

#include <string.h>

rdv_kind key_kind(const rdv_answer_form *form)
{
    if (!form || form->kind == RDV_KIND_AUTO)
        return form && form->n_options ? RDV_KIND_OPTION : RDV_KIND_LATEX;
    return form->kind;
}

/* The letter of the option at `index`, as a static string. */
static rdv_str letter(size_t index)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    return rdv_slice((rdv_str){letters, RDV_OPTIONS_MAX}, index, index + 1);
}

/* The only option whose text is `answer` except for case, or RDV_NOT_FOUND. */
static size_t option_by_text(rdv_str answer, const rdv_answer_form *form)
{
    size_t found = RDV_NOT_FOUND;
    for (size_t i = 0; i < form->n_options && i < RDV_OPTIONS_MAX; i++) {
        if (!rdv_str_ieq(answer, rdv_trim(form->options[i])))
            continue;
        if (found != RDV_NOT_FOUND)
            return RDV_NOT_FOUND;
        found = i;
    }
    return found;
}

/* The only option that has the value of `answer` into *found, or RDV_NONE. */
static int option_by_value(rdv_str answer, const rdv_answer_form *form, answer_reading how,
                           rdv_arena *arena, size_t *found, rdv_error *err)
{
    rdv_str key, other;
    size_t same = 0;
    int rc = form->n_options ? value_key(answer, how, arena, &key, err) : RDV_NONE;
    for (size_t i = 0; rc == RDV_OK && i < form->n_options && i < RDV_OPTIONS_MAX; i++) {
        rc = value_key(form->options[i], how, arena, &other, err);
        if (rc == RDV_OK && rdv_str_eq(key, other)) {
            *found = i;
            same++;
        }
        rc = rc == RDV_NONE ? RDV_OK : rc;
    }
    return rc < 0 ? rc : same == 1 ? RDV_OK : RDV_NONE;
}

static int option_key(rdv_str answer, const rdv_answer_form *form, answer_reading how,
                      rdv_arena *arena, rdv_str *key, rdv_error *err)
{
    rdv_str named;
    answer = split_inside(answer); /* "A" of a box is no article */
    rdv_str bare = answer_trim_marks(answer);
    size_t index = bare.len > 1 ? option_by_text(bare, form) : RDV_NOT_FOUND;
    if (index == RDV_NOT_FOUND && answer_joins_options(bare, form->n_options))
        return RDV_NONE;
    if (index == RDV_NOT_FOUND)
        answer_counted_option(bare, form->n_options, &named, &index);
    if (index == RDV_NOT_FOUND && (answer_first_option(answer, form->n_options, &named) ||
                                   answer_last_option(answer, form->n_options, &named))) {
        size_t at = (size_t)(named.p - answer.p);
        if (answer_option_refuted(answer, at) || answer_option_mismatched(answer, at, form))
            return RDV_NONE;
        index = (size_t)(rdv_lower(named.p[0]) - 'a');
    }
    if (index == RDV_NOT_FOUND) {
        int rc = option_by_value(bare, form, how, arena, &index, err);
        if (rc != RDV_OK)
            return rc;
    }
    *key = letter(index);
    return RDV_OK;
}

/* Does a word that says the opposite follow? After "Yes," an explanation may: its "no" counts only
 * where it is a statement too, before a stop or after "or". */
static bool is_opposed(rdv_str answer, size_t at, answer_truth is)
{
    rdv_str word;
    answer_truth other;
    bool explained = at < answer.len && strchr(",.;:!", answer.p[at]) && answer.p[at];
    while (answer_next_yesno(answer, &at, &word, &other)) {
        size_t begin = (size_t)(word.p - answer.p);
        if (other != ANSWER_MAYBE && answer_is_denied(answer, begin))
            other = other == ANSWER_YES ? ANSWER_NO : ANSWER_YES;
        rdv_str before = rdv_trim_end(rdv_slice(answer, 0, begin));
        bool goes_on = at + 1 < answer.len && answer.p[at] == ' ' && rdv_is_alpha(answer.p[at + 1]);
        if (other != is && (!explained || !goes_on || rdv_ends(before, RDV_STR("or"))))
            return true;
    }
    return false;
}

static int yesno_key(rdv_str answer, bool maybe, rdv_str *key)
{
    static const char *const names[] = {"no", "yes", "maybe"};
    size_t at = 0;
    rdv_str word;
    answer_truth is;
    if (answer_alone_yesno(answer, &is) || answer_leading_yesno(answer, &word, &is)) {
        *key = rdv_str_of(names[is]);
        return RDV_OK;
    }
    if (!answer_next_yesno(answer, &at, &word, &is) || (is == ANSWER_MAYBE && !maybe) ||
        answer_is_denied(answer, (size_t)(word.p - answer.p)) || is_opposed(answer, at, is))
        return RDV_NONE;
    *key = rdv_str_of(names[is]);
    return RDV_OK;
}

/* Without one pair of quotes around it. */
static rdv_str without_quotes(rdv_str s)
{
    bool quoted = s.len >= 2 && s.p[0] == s.p[s.len - 1] && strchr("\"'`", s.p[0]) && s.p[0];
    return quoted ? rdv_slice(s, 1, s.len - 1) : s;
}

/* Wrappers within wrappers that are taken off. */
#define WRAPPERS_MAX 4

/* Does every brace of it close within it? */
static bool is_closed(rdv_str s)
{
    size_t depth = 0;
    for (size_t i = 0; i < s.len; i++) {
        if (s.p[i] == '}' && depth-- == 0)
            return false;
        depth += s.p[i] == '{';
    }
    return depth == 0;
}

/* Words without the LaTeX or emphasis that holds all of them: "\\text{even}", "**blue**". */
static rdv_str without_wrappers(rdv_str s)
{
    static const char *const opens[] = {"\\text{",   "\\textbf{", "\\textit{",
                                        "\\mathrm{", "\\boxed{",  "**"};
    for (size_t i = 0, n = 0; i < sizeof opens / sizeof *opens; i++) {
        rdv_str open = rdv_str_of(opens[i]), close = i == 5 ? RDV_STR("**") : RDV_STR("}");
        s = rdv_trim(s);
        if (s.len <= open.len + close.len || !rdv_starts(s, open) || !rdv_ends(s, close))
            continue;
        rdv_str inner = rdv_slice(s, open.len, s.len - close.len);
        bool one = i == 5 ? rdv_find_char(inner, '*', 0) == RDV_NOT_FOUND : is_closed(inner);
        if (!one)
            continue;
        s = inner;
        i = n++ < WRAPPERS_MAX ? (size_t)-1 : i; /* "\\boxed{\\text{even}}" */
    }
    return s;
}

static int text_key(rdv_str answer, rdv_arena *arena, rdv_str *key, rdv_error *err)
{
    rdv_str s = rdv_trim(answer);
    if (rdv_ends(s, RDV_STR(".")))
        s = rdv_trim_end(rdv_slice(s, 0, s.len - 1));
    s = rdv_trim(without_quotes(s));
    if (rdv_ends(s, RDV_STR(".")))
        s = rdv_trim_end(rdv_slice(s, 0, s.len - 1));
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    for (size_t i = 0; i < s.len; i++) {
        if (!rdv_is_space(s.p[i]))
            rdv_buf_add_char(&b, s.p[i]);
        else if (!rdv_is_space(s.p[i - 1])) /* trimmed: never the first */
            rdv_buf_add_char(&b, ' ');
    }
    if (!rdv_buf_ok(&b))
        return rdv_no_memory(err);
    *key = rdv_buf_str(&b);
    return key->len ? RDV_OK : RDV_NONE;
}

/* With the words that turn a number: "8% increase" is no "8%". */
static int with_turns(rdv_str answer, rdv_arena *arena, rdv_str *key, rdv_error *err)
{
    rdv_buf b;
    if (rdv_has_letter(*key))
        return RDV_OK;
    rdv_buf_init(&b, arena, 0);
    rdv_buf_add(&b, *key);
    turn_key(answer, &b);
    if (!rdv_buf_ok(&b))
        return rdv_no_memory(err);
    *key = rdv_buf_str(&b);
    return RDV_OK;
}

static int key_of_kind(rdv_str answer, const rdv_answer_form *form, answer_reading how,
                       rdv_arena *arena, rdv_str *key, rdv_error *err)
{
    switch (key_kind(form)) {
    case RDV_KIND_NUMBER:
        return value_number_key(answer, how, arena, key, err);
    case RDV_KIND_OPTION: {
        static const rdv_answer_form no_options = {0};
        return option_key(answer, form ? form : &no_options, how, arena, key, err);
    }
    case RDV_KIND_YESNO:
        return yesno_key(answer, false, key);
    case RDV_KIND_YESNO_MAYBE:
        return yesno_key(answer, true, key);
    case RDV_KIND_DATE:
    case RDV_KIND_DATE_DAY_FIRST:
        return answer_date_key(answer, form->kind == RDV_KIND_DATE_DAY_FIRST, arena, key, err);
    case RDV_KIND_TIME:
        return answer_time_key(answer, arena, key, err);
    case RDV_KIND_MONEY:
        return money_key(answer, arena, key, err);
    case RDV_KIND_PHRASE:
        return phrase_key(without_wrappers(answer), arena, key, err);
    case RDV_KIND_TEXT:
        return text_key(without_wrappers(answer), arena, key, err);
    case RDV_KIND_LATEX:
    case RDV_KIND_AUTO:
        break;
    }
    return value_key(answer, how, arena, key, err);
}

/* How many bytes that state nothing `s` begins with, or 0. */
static size_t nothing_len(rdv_str s)
{
    static const char *const marks[] = {
        "\\frac",   "\\dfrac",  "\\tfrac",  "\\sqrt",       "\\boxed", "\\text",
        "\\textbf", "\\mathrm", "<answer>", "</answer>",    "**",      "\\(",
        "\\)",      "\\[",      "\\]",      "\xef\xbb\xbf",
    };
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        rdv_str mark = rdv_str_of(marks[i]);
        bool longer =
            s.len > mark.len && rdv_is_alpha(mark.p[mark.len - 1]) && rdv_is_alpha(s.p[mark.len]);
        if (rdv_starts(s, mark) && !longer)
            return mark.len;
    }
    if (rdv_starts(s, RDV_STR("\xe2\x80")) && s.len >= 3) /* a dash, an ellipsis, an empty blank */
        return 3;
    return s.p[0] && strchr(" \t\r\n-?._\"'`=,;:~${}", s.p[0]) ? 1 : 0;
}

bool key_states_nothing(rdv_str answer)
{
    static phrase_list words = {"@not-known;n/a;null;nan;();[]"};
    rdv_str s = rdv_trim(answer);
    for (size_t i = 0; i < s.len; i++)
        if (rdv_is_digit(s.p[i]))
            return false;
    rdv_str bare = answer_trim_marks(s);
    if (phrase_is(rdv_slice(bare, rdv_istarts(bare, RDV_STR("i ")) ? 2 : 0, bare.len), &words))
        return true;
    if (s.len >= 2 && s.len <= 20 && rdv_ends(s, RDV_STR("=")) && rdv_is_alpha(s.p[0]) &&
        rdv_trim(rdv_slice(s, 1, s.len - 1)).len == 0)
        return true; /* "x =" */
    for (size_t i = 0, len; i < s.len; i += len)
        if ((len = nothing_len(rdv_slice(s, i, s.len))) == 0)
            return false;
    return true;
}

bool key_names_one(rdv_str answer, const rdv_answer_form *form)
{
    char key[16];
    size_t at = 0;
    rdv_str found;
    switch (key_kind(form)) {
    case RDV_KIND_OPTION: /* of any letter: "E" of four options is one that does not exist */
        return answer_names_option(answer, RDV_OPTIONS_MAX);
    case RDV_KIND_YESNO:
    case RDV_KIND_YESNO_MAYBE:
        return answer_names_yesno(answer);
    case RDV_KIND_DATE:
    case RDV_KIND_DATE_DAY_FIRST:
        return answer_next_date(answer, &at, false, &found, key) || answer_names_month(answer);
    case RDV_KIND_TIME:
        return answer_last_time(answer, &found);
    case RDV_KIND_MONEY:
        return money_last(answer, &found);
    default:
        return rdv_trim(answer).len > 0;
    }
}

/* Of an answer with a hedge, the key of a number or formula says so; others are no answers. */
static int hedged_key(rdv_kind kind, hedge is, rdv_arena *arena, rdv_str *key, rdv_error *err)
{
    if (kind != RDV_KIND_NUMBER && kind != RDV_KIND_LATEX)
        return RDV_NONE;
    *key = rdv_str_printf(arena, "%s %.*s", is == HEDGE_NEAR ? "about" : "maybe", RDV_FMT(*key));
    return key->p ? RDV_OK : rdv_no_memory(err);
}

/* A key of another way to write the right answer becomes that of the first. */
static int as_first_gold(const rdv_answer_form *form, answer_reading how, rdv_arena *arena,
                         rdv_str *key, rdv_error *err)
{
    rdv_str first, other;
    int rc = key_of_kind(form->golds[0], form, how, arena, &first, err);
    for (size_t i = 1; rc == RDV_OK && i < form->n_golds; i++) {
        rc = key_of_kind(form->golds[i], form, how, arena, &other, err);
        if (rc == RDV_OK && rdv_str_eq(other, *key)) {
            *key = first;
            return RDV_OK;
        }
        rc = rc == RDV_NONE ? RDV_OK : rc;
    }
    return rc < 0 ? rc : RDV_OK;
}

/* Is it "99,19": digits, a comma and digits without brackets, with the larger number first? */
static bool descends(rdv_str s)
{
    size_t i = 0;
    for (; i < s.len && !rdv_is_digit(s.p[i]); i++)
        if (s.p[i] && strchr("{[(", s.p[i]))
            return false;
    size_t comma = rdv_skip_digits(s, i), end = rdv_skip_digits(s, comma + 1);
    if (rdv_char_at(s, comma) != ',' || end == comma + 1)
        return false;
    rdv_str first = rdv_slice(s, i, comma), second = rdv_slice(s, comma + 1, end);
    for (; end < s.len; end++)
        if (rdv_is_digit(s.p[end]))
            return false;
    while (second.len > first.len && second.p[0] == '0')
        second = rdv_slice(second, 1, second.len);
    return first.len != second.len ? first.len > second.len
                                   : memcmp(first.p, second.p, first.len) > 0;
}

/* A list whose comma may stand before decimals is not that in another order: 19,99 and 99,19. */
static int with_order(rdv_str answer, rdv_arena *arena, rdv_str *key, rdv_error *err)
{
    if (!rdv_starts(*key, RDV_STR("{")) || !descends(answer))
        return RDV_OK;
    *key = rdv_str_printf(arena, "%.*s as written", RDV_FMT(*key));
    return key->p ? RDV_OK : rdv_no_memory(err);
}

/* Does a text with a number in it have no answer as a reply: "It is unknown. We have 5."? */
static bool has_none_as_reply(rdv_str s, rdv_kind kind)
{
    rdv_answer_form form = {.kind = kind};
    rdv_answer answer;
    answer_search met;
    return rdv_has_digit(s) && rdv_has_letter_or_beyond(s) &&
           answer_read_steps(&s, 1, &form, &answer, &met) == RDV_NONE &&
           (met.announced || met.none);
}

int rdv_answer_key(rdv_str answer, const rdv_answer_form *form, rdv_arena *arena, rdv_str *key,
                   rdv_error *err)
{
    rdv_str made;
    math_work work = {MATH_WORK_MAX};
    answer_reading how = {.work = &work};
    bool empty = rdv_trim(answer).len == 0;
    if (empty && !(answer.p && form && form->empty_counts))
        return RDV_NONE;
    rdv_kind kind = key_kind(form);
    bool maths = kind == RDV_KIND_LATEX || kind == RDV_KIND_NUMBER;
    if (maths && rdv_is_whole(answer) && !(form && form->n_golds > 1)) { /* it is its key */
        *key = rdv_str_copy(arena, answer);
        return key->p ? RDV_OK : rdv_no_memory(err);
    }
    bool words = kind != RDV_KIND_LATEX && kind != RDV_KIND_NUMBER && kind != RDV_KIND_PHRASE;
    if (!words && (key_states_nothing(answer) || (maths && has_none_as_reply(answer, kind))))
        return RDV_NONE;
    int rc = RDV_OK;
    hedge hedged = HEDGE_NONE;
    if (!empty && hedge_applies(kind)) {
        answer = hedge_after_withdrawal(chinese_bare(answer), kind);
        hedged = hedge_of(answer, &answer);
    }
    if (empty)
        made = RDV_STR("");
    else
        rc = key_of_kind(answer, form, how, arena, &made, err);
    if (rc == RDV_OK && !words && kind != RDV_KIND_PHRASE)
        rc = with_turns(answer, arena, &made, err);
    if (rc == RDV_OK && !words)
        rc = with_order(answer, arena, &made, err);
    if (rc == RDV_OK && hedged != HEDGE_NONE)
        rc = hedged_key(kind, hedged, arena, &made, err);
    if (rc == RDV_OK && form && form->n_golds > 1)
        rc = as_first_gold(form, how, arena, &made, err);
    if (rc == RDV_OK)
        *key = made;
    return rc;
}
