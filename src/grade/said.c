/* SPDX-License-Identifier: Apache-2.0 */
#include "grade/said.h"

#include "answer/announcement.h"
#include "answer/digits.h"
#include "answer/lone_number.h"
#include "answer/measure.h"
#include "answer/number.h"
#include "answer/span.h"
#include "base/arena.h"
#include "base/str.h"
#include "grade/conclusion.h"
#include "grade/formal.h"
#include "grade/text/restated.h"
#include "language/cue.h"
#include "language/ordinal.h"
#include "language/rule.h"
#include "notation/formula_names.h"

#define COUNT(list) (sizeof(list) / sizeof *(list))

/* What stands behind a label or a list of steps, "Domain: (0, 4]"; empty: no blank is behind a
 * colon. */
static rdv_str behind_label(rdv_str s)
{
    size_t at = rdv_find_last(s, RDV_STR(": ")), dash = rdv_find_last(s, RDV_STR("\xe2\x80\x94 "));
    if (dash != RDV_NOT_FOUND && (at == RDV_NOT_FOUND || dash > at))
        return rdv_trim(rdv_slice(s, dash + 4, s.len));
    bool words = at != RDV_NOT_FOUND && at > 0 && s.p[at - 1] != ' ' &&
                 !rdv_is_digit(s.p[at - 1]) && !rdv_starts(rdv_slice(s, at + 2, s.len), RDV_STR("- "));
    return words ? rdv_trim(rdv_slice(s, at + 2, s.len)) : (rdv_str){0};
}

/* The clause that a sentence concludes with; empty: it has only one. */
static rdv_str concluding_clause(rdv_str s)
{
    static const char *const joins[] = {", which ", ", giving ",    ", making ", ", leaving ",
                                        "; ",       " and hence ", " and so ",  " and therefore "};
    rdv_str clause = restated_conclusion(s);
    size_t begin = (size_t)(clause.p - s.p);
    for (size_t k = 0; k < COUNT(joins); k++) {
        size_t at = rdv_find_last(s, rdv_str_of(joins[k]));
        if (at != RDV_NOT_FOUND && at + strlen(joins[k]) > begin)
            begin = at + strlen(joins[k]);
    }
    return begin ? rdv_trim(rdv_slice(s, begin, s.len)) : (rdv_str){0};
}

/* Where the name before the sign of equality at byte `i` begins, a letter with its index or none:
 * "x", "\xce\xbb\xe2\x82\x81", "a_{1}"; `i`: none does. */
static size_t name_begin(rdv_str s, size_t i)
{
    size_t end = rdv_trim_end(rdv_slice(s, 0, i)).len, begin = end;
    while (begin > 0 && !rdv_is_space(s.p[begin - 1]) && !strchr(",;:($", s.p[begin - 1]))
        begin--;
    size_t letters = 0, beyond = begin < end && (unsigned char)s.p[begin] >= 0x80;
    for (size_t k = begin; k < end; k++)
        letters += rdv_is_alpha(s.p[k]);
    bool command = rdv_char_at(s, begin) == '\\';
    bool name = rdv_is_alpha(rdv_char_at(s, begin)) ? letters == 1 : command || beyond;
    bool call = end > begin && s.p[end - 1] == ')';
    return name && !call && end - begin < 12 ? begin : i;
}

/* From the first of the equations with a name on the left that end a sentence, "x = 4, y = 3";
 * empty: it ends with something else. *n: how many they are. */
static rdv_str closing_equations(rdv_str s, size_t *n)
{
    rdv_str maths = {0};
    *n = 0;
    for (size_t at = 0; (at = rdv_find(s, RDV_STR("="), at)) != RDV_NOT_FOUND; at++) {
        size_t begin = name_begin(s, at);
        maths = *n == 0 && begin < at ? rdv_slice(s, begin, s.len) : maths;
        *n = begin < at ? *n + 1 : 0;
    }
    for (size_t i = 0, end; i < maths.len && *n; i = end + 1) {
        end = rdv_skip_letters(maths, i);
        rdv_str word = rdv_slice(maths, i, end);
        bool command = i > 0 && maths.p[i - 1] == '\\';
        if (word.len > 1 && !command && !rdv_str_ieq(word, RDV_STR("or")) &&
            !answer_class_has(CLASS_NAME_LEAD, word))
            *n = 0;
    }
    return *n ? answer_trim_marks(maths) : (rdv_str){0};
}

/* Has a token of a sentence, between blanks, no word but of functions and commands: "\\cos(2x)," but
 * not "get"? */
static bool is_formula_token(rdv_str s)
{
    for (size_t i = 0, end; i < s.len; i = end + 1) {
        end = rdv_skip_letters(s, i);
        bool command = i > 0 && s.p[i - 1] == '\\';
        if (end - i > 1 && !command && formula_function(rdv_slice(s, i, end)) == FN_NONE)
            return false;
    }
    return true;
}

/* The word of a text that ends at byte `end`, from blank to blank. */
static rdv_str token_before(rdv_str s, size_t end)
{
    size_t begin = end;
    while (begin > 0 && s.p[begin - 1] != ' ')
        begin--;
    return rdv_slice(s, begin, end);
}

/* The formula that a sentence ends with, behind a verb that says that it comes to this: "x/y" of "It
 * simplifies to x/y."; empty: it ends with none. */
static rdv_str closing_formula(rdv_str s)
{
    s = answer_trim_marks(s);
    size_t begin = s.len + 1;
    rdv_str token = {0};
    while (begin > 1 && is_formula_token(token = token_before(s, begin - 1)))
        begin -= token.len + 1;
    if (begin <= 1 || begin > s.len)
        return (rdv_str){0};
    rdv_str before = token_before(s, begin - 1 > token.len ? begin - 2 - token.len : 0);
    rdv_str formula = rdv_slice(s, begin, s.len);
    bool sign = rdv_skip_letters(formula, 0) < formula.len; /* no lone letter */
    bool leads = answer_class_has(CLASS_FORMULA_LEAD, token) ||
                 answer_class_follows(CLASS_FORMULA_LEAD, before, token);
    return sign && leads && rdv_has_letter_or_beyond(formula) ? formula : (rdv_str){0};
}

/* The sum of quantities that is all the numbers of a sentence, "7 hours and 50 minutes"; empty: they
 * are none. */
static rdv_str sum_of(rdv_str s)
{
    rdv_str number, first = {0};
    size_t end = 0;
    for (size_t at = 0; answer_next_number(s, &at, &number); end = at)
        first = first.p ? first : number;
    if (!first.p)
        return first;
    rdv_str behind = rdv_trim(rdv_slice(s, end, s.len));
    end = (size_t)(behind.p - s.p) + measure_len(behind);
    size_t begin = (size_t)(first.p - s.p), next = rdv_skip_any(s, end, " ");
    bool shifted = answer_class_has(CLASS_SHIFTED, rdv_slice(s, next, rdv_skip_letters(s, next))) ||
                   number_change(s, begin, begin + first.len) == NUMBER_BEFORE;
    rdv_str sum = rdv_slice(s, begin, end);
    return measure_is_sum(sum) && !shifted ? sum : (rdv_str){0};
}

/* Does a word of the text that is left out say that what follows is no result? */
static bool is_turned(rdv_str dropped)
{
    return restated_doubts(dropped) || formal_holds(dropped, RDV_STR("were")) ||
           answer_holds_class(dropped, CLASS_TURNING_VALUE);
}

static int grade_part(const whole_reply *r, rdv_str part, rdv_arena *arena, rdv_text_grade *out,
                      rdv_error *err)
{
    whole_reply own;
    int code = grade_text_read(part, r->gold, &r->form, r->how, arena, &own, err);
    own.part = true;
    return code == RDV_OK ? grade_text_weigh(&own, arena, out, err) : code;
}

/* Is a lone equation, "x = 3", one of several values of gold, of which the text has no other? */
static bool is_one_of_gold(const conclusion *c, rdv_str part, const rdv_comparison *one)
{
    rdv_str number, dropped = rdv_slice(c->text, 0, (size_t)(part.p - c->text.p));
    size_t n = 0;
    if (strcmp(one->why, "form") != 0 || name_begin(part, rdv_find_char(part, '=', 0)) ||
        rdv_find_char(part, ',', 0) != RDV_NOT_FOUND)
        return false;
    for (size_t at = 0; answer_next_number(c->gold, &at, &number); n++)
        if (formal_holds(dropped, number))
            return false;
    return n > 1 && !rdv_has_letter(one->answer_as);
}

/* Take what a part of the text tells. */
static int try_part(const whole_reply *r, conclusion *c, rdv_str part, rdv_arena *arena,
                    rdv_text_grade *out, rdv_error *err)
{
    rdv_text_grade one;
    bool beside = false;
    bool differs = out->comparison.is == RDV_DIFFERENT;
    if (!part.len || out->comparison.is == RDV_SAME || !rdv_lies_in(part, c->text) ||
        is_turned(cue_last_sentences(c->text, 1)) || !conclusion_is_plain(c, part) ||
        conclusion_is_turned(c, part) || conclusion_is_another(c, part))
        return RDV_OK;
    int code = grade_part(r, part, arena, &one, err);
    if (code != RDV_OK || one.comparison.is == RDV_CANNOT_TELL ||
        (differs && one.comparison.is != RDV_SAME) ||
        (one.comparison.is == RDV_DIFFERENT && !grade_text_shows(&one) &&
         !is_one_of_gold(c, part, &one.comparison)))
        return code;
    c->read = part;
    if (one.comparison.is == RDV_DIFFERENT)
        code = conclusion_gold_beside(c, arena, &beside, err);
    if (code == RDV_OK && !beside)
        *out = one;
    return code;
}

/* Does the reply conclude with numbers in words alone, and not with what was read? */
static bool concludes_in_words(const whole_reply *r, rdv_str digits, rdv_str answer)
{
    rdv_str said = r->first.said, clause = restated_conclusion(cue_last_sentences(said, 1));
    return !rdv_has_digit(clause) && !rdv_lies_in(answer, clause) &&
           rdv_has_digit(restated_conclusion(cue_last_sentences(digits, 1)));
}

/* The last sentence from its last number on. */
static rdv_str from_last_number(rdv_str text)
{
    rdv_str s = cue_last_sentences(text, 1), number, last = s;
    for (size_t at = 0; answer_next_number(s, &at, &number);)
        last = number;
    return rdv_slice(s, (size_t)(last.p - s.p), s.len);
}

/* Is the last number of the reply one in words? */
static bool ends_in_words(rdv_str said, rdv_str digits)
{
    return !rdv_str_eq(from_last_number(said), from_last_number(digits));
}

/* Does a word behind the first number of a clause compare or shift it, "seven hours later"? */
static bool is_shifted(rdv_str s, rdv_str question)
{
    rdv_str number;
    size_t at = 0;
    if (!answer_next_number(s, &at, &number))
        return false;
    for (size_t end; at < s.len; at = end + 1) {
        end = rdv_skip_letters(s, at);
        rdv_str word = rdv_slice(s, at, end);
        if (answer_class_has(CLASS_SHIFTED, word) && !formal_holds(question, word))
            return true;
    }
    return false;
}

/* Read the reply with digits for its numbers in words: what differs was not read whole, and what it
 * concludes with must be gold too. */
static int weigh_digits(const whole_reply *r, const conclusion *c, rdv_arena *arena,
                        rdv_text_grade *out, rdv_error *err)
{
    rdv_text_grade one;
    rdv_str digits = c->text;
    bool same = out->comparison.is == RDV_SAME;
    rdv_str clause = restated_conclusion(cue_last_sentences(digits, 1));
    if (digits.p == r->first.said.p || (same && !concludes_in_words(r, digits, out->answer)))
        return RDV_OK;
    int code = grade_part(r, digits, arena, &one, err);
    if (code == RDV_OK && (conclusion_is_another(c, clause) || is_shifted(clause, r->question)))
        one.comparison = conclusion_several(&one.comparison);
    if (code != RDV_OK || (same && one.comparison.is == RDV_SAME))
        return code;
    bool shown = one.comparison.is != RDV_DIFFERENT || grade_text_shows(&one);
    bool read = one.comparison.is == RDV_CANNOT_TELL && !ends_in_words(r->first.said, digits);
    if (!same && shown && !read)
        *out = one;
    else if (same)
        out->comparison = conclusion_several(&out->comparison);
    return code;
}

/* Take what the equations tell that the reply ends with; of a lone one, "b = 6" behind "a = 5", only
 * that it is another answer. */
static int try_equations(const whole_reply *r, conclusion *c, rdv_str last, rdv_arena *arena,
                         rdv_text_grade *out, rdv_error *err)
{
    size_t n;
    rdv_str equations = closing_equations(last, &n);
    rdv_str right = rdv_slice(equations, rdv_find_char(equations, '=', 0), equations.len);
    rdv_text_grade one = *out;
    int code = n ? try_part(r, c, equations, arena, &one, err) : RDV_OK;
    if (code == RDV_OK && (n > 1 || rdv_has_letter(right) || one.comparison.is == RDV_DIFFERENT))
        *out = one;
    return code;
}

int said_weigh(const whole_reply *r, rdv_arena *arena, rdv_text_grade *out, rdv_error *err)
{
    rdv_str text = digits_of_words(r->first.said, arena);
    conclusion c = {.text = text,
                    .by = RDV_ANSWER_BY_PLACE,
                    .gold = r->gold,
                    .form = &r->form,
                    .how = r->how};
    unsigned place;
    bool alone;
    if (!text.p)
        return rdv_no_memory(err);
    if (r->form.kind == RDV_KIND_TIME || ordinal_of(r->gold, &place, &alone)) /* "one seventh" */
        return RDV_OK;
    rdv_str last = rdv_trim(cue_last_sentences(text, 1)), none = {0};
    bool formula = r->form.kind == RDV_KIND_LATEX && rdv_has_letter(r->gold);
    rdv_str parts[] = {r->form.kind == RDV_KIND_TEXT ? none : behind_label(last),
                       concluding_clause(last), sum_of(last),
                       formula ? closing_formula(last) : none};
    int code = weigh_digits(r, &c, arena, out, err);
    if (code == RDV_OK)
        code = try_equations(r, &c, last, arena, out, err);
    for (size_t i = 0; i < COUNT(parts) && code == RDV_OK; i++)
        code = try_part(r, &c, parts[i], arena, out, err);
    return code;
}
