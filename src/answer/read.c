/* SPDX-License-Identifier: Apache-2.0 */
/* Reading the final answer. Each way of announcing an answer is tried, the most reliable first,
 * from the last step to the first. Each answer type has its own reader for announced answers and
 * for the usual place of answers. */

#include "answer/announcement.h"
#include "answer/answer_cue.h"
#include "answer/chinese.h"
#include "answer/date.h"
#include "answer/formula.h"
#include "answer/hedge.h"
#include "answer/lone_number.h"
#include "answer/money.h"
#include "answer/number.h"
#include "answer/object.h"
#include "answer/option.h"
#include "answer/read.h"
#include "answer/reply_span.h"
#include "answer/result.h"
#include "answer/solutions.h"
#include "answer/span.h"
#include "answer/statement.h"
#include "answer/time.h"
#include "answer/yesno.h"
#include "base/str.h"
#include "language/assertion.h"

static rdv_answer_form decided(const rdv_answer_form *form)
{
    rdv_answer_form f = form ? *form : (rdv_answer_form){0};
    if (f.kind == RDV_KIND_AUTO)
        f.kind = f.n_options ? RDV_KIND_OPTION : RDV_KIND_LATEX;
    return f;
}

/* Does `span` begin with one of the options' own texts, as a whole? */
static bool starts_with_option(rdv_str span, const rdv_answer_form *form, rdv_str *out)
{
    size_t longest = 0;
    for (size_t i = 0; i < form->n_options; i++) {
        size_t len = form->options[i].len;
        bool whole = span.len == len || (span.len > len && !rdv_is_alnum(span.p[len]));
        if (len > longest && whole && rdv_istarts(span, form->options[i]))
            longest = len;
    }
    *out = rdv_slice(span, 0, longest);
    return longest > 0;
}

/* "not B" as it is written: it has no key, so nothing after it is taken instead. */
static bool keep_denied(rdv_str sentence, const rdv_answer_form *form, rdv_str *out)
{
    rdv_str bare = answer_trim_marks(sentence);
    size_t end = bare.len;
    while (end > 0 && !rdv_is_alpha(bare.p[end - 1]))
        end--;
    size_t begin = end;
    while (begin > 0 && rdv_is_alpha(bare.p[begin - 1]))
        begin--;
    *out = bare;
    rdv_str word = rdv_slice(bare, begin, end), letter;
    return word.len == 1 && answer_first_option(word, form->n_options, &letter) &&
           answer_is_not(bare, begin);
}

/* What these take is `found`: whether there is something in *out. They return it, too. */

/* A letter with the text of another option is read with it: it is no choice. */
static bool with_mismatch(bool found, rdv_str span, const rdv_answer_form *form, rdv_str *out)
{
    size_t begin = found ? (size_t)(out->p - span.p) : 0;
    if (found && answer_option_mismatched(span, begin, form))
        *out = answer_trim_marks(answer_first_sentence(rdv_slice(span, begin, span.len)));
    return found;
}

static bool option_in_span(rdv_str span, const rdv_answer_form *form, rdv_str *out)
{
    rdv_str bare = answer_trim_marks(span);
    size_t index;
    if (starts_with_option(bare, form, out))
        return true;
    rdv_str sentence = answer_first_sentence(span);
    if (answer_joins_options(bare, form->n_options)) { /* no choice: it has no key */
        *out = answer_trim_marks(sentence);
        return true;
    }
    if (answer_counted_option(sentence, form->n_options, out, &index))
        return true;
    bool found = answer_first_option(span, form->n_options, out) ||
                 answer_last_option(span, form->n_options, out);
    return with_mismatch(found, span, form, out) || keep_denied(sentence, form, out);
}

/* The last value of a sentence, which may be an option's: with "percent", and not with words that
 * change it. */
static bool value_of_option(rdv_str sentence, rdv_str *out)
{
    if (!answer_last_value(sentence, out))
        return false;
    size_t begin = (size_t)(out->p - sentence.p), end = begin + out->len;
    number_changed is = number_change(sentence, begin, end);
    *out = rdv_slice(sentence, begin, is == NUMBER_SCALED ? number_scale_end(sentence, end) : end);
    return (is == NUMBER_PLAIN || is == NUMBER_SCALED) && !number_is_denied(sentence, begin);
}

static rdv_str last_sentence(rdv_str text)
{
    rdv_str body = rdv_trim_end(text);
    return rdv_slice(body, cue_sentence_begin(body, body.len - (body.len > 0)), body.len);
}

/* Unannounced: the only option whose text the last sentence says, where it names none by a letter,
 * "That leaves the dolphin."; the last letter of the text; the last value of the last sentence. */
static bool option_in_place(rdv_str text, const rdv_answer_form *form, rdv_str *out)
{
    rdv_str sentence = last_sentence(text);
    bool lettered = answer_names_option(sentence, form->n_options);
    return (!lettered && answer_option_said(sentence, form, out)) ||
           with_mismatch(answer_last_option(text, form->n_options, out), text, form, out) ||
           (!lettered && form->n_options && value_of_option(sentence, out));
}

/* Where words before it deny what was found, "not on May 1", it is read with them. */
static bool with_denial(bool found, rdv_str span, rdv_str *out)
{
    size_t begin = found ? (size_t)(out->p - span.p) : 0, end = begin + out->len;
    size_t bound = found ? answer_bound_end(span, end) : end;
    if (found && (bound > end || answer_is_denied(span, begin) || answer_is_shifted(span, begin)))
        *out = answer_trim_marks(rdv_slice(span, 0, bound));
    return found;
}

/* The same where nothing parts them from it: "it is hardly true". */
static bool with_direct_denial(bool found, rdv_str text, rdv_str *out)
{
    bool direct = found && answer_is_not(text, (size_t)(out->p - text.p));
    return direct ? with_denial(found, text, out) : found;
}

/* The same of a date or time, and where words make it a bound: "before May 1", "5 pm or later". */
static bool with_bounds(bool found, rdv_str text, rdv_str *out)
{
    if (!with_direct_denial(found, text, out))
        return false;
    size_t begin = (size_t)(out->p - text.p), end = begin + out->len;
    size_t bound = answer_bound_end(text, end);
    if (bound > end || answer_is_bound(text, begin))
        *out = answer_trim_marks(rdv_slice(text, cue_sentence_begin(text, begin), bound));
    return true;
}

/* Where words beside an amount change it, "more than $5", "$5 per hour", it is read with them. */
static bool with_changes(bool found, rdv_str span, rdv_str *out)
{
    if (!found)
        return false;
    size_t begin = (size_t)(out->p - span.p), end = begin + out->len;
    rdv_str after = rdv_slice(span, end, span.len);
    if (number_change(span, begin, end) == NUMBER_BEFORE)
        *out = answer_trim_marks(rdv_slice(span, 0, end));
    else if (money_changes(after))
        *out = answer_trim_marks(answer_first_sentence(rdv_slice(span, begin, span.len)));
    return true;
}

static bool whole_sentence(rdv_str span, rdv_str *out)
{
    *out = answer_trim_marks(answer_first_sentence(span));
    return out->len > 0;
}

static bool yesno_in_span(rdv_str span, rdv_str *out)
{
    size_t at = 0;
    answer_truth is;
    if (answer_alone_yesno(span, &is))
        return whole_sentence(span, out);
    if (answer_leading_yesno(span, out, &is))
        return true;
    return with_denial(answer_next_yesno(span, &at, out, &is), span, out);
}

/* The last date of the sentence, else all of a line that is a year. */
static bool date_in_span(rdv_str span, const rdv_answer_form *form, rdv_str *out)
{
    bool day_first = form->kind == RDV_KIND_DATE_DAY_FIRST;
    if (answer_last_date(answer_first_sentence(span), day_first, out) ||
        answer_last_date(span, day_first, out))
        return answer_weekday_fits(answer_first_sentence(span), day_first)
                   ? with_denial(true, span, out)
                   : whole_sentence(span, out);
    size_t at = 0;
    rdv_str bare = answer_trim_marks(span);
    return bare.len == 4 && answer_next_number(bare, &at, out) && out->len == 4;
}

static bool read_span(rdv_str span, rdv_answer_by by, const rdv_answer_form *form, rdv_str *out)
{
    if (by == RDV_ANSWER_BY_PHRASE && hedge_applies(form->kind))
        span = hedge_after_withdrawal(span, form->kind);
    bool maths = form->kind == RDV_KIND_NUMBER || form->kind == RDV_KIND_LATEX;
    if (by == RDV_ANSWER_BY_PHRASE && maths && rdv_starts(rdv_trim(span), RDV_STR(">")))
        return whole_sentence(span, out); /* a bound */
    switch (form->kind) {
    case RDV_KIND_NUMBER:
        return statement_number(span, by, out);
    case RDV_KIND_OPTION:
        return option_in_span(span, form, out);
    case RDV_KIND_YESNO:
        return yesno_in_span(span, out);
    case RDV_KIND_YESNO_MAYBE:
        return yesno_in_span(span, out);
    case RDV_KIND_LATEX:
        return statement_maths(span, by, out);
    case RDV_KIND_DATE:
    case RDV_KIND_DATE_DAY_FIRST:
        return date_in_span(span, form, out);
    case RDV_KIND_TIME:
        return with_denial(answer_last_time(answer_first_sentence(span), out) ||
                               answer_last_time(span, out),
                           span, out);
    case RDV_KIND_MONEY:
        return with_changes(money_last(answer_first_sentence(span), out), span, out);
    case RDV_KIND_TEXT:
    case RDV_KIND_PHRASE:
    case RDV_KIND_AUTO:
        break;
    }
    *out = answer_trim_marks(span);
    return out->len > 0;
}

/* Bold text may be a title, so it must look like an answer of its type. */
static bool read_bold(rdv_str span, const rdv_answer_form *form, rdv_str *out)
{
    rdv_str number;
    switch (form->kind) {
    case RDV_KIND_OPTION:
        return with_mismatch(answer_first_option(span, form->n_options, out), span, form, out);
    case RDV_KIND_LATEX:
        if (answer_maths_of(span, out))
            return true;
        *out = span;
        return answer_last_number(span, &number);
    case RDV_KIND_TEXT:
    case RDV_KIND_PHRASE:
        return false;
    default:
        return read_span(span, RDV_ANSWER_BY_BOLD, form, out);
    }
}

/* The step from `i` on that `part` stands in. */
static size_t step_with(const reply_span *reply, size_t i, rdv_str part)
{
    for (; i + 1 < reply->n; i++) {
        rdv_str step = reply_span_step(reply, i);
        if (part.p >= step.p && part.p <= step.p + step.len)
            break;
    }
    return i;
}

/* Is a label at the beginning of the text, "Answer: ...", a title of all that follows? It is,
 * unless nothing follows, or what is in its line is an answer by itself. */
static bool is_heading(const reply_span *reply, rdv_str span, const rdv_answer_form *form)
{
    size_t step = step_with(reply, 0, span);
    rdv_str text = reply_span_step(reply, step), out;
    rdv_str after = rdv_slice(text, (size_t)(span.p - text.p) + span.len, text.len);
    rdv_str sentence = answer_first_sentence(span);
    bool goes_on = rdv_trim(after).len > 1 || sentence.len < span.len;
    for (size_t i = step + 1; i < reply->n && !goes_on; i++)
        goes_on = rdv_trim(reply_span_step(reply, i)).len > 0;
    size_t words = 0, at = 0;
    answer_truth is;
    bool number = false;
    for (size_t i = 0; i < sentence.len; i++) {
        words += !rdv_is_space(span.p[i]) && (i == 0 || rdv_is_space(span.p[i - 1]));
        number = number || rdv_is_digit(span.p[i]);
    }
    if (!goes_on)
        return false;
    if (form->kind == RDV_KIND_OPTION)
        return !starts_with_option(answer_trim_marks(span), form, &out) &&
               !answer_first_option(span, form->n_options, &out);
    if (form->kind == RDV_KIND_YESNO || form->kind == RDV_KIND_YESNO_MAYBE)
        return !answer_next_yesno(span, &at, &out, &is) ||
               answer_trim_marks(rdv_slice(span, 0, (size_t)(out.p - span.p))).len > 0;
    return words > (number ? 4 : 6) ||
           (form->kind == RDV_KIND_NUMBER && rdv_find_char(sentence, '=', 0) != RDV_NOT_FOUND);
}

/* What reading found: nothing; an announcement in which nothing of the kind is read, which ends the
 * search unless there is another one, because a number elsewhere is not what the reply gives as its
 * answer; an announcement that the reply does not stand by, "suppose the answer is 5", which is
 * passed over; one that says that there is no answer; an answer. */
typedef enum outcome {
    FOUND_NOTHING,
    FOUND_PASSED,
    FOUND_UNREAD,
    FOUND_NONE,
    FOUND_ANSWER
} outcome;

static outcome answered(bool read)
{
    return read ? FOUND_ANSWER : FOUND_NOTHING;
}

/* All that is announced, where nothing of the kind is read in it. */
static outcome unread(rdv_str span, rdv_str *out)
{
    *out = answer_trim_marks(answer_first_sentence(span));
    return FOUND_UNREAD;
}

/* The sentence with `part`, and the first words behind it: it is no answer of the kind. */
static rdv_str with_sentence(rdv_str text, rdv_str part)
{
    size_t begin = cue_sentence_begin(text, (size_t)(part.p - text.p));
    size_t end = rdv_skip_any(text, (size_t)(part.p - text.p) + part.len, " \n\r.,:;*");
    return answer_trim_marks(rdv_slice(text, begin, rdv_find_char(text, '\n', end)));
}

/* Does a sentence "it cannot be determined" say that there is no answer? It does not where it may
 * be the answer: of the kind, or one of the options. */
static bool says_none(const rdv_answer_form *form)
{
    bool may = form->kind != RDV_KIND_YESNO_MAYBE && form->kind != RDV_KIND_TEXT &&
               form->kind != RDV_KIND_PHRASE;
    for (size_t i = 0; i < form->n_options && may; i++)
        may = !announcement_of_none(form->options[i]);
    return may;
}

/* The first line behind step `i` that is more than marks: what a phrase at the end of the step
 * announces. */
static rdv_str next_line(const reply_span *reply, size_t i)
{
    rdv_str line = {0}, rest;
    while (++i < reply->n && answer_is_marks_alone(line))
        for (rest = reply_span_step(reply, i); rdv_next_line(&rest, &line);)
            if (!answer_is_marks_alone(line))
                break;
    return rdv_trim(line);
}

static bool is_maths(const rdv_answer_form *form)
{
    return form->kind == RDV_KIND_NUMBER || form->kind == RDV_KIND_LATEX;
}

/* Does the reply stand by the answer `said`, which step `i` announces from `from` on? It does not
 * where it is denied, supposed or another's; a number not either where the text behind it takes it
 * back. A hedge, "I guess", supposes nothing: it says how sure the answer is. */
static bool stands_by(const reply_span *reply, size_t i, const rdv_answer_form *form,
                      const char *from, rdv_str said)
{
    rdv_str text = reply_span_step(reply, i), bare;
    size_t begin = (size_t)(from - text.p), end = (size_t)(said.p - text.p) + said.len;
    if (from < text.p || said.p < from || end > text.len)
        return true; /* it stands in the next step */
    const rule *why = assertion_not_of_answer(text, begin, end, is_maths(form));
    if (why && why->effect != EFFECT_RETRACTED &&
        hedge_of(hedge_with(text, said), &bare) == HEDGE_DOUBT)
        why = assertion_denied_behind(NULL, text, end, false);
    bool last = answer_is_marks_alone(rdv_slice(text, end, text.len)) && i + 1 < reply->n;
    if (!why && last)
        why = assertion_denied_behind(NULL, reply_span_step(reply, i + 1), 0, false);
    return !why || (why->effect == EFFECT_RETRACTED && !is_maths(form));
}

/* The answer that step `i` announces by a phrase; headings: only by a title of the whole text, else
 * by all others. The last announcement counts: an earlier one where nothing of the kind is read in
 * it, unless it says that there is no answer. */
static outcome read_phrase(const reply_span *reply, size_t i, const rdv_answer_form *form,
                           bool headings, rdv_str *out)
{
    rdv_str text = reply_span_step(reply, i), first = {0}, passed = {0};
    announcement a;
    bool none = says_none(form);
    for (size_t before = text.len; announcement_before(text, &before, &a);) {
        if (answer_is_marks_alone(a.span))
            a.span = next_line(reply, i);
        if (a.none && none && !headings) {
            *out = a.span;
            return FOUND_NONE;
        }
        if ((i == 0 && a.opens && is_heading(reply, a.span, form)) != headings || a.free)
            continue;
        bool read = read_span(a.span, RDV_ANSWER_BY_PHRASE, form, out);
        if (read && !stands_by(reply, i, form, a.span.p, *out)) {
            passed = passed.p ? passed : *out;
            continue;
        }
        if (read)
            return FOUND_ANSWER;
        first = first.p ? first : a.span;
    }
    if (first.p)
        return unread(first, out);
    *out = passed.p ? with_sentence(text, passed) : passed;
    return passed.p ? FOUND_PASSED : FOUND_NOTHING;
}

static outcome read_mark(rdv_str text, const rdv_answer_form *form, rdv_str *out)
{
    rdv_str span, first = {0};
    for (size_t before = text.len; answer_prev_mark(text, &before, &span);) {
        if (announcement_of_none(span) && says_none(form)) {
            *out = answer_first_sentence(span);
            return FOUND_NONE;
        }
        if (read_span(span, RDV_ANSWER_BY_MARK, form, out))
            return FOUND_ANSWER;
        first = first.p ? first : span;
    }
    return first.p ? unread(first, out) : FOUND_NOTHING;
}

/* The answer in <answer>...</answer>: what a phrase in it announces, its words, or all of it. */
static bool read_tag(rdv_str tag, const rdv_answer_form *form, rdv_str *out)
{
    announcement a;
    size_t before = tag.len;
    bool words = form->kind != RDV_KIND_NUMBER || statement_has_word(tag);
    rdv_str span = tag;
    if (announcement_before(tag, &before, &a) && !a.free) {
        span = a.span;
        words = true;
    }
    bool found = read_span(span, words ? RDV_ANSWER_BY_PHRASE : RDV_ANSWER_BY_BOX, form, out);
    if (found && form->kind == RDV_KIND_NUMBER)
        *out = formula_with(tag, *out);
    return found;
}

/* A box with the percent sign that follows it: "$\\boxed{5}$%". */
static rdv_str with_percent(rdv_str text, rdv_str box)
{
    size_t begin = (size_t)(box.p - text.p), end = begin + box.len, open = begin - 7;
    if (begin < 7 || !rdv_starts(rdv_slice(text, open, text.len), RDV_STR("\\boxed{")))
        return box;
    for (end++; end < text.len && end - begin < box.len + 4 && strchr("$ )\\", text.p[end]);)
        end++;
    return end < text.len && text.p[end] == '%' ? rdv_slice(text, open, end + 1) : box;
}

/* "not \\boxed{5}", "\\boxed{5} is wrong" */
static bool is_denied_box(rdv_str text, rdv_str box)
{
    static const char *const words[] = {" is not ", " isn't ", " is wrong", " is incorrect"};
    size_t begin = (size_t)(box.p - text.p), end = begin + box.len;
    if (begin < 7 || !rdv_starts(rdv_slice(text, begin - 7, text.len), RDV_STR("\\boxed{")))
        return false;
    while (end < text.len && RDV_IS_IN(text.p[end], "}$)\\"))
        end++;
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (rdv_istarts(rdv_slice(text, end, text.len), rdv_str_of(words[k])))
            return true;
    return answer_is_not(text, begin - 7);
}

/* Do the words behind a box take it back: "\\boxed{7}. Just kidding, it is 8."? */
static bool is_taken_back(rdv_str text, rdv_str box)
{
    size_t end = rdv_skip_any(text, (size_t)(box.p - text.p) + box.len, "}$)\\");
    const rule *why = assertion_denied_behind(NULL, text, end, false);
    return why && why->effect == EFFECT_RETRACTED;
}

/* Does the reply announce a value in words behind the box? */
static bool is_superseded(rdv_str text, rdv_str box)
{
    rdv_str rest = rdv_slice(text, (size_t)(box.p - text.p) + box.len, text.len);
    size_t before = rest.len;
    announcement a;
    bool announced = announcement_before(rest, &before, &a) && !a.none;
    return announced && rdv_is_digit(rdv_char_at(a.span, rdv_skip_any(a.span, 0, " $*(-\\")));
}

/* The last box or <answer>...</answer>; of a box in such tags, the box. */
static outcome read_box(rdv_str text, const rdv_answer_form *form, rdv_str *out)
{
    rdv_str box, tag = {0};
    bool boxed =
        answer_last_box(text, true, &box) && !is_denied_box(text, box) && !is_superseded(text, box);
    bool tagged = answer_last_tag(text, &tag);
    if (boxed)
        box = with_percent(text, box);
    if (tagged && (!boxed || box.p < tag.p) && read_tag(tag, form, out))
        return FOUND_ANSWER;
    if (boxed && read_span(box, RDV_ANSWER_BY_BOX, form, out)) {
        if (!is_maths(form) || !is_taken_back(text, box))
            return FOUND_ANSWER;
        *out = with_sentence(text, box);
        return FOUND_PASSED;
    }
    return boxed || tagged ? unread(boxed ? box : tag, out) : FOUND_NOTHING;
}

/* A value that words before it deny or change, "it is not $5$", "at least $5$", is read with them.
 */
static void take_words(rdv_str text, rdv_str *out)
{
    size_t begin = (size_t)(out->p - text.p), end = begin + out->len;
    if (rdv_is_alpha(rdv_char_at(*out, 0)))
        return;
    if (number_is_denied(text, begin) || number_change(text, begin, end) == NUMBER_BEFORE)
        *out = answer_trim_marks(rdv_slice(text, cue_sentence_begin(text, begin), end));
}

/* The answer of step `i` in the usual place, without an announcement. */
static bool read_place(const reply_span *reply, size_t i, const rdv_answer_form *form, rdv_str *out)
{
    rdv_str text = reply_span_step(reply, i);
    switch (form->kind) {
    case RDV_KIND_NUMBER:
        return answer_last_result(reply, i, out);
    case RDV_KIND_OPTION:
        return option_in_place(text, form, out);
    case RDV_KIND_YESNO:
        text = hedge_after_withdrawal(text, form->kind);
        return with_direct_denial(answer_find_yesno(text, false, out), text, out);
    case RDV_KIND_YESNO_MAYBE:
        return with_direct_denial(answer_find_yesno(text, true, out), text, out);
    case RDV_KIND_DATE:
    case RDV_KIND_DATE_DAY_FIRST:
        return with_bounds(answer_last_date(text, form->kind == RDV_KIND_DATE_DAY_FIRST, out), text,
                           out);
    case RDV_KIND_TIME:
        return with_bounds(answer_last_time(text, out), text, out);
    case RDV_KIND_MONEY:
        return money_last(text, out);
    case RDV_KIND_LATEX:
        if (statement_concluded_number(text, out))
            return true;
        if (!answer_last_maths(text, out))
            return answer_last_result(reply, i, out);
        if (!statement_subject_value(text, *out, out) && !object_with(text, *out, out) &&
            !solutions_with(text, *out, out))
            take_words(text, out);
        return true;
    case RDV_KIND_TEXT:
    case RDV_KIND_PHRASE:
    case RDV_KIND_AUTO:
        break;
    }
    return false;
}

/* Where the sign begins, if one does, of the number at byte `i`: "-3,5", but not of "7-3,5". */
static size_t sign_begin(rdv_str text, size_t i)
{
    static const char *const signs[] = {"-", "\xe2\x88\x92", "\xe2\x80\x93"};
    for (size_t k = 0; k < sizeof signs / sizeof *signs; k++) {
        size_t len = strlen(signs[k]);
        if (!rdv_ends(rdv_slice(text, 0, i), rdv_str_of(signs[k])))
            continue;
        char before = i > len ? text.p[i - len - 1] : ' ';
        return rdv_is_alnum(before) || strchr(")]}^_", before) ? i : i - len;
    }
    return i;
}

/* With what commas glue to it, and the sign before: no part of "-2,74" is an answer. */
static rdv_str with_commas(rdv_str text, rdv_str found)
{
    size_t begin = (size_t)(found.p - text.p), end = begin + found.len;
    if (found.len == 0 || !rdv_is_digit(found.p[0]))
        return found;
    bool behind_comma = begin > 1 && text.p[begin - 1] == ',' && rdv_is_digit(text.p[begin - 2]);
    while (begin > 1 && text.p[begin - 1] == ',' && rdv_is_digit(text.p[begin - 2]))
        for (begin--; begin > 0 && rdv_is_digit(text.p[begin - 1]);)
            begin--;
    begin = behind_comma ? sign_begin(text, begin) : begin;
    while (rdv_is_digit(text.p[end - 1]) && end + 1 < text.len && text.p[end] == ',' &&
           rdv_is_digit(text.p[end + 1]))
        for (end++; end < text.len && rdv_is_digit(text.p[end]);)
            end++;
    return rdv_slice(text, begin, end);
}

/* With the words beside it that say how sure it is, and with the list of which it is one item. */
static rdv_str with_hedges(rdv_str text, rdv_answer_by by, const rdv_answer_form *form,
                           rdv_str found)
{
    bool maths = form->kind == RDV_KIND_NUMBER || form->kind == RDV_KIND_LATEX;
    bool announced = by == RDV_ANSWER_BY_PHRASE || by == RDV_ANSWER_BY_BOLD;
    if (maths && by != RDV_ANSWER_BY_BOX)
        found = with_commas(text, found);
    if (form->kind == RDV_KIND_NUMBER && by != RDV_ANSWER_BY_BOX)
        found = formula_with(text, found);
    if (maths && by != RDV_ANSWER_BY_BOX && by != RDV_ANSWER_BY_MARK)
        found = hedge_with_list(text, found, announced);
    if (!hedge_applies(form->kind))
        return found;
    return chinese_with_changes(text, hedge_with(text, found));
}

static outcome read_by(const reply_span *reply, size_t i, rdv_answer_by by,
                       const rdv_answer_form *form, rdv_str *out)
{
    rdv_str text = reply_span_step(reply, i), span;
    switch (by) {
    case RDV_ANSWER_BY_BOX:
        return read_box(text, form, out);
    case RDV_ANSWER_BY_MARK:
        return read_mark(text, form, out);
    case RDV_ANSWER_BY_PHRASE:
        return read_phrase(reply, i, form, false, out);
    case RDV_ANSWER_BY_BOLD:
        return answered(i + 1 == reply->n && answer_last_bold(text, &span) &&
                        read_bold(span, form, out));
    case RDV_ANSWER_BY_PLACE:
        break;
    }
    return answered(read_place(reply, i, form, out));
}

static rdv_answer answer_at(const reply_span *reply, size_t i, rdv_answer_by by, rdv_str text)
{
    i = step_with(reply, i, text);
    return (rdv_answer){text, reply->skipped + i, (size_t)(text.p - reply->steps[i].p), by};
}

/* Words and nothing else: no digit of any script, no letter by itself, no command of LaTeX. */
static bool is_words_alone(rdv_str s)
{
    bool word = false;
    for (size_t i = 0; i < s.len; i++) {
        if (rdv_is_digit(s.p[i]) || s.p[i] == '\\' || (s.p[i] & 0x80))
            return false;
        word = word || (i > 0 && rdv_is_alpha(s.p[i]) && rdv_is_alpha(s.p[i - 1]));
    }
    return word;
}

/* What the last announcement says in place of an answer of the kind. Words are no number. */
static int take_unread(const rdv_answer_form *form, const rdv_answer *said, rdv_answer *out)
{
    if (form->kind == RDV_KIND_NUMBER && is_words_alone(said->text))
        return RDV_NONE;
    *out = *said;
    return RDV_OK;
}

/* Is the value that nothing announces only supposed or reported: "if x were 12"? */
static bool is_supposed(const reply_span *reply, size_t i, const rdv_answer_form *form,
                        rdv_str found)
{
    i = step_with(reply, i, found);
    rdv_str text = reply_span_step(reply, i);
    size_t begin = (size_t)(found.p - text.p);
    return is_maths(form) && rdv_has_digit(found) &&
           assertion_not_of_number(text, begin, begin + found.len, false);
}

/* Is what nothing announces, where the reply does not stand by what it announced, what it comes to?
 */
static bool concludes(const reply_span *reply, size_t i, const rdv_answer_form *form, rdv_str found)
{
    i = step_with(reply, i, found);
    rdv_str text = reply_span_step(reply, i);
    size_t begin = (size_t)(found.p - text.p);
    return !is_maths(form) || !rdv_has_digit(found) ||
           (announcement_concludes(text, begin, begin + found.len) &&
            stands_by(reply, i, form, found.p, found));
}

int answer_read_steps(const rdv_str *steps, size_t n, const rdv_answer_form *form, rdv_answer *out,
                      answer_search *met)
{
    rdv_answer_form f = decided(form);
    reply_span reply = reply_span_of(steps, n);
    rdv_str found;
    rdv_answer said = {0};
    bool passed = false;
    *met = (answer_search){.reply = reply};
    /* out of memory: what announces, or takes back, would be passed over */
    if (!announcement_rows() || !rule_set_built_in())
        return RDV_NONE;
    for (rdv_answer_by by = RDV_ANSWER_BY_BOX; by <= RDV_ANSWER_BY_PLACE; by++) {
        met->unread = by == RDV_ANSWER_BY_BOLD && met->announced;
        if (met->unread)
            return take_unread(&f, &said, out);
        for (size_t i = reply.n; i-- > 0;) {
            outcome is = read_by(&reply, i, by, &f, &found);
            if (passed && is == FOUND_ANSWER && !concludes(&reply, i, &f, found))
                is = FOUND_NOTHING;
            if (by == RDV_ANSWER_BY_PLACE && is == FOUND_ANSWER &&
                is_supposed(&reply, i, &f, found)) {
                found = with_sentence(reply_span_step(&reply, i), found);
                is = FOUND_PASSED;
            }
            passed = passed || is == FOUND_PASSED;
            met->announced = met->announced || (is > FOUND_PASSED && by < RDV_ANSWER_BY_BOLD);
            met->none = is == FOUND_NONE;
            if (is == FOUND_ANSWER) {
                i = step_with(&reply, i, found);
                found = with_hedges(reply_span_step(&reply, i), by, &f, found);
                *out = answer_at(&reply, i, by, found);
                return RDV_OK;
            }
            if (is == FOUND_NONE && f.kind == RDV_KIND_NUMBER)
                return RDV_NONE;
            if (is != FOUND_NOTHING && !said.text.p)
                said = answer_at(&reply, i, by, found);
            if (is == FOUND_NONE) {
                *out = said;
                return RDV_OK;
            }
        }
    }
    if (passed)
        return take_unread(&f, &said, out);
    if (reply.n == 0 || read_phrase(&reply, 0, &f, true, &found) != FOUND_ANSWER) /* a title */
        return RDV_NONE;
    met->announced = met->titled = true;
    *out = answer_at(&reply, 0, RDV_ANSWER_BY_PHRASE, found);
    return RDV_OK;
}

int rdv_answer_read_steps(const rdv_str *steps, size_t n, const rdv_answer_form *form,
                          rdv_answer *out)
{
    answer_search met;
    return answer_read_steps(steps, n, form, out, &met);
}

rdv_answer_found rdv_answer_found_of(rdv_answer_by by)
{
    bool announced = by == RDV_ANSWER_BY_MARK || by == RDV_ANSWER_BY_PHRASE;
    return by == RDV_ANSWER_BY_BOX ? RDV_FOUND_BOXED
           : announced             ? RDV_FOUND_ANNOUNCED
                                   : RDV_FOUND_LAST;
}

const char *rdv_answer_found_name(rdv_answer_found found)
{
    static const char *const names[] = {"last", "announced", "boxed"};
    return names[found];
}

int rdv_answer_read(rdv_str text, const rdv_answer_form *form, rdv_answer *out)
{
    return rdv_answer_read_steps(&text, 1, form, out);
}

int rdv_answer_read_bigbench(rdv_str text, rdv_answer *out)
{
    size_t begin = rdv_find(text, RDV_STR("he answer is"), 0);
    while (begin != RDV_NOT_FOUND &&
           (begin == 0 || (text.p[begin - 1] != 'T' && text.p[begin - 1] != 't')))
        begin = rdv_find(text, RDV_STR("he answer is"), begin + 1);
    if (begin == RDV_NOT_FOUND)
        return RDV_NONE;
    rdv_str rest = rdv_slice(text, begin + sizeof("he answer is") - 1, text.len), line = rest;
    rdv_next_line(&rest, &line);
    line = rdv_trim(line);
    if (rdv_starts(line, RDV_STR(":")))
        line = rdv_trim(rdv_slice(line, 1, line.len));
    if (rdv_ends(line, RDV_STR(".")))
        line = rdv_trim_end(rdv_slice(line, 0, line.len - 1));
    if (line.len == 0)
        return RDV_NONE;
    *out = (rdv_answer){line, 0, (size_t)(line.p - text.p), RDV_ANSWER_BY_PHRASE};
    return RDV_OK;
}
