/* SPDX-License-Identifier: Apache-2.0 */
/* Reading the final answer. Each way of announcing an answer is tried, the most reliable first,
 * from the last step to the first. Each answer type has its own reader for announced answers and
 * for the usual place of answers. */

#include "answer/announce.h"
#include "answer/number.h"
#include "answer/option.h"
#include "answer/read.h"
#include "answer/span.h"
#include "answer/yesno.h"
#include "base/str.h"

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

static bool option_in_span(rdv_str span, const rdv_answer_form *form, rdv_str *out)
{
    rdv_str bare = answer_trim_marks(span);
    return starts_with_option(bare, form, out) || answer_first_option(span, form->n_options, out) ||
           answer_last_option(span, form->n_options, out);
}

static bool number_in_span(rdv_str span, rdv_answer_by by, rdv_str *out)
{
    if (by == RDV_ANSWER_BY_BOX) { /* all of it: a root is no number, but is not its radicand */
        *out = rdv_trim(span);
        return out->len > 0;
    }
    rdv_str sentence = answer_first_sentence(span);
    return answer_last_number(answer_before_aside(sentence), out) ||
           answer_last_number(sentence, out);
}

static bool yesno_in_span(rdv_str span, rdv_str *out)
{
    size_t at = 0;
    bool yes;
    return answer_next_yesno(span, &at, out, &yes);
}

/* A sentence that is no formula and holds one number is that number: "there are 256 such sets". */
static bool number_in_words(rdv_str sentence, rdv_str *out)
{
    size_t at = 0, letters = 0;
    rdv_str second;
    if (!answer_next_number(sentence, &at, out) || answer_next_number(sentence, &at, &second))
        return false;
    for (size_t i = 0; i < sentence.len && letters < 3; i++)
        letters = rdv_is_alpha(sentence.p[i]) ? letters + 1 : 0;
    return letters == 3 && rdv_find_char(sentence, '\\', 0) == RDV_NOT_FOUND;
}

static bool latex_in_span(rdv_str span, rdv_answer_by by, rdv_str *out)
{
    if (by == RDV_ANSWER_BY_PHRASE) {
        span = answer_first_sentence(span);
        if (answer_maths_of(span, out) || number_in_words(span, out))
            return true;
    }
    *out = answer_trim_marks(span);
    return out->len > 0;
}

static bool read_span(rdv_str span, rdv_answer_by by, const rdv_answer_form *form, rdv_str *out)
{
    switch (form->kind) {
    case RDV_KIND_NUMBER:
        return number_in_span(span, by, out);
    case RDV_KIND_OPTION:
        return option_in_span(span, form, out);
    case RDV_KIND_YESNO:
        return yesno_in_span(span, out);
    case RDV_KIND_LATEX:
        return latex_in_span(span, by, out);
    case RDV_KIND_TEXT:
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
        return answer_first_option(span, form->n_options, out);
    case RDV_KIND_LATEX:
        if (answer_maths_of(span, out))
            return true;
        *out = span;
        return answer_last_number(span, &number);
    case RDV_KIND_TEXT:
        return false;
    case RDV_KIND_NUMBER:
    case RDV_KIND_YESNO:
    case RDV_KIND_AUTO:
        break;
    }
    return read_span(span, RDV_ANSWER_BY_BOLD, form, out);
}

/* The answer that `text` announces in the way `by`. */
static bool read_announced(rdv_str text, rdv_answer_by by, const rdv_answer_form *form,
                           rdv_str *out)
{
    rdv_str span;
    if (by == RDV_ANSWER_BY_BOLD)
        return answer_last_bold(text, &span) && read_bold(span, form, out);
    if (by == RDV_ANSWER_BY_BOX)
        return answer_last_box(text, &span) && read_span(span, by, form, out);
    size_t before = text.len;
    while (by == RDV_ANSWER_BY_MARK ? answer_prev_mark(text, &before, &span)
                                    : answer_prev_phrase(text, &before, &span))
        if (read_span(span, by, form, out))
            return true;
    return false;
}

/* The answer in the usual place, without an announcement. */
static bool read_place(rdv_str text, const rdv_answer_form *form, rdv_str *out)
{
    switch (form->kind) {
    case RDV_KIND_NUMBER:
        return answer_last_number(text, out);
    case RDV_KIND_OPTION:
        return answer_last_option(text, form->n_options, out);
    case RDV_KIND_YESNO:
        return answer_find_yesno(text, out);
    case RDV_KIND_LATEX:
        return answer_last_maths(text, out) || answer_last_number(text, out);
    case RDV_KIND_TEXT:
    case RDV_KIND_AUTO:
        break;
    }
    return false;
}

static bool read_by(rdv_str text, rdv_answer_by by, const rdv_answer_form *form, rdv_str *out)
{
    return by == RDV_ANSWER_BY_PLACE ? read_place(text, form, out)
                                     : read_announced(text, by, form, out);
}

int rdv_answer_read_steps(const rdv_str *steps, size_t n, const rdv_answer_form *form,
                          rdv_answer *out)
{
    rdv_answer_form f = decided(form);
    for (rdv_answer_by by = RDV_ANSWER_BY_BOX; by <= RDV_ANSWER_BY_PLACE; by++)
        for (size_t i = n; i-- > 0;) {
            rdv_str found;
            if (by == RDV_ANSWER_BY_BOLD && i + 1 < n)
                break;
            if (!read_by(steps[i], by, &f, &found))
                continue;
            *out = (rdv_answer){found, i, (size_t)(found.p - steps[i].p), by};
            return RDV_OK;
        }
    return RDV_NONE;
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
